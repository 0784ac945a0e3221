#include "fdtd/sources/transverse_mode.hpp"

#include <fmt/format.h>

#include <Eigen/SparseLU>
#include <cmath>

#include "dgtd/base/error.hpp"
#include "dgtd/physics/guide_mode.hpp"

namespace dgtd::fdtd {

namespace {

using Matrix = Eigen::SparseMatrix<double>;
using Vector = Eigen::VectorXd;

// E of a free edge is a difference of the potential psi of a TE mode at the faces at both sides of the edge, of a TM or
// TEM mode at the nodes at its ends:
//   TE   E_1 =  (psi_above - psi_below) / dual_2,  E_2 = -(psi_above - psi_below) / dual_1
//   TM   E_w =  (psi_upper - psi_lower) / length_w
// Energy: sum over edges of E^2 area, with the area of primal times dual length, is psi^T S psi.
struct EdgeDifference {
  int axis, edge;     // of E: its axis and number
  int minus, plus;    // unknowns; -1: the potential is fixed
  double per_length;  // 1/m, with the sign above
  double area;        // m^2
};

struct Potentials {
  std::vector<int> unknown;             // [numbers] of faces or nodes; -1: none
  std::vector<int> number;              // [unknowns]
  std::vector<double> area;             // [unknowns] m^2, of the face or of the dual face around the node
  std::vector<EdgeDifference> edges;    // free ones
};

int add_unknown(Potentials& p, int number, double area) {
  int& unknown = p.unknown[std::size_t(number)];
  if (unknown < 0) {
    unknown = static_cast<int>(p.number.size());
    p.number.push_back(number);
    p.area.push_back(area);
  }
  return unknown;
}

// At faces. The rim is in conductors, so each free edge has a face at both sides.
Potentials potentials_of_faces(const CrossSection& s) {
  Potentials p;
  p.unknown.assign(s.numbers(), -1);
  for_free_edges(s, [&](int w, int i, int j, int n) {
    const int bi = w == 0 ? i : i - 1, bj = w == 0 ? j - 1 : j;  // of the face below
    const int below = add_unknown(p, s.number(bi, bj), s.length(0, bi) * s.length(1, bj)),
              above = add_unknown(p, n, s.length(0, i) * s.length(1, j));
    p.edges.push_back({w, n, below, above, (w == 0 ? 1 : -1) / s.dual_length(1 - w, w == 0 ? j : i),
                       s.area(w, i, j)});
  });
  return p;
}

// At nodes; in conductors the potential is fixed.
Potentials potentials_of_nodes(const CrossSection& s) {
  Potentials p;
  p.unknown.assign(s.numbers(), -1);
  const auto unknown_of = [&](int i, int j) {
    const int n = s.number(i, j);
    return s.node_is_free[std::size_t(n)] ? add_unknown(p, n, s.dual_length(0, i) * s.dual_length(1, j)) : -1;
  };
  for_free_edges(s, [&](int w, int i, int j, int n) {
    const int lower = unknown_of(i, j), upper = unknown_of(w == 0 ? i + 1 : i, w == 0 ? j : j + 1);
    p.edges.push_back({w, n, lower, upper, 1 / s.length(w, w == 0 ? i : j), s.area(w, i, j)});
  });
  return p;
}

Matrix stiffness_of(const Potentials& p) {
  std::vector<Eigen::Triplet<double>> entries;
  for (const EdgeDifference& e : p.edges) {
    const double weight = e.per_length * e.per_length * e.area;
    if (e.minus >= 0) entries.emplace_back(e.minus, e.minus, weight);
    if (e.plus >= 0) entries.emplace_back(e.plus, e.plus, weight);
    if (e.minus >= 0 && e.plus >= 0) entries.emplace_back(e.minus, e.plus, -weight), entries.emplace_back(e.plus, e.minus, -weight);
  }
  const auto n = static_cast<Eigen::Index>(p.number.size());
  Matrix matrix(n, n);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

// E of a potential, [unknowns] and [numbers] where it is fixed.
TransverseMode mode_of(const CrossSection& s, const Potentials& p, const Vector& psi, const std::vector<double>& fixed) {
  TransverseMode mode;
  for (auto& electric : mode.electric) electric.assign(s.numbers(), 0);
  mode.norm = 0;
  for (const EdgeDifference& e : p.edges) {
    const int lower = e.edge, upper = e.edge + (e.axis == 0 ? 1 : s.columns());
    const double minus = e.minus >= 0 ? psi(e.minus) : fixed.empty() ? 0 : fixed[std::size_t(lower)],
                 plus = e.plus >= 0 ? psi(e.plus) : fixed.empty() ? 0 : fixed[std::size_t(upper)];
    double& electric = mode.electric[std::size_t(e.axis)][std::size_t(e.edge)];
    electric = e.per_length * (plus - minus);
    mode.norm += electric * electric * e.area;
  }
  return mode;
}

// -- Waveguides ------------------------------------------------------------------------------------------------------

// The formula's potential at the unknowns. The axes of modes are in the order x, y, z, those of the section cyclic.
Vector formula_of(const CrossSection& s, const Potentials& p, const physics::Port& port, bool at_faces) {
  const bool turned = s.axes[0] > s.axes[1];
  double corner[2], size[2];
  for (const int w : {0, 1}) corner[w] = s.at[w].front(), size[w] = s.at[w].back() - corner[w];
  const double ordered[2] = {size[turned ? 1 : 0], size[turned ? 0 : 1]};
  Vector psi(static_cast<Eigen::Index>(p.number.size()));
  for (std::size_t n = 0; n < p.number.size(); ++n) {
    const int cell[2] = {p.number[n] % s.columns(), p.number[n] / s.columns()};
    double place[2];
    for (const int w : {0, 1})
      place[w] = s.at[w][std::size_t(cell[w])] + (at_faces ? 0.5 * s.length(w, cell[w]) : 0) - corner[w] - 0.5 * size[w];
    psi(static_cast<Eigen::Index>(n)) = physics::mode_potential(port.section, port.mode, ordered,
                                                                place[turned ? 1 : 0], place[turned ? 0 : 1]);
  }
  return psi;
}

// The eigenvector of A next to `start`, by iterations with the Rayleigh quotient as shift (B. N. Parlett, The Symmetric
// Eigenvalue Problem, sec. 4.6), which converge cubically. A formula that is an eigenvector already stays as it is.
double refine_eigenvector(const Matrix& a, Vector& x) {
  constexpr int most_iterations = 20;
  constexpr double precision = 1e-10;
  x.normalize();
  double value = 0;
  for (int n = 0; n < most_iterations; ++n) {
    const Vector image = a * x;
    value = x.dot(image);
    if ((image - value * x).norm() <= precision * value) break;
    Matrix shifted = a;
    shifted.diagonal().array() -= value;
    Eigen::SparseLU<Matrix> solver(shifted);
    if (solver.info() != Eigen::Success) break;  // the shift is the eigenvalue itself
    Vector next = solver.solve(x);
    next.normalize();
    x = next.dot(x) < 0 ? Vector(-next) : next;
  }
  return value;
}

TransverseMode waveguide_mode(const CrossSection& s, const physics::Port& port) {
  const bool te = port.mode.kind == physics::GuideMode::Kind::te;
  const Potentials p = te ? potentials_of_faces(s) : potentials_of_nodes(s);
  const auto refuse = [&](const char* why) {
    return Error(fmt::format("{}: mode {} {} {} {}", name_of_port(port), te ? "te" : "tm", port.mode.first,
                             port.mode.second, why));
  };
  if (p.number.size() < 2) throw refuse("needs more cells of the grid in the port's size");
  Vector root(static_cast<Eigen::Index>(p.area.size()));
  for (std::size_t n = 0; n < p.area.size(); ++n) root(static_cast<Eigen::Index>(n)) = std::sqrt(p.area[n]);
  // S psi = k_c^2 M psi, with x = M^1/2 psi
  const Vector inverse = root.cwiseInverse();
  const Matrix a = inverse.asDiagonal() * stiffness_of(p) * inverse.asDiagonal();
  Vector x = root.cwiseProduct(formula_of(s, p, port, te));
  if (x.norm() == 0) throw refuse("needs more cells of the grid in the port's size");
  const Vector start = x.normalized();
  const double cut_off_square = refine_eigenvector(a, x);
  // The conductors have the mode of another section: half of its power.
  constexpr double least_likeness = 0.7;
  if (!(x.dot(start) > least_likeness) || !(cut_off_square > 0))
    throw refuse(
        "is not one of the conductors in the port's plane; its size must be that of a hollow guide of this section");
  TransverseMode mode = mode_of(s, p, inverse.cwiseProduct(x), {});
  for (auto& electric : mode.electric)
    for (double& value : electric) value /= std::sqrt(mode.norm);
  mode.norm = 1;
  mode.cut_off_square = cut_off_square;
  mode.is_transverse_electric = te;
  return mode;
}

// -- Coax ------------------------------------------------------------------------------------------------------------

// Numbers of the conductors that nodes belong to, [numbers]; -1: none. Edges in metal connect nodes. The one that has
// the rim is 0.
std::vector<int> conductors_of(const CrossSection& s, int& conductors) {
  constexpr int none = -1, unknown = -2;
  std::vector<int> conductor(s.numbers(), none);
  for (std::size_t n = 0; n < conductor.size(); ++n)
    if (!s.node_is_free[n]) conductor[n] = unknown;
  conductors = 0;
  std::vector<int> open;
  for (std::size_t start = 0; start < conductor.size(); ++start) {  // the first node is on the rim
    if (conductor[start] != unknown) continue;
    conductor[start] = conductors;
    for (open = {static_cast<int>(start)}; !open.empty();) {
      const int n = open.back(), i = n % s.columns(), j = n / s.columns();
      open.pop_back();
      const auto reach = [&](int w, int edge, int other) {
        if (s.is_free[w][std::size_t(edge)] || conductor[std::size_t(other)] != unknown) return;
        conductor[std::size_t(other)] = conductors;
        open.push_back(other);
      };
      if (i > 0) reach(0, n - 1, n - 1);
      if (i + 1 < s.nodes(0)) reach(0, n, n + 1);
      if (j > 0) reach(1, n - s.columns(), n - s.columns());
      if (j + 1 < s.nodes(1)) reach(1, n, n + s.columns());
    }
    ++conductors;
  }
  return conductor;
}

// E = -grad phi, with phi = 1 V on the inner conductor, 0 on the outer one and lap phi = 0 between them.
TransverseMode coax_mode(const CrossSection& s, const physics::Port& port) {
  int conductors = 0;
  const std::vector<int> conductor = conductors_of(s, conductors);
  if (conductors != 2)
    throw Error(fmt::format("{}: type = coax needs two conductors in the port's plane, one at its rim and one inside; "
                            "there {} {}",
                            name_of_port(port), conductors == 1 ? "is" : "are", conductors));
  std::vector<double> fixed(s.numbers(), 0);
  for (std::size_t n = 0; n < fixed.size(); ++n) fixed[n] = conductor[n] == 1 ? 1 : 0;
  const Potentials p = potentials_of_nodes(s);
  Vector right = Vector::Zero(static_cast<Eigen::Index>(p.number.size()));
  for (const EdgeDifference& e : p.edges) {
    const int upper = e.edge + (e.axis == 0 ? 1 : s.columns());
    const double weight = e.per_length * e.per_length * e.area;
    if (e.minus >= 0 && e.plus < 0) right(e.minus) += weight * fixed[std::size_t(upper)];
    if (e.plus >= 0 && e.minus < 0) right(e.plus) += weight * fixed[std::size_t(e.edge)];
  }
  Vector psi;
  if (!p.number.empty()) psi = Eigen::SparseLU<Matrix>(stiffness_of(p)).solve(right);
  TransverseMode mode = mode_of(s, p, psi, fixed);
  for (auto& electric : mode.electric)
    for (double& value : electric) value = -value;
  return mode;
}

}  // namespace

TransverseMode transverse_mode(const CrossSection& section, const physics::Port& port) {
  return port.type == physics::Port::Type::coax ? coax_mode(section, port) : waveguide_mode(section, port);
}

}  // namespace dgtd::fdtd
