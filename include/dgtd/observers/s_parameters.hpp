#pragma once
// The scattering matrix of ports from the waves of several runs, in each of which one port is excited: its tables,
// checks and section. Power waves of real reference impedances (Kurokawa 1965, IEEE Trans. MTT 13, 194):
//   a = (V + Z I) / (2 sqrt Z),  b = (V - Z I) / (2 sqrt Z),  b_i = sum_j S_ij a_j,
// so that |a|^2 - |b|^2 is the power that the port supplies, whatever the impedances are.
#include <complex>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "dgtd/io/section.hpp"

namespace dgtd::observers {

/// Waves of all ports in one run at one frequency, [ports], s sqrt W.
struct PortWaves {
  std::vector<std::complex<double>> incoming, outgoing;  // a, b
};

struct SParameters {
  struct Port {
    std::string name;
    std::optional<double> impedance;  // ohm, > 0; absent: that of a waveguide, which depends on frequency
  };
  std::vector<Port> ports;                   // rows of the matrix
  std::vector<std::size_t> excited;          // columns: numbers of ports, ascending
  std::vector<double> frequencies;           // Hz, ascending
  std::vector<std::complex<double>> values;  // [frequencies][ports][columns]

  std::complex<double> at(std::size_t frequency, std::size_t port, std::size_t column) const {
    return values[(frequency * ports.size() + port) * excited.size() + column];
  }
};

/// waves: [frequencies][columns], of the run in which that column's port is excited. S = B A^-1 over the excited ports:
/// waves that circuits other than the reference impedance send back into these are part of A. Into the other ports
/// nothing may come.
SParameters s_parameters(std::vector<SParameters::Port> ports, std::vector<std::size_t> excited,
                         std::vector<double> frequencies, const std::vector<std::vector<PortWaves>>& waves);

/// Deviations from reciprocity and passivity, which media without sources fulfil. Only a matrix of all ports is that of
/// the device alone; of excited ports the figures hold with the others as terminations.
struct SParameterChecks {
  static constexpr double most_reciprocity = 0.01, most_singular_value = 1.01;  // beyond them there is a warning
  struct Worst {
    double value = 0, frequency = 0;  // Hz
  };
  Worst reciprocity;     // |S_ij - S_ji|, of excited ports
  Worst singular_value;  // the largest one of S
  struct PowerSum {
    double least, most;  // of sum_i |S_ij|^2 over the frequencies: 1 where nothing is lost
  };
  std::vector<PowerSum> columns;
  std::vector<std::string> warnings;  // one line each
};
SParameterChecks checks_of(const SParameters& s);

/// sparameters.csv: frequency; real and imaginary part, dB and degrees of S_OUT_IN, for each pair of ports.
std::string table_of(const SParameters& s);

/// The matrix of the excited ports, [frequencies][columns][columns], as it is with `reference` ohm at all ports but
/// waveguides, which keep their own impedance.
std::vector<std::complex<double>> renormalised(const SParameters& s, double reference);

/// A file of Touchstone 1.1 of the excited ports. It has one reference impedance: that of the ports if they share it,
/// else that of the first port that has one, to which the matrix is renormalised (without any: 50 ohm, as a word that
/// the format requires). Comments name the ports; `head` is the first one.
std::string touchstone_text(const SParameters& s, const std::string& head);
/// "NAME.s2p"
std::string touchstone_name(const SParameters& s, const std::string& name);

/// Figures and curves for report.html, and lines for the console.
io::Section section_of(const SParameters& s, const SParameterChecks& checks);

}  // namespace dgtd::observers
