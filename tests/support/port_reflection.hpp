#pragma once
// Reflection of circuits at the end of a line, as a lumped port at the other end sees it, for tests of all methods.
#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "dgtd/solver/port_records.hpp"
#include "support/port_reference.hpp"

namespace dgtd::physics {

struct NamedCircuit {
  const char* name;
  Port load;
  double seconds;  // after which no current is left at the end of a line of 377 ohm
};

/// `port` with a resistor, and with a series and a parallel circuit of a low (160 and 50 MHz) and of a high resonance
/// (2.8 and 2.9 GHz).
inline std::vector<NamedCircuit> circuits_at_the_end(const Port& port) {
  const auto of = [&](const char* name, Port::Circuit circuit, double r, double l, double c, double seconds) {
    NamedCircuit made{name, port, seconds};
    made.load.circuit = circuit, made.load.resistance = r;
    if (l > 0) made.load.inductance = l, made.load.capacitance = c;
    return made;
  };
  return {of("100 ohm", Port::Circuit::series, 100, 0, 0, 10e-9),
          of("50 ohm, 100 nH, 10 pF in series", Port::Circuit::series, 50, 100e-9, 10e-12, 50e-9),
          of("80 ohm, 8 nH, 0.4 pF in series", Port::Circuit::series, 80, 8e-9, 0.4e-12, 10e-9),
          of("1 kohm, 1 uH, 10 pF in parallel", Port::Circuit::parallel, 1000, 1e-6, 10e-12, 50e-9),
          of("400 ohm, 10 nH, 0.3 pF in parallel", Port::Circuit::parallel, 400, 10e-9, 0.3e-12, 10e-9)};
}

/// A pulse and the frequencies, Hz, at which it has enough energy: 10 MHz have 0.1 % of the largest amplitude of a
/// pulse of 15 GHz, less than what slow modes of tetrahedra keep of it.
struct ReflectionPulse {
  double frequency, bandwidth, first, last;

  Port of(Port port) const {
    port.waveform.frequency = frequency, port.waveform.bandwidth = bandwidth;
    return port;
  }
  double seconds() const { return 8 / bandwidth; }  // until it is over
};
inline std::vector<ReflectionPulse> pulses_up_to(double last) {
  return {{0.5e9, 0.6e9, 10e6, 1e9}, {0.5 * last, 0.7 * last, 1e9, last}};
}

/// `count` frequencies from `first` to `last`, Hz, with equal ratios.
inline std::vector<double> frequencies_by_ratio(double first, double last, int count) {
  std::vector<double> all;
  for (int i = 0; i < count; ++i) all.push_back(first * std::pow(last / first, double(i) / (count - 1)));
  return all;
}

/// Reflection coefficient of `load` at the end of a line of the impedance `line`, ohm.
inline std::complex<double> reflection_of(std::complex<double> load, std::complex<double> line) {
  return (load - line) / (load + line);
}

/// Reflection coefficient at the end of a line from what is recorded at its feed; length: m, wavenumber: rad/m.
inline std::complex<double> reflection_at_end(const solver::PortRecord& feed, double dt, double frequency,
                                              std::complex<double> line, double wavenumber, double length) {
  const auto seen = spectrum(feed.voltage, frequency, dt) / spectrum(feed.current, frequency, dt);
  return reflection_of(seen, line) * std::polar(1.0, 2 * wavenumber * length);
}

}  // namespace dgtd::physics
