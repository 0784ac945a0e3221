#pragma once
// Problems that passes of several steps over a volume grid serve.
#include <random>

#include "dgtd/fdtd/kernels/volume_view.hpp"
#include "fdtd/problems.hpp"

namespace dgtd::fdtd {

using Kind = physics::BoundaryKind;

/// A dipole at an angle between sides of one kind.
inline GridProblem box(int nx, int ny, int nz, Kind sides, int layer_cells = 7) {
  GridProblem p;
  p.setup.grid = uniform_grid(nx, ny, nz, 0.01);
  p.setup.sides.fill(sides);
  p.setup.layer_cells = layer_cells;
  physics::Source dipole;
  dipole.name = "dipole";
  dipole.position = {0.005 * nx + 0.001, 0.005 * ny + 0.002, 0.005 * nz - 0.001};
  dipole.direction = {0.48, 0.6, 0.64};
  dipole.waveform = pulse(2e9);
  p.sources = {dipole};
  return p;
}

/// Three lumped ports between sides of one kind, of which the first one, a source across so many columns and rows that
/// several tiles compute its edges, drives the others: a series circuit against the axis in the gap of a conductor, and
/// a parallel one across x. A dipole is at an edge of the first one.
inline GridProblem box_with_ports(Kind sides, int planes = 18) {
  GridProblem p = box(118, 52, planes, sides, 4);
  p.setup.materials = {physics::Medium{}, physics::Medium{4, 1, 0.05, 0, {}}, physics::Medium{1, 1, 0, 0, {}, true}};
  const auto box = [](const Vec3& centre, const Vec3& size, int material) {
    return grid::Shape{.type = grid::Shape::Type::box, .centre = centre, .size = size, .material = material};
  };
  p.bodies = {box({0.87, 0.26, 0.05}, {0.1, 0.1, 0.02}, 2), box({0.87, 0.26, 0.11}, {0.1, 0.1, 0.02}, 2),
              box({0.6, 0.15, 0.06}, {0.2, 0.1, 0.06}, 1)};
  physics::Port feed;
  feed.name = "feed";
  feed.centre = {0.55, 0.26, 0.09};
  feed.size = {0.5, 0.3, 0.06};
  feed.direction = {0, 0, 1};
  feed.excite = 1;
  feed.waveform = pulse(1e10);  // at the other ports within 30 steps
  physics::Port load;
  load.name = "load";
  load.centre = {0.87, 0.26, 0.08};
  load.size = {0.04, 0, 0.04};
  load.direction = {0, 0, -1};
  load.resistance = 20, load.inductance = 5e-9, load.capacitance = 1e-12;
  physics::Port tank = load;
  tank.name = "tank";
  tank.centre = {0.26, 0.26, 0.05};
  tank.size = {0.05, 0.1, 0};
  tank.direction = {1, 0, 0};
  tank.circuit = physics::Port::Circuit::parallel;
  p.ports = {feed, load, tank};
  p.sources[0].position = {0.581, 0.262, 0.089};
  return p;
}

/// A plane wave's box, lossy and lossless bodies, metal and sheets, graded, in layers that bodies touch: what a pass
/// accepts, drawn at random.
inline GridProblem random_pass_problem(std::mt19937& random, int fewest_planes, int most_planes) {
  const auto number = [&](int low, int high) { return low + int(random() % unsigned(high - low + 1)); };
  GridProblem p = box(number(60, 200), number(42, 110), number(fewest_planes, most_planes), Kind::pec, number(4, 10));
  for (std::size_t side = 0; side < 6; ++side) {
    p.setup.sides[side] = std::array{Kind::pec, Kind::pmc, Kind::cpml, Kind::cpml, Kind::adiabatic}[number(0, 4)];
    p.setup.adiabatic[side] = {0.01 * number(4, 24), number(1, 3), 1e-2};
  }
  for (auto& axis : p.setup.grid.spacing)
    for (auto& s : axis) s *= number(0, 3) == 0 ? 0.9 : 1;
  p.averaging = number(0, 1) == 1;
  p.setup.materials = {physics::Medium{}, physics::Medium{4, 1, 0.05, 0, {}}, physics::Medium{2.5, 1, 0, 0, {}},
                       physics::Medium{1, 1, 0, 0, {}, true}};
  const auto place = [&] { return Vec3{0.01 * number(0, 200), 0.01 * number(0, 110), 0.01 * number(0, 80)}; };
  using Type = grid::Shape::Type;
  for (int body = number(0, 3); body > 0; --body) {
    if (number(0, 1) == 0)
      p.bodies.push_back(
          {.type = Type::sphere, .centre = place(), .radius = 0.01 * number(3, 30), .material = number(1, 3)});
    else
      p.bodies.push_back({.type = Type::box,
                          .centre = place(),
                          .size = 0.8 * place() + Vec3{0.05, 0.05, 0.05},
                          .material = number(1, 3)});
  }
  if (number(0, 1) == 0) {
    physics::Source wave;
    wave.type = physics::Source::Type::plane_wave;
    wave.name = "wave";
    wave.direction = {0.6, 0, 0.8};
    wave.polarisation = {0.8, 0, -0.6};
    wave.waveform = pulse(2e9);
    wave.box_min = Vec3{0.13, 0.13, 0.05};
    wave.box_max = Vec3{0.41, 0.29, 0.12};
    p.sources.push_back(wave);
  }
  if (number(0, 2) == 0) {
    physics::Source sheet;
    sheet.type = physics::Source::Type::sheet;
    sheet.name = "sheet";
    sheet.centre = {0.3, 0.2, 0.1};
    sheet.size = {0.5, 0.3, 0};
    sheet.direction = {0, 0, 1};
    sheet.polarisation = {0.6, 0.8, 0};
    sheet.waveform = pulse(2e9);
    p.sources.push_back(sheet);
  }
  return p;
}

/// More media than a tile keeps, most of them in a free-form design; lossy ones in tiles without layers.
inline GridProblem problem_of_many_classes() {
  GridProblem p = box(118, 44, 16, Kind::pec);
  p.setup.materials = {physics::Medium{}, physics::Medium{4, 1, 0.05, 0, {}}};
  p.bodies = {{.type = grid::Shape::Type::sphere, .centre = {0.9, 0.2, 0.05}, .radius = 0.15, .material = 1}};
  grid::PermittivityArray design;
  design.low = {0, 0, 0.06}, design.spacing = {0.01, 0.01, 0.01}, design.size = {80, 44, 2};
  for (int n = 0; n < 80 * 44 * 2; ++n) design.values.push_back(2 + 1e-3f * static_cast<float>(n));
  static_assert(80 * 44 * 2 > most_few_classes);
  p.arrays = {design};
  p.averaging = false;
  return p;
}

/// One of those whose middle planes have a permittivity of its own in each cell, so that there are more classes of
/// media than tiles gather; with or without lossy bodies besides.
inline GridProblem random_free_form_problem(std::mt19937& random, int fewest_planes, int most_planes) {
  GridProblem p = random_pass_problem(random, fewest_planes, most_planes);
  if (random() % 2 == 0) p.bodies.clear();
  for (std::size_t side = 0; side < 6; ++side)  // mostly the sides that kernels with Cb serve
    if (p.setup.sides[side] == Kind::cpml && side < 4 && random() % 4 != 0) p.setup.sides[side] = Kind::adiabatic;
  grid::PermittivityArray array;
  array.low = {0.01 * double(random() % 16), 0.01 * double(random() % 16), 0.01 * double(random() % 10)};
  array.spacing = {0.01, 0.01, 0.01};
  array.size = {40 + int(random() % 100), 24 + int(random() % 60), 4 + int(random() % 8)};
  array.values.resize(static_cast<std::size_t>(array.size[0]) * array.size[1] * array.size[2]);
  for (float& value : array.values) value = 1 + 11 * static_cast<float>(random() % 8192) / 8192;
  p.arrays = {array};
  p.averaging = false;  // no more classes than values
  return p;
}

}  // namespace dgtd::fdtd
