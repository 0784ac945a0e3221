#include "dgtd/observers/error_estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>

#include "dgtd/base/units.hpp"
#include "dgtd/dosimetry/peak_table.hpp"
#include "dgtd/io/results.hpp"
#include "dgtd/mesh/added_layers.hpp"
#include "dgtd/observers/element_errors.hpp"
#include "dgtd/observers/field_writer.hpp"

namespace dgtd::observers {

namespace {

using Field = solver::Quantity::Field;
using io::Value;

constexpr std::size_t arrays_per_state = 4;

/// Squared norms of a part of the domain, all ranks: of E and Z0 H, of their errors, of the part of the highest degree
/// of both, of the part of their jumps.
struct Norms {
  double electric = 0, magnetic = 0, electric_error = 0, magnetic_error = 0, highest = 0, jump = 0;

  double of_electric() const { return electric > 0 ? std::sqrt(electric_error / electric) : 0; }
  double of_magnetic() const { return magnetic > 0 ? std::sqrt(magnetic_error / magnetic) : 0; }
  double highest_share() const { return share(highest); }
  double jump_share() const { return share(jump); }
  bool is_empty() const { return electric + magnetic <= 0; }

 private:
  double share(double part) const { return is_empty() ? 0 : part / (electric + magnetic); }
};

/// Indicators and estimates of one frequency, or of the last step.
struct Estimates {
  solver::FieldIndicators electric, magnetic;
  solver::SquaredErrors errors;

