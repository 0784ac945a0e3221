// Fourier sums on surfaces and in regions.
#include "dgtd/fdtd/monitors.hpp"

#include <fmt/format.h>

#include <memory>

#include "dgtd/physics/sampling.hpp"
#include "fdtd/discretisation/persistent_items.hpp"

namespace dgtd::fdtd {

namespace {

// Real and imaginary parts at cells, [cells][3].
solver::RegionValues values_at_cells(std::array<std::vector<float>, 2> centres) {
  return [kept = std::make_shared<const std::array<std::vector<float>, 2>>(std::move(centres))](
             std::size_t first, std::size_t count, double* real, double* imag) {
    std::copy_n((*kept)[0].begin() + static_cast<std::ptrdiff_t>(3 * first), 3 * count, real);
    std::copy_n((*kept)[1].begin() + static_cast<std::ptrdiff_t>(3 * first), 3 * count, imag);
  };
}

// sums: [parts][n], the real part from `at` on.
solver::RegionValues values_of_pairs(std::shared_ptr<const std::vector<double>> sums, std::size_t at, std::size_t n) {
  return [sums = std::move(sums), at, n](std::size_t first, std::size_t count, double* real, double* imag) {
    std::copy_n(sums->data() + at + first, count, real);
    std::copy_n(sums->data() + at + n + first, count, imag);
  };
}

// A component of E has one sample on each face that it belongs to: E along w is paired with H along u.
template <class Real>
std::shared_ptr<const solver::Items> surface_items(const Discretisation<Real>& d, const std::string& name,
                                                   const solver::SurfacePairs& pairs, const SpectrumSamples& samples) {
  std::vector<std::int64_t> numbers;
  const std::int64_t components = 3 * d.global_cells[0] * d.global_cells[1] * d.global_cells[2];
  for (std::size_t i = 0; i < pairs.area.size(); ++i)
    numbers.push_back(pairs.magnetic_axis[i] * components + component_number(d, samples.electric[i]));
  return list_items("samples of " + name, numbers, 3 * components);
}

}  // namespace

template <class Stored>
std::size_t Monitors<Stored>::add(const solver::Region& region) {
  if (const auto* flux = std::get_if<physics::Flux>(&region)) {
    FluxSurface surface = flux_surface(d_, *flux);
    auto summed = spectrum(surface.samples, flux->frequencies);
    regions_.push_back(
        {{flux->frequencies, {}, std::move(surface.pairs)}, std::move(surface.samples), std::move(summed)});
  } else {
    const auto& monitor = std::get<physics::Monitor>(region);
    const FieldRegion nodes = field_region(d_.grid, d_.periodic, monitor);
    const SampleRanges ranges =
        sample_ranges(nodes, d_.block.first, {d_.layout.cells[0], d_.layout.cells[1], d_.layout.cells[2]},
                      monitor.keeps("E"), monitor.keeps("H"));
    regions_.push_back({{monitor.frequencies, region_cells(d_.grid, nodes, shown_), {}},
                        Cells{nodes, ranges, monitor.keeps("E"), monitor.keeps("H")},
                        spectrum(region_samples(d_, nodes, ranges), monitor.frequencies)});
  }
  return regions_.size() - 1;
}

template <class Stored>
std::int64_t Monitors<Stored>::sampling_interval(std::size_t region) const {
  return physics::sampling_interval(regions_[region].samples.frequencies, highest_frequency_, d_.time_step);
}

template <class Stored>
solver::RegionSums Monitors<Stored>::sums(std::size_t region, std::size_t frequency) const {
  const SummedRegion& r = regions_[region];
  auto sums = r.spectrum.sums(frequency, 1);
  const auto* cells = std::get_if<Cells>(&r.fields);
  if (cells == nullptr) {
    const std::size_t n = r.samples.pairs.area.size();
    const auto kept = std::make_shared<const std::vector<double>>(std::move(sums));
    return {values_of_pairs(kept, 0, n), values_of_pairs(kept, 2 * n, n)};
  }
  const std::size_t electric = SampleRanges::count(cells->ranges.electric),
                    magnetic = SampleRanges::count(cells->ranges.magnetic);
  const auto centres = [&](bool of_electric, const double* real, std::size_t n) {
    return values_at_cells(region_centres(d_, cells->region, cells->ranges, r.samples.cells, of_electric, real,
                                          real + n, bloch_phase_, comm_));
  };
  solver::RegionSums result;
  if (cells->electric) result.electric = centres(true, sums.data(), electric);
  if (cells->magnetic) result.magnetic = centres(false, sums.data() + 2 * electric, magnetic);
  return result;
}

// Surfaces and monitors are counted each by itself.
template <class Stored>
std::vector<std::string> Monitors<Stored>::names() const {
  std::vector<std::string> names;
  int surfaces = 0, monitors = 0;
  for (const SummedRegion& r : regions_)
    names.push_back(std::holds_alternative<Cells>(r.fields) ? fmt::format("spectrum of monitor {}", monitors++)
                                                            : fmt::format("spectrum of surface {}", surfaces++));
  return names;
}

template <class Stored>
void Monitors<Stored>::save(solver::State& state) const {
  const std::vector<std::string> name = names();
  for (std::size_t r = 0; r < regions_.size(); ++r) regions_[r].spectrum.save(name[r], state);
}

template <class Stored>
void Monitors<Stored>::load(const solver::State& state) {
  const std::vector<std::string> name = names();
  for (std::size_t r = 0; r < regions_.size(); ++r) regions_[r].spectrum.load(name[r], state);
}

// Surfaces first, then cells. A component of H in a plane is a mean of two, of which the upper one is this rank's.
template <class Stored>
void Monitors<Stored>::add_persistent(std::vector<solver::PersistentArray>& list) {
  const std::vector<std::string> names = this->names();
  for (std::size_t n = 0; n < regions_.size(); ++n)
    if (const auto* samples = std::get_if<SpectrumSamples>(&regions_[n].fields)) {
      const auto items = surface_items(d_, names[n], regions_[n].samples.pairs, *samples);
      regions_[n].spectrum.add_persistent(names[n], items, items, list);
    }
  for (std::size_t n = 0; n < regions_.size(); ++n)
    if (const auto* cells = std::get_if<Cells>(&regions_[n].fields)) {
      const SpectrumSamples samples = region_samples(d_, cells->region, cells->ranges);
      const auto& magnetic = samples.magnetic_above.empty() ? samples.magnetic_below : samples.magnetic_above;
      regions_[n].spectrum.add_persistent(names[n], list_items(d_, "samples of E of " + names[n], samples.electric),
                                          list_items(d_, "samples of H of " + names[n], magnetic), list);
    }
}

template class Monitors<Half>;
template class Monitors<float>;
template class Monitors<double>;

}  // namespace dgtd::fdtd
