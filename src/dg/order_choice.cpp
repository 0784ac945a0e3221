#include "dgtd/dg/order_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>

#include "dgtd/mesh/beyond_halo.hpp"
#include "dgtd/dg/bernstein.hpp"
#include "dgtd/dg/dipole.hpp"
#include "dgtd/dg/time_levels.hpp"

namespace dgtd::dg {

// A regular tetrahedron of edge h has sum_v (x_v - c)(x_v - c)^t = h^2 / 2 I, c its centre. Of others the largest
// eigenvalue counts, that of the longest direction; it is found by the trigonometric solution for symmetric matrices.
double edge_of_moments(const mesh::Subdomain& mesh, std::size_t element) {
  Vec3 centre{};
  for (int v = 0; v < 4; ++v) centre = centre + 0.25 * mesh.vertex(element, v);
  double m[3][3] = {};
  for (int v = 0; v < 4; ++v) {
    const Vec3 x = mesh.vertex(element, v) - centre;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) m[i][j] += x[i] * x[j];
  }
  const double mean = (m[0][0] + m[1][1] + m[2][2]) / 3;
  double squares = 0;  // of the matrix without its mean
  for (int i = 0; i < 3; ++i) {
    m[i][i] -= mean;
    for (int j = 0; j < 3; ++j) squares += m[i][j] * m[i][j];
  }
  const double p = std::sqrt(squares / 6);
  if (p <= 1e-12 * mean) return std::sqrt(2 * mean);
  const double determinant = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                             m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                             m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
  const double r = std::clamp(determinant / (2 * p * p * p), -1.0, 1.0);
  return std::sqrt(2 * (mean + 2 * p * std::cos(std::acos(r) / 3)));
}

// e_p(k h) is nearly a power p + 1: through the value of k h with an error of 1 %, measured over 60 directions by
// quadrature, it is within 6 % in k h between 0.1 and 10 %.
double wave_error(int order, double wave) {
  constexpr std::array<double, 6> at_one_percent{0.846, 2.27, 4.00, 5.88, 7.84, 9.85};  // [order - 1] k h
  return 0.01 * std::pow(wave / at_one_percent.at(static_cast<std::size_t>(order - 1)), order + 1);
}

int order_for_waves(double wave, double error, int most) {
  int order = 1;
  while (order < most && wave_error(order, wave) > error) ++order;
  return order;
}

int work_of_order(int order) { return tetrahedron_nodes(order) + 2; }

