#pragma once
// DGTD-Pp on tetrahedra with centered flux (INRIA report 7592, section 3): the fields of a run, which an integrator
// advances.
#include <functional>
#include <map>
#include <memory>

#include "dgtd/dg/discretisation.hpp"
#include "dgtd/dg/executor.hpp"
#include "dgtd/dg/inner_product.hpp"
#include "dgtd/dg/integrator.hpp"
#include "dgtd/dg/local_sums.hpp"
#include "dgtd/dg/random_fields.hpp"
#include "dgtd/dg/source_terms.hpp"
#include "dgtd/physics/port.hpp"
#include "dgtd/physics/source.hpp"
#include "dgtd/solver/current_spectra.hpp"
#include "dgtd/solver/element_sums.hpp"
#include "dgtd/solver/error_indicators.hpp"
#include "dgtd/solver/phases.hpp"
#include "dgtd/solver/port_records.hpp"
#include "dgtd/solver/solver.hpp"

namespace dgtd::dg {

/// Fourier sums of E and Z0 H at one frequency, blocked like the fields, without ghosts.
template <class Real>
struct Phasor {
  double angular_frequency = 0;  // rad/s
  Field<Real> electric_real, electric_imag, magnetic_real, magnetic_imag;
};

/// Fields of a part of a mesh by order, real and imaginary, with the traces of other parts in the ghost slots of joints;
/// null: there are no joints, or no such field.
template <class Real>
using JointFields = std::array<const Field<Real>*, 2>;

/// Those of so many elements of one order, with reals of so many bytes and so many updates of each per step.
solver::Costs costs_of_elements(int order, std::size_t real_bytes, std::int64_t elements, double updates_per_step);

template <class Real>
class DgSolver final : public solver::ElementSolver,
                       public solver::ElementSums,
                       public solver::CurrentSpectra,
                       public solver::PhasePowers,
                       public solver::ErrorIndicators,
                       public solver::PortRecords,
                       public solver::Restart {
 public:
  /// executor computes on d; dt in s, at most the stability limit of the integrator, the leap-frog scheme where none is
  /// given. mesh and comm outlive the solver. Collective.
  DgSolver(std::unique_ptr<Discretisation<Real>> d, std::unique_ptr<Executor<Real>> executor, double dt,
           const std::vector<physics::Source>& sources, const std::vector<std::string>& material_names,
           const parallel::Communicator& comm, MakeIntegrator<Real> make_integrator = {},
           const std::vector<physics::Port>& ports = {});

  solver::Clock clock() const override { return {step_, dt_, integrator_->magnetic_lag()}; }
  solver::Costs costs() const override;
  void advance(std::int64_t steps) override;
  double energy() override;
  solver::SourceWork work() const override;
  solver::Instability find_instability(double& severity) const override;
  void start_dft(const std::vector<double>& angular_frequencies) override;
  void accumulate_dft(double weight) override;
  std::uint64_t fields_hash() const override;
  void set_fields(const solver::VectorFunction& electric, const solver::VectorFunction& magnetic) override;
  void randomise_fields() override;
  std::array<double, 4> squared_errors(const solver::VectorFunction& electric,
                                       const solver::VectorFunction& magnetic) const override;
  std::vector<std::uint32_t> stored_order() const override;
  void sample(solver::Quantity quantity, const std::vector<std::array<double, 4>>& points,
              std::span<const std::uint32_t> elements, double* values) const override;
  std::vector<double> mean_square_electric(std::optional<std::size_t> frequency) const override;
  std::vector<double> mean_square_electric(std::size_t frequency, solver::Phases phases) const override;
  solver::FieldIndicators error_indicators(solver::Quantity::Field field,
                                           std::optional<std::size_t> frequency) const override;
  /// As above, with jumps at the joints of this part of a mesh.
  solver::FieldIndicators error_indicators(solver::Quantity::Field field, std::optional<std::size_t> frequency,
                                           const JointFields<Real>& joints) const;
  double error_indicator_bytes() const override;
  double outflow(std::size_t frequency) const override { return outflow(frequency, solver::Phases::own); }
  double outflow(std::size_t frequency, solver::Phases phases) const override;
  double current_work(std::size_t frequency) const override;
  std::size_t add_sums(std::span<const std::uint32_t> elements, const std::vector<double>& frequencies) override;
  double sums_bytes(std::size_t elements, std::size_t frequencies) const override {
    return LocalSums<Real>::memory_bytes(d_->order, elements * static_cast<std::size_t>(d_->mesh.copies), frequencies);
  }
  void accumulate_sums(std::size_t sums, double weight) override {
    local_sums_.at(sums).add(electric_, magnetic_, clock(), weight);
  }
  void sample_sums(std::size_t sums, solver::Quantity quantity, const std::vector<std::array<double, 4>>& points,
                   double* values) const override {
    local_sums_.at(sums).sample(quantity, points, values);
  }
  const solver::PortRecord& port_record(std::size_t port) override;
  const solver::PortMode* port_mode(std::size_t port) const override { return port_records_[port].mode.get(); }
  double cell_capacitance(std::size_t) const override { return 0; }  // a port is a sheet, without a volume
  bool add_probe(const std::string& name, const Vec3& position, const std::string& origin) override;
  solver::FieldSample probe(const std::string& name) const override;
  double halo_wait_seconds() const override;
  double memory_bytes() const override;
  Occupancy occupancy() const override { return executor_->occupancy(); }
  double loop_bytes(std::size_t frequencies) const override {
    const std::size_t joined = is_complex() && frequencies > 0 ? 1 : 0;  // joined_phasor
    return 4.0 * static_cast<double>((frequencies + joined) * d_->owned_reals() * sizeof(Real));
  }
  double copy_bandwidth() override { return executor_->copy_bandwidth(); }
  void wait() override { executor_->wait(); }
  solver::Restart* restart() override { return this; }
  solver::State save() const override;
  void load(const solver::State& state) override;
  std::vector<solver::PersistentArray> persistent_arrays() override;

  /// Work between the half steps of parts.
  struct BetweenParts {
    std::function<void(HalfStep)> exchange;  // writes what a field's half steps read of other parts
    std::function<void()> filter;            // of H with local time steps
    // step(i) for i from 0 to count - 1, a power of two, at most most_steps_at_once, as Executor::repeat_steps
    std::function<void(int count, const std::function<void(int)>& step)> repeat_steps;
  };
  /// Steps of the solvers of all parts of a mesh (order_parts.hpp), with the leap-frog scheme, half step by half step in
  /// turn. Collective.
  static void advance_together(const std::vector<DgSolver*>& parts, std::int64_t steps, const BetweenParts& between);

  bool is_complex() const { return d_->mesh.copies == 2; }  // whether the fields are
  const Discretisation<Real>& discretisation() const { return *d_; }
  Executor<Real>& executor() const { return *executor_; }
  Field<Real>& electric() {  // E^n, V/m
    sources_.forget_fields();
    return electric_;
  }
  Field<Real>& magnetic() { return magnetic_; }  // Z0 H^{n-1/2}, V/m; to be changed before the first step only
  const Field<Real>& electric() const { return electric_; }
  const Field<Real>& magnetic() const { return magnetic_; }
  const std::vector<Phasor<Real>>& phasors() const { return phasors_; }

 private:
  const Real* gather(const Field<Real>& field, std::span<const std::uint32_t> elements) const;
  const Field<Real>& field_of(solver::Quantity quantity) const;
  void sample_copy(solver::Quantity quantity, const std::vector<std::array<double, 4>>& points,
                   std::span<const std::uint32_t> elements, double* values) const;
  /// Calls use(phasor): with the sums of a frequency; of complex fields with F in the first copies of the elements and
  /// i G in the second ones (solver::Phases).
  template <class Use>
  auto with_phasor(std::size_t frequency, const Use& use) const {
    const Phasor<Real>& sums = phasors_.at(frequency);
    return is_complex() ? use(joined_phasor(sums)) : use(sums);
  }
  Phasor<Real> joined_phasor(const Phasor<Real>& sums) const;
  bool has_phases(std::size_t element, solver::Phases phases) const {
    return (element < d_->mesh.first_copies()) == (phases == solver::Phases::own);
  }
  std::vector<double> mean_square_of(const Field<Real>& real, const Field<Real>* imaginary, solver::Phases phases) const;
  double outflow_of_boundary(const Phasor<Real>& phasor, solver::Phases phases) const;  // W, as outflow()
  double outflow_of_layers(const Phasor<Real>& phasor, solver::Phases phases) const;
  template <class Place>
  std::shared_ptr<const solver::Items> items_of(std::string name, bool complete, const Place& place) const;
  void take_port_records(int steps);
  void place_ports(const std::vector<physics::Port>& ports);

  std::unique_ptr<Discretisation<Real>> d_;
  std::unique_ptr<Executor<Real>> executor_;  // its memory outlives the fields
  const parallel::Communicator& comm_;
  std::vector<std::string> material_names_;
  double dt_;
  std::int64_t step_ = 0;
  double wait_before_;  // s, for halos before the first step
  Field<Real> electric_, magnetic_;
  std::unique_ptr<Integrator<Real>> integrator_;
  SourceTerms<Real> sources_;
  MassForm mass_;
  struct Gathered {
    std::vector<std::uint32_t> elements;
    parallel::Array<std::uint64_t> index;  // [elements][3 Np] in a field
    Field<Real> packed;                    // [elements][3 Np]
  };
  mutable Gathered gathered_;  // of the last gather()
  std::vector<Phasor<Real>> phasors_;
  std::vector<LocalSums<Real>> local_sums_;
  struct RecordedPort {
    std::unique_ptr<const solver::PortMode> mode;  // of a port across a guide, which has no record; else null
    std::size_t lumped = 0;                        // its number among the lumped ones
    std::vector<double> own;                       // [steps][3] of the last steps, as PortsOn::take_records has them
    solver::PortRecord record;  // of all ranks, of the steps before
    const solver::PortRecord& sum_over(const parallel::Communicator& comm);  // collective
  };
  mutable std::vector<RecordedPort> port_records_;  // [ports]
  std::map<std::string, PointLocation> probes_;  // those that this rank holds
};

}  // namespace dgtd::dg
