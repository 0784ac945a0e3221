#include "section_mode.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include <Eigen/SparseLU>

#include "dgtd/dg/bernstein.hpp"
#include "dgtd/dg/reference_element.hpp"
#include "dgtd/parallel/root_or_throw.hpp"
#include "dgtd/physics/guide_mode.hpp"
#include "port_error.hpp"

namespace dgtd::dg {

namespace {

using Matrix = Eigen::SparseMatrix<double>;
using Vector = Eigen::VectorXd;
using Exponents = std::array<int, 3>;

std::vector<Exponents> triangle_exponents(int degree) {
  std::vector<Exponents> list(static_cast<std::size_t>(triangle_nodes(degree)));
  for (int b2 = 0; b2 <= degree; ++b2)
    for (int b1 = 0; b1 + b2 <= degree; ++b1) {
      const Exponents b{degree - b1 - b2, b1, b2};
      list[static_cast<std::size_t>(triangle_index(b))] = b;
    }
  return list;
}

/// Unknowns of psi: a coefficient belongs to the vertices of which it has exponents.
struct PotentialSpace {
  int degree = 1, nodes = 3;
  std::vector<Exponents> exponents;                       // [nodes]
  std::vector<int> unknown;                               // [triangles][nodes]
  std::map<std::array<std::int64_t, 6>, int> number;      // of (vertex, exponent) pairs

  static std::array<std::int64_t, 6> key_of(const std::array<std::int64_t, 3>& corners, const Exponents& b) {
    std::array<std::int64_t, 6> key{};
    int at = 0;
    for (int i = 0; i < 3; ++i)
      if (b[i] > 0) key[at++] = corners[i], key[at++] = b[i];
    return key;
  }
  PotentialSpace(int degree_of_psi, const std::vector<SectionTriangle>& triangles)
      : degree(degree_of_psi), nodes(triangle_nodes(degree_of_psi)), exponents(triangle_exponents(degree_of_psi)) {
    for (const SectionTriangle& t : triangles)
      for (const Exponents& b : exponents)
        unknown.push_back(number.try_emplace(key_of(t.corners, b), static_cast<int>(number.size())).first->second);
  }
  int size() const { return static_cast<int>(number.size()); }
  int of(std::size_t triangle, int node) const { return unknown[triangle * std::size_t(nodes) + std::size_t(node)]; }
};

/// Matrices [unknowns][unknowns]: integrals of grad B_a . grad B_b, and of B_a B_b in m^2.
struct PotentialMatrices {
  Matrix stiffness, mass;
};

/// [nodes][nodes] of one triangle.
struct TriangleMatrices {
  std::vector<double> stiffness, mass;

