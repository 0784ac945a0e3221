#pragma once
// Media with poles, and a stable step, for the tests of dispersion.
#include "dgtd/dg/level_time_step.hpp"
#include "dgtd/dg/time_step.hpp"
#include "problems.hpp"

namespace dgtd::dg::test {

using physics::Pole;
inline const parallel::Communicator& self() {
  static const parallel::Communicator comm(MPI_COMM_SELF);
  return comm;
}

inline Pole debye(double strength, double tau) { return {Pole::Type::debye, strength, 0, 0, tau}; }
inline Pole drude(double plasma, double damping) { return {Pole::Type::drude, plasma, 0, damping, 0}; }
inline Pole lorentz(double plasma, double resonance, double damping) {
  return {Pole::Type::lorentz, plasma, resonance, damping, 0};
}
inline Pole critical_point(double A, double resonance, double phase, double damping) {
  return {Pole::Type::critical_point, A, resonance, damping, 0, phase};
}

/// Three media beside each other: a Debye pole with conduction; Drude and two Lorentz poles, magnetic; two Debye and a
/// Drude pole. dt in s: the poles' times are of its order.
inline std::vector<physics::Medium> dispersive_media(double dt) {
  return {{2.5, 1.0, 0.05, 0, {debye(3, 4 * dt)}},
          {1.3,
           1.7,
           0,
           0,
           {lorentz(0.8 / dt, 0.5 / dt, 0.1 / dt), drude(1.5 / dt, 0.2 / dt), lorentz(0.5 / dt, 2 / dt, 0)}},
          {4.0, 1.2, 0, 0, {debye(1, 2 * dt), drude(0.7 / dt, 0.05 / dt), debye(6, 30 * dt)}}};
}

/// The same with critical points: one that is passive by itself; metal like gold, in which a Drude pole pays for what
/// the critical point gives away; no critical point.
inline std::vector<physics::Medium> critical_media(double dt) {
  return {{2.5, 1.0, 0.05, 0, {debye(3, 4 * dt), critical_point(0.8, 0.4 / dt, -0.05, 0.3 / dt)}},
          {1.3,
           1.7,
           0,
           0,
           {critical_point(0.5, 0.5 / dt, -1.1, 0.2 / dt), drude(1.5 / dt, 0.2 / dt),
            critical_point(0.3, 0.3 / dt, -0.02, 0.15 / dt)}},
          {4.0, 1.2, 0, 0, {lorentz(0.8 / dt, 0.5 / dt, 0.1 / dt), debye(6, 30 * dt)}}};
}

/// s: somewhat below the limit, with levels that of their bounds.
inline double stable_step(const Problem& problem, int order, const TimeLevels& levels) {
  Discretisation<double> d(problem.mesh, problem.material, problem.boundary_kind, order, false, cpu_field_lanes,
                           levels);
  const auto executor = make_cpu_executor(d, KernelFusion::fused, self());
  if (levels.finest == 0) return 0.95 * stability_limit(d, *executor, self()).time_step;
  LevelTimeStep<double> step(d, *executor, self());
  double dt = step.time_step(0.955);
  while (step.bounds(dt).largest() >= 0.985) dt *= 0.95;
  return dt;
}

}  // namespace dgtd::dg::test
