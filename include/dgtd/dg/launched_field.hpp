#pragma once
// Field that a source launches: plane waves of a total field, current sheets and Gaussian beams, as sums of
// terms of constant directions.
#include <functional>
#include <optional>
#include <vector>

#include "dgtd/dg/element_geometry.hpp"
#include "dgtd/dg/reference_element.hpp"
#include "dgtd/dg/source_surface.hpp"
#include "dgtd/physics/waveform_filter.hpp"
#include "dgtd/solver/port_mode.hpp"

namespace dgtd::dg {

/// Points at which a launched field is taken on a face: exact for its products with the basis up to degree p + 1.
TriangleQuadrature points_of_face(int order);
/// Such a point, m.
Vec3 point_of_face(const ElementGeometry& element, const FaceGeometry& face, int number,
                   const std::array<double, 3>& barycentric);

/// Factors of E and H of a term at a point, and their delays, s.
struct LaunchedAt {
  double electric = 1, magnetic = 1;
  double electric_delay = 0, magnetic_delay = 0;
};

/// E = electric e(x) f(t - t_e(x)), Z0 H = magnetic h(x) f(t - t_h(x)): by how much the field ahead of the surface
/// exceeds that behind it.
struct LaunchedTerm {
  physics::WaveformShape shape;
  Vec3 electric, magnetic;  // V/m; zero where the term has no such field
  std::function<LaunchedAt(const Vec3& x)> at;
  std::vector<std::function<LaunchedAt(const Vec3& x)>> further = {};  // [parts - 1] profiles of Launch::parts_in_time
};

/// A profile in time: that of the terms at all times; what multiplies their E and H.
struct ModeInTime {
  std::function<double(double time)> electric_at, magnetic_at;  // of s

  /// Fourier integrals, exp(-i omega t), of `voltage` times E over so many steps of dt, s, and of `current` times H at the
  /// middles of the steps.
  solver::SentWave integrals(double frequency, double dt, std::int64_t steps, double voltage, double current) const;
};

struct Launch {
  SourceSurface surface;
  std::vector<LaunchedTerm> terms;
  /// [parts] In place of the waveforms and delays of the terms: of each term the sum over parts of a profile, `at` of
  /// the first part and `further` of the others, times this.
  std::vector<ModeInTime> parts_in_time;
  double start = 0;                          // s: the least delay, from which the leap-frog scheme slows the wave down
  std::optional<physics::BlochPhase> phase;  // of complex fields

  /// The real or imaginary part of exp(i k . (x - origin)); of real fields 1 or 0.
  double part_of_phase(const Vec3& x, bool imaginary) const;
};

/// Whether a source launches its waves at a surface inside of the mesh.
bool launches_inside(const physics::Source& source);

/// Collective. Throws Error (bad_input).
template <class Real>
Launch make_launch(const Discretisation<Real>& d, const physics::Source& source, const parallel::Communicator& comm);

}  // namespace dgtd::dg