  explicit TriangleMatrices(std::size_t nodes) : stiffness(nodes * nodes), mass(nodes * nodes) {}
};

// grad B_a = k sum_i (grad l_i) B_{a - e_i}
TriangleMatrices straight_matrices(const PotentialSpace& space, const SectionTriangle& triangle) {
  const int k = space.degree, lower = triangle_nodes(k - 1);
  const auto nodes = static_cast<std::size_t>(space.nodes);
  const auto lower_mass = triangle_mass_matrix(k - 1);
  const TriangleShape shape(triangle, {1, 0, 0});
  const double area = std::abs(shape.twice_area);
  TriangleMatrices m(nodes);
  m.mass = triangle_mass_matrix(k);
  for (double& value : m.mass) value *= area;
  for (std::size_t a = 0; a < nodes; ++a)
    for (std::size_t b = 0; b < nodes; ++b) {
      double sum = 0;
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) {
          Exponents from = space.exponents[a], to = space.exponents[b];
          if (from[i]-- == 0 || to[j]-- == 0) continue;
          const auto &g = shape.gradient[i], &h = shape.gradient[j];
          sum += (g[0] * h[0] + g[1] * h[1]) * lower_mass[std::size_t(triangle_index(from) * lower + triangle_index(to))];
        }
      m.stiffness[a * nodes + b] = k * k * area * sum;
    }
  return m;
}

// By a quadrature, since the gradients are no polynomials.
TriangleMatrices curved_matrices(const PotentialSpace& space, const SectionTriangle& triangle) {
  constexpr int more_points = 4;  // than products of polynomials alone need, along a side
  const TriangleQuadrature rule = triangle_quadrature(space.degree + more_points);
  const auto nodes = static_cast<std::size_t>(space.nodes);
  TriangleMatrices m(nodes);
  for (std::size_t q = 0; q < rule.points.size(); ++q) {
    const TriangleShape shape(triangle, rule.points[q]);
    const double weight = rule.weights[q] * std::abs(shape.twice_area);
    const auto values = bernstein_triangle_values(space.degree, rule.points[q]),
               lower = bernstein_triangle_values(space.degree - 1, rule.points[q]);
    std::vector<std::array<double, 2>> gradients(nodes);
    for (std::size_t a = 0; a < nodes; ++a)
      for (std::size_t i = 0; i < 3; ++i) {
        Exponents b = space.exponents[a];
        if (b[i]-- == 0) continue;
        for (std::size_t w = 0; w < 2; ++w)
          gradients[a][w] += space.degree * shape.gradient[i][w] * lower[std::size_t(triangle_index(b))];
      }
    for (std::size_t a = 0; a < nodes; ++a)
      for (std::size_t b = 0; b < nodes; ++b) {
        m.stiffness[a * nodes + b] += weight * (gradients[a][0] * gradients[b][0] + gradients[a][1] * gradients[b][1]);
        m.mass[a * nodes + b] += weight * values[a] * values[b];
      }
  }
  return m;
}

PotentialMatrices matrices_of(const PotentialSpace& space, const std::vector<SectionTriangle>& triangles) {
  std::vector<Eigen::Triplet<double>> of_stiffness, of_mass;
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const bool straight = triangles[t].is_straight();
    const TriangleMatrices m = straight ? straight_matrices(space, triangles[t]) : curved_matrices(space, triangles[t]);
    for (int a = 0, at = 0; a < space.nodes; ++a)
      for (int b = 0; b < space.nodes; ++b, ++at) {
        of_stiffness.emplace_back(space.of(t, a), space.of(t, b), m.stiffness[std::size_t(at)]);
        of_mass.emplace_back(space.of(t, a), space.of(t, b), m.mass[std::size_t(at)]);
      }
  }
  PotentialMatrices m{Matrix(space.size(), space.size()), Matrix(space.size(), space.size())};
  m.stiffness.setFromTriplets(of_stiffness.begin(), of_stiffness.end());
  m.mass.setFromTriplets(of_mass.begin(), of_mass.end());
  return m;
}

/// The conductors of the rim: edges that one triangle alone has.
struct SectionRim {
  std::vector<std::int64_t> vertices;  // ascending
  std::vector<int> conductor;          // [vertices]
  std::vector<SectionEdge> edges;
  std::size_t conductors = 0;  // the outer one has the number 0

  int of(std::int64_t vertex) const {
    const auto found = std::lower_bound(vertices.begin(), vertices.end(), vertex);
    return found != vertices.end() && *found == vertex ? conductor[std::size_t(found - vertices.begin())] : -1;
  }
};

using Places = std::map<std::int64_t, std::array<double, 2>>;  // of vertices, m

[[noreturn]] void refuse_rim(const physics::Port& port, const SectionEdge& edge, const Places& places) {
  int normal = 0;
  for (int a = 0; a < 3; ++a)
    if (port.direction[a] != 0) normal = a;
  Vec3 x;
  x[normal] = port.centre[normal];
  for (const int w : {0, 1})
    x[(normal + 1 + w) % 3] = 0.5 * (places.at(edge[0])[std::size_t(w)] + places.at(edge[1])[std::size_t(w)]);
  refuse_port(port, fmt::format("its rim at {:.6g} {:.6g} {:.6g} m is not in a perfect conductor; the size must be that "
                                "of a guide with walls of metal (a side of type pec, or a body), and faces of the mesh "
                                "must fill it",
                                x.x, x.y, x.z));
}

