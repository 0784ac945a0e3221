#include "app/problems/physics_checks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <string>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/base/log.hpp"
#include "dgtd/base/units.hpp"

namespace dgtd::app {

namespace {

using config::Source;
using SourceType = Source::Type;

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
  check_dipoles_of_far_field(c, f);
}

// Whether a medium takes up a noticeable part of a wave: loss tangent above a hundredth.
bool is_lossy(const physics::Medium& m, double frequency) {
  if (m.perfect_conductor) return false;
  const auto eps = physics::permittivity(m, 2 * pi * frequency);
  return std::abs(eps.imag()) > 0.01 * std::abs(eps.real());
}

// A source in a lumped resistor has other media beside it; one that a body has swallowed has losses all round.
bool is_swallowed(const Source& s, const GridScene& scene) {
  const grid::Setup& setup = scene.setup;
  const auto is_lossy_at = [&](const Vec3& x) {
    const int material = scene.media->material_at(x);
    return material > 0 && is_lossy(setup.materials[static_cast<std::size_t>(material)], s.waveform.frequency);
  };
  bool lossy = is_lossy_at(s.position);
  for (int a = 0; a < setup.axes; ++a)
    for (const double sign : {-1.5, 1.5}) {
      Vec3 beside = s.position;
      beside[a] += sign * setup.grid.spacing[a][static_cast<std::size_t>(setup.grid.cell_at(a, s.position[a]))];
      lossy = lossy && is_lossy_at(beside);
    }
  return lossy;
}

}  // namespace

void check_dipoles_of_far_field(const config::Case& c, const physics::FarField& f) {
  const auto inside = [&](const Source& s) {
    for (int a = 0; a < 3; ++a)
      if (std::abs(s.position[a] - f.centre[a]) > 0.5 * f.size[a]) return false;
    return true;
  };
  const auto dipole = [](const Source& s) { return s.type == SourceType::dipole || s.type == SourceType::hard; };
  if (!c.sources.empty() &&
      std::all_of(c.sources.begin(), c.sources.end(), [&](const Source& s) { return dipole(s) && !inside(s); }))
    log::warn("{}: far_field.{}: no source is inside the box: the far field is only what bodies in the box scatter",
              f.origin, f.name);
}

void tell_mirrors(const std::string& section, const std::vector<std::string>& mirrors, bool is_box) {
  if (mirrors.empty()) return;
  log::info("{}: {} at the mirror{} {}{}", section, is_box ? "the box ends" : "ends", mirrors.size() > 1 ? "s" : "",
            fmt::join(mirrors, ", "), is_box ? ", through which nothing flows" : "");
}

void check_poles(const config::Case& c) {
  for (const auto& m : c.materials) physics::check_critical_points(m.name, m);
  const auto band = config::band_in_use(c);
  if (!band) return;
  for (const auto& m : c.materials)
    if (!m.poles.empty()) physics::check_passive(m.name, m, 2 * pi * band->lowest, 2 * pi * band->highest);
}

void check_grid_sources(const config::Case& c, const GridScene& scene) {
  const grid::Setup& setup = scene.setup;
  check_layers(setup);
  for (const Source& s : c.sources) {
    if (s.type != SourceType::dipole && s.type != SourceType::hard) continue;
    bool outside = false;  // an error of its own, where sources are made
    for (int a = 0; a < setup.axes; ++a)
      outside = outside || s.position[a] < setup.grid.nodes(a).front() || s.position[a] > setup.grid.nodes(a).back();
    if (outside) continue;
    const char* const what = s.type == SourceType::dipole ? "dipole" : "hard source";
    if (int side = 0; in_layer(setup, s.position, side))
      throw Error(fmt::format(
          "{}: source.{}: the {} is in the absorbing layer at {}{}, where fields are not those of the "
          "medium; it must be {} cells from the grid's end at least",
          s.origin, s.name, what, "xyz"[side / 2], side % 2 == 0 ? "min" : "max", setup.cells_of_layer(side)));
    const config::Material& material = scene.materials[static_cast<std::size_t>(scene.media->material_at(s.position))];
    if (material.perfect_conductor)
      throw Error(fmt::format("{}: source.{}: the {} is inside a perfect conductor, where there is no field", s.origin,
                              s.name, what));
    if (is_swallowed(s, scene))
      log::warn(
          "{}: source.{}: the {} is inside of {}, which has losses ({:.3g} S/m at {}): what it emits includes those "
          "beside it, which depend on the size of the cells",
          s.origin, s.name, what, material.name, physics::conductivity(material, 2 * pi * s.waveform.frequency),
          units::frequency_text(s.waveform.frequency));
  }
  for (const auto& f : c.far_fields) check_far_field_box(f, c, setup);
}

// A dipole adds dt moment / (eps0 volume) to E in a step. Precisions hold more, but resonances and squares need a
// margin.
void check_strengths(const config::Case& c, double time_step, double volume) {
  const bool sar = std::any_of(c.materials.begin(), c.materials.end(), [](const auto& m) { return m.density > 0; });
  const bool is_double = c.solver.precision == config::Precision::double_precision;
  const double most = sar ? 1e18 : is_double ? 1e140 : 1e30;  // V/m
  for (const Source& s : c.sources) {
    const bool dipole = s.type == SourceType::dipole;
    const double electric = std::abs(dipole ? s.moment * time_step / (vacuum_permittivity * volume) : s.amplitude);
    if (electric <= most) continue;
    throw Error(
        fmt::format("{}: source.{}: {} = {} {} makes fields of more than {:.0e} V/m, which {}; fields are proportional "
                    "to it: use a smaller one",
                    s.origin, s.name, dipole ? "moment" : "amplitude", dipole ? s.moment : s.amplitude,
                    dipole ? "A m" : "V/m", most,
                    sar ? "SAR cannot be computed of"
                        : fmt::format("precision = {} cannot hold", config::name_of(c.solver.precision))));
  }
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
