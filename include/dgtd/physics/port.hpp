#pragma once
// Ports: where a circuit, or a wave in a guide, drives and measures the fields.
#include <optional>
#include <string>
#include <vector>

#include "dgtd/base/origin.hpp"
#include "dgtd/base/vec3.hpp"
#include "dgtd/physics/waveform.hpp"

namespace dgtd::physics {

/// A mode of a hollow guide: TE_mn or TM_mn. In a rectangle the numbers are half waves along the two axes of the plane,
/// in the order x, y, z; in a circle periods around it and zeros along the radius.
struct GuideMode {
  enum class Kind { te, tm };
  Kind kind = Kind::te;
  int first = 1, second = 0;

  bool operator==(const GuideMode&) const = default;
};

/// Lumped: a voltage source in series with a circuit of resistor, inductor and capacitor, between two conductors. The voltage V
/// is the integral of E along `direction`; a positive current I leaves the port at the conductor where `direction`
/// begins, so that the port supplies V I. A port that is not excited is the circuit alone.
/// Waveguide, coax: a plane across a guide of perfect conductors, which launches a mode along `direction` and measures
/// the waves both ways. The guide behind it has an end of its own, an absorbing layer.
/// Mode: the same of a guide of any lossless media and conductors, with a mode that is computed on the plane.
struct Port {
  enum class Type { lumped, waveguide, coax, mode };
  enum class Section { rectangle, circle };         // of a waveguide
  enum class Circuit { series, parallel };  // of resistor, inductor and capacitor
  std::string name;
  Type type = Type::lumped;
  Vec3 centre{0, 0, 0};   // m
  Vec3 size{0, 0, 0};     // m: along `direction` the distance of the conductors; across it 0, or the width of the port;
                          // of a guide 0 along `direction`
  std::string faces;  // lumped: the surface group of the mesh whose faces it is, in place of centre and size; or empty
  Vec3 direction;         // along an axis, unit length; of a guide into the domain
  GuideMode mode;         // waveguide
  std::vector<int> modes{1};  // type mode: numbers of modes by falling effective index, from 1; one per port in a
                              // complete case
  Section section = Section::rectangle;
  double shift = 0;       // guides: of the reference plane along `direction`, m
  double impedance = 50;  // ohm, to which the waves a and b refer
  std::optional<double> resistance;   // ohm; absent: the impedance
  std::optional<double> inductance;   // H
  std::optional<double> capacitance;  // F
  Circuit circuit = Circuit::series;
  double excite = 0;  // V, peak of the source's voltage, of a guide that of the wave sent; 0: it is not excited
  Waveform waveform{Waveform::Type::modulated_gaussian};
  std::vector<double> frequencies;  // Hz, ascending, of its spectra
  Origin origin;

  bool is_excited() const { return excite != 0; }
  bool is_lumped() const { return type == Type::lumped; }
  /// Whether its reference impedance is the same at all frequencies.
  bool has_one_impedance() const { return type == Type::lumped || type == Type::coax; }
  int mode_number() const { return modes.front(); }
  /// Whether its circuit is a resistor of the reference impedance, from which no wave comes back.
  bool is_matched() const { return resistance.value_or(impedance) == impedance && !inductance && !capacitance; }

  bool operator==(const Port&) const = default;
};

}  // namespace dgtd::physics
