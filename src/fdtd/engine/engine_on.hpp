#pragma once
// The engine, written once over a backend (parallel/backend.hpp) with these launches besides: for_tiles(queue, tiles,
// count, body) calls body.cells<lanes>(tile, i, j, k) for every row of the tiles. The bodies are the same functions on
// the CPU and on the GPU. A backend with one_pass also sweeps over planes.
#include <algorithm>
#include <optional>

#include "dgtd/fdtd/kernels/hash_fields.hpp"
#include "dgtd/fdtd/kernels/largest_of_rows.hpp"
#include "fdtd/discretisation/bloch.hpp"
#include "fdtd/discretisation/persistent_items.hpp"
#include "fdtd/engine/decoded_field.hpp"
#include "fdtd/sources/port_on.hpp"
#include "fdtd/sources/source_term.hpp"
#include "fdtd/spectra/spectrum_on.hpp"
#include "fdtd/steps/half_steps/boundary_on.hpp"
#include "fdtd/steps/half_steps/grid_on.hpp"
#include "fdtd/steps/passes/volume_passes.hpp"
#include "fdtd/steps/planes/plane_passes.hpp"
#include "fdtd/steps/sweeps/sweeps.hpp"

namespace dgtd::fdtd {

using parallel::AddPhasor;

template <class Stored, class Backend>
class EngineOn final : public Engine<Stored> {
  using Real = arithmetic_t<Stored>;

 public:
  EngineOn(const Discretisation<Real>& d, KernelFusion fusion, std::unique_ptr<Backend> backend)
      : grid_(d, fusion, std::move(backend)) {}

  Array<Stored>& field(HalfStep half) override { return grid_.target(half); }
  double unit_of(HalfStep half) const override { return half == HalfStep::electric ? grid_.unit : grid_.magnetic_unit; }
  void set_unit(double unit) override {
    const auto factor = static_cast<Real>(grid_.unit / unit);
    grid_.unit = unit;
    grid_.magnetic_unit = unit * grid_.magnetic_scale;
    for (Array<Stored>* const field : {&grid_.electric, &grid_.magnetic})
      grid_.backend->for_each(static_cast<std::int64_t>(field->size()), ScaleReals<Stored>{field->write(), factor});
    for (auto& half : grid_.half)
      for (Array<Real>& layer : half.layer)
        grid_.backend->for_each(static_cast<std::int64_t>(layer.size()), ScaleReals<Real>{layer.write(), factor});
  }
  double largest() override {
    using Body = LargestOfRows<Stored>;
    if (largest_.size() == 0) largest_ = grid_.storage.template zeros<Real>(std::size_t{Body::lanes} * Body::groups);
    grid_.backend->for_each(static_cast<std::int64_t>(largest_.size()),
                            Body{grid_.d.layout, {grid_.electric.read(), grid_.magnetic.read()}, largest_.write()});
    double most = 0;
    for (const Real of_thread : largest_.part(0, largest_.size())) most = std::max(most, double(of_thread));
    return most;
  }

  void start_exchange(HalfStep half) override { grid_.start_exchange(half); }
  void finish_exchange(HalfStep half) override { grid_.finish_exchange(half); }
  void refresh_ghosts(HalfStep half) override {
    if (grid_.alone) return;
    start_exchange(half);
    finish_exchange(half);
    grid_.backend->main_waits();
  }
  // Without neighbours a half step is the same work each time: a device replays it in one call of the host.
  void update_interior(HalfStep half) override {
    const HalfStepView<Stored> v = grid_.view(half);
    if (grid_.alone)
      grid_.backend->repeat(grid_.half[grid_.index(half)].recording[grid_.parity],
                            [&] { grid_.update_side_by_side(half, v); });
    else grid_.update(half, v, false, Queue::main);
  }
  void update_next_to_halo(HalfStep half) override {
    if (grid_.alone) return;
    grid_.update(half, grid_.view(half), true, Queue::halo);
    grid_.backend->main_waits();
  }
  void update_series() override {
    const auto n = static_cast<std::int64_t>(grid_.series.index.size());
    if (n == 0) return;
    if constexpr (!is_compressed<Stored>)
      grid_.backend->for_each(
          n, UpdateSeries<Real>{grid_.view(HalfStep::electric), grid_.series_view(), grid_.electric.write()});
  }

  SchemeOr<Stored> make_scheme(const SchemeRequest<Stored>& request) override {
    using Kind = typename SchemeRequest<Stored>::Kind;
    if (request.kind == Kind::plane_passes) return make_plane_passes_on(grid_, request);
    if (request.kind == Kind::volume_passes) return make_volume_passes_on(grid_, request);
    return make_sweeps_on(grid_, request);
  }

