#pragma once
// The engine, written once over a backend (parallel/backend.hpp) with these launches besides: for_tiles(queue, tiles,
// count, body) calls body.cells<lanes>(tile, i, j, k) for every row of the tiles. The bodies are the same functions on
// the CPU and on the GPU. A backend with one_pass also sweeps over planes.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

#include "dgtd/base/constants.hpp"
#include "bloch.hpp"
#include "dgtd/fdtd/kernels/series_update.hpp"
#include "dgtd/fdtd/kernels/split_update.hpp"
#include "dgtd/fdtd/kernels/update_field.hpp"
#include "dgtd/parallel/backend.hpp"
#include "dgtd/parallel/send_view.hpp"
#include "halo.hpp"
#include "plane_pass.hpp"
#include "spectrum_kernels.hpp"
#include "wall_kernels.hpp"

namespace dgtd::fdtd {

using parallel::AddPhasor, parallel::CopyReals, parallel::Queue;

template <class Real>
struct Gather {
  const Real* field;
  const std::uint64_t* index;
  parallel::SendView<Real> packed;
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const { *packed.at(i) = field[index[i]]; }
};
template <class Real>
struct Scatter {
  Real* field;
  const std::uint64_t* index;
  const Real* packed;
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const { field[index[i]] = packed[i]; }
};
template <class Real>
struct AddSourceTerm {
  Real* field;
  const std::uint64_t* index;
  const double *weight, *delay;
  physics::WaveformShape shape;
  double time;
  bool replaces;
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const {
    Real& u = field[index[i]];
    u = static_cast<Real>((replaces ? 0.0 : double(u)) + weight[i] * physics::value(shape, time - delay[i]));
  }
};

/// The work of a current on E in a step, as the scheme's energy counts it: -dt J^{n+1/2} . (E^n + E^{n+1}) / 2.
template <class Real>
struct AddWork {
  const Real* field;
  const std::uint64_t* index;
  const double *moment, *delay;
  physics::WaveformShape shape;
  double time, time_step;
  Real* before;  // E^n
  double* sums;  // J
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const {
    const Real u = field[index[i]];
    sums[i] -= 0.5 * time_step * moment[i] * physics::value(shape, time - delay[i]) * (double(before[i]) + double(u));
    before[i] = u;
  }
};

/// Twice the energy over eps0 of the cells of lane i % 32 of tile i / 32.
template <class Real>
struct SumEnergy {
  HalfStepView<Real> electric, magnetic;        // with the classes of each; targets are E and H
  const Real* kept;                             // H a step before
  const Tile *electric_tiles, *magnetic_tiles;  // the same cells in the same order
  const Real *length[3], *dual_length[3];       // [padded cells] m
  const Real *permittivity, *permeability;      // [class]
  double* sums;                                 // [tile][32]
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const {
    const Tile& te = electric_tiles[i / tile_cells(0)];
    const Tile& th = magnetic_tiles[i / tile_cells(0)];
    const GridLayout& layout = electric.layout;
    const int ii = static_cast<int>(i % tile_cells(0)), x = te.first[0] + ii;
    double sum = 0;
    for (int kk = 0; kk < tile_cells(2) && x < layout.cells[0] && te.first[2] + kk < layout.cells[2]; ++kk)
      for (int jj = 0; jj < tile_cells(1) && te.first[1] + jj < layout.cells[1]; ++jj) {
        const int at[3] = {x, te.first[1] + jj, te.first[2] + kk};
        const std::int64_t n = layout.index(at[0], at[1], at[2]);
        const int cell = (kk * tile_cells(1) + jj) * tile_cells(0) + ii;
        for (int c = 0; c < 3; ++c) {
          double ve = 1, vh = 1;
          for (int a = 0; a < 3; ++a) {
            ve *= double(a == c ? length[a][at[a]] : dual_length[a][at[a]]);
            vh *= double(a == c ? dual_length[a][at[a]] : length[a][at[a]]);
          }
          const std::int64_t local = std::int64_t(c) * cells_of_tile + cell;
          const int me = te.classes >= 0 ? int(electric.class_of[std::int64_t(te.classes) * 3 * cells_of_tile + local])
                                         : te.medium_class;
          const int mh = th.classes >= 0 ? int(magnetic.class_of[std::int64_t(th.classes) * 3 * cells_of_tile + local])
                                         : th.medium_class;
          const double e = double(electric.target[c][n]);
          sum += double(permittivity[me]) * ve * e * e +
                 double(permeability[mh]) * vh * double(kept[c * layout.reals + n]) * double(magnetic.target[c][n]);
        }
      }
    sums[i] = sum;
  }
};

template <class Real, class Backend>
class EngineOn final : public Engine<Real> {
 public:
  EngineOn(const Discretisation<Real>& d, Schedule schedule, std::unique_ptr<Backend> backend);