SectionRim rim_of(const physics::Port& port, const std::vector<SectionTriangle>& triangles,
                  std::vector<SectionEdge> walls, const Places& places) {
  std::map<SectionEdge, int> of_edges;
  for (const SectionTriangle& t : triangles)
    for (const auto& [i, j] : {std::pair{0, 1}, std::pair{0, 2}, std::pair{1, 2}})
      ++of_edges[{t.corners[std::size_t(i)], t.corners[std::size_t(j)]}];
  std::sort(walls.begin(), walls.end());
  SectionRim rim;
  for (const auto& [edge, count] : of_edges) {
    if (count != 1) continue;
    if (!std::binary_search(walls.begin(), walls.end(), edge)) refuse_rim(port, edge, places);
    rim.edges.push_back(edge);
    rim.vertices.insert(rim.vertices.end(), edge.begin(), edge.end());
  }
  std::sort(rim.vertices.begin(), rim.vertices.end());
  rim.vertices.erase(std::unique(rim.vertices.begin(), rim.vertices.end()), rim.vertices.end());
  // Numbers spread along edges until none changes.
  rim.conductor.resize(rim.vertices.size());
  std::iota(rim.conductor.begin(), rim.conductor.end(), 0);
  const auto place = [&](std::int64_t v) {
    return std::size_t(std::lower_bound(rim.vertices.begin(), rim.vertices.end(), v) - rim.vertices.begin());
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const SectionEdge& e : rim.edges) {
      int &a = rim.conductor[place(e[0])], &b = rim.conductor[place(e[1])];
      changed = changed || a != b;
      a = b = std::min(a, b);
    }
  }
  // The outer one reaches furthest along the first axis.
  std::size_t furthest = 0;
  for (std::size_t i = 0; i < rim.vertices.size(); ++i)
    if (places.at(rim.vertices[i])[0] < places.at(rim.vertices[furthest])[0]) furthest = i;
  std::map<int, int> renumbered;
  if (!rim.vertices.empty()) renumbered[rim.conductor[furthest]] = 0;
  for (int& c : rim.conductor) c = renumbered.try_emplace(c, static_cast<int>(renumbered.size())).first->second;
  rim.conductors = renumbered.size();
  return rim;
}

/// Fixes psi on the rim: [unknowns] its value, NaN where it is free.
std::vector<double> fixed_on_rim(const PotentialSpace& space, const SectionRim& rim) {
  std::vector<double> values(std::size_t(space.size()), std::numeric_limits<double>::quiet_NaN());
  const auto fix = [&](const std::array<std::int64_t, 3>& corners, const Exponents& b, double value) {
    values[std::size_t(space.number.at(PotentialSpace::key_of(corners, b)))] = value;
  };
  for (const SectionEdge& e : rim.edges)
    for (int i = 0; i <= space.degree; ++i)
      fix({e[0], e[1], 0}, {space.degree - i, i, 0}, rim.of(e[0]) == 0 ? 0 : 1);
  return values;
}

/// Free unknowns alone: rows and columns of a matrix, and what fixed ones add, -(A fixed).
struct FreeSystem {
  std::vector<int> place;  // [unknowns] -1: fixed
  int size = 0;

