#include "app/problems/methods.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>

#include "dgtd/config/method_checks.hpp"

namespace dgtd::app {
namespace {

using solver::Capabilities;

// Yee's scheme in so many dimensions.
constexpr Capabilities yee(int dimensions) {
  Capabilities has;
  has.dimensions = dimensions;
  has.varying_cells = has.dispersion = has.magnetic_conductivity = has.perfect_conductors = true;
  has.permittivity_arrays = true;
  has.absorbing_layers = has.adiabatic_layers = has.mur = has.periodic = has.bloch = true;
  has.plane_wave = has.total_field_box = has.line_dipole = has.sheet = has.hard_source = true;
  has.gaussian_beam = has.far_field = has.ports = has.guide_ports = has.mode_ports = dimensions == 3;
  has.cavity_mode = dimensions > 1;
  has.initial_formula = true;
  has.initial_file = has.polarisation = dimensions < 3;
  has.powers = has.spectra = true;
  has.half_precision = dimensions == 3;
  return has;
}

// Half steps of a plane of one medium by other means, on one kind of device.
constexpr Capabilities uniform_plane(bool on_cuda) {
  Capabilities has = yee(2);
  has.varying_cells = has.dispersion = false;
  has.on_cuda = on_cuda;
  has.on_cpu = !on_cuda;
  return has;
}

// A line whose parts are solved one by one, each over all steps.
constexpr Capabilities line_in_subdomains() {
  Capabilities has = yee(1);
  has.subdomains = true;
  has.every_step = has.split_kernels = has.dispersion = false;
  has.adiabatic_layers = has.mur = has.periodic = has.bloch = false;
  has.hard_source = has.initial_formula = has.initial_file = false;
  has.powers = has.spectra = false;
  return has;
}

constexpr solver::Method registry[] = {
    // Discontinuous Galerkin on tetrahedra.
    {"dgtd",
     {.tetrahedra = true,
      .dispersion = true,
      .perfect_conductors = true,
      .absorbing_faces = true,
      .absorbing_elements = true,
      .periodic = true,
      .bloch = true,
      .plane_wave = true,
      .total_field_box = true,
      .line_dipole = true,
      .sheet = true,
      .gaussian_beam = true,
      .ports = true,
      .guide_ports = true,
      .mode_ports = true,
      .cavity_mode = true,
      .powers = true,
      .spectra = true,
      .far_field = true,
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
    // Reproductions of papers.
    {"fdtd2d-cublas-vector", uniform_plane(true), make_cublas_vector, config::check_uniform_plane},
    {"fdtd2d-cublas-matrix", uniform_plane(true), make_cublas_matrix, config::check_uniform_plane},
    {"fdtd2d-scalar", uniform_plane(false), make_scalar, config::check_uniform_plane},
    {"fdtd1d-subdomains", line_in_subdomains(), make_line, config::check_ez_alone},
};

}  // namespace

std::span<const solver::Method> methods() { return registry; }

const solver::Method& method(std::string_view name) {
  const auto found =
      std::find_if(std::begin(registry), std::end(registry), [&](const auto& m) { return m.name == name; });
  assert(found != std::end(registry));
  return *found;
}

Problem make_problem(const ProblemRequest& request) { return request.c.solver.method.make(request); }

}  // namespace dgtd::app
