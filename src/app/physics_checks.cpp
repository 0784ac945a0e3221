#include "physics_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <string>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/base/log.hpp"
#include "dgtd/base/units.hpp"

namespace dgtd::app {

namespace {

using config::Source;
using Type = Source::Type;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double least_steps = 4, few_steps = 10;  // per period

// Hz, the highest frequency in which the case is interested; 0: none.
double frequency_of_interest(const config::Case& c) {
  double highest = 0;
  const auto use = [&](const std::vector<double>& list) {
    for (const double f : list) highest = std::max(highest, f);
  };
  for (const Source& s : c.sources) highest = std::max(highest, s.waveform.frequency);
  use(c.dft.frequencies);
  for (const auto& f : c.fluxes) use(f.frequencies);
  for (const auto& m : c.monitors) use(m.frequencies);
  for (const auto& f : c.far_fields) use(f.frequencies);
  return highest;
}

// Hz, the lowest carrier: what a case cannot do without. 0: there are no sources.
double lowest_carrier(const config::Case& c) {
  double lowest = infinity;
  for (const Source& s : c.sources) lowest = std::min(lowest, s.waveform.frequency);
  return std::isfinite(lowest) ? lowest : 0;
}

// m, of a plane wave; infinite where waves do not propagate (metals, good conductors), which no cell resolves.
double wavelength(const config::Material& m, double frequency) {
  if (m.perfect_conductor) return infinity;
  const auto eps = physics::permittivity(m, 2 * pi * frequency);
  if (eps.real() <= 0 || std::abs(eps.imag()) > 3 * eps.real()) return infinity;
  return speed_of_light / frequency / std::sqrt(eps * m.permeability).real();
}

void check_steps(double frequency, double carrier, double time_step) {
  if (carrier > 0 && 1 / (carrier * time_step) < least_steps)
    throw Error(
        fmt::format("a period of {:.6g} Hz has {:.2g} time steps of {}, and it needs {} at least: the domain "
                    "is too coarse for this frequency",
                    carrier, 1 / (carrier * time_step), units::time_text(time_step), least_steps));
  if (frequency > 0 && 1 / (frequency * time_step) < few_steps)
    log::warn("a period of {:.6g} Hz has {:.2g} time steps; below {} results are inaccurate", frequency,
              1 / (frequency * time_step), few_steps);
}

bool in_layer(const grid::Setup& setup, const Vec3& x, int& side) {
  for (int a = 0; a < setup.axes; ++a) {
    const std::int64_t node = setup.grid.nearest_node(a, x[a]);
    const std::int64_t low = setup.cells_of_layer(2 * a), high = setup.cells_of_layer(2 * a + 1);
    side = 2 * a;
    if (node < low) return true;
    side = 2 * a + 1;
    if (node > setup.grid.cells(a) - high) return true;
  }
  return false;
}

void check_layers(const grid::Setup& setup) {
  for (int a = 0; a < setup.axes; ++a) {
    const std::int64_t layers = setup.cells_of_layer(2 * a) + setup.cells_of_layer(2 * a + 1);
    const bool adiabatic = setup.sides[2 * a] == physics::BoundaryKind::adiabatic ||
                           setup.sides[2 * a + 1] == physics::BoundaryKind::adiabatic;
    if (layers > 0 && setup.grid.cells(a) <= layers)
      throw Error(
          fmt::format("{}: the absorbing layers fill the grid along {}, which has {} cells; it needs more than {}",
                      adiabatic ? "boundary.*.length" : fmt::format("grid.pml = {}", setup.layer_cells), "xyz"[a],
                      setup.grid.cells(a), layers));
  }
}

void check_far_field_box(const physics::FarField& f, const config::Case& c, const grid::Setup& setup) {
  int side = 0;
  for (const double sign : {-0.5, 0.5})
    if (const Vec3 corner = f.centre + sign * f.size; in_layer(setup, corner, side)) {
      log::warn("{}: far_field.{}: the box meets the absorbing layer at {}{}, where fields are damped", f.origin,
                f.name, "xyz"[side / 2], side % 2 == 0 ? "min" : "max");
      break;
    }
  const auto inside = [&](const Source& s) {
    for (int a = 0; a < 3; ++a)
      if (std::abs(s.position[a] - f.centre[a]) > 0.5 * f.size[a]) return false;
    return true;
  };
  const auto dipole = [](const Source& s) { return s.type == Type::dipole || s.type == Type::hard; };
  if (!c.sources.empty() &&
      std::all_of(c.sources.begin(), c.sources.end(), [&](const Source& s) { return dipole(s) && !inside(s); }))
    log::warn("{}: far_field.{}: no source is inside the box: the far field is only what bodies in the box scatter",
              f.origin, f.name);
}

// Lengths of cells (or edges over the order) in wavelengths, means weighted by volume.
class Resolution {
 public:
  Resolution(const std::vector<config::Material>& materials, double frequency, double carrier)
      : materials_(materials),
        frequency_(frequency),
        carrier_(carrier),
        sum_(materials.size()),
        volume_(materials.size()) {
    for (const auto& m : materials) {
      of_interest_.push_back(wavelength(m, frequency));
      of_carrier_.push_back(carrier > 0 ? wavelength(m, carrier) : infinity);
    }
  }

