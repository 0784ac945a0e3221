#include "dgtd/dg/time_levels.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "dgtd/mesh/beyond_halo.hpp"
#include "dgtd/base/constants.hpp"
#include "dgtd/dg/discretisation.hpp"
#include "dgtd/dg/element_geometry.hpp"
#include "dgtd/dg/reference_element.hpp"

namespace dgtd::dg {

using Kind = mesh::FaceLink::Kind;
using Levels = std::vector<std::uint8_t>;

namespace {

/// Constants of the fit, [order - 1] c1, c2: scripts/bench/fit_local_limits.py.
constexpr std::array<std::array<double, 2>, 6> limit_fit{
    {{5.47, 0.839}, {21.7, 2.34}, {48.1, 5.62}, {86.5, 12.2}, {152, 22.5}, {252, 38.4}}};

double largest_eigenvalue(const std::array<Vec3, 4>& gradients) {
  Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
  for (const Vec3& g : gradients) {
    const Eigen::Vector3d column(g.x, g.y, g.z);
    sum += column * column.transpose();
  }
  Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver;
  solver.computeDirect(sum, Eigen::EigenvaluesOnly);
  return solver.eigenvalues()[2];
}

}  // namespace

std::vector<double> local_step_limits(const mesh::Subdomain& mesh, const std::vector<physics::Medium>& material,
                                      const std::vector<int>& order_of_element, const parallel::Communicator& comm) {
  const Quadrature rule = tetrahedron_quadrature(3);
  const std::size_t elements = mesh.elements();
  std::vector<double> volume(elements), limits(elements);  // [elements] m^3; s
#pragma omp parallel for schedule(static)
  for (std::size_t e = 0; e < elements; ++e) volume[e] = ElementGeometry(mesh, e).volume();
  const std::vector<double> halo_volume = beyond_halo(mesh, volume, comm);
#pragma omp parallel for schedule(static)
  for (std::size_t e = 0; e < elements; ++e) {
    const ElementGeometry geometry(mesh, e);
    const auto order = static_cast<std::size_t>(order_of_element[e]);
    const std::array<double, 2>& fit = limit_fit.at(order - 1);
    const auto bound_at = [&](const std::array<Vec3, 3>& g) {
      const std::array<Vec3, 4> gradients{-1.0 * (g[0] + g[1] + g[2]), g[0], g[1], g[2]};
      double faces = 0;  // sum of A_f^2 / (V_e V_f) = 9 V_e |grad l_f|^2 / V_f, 1/m^2
      for (int f = 0; f < 4; ++f) {
        const mesh::FaceLink& link = mesh.element_faces[e][f];
        if (link.kind == Kind::boundary) continue;
        const double beyond = link.kind == Kind::halo ? halo_volume[link.index] : volume[link.index];
        faces += 9 * volume[e] * dot(gradients[f], gradients[f]) / beyond;
      }
      return fit[0] * largest_eigenvalue(gradients) + fit[1] * faces;
    };
    double bound = bound_at(geometry.gradients);
    if (geometry.curved != nullptr) {
      bound = 0;
      for (const auto& l : rule.points) bound = std::max(bound, bound_at(geometry.at(l).gradients));
    }
    const physics::Medium& m = material[mesh.element_group[e]];
    limits[e] = 2 / (speed_of_light * std::sqrt(bound / (m.permittivity * m.permeability)));
  }
  return limits;
}

std::vector<double> local_step_limits(const mesh::Subdomain& mesh, const std::vector<physics::Medium>& material,
                                      int order, const parallel::Communicator& comm) {
  return local_step_limits(mesh, material, std::vector<int>(mesh.elements(), order), comm);
}

std::vector<std::uint8_t> absorbing_elements(const mesh::Subdomain& mesh,
                                             const std::vector<physics::BoundaryKind>& boundary_kind) {
  std::vector<std::uint8_t> absorbing(mesh.elements(), 0);
#pragma omp parallel for schedule(static)
  for (std::size_t e = 0; e < mesh.elements(); ++e)
    for (const mesh::FaceLink& link : mesh.element_faces[e])
      if (link.kind == Kind::boundary && boundary_kind[link.index] == physics::BoundaryKind::silver_muller)
        absorbing[e] = 1;
  return absorbing;
}

namespace {

/// Data of the mesh for assign_time_levels.
struct Mesh {
  const mesh::Subdomain& mesh;
  const parallel::Communicator& comm;

