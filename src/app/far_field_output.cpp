#include "dgtd/app/far_field_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/io/text_files.hpp"
#include "dgtd/parallel/on_root.hpp"

namespace dgtd::app {

std::vector<config::Flux> far_boxes(const config::Case& c) {
  std::vector<config::Flux> boxes;
  const grid::CartesianGrid grid{c.grid.spacings, c.grid.origin};
  for (const auto& f : c.far_fields) {
    for (const double phase : config::bloch_phases(c))
      if (phase != 0)
        throw Error(
            fmt::format("{}: far_field.{}: there is no far field between sides of type bloch", f.origin, f.name));
    for (int a = 0; a < 3; ++a) {
      const std::int64_t first = grid.nearest_node(a, f.centre[a] - 0.5 * f.size[a]),
                         last = grid.nearest_node(a, f.centre[a] + 0.5 * f.size[a]);
      if (first <= 0 || last >= grid.cells(a) || first >= last)
        throw Error(
            fmt::format("{}: far_field.{}: the box must lie inside the grid with all six faces, and be a cell thick at "
                        "least; along {} it goes from {} to {} m, the grid "
                        "from {} to {} m",
                        f.origin, f.name, "xyz"[a], f.centre[a] - 0.5 * f.size[a], f.centre[a] + 0.5 * f.size[a],
                        grid.nodes(a).front(), grid.nodes(a).back()));
    }
    for (const auto& m : c.materials)
      if (m.name == c.grid.background && (m.sigma > 0 || m.sigma_m > 0 || !m.poles.empty()))
        throw Error(fmt::format(
            "{}: far_field.{}: far fields need a background without losses and poles, and grid.background is {}",
            f.origin, f.name, m.name));
    boxes.push_back({f.name, config::Flux::Type::box, f.centre, f.size, f.frequencies, f.origin});
  }
  return boxes;
}

void write_far_fields(const config::Case& c, const GridProblem& problem,
                      const std::vector<std::vector<double>>& incident, const parallel::Communicator& comm) {
  const auto& background = problem.materials.front();
  const double impedance = vacuum_impedance * std::sqrt(background.mu_r / background.eps_r);
  for (std::size_t m = 0; m < c.far_fields.size(); ++m) {
    const auto& far = c.far_fields[m];
    const std::size_t monitor = c.fluxes.size() + m;
    const auto directions = fdtd::directions_of(far.theta, far.phi);
    const auto angles = fdtd::solid_angles(far.theta, far.phi);
    const auto flux = problem.powers->flux(monitor);
    const auto patterns = problem.powers->far_fields(monitor, directions, background.eps_r, background.mu_r);
    const bool scattering = !incident[m].empty();
    const std::string section = scattering ? ",cross_section_m2" : "";
    std::string table =
        "frequency_Hz,theta_deg,phi_deg,rE_theta_real_V_s,rE_theta_imag_V_s,rE_phi_real_V_s,rE_phi_imag_V_s,"
        "directivity" +
        section + "\n";
    std::string totals =
        "frequency_Hz,wavelength_m,radiated_J_per_Hz,flux_J_per_Hz,largest_directivity" + section + "\n";
    for (std::size_t f = 0; f < far.frequencies.size(); ++f) {
      const auto& pattern = patterns[f];
      // Energy a frequency and solid angle, one-sided: 2 |r E|^2 / Z, J/(Hz sr).
      std::vector<double> intensity;
      double radiated = 0, largest = 0;
      for (std::size_t d = 0; d < directions.size(); ++d) {
        intensity.push_back(2 / impedance * (std::norm(pattern.theta[d]) + std::norm(pattern.phi[d])));
        radiated += intensity[d] * angles[d];
        largest = std::max(largest, intensity[d]);
      }
      const auto directivity = [&](double u) { return radiated > 0 ? 4 * pi * u / radiated : 0; };
      for (std::size_t d = 0; d < directions.size(); ++d) {
        table += fmt::format("{},{:.6g},{:.6g},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g}", far.frequencies[f],
                             directions[d].theta * 180 / pi, directions[d].phi * 180 / pi, pattern.theta[d].real(),
                             pattern.theta[d].imag(), pattern.phi[d].real(), pattern.phi[d].imag(),
                             directivity(intensity[d]));
        table += scattering ? fmt::format(",{:.9g}\n", 4 * pi * intensity[d] / incident[m][f]) : "\n";
      }
      totals += fmt::format("{},{},{},{},{}", far.frequencies[f], speed_of_light / far.frequencies[f], radiated,
                            flux[f], directivity(largest));
      totals += scattering ? fmt::format(",{}\n", radiated / incident[m][f]) : "\n";
    }
    parallel::on_root(comm, [&] {
      io::write_text(c.output.directory / ("far_" + far.name + ".csv"), table);
      io::write_text(c.output.directory / ("far_" + far.name + "_total.csv"), totals);
    });
  }
}

}  // namespace dgtd::app
