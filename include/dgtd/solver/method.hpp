#pragma once
// A numerical method under the name that case files give it, with what it can compute.
#include <string>
#include <string_view>

namespace dgtd::app {
struct Problem;
struct ProblemRequest;
}  // namespace dgtd::app
namespace dgtd::config {
struct Case;
}  // namespace dgtd::config

namespace dgtd::solver {

/// Every key of a case file, and every choice of a key, names the capabilities that it requires
/// (src/config/keys_*.cpp). Which keys a method refuses, and which methods a message or a document lists, follow from
/// these values alone.
struct Capabilities {
  /// Axes along which the fields vary: the first of x, y and z. Along the others a grid has one cell, quantities are
  /// those of a metre, and what the case gives for lengths and places there is ignored.
  int dimensions = 3;

  // Domain of the fields: elements of a mesh of tetrahedra, else cells of a Cartesian grid.
  bool tetrahedra = false;
  bool varying_cells = false;  // of a grid: spacings that change along an axis, refinements

  // Media.
  bool dispersion = false;
  bool magnetic_conductivity = false;
  bool perfect_conductors = false;   // volumes
  bool permittivity_arrays = false;  // values of cells from a file

  // Sides.
  bool absorbing_faces = false;   // Silver-Mueller condition
  bool absorbing_elements = false;  // layers of elements that the program adds
  bool absorbing_layers = false;  // convolutional perfectly matched layers
  bool adiabatic_layers = false;  // conductivity that rises slowly
  bool mur = false;
  bool periodic = false;
  bool bloch = false;

  // Sources and initial fields. All methods have dipoles.
  bool plane_wave = false;
  bool total_field_box = false;
  bool line_dipole = false;
  bool sheet = false;
  bool gaussian_beam = false;
  bool hard_source = false;
  bool ports = false;        // lumped ones
  bool guide_ports = false;  // across guides of perfect conductors
  bool mode_ports = false;   // across guides of any materials
  bool cavity_mode = false;
  bool initial_formula = false;
  bool initial_file = false;

  // Results. All methods have energies and probes.
  bool every_step = true;  // fields at any step: snapshots, Fourier transforms, checkpoints; else at both ends only
  bool powers = false;     // balance of powers, specific absorption rate
  bool spectra = false;    // of fluxes, and of fields in regions
  bool far_field = false;

  // Ways to compute.
  bool polarisation = false;    // E along the missing axis, in the plane, or both
  bool half_precision = false;  // of fields in memory
  bool on_cpu = true;           // computes on CPUs
  bool on_cuda = true;          // computes on CUDA devices
  bool split_kernels = true;    // the parts of a step one after the other
  bool subdomains = false;      // of a line
  bool potentials = false;      // a Hertzian potential in place of E and H
  bool local_steps = false;     // small elements take more steps than large ones

  bool operator==(const Capabilities&) const = default;
};

struct Method {
  std::string_view name;  // of a literal; BASE-NAME reproduces a paper with the scheme of method BASE (base_name)
  Capabilities has;
  /// Makes the solver, and what observers and results need, of a case. Collective.
  app::Problem (*make)(const app::ProblemRequest&) = nullptr;
  /// Returns why the method cannot compute a case that its capabilities allow, as the end of a message; empty: it can.
  /// Null: the capabilities say everything.
  std::string (*check)(const config::Case&) = nullptr;

  bool operator==(const Method&) const = default;
};

/// The method whose scheme a reproduction uses, else the method itself: "fdtd2d" for "fdtd2d-scalar".
constexpr std::string_view base_name(std::string_view method) { return method.substr(0, method.find('-')); }

}  // namespace dgtd::solver
