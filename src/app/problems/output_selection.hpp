#pragma once
// Small translations from a case that all methods share.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "dgtd/config/case.hpp"
#include "dgtd/dosimetry/sar.hpp"
#include "dgtd/observers/field_writer.hpp"

namespace dgtd::app {

/// Whether output.fields lists a name.
inline bool has_field(const config::Case& c, const char* field) {
  return std::find(c.output.fields.begin(), c.output.fields.end(), field) != c.output.fields.end();
}

/// Whether SAR is written where there is one.
inline bool writes_sar(const config::Case& c) { return has_field(c, "SAR") || has_field(c, "auto"); }

inline io::FilePrecision file_precision(const config::Case& c) {
  return c.output.precision == config::Precision::single_precision ? io::FilePrecision::single_precision
                                                                   : io::FilePrecision::double_precision;
}

/// Whether SAR is that of a pulse at the frequencies of [dft].
inline bool has_sar_spectrum(const config::Case& c) {
  using Normalise = config::Sar::Normalise;
  return c.solver.method.has.tetrahedra && c.dft.window == config::Dft::Window::all && !c.dft.frequencies.empty() &&
         c.sar.normalise != Normalise::none && c.sar.normalise != Normalise::incident &&
         std::any_of(c.materials.begin(), c.materials.end(), [](const auto& m) { return m.density > 0; });
}

/// Conventions of the phasors and the SAR of field files: peak or mean, and at which power.
inline std::vector<std::string> conventions_of(const config::Case& c) {
  const std::string of_sar = dosimetry::local_sar_text({c.sar.normalise, {}, c.sar.power.value_or(1), 1});
  if (c.dft.window == config::Dft::Window::all) {
    std::vector<std::string> lines{"E and H: integrals of f(t) exp(i omega t) over the run"};
    if (has_sar_spectrum(c) && writes_sar(c))
      for (const std::string& suffix : observers::frequency_suffixes(c.dft.frequencies))
        lines.push_back(fmt::format("SAR_W_per_kg{}: {}", suffix, of_sar));
    return lines;
  }
  std::vector<std::string> lines{"E and H: peak phasors F of f(t) = Re F exp(-i omega t), of the run as it is"};
  const bool tissue = std::any_of(c.materials.begin(), c.materials.end(), [](const auto& m) { return m.density > 0; });
  if (tissue && writes_sar(c)) lines.push_back("SAR_W_per_kg: " + of_sar);
  return lines;
}

inline observers::FieldSelection field_selection(const config::Case& c) {
  observers::FieldSelection selection;
  selection.conventions = conventions_of(c);
  if (has_field(c, "auto")) {
    selection.present = {true, true, false};
    selection.phasors = {false, false, true};
  } else {
    const bool electric = has_field(c, "E"), magnetic = has_field(c, "H"), amplitude = has_field(c, "E_amplitude");
    selection.present = {electric, magnetic, amplitude};
    // Files on grids have the amplitude where it is named only.
    selection.phasors = {electric, magnetic, amplitude || (electric && c.solver.method.has.tetrahedra)};
  }
  selection.groups = c.output.groups;
  selection.degree = c.output.degree;
  using From = config::OutputPoints;
  selection.points = c.output.points == From::shared     ? observers::PointChoice::shared
                     : c.output.points == From::separate ? observers::PointChoice::separate
                                                         : observers::PointChoice::automatic;
  selection.precision = file_precision(c);
  return selection;
}

/// solver.kernels as summary.json has it.
inline const char* kernels_name(const config::Case& c) {
  return c.solver.kernels == solver::KernelFusion::split      ? "split"
         : c.solver.kernels == solver::KernelFusion::diagonal ? "diagonal"
                                                              : "fused";
}

}  // namespace dgtd::app
