#pragma once
// DGTD with a polynomial order of its own in each element (p_i of INRIA report 7592, section 3): one solver for each
// order, which take their half steps in turn, and the exchange of traces between them. Users see one solver of the
// whole mesh.
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "dgtd/dg/dg_solver.hpp"
#include "dgtd/dg/level_time_step.hpp"
#include "dgtd/dg/local_steps.hpp"
#include "dgtd/dg/order_joints.hpp"
#include "dgtd/dg/time_step.hpp"

namespace dgtd::dg {

/// Input of a discretisation of several orders, as of Discretisation.
struct MixedSetup {
  std::vector<physics::Medium> materials;            // [volume groups]
  std::vector<physics::BoundaryKind> boundary_kind;  // [surface groups]
  std::vector<int> order_of_element;                 // [elements]
  bool incident = false;
  LayerRates layers = {};  // [elements] or empty
  mesh::CurvedElements curved = mesh::CurvedElements::mean;
  KernelFusion fusion = KernelFusion::fused;
  TimeLevels levels = {};       // of local time steps
  int lanes = cpu_field_lanes;  // of the FieldLayout, those of the executors
};

/// Elements of all orders of a rank, on CPU threads or its device. It can be moved: the meshes of the parts keep their
/// addresses.
template <class Real>
struct MixedDiscretisation {
  /// make: none for CPU threads. mesh and comm outlive it. Collective. Throws Error.
  MixedDiscretisation(const mesh::Subdomain& mesh, const MixedSetup& setup, const parallel::Communicator& comm,
                      const MakePartExecutors<Real>& make = {});

  /// The limit of the operator of all parts together. Collective.
  StabilityLimit stability_limit(const parallel::Communicator& comm) const;
  /// The operator of all parts.
  OperatorParts<Real> whole() const;
  /// The time step of level 0 of all parts together, where they have levels. Collective.
  LevelTimeStep<Real> level_time_step(const parallel::Communicator& comm);

  const mesh::Subdomain& mesh;
  OrderParts parts;
  std::vector<std::unique_ptr<Discretisation<Real>>> d;    // [parts]
  std::vector<std::unique_ptr<Executor<Real>>> executors;  // [parts]
  std::unique_ptr<OrderJoints<Real>> joints;
};

template <class Real>
class MixedSolver final : public solver::ElementSolver,
                          public solver::ElementSums,
                          public solver::CurrentSpectra,
                          public solver::ErrorIndicators,
                          public solver::Restart {
 public:
  /// dt in s, at most the stability limit. sources: dipoles, each of the part whose elements hold it, and plane waves
  /// that enter through the absorbing boundary. Collective. Throws Error.
  MixedSolver(MixedDiscretisation<Real> of, double dt, const std::vector<physics::Source>& sources,
              const std::vector<std::string>& material_names, const parallel::Communicator& comm);

  solver::Clock clock() const override { return parts_.front()->clock(); }
  void advance(std::int64_t steps) override;
  void wait() override;
  double energy() override;
  solver::SourceWork work() const override;
  solver::Instability find_instability(double& severity) const override;
  void start_dft(const std::vector<double>& angular_frequencies) override;
  void accumulate_dft(double weight) override;
  bool add_probe(const std::string& name, const Vec3& position, const std::string& origin) override;
  solver::FieldSample probe(const std::string& name) const override;
  void set_fields(const solver::VectorFunction& electric, const solver::VectorFunction& magnetic) override;
  void randomise_fields() override;
  std::array<double, 4> squared_errors(const solver::VectorFunction& electric,
                                       const solver::VectorFunction& magnetic) const override;
  std::uint64_t fields_hash() const override;
  solver::Costs costs() const override { return costs_; }
  double halo_wait_seconds() const override;
  Occupancy occupancy() const override { return parts_.back()->occupancy(); }
  double memory_bytes() const override;
  double loop_bytes(std::size_t frequencies) const override;
  double copy_bandwidth() override { return parts_.back()->copy_bandwidth(); }
  solver::Restart* restart() override { return this; }

  /// Part after part.
  std::vector<std::uint32_t> stored_order() const override;
  void sample(solver::Quantity quantity, const std::vector<std::array<double, 4>>& points,
              std::span<const std::uint32_t> elements, double* values) const override;
  std::vector<double> mean_square_electric(std::optional<std::size_t> frequency) const override;
  solver::FieldIndicators error_indicators(solver::Quantity::Field field,
                                           std::optional<std::size_t> frequency) const override;
  double error_indicator_bytes() const override;
  double outflow(std::size_t frequency) const override;
  double current_work(std::size_t frequency) const override;

  std::size_t add_sums(std::span<const std::uint32_t> elements, const std::vector<double>& frequencies) override;
  /// As if all had the highest order: which ones they are is not known.
  double sums_bytes(std::size_t elements, std::size_t frequencies) const override {
    return parts_.back()->sums_bytes(elements, frequencies);
  }
  void accumulate_sums(std::size_t sums, double weight) override;
  void sample_sums(std::size_t sums, solver::Quantity quantity, const std::vector<std::array<double, 4>>& points,
                   double* values) const override;

  /// Names of all parts' entries and arrays end in the order, "E, order 2".
  solver::State save() const override;
  void load(const solver::State& state) override;
  std::vector<solver::PersistentArray> persistent_arrays() override;

  const OrderParts& places() const { return places_; }

 private:
  // Elements of one part: their places in it, and in a list of elements of the whole mesh.
  struct Run {
    std::size_t part = 0, first = 0;
    std::vector<std::uint32_t> elements;
  };
  std::vector<Run> runs_of(std::span<const std::uint32_t> elements) const;
  std::vector<Field<Real>> with_ghosts(const std::vector<const Field<Real>*>& fields) const;
  void exchange(HalfStep half);
  void repeat_steps(int count, const std::function<void(int)>& step);
  void tell_of_host_writes();
  void start_local_steps();
  template <class Term>
  double sum_over_parts(const Term& term) const;

  const mesh::Subdomain& mesh_;
  OrderParts places_;
  const parallel::Communicator& comm_;
  std::vector<std::unique_ptr<DgSolver<Real>>> parts_;
  std::unique_ptr<OrderJoints<Real>> joints_;
  std::unique_ptr<LocalSteps<Real>> local_steps_;  // null: all elements take the same steps
  PartFields<Real> electric_, magnetic_;
  std::vector<std::uint64_t> host_writes_;  // [parts] Memory::host_writes() at the last steps
  solver::Costs costs_;
  struct Sums {
    std::vector<std::size_t> of_part;  // [parts] their numbers there
    std::vector<std::size_t> first;    // [parts] the part's first element among those of the sums
  };
  std::vector<Sums> sums_;
  std::map<std::string, PointLocation> probes_;  // those that this rank holds
};

}  // namespace dgtd::dg
