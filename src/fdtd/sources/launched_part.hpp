#pragma once
// Parts, with delays of their own, of the wave that a port across a guide launches to one side of its plane.
#include "fdtd/sources/cross_section.hpp"
#include "fdtd/sources/equivalent_currents.hpp"

namespace dgtd::fdtd {

/// Times the waveform.
struct LaunchedPart {
  double electric_delay = 0, magnetic_delay = 0;  // s
  std::array<std::vector<double>, 2> electric;    // [numbers] of edges along both axes, V/m; empty: none
  /// [numbers] of H across the edge half a cell behind the plane, times the impedance of vacuum, V/m, with the sign of
  /// a wave along the port's direction; empty: none.
  std::array<std::vector<double>, 2> magnetic;
};

/// On a face of the section's nodes: the total field ahead of it, the scattered one behind. Cb: as of add_face. At the
/// place of E along one axis of the plane H is along the other: H = n x E / Z, n the direction.
template <class Real, class CbAt>
DiscreteSource launched(const grid::Setup& setup, const Discretisation<Real>& d, const CrossSection& section,
                        const physics::Port& port, const std::vector<LaunchedPart>& parts, const CbAt& Cb) {
  const int b = section.normal, first = section.axes[0], second = section.axes[1];
  const double way = port.direction[b];
  Face face{b, section.node, way < 0, {}, {}};
  for (const int w : {0, 1}) {
    const int a = section.axes[w];
    face.first[a] = section.first[w], face.last[a] = section.first[w] + section.nodes(w) - 1;
  }
  EquivalentCurrents currents;
  for (const LaunchedPart& part : parts) {
    const auto incident = [&](const Vec3& x) {
      IncidentWave wave{};
      const auto along_first = static_cast<std::size_t>(section.number_of(x, 0)),
                 along_second = static_cast<std::size_t>(section.number_of(x, 1));
      if (!part.electric[0].empty())
        wave.electric[first] = part.electric[0][along_first], wave.electric[second] = part.electric[1][along_second];
      if (!part.magnetic[0].empty())
        wave.magnetic[second] = way * part.magnetic[0][along_first],
        wave.magnetic[first] = -way * part.magnetic[1][along_second];
      wave.electric_lead = Vec3{-part.electric_delay, -part.electric_delay, -part.electric_delay};
      wave.magnetic_lead = Vec3{-part.magnetic_delay, -part.magnetic_delay, -part.magnetic_delay};
      return wave;
    };
    add_face(setup, d, face, false, incident, whole_face, Cb, currents);
  }
  return std::move(currents).lists(physics::shape_of(port.waveform));
}

}  // namespace dgtd::fdtd
