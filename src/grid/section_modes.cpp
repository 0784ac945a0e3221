#include "dgtd/grid/section_modes.hpp"

#include <Eigen/Dense>
#include <Eigen/SparseCore>
#include <Spectra/GenEigsRealShiftSolver.h>
#include <Spectra/MatOp/SparseGenRealShiftSolve.h>

#include <algorithm>
#include <cmath>

namespace dgtd::grid {

namespace {

using Matrix = Eigen::SparseMatrix<double>;
using Triplets = std::vector<Eigen::Triplet<double>>;
using Eigen::Index;

Matrix matrix_of(Index rows, Index columns, const Triplets& entries) {
  Matrix m(rows, columns);
  m.setFromTriplets(entries.begin(), entries.end());
  return m;
}

// Numbers of unknowns: free edges but those on electric walls at the plane's ends; -1: none.
struct Unknowns {
  std::array<std::vector<int>, 2> of_edge;  // [numbers]
  std::vector<double> permittivity;         // [unknowns]
  std::vector<double> area;                 // [unknowns] m^2
};

// Whether a node, or an edge along the other axis, is at an end of an axis that is an electric wall.
bool is_on_electric_end(const CrossSection& s, int axis, int node) {
  return (node == 0 && !s.on_magnetic_wall[axis][0]) || (node + 1 == s.nodes(axis) && !s.on_magnetic_wall[axis][1]);
}

Unknowns unknowns_of(const CrossSection& s) {
  Unknowns u;
  for (auto& edges : u.of_edge) edges.assign(s.numbers(), -1);
  for_free_edges(s, [&](int w, int i, int j, int n) {
    if (is_on_electric_end(s, 1 - w, w == 0 ? j : i)) return;
    u.of_edge[w][std::size_t(n)] = static_cast<int>(u.permittivity.size());
    u.permittivity.push_back(s.permittivities[w][std::size_t(n)]);
    u.area.push_back(s.area(w, i, j));
  });
  return u;
}

// curl E along the normal at the centres of faces, [numbers][unknowns], 1/m.
Matrix curl_of(const CrossSection& s, const Unknowns& u) {
  Triplets entries;
  for (int j = 0; j + 1 < s.nodes(1); ++j)
    for (int i = 0; i + 1 < s.nodes(0); ++i) {
      const int face = s.number(i, j);
      const auto add = [&](int w, int n, double value) {
        if (const int unknown = u.of_edge[w][std::size_t(n)]; unknown >= 0) entries.emplace_back(face, unknown, value);
      };
      add(1, s.number(i + 1, j), 1 / s.length(0, i)), add(1, face, -1 / s.length(0, i));
      add(0, s.number(i, j + 1), -1 / s.length(1, j)), add(0, face, 1 / s.length(1, j));
    }
  return matrix_of(Index(s.numbers()), Index(u.permittivity.size()), entries);
}

// Curl of H along the normal, from faces to edges, [unknowns][numbers], 1/m.
Matrix dual_curl_of(const CrossSection& s, const Unknowns& u) {
  Triplets entries;
  for_free_edges(s, [&](int w, int i, int j, int n) {
    const int unknown = u.of_edge[w][std::size_t(n)];
    if (unknown < 0) return;
    const int across = w == 0 ? j : i, before = n - (w == 0 ? s.columns() : 1);
    const double value = (w == 0 ? 1 : -1) / s.dual_length(1 - w, across);
    if (across + 1 < s.nodes(1 - w)) entries.emplace_back(unknown, n, value);
    if (across > 0) entries.emplace_back(unknown, before, -value);
  });
  return matrix_of(Index(u.permittivity.size()), Index(s.numbers()), entries);
}

// div (eps E) / eps_n at nodes where E along the normal is free, [numbers][unknowns], 1/m.
Matrix divergence_of(const CrossSection& s, const Unknowns& u) {
  Triplets entries;
  for (int j = 0; j < s.nodes(1); ++j)
    for (int i = 0; i < s.nodes(0); ++i) {
      const int node = s.number(i, j);
      if (!s.node_is_free[std::size_t(node)] || is_on_electric_end(s, 0, i) || is_on_electric_end(s, 1, j)) continue;
      const auto add = [&](int w, int n, double sign, double dual) {
        if (const int unknown = u.of_edge[w][std::size_t(n)]; unknown >= 0)
          entries.emplace_back(
              node, unknown,
              sign * u.permittivity[std::size_t(unknown)] / (dual * s.permittivities[2][std::size_t(node)]));
      };
      if (i + 1 < s.nodes(0)) add(0, node, 1, s.dual_length(0, i));
      if (i > 0) add(0, node - 1, -1, s.dual_length(0, i));
      if (j + 1 < s.nodes(1)) add(1, node, 1, s.dual_length(1, j));
      if (j > 0) add(1, node - s.columns(), -1, s.dual_length(1, j));
    }
  return matrix_of(Index(s.numbers()), Index(u.permittivity.size()), entries);
}

// Differences of nodes along edges, [unknowns][numbers], 1/m.
Matrix gradient_of(const CrossSection& s, const Unknowns& u) {
  Triplets entries;
  for_free_edges(s, [&](int w, int i, int j, int n) {
    const int unknown = u.of_edge[w][std::size_t(n)];
    if (unknown < 0) return;
    const double value = 1 / s.length(w, w == 0 ? i : j);
    entries.emplace_back(unknown, n + (w == 0 ? 1 : s.columns()), value);
    entries.emplace_back(unknown, n, -value);
  });
  return matrix_of(Index(u.permittivity.size()), Index(s.numbers()), entries);
}

template <class Visit>
void for_edges(const CrossSection& s, const Visit& visit) {  // visit(axis, number, area)
  for_free_edges(s, [&](int w, int i, int j, int n) { visit(w, std::size_t(n), s.area(w, i, j)); });
}

void scale(SectionMode& mode, double factor) {
  for (auto* fields : {&mode.electric, &mode.magnetic})
    for (auto& values : *fields)
      for (double& value : values) value *= factor;
}

SectionMode combined(const SectionMode& a, double of_a, const SectionMode& b, double of_b) {
  SectionMode sum = a;
  for (const std::size_t w : {0, 1})
    for (std::size_t n = 0; n < sum.electric[w].size(); ++n) {
      sum.electric[w][n] = of_a * a.electric[w][n] + of_b * b.electric[w][n];
      sum.magnetic[w][n] = of_a * a.magnetic[w][n] + of_b * b.magnetic[w][n];
    }
  return sum;
}

// Any sums of two modes of one beta are modes. Those that have the largest and the least part of E^2 along the first
// axis for their power are orthogonal.
void turn(const CrossSection& s, SectionMode& first, SectionMode& second) {
  const SectionMode* const pair[2] = {&first, &second};
  Eigen::Matrix2d along, power;
  for (const int a : {0, 1})
    for (const int b : {0, 1}) {
      double sum = 0;
      for_edges(s, [&](int w, std::size_t n, double area) {
        if (w == 0) sum += pair[a]->electric[0][n] * pair[b]->electric[0][n] * area;
      });
      along(a, b) = sum;
      power(a, b) = 0.5 * (power_of(s, *pair[a], *pair[b]) + power_of(s, *pair[b], *pair[a]));
    }
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::Matrix2d> solver(along, power);
  const Eigen::Matrix2d v = solver.eigenvectors();  // by rising part along the first axis
  const SectionMode turned = combined(first, v(0, 1), second, v(1, 1));
  second = combined(first, v(0, 0), second, v(1, 0));
  first = turned;
}

// Whether the first edge with most of the largest E has a negative one: the sign of modes is that of their lobe with
// the lowest numbers.
bool begins_negative(const CrossSection& s, const SectionMode& mode) {
  constexpr double most = 0.7;
  double largest = 0, first = 0;
  for_edges(s, [&](int w, std::size_t n, double) { largest = std::max(largest, std::abs(mode.electric[w][n])); });
  for_edges(s, [&](int w, std::size_t n, double) {
    if (first == 0 && std::abs(mode.electric[w][n]) > most * largest) first = mode.electric[w][n];
  });
  return first < 0;
}

// Ends of the plane through which fields would leave.
template <class Visit>
void for_open_ends(const CrossSection& s, const Visit& visit) {  // visit(axis, upper)
  for (const int axis : {0, 1})
    for (const int upper : {0, 1}) {
      if (s.on_magnetic_wall[axis][upper]) continue;
      const int at = upper == 1 ? s.nodes(axis) - 1 : 0;
      bool is_open = false;
      for_free_edges(s,
                     [&](int w, int i, int j, int) { is_open = is_open || (w != axis && (axis == 0 ? i : j) == at); });
      if (is_open) visit(axis, upper);
    }
}

}  // namespace

double power_of(const CrossSection& s, const SectionMode& a, const SectionMode& b) {
  double sum = 0;
  for_edges(s, [&](int w, std::size_t n, double area) { sum += a.electric[w][n] * b.magnetic[w][n] * area; });
  return sum;
}

void normalise(const CrossSection& s, SectionMode& mode) {
  double sum = 0;
  for_edges(s, [&](int w, std::size_t n, double area) { sum += mode.electric[w][n] * mode.electric[w][n] * area; });
  scale(mode, 1 / std::sqrt(sum));
}

// A mode whose index is above that of all media at the open ends decays towards them. One below may decay, too, where a
// film of high index ends there; then next to nothing of it is near the ends.
bool is_guided(const CrossSection& s, const SectionMode& mode, double wave_number) {
  double highest = 0, all = 0, near = 0;
  constexpr int parts = 8;  // of the plane: the outer ones are near
  constexpr double most_near = 0.01;
  std::vector<std::array<int, 2>> ends;
  for_open_ends(s, [&](int axis, int upper) { ends.push_back({axis, upper}); });
  for_edges(s, [&](int w, std::size_t n, double area) {
    const int at[2] = {static_cast<int>(n) % s.columns(), static_cast<int>(n) / s.columns()};
    const double energy = s.permittivities[w][n] * mode.electric[w][n] * mode.electric[w][n] * area;
    all += energy;
    bool is_near = false;
    for (const auto& [axis, upper] : ends) {
      const int last = s.nodes(axis) - 1, away = upper == 1 ? last - at[axis] : at[axis];
      if (away == 0 && w != axis) highest = std::max(highest, s.permittivities[w][n]);
      is_near = is_near || parts * away < last;
    }
    if (is_near) near += energy;
  });
  return mode.square > wave_number * wave_number * s.permeability * highest || near < most_near * all;
}

double share_at_rim(const CrossSection& s, const SectionMode& mode) {
  double largest = 0, at_rim = 0;
  std::vector<std::array<int, 2>> ends;
  for_open_ends(s, [&](int axis, int upper) { ends.push_back({axis, upper}); });
  for_edges(s, [&](int w, std::size_t n, double) {
    const int at[2] = {static_cast<int>(n) % s.columns(), static_cast<int>(n) / s.columns()};
    const double electric = std::abs(mode.electric[w][n]);
    largest = std::max(largest, electric);
    for (const auto& [axis, upper] : ends) {
      const int last = s.nodes(axis) - (w == axis ? 2 : 1), away = upper == 1 ? last - at[axis] : at[axis];
      if (away <= (w == axis ? 0 : 1)) at_rim = std::max(at_rim, electric);
    }
  });
  return largest > 0 ? at_rim / largest : 0;
}

// With d forward and d' backward differences, K = 2 / (c dt) sin(omega dt / 2), B = 2/d sin(beta d / 2) and the
// section's axes u, v and normal n (Z. Zhu, T. G. Brown, Opt. Express 10 (2002) 853, with the grid's own differences
// along n and in time):
//   B^2 E_u = K^2 mu eps_u E_u - d'_v (curl E)_n + d_u D,   D = (d'_u eps_u E_u + d'_v eps_v E_v) / eps_n
//   B^2 E_v = K^2 mu eps_v E_v + d'_u (curl E)_n + d_v D
// and Z0 H_v = (B E_u - d_u D / B) / (K mu), -Z0 H_u = (B E_v - d_v D / B) / (K mu).
struct SectionModes::Operators {
  Unknowns unknowns;
  Matrix curls;       // [unknowns][unknowns] 1/m^2: what of the right side does not depend on K
  Matrix gradient_d;  // [unknowns][unknowns] 1/m^2: of D
  double largest_permittivity = 0;
};

SectionModes::SectionModes(const CrossSection& section) : section_(section) {
  auto made = std::make_unique<Operators>();
  made->unknowns = unknowns_of(section);
  const Unknowns& u = made->unknowns;
  made->gradient_d = gradient_of(section, u) * divergence_of(section, u);
  made->curls = made->gradient_d - Matrix(dual_curl_of(section, u) * curl_of(section, u));
  for (const double permittivity : u.permittivity)
    made->largest_permittivity = std::max(made->largest_permittivity, permittivity);
  operators_ = std::move(made);
}

SectionModes::~SectionModes() = default;

// The largest eigenvalues, next below a shift above all of them: B^2 of a wave is at most K^2 mu times the largest
// permittivity.
std::vector<SectionMode> SectionModes::at(double wave_number, int count) const {
  const Operators& o = *operators_;
  const Unknowns& u = o.unknowns;
  const auto size = static_cast<Index>(u.permittivity.size());
  const Index wanted = std::min<Index>(count, size - 2);
  if (wanted < 1) return {};
  const double square = wave_number * wave_number * section_.permeability;
  // Over K^2 mu: eigenvalues near 1, as Spectra's tests of convergence need them.
  Matrix m = o.curls / square;
  for (Index n = 0; n < size; ++n) m.coeffRef(n, n) += u.permittivity[std::size_t(n)];
  m.makeCompressed();
  constexpr double beyond = 1.001;
  using Operation = Spectra::SparseGenRealShiftSolve<double>;
  Operation operation(m);
  const Index space = std::min<Index>(size, std::max<Index>(2 * wanted + 4, 20));
  Spectra::GenEigsRealShiftSolver<Operation> solver(operation, wanted, space, beyond * o.largest_permittivity);
  solver.init();
  solver.compute(Spectra::SortRule::LargestMagn);
  const Eigen::VectorXcd values = solver.eigenvalues();
  const Eigen::MatrixXcd vectors = solver.eigenvectors();
  std::vector<SectionMode> modes;
  constexpr double rounding = 1e-6;
  for (Index k = 0; k < values.size(); ++k) {
    const double b_square = square * values(k).real();
    if (!(b_square > 0) || std::abs(values(k).imag()) > rounding * values(k).real()) continue;
    // A real eigenvector times any phase.
    Index largest = 0;
    vectors.col(k).cwiseAbs().maxCoeff(&largest);
    const Eigen::VectorXd electric = (vectors.col(k) / vectors(largest, k)).real();
    const Eigen::VectorXd gradient = o.gradient_d * electric;
    const double b = std::sqrt(b_square), per = 1 / (wave_number * section_.permeability);
    SectionMode& mode = modes.emplace_back();
    mode.square = b_square;
    for (const std::size_t w : {0, 1}) {
      mode.electric[w].assign(section_.numbers(), 0);
      mode.magnetic[w].assign(section_.numbers(), 0);
      for (std::size_t n = 0; n < section_.numbers(); ++n)
        if (const int unknown = u.of_edge[w][n]; unknown >= 0) {
          mode.electric[w][n] = electric(unknown);
          mode.magnetic[w][n] = per * (b * electric(unknown) - gradient(unknown) / b);
        }
    }
  }
  std::sort(modes.begin(), modes.end(), [](const auto& a, const auto& b) { return a.square > b.square; });
  constexpr double same = 1e-7;
  for (std::size_t k = 0; k + 1 < modes.size(); ++k)
    if (modes[k].square - modes[k + 1].square < same * modes[k].square) {
      turn(section_, modes[k], modes[k + 1]);
      ++k;
    }
  for (SectionMode& mode : modes) {
    normalise(section_, mode);
    if (begins_negative(section_, mode)) scale(mode, -1);
  }
  return modes;
}

}  // namespace dgtd::grid