  parallel::Array<Real>& electric() override { return electric_; }
  parallel::Array<Real>& magnetic() override { return magnetic_; }
  void start_exchange(HalfStep half) override;
  void update_interior(HalfStep half) override;
  void finish_exchange(HalfStep half) override;
  void update_next_to_halo(HalfStep half) override;
  void refresh_ghosts(HalfStep half) override {
    start_exchange(half);
    finish_exchange(half);
    backend_->main_waits();
  }
  void update_series() override;
  bool has_one_pass() const override { return Backend::one_pass && d_.axes == 3; }
  void update_interior_once(const std::vector<const SourceTerm*>& magnetic, double time) override;
  void start_plane_passes(PlaneFields fields, const std::vector<PlaneSource>& sources) override {
    passes_ = std::make_unique<PlanePass<Real, Backend>>(d_, fields, sources, *backend_);
    bytes_ += passes_->bytes();
  }
  void plane_pass(std::int64_t first_step, int steps) override {
    passes_->run(first_step, steps, electric_, magnetic_);
  }
  double plane_energy(std::int64_t first_step) override;
  double plane_work() const override { return passes_->work(); }
  std::unique_ptr<SourceTerm> make_source_term(HalfStep half, const SourceTermList& list,
                                               const physics::WaveformShape& shape) override;
  void drive(const SourceTerm& drive, double time) override;
  void add_source_next_to_halo(const SourceTerm& drive, double time) override;
  std::unique_ptr<BoundaryCondition> make_boundary(const BoundaryList& list) override;
  void keep_boundary(BoundaryCondition& wall) override;
  void update_boundary(const BoundaryCondition& wall) override;
  std::unique_ptr<BlochPhase> make_bloch_phase(const GhostPhases& list) override;
  void apply_bloch_phase(HalfStep half, Engine<Real>& imaginary, const BlochPhase& turns) override;
  void add_work(SourceTerm& drive, double time) override;
  double work(const SourceTerm& drive) const override;
  std::unique_ptr<Spectrum> make_spectrum(const SpectrumSamples& samples,
                                          const std::vector<double>& angular_frequencies) override;
  void accumulate(Spectrum& spectrum, double time, double weight) override;
  parallel::Memory& memory() override { return backend_->memory(); }
  void accumulate_phasor(const parallel::Array<Real>& u, double c, double s, parallel::Array<Real>& real,
                         parallel::Array<Real>& imag) override {
    backend_->for_each(
        Queue::main, static_cast<std::int64_t>(u.size()),
        AddPhasor<Real>{u.read(), static_cast<Real>(c), static_cast<Real>(s), real.write(), imag.write()});
  }
  void keep_magnetic() override;
  void restore_magnetic() override;
  double energy() override;
  double wait_seconds() const override { return halo_[0].exchange->wait_seconds() + halo_[1].exchange->wait_seconds(); }
  double memory_bytes() const override { return bytes_; }
  double copy_bandwidth() override { return backend_->copy_bandwidth(); }
  solver::Solver::Occupancy occupancy() const override;
  void wait() override { backend_->wait(); }

