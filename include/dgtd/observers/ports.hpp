#pragma once
// Spectra of ports, port_NAME.csv: voltage, current, impedance and waves.
#include <complex>
#include <functional>
#include <optional>
#include <vector>

#include "dgtd/observers/antenna.hpp"
#include "dgtd/observers/region_observer.hpp"
#include "dgtd/parallel/communicator.hpp"
#include "dgtd/physics/port.hpp"
#include "dgtd/solver/observer.hpp"
#include "dgtd/solver/port_records.hpp"

namespace dgtd::observers {

/// Fourier integrals over a run, f(t) exp(-i omega t) dt, at one frequency: the convention of circuits, in which an
/// inductor has the impedance i omega L. Waves: a = (V + Z0 I) / (2 sqrt Z0) and b = (V - Z0 I) / (2 sqrt Z0).
struct PortSpectrum {
  std::complex<double> voltage, current;  // V s, A s
  double reference;                       // Z0, ohm
  double effective_index = 0;             // of the mode of a port across a guide
  std::complex<double> impedance() const { return voltage / current; }
  std::complex<double> incoming() const;  // a, s sqrt W
  std::complex<double> outgoing() const;  // b
};

/// [frequencies] of a record whose steps have their middles at (n + 1/2) time_step, s. frequencies: Hz; reference: ohm.
std::vector<PortSpectrum> port_spectra(const solver::PortRecord& record, const std::vector<double>& frequencies,
                                       double time_step, double reference);

/// Where a mode is summed.
solver::Region region_of(const solver::PortMode& mode);

/// [frequencies] of a mode in its reference plane, from the sums on its surface, a region of the spectra. Collective.
std::vector<PortSpectrum> mode_spectra(const solver::PortMode& mode, const solver::RegionSpectra& spectra,
                                       std::size_t region, const parallel::Communicator& comm);

/// The place of a frequency, Hz, among those of a port, if it has it.
std::optional<std::size_t> place_of_frequency(const physics::Port& port, double frequency);

/// [frequencies of the port] of a port across a guide, by its number. Collective.
using GuideSpectra = std::function<std::vector<PortSpectrum>(std::size_t port)>;

/// Energy spectrum that excited ports supply to the fields over the run. Ports across guides have it at their own
/// frequencies alone, elsewhere nothing, and without `guides` nowhere. Ports and records outlive the function.
DrivenSpectrum driven_by(const std::vector<physics::Port>& ports, solver::PortRecords& records, double time_step,
                         GuideSpectra guides = {});

class Ports final : public RegionObserver {
 public:
  /// The records and the spectra, in which ports across guides register their planes, outlive the observer; ports: as
  /// their solver has them.
  Ports(std::vector<physics::Port> ports, solver::PortRecords& records, solver::RegionSpectra& spectra,
        double time_step);

  /// Tables, key `ports` and section of each port.
  void finish(io::Results& results) override;

  /// [frequencies of the port] over the run so far. Collective.
  std::vector<PortSpectrum> spectra_of(std::size_t port, const parallel::Communicator& comm) const;

 private:
  std::vector<physics::Port> ports_;
  std::vector<std::size_t> regions_;  // [ports] of ports across guides
  solver::PortRecords& records_;
  double time_step_;  // s
};

}  // namespace dgtd::observers