  explicit FreeSystem(const std::vector<double>& fixed) {
    for (const double value : fixed) place.push_back(std::isnan(value) ? size++ : -1);
  }
  Matrix rows_of(const Matrix& a) const {
    std::vector<Eigen::Triplet<double>> list;
    for (int c = 0; c < a.outerSize(); ++c)
      for (Matrix::InnerIterator at(a, c); at; ++at)
        if (place[std::size_t(at.row())] >= 0 && place[std::size_t(c)] >= 0)
          list.emplace_back(place[std::size_t(at.row())], place[std::size_t(c)], at.value());
    Matrix part(size, size);
    part.setFromTriplets(list.begin(), list.end());
    return part;
  }
  Vector right_of(const Matrix& a, const std::vector<double>& fixed) const {
    Vector right = Vector::Zero(size);
    for (int c = 0; c < a.outerSize(); ++c)
      for (Matrix::InnerIterator at(a, c); at; ++at)
        if (place[std::size_t(at.row())] >= 0 && place[std::size_t(c)] < 0)
          right(place[std::size_t(at.row())]) -= at.value() * fixed[std::size_t(c)];
    return right;
  }
};

/// psi by the formula for the guide that the triangles fill, as coefficients.
Vector interpolated_formula(const physics::Port& port, const PotentialSpace& space,
                            const std::vector<SectionTriangle>& triangles) {
  const bool turned = port.direction[1] != 0;  // the axes that follow y are z and x
  double low[2] = {1e300, 1e300}, high[2] = {-1e300, -1e300};
  for (const SectionTriangle& t : triangles)
    for (const auto& x : t.at)
      for (const int w : {0, 1}) {
        low[w] = std::min(low[w], x[std::size_t(w)]);
        high[w] = std::max(high[w], x[std::size_t(w)]);
      }
  const int first = turned ? 1 : 0, second = turned ? 0 : 1;
  const double ordered[2] = {high[first] - low[first], high[second] - low[second]};
  const auto interpolation = triangle_interpolation_matrix(space.degree);
  Vector psi = Vector::Zero(space.size());
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    std::vector<double> values;
    for (const Exponents& b : space.exponents) {
      const double k = space.degree;
      std::array<double, 2> x = point_of_triangle(triangles[t], {b[0] / k, b[1] / k, b[2] / k});
      for (std::size_t w = 0; w < 2; ++w) x[w] -= 0.5 * (low[w] + high[w]);
      values.push_back(physics::mode_potential(port.section, port.mode, ordered, x[first], x[second]));
    }
    for (int a = 0; a < space.nodes; ++a) {
      double sum = 0;
      for (int b = 0; b < space.nodes; ++b) sum += interpolation[std::size_t(a * space.nodes + b)] * values[std::size_t(b)];
      psi(space.of(t, a)) = sum;
    }
  }
  return psi;
}

/// S x = value M x next to x, by iterations with the Rayleigh quotient as shift (B. N. Parlett, The Symmetric Eigenvalue
/// Problem, sec. 4.6). x: with x^T M x = 1. Returns the eigenvalue.
double nearest_eigenvector(const Matrix& stiffness, const Matrix& mass, Vector& x) {
  constexpr int most_iterations = 20;
  constexpr double precision = 1e-12;
  x /= std::sqrt(x.dot(mass * x));
  double value = x.dot(stiffness * x);
  for (int n = 0; n < most_iterations; ++n) {
    const Vector of_mass = mass * x;
    Eigen::SparseLU<Matrix> solver(Matrix(stiffness - value * mass));
    if (solver.info() != Eigen::Success) break;  // the shift is the eigenvalue itself
    Vector next = solver.solve(of_mass);
    if (!next.allFinite()) break;
    next /= std::sqrt(next.dot(mass * next));
    x = next.dot(of_mass) < 0 ? Vector(-next) : next;
    const double before = value;
    value = x.dot(stiffness * x);
    if (std::abs(value - before) <= precision * value) break;
  }
  return value;
}