 private:
  struct Batch {
    bool layered, mixed, dispersive, next_to_halo;
    Array<Tile> tiles;
    std::vector<std::int64_t> layer;  // [tiles along z + 1] where a layer of tiles begins, in the order of memory
  };
  struct Half {  // of one half step
    Array<Real> axis[3][3], layer[3];
    Array<MediumClass<Real>> classes;
    Array<std::uint16_t> class_of;
    std::vector<Batch> batches;
  };
  struct Halo {
    Array<std::uint64_t> send, receive;
    std::unique_ptr<typename Backend::template Exchange<Real>> exchange;
  };
  struct Series {  // SeriesView
    Array<std::uint64_t> index;
    Array<MediumClass<Real>> medium;
    Array<Real> share, value, currents;
    Array<int> pole_set;
  };
  struct SourceTermCopy final : SourceTerm {
    HalfStep half;
    std::vector<std::int64_t> plane;  // [planes + 2] where entries begin: next to a halo, then plane by plane
    Array<std::uint64_t> index;
    Array<double> weight, delay;
    Array<double> moment, work;  // [n] where the work is wanted
    Array<Real> before;
    physics::WaveformShape shape;
    bool replaces;  // SourceTermList
  };
  struct BoundaryCopy final : BoundaryCondition {
    Array<std::uint64_t> wall, inner;
    Array<Real> factor, kept;  // kept: KeepBoundary
  };
  struct BlochPhaseCopy final : BlochPhase {
    Array<std::uint64_t> index;
    Array<Real> cosine, sine;
  };
  struct SpectrumCopy final : Spectrum {
    Array<std::uint64_t> electric, below, above;
    Array<double> weight_below, angular;
    Array<Real> instants;  // [instant][n_E + n_H] that are not yet in the sums
    Array<Real> factors;   // [instant][frequency][4]
    Array<Real> totals;    // [frequency][Re E n_E, Im E n_E, Re H n_H, Im H n_H]
    int waiting = 0;       // instants
    EngineOn* engine;
    std::size_t samples() const { return electric.size() + below.size(); }
    std::vector<double> sums(std::size_t first, std::size_t count) const override {
      engine->add_instants(*const_cast<SpectrumCopy*>(this));
      std::vector<Real> values(count * 2 * samples());
      if (!values.empty())
        engine->memory().download(values.data(), totals.read() + first * 2 * samples(), values.size() * sizeof(Real));
      return {values.begin(), values.end()};
    }
  };
  /// Of the energy, made when it is first asked for.
  struct EnergyArrays {
    Array<Real> kept, kept_layer[3], length[3], dual_length[3], permittivity, permeability;
    Array<Tile> electric_tiles, magnetic_tiles;
    Array<double> sums;
  };

  static int index(HalfStep half) { return half == HalfStep::electric ? 0 : 1; }
  parallel::Array<Real>& source(HalfStep half) { return half == HalfStep::electric ? magnetic_ : electric_; }
  parallel::Array<Real>& target(HalfStep half) { return half == HalfStep::electric ? electric_ : magnetic_; }
  template <class T>
  Array<T> copy(const std::vector<T>& from) {
    bytes_ += double(from.size()) * sizeof(T);
    return Array<T>(from, backend_->memory());
  }
  template <class T>
  Array<T> zeros(std::size_t size) {
    bytes_ += double(size) * sizeof(T);
    return Array<T>(size, backend_->memory());
  }
  void load(Half& half, const HalfStepArrays<Real>& from);
  HalfStepView<Real> view(HalfStep half);
  void update(HalfStep half, bool next_to_halo, Queue queue);
  template <class Run>
  void launch(HalfStep half, const Batch& batch, const HalfStepView<Real>& v, const Run& run);
  AddSourceTerm<Real> source_body(const SourceTermCopy& list, double time);
  void make_energy_arrays();
  void copy_reals(const Real* from, Real* to, std::size_t reals);
  double energy_of(parallel::Array<Real>& electric, const Real* magnetic_before, parallel::Array<Real>& magnetic);
  void add_instants(SpectrumCopy& spectrum);

  const Discretisation<Real>& d_;
  Schedule schedule_;
  std::unique_ptr<Backend> backend_;
  double bytes_ = 0;
  parallel::Array<Real> electric_, magnetic_;  // [3][reals]
  Half half_[2];                               // electric, magnetic
  Array<Real> currents_, current_sums_;        // poles: HalfStepView; [slot][3][cells_of_tile] for the split schedule
  Array<PoleCoefficients<Real>> poles_;
  Array<int> poles_of_class_;
  Series series_;
  Halo halo_[2];
  EnergyArrays energy_;
  std::unique_ptr<PlanePass<Real, Backend>> passes_;  // null but for plane grids
};

}  // namespace dgtd::fdtd

#include "engine_on_impl.hpp"
