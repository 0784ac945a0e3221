#pragma once
// The sources of a run on its executor: currents of dipoles, plane waves behind the absorbing boundary, waves that are
// launched inside of the mesh, and ports.
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "dgtd/dg/dipole.hpp"
#include "dgtd/dg/guide_port.hpp"
#include "dgtd/dg/incident_field.hpp"
#include "dgtd/dg/port.hpp"
#include "dgtd/dg/surface_wave.hpp"
#include "dgtd/solver/solver.hpp"

namespace dgtd::dg {

template <class Real>
class SourceTerms {
 public:
  /// response: of the integrator; dt: its step, s. All outlive the object. Collective. Throws Error.
  SourceTerms(const Discretisation<Real>& d, Executor<Real>& executor, const std::vector<physics::Source>& sources,
              const std::vector<physics::Port>& ports, const CurrentResponse& response, double dt,
              const parallel::Communicator& comm);

  /// Instants of the next steps, s, at most most_instants: what the calls below take is an index of one. All that
  /// depends on them goes to the executor's memory, so that a device can replay those calls for later instants, unless
  /// they have messages.
  static constexpr int instants_per_step = 3, most_instants = instants_per_step * most_steps_at_once;
  void set_instants(const std::vector<double>& times);

  /// Whether the calls below send messages between ranks; alike on all ranks.
  bool have_messages() const;

  /// Write incident fields at an instant into the ghost slots of E (V/m times m) or Z0 H.
  void write_incident_electric(Field<Real>& electric, int instant);
  void write_incident_magnetic(Field<Real>& magnetic, int instant);

  /// Before and after a leap-frog half step of H from E at an instant: what the waves launched inside of the mesh add,
  /// and their work (SurfaceWave).
  void begin_magnetic(Field<Real>& magnetic, Field<Real>* unfiltered, int instant);
  void end_magnetic(const Field<Real>& magnetic);
  /// The same of E from H at an instant. After the half step waves and currents are added to E, then ports take what all
  /// have left; at the end is the work in the step, of the currents -dt J . (E^n + E^{n+1}) / 2, J at the instant.
  void begin_electric(const Field<Real>& electric, int instant);
  void add_to_electric(Field<Real>& electric, int instant);
  void end_electric(const Field<Real>& electric, int instant);
  /// The currents of whole steps on the executor (Executor::take_steps); none where there are other sources.
  std::optional<std::vector<StepCurrent>> step_currents();
  /// Their numbers for steps whose currents are at these times, s.
  std::vector<double> step_numbers(const std::vector<double>& times) const;
  /// Before steps: reads E, unless it is known from the end of the last one.
  void begin_work(const Field<Real>& electric);
  /// -1/2 Re conj(J) . E of the currents, this rank's part: of Fourier integrals of E over so many steps of dt (s) at
  /// an angular frequency, real and imaginary parts, V s/m. J/Hz.
  double current_work(const Field<Real>& electric_real, const Field<Real>& electric_imag, double angular_frequency,
                      double dt, std::int64_t steps) const;
  /// E was written other than by a step.
  void forget_fields() { begun_ = false; }

  /// A face between elements where fields jump by what a source sends from it: the sheet current of a lumped port makes H
  /// jump alone. Local element; of a face inside this rank both sides are listed.
  struct SourceFace {
    std::uint32_t element;
    std::uint8_t face;
    bool magnetic_only;
  };
  const std::vector<SourceFace>& source_faces() const { return source_faces_; }

  /// Whether waves enter through the absorbing boundary.
  bool has_incident_fields() const { return !incident_.empty(); }
  /// J. elapsed: time since the start, s.
  solver::SourceWork work(double elapsed) const;
  std::vector<double> measured_work() const;  // [dipoles, then waves launched inside] J, this rank's parts
  void set_measured_work(const std::vector<double>& work);  // [dipoles, then waves launched inside] J
  /// All lumped ports.
  PortsOn<Real>& ports() { return *ports_; }
  const PortsOn<Real>& ports() const { return *ports_; }
  /// [ports across guides] without what is launched, which belongs to the waves.
  const std::vector<GuidePort>& guide_ports() const { return guide_ports_; }
  double memory_bytes() const;  // of waves launched inside, and of ports

 private:
  struct Dipole {
    physics::WaveformShape shape;
    double moment;          // A m
    Current<Real> current;  // measured: work, J
  };
  struct Incident {
    double power_bound;  // W
    IncidentWriter<Real> writer;
  };

  // -dt/2 times the current moment, A m s: of the work in a step with E before and after it.
  double work_factor(const Dipole& dipole, double time) const {
    return -0.5 * dt_ * dipole.moment * physics::value(dipole.shape, time);
  }

  struct Launched {
    SurfaceWave<Real> wave;
    std::optional<std::size_t> mode;  // number of its first part in modes_
  };
  void add_launch(const Discretisation<Real>& d, const Launch& launch);

  bool is_empty() const {
    return dipoles_.empty() && incident_.empty() && surface_waves_.empty() && port_sources_.empty();
  }
  // The time of an instant, s; f(t) of each dipole, and -dt/2 times the current moment of each, A m s; the voltage of
  // each lumped port's source, V; E and H of each mode in time.
  std::size_t numbers_per_instant() const { return 1 + 2 * dipoles_.size() + port_sources_.size() + 2 * modes_.size(); }
  const double* numbers(int instant) const { return numbers_.read() + std::size_t(instant) * numbers_per_instant(); }
  const double* value_of(std::size_t dipole, int instant) const { return numbers(instant) + 1 + dipole; }
  const double* work_factor_of(std::size_t dipole, int instant) const {
    return value_of(dipole, instant) + dipoles_.size();
  }
  const double* voltage_of(std::size_t port, int instant) const {
    return numbers(instant) + 1 + 2 * dipoles_.size() + port;
  }
  // Numbers from which a half step of a wave begins.
  const double* number_of_wave(const Launched& wave, int instant, bool magnetic) const {
    if (!wave.mode) return numbers(instant);
    return voltage_of(port_sources_.size(), instant) + 2 * *wave.mode + (magnetic ? 1 : 0);
  }

  Executor<Real>& executor_;
  double dt_;                        // s
  parallel::Array<double> numbers_;  // [most_instants][numbers_per_instant()]
  std::vector<Dipole> dipoles_;
  std::vector<Incident> incident_;
  std::vector<Launched> surface_waves_;
  std::vector<ModeInTime> modes_;  // parts of all modes in time
  struct PortSource {
    physics::WaveformShape shape;
    double peak;  // V
  };
  std::vector<PortSource> port_sources_;  // [lumped ports]
  std::unique_ptr<PortsOn<Real>> ports_;
  std::vector<GuidePort> guide_ports_;
  std::vector<SourceFace> source_faces_;
  bool begun_ = false;  // the voltages of dipoles and ports are those of E as it is
};

}  // namespace dgtd::dg