  Norms of(std::size_t e) const {
    return {electric.squared_norm(e),
            magnetic.squared_norm(e),
            errors.electric[e],
            errors.magnetic[e],
            electric.highest_part(e) + magnetic.highest_part(e),
            electric.jump[e] + magnetic.jump[e]};
  }
};

Estimates estimates_of(const solver::ErrorIndicators& solver, std::optional<std::size_t> frequency) {
  Estimates made{
      solver.error_indicators(Field::electric, frequency), solver.error_indicators(Field::magnetic, frequency), {}};
  made.errors = solver::estimate_errors(made.electric, made.magnetic);
  return made;
}

/// Sums over the elements of parts of the domain, of which `part_of` has the number, or one that is negative.
/// Collective.
template <class PartOf>
std::vector<Norms> sums_of(const Estimates& made, std::size_t parts, const PartOf& part_of,
                           const parallel::Communicator& comm) {
  constexpr std::size_t numbers = 6;
  std::vector<double> sums(parts * numbers);
  for (std::size_t e = 0; e < made.electric.elements(); ++e) {
    const std::ptrdiff_t part = part_of(e);
    if (part < 0) continue;
    const Norms n = made.of(e);
    const double values[numbers] = {n.electric, n.magnetic, n.electric_error, n.magnetic_error, n.highest, n.jump};
    for (std::size_t i = 0; i < numbers; ++i) sums[static_cast<std::size_t>(part) * numbers + i] += values[i];
  }
  sums = comm.sum(std::move(sums));
  std::vector<Norms> norms(parts);
  for (std::size_t g = 0; g < parts; ++g) {
    const double* const n = sums.data() + g * numbers;
    norms[g] = {n[0], n[1], n[2], n[3], n[4], n[5]};
  }
  return norms;
}

/// Arrays of the field file: error of E (V/m), relative error, shares of the highest degree and of the jumps.
void add_arrays(io::Results& results, const Estimates& made, const mesh::Subdomain& mesh, bool is_sum, bool peak,
                const std::string& suffix) {
  const std::size_t elements = made.electric.elements();
  auto values = std::make_shared<std::vector<float>>(arrays_per_state * elements);
#pragma omp parallel for schedule(static)
  for (std::size_t e = 0; e < elements; ++e) {
    const Norms n = made.of(e);
    const double of_element[arrays_per_state] = {std::sqrt(n.electric_error / mesh.volume(e)), n.of_electric(),
                                                 n.highest_share(), n.jump_share()};
    for (std::size_t a = 0; a < arrays_per_state; ++a) (*values)[a * elements + e] = static_cast<float>(of_element[a]);
  }
  const std::string names[arrays_per_state] = {electric_name("error", peak || !is_sum, suffix),
                                               "E_error_relative" + suffix, "highest_degree_share" + suffix,
                                               "jump_share" + suffix};
  for (std::size_t a = 0; a < arrays_per_state; ++a)
    results.quantities.push_back({names[a], [values, first = a * elements](auto places, double* to) {
                                    for (const std::size_t place : places) *to++ = (*values)[first + place];
                                  }});
}

/// A place where SAR is largest, on all ranks.
struct Peak {
  std::string name;               // "local", "10g"
  Vec3 lower, upper;              // m, the box that its elements meet
  double about = 0, at_most = 0;  // relative uncertainties of SAR
};

/// Corners of the box around an element's vertices, m.
std::array<Vec3, 2> box_of(const mesh::Subdomain& mesh, std::size_t element) {
  std::array<Vec3, 2> box{mesh.vertex(element, 0), mesh.vertex(element, 0)};
  for (int v = 1; v < 4; ++v)
    for (int a = 0; a < 3; ++a) {
      box[0][a] = std::min(box[0][a], mesh.vertex(element, v)[a]);
      box[1][a] = std::max(box[1][a], mesh.vertex(element, v)[a]);
    }
  return box;
}

// The box of the element with the largest SAR, which is on one rank; neighbours of the element meet it.
Peak local_peak(const dosimetry::TissueRow& row, const mesh::Subdomain& mesh, const parallel::Communicator& comm) {
  std::vector<double> corners(6, -std::numeric_limits<double>::max());  // upper, minus lower
  for (std::size_t e = 0; e < mesh.elements(); ++e)
    if (mesh.element_id[e] == row.element_id) {
      const auto [lower, upper] = box_of(mesh, e);
      corners = {upper.x, upper.y, upper.z, -lower.x, -lower.y, -lower.z};
    }
  corners = comm.max(std::move(corners));
  return {"local", {-corners[3], -corners[4], -corners[5]}, {corners[0], corners[1], corners[2]}};
}

std::vector<Peak> peaks_of(const io::Results& results, const mesh::Subdomain& mesh) {
  std::vector<Peak> peaks;
  if (!results.exposure) return peaks;
  const dosimetry::TissueRow* largest = nullptr;
  for (const auto& row : results.exposure->tissues)
    if (row.mass_kg > 0 && row.at && (largest == nullptr || *row.sar_max > *largest->sar_max)) largest = &row;
  if (largest == nullptr) return peaks;
  peaks.push_back(local_peak(*largest, mesh, results.comm));
  // The cubes of averages are known on root alone.
  const std::size_t averages = results.voxels ? results.voxels->peaks.size() : 0;
  const auto count = results.comm.broadcast_value(averages);
  for (std::size_t i = 0; i < count; ++i) {
    struct Cube {
      double mass;
      Vec3 lower, upper;
      bool exists;
    } cube{};
    if (results.voxels) {
      const auto& average = results.voxels->peaks[i];
      cube = {average.mass_kg, {}, {}, average.peak.has_value()};
      if (average.peak) cube.lower = average.peak->lower, cube.upper = average.peak->upper;
    }
    cube = results.comm.broadcast_value(cube);
    if (cube.exists) peaks.push_back({dosimetry::mass_text(cube.mass), cube.lower, cube.upper});
  }
  return peaks;
}

// SAR is a square of E, whose relative error is r:
//   |E_h|^2 = |E|^2 + 2 Re(E . error) + |error|^2.
// An error of jumps is nearly orthogonal to the field, so that SAR changes by about r^2; one in phase with it would
// change it by 2 r + r^2.
void measure_peaks(std::vector<Peak>& peaks, const Estimates& made, const mesh::Subdomain& mesh,
                   const io::Results& results) {
  for (Peak& peak : peaks) {
    const auto part_of = [&](std::size_t e) -> std::ptrdiff_t {
      if (results.exposure->density[mesh.element_group[e]] <= 0) return -1;
      const auto [lower, upper] = box_of(mesh, e);
      for (int a = 0; a < 3; ++a)
        if (upper[a] < peak.lower[a] || lower[a] > peak.upper[a]) return -1;
      return 0;
    };
    const double r = sums_of(made, 1, part_of, results.comm).front().of_electric();
    peak.about = r * r, peak.at_most = 2 * r + r * r;
  }
}

std::string percent_text(double share) {
  return fmt::format("{} %", share < 0.1 ? fmt::format("{:.2g}", 100 * share) : fmt::format("{:.0f}", 100 * share));
}

std::string peak_text(const std::vector<Peak>& peaks) {
  std::string text = "SAR peak uncertain by about";
  for (const Peak& peak : peaks)
    text += fmt::format("{} {} ({}, at most {})", &peak == &peaks.front() ? "" : ",", percent_text(peak.about),
                        peak.name == "local" ? peak.name : "over " + peak.name, percent_text(peak.at_most));
  return text;
}

/// Estimates of one frequency, or of the last step, in numbers.
struct Found {
  std::optional<double> frequency;  // Hz
  std::vector<Norms> groups;        // [volume groups]
  std::vector<Peak> peaks;
};

Value value_of(const Found& found, const std::vector<std::string>& names) {
  Value materials = Value::Object{}, peaks = Value::Object{};
  for (std::size_t g = 0; g < names.size(); ++g)
    if (!found.groups[g].is_empty() && !mesh::is_layer_name(names[g]))
      materials[names[g]] = Value::Object{{"E", found.groups[g].of_electric()},
                                          {"H", found.groups[g].of_magnetic()},
                                          {"highest_degree_share", found.groups[g].highest_share()},
                                          {"jump_share", found.groups[g].jump_share()}};
  for (const Peak& peak : found.peaks)
    peaks[peak.name] = Value::Object{{"about", peak.about}, {"at_most", peak.at_most}};
  return Value::Object{{"frequency_Hz", found.frequency},
                       {"materials", std::move(materials)},
                       {"sar_peak", found.peaks.empty() ? Value() : std::move(peaks)}};
}

// With several frequencies a material has the one with its largest error.
io::Table table_of(const std::vector<Found>& all, const std::vector<std::string>& names) {
  io::Table table{{{"Material"},
                   {"Error of E [%]"},
                   {"Error of H [%]"},
                   {"Energy of the highest degree [%]"},
                   {"Energy of the jumps [%]"}},
                  {}};
  if (all.size() > 1) table.columns.push_back({"Worst at"});
  double largest = 0;
  std::vector<double> errors;
  for (std::size_t g = 0; g < names.size(); ++g) {
    if (mesh::is_layer_name(names[g])) continue;
    const Found& worst = *std::max_element(all.begin(), all.end(), [&](const Found& a, const Found& b) {
      return a.groups[g].of_electric() < b.groups[g].of_electric();
    });
    const Norms& n = worst.groups[g];
    if (n.is_empty()) continue;
    const auto percent = [](double share) { return fmt::format("{:.3g}", 100 * share); };
    table.rows.push_back({{names[g], percent(n.of_electric()), percent(n.of_magnetic()), percent(n.highest_share()),
                           percent(n.jump_share())}});
    if (all.size() > 1) table.rows.back().cells.push_back(units::frequency_text(*worst.frequency));
    errors.push_back(n.of_electric());
    largest = std::max(largest, n.of_electric());
  }
  for (std::size_t r = 0; r < errors.size(); ++r)
    if (largest > 0) table.rows[r].share = errors[r] / largest;
  return table;
}

}  // namespace

std::size_t error_quantities(std::size_t frequencies) {
  return arrays_per_state * std::max<std::size_t>(1, frequencies);
}

void ErrorEstimate::finish(io::Results& results) {
  const bool has_sums = sums_.complete(results.summary);
  const auto suffixes = frequency_suffixes(sums_.frequencies);
  std::vector<Found> all;
  ElementErrors of_elements(mesh_, results.comm);
  for (std::size_t f = 0; f < (has_sums ? sums_.frequencies.size() : 1); ++f) {
    Found found;
    if (has_sums) found.frequency = sums_.frequencies[f];
    const Estimates made = estimates_of(solver_, has_sums ? std::optional(f) : std::nullopt);
    found.groups = sums_of(
        made, mesh_.volume_names.size(),
        [&](std::size_t e) { return static_cast<std::ptrdiff_t>(mesh_.element_group[e]); }, results.comm);
    if (has_sums && results.exposure && results.exposure->frequency == f) {
      found.peaks = peaks_of(results, mesh_);
      measure_peaks(found.peaks, made, mesh_, results);
    }
    of_elements.add(made.electric, made.magnetic, made.errors);
    add_arrays(results, made, mesh_, has_sums, sums_.peak, has_sums ? suffixes[f] : "");
    all.push_back(std::move(found));
  }
  io::Table table = table_of(all, mesh_.volume_names);
  if (table.rows.empty()) return;  // no field
  if (results.comm.is_root()) of_elements.write(results.files, identity_);
  Value::List list;
  for (const Found& found : all) list.push_back(value_of(found, mesh_.volume_names));
  io::Summary& s = results.summary;
  s.keys["error_estimate"] = list;
  s.report["error_estimate"] = std::move(list);
  std::string console = "estimated errors in space:\n" + io::text_of(table), of_peaks;
  for (const Found& found : all)
    if (!found.peaks.empty()) of_peaks = peak_text(found.peaks);
  io::Section section{results.exposure ? io::Chapter::dosimetry : io::Chapter::accuracy,
                      "Estimated error in space",
                      {std::move(table)}};
  if (!of_peaks.empty()) {
    section.blocks.push_back(io::Entries{{{of_peaks, "", true}}});
    console += "\n" + of_peaks;
  }
  section.blocks.push_back(io::Note{fmt::format(
      "Of {}: root mean squares over a material, relative to its field, from the jumps of tangential fields between "
      "elements and the decay over polynomial degrees. A SAR peak changes by about r squared, r the error of E around "
      "it, "
      "where the error is orthogonal to the field, and by 2 r where it is in phase. What comes "
      "from the time step, the boundary of the domain, the shape of straight elements and the data of materials is not "
      "in "
      "it.",
      has_sums ? "the fields at the frequencies of the run" : "the fields at the last step")});
  section.console = std::move(console);
  s.sections.push_back(std::move(section));
}

// The indicators of both fields, errors, and arrays of each frequency.
double ErrorEstimate::output_bytes() const {
  const double elements = double(mesh_.first_copies());
  const double arrays = 4.0 * double(error_quantities(sums_.frequencies.size())) * elements;
  return 2 * solver_.error_indicator_bytes() + 2 * sizeof(double) * elements + arrays;
}

}  // namespace dgtd::observers
