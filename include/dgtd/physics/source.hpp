#pragma once
// Sources of the fields.
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "dgtd/base/origin.hpp"
#include "dgtd/base/vec3.hpp"
#include "dgtd/physics/waveform.hpp"

namespace dgtd::physics {

/// exp(i k . (x - origin)), of complex fields between Bloch sides.
struct BlochPhase {
  Vec3 wave_vector, origin;  // rad/m; m
  bool operator==(const BlochPhase&) const = default;
};

struct Source {
  enum class Type { dipole, plane_wave, sheet, gaussian_beam, hard };
  /// Places of the values of a NumPy profile: at the centres of equal cells that fill the sheet, or each at the place
  /// of its component in one cell of the grid.
  enum class ProfilePoints { even, grid };
  std::string name;
  Type type = Type::dipole;
  Vec3 position;      // dipole, hard: m; plane-wave: point where the phase is zero, m
  Vec3 direction;     // dipole: of the current; hard: of E, along an axis; waves: of propagation. Unit length; 0 for a
                      // sheet that launches to both sides
  Vec3 polarisation;  // waves: of E. Unit length, normal to direction (sheet: in its plane)
  std::optional<double> radius;  // dipole: that the current is spread over, m; 0: a point; absent: 2.5 times the mean
                                 // edge of its element, at most 0.4 wavelengths
  double moment = 1e-3;          // dipole: current times length, A m, peak
  double length = 0;             // dipole: of the current's line, m; 0: a point
  double amplitude = 1;          // waves, hard: V/m, peak; of a beam at its focus
  std::optional<Vec3> box_min, box_max;  // plane-wave: corners of the total-field box, m
  std::vector<std::string> total_field;  // plane-wave on tetrahedra: the volume groups that have it, in place of a box
  Vec3 centre{0, 0, 0};                  // sheet: m
  Vec3 size{0, 0, 0};                    // sheet: m, exactly one is 0, that of its normal
  std::filesystem::path profile;         // sheet: text or NumPy file (sheet_profile.hpp,
                                         // field_profile.hpp); empty: uniform
  ProfilePoints profile_points = ProfilePoints::even;
  std::optional<double> effective_index;  // sheet with a NumPy profile: of the mode; absent: that of the background
  double waist = 0;                       // gaussian-beam: radius at the focus where E is 1/e of the axis', m
  Vec3 focus{0, 0, 0};                    // gaussian-beam: m
  std::optional<double>
      plane;  // gaussian-beam: where the plane that launches it cuts the axis nearest to its direction, m
  std::optional<BlochPhase> phase;  // sheet, plane-wave on tetrahedra: set by the program of complex fields
  Waveform waveform;
  Origin origin;

  /// Whether a plane wave has a total field in a part of the domain.
  bool has_total_field() const { return box_min.has_value() || !total_field.empty(); }
  bool operator==(const Source&) const = default;
};

}  // namespace dgtd::physics
