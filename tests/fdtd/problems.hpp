#pragma once
// Grids with everything at once, for comparisons of backends, schedules and numbers of ranks.
#include "fdtd/grid_problem.hpp"

namespace dgtd::fdtd {

inline physics::Waveform pulse(double frequency) {
  return {physics::Waveform::Type::modulated_gaussian, frequency, 2, frequency};
}

/// A plane wave at an angle on gold beside a magnetic dielectric with losses, in absorbing layers that the gold
/// touches, on a graded grid.
inline GridProblem scattering_problem() {
  GridProblem p;
  const double h = 4e-9;
  p.setup.grid = uniform_grid(45, 37, 41, h, {-0.08e-6, -0.07e-6, -0.08e-6});
  for (int i = 20; i < 30; ++i) p.setup.grid.spacing[1][i] = 0.8 * h;
  p.setup.sides.fill(physics::BoundaryKind::cpml);
  p.setup.layer_cells = 6;
  p.setup.materials = {physics::Medium{}, physics::Medium{1, 1, 0, 0, physics::gold_poles()},
                       physics::Medium{4, 2, 1e3, 2e7, {}},
                       physics::Medium{2,
                                       1,
                                       10,
                                       0,
                                       {{physics::Pole::Type::debye, 3, 0, 0, 1e-15},
                                        {physics::Pole::Type::critical_point, 0.5, 3e15, 2e15, 0, -0.1}}}};
  using Type = grid::Shape::Type;
  p.bodies = {{.type = Type::sphere, .centre = {0, 0, 0}, .radius = 20e-9, .material = 1},
              {.type = Type::box, .centre = {0.03e-6, 0, 0}, .size = {20e-9, 30e-9, 24e-9}, .material = 2},
              {.type = Type::cylinder,
               .centre = {-0.08e-6, 0, 0.03e-6},
               .radius = 9e-9,
               .axis = {1, 0, 0},
               .height = 60e-9,
               .material = 1},
              {.type = Type::sphere, .centre = {0, 0.02e-6, -0.03e-6}, .radius = 11e-9, .material = 3}};
  physics::Source wave;
  wave.type = physics::Source::Type::plane_wave;
  wave.name = "wave";
  wave.direction = {0.6, 0, 0.8};
  wave.polarisation = {0.8, 0, -0.6};
  wave.waveform = pulse(6e14);
  wave.box_min = Vec3{-0.05e-6, -0.04e-6, -0.05e-6};
  wave.box_max = Vec3{0.05e-6, 0.03e-6, 0.05e-6};
  physics::Source dipole;
  dipole.name = "dipole";
  dipole.position = {0.031e-6, 0.011e-6, -0.013e-6};
  dipole.direction = {0, 0.6, 0.8};
  dipole.moment = 1e-9;
  dipole.waveform = pulse(6e14);
  p.sources = {wave, dipole};
  physics::Flux flux;
  flux.name = "flux";
  flux.size = {0.06e-6, 0.05e-6, 0.055e-6};
  flux.frequencies = {4e14, 6e14};
  p.fluxes = {flux};
  return p;
}

/// A problem without poles, for fields in half precision.
inline GridProblem poles_removed(GridProblem problem) {
  for (physics::Medium& material : problem.setup.materials) material.poles.clear();
  return problem;
}

/// The same in adiabatic absorbers along x and y, and absorbing layers along z.
inline GridProblem adiabatic_problem() {
  GridProblem p = scattering_problem();
  const double h = 4e-9;
  for (int side = 0; side < 4; ++side) {
    p.setup.sides[side] = physics::BoundaryKind::adiabatic;
    p.setup.adiabatic[static_cast<std::size_t>(side)] = {(6 + side) * h, 2, 1e-3};
  }
  return p;
}

/// A dipole between magnetic and electric walls, periodic along y.
inline GridProblem walls_problem() {
  GridProblem p;
  p.setup.grid = uniform_grid(33, 18, 25, 0.01);
  p.setup.sides = {physics::BoundaryKind::pmc,      physics::BoundaryKind::pec,  physics::BoundaryKind::periodic,
                   physics::BoundaryKind::periodic, physics::BoundaryKind::cpml, physics::BoundaryKind::pmc};
  p.setup.layer_cells = 5;
  physics::Source dipole;
  dipole.name = "dipole";
  dipole.position = {0.15, 0.17, 0.12};
  dipole.direction = {0, 0.6, 0.8};
  dipole.waveform = pulse(2e9);
  p.sources = {dipole};
  return p;
}

/// A port across many cells, and one with a series circuit that it drives, between walls.
inline GridProblem ports_problem() {
  GridProblem p = walls_problem();
  p.setup.sides[2] = p.setup.sides[3] = physics::BoundaryKind::pmc;
  p.sources.clear();
  physics::Port feed;
  feed.name = "feed";
  feed.centre = {0.16, 0.09, 0.12};
  feed.size = {0.14, 0.1, 0.16};
  feed.direction = {0, 0, 1};
  feed.excite = 1;
  feed.waveform = pulse(2e9);
  physics::Port load = feed;
  load.name = "load";
  load.excite = 0;
  load.centre = {0.3, 0.09, 0.14};
  load.size = {0, 0.18, 0.12};
  load.inductance = 5e-9, load.capacitance = 1e-12;
  p.ports = {feed, load};
  return p;
}

/// A dipole beside a dielectric in a cell with Bloch phases along two axes.
inline GridProblem bloch_problem() {
  GridProblem p = walls_problem();
  p.setup.sides = {physics::BoundaryKind::periodic, physics::BoundaryKind::periodic, physics::BoundaryKind::periodic,
                   physics::BoundaryKind::periodic, physics::BoundaryKind::cpml,     physics::BoundaryKind::pmc};
  p.setup.bloch_phase = {0.9, -2.3, 0};
  p.setup.materials = {physics::Medium{}, physics::Medium{4, 1, 0, 0, {}}};
  p.bodies = {{.type = grid::Shape::Type::sphere, .centre = {0.3, 0.02, 0.12}, .radius = 0.06, .material = 1}};
  return p;
}

/// A line dipole beside metal between walls of type mur, on a graded grid.
inline GridProblem mur_problem() {
  GridProblem p;
  p.setup.grid = uniform_grid(19, 21, 23, 0.01);
  p.setup.grid.spacing[0].front() = 0.013;
  p.setup.sides.fill(physics::BoundaryKind::mur);
  p.setup.materials = {physics::Medium{}, physics::Medium{1, 1, 0, 0, {}, true}};
  p.bodies = {{.type = grid::Shape::Type::box, .centre = {0.06, 0.1, 0.1}, .size = {0.04, 0.04, 0.04}, .material = 1}};
  physics::Source dipole;
  dipole.name = "dipole";
  dipole.position = {0.113, 0.117, 0.12};
  dipole.direction = {0, 1, 0};
  dipole.length = 0.047;
  dipole.waveform = pulse(2e9);
  p.sources = {dipole};
  return p;
}

/// A sheet to one side and a beam at an angle the other way, between a magnetic wall and absorbing layers.
inline GridProblem beams_problem() {
  GridProblem p;
  p.setup.grid = uniform_grid(40, 36, 33, 0.01);
  p.setup.sides = {physics::BoundaryKind::pmc,      physics::BoundaryKind::pmc,  physics::BoundaryKind::periodic,
                   physics::BoundaryKind::periodic, physics::BoundaryKind::cpml, physics::BoundaryKind::cpml};
  p.setup.layer_cells = 6;
  physics::Source sheet;
  sheet.type = physics::Source::Type::sheet;
  sheet.name = "sheet";
  sheet.centre = {0.17, 0.2, 0.14};
  sheet.size = {0.123, 0.087, 0};
  sheet.direction = {0, 0, -1};
  sheet.polarisation = {0.6, 0.8, 0};
  sheet.waveform = pulse(2e9);
  physics::Source beam;
  beam.type = physics::Source::Type::gaussian_beam;
  beam.name = "beam";
  beam.direction = {0, 0.6, 0.8};
  beam.polarisation = {0, 0.8, -0.6};
  beam.waist = 0.08;
  beam.focus = {0.2, 0.2, 0.2};
  beam.waveform = pulse(2e9);
  p.sources = {sheet, beam};
  return p;
}

constexpr double beyond = 1e9;  // m, along axes that a grid does not have

/// A plane wave with all components at an angle on gold and a dielectric, on a graded plane grid of nx x ny cells.
inline GridProblem flat_scattering_problem(int nx, int ny) {
  const double h = 4e-9;
  GridProblem p = flat_problem(nx, ny, h, {-0.5 * nx * h, -0.5 * ny * h, 0});
  for (int i = nx / 2; i < nx / 2 + 10; ++i) p.setup.grid.spacing[0][i] = 0.8 * h;
  p.setup.layer_cells = 6;
  p.setup.materials = {physics::Medium{}, physics::Medium{1, 1, 0, 0, physics::gold_poles()},
                       physics::Medium{4, 2, 1e3, 2e7, {}}};
  using Type = grid::Shape::Type;
  p.bodies = {{.type = Type::cylinder,
               .centre = {0, 0, 0},
               .radius = 20e-9,
               .axis = {0, 0, 1},
               .height = beyond,
               .material = 1},
              {.type = Type::box, .centre = {0.03e-6, 0.02e-6, 0}, .size = {20e-9, 30e-9, beyond}, .material = 2}};
  physics::Source wave;
  wave.type = physics::Source::Type::plane_wave;
  wave.name = "wave";
  wave.direction = {0.6, 0.8, 0};
  wave.polarisation = {0.64, -0.48, 0.6};
  wave.waveform = pulse(6e14);
  p.sources = {wave};
  return p;
}

/// A hard source, a line current and one in the plane between walls of all kinds but periodic ones.
inline GridProblem flat_walls_problem() {
  GridProblem p = flat_problem(70, 21, 0.01);
  p.setup.sides = {physics::BoundaryKind::mur, physics::BoundaryKind::pmc,      physics::BoundaryKind::pec,
                   physics::BoundaryKind::mur, physics::BoundaryKind::periodic, physics::BoundaryKind::periodic};
  physics::Source line;
  line.name = "line";
  line.position = {0.313, 0.117, 0};
  line.direction = {0.6, 0, 0.8};
  line.waveform = pulse(2e9);
  physics::Source hard;
  hard.type = physics::Source::Type::hard;
  hard.name = "hard";
  hard.position = {0.32, 0.08, 0};
  hard.direction = {0, 0, 1};
  hard.waveform = pulse(2e9);
  p.sources = {line, hard};
  return p;
}

/// A slab beside a hard source on a line.
inline GridProblem line_problem() {
  GridProblem p = flat_problem(200, 1, 0.01);
  p.setup.materials = {physics::Medium{}, physics::Medium{4, 1, 0.01, 0, {}}};
  p.bodies = {{.type = grid::Shape::Type::box, .centre = {1.2, 0, 0}, .size = {0.3, beyond, beyond}, .material = 1}};
  physics::Source hard;
  hard.type = physics::Source::Type::hard;
  hard.name = "hard";
  hard.position = {0.64, 0, 0};
  hard.direction = {0, 1, 0};
  hard.waveform = pulse(2e9);
  p.sources = {hard};
  return p;
}

/// A plane, nothing varies along z: a plane wave at an angle and two currents beside a magnetic dielectric with losses,
/// graded, wider than a strip of a pass (kernels/plane_temporal_blocking.hpp), with absorbing layers or between walls.
inline GridProblem plane_problem(PlaneFields fields, bool layers) {
  GridProblem p;
  const bool ez = fields == PlaneFields::ez;
  p.setup.axes = 2;
  p.setup.grid = uniform_grid(263, 90, 1, 0.01, {-1.315, -0.45, -0.005});
  for (int i = 100; i < 130; ++i) p.setup.grid.spacing[0][i] = 0.008;
  p.setup.sides.fill(physics::BoundaryKind::cpml);
  if (!layers)
    p.setup.sides = {physics::BoundaryKind::pec, physics::BoundaryKind::pmc, physics::BoundaryKind::pmc,
                     physics::BoundaryKind::pec, physics::BoundaryKind::pec, physics::BoundaryKind::pec};
  p.setup.sides[4] = p.setup.sides[5] = physics::BoundaryKind::periodic;
  p.setup.layer_cells = 7;
  p.setup.materials = {physics::Medium{}, physics::Medium{4, 2, 1e-2, 2e2, {}}, physics::Medium{3, 1, 0, 0, {}}};
  p.bodies = {
      {.type = grid::Shape::Type::cylinder, .centre = {-0.1, 0.05, 0}, .radius = 0.21, .height = 1, .material = 1},
      {.type = grid::Shape::Type::box, .centre = {1.2, 0, 0}, .size = {0.5, 0.3, 1}, .material = 2}};
  physics::Source wave;
  wave.type = physics::Source::Type::plane_wave;
  wave.name = "wave";
  wave.direction = {0.6, 0.8, 0};
  wave.polarisation = ez ? Vec3{0, 0, 1} : Vec3{-0.8, 0.6, 0};
  wave.waveform = pulse(1e9);
  wave.box_min = Vec3{-0.6, -0.33, -1e9};
  wave.box_max = Vec3{0.7, 0.35, 1e9};
  physics::Source dipole;
  dipole.name = "dipole";
  dipole.direction = ez ? Vec3{0, 0, 1} : Vec3{0.6, 0.8, 0};
  dipole.waveform = pulse(1e9);
  dipole.position = {-0.101, 0.033, 0};
  p.sources = {wave, dipole, dipole};
  p.sources[2].position = {0.0, 0.1, 0};
  physics::Flux flux;
  flux.name = "flux";
  flux.size = {1, 0.5, 1e9};
  flux.frequencies = {1e9};
  p.fluxes = {flux};
  return p;
}

}  // namespace dgtd::fdtd
