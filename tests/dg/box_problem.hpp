#pragma once
// A problem that any number of ranks can share.
#include "comparison.hpp"
#include "dgtd/mesh/load.hpp"

namespace dgtd::dg::test {

/// A box of cubes whose upper half is another, conductive material, with a dipole, and a plane wave if asked for.
struct HalvedBox {
  std::array<std::int64_t, 3> cells;
  Vec3 size;                                 // m
  std::vector<physics::BoundaryKind> sides;  // xmin, xmax, ymin, ymax, zmin, zmax
  Vec3 dipole;                               // its position, m
  Vec3 wave_start, wave_direction;
};

inline Problem halved_box(const HalvedBox& b, const parallel::Communicator& comm, bool with_wave) {
  Problem problem{mesh::make_box(b.cells, b.size, comm), {{1, 1, 0}, {3, 1.5, 0.05}}, b.sides, {}};
  problem.mesh.volume_names = {"lower", "upper"};
  for (std::size_t e = 0; e < problem.mesh.elements(); ++e)
    problem.mesh.element_group[e] = ElementGeometry(problem.mesh, e).centre().z > 0.5 * b.size.z;
  physics::Source dipole;
  dipole.type = physics::Source::Type::dipole;
  dipole.position = b.dipole;
  dipole.direction = {0, 0.6, 0.8};
  dipole.moment = 1e-2;
  dipole.waveform = {physics::Waveform::Type::sine, 1e9, 0, 0};
  problem.sources = {dipole};
  if (with_wave) {
    physics::Source wave;
    wave.type = physics::Source::Type::plane_wave;
    wave.position = b.wave_start;
    wave.direction = b.wave_direction;
    wave.polarisation = {0, 0, 1};
    wave.waveform = {physics::Waveform::Type::sine, 0.5e9, 0, 0};
    problem.sources.push_back(wave);
    make_exterior_uniform(problem);
  }
  return problem;
}

/// With absorbing, metallic and magnetic sides. The dipole stands on the middle vertex, where all ranks' parts may
/// meet.
inline Problem box(const parallel::Communicator& comm, bool with_wave) {
  constexpr auto pec = physics::BoundaryKind::pec, pmc = physics::BoundaryKind::pmc,
                 absorbing = physics::BoundaryKind::silver_muller;
  return halved_box({{4, 4, 4},
                     {1, 0.8, 1.2},
                     {absorbing, absorbing, pec, pec, absorbing, pmc},
                     {0.5, 0.4, 0.6},
                     {2, 2, 2},
                     {0.6, 0.8, 0}},
                    comm, with_wave);
}

}  // namespace dgtd::dg::test
