#pragma once
// A plane wave that enters through the absorbing boundary: its traces are stored in the ghost slots behind
// the absorbing faces, at the time levels of E and H.
#include <vector>

#include "dgtd/dg/executor.hpp"
#include "dgtd/dg/source_surface.hpp"
#include "dgtd/physics/source.hpp"

namespace dgtd::dg {

/// E = p A f(t - k . (x - x_0) / c),  Z H = k x E; the exterior is the material of the elements behind
/// the absorbing boundary, lossless and the same everywhere.
struct IncidentWave {
  physics::WaveformShape shape;
  std::vector<double> delay;           // [absorbing faces][Nf] s, at the interpolation points
  std::vector<double> electric_along;  // [absorbing faces][2] E's amplitude along e_a, e_b, V/m times m
  std::vector<double> magnetic_along;  // [absorbing faces][2] Z0 H's
  std::vector<double> interpolation;   // [Nf][Nf] from values at the points to coefficients
  double power_bound = 0;              // W: boundary area times amplitude^2 / Z, the most that it can bring in
};

/// Whether it is a plane wave without a total field of its own, which enters through the absorbing boundary.
inline bool enters_through_boundary(const physics::Source& source) {
  return source.type == physics::Source::Type::plane_wave && !source.has_total_field();
}

/// The plane wave, moved against its direction by the least number of wavelengths of its carrier after which it is
/// still zero on all faces through which it enters at t = 0 (the absorbing boundary, or the surface of its total
/// field): it enters from its beginning, and its phase stays zero at the position that was given. Collective.
template <class Real>
physics::Source start_outside(const Discretisation<Real>& d, physics::Source source,
                              const parallel::Communicator& comm);

template <class Real>
IncidentWave make_incident_wave(const Discretisation<Real>& d, const physics::Source& source);

/// The wave on an executor.
template <class Real>
class IncidentWriter {
 public:
  IncidentWriter(const Discretisation<Real>& d, const IncidentWave& wave, parallel::Memory& memory);
  /// Writes the wave's E (V/m) or Z0 H at a time (s), times m, into the ghost slots, or adds it to what is there.
  void write_electric(Executor<Real>& executor, Field<Real>& electric, const LoopNumber& time, bool overwrite) {
    write(executor, electric, electric_along_, time, overwrite);
  }
  void write_magnetic(Executor<Real>& executor, Field<Real>& magnetic, const LoopNumber& time, bool overwrite) {
    write(executor, magnetic, magnetic_along_, time, overwrite);
  }

 private:
  void write(Executor<Real>& executor, Field<Real>& field, const parallel::Array<double>& along,
             const LoopNumber& time, bool overwrite);
  physics::WaveformShape shape_;
  FieldLayout layout_;
  std::uint32_t first_slot_;
  int face_nodes_;
  parallel::Array<double> delay_, electric_along_, magnetic_along_, interpolation_;  // IncidentWave
  parallel::Array<int> entry_a_, entry_b_;                                           // [Nf] of the ghost face
  parallel::Array<double> values_;  // [absorbing faces][Nf] the waveform at the points
};

}  // namespace dgtd::dg
