#include "methods.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>

namespace dgtd::app {
namespace {

using solver::Capabilities;

// Yee's scheme in so many dimensions.
constexpr Capabilities yee(int dimensions) {
  Capabilities has;
  has.dimensions = dimensions;
  has.varying_cells = has.dispersion = has.magnetic_conductivity = has.perfect_conductors = true;
  has.absorbing_layers = has.adiabatic_layers = has.mur = has.periodic = has.bloch = true;
  has.plane_wave = has.total_field_box = has.line_dipole = has.sheet = has.hard_source = true;
  has.gaussian_beam = has.far_field = dimensions == 3;
  has.cavity_mode = dimensions > 1;
  has.initial_formula = true;
  has.initial_file = has.polarisation = dimensions < 3;
  has.powers = has.spectra = true;
  has.half_precision = dimensions == 3;
  has.variants = dimensions == 2;
  has.subdomains = dimensions == 1;
  return has;
}

constexpr solver::Method registry[] = {
    // Discontinuous Galerkin on tetrahedra.
    {"dgtd",
     {.tetrahedra = true,
      .absorbing_faces = true,
      .plane_wave = true,
      .cavity_mode = true,
      .powers = true,
      .local_steps = true},
     make_dg},
    {"fdtd3d", yee(3), make_fdtd},
    {"fdtd2d", yee(2), make_fdtd},
    {"fdtd1d", yee(1), make_fdtd},
    // A Hertzian potential in a plane.
    {"hpf2d",
     {.dimensions = 2,
      .perfect_conductors = true,
      .mur = true,
      .periodic = true,
      .line_dipole = true,
      .sheet = true,
      .potentials = true},
     make_hertz},
};

}  // namespace

std::span<const solver::Method> methods() { return registry; }

const solver::Method& method(std::string_view name) {
  const auto found =
      std::find_if(std::begin(registry), std::end(registry), [&](const auto& m) { return m.name == name; });
  assert(found != std::end(registry));
  return *found;
}

Problem make_problem(const ProblemRequest& request) {
  return request.c.solver.subdomains ? make_line(request) : request.c.solver.method.make(request);
}

}  // namespace dgtd::app
