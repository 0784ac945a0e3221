#include "app/problems/element_orders.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/base/log.hpp"
#include "dgtd/dg/kernel_table.hpp"
#include "dgtd/dg/order_choice.hpp"
#include "dgtd/mesh/identity.hpp"
#include "dgtd/observers/element_errors.hpp"
#include "dgtd/parallel/root_or_throw.hpp"
#include "dgtd/physics/sampling.hpp"

namespace dgtd::app {

namespace {

constexpr double usual_error = 0.01;      // of the best approximation of a wave in an element
constexpr double usual_reduction = 0.5;  // of the error, by an adaptation

// Also the default of the case is at most what the program was built for.
int highest_choice(const config::Case& c) { return std::min(c.solver.order_max, dg::highest_order()); }

// The highest frequency of the case, Hz.
double shortest_wave_frequency(const config::Case& c) {
  const double frequency = std::max(config::frequency_of_interest(c), c.time.frequency.value_or(0));
  if (frequency <= 0)
    throw Error(
        "solver.order = auto: orders follow from the wavelength, and the case has no frequency; give time.frequency, "
        "dft.frequencies or an integer from 1 to 6");
  return frequency;
}

// |n| w / c, 1/m: of a wave, or of its decay in a conductor.
double wave_number(const config::Material& m, double frequency) {
  const double omega = 2 * pi * frequency;
  return omega / speed_of_light * std::abs(std::sqrt(physics::permittivity(m, omega) * m.permeability));
}

// Limits of the whole mesh by global number, on root. Collective.
dg::StepLimits all_limits(const mesh::Subdomain& mesh, const std::vector<config::Material>& materials,
                          const parallel::Communicator& comm) {
  const dg::StepLimits limits = comm.gather_vectors(
      dg::step_limits_of_orders(mesh, {materials.begin(), materials.end()}, comm));
  const std::vector<std::int64_t> ids = comm.gather_vectors(mesh.element_id);
  dg::StepLimits all(limits.size());
  for (std::size_t i = 0; i < ids.size(); ++i) all.at(static_cast<std::size_t>(ids[i])) = limits[i];
  return all;
}

}  // namespace

bool ElementOrders::may_differ() const {
  return adapt_ || c_.solver.order == 0 ||
         std::any_of(c_.materials.begin(), c_.materials.end(), [](const auto& m) { return m.order.has_value(); });
}

std::vector<int> ElementOrders::chosen_by_waves(const mesh::Subdomain& mesh,
                                                const std::vector<config::Material>& materials) const {
  const double frequency = shortest_wave_frequency(c_), error = c_.solver.order_error.value_or(usual_error);
  std::vector<double> k;
  for (const config::Material& m : materials) k.push_back(wave_number(m, frequency));
  std::vector<int> order;
  for (std::size_t e = 0; e < mesh.elements(); ++e) {
    const std::uint16_t group = mesh.element_group[e];
    order.push_back(materials[group].order.value_or(
        dg::order_for_waves(k[group] * dg::edge_of_moments(mesh, e), error, highest_choice(c_))));
  }
  return order;
}

// Root chooses from the table of all elements.
void ElementOrders::adapt(const mesh::Subdomain& mesh, const std::vector<config::Material>& materials) {
  const std::uint64_t identity = mesh::identity(mesh, comm_);
  const dg::StepLimits limits = all_limits(mesh, materials, comm_);
  AdaptationFigures figures{*adapt_};
  parallel::root_or_throw(comm_, [&] {
    const auto errors = observers::read_element_errors(*adapt_, identity, mesh.global_elements);
    double squares = 0;
    for (const auto& e : errors) squares += double(e.error) * e.error;
    figures.target = c_.solver.order_error.value_or(usual_reduction * std::sqrt(squares));
    const dg::AdaptedOrders chosen = dg::adapted_orders(errors, limits, figures.target, highest_choice(c_));
    figures.before = chosen.before, figures.expected = chosen.expected;
    adapted_.assign(chosen.order.begin(), chosen.order.end());
  });
  adapted_ = comm_.broadcast(adapted_);
  for (double* const value : {&figures.before, &figures.target, &figures.expected})
    *value = comm_.broadcast_value(*value);
  if (comm_.is_root() && figures.expected > 1.01 * figures.target)
    log::warn("--adapt: orders up to {} are expected to reduce the estimated error from {:.3g} to {:.3g}, not to {:.3g}: "
              "a higher solver.order_max, another adaptation or a finer mesh is needed",
              highest_choice(c_), figures.before, figures.expected, figures.target);
  figures_ = figures;
}

std::vector<int> ElementOrders::of(const mesh::Subdomain& mesh, const std::vector<config::Material>& materials) {
  std::vector<int> order;
  if (adapt_) {
    if (adapted_.empty()) adapt(mesh, materials);
    for (const std::int64_t id : mesh.element_id) order.push_back(adapted_.at(static_cast<std::size_t>(id)));
  } else if (c_.solver.order == 0) {
    order = chosen_by_waves(mesh, materials);
  } else {
    for (const std::uint16_t group : mesh.element_group)
      order.push_back(materials[group].order.value_or(c_.solver.order));
    return order;
  }
  dg::grade_orders(mesh, c_.sources, order, comm_);
  return order;
}

}  // namespace dgtd::app
