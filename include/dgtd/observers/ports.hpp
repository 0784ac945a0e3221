#pragma once
// Spectra of ports, port_NAME.csv: voltage, current, impedance and waves.
#include <complex>
#include <vector>

#include "dgtd/observers/antenna.hpp"
#include "dgtd/physics/port.hpp"
#include "dgtd/solver/observer.hpp"
#include "dgtd/solver/port_records.hpp"

namespace dgtd::observers {

/// Fourier integrals over a run, f(t) exp(-i omega t) dt, at one frequency: the convention of circuits, in which an
/// inductor has the impedance i omega L. Waves: a = (V + Z0 I) / (2 sqrt Z0) and b = (V - Z0 I) / (2 sqrt Z0).
struct PortSpectrum {
  std::complex<double> voltage, current;  // V s, A s
  std::complex<double> impedance() const { return voltage / current; }
  std::complex<double> incoming(double reference) const;  // a, s sqrt W; reference: ohm
  std::complex<double> outgoing(double reference) const;  // b
};

/// [frequencies] of a record whose steps have their middles at (n + 1/2) time_step, s. frequencies: Hz.
std::vector<PortSpectrum> port_spectra(const solver::PortRecord& record, const std::vector<double>& frequencies,
                                       double time_step);

/// What the excited ports give to the fields over the run. Both outlive the function.
DrivenSpectrum driven_by(const std::vector<physics::Port>& ports, solver::PortRecords& records, double time_step);

class Ports final : public solver::Observer {
 public:
  /// The records outlive the observer; ports: as their solver has them.
  Ports(std::vector<physics::Port> ports, solver::PortRecords& records, double time_step)
      : ports_(std::move(ports)), records_(records), time_step_(time_step) {}

  std::int64_t next(std::int64_t) const override { return solver::never; }
  void observe(const solver::Clock&) override {}
  /// Tables, key `ports` and section of each port.
  void finish(io::Results& results) override;

 private:
  std::vector<physics::Port> ports_;
  solver::PortRecords& records_;
  double time_step_;  // s
};

}  // namespace dgtd::observers