namespace {

using solver::ElementError;

/// Choices of an element: the orders p - 1, p and p + 1 with the squared errors that are expected of them.
struct Choices {
  int first, last;
  std::array<double, 3> squared_error;  // [order - first]
};

// One order more multiplies the error by the decay of its last two degrees, one less divides it. Of the decay, which
// jumps do not follow to the end, only so much is trusted; the error of an order less is at most that of no field.
Choices choices_of(const ElementError& e, int most) {
  constexpr double least_decay = 0.05, most_decay = 0.7;
  const double decay = std::clamp(double(e.decay), least_decay, most_decay), square = double(e.error) * e.error;
  Choices c{std::max(1, e.order - 1), std::max<int>(e.order, std::min(most, e.order + 1)), {}};
  for (int p = c.first; p <= c.last; ++p)
    c.squared_error[static_cast<std::size_t>(p - c.first)] = square * std::pow(decay, 2.0 * (p - e.order));
  return c;
}

// The order with the least sum of squared error and price times work; the lower one of two.
int cheapest(const Choices& c, double price) {
  const auto cost = [&](int p) {
    return c.squared_error[static_cast<std::size_t>(p - c.first)] + price * work_of_order(p);
  };
  int best = c.first;
  for (int p = c.first + 1; p <= c.last; ++p)
    if (cost(p) < cost(best)) best = p;
  return best;
}

double squared_error(const Choices& c, int order) { return c.squared_error[static_cast<std::size_t>(order - c.first)]; }

// The least work for a sum of squared errors: every element minimises error^2 + price * work with the same price
// (Lagrange's multiplier), the largest one with which the sum is reached; else without a price. [elements]
std::vector<std::uint8_t> least_work(const std::vector<Choices>& choices, double target) {
  constexpr int halvings = 50;
  const auto sum_at = [&](double price) {
    double sum = 0;
    for (const Choices& c : choices) sum += squared_error(c, cheapest(c, price));
    return sum;
  };
  double price = 0;
  if (sum_at(0) <= target * target) {
    double squares = 0;
    for (const Choices& c : choices) squares += squared_error(c, c.first);
    double low = std::log(1e-20 * squares), high = std::log(squares);  // at the highest one work alone counts
    for (int i = 0; i < halvings && squares > 0; ++i) {
      const double middle = 0.5 * (low + high);
      (sum_at(std::exp(middle)) <= target * target ? low : high) = middle;
    }
    price = squares > 0 ? std::exp(low) : 0;
  }
  std::vector<std::uint8_t> order;
  for (const Choices& c : choices) order.push_back(static_cast<std::uint8_t>(cheapest(c, price)));
  return order;
}

// Leaves out orders with which an element's own step is shorter than this; false where that is all of some element.
bool leave_out_short_steps(std::vector<Choices>& choices, const StepLimits& limits, double shortest) {
  for (std::size_t e = 0; e < choices.size(); ++e) {
    Choices& c = choices[e];
    while (c.last >= c.first && limits[e].at(static_cast<std::size_t>(c.last - 1)) < shortest) --c.last;
    if (c.last < c.first) return false;
  }
  return true;
}

}  // namespace

StepLimits step_limits_of_orders(const mesh::Subdomain& mesh, const std::vector<physics::Medium>& material,
                                 const parallel::Communicator& comm) {
  StepLimits limits(mesh.elements());
  for (int p = 1; p <= static_cast<int>(std::tuple_size_v<StepLimits::value_type>); ++p) {
    const std::vector<double> of_order = local_step_limits(mesh, material, p, comm);
    for (std::size_t e = 0; e < limits.size(); ++e)
      limits[e][static_cast<std::size_t>(p - 1)] = static_cast<float>(of_order[e]);
  }
  return limits;
}

// All elements take the shortest step of any: a few more elements of higher order may cost less than one that shortens
// it. So the least work is found for several shortest steps, and the one with the least work per time is taken.
AdaptedOrders adapted_orders(const std::vector<solver::ElementError>& of_element, const StepLimits& limits,
                             double target, int most) {
  constexpr double shares[] = {0, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.5};  // of the run's shortest step
  constexpr double slack = 1e-4;
  std::vector<Choices> all;
  double squares = 0;
  float now = std::numeric_limits<float>::max();
  for (std::size_t e = 0; e < of_element.size(); ++e) {
    all.push_back(choices_of(of_element[e], most));
    squares += double(of_element[e].error) * of_element[e].error;
    now = std::min(now, limits[e].at(static_cast<std::size_t>(of_element[e].order - 1)));
  }
  AdaptedOrders best;
  double least = std::numeric_limits<double>::max();
  for (const double share : shares) {
    std::vector<Choices> choices = all;
    if (!leave_out_short_steps(choices, limits, (share - slack) * now)) break;
    std::vector<std::uint8_t> order = least_work(choices, target);
    double sum = 0, work = 0;
    float step = std::numeric_limits<float>::max();
    for (std::size_t e = 0; e < order.size(); ++e) {
      sum += squared_error(choices[e], order[e]), work += work_of_order(order[e]);
      step = std::min(step, limits[e][static_cast<std::size_t>(order[e] - 1)]);
    }
    if (!best.order.empty() && (std::sqrt(sum) > target || work / step >= least)) continue;
    least = work / step;
    best = {std::move(order), std::sqrt(squares), std::sqrt(sum)};
  }
  return best;
}

