#pragma once
// A wave in a total field that any number of ranks can share.
#include "comparison.hpp"
#include "dgtd/mesh/load.hpp"

namespace dgtd::dg::test {

/// A box of 6 x 5 x 5 cubes of 0.1 m of which 3 x 3 x 3 have the total field of a wave at an angle, a lossless
/// dispersive cube in their middle; the cubes beyond x = 0.5 m, outside, are conductive. A dipole at the edge of the
/// total field.
inline Problem total_field_box(const std::vector<physics::BoundaryKind>& sides, const parallel::Communicator& comm) {
  Problem problem{
      mesh::make_box({6, 5, 5}, {0.6, 0.5, 0.5}, comm), {{1.5, 1.2, 0}, {3, 1, 0.05}, {2, 1, 0}}, sides, {}};
  problem.material[2].poles = {{physics::Pole::Type::lorentz, 2e10, 3e10, 0, 0}};
  problem.mesh.volume_names = {"air", "tissue", "crystal"};
  for (std::size_t e = 0; e < problem.mesh.elements(); ++e) {
    const Vec3 x = ElementGeometry(problem.mesh, e).centre(), off = x - Vec3{0.25, 0.25, 0.25};
    const bool middle = std::max({std::abs(off.x), std::abs(off.y), std::abs(off.z)}) < 0.05;
    problem.mesh.element_group[e] = middle ? 2 : x.x > 0.5 ? 1 : 0;
  }
  physics::Source dipole;
  dipole.type = physics::Source::Type::dipole;
  dipole.position = {0.38, 0.3, 0.2};
  dipole.direction = {0, 0.6, 0.8};
  dipole.radius = 0;
  dipole.moment = 1e-3;
  dipole.waveform = {physics::Waveform::Type::ramped_sine, 1e9, 1, 0};
  physics::Source wave;
  wave.type = physics::Source::Type::plane_wave;
  wave.name = "w";
  wave.origin = "case.cfg:7";
  wave.position = {0.05, 0.05, 0.05};
  wave.direction = {0.6, 0.48, 0.64};
  wave.polarisation = {0.8, -0.36, -0.48};
  wave.amplitude = 2;
  wave.box_min = Vec3{0.1, 0.1, 0.1}, wave.box_max = Vec3{0.4, 0.4, 0.4};
  wave.waveform = {physics::Waveform::Type::modulated_gaussian, 1.5e9, 2, 1.5e9};
  problem.sources = {dipole, wave};
  return problem;
}

/// The same with a sheet that launches waves to one side, one that does to both, and a beam.
inline Problem with_sheets(Problem problem) {
  physics::Source sheet;
  sheet.type = physics::Source::Type::sheet;
  sheet.name = "s";
  sheet.origin = "case.cfg:8";
  sheet.direction = {0, 0, -1};
  sheet.polarisation = {0.6, 0.8, 0};
  sheet.centre = {0.25, 0.25, 0.4}, sheet.size = {0.3, 0.25, 0};
  sheet.waveform = {physics::Waveform::Type::ramped_sine, 1e9, 1, 0};
  physics::Source both = sheet;
  both.direction = {};
  both.polarisation = {0, 0.6, -0.8};
  both.centre = {0.1, 0.25, 0.25}, both.size = {0, 0.3, 0.3};
  both.amplitude = 3;
  physics::Source beam = sheet;
  beam.type = physics::Source::Type::gaussian_beam;
  beam.direction = {0.28, 0, 0.96};
  beam.polarisation = {0, 1, 0};
  beam.focus = {0.25, 0.25, 0.11};
  beam.waist = 0.04;
  beam.waveform.frequency = 6e9;  // of small divergence: the conductive cubes are beside it
  beam.plane = 0.1;
  for (const auto& source : {sheet, both, beam}) problem.sources.push_back(source);
  return problem;
}

}  // namespace dgtd::dg::test