  void add_persistent(const std::string& prefix, bool with_layers,
                      std::vector<solver::PersistentArray>& list) override {
    const auto add = [&](const std::string& name, const auto& items, Array<Real>& array,
                         std::vector<std::uint64_t> offsets) {
      list.push_back(solver::persistent(prefix + name, items, array, std::move(offsets)));
    };
    const auto cells = cell_items(grid_.d);
    const auto reals = static_cast<std::uint64_t>(grid_.d.layout.reals);
    const auto components = solver::offsets_from(0, reals, 3);
    if constexpr (is_compressed<Stored>) {
      list.push_back(persistent_decoded(prefix + "E", cells, grid_.electric, grid_.unit, components));
      list.push_back(persistent_decoded(prefix + "Z0 H", cells, grid_.magnetic, grid_.magnetic_unit, components));
    } else {
      add("E", cells, grid_.electric, components);
      add("Z0 H", cells, grid_.magnetic, components);
    }
    const std::size_t states = static_cast<std::size_t>(grid_.d.pole_count + grid_.d.resonant_count);
    add("currents of poles", pole_items(grid_.d), grid_.currents, solver::offsets_from(0, tile_cells(0), states));
    const auto shared = list_items(grid_.d, prefix + "components of two media", grid_.d.series.index);
    const auto n = static_cast<std::uint64_t>(grid_.d.series.index.size());
    add("E in two media", shared, grid_.series.value, solver::offsets_from(0, n, 2));
    add("currents of poles in two media", shared, grid_.series.currents, solver::offsets_from(0, n, 2 * states));
    if (!with_layers) return;
    for (const HalfStep half : {HalfStep::electric, HalfStep::magnetic})
      for (int axis = 0; axis < grid_.d.axes; ++axis) {
        const auto items = layer_items(grid_.d, half, axis, false);
        for (int which = 0; which < 2; ++which) {
          const std::vector<std::uint64_t> offset{static_cast<std::uint64_t>(which) * cells_of_tile_plane};
          Array<Real>& layer = grid_.half[grid_.index(half)].layer[axis];
          if (is_compressed<Stored> && half == HalfStep::electric)  // of differences of H
            list.push_back(
                persistent_decoded(prefix + layer_name(half, axis, which), items, layer, grid_.magnetic_scale, offset));
          else add(layer_name(half, axis, which), items, layer, offset);
          list.back().may_be_absent = true;  // plane passes have those that are not zero
        }
      }
  }

  std::unique_ptr<SourceTerm> make_source_term(const SourceList& list) override {
    return std::make_unique<SourceTermOn<Stored, Backend>>(grid_.d, list, *grid_.backend, grid_.storage, *this,
                                                           grid_.target(list.half), grid_.electric);
  }
  std::unique_ptr<PortTerm> make_port(const std::vector<PortEdge>& edges, const physics::WaveformShape& shape,
                                      double amplitude) override {
    return std::make_unique<PortOn<Stored, Backend>>(grid_.d, edges, shape, amplitude, *grid_.backend, grid_.storage,
                                                     *this, grid_.electric);
  }
  std::unique_ptr<BoundaryCondition> make_boundary(const BoundaryList& list) override {
    return std::make_unique<BoundaryOn<Stored, Backend>>(list, *grid_.backend, grid_.storage, grid_.electric);
  }
  std::unique_ptr<BlochPhase> make_bloch_phase(HalfStep half, const GhostPhases& list,
                                               Engine<Stored>& imaginary) override {
    return std::make_unique<BlochPhaseOn<Stored, Backend>>(
        list, *grid_.backend, grid_.storage, grid_.source(half),
        half == HalfStep::electric ? imaginary.magnetic() : imaginary.electric(), imaginary);
  }
  std::unique_ptr<Spectrum> make_spectrum(const SpectrumSamples& samples,
                                          const std::vector<double>& angular_frequencies) override {
    return std::make_unique<SpectrumOn<Stored, Backend>>(samples, angular_frequencies, grid_.d.time_step,
                                                         *grid_.backend, grid_.storage, *this, grid_.electric,
                                                         grid_.magnetic);
  }
  void accumulate_phasor(const Array<Stored>& u, double unit, double c, double s, Array<Real>& real,
                         Array<Real>& imag) override {
    grid_.backend->for_each(static_cast<std::int64_t>(u.size()),
                            AddPhasor<Stored>{u.read(), static_cast<Real>(c * unit), static_cast<Real>(s * unit),
                                              real.write(), imag.write()});
  }

