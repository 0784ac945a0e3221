#pragma once
// The Hertzian potential formulation in a plane (Tartarini and Massaro 2011): psi along z obeys a scalar wave equation,
// and E and H follow from it (docs/theory.md):
//   electric   E_z = -mu eps_b d2 psi/dt2,   H = eps_b d/dt curl(psi z)      exact at steps of the permittivity
//   magnetic   H_z = -mu eps d2 psi/dt2 - mu sigma d psi/dt,   E = -mu d/dt curl(psi z)
// with eps_b of the background. Time levels are those of FieldSolver: psi^n of an electric potential stands at n dt, of
// a magnetic one at (n - 1/2) dt. Steps are computed when fields are read, or as many at once as the engine takes.
#include <memory>

#include "dgtd/grid/grid_solver.hpp"
#include "dgtd/hpf/engine.hpp"
#include "dgtd/hpf/sources.hpp"

namespace dgtd::hpf {

template <class Real>
class PotentialSolver final : public grid::GridSolver, public solver::Restart {
 public:
  PotentialSolver(std::unique_ptr<Discretisation> d, std::unique_ptr<Engine<Real>> engine,
                  const std::vector<physics::Source>& sources, const parallel::Communicator& comm);

  solver::Clock clock() const override { return {step_, d_->time_step}; }
  solver::Costs costs() const override;
  void advance(std::int64_t steps) override;
  /// Conserved without losses and sources between closed walls, with v = (psi^{n+1} - psi^n) / dt and v' the next one:
  ///   1/2 mu eps_b^2 sum V (mu eps ((v' - v) / dt)^2 + grad v' . grad v)        J, of a magnetic one with mu^2 eps_b
  ///   before it
  /// which of an electric potential is 1/2 (E eps E + H^{n-1/2} mu H^{n+1/2}). Of the stencil along lines with
  /// derivatives along y only.
  double energy() override;
  solver::SourceWork work() const override;  // not measured, a bound only
  solver::Instability find_instability(double& severity) const override;
  void start_dft(const std::vector<double>& angular_frequencies) override;
  void accumulate_dft(double weight) override;
  std::uint64_t fields_hash() const override;  // of psi and its increment
  /// Throws Error: E and H do not say what the potential is.
  void set_fields(const solver::VectorFunction& electric, const solver::VectorFunction& magnetic) override;
  void randomise_fields() override;
  std::array<double, 4> squared_errors(const solver::VectorFunction& electric,
                                       const solver::VectorFunction& magnetic) const override;  // at cells' centres
  void refresh_probes() override;
  solver::FieldSample probe(const std::string& name) const override;
  double halo_wait_seconds() const override { return engine_->wait_seconds(); }
  double memory_bytes() const override {
    double bytes = engine_->memory_bytes();
    for (const Phasor& p : phasors_) bytes += p.real.bytes() + p.imag.bytes();
    return bytes;
  }
  Occupancy occupancy() const override { return engine_->occupancy(); }
  double loop_bytes(std::size_t frequencies) const override {
    return 2.0 * static_cast<double>(frequencies * static_cast<std::size_t>(d_->reals()) * sizeof(Real));
  }
  double copy_bandwidth() override { return engine_->copy_bandwidth(); }
  void wait() override;
  solver::Restart* restart() override { return this; }
  solver::State save() const override;
  void load(const solver::State& state) override;
  std::vector<solver::PersistentArray> persistent_arrays() override;

  const grid::CartesianGrid& grid() const override { return d_->grid; }
  const grid::Block& block() const override { return d_->block; }
  std::vector<float> sample_cells(solver::Quantity quantity) const override;

  /// Sets psi at its first two levels from psi(x, t), t = 0 at the present one.
  void set_potential(const std::function<double(const Vec3&, double)>& psi);
  /// psi of this rank's nodes now, [height][width]. Collective.
  std::vector<double> potential() const;
  const Discretisation& discretisation() const { return *d_; }

 private:
  struct Phasor {
    double angular_frequency;          // rad/s
    parallel::Array<Real> real, imag;  // of the increment
  };
  /// A node's field along z, and what the field in the plane is the curl of, times a factor: [height + 1][width + 1].
  struct Levels {
    std::vector<double> along_z, in_plane;
  };
  void compute_due_steps() const { compute_due_steps(1); }
  void compute_due_steps(std::int64_t fewest) const;
  void compute_next_level() const;
  int series_left() const;
  Levels levels(solver::Quantity quantity) const;
  std::vector<double> with_upper_nodes(const std::function<double(int i, int j)>& value) const;
  double along_z(double increment, double next_increment, int i, int j) const;
  double in_plane_factor() const;
  std::array<double, 2> node_values(int i, int j) const;
  std::array<int, 2> nodes_of_cell(int axis, int cell) const;

  std::unique_ptr<Discretisation> d_;
  mutable std::unique_ptr<Engine<Real>> engine_;
  const parallel::Communicator& comm_;
  mutable std::vector<Series> series_;
  mutable std::int64_t series_first_ = 0, series_end_ = 0;  // steps in the engine's table
  bool has_sources_ = false;                                // on any rank
  std::vector<Phasor> phasors_;
  std::map<std::string, std::vector<double>> above_probes_;  // node_values() of another rank's: [2 nodes][2]
  std::int64_t step_ = 0;                                    // of advance()
  mutable std::int64_t computed_ = 0;                        // that psi has taken
  mutable bool ahead_ = false;                               // the engine's new arrays are a step ahead
};

}  // namespace dgtd::hpf
