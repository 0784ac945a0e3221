#pragma once
// Materials of a Cartesian grid, and the medium of each component of E.
#include <array>
#include <cstddef>
#include <vector>

#include "dgtd/base/vec3.hpp"
#include "dgtd/physics/medium.hpp"

namespace dgtd::grid {

/// The medium of one field component: a material, a mixture of two without poles, or two in series.
struct LocalMedium {
  int material = 0;  // whose poles it has; of a mixture the first
  double permittivity = 1, conductivity = 0;
  int second = -1;  // material in series with the first (fdtd/kernels/series_update.hpp); -1: none
  double share_of_second = 0;
};

/// Components of E along one axis in a box of cells. Where spacings change, a place is not the centre of its cell.
struct ComponentBox {
  int axis = 0;
  std::array<int, 3> count{};                     // along x, y, z
  std::array<const double*, 3> place{};           // [count] m, rising
  std::array<const double*, 3> centre{}, size{};  // [count] of the cell around each, m

  std::size_t components() const { return std::size_t(count[0]) * std::size_t(count[1]) * std::size_t(count[2]); }
};

/// Some components of a box of them.
struct ComponentRange {
  std::array<int, 3> first{}, end{};  // along x, y, z

  bool empty() const { return first[0] >= end[0] || first[1] >= end[1] || first[2] >= end[2]; }
};

/// Materials at places of the grid. Thread-safe.
class Media {
 public:
  virtual ~Media() = default;
  /// The material that fills the box centre +- size/2 (m), or -1 where more than one may.
  virtual int filling(const Vec3& centre, const Vec3& size) const = 0;
  /// Medium of the E component along an axis at a place (m), in the cell centre +- size/2 around it. Where spacings
  /// change, the place is not the centre.
  virtual LocalMedium electric(const Vec3& place, const Vec3& centre, const Vec3& size, int axis) const = 0;
  /// Media that are no materials, all components of a box at once. False where one of them has a material's medium or
  /// may have one; else relative permittivities [z][y][x] without losses and poles, bit by bit those of electric().
  virtual bool permittivities(const ComponentBox&, double*) const { return false; }
  /// The components of a box in the array of permittivities that is in front of all others with any of them: all of
  /// permittivities(), which the others may have of an array behind it. Empty: none is in an array.
  virtual ComponentRange part_in_array(const ComponentBox&) const { return {}; }
  /// As filling(), of components that are in no array of permittivities.
  virtual int filling_behind_arrays(const Vec3& centre, const Vec3& size) const { return filling(centre, size); }
  /// The permittivity that permittivities() would give all components of a box; 0: none, or several.
  virtual double common_permittivity(const ComponentBox&) const { return 0; }
  /// The material at a point, m (H components take theirs there).
  virtual int material_at(const Vec3& x) const = 0;
};

}  // namespace dgtd::grid
