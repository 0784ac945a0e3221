#pragma once
// Waves that a source launches at a surface inside of the mesh, on an executor.
#include "dgtd/dg/executor.hpp"
#include "dgtd/dg/launched_field.hpp"

namespace dgtd::dg {

/// Bytes of the waves of a source with so many terms; curved: sides of curved elements that a mode is launched at.
double launch_bytes(const SourceSurface& surface, std::size_t terms, int order, std::size_t curved = 0);

/// Terms of a launched field, for leap-frog steps: one with delays, or all of a mode in time.
template <class Real>
class SurfaceWave {
 public:
  /// terms: of the launch; several where it has parts in time. dt: s, of a step of level 0. d and executor outlive the
  /// wave.
  SurfaceWave(const Discretisation<Real>& d, Executor<Real>& executor, const Launch& launch,
              const std::vector<LaunchedTerm>& terms, double dt);

  /// Parts in time of the launch. If there are any, the calls below take the place of [parts][2] numbers, of which the
  /// first is E or H of the part, in the executor's memory, in place of a time.
  int parts() const { return parts_; }
  /// Before a half step of H at the time of E, s, and after it. Between the two, when all waves have begun, E of the wave
  /// is added to the field that takes the half step: `unfiltered` in the first coefficients, as many as it has, and
  /// magnetic elsewhere; null: magnetic everywhere.
  void begin_magnetic(const Field<Real>& magnetic, const LoopNumber& time);
  void add_to_magnetic(Field<Real>& magnetic, Field<Real>* unfiltered) { add(magnetic, unfiltered, magnetic_); }
  void end_magnetic(const Field<Real>& magnetic) { add_work(magnetic, magnetic_); }
  /// Before a half step of E at the time of H, s. After it H of the wave is added to E, and when those of all waves are,
  /// it ends.
  void begin_electric(const Field<Real>& electric, const LoopNumber& time);
  void add_to_electric(Field<Real>& electric) { add(electric, nullptr, electric_); }
  void end_electric(const Field<Real>& electric) { add_work(electric, electric_); }

  /// Work on the fields, J, this rank's part: in a step dt ((E^n + E^{n+1}) / 2 . b_E + (H^{n-1/2} + H^{n+1/2}) / 2 .
  /// b_H), b the rates that the wave adds.
  double work() const { return earlier_work_ + parallel::sum_of(work_); }
  void set_work(double work);
  /// An upper bound of the power that passes through the surface inwards and outwards, W, this rank's part.
  double power_bound() const { return power_bound_; }
  double memory_bytes() const;

 private:
  /// One field of the wave at the points of the surface, and the sides for the half step of the other field.
  struct Driving {
    parallel::Array<double> weight;           // [parts, or 1][faces][points] of the waveform
    parallel::Array<double> delay;            // [faces][points] s, empty of a mode
    parallel::Array<SurfaceSide> sides;       // [sides]; empty where no term has the field
    parallel::Array<SurfaceSide> work_sides;  // [sides of the work]; empty: those are `sides`
  };
  class Sides;
  static const parallel::Array<SurfaceSide>& sides_of_work(const Driving& by) {
    return by.work_sides.size() > 0 ? by.work_sides : by.sides;
  }
  void sample(const Driving& field, const LoopNumber& time);
  void add(Field<Real>& field, Field<Real>* first_part, const Driving& by);
  void add_work(const Field<Real>& field, const Driving& by);

  Executor<Real>& executor_;
  physics::WaveformShape shape_;
  int parts_;  // 0: the terms have delays
  double dt_;
  double start_;                               // s, from which delays count
  double power_bound_ = 0, earlier_work_ = 0;  // W; J, before the run was continued
  std::size_t stride_;
  int nodes_, face_nodes_, points_;                 // Np, Nf, points at which the wave is sampled on a face
  Driving electric_, magnetic_;                     // by H of the wave for E's half step, by E for that of H
  parallel::Array<double> values_;                  // [faces of all terms][points] the waveform times the weights
  parallel::Array<std::uint32_t> first_side_;       // [elements beside the surface + 1]
  parallel::Array<double> lift_, moments_;          // AddSurfaceWave, AddSurfaceWork
  parallel::Array<int> entry_a_, entry_b_, minus_;  // FaceTraceEntries
  parallel::Array<double> work_;                    // [sides of the work][Nf] J
};

}  // namespace dgtd::dg
