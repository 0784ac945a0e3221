#pragma once
// Powers of the excited ports over the last period of a harmonic run, to which SAR can refer.
#include <array>
#include <complex>
#include <optional>
#include <vector>

#include "dgtd/io/summary.hpp"
#include "dgtd/parallel/communicator.hpp"
#include "dgtd/physics/port.hpp"
#include "dgtd/solver/observer.hpp"
#include "dgtd/solver/port_records.hpp"

namespace dgtd::observers {

/// Means over a period of all excited ports together, W.
struct PortPower {
  double accepted_W = 0;   // 1/2 Re V conj(I), what they give to the structure
  double incident_W = 0;   // 1/2 |a|^2, of the waves that they send: what a source of their impedance has available
  double by_guides_W = 0;  // the part of that which Figures::source_work does not have: of ports across guides of grids
};

struct PortPeriod {
  double frequency = 0;    // Hz, of the phasors
  double time_step = 0;    // s
  std::int64_t steps = 1;  // of the period
  std::int64_t begin = 0;  // step at which the last one begins; the run may also end after any later one
};

/// Lumped ports are known from their records; the waves of ports across guides are summed in time over the period.
class PortPowers final : public solver::Observer {
 public:
  /// records and spectra outlive the observer. Throws Error (bad_input) for a port across a guide that is excited and
  /// does not have the frequency among its own.
  PortPowers(std::vector<physics::Port> ports, PortPeriod period, solver::PortRecords& records,
             solver::RegionSpectra& spectra, const parallel::Communicator& comm);

  /// Means over the last complete period. Collective.
  PortPower last_period() const;

  std::int64_t next(std::int64_t step) const override;
  void observe(const solver::Clock& clock) override;
  std::string state_name() const override { return "port_powers"; }
  solver::State save() const override;
  void load(const solver::State& state, std::int64_t step) override;

 private:
  using Integrals = std::array<std::complex<double>, 2>;  // V s and A s, of the reference plane
  struct Guide {
    solver::PortMode mode;         // at the frequency alone
    std::size_t region = 0;        // of the spectra
    Integrals before{}, latest{};  // over the run to the ends of the last but one and of the last complete period
  };
  Integrals integrals(const Guide& guide) const;

  std::vector<physics::Port> ports_;
  PortPeriod period_;
  solver::PortRecords& records_;
  solver::RegionSpectra& spectra_;
  const parallel::Communicator& comm_;
  std::vector<std::optional<Guide>> guides_;  // [ports]; of those across guides that are excited
  std::int64_t interval_ = 0;                 // steps between samples, a part of the period; 0: no guides
};

/// Keys and section of what ports accept and of what is available.
void add_port_power(io::Summary& summary, double accepted_W, double incident_W);

}  // namespace dgtd::observers
