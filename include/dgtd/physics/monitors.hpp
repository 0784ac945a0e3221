#pragma once
// Regions in which spectra are measured.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dgtd/base/origin.hpp"
#include "dgtd/base/vec3.hpp"

namespace dgtd::physics {

/// Power spectrum through a plane or out of a closed box.
struct Flux {  // fdtd methods, dgtd
  enum class Type { box, plane };
  std::string name;
  Type type = Type::box;
  Vec3 centre{0, 0, 0};             // m
  Vec3 size{0, 0, 0};               // m; plane: exactly one is 0, that of the normal
  std::vector<double> frequencies;  // Hz, ascending
  Origin origin;
  bool scattered = false;  // also that of the fields less those of a reference run, or this run is one
  bool orders = false;     // of a plane: also that of each diffraction order

  bool operator==(const Flux&) const = default;
};

/// Spectra of the fields in a region.
struct Monitor {  // fdtd methods, dgtd
  using Type = Flux::Type;
  std::string name;
  Type type = Type::box;
  Vec3 centre{0, 0, 0};                       // m
  Vec3 size{0, 0, 0};                         // m; plane: exactly one is 0, that of the normal
  std::vector<double> frequencies;            // Hz, ascending
  std::vector<std::string> fields{"E", "H"};  // of E, H
  std::optional<double> spacing;              // on tetrahedra: of the samples, m; absent: chosen
  Origin origin;

  bool keeps(std::string_view field) const {
    for (const auto& f : fields)
      if (f == field) return true;
    return false;
  }

  bool operator==(const Monitor&) const = default;
};

/// Far field from the fields on a closed box.
struct FarField {  // fdtd3d, dgtd
  enum class Side { none, xmin, xmax, ymin, ymax, zmin, zmax };
  std::string name;
  Vec3 centre{0, 0, 0};             // m
  Vec3 size{0, 0, 0};               // m
  std::vector<double> frequencies;  // Hz, ascending
  int theta = 37;                   // directions from 0 to 180 degrees, both ends
  int phi = 36;                     // from 0 to below 360 degrees
  Side ground = Side::none;         // the mirror (pec, pmc) that is a ground, below which there is no field
  Origin origin;

  bool operator==(const FarField&) const = default;
};

/// Fields of cells in a box at chosen times.
struct Snapshot {  // fdtd methods, dgtd
  std::string name;
  Vec3 centre{0, 0, 0};                  // m
  std::optional<Vec3> size;              // m; absent: the whole grid or mesh
  std::vector<double> times;             // s; rounded to steps
  std::vector<std::string> fields{"E"};  // of E, H
  std::vector<std::string> files{"vtk"};  // of vtk, npy
  bool phasor = false;                   // from a second one a quarter of a period later
  std::optional<double> spacing;         // on tetrahedra: of the samples, m; absent: chosen
  Origin origin;

  bool operator==(const Snapshot&) const = default;
};

}  // namespace dgtd::physics
