#pragma once
// Amplitudes that a current sheet launches from each of its points, read from a text file.
#include <filesystem>
#include <vector>

namespace dgtd::physics {

struct SheetProfile {
  std::vector<double> u, v;              // ascending, m from the sheet's centre
  std::vector<double> amplitude, delay;  // [v][u] factor of the sheet's amplitude; s

  struct Value {
    double amplitude, delay;
  };
  /// Bilinear between the points, zero outside.
  Value at(double u, double v) const;
};

/// Lines "u v amplitude [delay]" with blanks or commas, # for comments; the first line may name the columns, and calls
/// the fourth delay (s) or phase (rad, of cos(w t - phase)). The points fill a rectangular lattice, in any order.
/// angular_frequency: rad/s, of the phases. Throws Error (bad_input) with file and line.
SheetProfile read_sheet_profile(const std::filesystem::path& file, double angular_frequency);

}  // namespace dgtd::physics
