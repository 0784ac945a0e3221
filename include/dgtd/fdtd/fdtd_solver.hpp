#pragma once
// Yee's scheme on a block of a Cartesian grid: what happens in a step; the engine does it.
#include <array>
#include <map>
#include <memory>
#include <unordered_map>

#include "dgtd/fdtd/flux.hpp"
#include "dgtd/fdtd/power_solver.hpp"
#include "dgtd/fdtd/mur.hpp"
#include "dgtd/fdtd/plane_update.hpp"
#include "dgtd/fdtd/running_spectrum.hpp"
#include "dgtd/fdtd/sources.hpp"
#include "dgtd/physics/source.hpp"

namespace dgtd::fdtd {

template <class Real>
class FdtdSolver final : public PowerSolver {
 public:
  FdtdSolver(const grid::Setup& setup, std::unique_ptr<Discretisation<Real>> d, std::unique_ptr<Engine<Real>> engine,
             const std::vector<physics::Source>& sources, const std::vector<physics::Flux>& fluxes,
             const parallel::Communicator& comm, std::unique_ptr<Engine<Real>> imaginary = nullptr);

  /// Where passes of several steps serve this problem (kernels/plane_march.hpp), all its steps are such passes from now
  /// on. Whether they do.
  bool start_plane_passes(const grid::Setup& setup, PlaneFields fields);

  solver::Clock clock() const override { return {step_, d_->time_step}; }
  std::int64_t unknowns() const override;
  double compulsory_bytes_per_step() const override;
  double operations_per_step() const override;
  void advance(std::int64_t steps) override;
  double energy() override;
  double source_work() const override;
  double incident_work_bound() const override { return step_ == 0 ? 0 : power_bound_ * d_->time_step * double(step_); }
  solver::Instability find_instability(double& severity) const override;
  void start_dft(const std::vector<double>& angular_frequencies) override;
  void accumulate_dft(double weight) override;
  std::uint64_t fields_hash() const override;
  void set_fields(const solver::VectorFunction& electric, const solver::VectorFunction& magnetic) override;
  void randomise_fields() override;
  std::array<double, 4> squared_errors(const solver::VectorFunction& electric,
                                       const solver::VectorFunction& magnetic) const override;
  bool add_probe(const std::string& name, const Vec3& position, const std::string& origin) override;
  solver::FieldSample probe(const std::string& name) const override;
  double halo_wait_seconds() const override { return engine_->wait_seconds(); }
  double memory_bytes() const override {
    return engine_->memory_bytes() + (imaginary_ ? imaginary_->engine->memory_bytes() : 0) +
           (plane_update_ ? plane_update_->memory_bytes() : 0);
  }
  Occupancy occupancy() const override { return engine_->occupancy(); }
  double copy_bandwidth() override { return engine_->copy_bandwidth(); }
  void wait() override {
    engine_->wait();
    if (imaginary_) imaginary_->engine->wait();
  }

  const grid::CartesianGrid& grid() const override { return d_->grid; }
  const grid::Block& block() const override { return shown_; }
  std::vector<float> sample_cells(solver::Quantity quantity) const override;
  std::vector<double> flux(std::size_t monitor) const override;
  std::vector<FarPattern> far_fields(std::size_t monitor, const std::vector<Direction>& directions, double permittivity,
                                     double permeability) const override;
  std::vector<double> absorbed(std::size_t frequency, const grid::Media& media, const NodeBox& box) const override;
  double outflow(std::size_t frequency, const NodeBox& box) const override;
  std::vector<double> absorbed_density(std::size_t frequency) const override;

  void add_monitor(const physics::Monitor& monitor) override;
  MonitorExtent monitor_extent(std::size_t monitor) const override;
  MonitorFields monitor_fields(std::size_t monitor, std::size_t frequency) const override;

  Engine<Real>& engine() { return *engine_; }
  /// Half steps are computed by `update` from now on; null: by the engine.
  void set_plane_update(std::unique_ptr<PlaneUpdate<Real>> update) { plane_update_ = std::move(update); }
  /// Of fields with Bloch phases only: the engine of their imaginary part.
  Engine<Real>& imaginary_engine() { return *imaginary_->engine; }
  void set_imaginary_fields(const solver::VectorFunction& electric, const solver::VectorFunction& magnetic) {
    set_fields_of(*imaginary_->engine, electric, magnetic);
  }
  const Discretisation<Real>& discretisation() const { return *d_; }

