#pragma once
// Yee's scheme on a block of a Cartesian grid: fields, sources, spectra and samples; a StepScheme computes the steps.
#include <array>
#include <map>
#include <memory>
#include <optional>

#include "dgtd/fdtd/boundary_lists.hpp"
#include "dgtd/fdtd/field_unit.hpp"
#include "dgtd/fdtd/monitors.hpp"
#include "dgtd/fdtd/phasor.hpp"
#include "dgtd/fdtd/sources.hpp"
#include "dgtd/fdtd/power.hpp"
#include "dgtd/fdtd/step_scheme.hpp"
#include "dgtd/grid/power_solver.hpp"
#include "dgtd/physics/source.hpp"
#include "dgtd/solver/port_records.hpp"

namespace dgtd::fdtd {

template <class Stored>
class Powers;

/// Stored: the type of fields in memory; everything else is of the type that they are computed in.
template <class Stored>
class FdtdSolver final : public grid::PowerSolver, public solver::Restart, public solver::PortRecords {
 public:
  using Real = arithmetic_t<Stored>;
  FdtdSolver(const grid::Setup& setup, std::unique_ptr<Discretisation<Real>> d, std::unique_ptr<Engine<Stored>> engine,
             const std::vector<physics::Source>& sources, const parallel::Communicator& comm,
             std::unique_ptr<Engine<Stored>> imaginary = nullptr, const std::vector<physics::Port>& ports = {});

  /// Takes several steps per pass from now on (kernels/plane_temporal_blocking.hpp), if this problem allows it. Returns
  /// whether it does.
  bool start_plane_passes(const grid::Setup& setup, PlaneFields fields);
  /// Takes several steps per pass over memory from now on, unless a sample is due in between. Bit-identical. Returns
  /// why that is not possible, in which case the steps stay as they are; empty if it is.
  /// frequencies: of Fourier sums to come, for which there must be memory.
  std::string start_volume_passes(std::size_t frequencies = 0, bool measured = false, Timers* timers = nullptr);

  solver::Clock clock() const override { return {step_, d_->time_step}; }
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
  void refresh_probes() override;
  solver::FieldSample probe(const std::string& name) const override;
  double halo_wait_seconds() const override { return engine().wait_seconds() + scheme_->wait_seconds(); }
  double memory_bytes() const override;
  Occupancy occupancy() const override { return engine().occupancy(); }
  double loop_bytes(std::size_t frequencies) const override;
  double copy_bandwidth() override { return engine().copy_bandwidth(); }
  void wait() override {
    fields_.for_parts([](auto& part) { part.engine->wait(); });
  }
  solver::Restart* restart() override { return this; }
  solver::State save() const override;
  void load(const solver::State& state) override;
  std::vector<solver::PersistentArray> persistent_arrays() override;
  void finish_loading() override;

  const solver::PortRecord& port_record(std::size_t port) override;
  double cell_capacitance(std::size_t port) const override { return ports_[port].cell_capacitance; }
  const solver::PortMode* port_mode(std::size_t port) const override {
    return ports_[port].mode ? &*ports_[port].mode : nullptr;
  }

  const grid::CartesianGrid& grid() const override { return d_->grid; }
  const grid::Block& block() const override { return shown_; }
  std::vector<float> sample_cells(solver::Quantity quantity) const override;
  std::unique_ptr<grid::CellSampler> cell_sampler(solver::Quantity quantity) const override;
  std::vector<double> absorbed(std::size_t frequency, const grid::Media& media, const NodeBox& box) const override;
  double outflow(std::size_t frequency, const NodeBox& box) const override;
  std::vector<double> absorbed(std::size_t frequency, const grid::Media& media, const NodeBox& box,
                               const CellsOfMaterials& cells) const override;
  double absorbed_bytes(double angular_frequency) const override;

