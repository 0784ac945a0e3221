#pragma once
// A problem that any number of ranks can share.
#include "comparison.hpp"
#include "dgtd/mesh/load.hpp"

namespace dgtd::dg::test {

/// A box, its upper half conductive, with absorbing, metallic and magnetic sides. The dipole stands on
/// the middle vertex, where all ranks' parts may meet.
inline Problem box(const parallel::Communicator& comm, bool with_wave) {
  constexpr auto pec = BoundaryKind::metallic, pmc = BoundaryKind::magnetic, absorbing = BoundaryKind::absorbing;
  Problem problem{mesh::make_box({4, 4, 4}, {1, 0.8, 1.2}, comm),
                  {{1, 1, 0}, {3, 1.5, 0.05}},
                  {absorbing, absorbing, pec, pec, absorbing, pmc},
                  {}};
  problem.mesh.volume_names = {"lower", "upper"};
  for (std::size_t e = 0; e < problem.mesh.elements(); ++e)
    problem.mesh.element_group[e] = ElementGeometry(problem.mesh, e).centre().z > 0.6;
  physics::Source dipole;
  dipole.type = physics::Source::Type::dipole;
  dipole.position = {0.5, 0.4, 0.6};
  dipole.direction = {0, 0.6, 0.8};
  dipole.moment = 1e-2;
  dipole.waveform = {physics::Waveform::Type::sine, 1e9, 0, 0};
  problem.sources = {dipole};
  if (with_wave) {
    physics::Source wave;
    wave.type = physics::Source::Type::plane_wave;
    wave.position = {2, 2, 2};
    wave.direction = {0.6, 0.8, 0};
    wave.polarisation = {0, 0, 1};
    wave.waveform = {physics::Waveform::Type::sine, 0.5e9, 0, 0};
    problem.sources.push_back(wave);
    make_exterior_uniform(problem);
  }
  return problem;
}

}  // namespace dgtd::dg::test