  void add(std::size_t material, double length, double volume) {
    sum_[material] += volume * length / of_interest_[material];
    volume_[material] += volume;
    carrier_sum_ += volume * length / of_carrier_[material];
  }
  /// Collective.
  void sum_over(const parallel::Communicator& comm) {
    sum_ = comm.sum(std::move(sum_));
    volume_ = comm.sum(std::move(volume_));
    carrier_sum_ = comm.sum(carrier_sum_);
  }

  /// needed: on average of all materials, at the lowest carrier; wanted: in each material, at the frequency of
  /// interest.
  void check(double needed, double wanted, const char* what, const char* remedy) const {
    double volume = 0;
    for (const double v : volume_) volume += v;
    if (const double mean = volume / carrier_sum_; mean < needed)
      throw Error(
          fmt::format("waves of {:.6g} Hz have {:.2g} {} per wavelength on average, and they need {} at least; {}",
                      carrier_, mean, what, needed, remedy));
    std::string poor;
    for (std::size_t m = 0; m < materials_.size(); ++m)
      if (const double here = volume_[m] / sum_[m]; here < wanted)
        poor += poor.empty() ? fmt::format("{:.2g} {} per wavelength in {}", here, what, materials_[m].name)
                             : fmt::format(", {:.2g} in {}", here, materials_[m].name);
    if (!poor.empty())
      log::warn("waves of {:.6g} Hz have {}; below {} results are inaccurate; {}", frequency_, poor, wanted, remedy);
  }

