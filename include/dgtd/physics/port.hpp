#pragma once
// Ports: where a circuit drives and measures the fields.
#include <optional>
#include <string>
#include <vector>

#include "dgtd/base/origin.hpp"
#include "dgtd/base/vec3.hpp"
#include "dgtd/physics/waveform.hpp"

namespace dgtd::physics {

/// A voltage source in series with a circuit of resistor, inductor and capacitor, between two conductors. The voltage V
/// is the integral of E along `direction`; a positive current I leaves the port at the conductor where `direction`
/// begins, so that the port supplies V I. A port that is not excited is the circuit alone.
struct Port {
  enum class Type { lumped };
  enum class Circuit { series, parallel };  // of resistor, inductor and capacitor
  std::string name;
  Type type = Type::lumped;
  Vec3 centre{0, 0, 0};   // m
  Vec3 size{0, 0, 0};     // m: along `direction` the distance of the conductors; across it 0, or the width of the port
  Vec3 direction;         // along an axis, unit length
  double impedance = 50;  // ohm, to which the waves a and b refer
  std::optional<double> resistance;   // ohm; absent: the impedance
  std::optional<double> inductance;   // H
  std::optional<double> capacitance;  // F
  Circuit circuit = Circuit::series;
  double excite = 0;  // V, peak of the source's voltage; 0: it is not excited
  Waveform waveform{Waveform::Type::modulated_gaussian};
  std::vector<double> frequencies;  // Hz, ascending, of its spectra
  Origin origin;

  bool is_excited() const { return excite != 0; }
  /// Whether its circuit is a resistor of the reference impedance, from which no wave comes back.
  bool is_matched() const { return resistance.value_or(impedance) == impedance && !inductance && !capacitance; }

  bool operator==(const Port&) const = default;
};

}  // namespace dgtd::physics
