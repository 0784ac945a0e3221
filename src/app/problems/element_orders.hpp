#pragma once
// Orders of elements as a case or the results of another run choose them.
#include <filesystem>
#include <optional>
#include <vector>

#include "dgtd/config/case.hpp"
#include "dgtd/mesh/subdomain.hpp"
#include "dgtd/parallel/communicator.hpp"

namespace dgtd::app {

/// How a run's orders follow from the estimated errors of another run.
struct AdaptationFigures {
  std::filesystem::path from;  // output directory of the other run
  double before = 0, target = 0, expected = 0;  // relative errors of all elements; expected: as chosen
};

class ElementOrders {
 public:
  /// adapt: output directory of a run with output.error = on, from whose estimate orders are chosen in place of what
  /// the case says. The case and comm outlive the object.
  ElementOrders(const config::Case& c, std::optional<std::filesystem::path> adapt, const parallel::Communicator& comm)
      : c_(c), adapt_(std::move(adapt)), comm_(comm) {}

  /// Whether elements may have several orders.
  bool may_differ() const;
  /// [elements], the same for an element in any partition. materials: [volume groups]. Collective. Throws Error.
  std::vector<int> of(const mesh::Subdomain& mesh, const std::vector<config::Material>& materials);
  /// Figures of a choice from another run, after of().
  const std::optional<AdaptationFigures>& adaptation() const { return figures_; }

 private:
  void adapt(const mesh::Subdomain& mesh, const std::vector<config::Material>& materials);
  std::vector<int> chosen_by_waves(const mesh::Subdomain& mesh, const std::vector<config::Material>& materials) const;

  const config::Case& c_;
  std::optional<std::filesystem::path> adapt_;
  const parallel::Communicator& comm_;
  std::string adapted_;  // [global elements] orders as characters; empty: not chosen yet
  std::optional<AdaptationFigures> figures_;
};

}  // namespace dgtd::app