/// Two modes of one cut-off, such as the polarisations of TE11 in a circle, have cut-offs that differ by the error of
/// the mesh, and an orientation that depends on its triangles. What the first one, x, lacks of the wanted mode is in
/// the second one, so the mode is the part of `start` in the plane of both, whose Rayleigh quotient is between their
/// eigenvalues. start, x: with x^T M x = 1.
void add_degenerate_part(const Matrix& stiffness, const Matrix& mass, const Vector& start, Vector& x, double& value) {
  constexpr double least_part = 0.02;     // of `start`; less is the error of a formula between nodes
  constexpr double largest_split = 0.02;  // of the eigenvalues, relative; modes that differ by more are no pair
  const double of_first = start.dot(mass * x);
  Vector second = start - of_first * x;
  if (second.dot(mass * second) < least_part * least_part) return;
  const double other = nearest_eigenvector(stiffness, mass, second);
  second -= second.dot(mass * x) * x;
  const double left = std::sqrt(second.dot(mass * second));
  if (!(std::abs(other - value) <= largest_split * value) || !(left > 0.5)) return;  // another mode, or the first again
  second /= left;
  x = of_first * x + start.dot(mass * second) * second;
  x /= std::sqrt(x.dot(mass * x));
  value = x.dot(stiffness * x);
}

struct SolvedPotential {
  Vector psi;
  double cut_off_square = 0;
};

SolvedPotential solve_waveguide(const physics::Port& port, const PotentialSpace& space, const PotentialMatrices& all,
                                const std::vector<SectionTriangle>& triangles, const SectionRim& rim) {
  const bool te = port.mode.kind == physics::GuideMode::Kind::te;
  std::vector<double> fixed(std::size_t(space.size()), std::numeric_limits<double>::quiet_NaN());
  if (!te) fixed = fixed_on_rim(space, rim);
  const FreeSystem system(fixed);
  const Vector formula = interpolated_formula(port, space, triangles);
  Vector x(system.size);
  for (int i = 0; i < space.size(); ++i)
    if (system.place[std::size_t(i)] >= 0) x(system.place[std::size_t(i)]) = formula(i);
  const Matrix stiffness = system.rows_of(all.stiffness), mass = system.rows_of(all.mass);
  const auto refuse = [&](const char* why) {
    refuse_port(port, fmt::format("mode {} {} {} {}", te ? "te" : "tm", port.mode.first, port.mode.second, why));
  };
  if (system.size < 2 || !(x.dot(mass * x) > 0)) refuse("needs smaller elements in the port's size");
  x /= std::sqrt(x.dot(mass * x));
  const Vector start = x;
  SolvedPotential solved;
  solved.cut_off_square = nearest_eigenvector(stiffness, mass, x);
  add_degenerate_part(stiffness, mass, start, x, solved.cut_off_square);
  // The conductors have the mode of another section: half of its energy.
  constexpr double least_likeness = 0.7;
  if (!(start.dot(mass * x) > least_likeness) || !(solved.cut_off_square > 0))
    refuse("is not one of the conductors in the port's plane; its size must be that of a hollow guide of this section");
  solved.psi = Vector::Zero(space.size());
  for (int i = 0; i < space.size(); ++i)
    if (const int at = system.place[std::size_t(i)]; at >= 0) solved.psi(i) = x(at);
  return solved;
}

SolvedPotential solve_coax(const physics::Port& port, const PotentialSpace& space, const PotentialMatrices& all,
                           const SectionRim& rim) {
  if (rim.conductors != 2)
    refuse_port(port, fmt::format("type = coax needs two conductors in the port's plane, one at its rim and one inside; "
                                  "there {} {}",
                                  rim.conductors == 1 ? "is" : "are", rim.conductors));
  const std::vector<double> fixed = fixed_on_rim(space, rim);
  const FreeSystem system(fixed);
  Vector x;
  if (system.size > 0)
    x = Eigen::SparseLU<Matrix>(system.rows_of(all.stiffness)).solve(system.right_of(all.stiffness, fixed));
  SolvedPotential solved{Vector(space.size()), 0};
  for (int i = 0; i < space.size(); ++i) {
    const int at = system.place[std::size_t(i)];
    solved.psi(i) = at >= 0 ? x(at) : fixed[std::size_t(i)];
  }
  return solved;
}