  std::size_t add_region(const solver::Region& region) override { return monitors_->add(region); }
  const solver::RegionSamples& samples(std::size_t region) const override { return monitors_->samples(region); }
  std::int64_t sampling_interval(std::size_t region) const override { return monitors_->sampling_interval(region); }
  void accumulate(std::size_t region, double weight) override { monitors_->accumulate(region, step_, weight); }
  bool are_phasors() const override { return false; }
  solver::RegionSums sums(std::size_t region, std::size_t frequency) const override {
    return monitors_->sums(region, frequency);
  }

  std::string description_of_steps() const { return description_.empty() ? scheme_->description() : description_; }
  Engine<Stored>& engine() const { return *fields_.real.engine; }
  /// The engine of the imaginary part, which only fields with Bloch phases have.
  Engine<Stored>& imaginary_engine() const { return *fields_.imaginary->engine; }
  void set_imaginary_fields(const solver::VectorFunction& electric, const solver::VectorFunction& magnetic) {
    set_fields_of(imaginary_engine(), electric, magnetic);
  }
  const Discretisation<Real>& discretisation() const { return *d_; }
  /// For schemes of other modules, which compute all steps from use_scheme on.
  YeeFields<Stored>& fields() { return fields_; }
  void use_scheme(std::unique_ptr<StepScheme<Stored>> scheme) { scheme_ = std::move(scheme); }

 private:
  struct RecordedPort {
    PortTerm* term = nullptr;     // of a lumped one, else null
    double cell_capacitance = 0;  // F
    solver::PortRecord record;
    std::optional<solver::PortMode> mode = {};  // of one across a guide
  };
  void add_port(const grid::Setup& setup, const physics::Port& port);
  void take_port_records();  // collective
  void save_ports(solver::State& state);
  void load_ports(const solver::State& state);
  void add_source(const grid::Setup& setup, const physics::Source& source);
  SourceSize size_of(const physics::Source& source, const std::vector<DiscreteSource>& lists) const;
  void add_lists(const grid::Setup& setup, const DiscreteSource& lists, bool has_phase);
  void add_work_of_source(std::size_t source, std::vector<solver::PersistentArray>& list);
  Engine<Stored>* imaginary_engine_or_null() const {
    return fields_.imaginary ? fields_.imaginary->engine.get() : nullptr;
  }
  void set_fields_of(Engine<Stored>& engine, const solver::VectorFunction& electric,
                     const solver::VectorFunction& magnetic);
  double unit() const { return engine().unit(); }
  void set_unit(double unit);
  void set_unit_of(double largest);  // for fields that will be set; V/m, of this rank
  void follow_fields();              // before step_, where the unit may change
  double largest_in_units() const;
  void check_range(double largest) const;
  Powers<Stored> powers() const;
  std::map<std::pair<std::string, int>, double> magnetic_above_probes();
  template <class Body>
  void for_components(const Body& body) const;  // body(component, i, j, k, index in [component][reals])
  template <class Body>
  void for_components_of_plane(int component, int k, const Body& body) const;  // likewise

  std::unique_ptr<Discretisation<Real>> d_;
  YeeFields<Stored> fields_;
  std::unique_ptr<StepScheme<Stored>> scheme_;
  std::string description_;            // of steps, where not the scheme's
  int components_;                     // grid::Setup
  std::array<double, 3> bloch_phase_;  // grid::Setup
  const parallel::Communicator& comm_;
  std::vector<physics::Medium> materials_;
  std::map<std::string, solver::FieldSample> probe_values_;  // of refresh_probes
  std::vector<SourceSize> source_sizes_;                     // of compressed fields
  std::vector<RecordedPort> ports_;
  std::optional<Monitors<Stored>> monitors_;
  std::vector<Phasor<Real>> phasors_;
  grid::Block shown_;  // without the layer of an upper magnetic wall
  std::int64_t step_ = 0;
  std::int64_t unit_step_ = 0;       // at which the unit was determined
  double work_before_ = 0;           // J, of sources, by another scheme in the run that this one continues
  parallel::Array<double> no_work_;  // of a source's entries on other ranks
  double power_bound_ = 0;           // of incident fields, W
};

}  // namespace dgtd::fdtd
