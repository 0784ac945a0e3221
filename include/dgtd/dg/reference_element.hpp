#pragma once
// The Bernstein-Bezier element in dense double precision, for set-up, monitors and output: evaluation,
// mass matrix, quadrature, projection. The time step uses the sparse operators of operators.hpp.
#include <array>
#include <vector>

namespace dgtd::dg {

using Barycentric = std::array<double, 4>;

/// Values of the Np basis functions of degree p at a point.
std::vector<double> bernstein_values(int p, const Barycentric& point);
/// The same on a triangle, point given by its three barycentric coordinates.
std::vector<double> bernstein_triangle_values(int p, const std::array<double, 3>& point);

/// [Np][Np], row by row: integral of B_a B_b over the reference tetrahedron (volume 1/6).
std::vector<double> mass_matrix(int p);
/// [Nf][Nf] over the reference triangle (area 1/2).
std::vector<double> triangle_mass_matrix(int p);
/// Inverse of a symmetric positive definite matrix [n][n].
std::vector<double> inverse(const std::vector<double>& matrix, int n);

/// Quadrature, exact to degree 2 n - 1: collapsed Gauss-Jacobi with n points an axis.
struct Quadrature {
  std::vector<Barycentric> points;
  std::vector<double> weights;  // sum 1/6
};
Quadrature tetrahedron_quadrature(int n);
struct TriangleQuadrature {
  std::vector<std::array<double, 3>> points;
  std::vector<double> weights;  // sum 1/2
};
TriangleQuadrature triangle_quadrature(int n);

/// [Np][points]: coefficients of the L2 projection from values at the quadrature points.
std::vector<double> projection_matrix(int p, const Quadrature& quadrature);
/// [Nf][Nf points]: coefficients of the interpolant from values at the points i/p of the triangle, in
/// the order of Bernstein<p>::face_exponents.
std::vector<double> triangle_interpolation_matrix(int p);

}  // namespace dgtd::dg