  /// values[e] <- fold of rule(values[e], value of a neighbour) over its face neighbours, at the same time for all
  /// elements. Whether one of any rank has changed. Collective.
  template <class Rule>
  bool update_by_neighbours(Levels& values, const Rule& rule) const {
    const Levels halo = beyond_halo(mesh, values, comm);
    Levels next(values.size());
    std::int64_t changes = 0;
#pragma omp parallel for schedule(static) reduction(+ : changes)
    for (std::size_t e = 0; e < values.size(); ++e) {
      int value = values[e];
      for (const mesh::FaceLink& link : mesh.element_faces[e])
        if (link.kind != Kind::boundary)
          value = rule(value, int{link.kind == Kind::halo ? halo[link.index] : values[link.index]});
      changes += value != values[e];
      next[e] = static_cast<std::uint8_t>(value);
    }
    values.swap(next);
    return comm.max(changes) > 0;
  }
};

int higher(int mine, int theirs) { return std::max(mine, theirs); }

/// The lowest level whose step is within the limit.
int natural_level(double limit, double coarse_step, int finest) {
  int level = 0;
  while (level < finest && std::ldexp(limit, level) < coarse_step) ++level;
  return level;
}

/// The longest coarse step (s) for which absorbing elements and their face neighbours are on level 0; infinite without
/// absorbing elements. Raising by a ring and then by steps of one gives an element at a distance of d faces from one of
/// natural level l the level l - max(0, d - 1) or more. Of elements at distance d from the absorbing ones or their
/// neighbours the limit times 2^max(0, d - 1) therefore must not be exceeded.
///
/// There is no way around that bound. On a finer level an absorbing face is unstable, and on level 0 an element whose
/// limit is exceeded is unstable; the few smallest elements at an absorbing boundary thus determine the coarse step of
/// all. What is done is not to count more than those which matter: an element further inside bounds the coarse step
/// by a multiple of its limit that doubles with each face between.
double coarse_step_bound(const Mesh& m, const std::vector<double>& limits, const std::vector<std::uint8_t>& absorbing,
                         int finest) {
  constexpr double none = std::numeric_limits<double>::infinity();
  if (m.comm.max(std::int64_t{std::count(absorbing.begin(), absorbing.end(), 1) > 0}) == 0) return none;
  const int far = finest + 2;  // from here on no element bounds the step
  Levels distance(absorbing.size());
  for (std::size_t e = 0; e < absorbing.size(); ++e) distance[e] = static_cast<std::uint8_t>(absorbing[e] ? 0 : far);
  m.update_by_neighbours(distance, [](int mine, int theirs) { return theirs == 0 ? 0 : mine; });
  for (int d = 1; d < far; ++d)
    m.update_by_neighbours(distance, [](int mine, int theirs) { return std::min(mine, theirs + 1); });
  double bound = none;
  for (std::size_t e = 0; e < limits.size(); ++e)
    if (distance[e] < far) bound = std::min(bound, std::ldexp(limits[e], std::max(0, distance[e] - 1)));
  return m.comm.min(bound);
}

/// Levels for a coarse step, and the elements that have a level, or reach it, of all ranks.
struct Assignment {
  double coarse_step;  // s
  int finest;
  Levels level, reach;                               // [elements]
  std::vector<std::int64_t> with_level, with_reach;  // [finest + 1]
};

Assignment assign(const Mesh& m, const std::vector<double>& limits, double coarse_step, int finest) {
  Assignment a{coarse_step, finest, Levels(limits.size()), {}, {}, {}};
#pragma omp parallel for schedule(static)
  for (std::size_t e = 0; e < limits.size(); ++e)
    a.level[e] = static_cast<std::uint8_t>(natural_level(limits[e], coarse_step, finest));
  m.update_by_neighbours(a.level, higher);
  while (m.update_by_neighbours(a.level, [](int mine, int theirs) { return std::max(mine, theirs - 1); })) {}
  a.reach = a.level;
  m.update_by_neighbours(a.reach, higher);
  std::vector<std::int64_t> counts(2 * static_cast<std::size_t>(finest + 1));
  for (std::size_t e = 0; e < limits.size(); ++e) ++counts[2 * a.level[e]], ++counts[2 * a.reach[e] + 1];
  counts = m.comm.sum(std::move(counts));
  for (std::size_t i = 0; i < counts.size(); ++i) (i % 2 == 0 ? a.with_level : a.with_reach).push_back(counts[i]);
  return a;
}

/// With the levels up to `merged` as one: updates of steps of the length `shortest` (s) for all elements over the
/// half updates 2^level (of E) and 2^reach (of H), for the same time.
double predicted_gain(const Assignment& a, int merged, double shortest) {
  double elements = 0, half_updates = 0;
  for (int l = 0; l <= a.finest; ++l) {
    elements += static_cast<double>(a.with_level[l]);
    half_updates += std::ldexp(static_cast<double>(a.with_level[l] + a.with_reach[l]), std::max(0, l - merged));
  }
  return 2 * elements * std::ldexp(a.coarse_step, -merged) / shortest / half_updates;
}

void merge_levels(Levels& levels, int merged) {
  for (std::uint8_t& level : levels) level = static_cast<std::uint8_t>(std::max(0, level - merged));
}

struct Choice {
  int assignment, merged, finest;
  double gain;
};

// The least levels whose gain is within 2 % of the largest. A coarse step of half the length has the same levels less
// one (and not below 0), also after they are raised, so each assignment has those of all fewer levels in it.
Choice choose(const std::vector<Assignment>& assignments, double shortest) {
  std::vector<Choice> choices;
  for (int i = 0; i < static_cast<int>(assignments.size()); ++i)
    for (int merged = 0; merged <= assignments[i].finest; ++merged)
      choices.push_back({i, merged, assignments[i].finest - merged, predicted_gain(assignments[i], merged, shortest)});
  const auto by_gain = [](const Choice& a, const Choice& b) { return a.gain < b.gain; };
  const double enough = std::max_element(choices.begin(), choices.end(), by_gain)->gain / 1.02;
  std::erase_if(choices, [&](const Choice& c) { return c.gain < enough; });
  return *std::min_element(choices.begin(), choices.end(), [](const Choice& a, const Choice& b) {
    return a.finest != b.finest ? a.finest < b.finest : a.gain > b.gain;
  });
}

}  // namespace

TimeLevels assign_time_levels(const mesh::Subdomain& mesh, const std::vector<double>& limits,
                              const std::vector<std::uint8_t>& absorbing, int most_levels,
                              const parallel::Communicator& comm, double longest_step) {
  const Mesh m{mesh, comm};
  const int most = most_levels - 1;
  const double shortest = comm.min(limits.empty() ? std::numeric_limits<double>::infinity()
                                                  : *std::min_element(limits.begin(), limits.end()));
  // A coarse step below the shortest limit is no use of levels.
  const double bound = std::max(shortest, std::min(longest_step, coarse_step_bound(m, limits, absorbing, most)));
  int finest = 0;
  while (finest < most && std::ldexp(shortest, finest + 1) <= bound) ++finest;
  std::vector<Assignment> assignments{assign(m, limits, std::ldexp(shortest, finest), finest)};
  // One level more with the longest coarse step that is allowed: the finest steps are shorter then.
  if (finest < most) assignments.push_back(assign(m, limits, bound, finest + 1));
  const Choice choice = choose(assignments, shortest);
  if (choice.finest == 0) return {};

  Assignment& chosen = assignments[choice.assignment];
  merge_levels(chosen.level, choice.merged);
  merge_levels(chosen.reach, choice.merged);
  TimeLevels levels;
  levels.finest = choice.finest;
  levels.elements.assign(static_cast<std::size_t>(choice.finest) + 1, 0);
  for (int l = 0; l <= chosen.finest; ++l) levels.elements[std::max(0, l - choice.merged)] += chosen.with_level[l];
  levels.of_element = std::move(chosen.level);
  levels.reach = std::move(chosen.reach);
  levels.of_halo = beyond_halo(mesh, levels.of_element, comm);
  levels.gain = choice.gain;
  double updates = 0;
  for (std::size_t e = 0; e < mesh.elements(); ++e)
    updates += 0.5 * half_updates(levels, e);
  levels.updates = comm.sum(updates) / static_cast<double>(mesh.global_elements);
  levels.coarse_limit = std::ldexp(chosen.coarse_step, -choice.merged);
  return levels;
}

TimeLevels levels_on(const mesh::Subdomain& mesh, std::vector<std::uint8_t> of_element, const TimeLevels& levels,
                     const parallel::Communicator& comm) {
  TimeLevels there = levels;
  if (levels.finest == 0) return there;
  there.of_element = std::move(of_element);
  there.of_halo = beyond_halo(mesh, there.of_element, comm);
  there.reach.resize(there.of_element.size());
#pragma omp parallel for schedule(static)
  for (std::size_t e = 0; e < there.of_element.size(); ++e) {
    there.reach[e] = there.of_element[e];
    for (const mesh::FaceLink& link : mesh.element_faces[e])
      if (link.kind != Kind::boundary)
        there.reach[e] = std::max(there.reach[e],
                                  link.kind == Kind::halo ? there.of_halo[link.index] : there.of_element[link.index]);
  }
  return there;
}

mesh::ElementWork work_of_levels(const TimeLevels& levels) {
  mesh::ElementWork work;
  if (levels.finest == 0) return work;
  work.labels = levels.of_element;
  work.stages = levels.finest + 1;
  work.of_element.reserve(levels.of_element.size() * static_cast<std::size_t>(work.stages));
  for (std::size_t e = 0; e < levels.of_element.size(); ++e) {
    work.of_element.push_back(2);
    for (int l = 1; l <= levels.finest; ++l)
      work.of_element.push_back(((levels.of_element[e] >= l) + (levels.reach[e] >= l)) << (l - 1));
  }
  return work;
}

}  // namespace dgtd::dg
