#pragma once
// Complex fields that a current sheet launches from each of its points, read from a NumPy file.
#include <complex>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "dgtd/physics/source.hpp"

namespace dgtd::physics {

/// Phasors with exp(-i w t), along the sheet's two axes u and v in the order x, y, z.
struct FieldProfile {
  enum class Content {
    factor,    // of the amplitude of E along the polarisation
    electric,  // E_u, E_v
    both       // E_u, E_v, H_u, H_v
  };
  Content content = Content::factor;
  std::size_t points[2] = {0, 0};            // along u and v
  std::vector<std::complex<double>> values;  // [component][u][v] V/m, H times the impedance of vacuum

  /// Value of a component at point (i, j); zero outside.
  std::complex<double> at_point(int component, std::int64_t i, std::int64_t j) const;
  /// Bilinear, in units of the points' distances from the sheet's lower corner: point i is at i + 1/2. Values at the
  /// rim hold as far as the sheet's edge; zero outside.
  std::complex<double> between(int component, double u, double v) const;
};

/// A NumPy file of shape u x v (a factor), 2 x u x v (E_u, E_v, V/m) or 4 x u x v (E_u, E_v, V/m, H_u, H_v, A/m), real
/// or complex. Throws Error (bad_input) that names the file.
FieldProfile read_field_profile(const std::filesystem::path& file);

/// Throws Error (bad_input) where the keys of a sheet do not fit its profile.
void check_profile(const Source& sheet, const FieldProfile& profile);

}  // namespace dgtd::physics