 private:
  struct Source {
    physics::WaveformShape shape;
    std::vector<std::unique_ptr<Drive>> electric, magnetic, hard;
  };
  struct Flux {
    FluxSurface surface;
    RunningSpectrum<Real> spectrum;
  };
  struct Monitor {
    FieldRegion region;
    SampleRanges ranges;      // of this rank
    bool electric, magnetic;  // kept
    RunningSpectrum<Real> spectrum;
  };
  struct Phasor {
    double angular_frequency;                            // rad/s
    parallel::Field<Real> electric_real, electric_imag;  // V/m
    parallel::Field<Real> magnetic_real, magnetic_imag;  // times the impedance of vacuum, V/m
  };
  /// The imaginary part of fields with Bloch phases (bloch.hpp), which meets the real one where ghosts are turned.
  struct Imaginary {
    std::unique_ptr<Engine<Real>> engine;
    std::array<std::unique_ptr<Turns>, 2> turns;  // of the half steps of E and of H
    std::vector<Source> sources;
    std::array<std::unique_ptr<Wall>, 2> walls;
  };
  /// f(engine, sources, walls) of the real part and of the imaginary one, if there is one.
  template <class F>
  void for_parts(F f) {
    f(*engine_, sources_, walls_);
    if (imaginary_) f(*imaginary_->engine, imaginary_->sources, imaginary_->walls);
  }
  void add_source(const grid::Setup& setup, const physics::Source& source);
  RunningSpectrum<Real> running_spectrum(const SpectrumSamples& samples, const std::vector<double>& frequencies);
  void start_imaginary(const grid::Setup& setup, std::unique_ptr<Engine<Real>> engine);
  void step();
  void advance_plane(std::int64_t steps);
  void sample_spectra();
  void update(HalfStep half);
  void update_once(double time);
  static std::vector<const Drive*> drives(const std::vector<Source>& sources, HalfStep half);
  void refresh_ghosts(HalfStep half);
  void set_fields_of(Engine<Real>& engine, const solver::VectorFunction& electric,
                     const solver::VectorFunction& magnetic);
  std::uint64_t hash_of(Engine<Real>& engine) const;
  struct Losses {  // S/m
    std::vector<double> of_class;
    int series_class = -1;
    std::unordered_map<std::uint64_t, double> of_series;  // by index in [component][reals]
    double at(int number, std::uint64_t index) const {
      return number == series_class ? of_series.at(index) : of_class[number];
    }
  };
  Losses losses(HalfStep half, double angular_frequency) const;
  template <class Body>
  void for_classes(const HalfStepArrays<Real>& arrays, const TileBatch& batch,
                   Body body) const;  // in parallel, body(tile of the batch, component, cell, class)
  void add_absorbed(HalfStep half, const Phasor& phasor, const grid::Media& media, const NodeBox& box,
                    std::vector<double>& of_material) const;
  template <class Body>
  void for_components(Body body) const;  // body(component, i, j, k, index in [component][reals])

  std::unique_ptr<Discretisation<Real>> d_;
  std::unique_ptr<Engine<Real>> engine_;
  std::unique_ptr<Imaginary> imaginary_;             // null where all fields are real
  std::unique_ptr<PlaneUpdate<Real>> plane_update_;  // null: the engine does it
  int components_;                                   // grid::Setup
  std::array<double, 3> bloch_phase_;                // grid::Setup
  const parallel::Communicator& comm_;
  std::vector<grid::Material> materials_;
  std::vector<Source> sources_;
  std::vector<PlaneSource> plane_sources_;      // the same, for passes
  bool passes_ = false;                         // start_plane_passes
  std::array<std::unique_ptr<Wall>, 2> walls_;  // mur_lists; null where no side has them
  std::vector<Flux> fluxes_;
  std::vector<Monitor> monitors_;
  std::vector<Phasor> phasors_;
  std::map<std::string, std::array<int, 3>> probes_;  // cells that this rank holds
  bool has_probes_ = false;                           // on any rank: E above the block is kept up to date for them
  grid::Block shown_;                                 // without the layer of an upper magnetic wall
  std::int64_t step_ = 0;
  double power_bound_ = 0;  // of incident fields, W
};

}  // namespace dgtd::fdtd
