#pragma once
// Problems of a few dozen elements that hold every boundary, material and source.
#include "comparison.hpp"

namespace dgtd::dg::test {

inline constexpr auto pec = physics::BoundaryKind::pec, pmc = physics::BoundaryKind::pmc,
                      absorbing = physics::BoundaryKind::silver_muller;

inline Problem closed_vacuum(const std::array<int, 3>& cells) {
  return {tiny_mesh(cells, 1, 1), {{}}, std::vector<physics::BoundaryKind>(6, pec), {}};
}

/// Three boundary kinds, three materials, one of them conductive: sigma dt / (2 eps) is of the order of one.
inline Problem mixed(const std::array<int, 3>& cells) {
  return {tiny_mesh(cells, 3, 2),
          {{2.5, 1.0, 0.0}, {1.3, 1.7, 0.2}, {4.0, 1.2, 0.0}},
          {absorbing, pec, pmc, absorbing, pec, pmc},
          {}};
}

/// Half of its elements in layers, of all media and with faces on all boundaries.
inline Problem mixed_with_layers(const std::array<int, 3>& cells) {
  Problem problem = mixed(cells);
  add_layers(problem, [&](std::size_t e) { return problem.mesh.element_id[e] % 2 == 0; });
  return problem;
}

/// The same with convolutional layers.
inline Problem mixed_with_cpml(const std::array<int, 3>& cells) {
  Problem problem = mixed(cells);
  add_cpml(problem, [&](std::size_t e) { return problem.mesh.element_id[e] % 2 == 0; });
  return problem;
}

inline physics::Source dipole_source() {
  physics::Source source;
  source.type = physics::Source::Type::dipole;
  source.position = 0.5 * Vec3{0.63, 0.47, 0.52};
  source.direction = Vec3{2, -1, 2} / 3;
  source.radius = 0;     // a point, as in eq. (10)
  source.moment = 0.02;  // A m: the field that it makes in a step is of the order of the random one
  source.waveform = {physics::Waveform::Type::sine, 1e9, 0, 0};
  return source;
}

/// A wave that has reached the whole box at the start.
inline physics::Source wave_source(const Vec3& direction, const Vec3& polarisation) {
  physics::Source source;
  source.type = physics::Source::Type::plane_wave;
  source.position = 3.0 * direction;
  source.direction = direction;
  source.polarisation = polarisation;
  source.amplitude = 1.5;
  source.waveform = {physics::Waveform::Type::sine, 0.7e9, 0, 0};
  return source;
}

}  // namespace dgtd::dg::test
