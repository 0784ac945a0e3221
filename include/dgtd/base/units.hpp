#pragma once
// Numbers with fitting units for people: 32 fs, 1.5 mm, 1.8 GHz. Files for programs have SI units instead.
#include <string>
#include <string_view>

namespace dgtd::units {

struct Unit {
  std::string_view name;
  double size = 1;  // in SI units
};

/// The largest unit of the quantity in which a value of this size (SI, either sign) is at least 1, to rounding; the
/// smallest one for less, the SI unit for 0 and for what is no number.
Unit time(double seconds);         // s, ms, us, ns, ps, fs, as
Unit length(double metres);        // m, mm, um, nm, pm
Unit frequency(double hertz);      // THz, GHz, MHz, kHz, Hz
Unit power(double watts);          // W, mW, uW, nW, pW
Unit for_places(double farthest);  // of a table of places up to so many metres away: 0.15 m is 150.0 mm

/// "32 fs": a value with its unit, in so many significant digits.
std::string time_text(double seconds, int digits = 4);
std::string length_text(double metres, int digits = 4);
std::string frequency_text(double hertz, int digits = 4);
std::string power_text(double watts, int digits = 4);
/// "1.5 kB", "2.0 MB", "3.14 GB": a size of a file or of memory.
std::string size_text(double bytes);

/// The unit at the end of a name of results: "V/m" of Ex_V_per_m, "J/Hz" of outward_energy_J_per_Hz, empty without one.
std::string at_end(std::string_view name);

}  // namespace dgtd::units
