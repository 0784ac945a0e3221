#pragma once
// The mode of a guide whose cross-section is given by triangles, with straight or curved edges: the potential psi of a TE,
// TM or TEM mode by (isoparametric) finite elements of the Bernstein basis, continuous from triangle to triangle,
//   TE: E_t = curl (psi z), n . grad psi = 0 on the wall;  TM: E_t = grad psi, psi = 0 on the wall;  -lap psi = k_c^2 psi
//   TEM: E_t = -grad psi, psi = 1 V on the inner conductor and 0 on the outer one;  lap psi = 0.
// (D. M. Pozar, Microwave Engineering, 4th ed., ch. 3.)
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "dgtd/parallel/communicator.hpp"
#include "dgtd/physics/port.hpp"
#include "section_triangles.hpp"

namespace dgtd::dg {

class SectionMode {
 public:
  /// The mode of a port from the triangles and the edges on perfect conductors that each rank has, in any order; the
  /// same to the bit on any ranks. degree: of psi. Collective. Throws Error (bad_input) where the triangles do not end
  /// in conductors, for numbers of conductors that the port's mode does not have, and for modes of other sections.
  SectionMode(const physics::Port& port, int degree, const std::vector<SectionTriangle>& triangles,
              const std::vector<SectionEdge>& walls, const parallel::Communicator& comm);

  /// E of 1 V at a place, m, along an axis (0, 1) of the plane, 1/m.
  double electric(double u, double v, int axis) const;
  /// Whether E has a component along an axis.
  bool has(int axis) const { return largest_[axis] > 1e-9 * (largest_[0] + largest_[1]); }
  double area() const { return area_; }  // m^2
  double norm() const { return norm_; }  // integral of E^2 of 1 V: 1 for waveguides
  double cut_off_square() const { return cut_off_square_; }  // k_c^2, (rad/m)^2
  bool is_transverse_electric() const { return is_transverse_electric_; }

 private:
  /// E of 1 V at a point of a triangle, 1/m.
  std::array<double, 2> electric_in(std::size_t triangle, const std::array<double, 3>& barycentric) const;

  int degree_;                            // of psi
  SectionTriangles triangles_;
  std::vector<double> derivatives_;       // [triangles][3][nodes of degree - 1] of psi by barycentric coordinates, 1
  double norm_ = 0, cut_off_square_ = 0, area_ = 0, largest_[2] = {};
  bool is_transverse_electric_ = false, is_curl_ = false;  // is_curl_: E is curl (psi z), else its sign times grad psi
};

}  // namespace dgtd::dg