namespace {

// Raises elements below a neighbour by more than one; whether there were any on this rank. Collective.
bool raise_to_neighbours(const mesh::Subdomain& mesh, std::vector<int>& order, const parallel::Communicator& comm) {
  const std::vector<int> beyond = beyond_halo(mesh, order, comm);
  bool changed = false;
  for (std::size_t e = 0; e < mesh.elements(); ++e)
    for (const mesh::FaceLink& link : mesh.element_faces[e]) {
      int other = 0;
      if (link.kind == mesh::FaceLink::Kind::element) other = order[link.index];
      if (link.kind == mesh::FaceLink::Kind::halo) other = beyond[link.index];
      if (other - 1 > order[e]) order[e] = other - 1, changed = true;
    }
  return changed;
}

// Whether a ball meets the box around an element.
bool meets(const mesh::Subdomain& mesh, std::size_t element, const Vec3& centre, double radius) {
  double squared = 0;
  for (int a = 0; a < 3; ++a) {
    double low = mesh.vertex(element, 0)[a], high = low;
    for (int v = 1; v < 4; ++v) {
      low = std::min(low, mesh.vertex(element, v)[a]);
      high = std::max(high, mesh.vertex(element, v)[a]);
    }
    const double beside = std::max({low - centre[a], centre[a] - high, 0.0});
    squared += beside * beside;
  }
  return squared <= radius * radius;
}

// m, of a dipole; where the case has none, 2.5 mean edges of the element that holds it (dipole.cpp). Collective.
double radius_of_current(const mesh::Subdomain& mesh, const physics::Source& source,
                         const parallel::Communicator& comm) {
  constexpr double slack = 1.01;
  if (source.radius) return slack * *source.radius;
  const PointLocation place =
      locate(mesh, source.position, fmt::format("{}: [source.{}]", source.origin, source.name), comm);
  double edge = 0;
  if (place.mine)
    for (const auto& [a, b] : mesh::edge_corners)
      edge += norm(mesh.vertex(place.element, a) - mesh.vertex(place.element, b)) / 6;
  return slack * 2.5 * comm.max(edge);
}

// Raises the elements of a dipole's current to the highest order among them; whether there were any. Collective.
bool raise_in_current(const mesh::Subdomain& mesh, const physics::Source& source, std::vector<int>& order,
                      const parallel::Communicator& comm) {
  if (source.type != physics::Source::Type::dipole) return false;
  const double reach = radius_of_current(mesh, source, comm) + 0.5 * source.length;
  std::vector<std::size_t> inside;
  int highest = 0;
  for (std::size_t e = 0; e < mesh.elements(); ++e)
    if (meets(mesh, e, source.position, reach)) inside.push_back(e), highest = std::max(highest, order[e]);
  highest = static_cast<int>(comm.max(std::int64_t{highest}));
  bool changed = false;
  for (const std::size_t e : inside)
    if (order[e] < highest) order[e] = highest, changed = true;
  return changed;
}

}  // namespace

// Orders only rise, to the highest one at most, so it ends; the least orders that fulfil both conditions are unique.
void grade_orders(const mesh::Subdomain& mesh, const std::vector<physics::Source>& sources, std::vector<int>& order,
                  const parallel::Communicator& comm) {
  for (bool changed = true; changed;) {
    changed = raise_to_neighbours(mesh, order, comm);
    for (const physics::Source& source : sources) changed = raise_in_current(mesh, source, order, comm) || changed;
    changed = comm.max(std::int64_t{changed}) > 0;
  }
}

mesh::ElementWork work_of_orders(const std::vector<int>& order, const parallel::Communicator& comm) {
  mesh::ElementWork work;
  std::int64_t lowest = 7, highest = 0;
  for (const int p : order) lowest = std::min<std::int64_t>(lowest, p), highest = std::max<std::int64_t>(highest, p);
  if (-comm.max(-lowest) == comm.max(highest)) return work;
  work.stages = 1;
  for (const int p : order) work.of_element.push_back(work_of_order(p));
  return work;
}

}  // namespace dgtd::dg