/// [triangles][3][nodes of degree - 1]: d psi / d l_i as if the barycentric coordinates were independent.
std::vector<double> derivatives_of(const PotentialSpace& space, std::size_t triangles, const Vector& psi) {
  const auto lower = triangle_exponents(space.degree - 1);
  std::vector<double> derivatives;
  for (std::size_t t = 0; t < triangles; ++t)
    for (std::size_t i = 0; i < 3; ++i)
      for (const Exponents& b : lower) {
        Exponents raised = b;
        ++raised[i];
        derivatives.push_back(space.degree * psi(space.of(t, triangle_index(raised))));
      }
  return derivatives;
}

}  // namespace

SectionMode::SectionMode(const physics::Port& port, int degree, const std::vector<SectionTriangle>& triangles,
                         const std::vector<SectionEdge>& walls, const parallel::Communicator& comm)
    : degree_(degree) {
  std::vector<SectionTriangle> all = comm.gather_vectors(triangles);
  const std::vector<SectionEdge> all_walls = comm.gather_vectors(walls);
  std::vector<double> numbers(2);
  parallel::root_or_throw(comm, [&] {
    std::sort(all.begin(), all.end(),
              [](const SectionTriangle& a, const SectionTriangle& b) { return a.number < b.number; });
    Places places;
    for (const SectionTriangle& t : all)
      for (std::size_t i = 0; i < 3; ++i) places[t.corners[i]] = t.at[i];
    const SectionRim rim = rim_of(port, all, all_walls, places);
    const PotentialSpace space(degree_, all);
    const PotentialMatrices matrices = matrices_of(space, all);
    const bool coax = port.type == physics::Port::Type::coax;
    const SolvedPotential solved =
        coax ? solve_coax(port, space, matrices, rim) : solve_waveguide(port, space, matrices, all, rim);
    const double energy = solved.psi.dot(matrices.stiffness * solved.psi);
    derivatives_ = derivatives_of(space, all.size(), solved.psi);
    for (double& value : derivatives_) value *= coax ? -1 : 1 / std::sqrt(energy);
    numbers = {coax ? energy : 1, solved.cut_off_square};
  });
  triangles_ = SectionTriangles(broadcast_list(all, comm));
  derivatives_ = broadcast_list(derivatives_, comm);
  numbers = broadcast_list(numbers, comm);
  norm_ = numbers[0], cut_off_square_ = numbers[1];
  const bool coax = port.type == physics::Port::Type::coax;
  is_curl_ = !coax && port.mode.kind == physics::GuideMode::Kind::te;
  is_transverse_electric_ = coax || is_curl_;
  for (std::size_t t = 0; t < triangles_.list().size(); ++t) {
    area_ += 0.5 * twice_area_of(triangles_.list()[t]);
    for (const std::array<double, 3>& l : {std::array{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}) {
      const auto e = electric_in(t, l);
      for (std::size_t w = 0; w < 2; ++w) largest_[w] = std::max(largest_[w], std::abs(e[w]));
    }
  }
}

// curl (psi z) = (d psi / dv, -d psi / du).
std::array<double, 2> SectionMode::electric_in(std::size_t triangle, const std::array<double, 3>& barycentric) const {
  const TriangleShape shape(triangles_.list()[triangle], barycentric);
  const auto values = bernstein_triangle_values(degree_ - 1, barycentric);
  const double* const c = derivatives_.data() + 3 * triangle * values.size();
  std::array<double, 2> gradient{};
  for (std::size_t i = 0; i < 3; ++i) {
    double sum = 0;
    for (std::size_t n = 0; n < values.size(); ++n) sum += c[i * values.size() + n] * values[n];
    for (std::size_t w = 0; w < 2; ++w) gradient[w] += sum * shape.gradient[i][w];
  }
  return is_curl_ ? std::array{gradient[1], -gradient[0]} : gradient;
}

double SectionMode::electric(double u, double v, int axis) const {
  const auto place = triangles_.nearest(u, v);
  return place ? electric_in(place->triangle, place->barycentric)[std::size_t(axis)] : 0;
}

}  // namespace dgtd::dg