 private:
  const std::vector<config::Material>& materials_;
  double frequency_, carrier_;                    // Hz
  std::vector<double> of_interest_, of_carrier_;  // [materials] wavelengths, m
  std::vector<double> sum_, volume_;              // [materials]
  double carrier_sum_ = 0;
};

}  // namespace

void check_poles(const config::Case& c) {
  const auto band = config::band_in_use(c);
  if (!band) return;
  for (const auto& m : c.materials)
    if (!m.poles.empty()) physics::check_passive(m.name, m, 2 * pi * band->lowest, 2 * pi * band->highest);
}

void check_grid_sources(const config::Case& c, const grid::Setup& setup, const grid::Media& media) {
  check_layers(setup);
  for (const Source& s : c.sources) {
    if (s.type != Type::dipole && s.type != Type::hard) continue;
    bool outside = false;  // an error of its own, where sources are made
    for (int a = 0; a < setup.axes; ++a)
      outside = outside || s.position[a] < setup.grid.nodes(a).front() || s.position[a] > setup.grid.nodes(a).back();
    if (outside) continue;
    const char* const what = s.type == Type::dipole ? "dipole" : "hard source";
    if (int side = 0; in_layer(setup, s.position, side))
      throw Error(fmt::format(
          "{}: source.{}: the {} is in the absorbing layer at {}{}, where fields are not those of the "
          "medium; it must be {} cells from the grid's end at least",
          s.origin, s.name, what, "xyz"[side / 2], side % 2 == 0 ? "min" : "max", setup.cells_of_layer(side)));
    if (setup.materials[static_cast<std::size_t>(media.material_at(s.position))].perfect_conductor)
      throw Error(fmt::format("{}: source.{}: the {} is inside a perfect conductor, where there is no field", s.origin,
                              s.name, what));
  }
  for (const auto& f : c.far_fields) check_far_field_box(f, c, setup);
}

void check_grid_resolution(const config::Case& c, const grid::Setup& setup, const grid::Media& media,
                           const std::vector<config::Material>& materials, double time_step) {
  const double frequency = frequency_of_interest(c), carrier = lowest_carrier(c);
  if (frequency == 0) return;
  constexpr std::int64_t samples = 64;  // along an axis
  std::array<std::int64_t, 3> every{};
  std::array<std::vector<double>, 3> x;
  for (int a = 0; a < 3; ++a) {
    every[a] = std::max<std::int64_t>(1, setup.grid.cells(a) / samples);
    x[a] = setup.grid.nodes(a);
  }
  Resolution resolution(materials, frequency, carrier);
  for (std::int64_t k = every[2] / 2; k < setup.grid.cells(2); k += every[2])
    for (std::int64_t j = every[1] / 2; j < setup.grid.cells(1); j += every[1])
      for (std::int64_t i = every[0] / 2; i < setup.grid.cells(0); i += every[0]) {
        const std::array<std::int64_t, 3> cell{i, j, k};
        Vec3 centre;
        double length = 0, volume = 1;
        for (int a = 0; a < 3; ++a) {
          const auto n = static_cast<std::size_t>(cell[a]);
          centre[a] = 0.5 * (x[a][n] + x[a][n + 1]);
          if (a >= setup.axes) continue;
          length = std::max(length, setup.grid.spacing[a][n]);
          volume *= setup.grid.spacing[a][n];
        }
        resolution.add(static_cast<std::size_t>(media.material_at(centre)), length, volume);
      }
  resolution.check(2, 6, "cells", "a smaller grid.spacing is needed");
  check_steps(frequency, carrier, time_step);
}

void check_mesh_resolution(const config::Case& c, const mesh::Subdomain& mesh,
                           const std::vector<config::Material>& materials, double time_step,
                           const parallel::Communicator& comm) {
  const double frequency = frequency_of_interest(c), carrier = lowest_carrier(c);
  if (frequency == 0) return;
  Resolution resolution(materials, frequency, carrier);
  for (std::size_t e = 0; e < mesh.elements(); ++e) {
    double sum = 0;
    for (const auto& [a, b] : mesh::edge_corners) sum += norm(mesh.vertex(e, a) - mesh.vertex(e, b));
    resolution.add(mesh.element_group[e], sum / (6 * c.solver.order), mesh.tetrahedron(e).volume());
  }
  resolution.sum_over(comm);
  resolution.check(1, 3, "elements times order", "smaller elements or a higher solver.order are needed");
  check_steps(frequency, carrier, time_step);
}

void check_length(const config::Case& c, const TimePlan& plan) {
  const double end = double(plan.steps) * plan.time_step;
  for (const Source& s : c.sources) {
    if (s.waveform.type != physics::Waveform::Type::modulated_gaussian) continue;
    const double over = 8 * physics::shape_of(s.waveform).spread;  // its envelope is 1.1 % of the peak
    if (end < over)
      log::warn("{}: source.{}: the pulse is over at {}, and the run ends at {}", s.origin, s.name,
                units::time_text(over), units::time_text(end));
  }
}

}  // namespace dgtd::app