  std::vector<std::vector<Real>> gather(const std::vector<const Array<Real>*>& arrays,
                                        const std::vector<std::uint64_t>& index) override {
    const Array<std::uint64_t> at(index, memory());
    Array<Real> gathered(index.size(), memory());
    std::vector<std::vector<Real>> values;
    for (const Array<Real>* const array : arrays) {
      grid_.backend->for_each(static_cast<std::int64_t>(index.size()),
                              Gather<Real>{array->read(), at.read(), gathered.write()});
      values.push_back(gathered.part(0, gathered.size()));
    }
    return values;
  }
  std::vector<Real> sample(HalfStep field, const std::vector<std::uint64_t>& index) override {
    const Array<std::uint64_t> at(index, memory());
    Array<Real> values(index.size(), memory());
    grid_.backend->for_each(
        static_cast<std::int64_t>(index.size()),
        TakeField<Stored>{grid_.target(field).read(), at.read(),
                          static_cast<Real>(field == HalfStep::electric ? grid_.unit : grid_.magnetic_unit),
                          values.write()});
    return values.part(0, values.size());
  }

  void store_magnetic() override {
    if (stored_.size() == 0) {
      stored_ = grid_.storage.template zeros<Stored>(grid_.magnetic.size());
      for (int a = 0; a < 3; ++a) stored_layer_[a] = grid_.storage.template zeros<Real>(grid_.half[1].layer[a].size());
    }
    copy_reals(grid_.magnetic, stored_);
    for (int a = 0; a < 3; ++a) copy_reals(grid_.half[1].layer[a], stored_layer_[a]);
  }
  void restore_magnetic() override {
    copy_reals(stored_, grid_.magnetic);
    for (int a = 0; a < 3; ++a) copy_reals(stored_layer_[a], grid_.half[1].layer[a]);
  }
  double energy() override {
    return grid_.energy_of(grid_.electric, stored_, StoredMagnetic<Stored>{grid_.magnetic.read()});
  }
  double energy_ahead() override {
    const HalfStepView<Stored> v = grid_.view(HalfStep::magnetic);
    if constexpr (is_compressed<Stored> && requires { Backend::half_arithmetic; })
      if (grid_.half_arithmetic)
        return grid_.energy_of(grid_.electric, grid_.magnetic, AdvancedMagnetic<Stored, HalfNumber>{v});
    return grid_.energy_of(grid_.electric, grid_.magnetic, AdvancedMagnetic<Stored, Real>{v});
  }
  std::uint64_t hash() override {
    HashFields<Stored> body{grid_.d.layout,
                            {},
                            {},
                            grid_.electric.read(),
                            grid_.magnetic.read(),
                            static_cast<Real>(grid_.unit),
                            static_cast<Real>(grid_.magnetic_unit),
                            nullptr};
    for (std::size_t a = 0; a < 3; ++a)
      body.first[a] = grid_.d.block.first[a], body.global_cells[a] = grid_.d.global_cells[a];
    Array<std::uint64_t> sums(static_cast<std::size_t>(body.count()), memory());
    body.sums = sums.write();
    grid_.backend->for_each(body.count(), body);
    std::uint64_t total = 0;
    for (const std::uint64_t sum : sums.part(0, sums.size())) total += sum;
    return total;
  }

  parallel::Memory& memory() override { return grid_.backend->memory(); }
  double wait_seconds() const override {
    return grid_.halo[0].exchange->wait_seconds() + grid_.halo[1].exchange->wait_seconds();
  }
  double memory_bytes() const override { return grid_.storage.bytes(); }
  double copy_bandwidth() override { return grid_.backend->copy_bandwidth(); }
  solver::Solver::Occupancy occupancy() const override {
    return grid_.backend->template occupancy<UpdateField<Stored, RowKind{Difference::backward}>>();
  }
  void wait() override { grid_.backend->wait(); }

 private:
  template <class T>
  void copy_reals(const Array<T>& from, Array<T>& to) {
    grid_.backend->for_each(static_cast<std::int64_t>(from.size()), CopyReals<T>{from.read(), to.write()});
  }

  GridOn<Stored, Backend> grid_;
  Array<Stored> stored_;         // H, for the energy
  Array<Real> stored_layer_[3];  // and its layers' sums
  Array<Real> largest_;          // LargestOfRows; made on first use
};

}  // namespace dgtd::fdtd
