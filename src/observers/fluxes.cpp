#include "dgtd/observers/fluxes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/units.hpp"
#include "dgtd/io/results.hpp"
#include "dgtd/parallel/root_or_throw.hpp"
#include "dgtd/solver/surface_integrals.hpp"

namespace dgtd::observers {

Fluxes::Fluxes(std::vector<physics::Flux> fluxes, solver::RegionSpectra& spectra, IncidentSpectrum incident,
               const parallel::Communicator& comm, int dimensions, const std::filesystem::path& reference)
    : RegionObserver(spectra), incident_(std::move(incident)), dimensions_(dimensions) {
  if (!reference.empty()) planes_ = read_reference(fluxes, reference);
  for (auto& flux : fluxes) {
    const std::size_t number = add(flux);
    const solver::SurfacePairs& pairs = spectra.samples(number).pairs;
    Surface surface{flux, number, comm.sum(double(pairs.area.size())), flux.scattered && reference.empty(), {}};
    if (flux.scattered && !reference.empty()) surface.reference.emplace(reference, flux, pairs, comm);
    surfaces_.push_back(std::move(surface));
  }
}

namespace {

double peak_of(const io::Curve& curve) {
  double peak = 0;
  for (const double y : curve.y) peak = std::max(peak, std::abs(y));
  return peak;
}

// Energy that never flows outwards (into a body that absorbs) or never along a plane's normal (reflected by a slab) is
// shown in its own direction.
// Returns whether it is.
bool turn(io::Curve& curve, const physics::Flux& flux) {
  if (peak_of(curve) == 0 || std::any_of(curve.y.begin(), curve.y.end(), [](double y) { return y > 0; })) return false;
  for (double& y : curve.y) y = -y;
  const int normal = flux.size.x == 0 ? 0 : flux.size.y == 0 ? 1 : 2;
  curve.name += flux.type == physics::Flux::Type::box ? std::string(", inwards")
                                                      : fmt::format(", towards \u2212{}", "xyz"[normal]);
  return true;
}

// The largest difference of a run's curve to the exact one, in a sentence.
io::Note comparison(const io::Curve& run, const io::Curve& exact, const std::string& origin) {
  double most = 0;
  for (std::size_t f = 0; f < run.y.size(); ++f) most = std::max(most, std::abs(run.y[f] - exact.y[f]));
  return {fmt::format("{}: {}, from which the run differs by at most {:.2g} % of its largest value.", exact.name,
                      origin, 100 * most / peak_of(exact))};
}

// Spectra of similar size are in one chart, in which each can be read.
std::vector<std::vector<io::Curve>> by_size(const std::vector<io::Curve>& curves) {
  constexpr std::size_t most_curves = 6;
  constexpr double most_ratio = 30;
  std::vector<std::vector<io::Curve>> groups;
  for (const io::Curve& curve : curves) {
    const auto fits = [&](const std::vector<io::Curve>& group) {
      const double first = peak_of(group.front()), own = peak_of(curve);
      return group.size() < most_curves && own <= most_ratio * first && first <= most_ratio * own;
    };
    const auto group = std::find_if(groups.begin(), groups.end(), fits);
    if (group == groups.end()) groups.push_back({curve});
    else group->push_back(curve);
  }
  return groups;
}

// Charts of the spectra; values of surfaces with one frequency.
io::Section spectra_section(std::vector<io::Curve> spectra, const char* quantity, const char* unit) {
  constexpr std::size_t most_charts = 8;
  io::Section section{io::Chapter::measurements, "Fluxes", {}};
  io::Entries values;
  std::vector<io::Curve> curves;
  for (io::Curve& s : spectra) {
    if (s.x.size() == 1)
      values.list.push_back(
          {fmt::format("{}, {}", s.name, units::frequency_text(s.x[0])), fmt::format("{:.4g} {}", s.y[0], unit)});
    else curves.push_back(std::move(s));
  }
  if (!values.list.empty()) section.blocks.push_back(std::move(values));
  // Where nothing flows a flux is the rounding of what is summed, in either precision.
  constexpr double rounding = 1e-12;
  double largest = 0;
  for (const io::Curve& curve : curves) largest = std::max(largest, peak_of(curve));
  std::vector<std::string> empty;
  for (const io::Curve& curve : curves)
    if (peak_of(curve) < rounding * largest) empty.push_back(curve.name);
  std::erase_if(curves, [&](const io::Curve& curve) { return peak_of(curve) < rounding * largest; });
  const auto groups = by_size(curves);
  for (std::size_t g = 0; g < std::min(groups.size(), most_charts); ++g) {
    std::vector<double> frequencies;
    for (const io::Curve& curve : groups[g]) frequencies.insert(frequencies.end(), curve.x.begin(), curve.x.end());
    section.blocks.push_back(io::Chart{
        fmt::format("{} through surfaces", quantity), io::frequency_axis(frequencies), {quantity, unit}, groups[g]});
  }
  if (!empty.empty())
    section.blocks.push_back(io::Note{fmt::format("Rounding alone, and not shown: {}.", fmt::join(empty, "; "))});
  if (groups.size() > most_charts)
    section.blocks.push_back(io::Note{"Further spectra are in the files flux_NAME.csv."});
  return section;
}

}  // namespace

void Fluxes::finish(io::Results& results) {
  std::vector<io::Curve> energies, cross_sections;
  std::vector<io::Note> comparisons;
  for (const Surface& s : surfaces_) {
    const auto spectrum = solver::flux(spectra(), s.number, results.comm);
    std::vector<double> scattered;
    if (s.reference)
      s.reference->subtract([&](const auto& change) { scattered = solver::flux(spectra(), s.number, results.comm, change); },
                            results.comm);
    const auto incident = incident_(s.flux.frequencies);
    for (PlaneSpectra& plane : planes_)
      if (plane.name == s.flux.name) plane.energy = s.reference ? scattered : spectrum;
    std::string text = "frequency_Hz,wavelength_m,outward_energy_J_per_Hz";
    if (!incident.empty()) text += ",outward_cross_section_m2";
    if (s.reference) text += ",scattered_energy_J_per_Hz";
    text += "\n";
    for (std::size_t f = 0; f < spectrum.size(); ++f) {
      text += fmt::format("{},{},{}", s.flux.frequencies[f], speed_of_light / s.flux.frequencies[f], spectrum[f]);
      if (!incident.empty()) text += fmt::format(",{}", spectrum[f] / incident[f]);
      if (s.reference) text += fmt::format(",{}", scattered[f]);
      text += "\n";
    }
    parallel::root_or_throw(results.comm,
                            [&] { results.files.write_table("flux_" + s.flux.name + ".csv", {"frequency_Hz"}, text); });
    io::Curve curve{s.flux.name, s.flux.frequencies, spectrum};
    for (std::size_t f = 0; f < incident.size(); ++f) curve.y[f] /= incident[f];
    const bool is_turned = turn(curve, s.flux);
    auto exact = exact_ && !incident.empty() ? exact_(s.flux) : ExactSpectrum{};
    (incident.empty() ? energies : cross_sections).push_back(curve);
    if (s.reference) {
      io::Curve less{s.flux.name + ", scattered", s.flux.frequencies, scattered};
      for (std::size_t f = 0; f < incident.size(); ++f) less.y[f] /= incident[f];
      turn(less, s.flux);
      (incident.empty() ? energies : cross_sections).push_back(std::move(less));
    }
    if (exact.outward.empty()) continue;
    io::Curve known{curve.name + ", exact", curve.x, std::move(exact.outward)};
    for (double& y : known.y) y *= is_turned ? -1 : 1;
    comparisons.push_back(comparison(curve, known, exact.origin));
    cross_sections.push_back(std::move(known));
  }
  if (!energies.empty())
    results.summary.sections.push_back(spectra_section(std::move(energies), "Spectral energy", "J/Hz"));
  if (!cross_sections.empty())
    results.summary.sections.push_back(spectra_section(std::move(cross_sections),
                                                       dimensions_ == 3   ? "Cross section"
                                                       : dimensions_ == 2 ? "Cross section per metre"
                                                                          : "Cross section over area",
                                                       dimensions_ == 3   ? "m\u00b2"
                                                       : dimensions_ == 2 ? "m"
                                                                          : ""));
  for (io::Note& note : comparisons) results.summary.sections.back().blocks.emplace_back(std::move(note));
  if (!planes_.empty()) add_shares(results, flux_shares(planes_));
  for (const Surface& s : surfaces_) add_orders_of(s, results);
}

// Shares refer to the reference's incident energy, or to that of a plane wave on the cell.
void Fluxes::add_orders_of(const Surface& s, io::Results& results) const {
  const auto plane = std::find_if(order_planes_.begin(), order_planes_.end(),
                                  [&](const OrderPlane& p) { return p.flux == s.flux.name; });
  if (plane == order_planes_.end()) return;
  OrderSpectra orders{*plane, s.flux.frequencies, {}, incident_energy(planes_)};
  if (orders.incident.empty()) {
    orders.incident = incident_(s.flux.frequencies);
    for (std::size_t f = 0; f < orders.incident.size(); ++f)
      orders.incident[f] *= solver::cell_across_wave(plane->lattice, plane->normal, s.flux.frequencies[f]);
  }
  const auto resolve = [&](const ReferenceFields::Change& change) {
    for (std::size_t f = 0; f < s.flux.frequencies.size(); ++f)
      orders.orders.push_back(solver::diffraction_orders(spectra(), s.number, f, plane->lattice, plane->normal,
                                                         plane->index, results.comm, change));
  };
  if (s.reference) s.reference->subtract(resolve, results.comm);
  else resolve({});
  add_orders(results, orders);
}

void Fluxes::finish_fields(io::Results& results) {
  for (const Surface& s : surfaces_)
    if (s.is_kept)
      results.field_bytes += write_flux_fields(spectra(), s.number, s.flux.name, results.files, results.comm);
}

std::vector<solver::FileSize> Fluxes::field_files(std::int64_t) const {
  std::vector<solver::FileSize> files;
  for (const Surface& s : surfaces_)
    if (s.is_kept)
      files.push_back(
          {fmt::format("flux_{}_fields.npy", s.flux.name), flux_fields_bytes(s.pairs, s.flux.frequencies.size()), 1});
  return files;
}

// Four parts of the sums per pair, twice while they are copied.
double Fluxes::output_bytes() const {
  constexpr double bytes_per_pair = 2 * 4 * sizeof(double);
  double most = 0;
  for (const Surface& s : surfaces_) most = std::max(most, double(spectra().samples(s.number).pairs.area.size()));
  return bytes_per_pair * most;
}

}  // namespace dgtd::observers
