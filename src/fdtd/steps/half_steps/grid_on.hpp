#pragma once
// The arrays of a block of cells in the memory of a backend, and the half steps
// on them: what the engine and the step schemes of a backend
// (Engine::make_scheme) work on.
#include <algorithm>
#include <memory>
#include <optional>

#include "dgtd/fdtd/engine.hpp"
#include "dgtd/fdtd/kernels/series_update.hpp"
#include "dgtd/fdtd/kernels/split_update.hpp"
#include "dgtd/fdtd/kernels/update_field.hpp"
#include "dgtd/parallel/backend.hpp"
#include "dgtd/parallel/gather.hpp"
#include "fdtd/discretisation/halo.hpp"
#include "fdtd/media/half_arithmetic.hpp"
#include "fdtd/spectra/energy_sum.hpp"
#include "fdtd/steps/half_steps/half_step_on.hpp"

namespace dgtd::fdtd {

using parallel::Array, parallel::CopyReals, parallel::Gather, parallel::Queue, parallel::ScaleReals, parallel::Scatter;

template <class Stored, class Backend>
struct GridOn {
  using Real = arithmetic_t<Stored>;
  using OwnHalfStep = HalfStepOn<Real, typename Backend::Recording>;
  using Batch = typename OwnHalfStep::Batch;
  struct Halo {
    Array<std::uint64_t> send, receive;
    std::unique_ptr<typename Backend::template Exchange<Stored>> exchange;
  };
  struct Series {  // SeriesView
    Array<std::uint64_t> index;
    Array<MediumClass<Real>> medium;
    Array<Real> share, value, currents;
    Array<int> pole_set;
  };

  const Discretisation<Real>& d;
  const KernelFusion fusion;
  std::unique_ptr<Backend> backend;
  parallel::Storage storage;
  Array<Stored> electric,
      magnetic;               // [3][reals] in units of unit and magnetic_unit()
  double unit = 1;            // V/m, of E
  double magnetic_scale = 1;  // H's unit over that of E
  double magnetic_unit = 1;   // V/m, of H
  OwnHalfStep half[2];        // electric, magnetic
  Array<Real> currents,
      current_sums;  // poles: HalfStepView; [slot][3][cells_of_tile] for split
                     // kernels
  Array<PoleCoefficients<Real>> poles;
  Array<int> poles_of_class;
  Series series;
  Halo halo[2];
  bool alone = true;                                 // no other block, nor the other end of this one, gives ghosts
  std::optional<EnergySum<Stored, Backend>> energy;  // made on first use
  bool half_arithmetic = false;                      // fields are computed in half precision, not only stored
  double length = 1;                                 // m: HalfStepView
  int parity = 0;                                    // of the passes so far: which of two sets the arrays are

  GridOn(const Discretisation<Real>& discretisation, KernelFusion kernels, std::unique_ptr<Backend> on)
      : d(discretisation),
        fusion(kernels),
        backend(std::move(on)),
        storage(backend->memory()),
        electric(storage.template zeros<Stored>(3 * static_cast<std::size_t>(d.layout.reals))),
        magnetic(storage.template zeros<Stored>(electric.size())) {
    for (const HalfStep of : {HalfStep::electric, HalfStep::magnetic})
      half[index(of)].load(d, of, Backend::joins_layers, storage);
    const std::size_t slots = static_cast<std::size_t>(d.pole_slots) * 3 * cells_of_tile;
    currents = storage.template zeros<Real>(slots * static_cast<std::size_t>(d.pole_count + d.resonant_count));
    if (fusion == KernelFusion::split) current_sums = storage.template zeros<Real>(slots);
    poles = storage.copy(d.poles);
    poles_of_class = storage.copy(d.poles_of_class);
    series = {
        storage.copy(d.series.index),
        storage.copy(d.series.medium),
        storage.copy(d.series.share),
        storage.template zeros<Real>(d.series.share.size()),
        storage.template zeros<Real>(d.series.share.size() * static_cast<std::size_t>(d.pole_count + d.resonant_count)),
        storage.copy(d.series.pole_set)};
    for (const HalfStep of : {HalfStep::electric, HalfStep::magnetic}) {
      const BlockHalo list = block_halo(d, of);
      halo[index(of)] = {storage.copy(list.send), storage.copy(list.receive),
                         backend->template make_exchange<Stored>(list.plan)};
      alone = alone && list.send.empty() && list.receive.empty();
    }
  }

  static int index(HalfStep of) { return of == HalfStep::electric ? 0 : 1; }
  Array<Stored>& source(HalfStep of) { return of == HalfStep::electric ? magnetic : electric; }
  Array<Stored>& target(HalfStep of) { return of == HalfStep::electric ? electric : magnetic; }

  void start_exchange(HalfStep of) {
    if (alone) return;
    Halo& h = halo[index(of)];
    backend->halo_waits();
    backend->for_each(Queue::halo, static_cast<std::int64_t>(h.send.size()),
                      Gather<Stored>{source(of).read(), h.send.read(), h.exchange->send_view()});
    h.exchange->start();
  }
  void finish_exchange(HalfStep of) {
    if (alone) return;
    Halo& h = halo[index(of)];
    h.exchange->finish();
    if (h.receive.size() > 0)
      backend->for_each(Queue::halo, static_cast<std::int64_t>(h.receive.size()),
                        Scatter<Stored>{source(of).write(), h.receive.read(), h.exchange->receive_buffer()});
  }
  HalfStepView<Stored> view(HalfStep of) {
    OwnHalfStep& h = half[index(of)];
    HalfStepView<Stored> v{};
    v.layout = d.layout;
    for (int a = 0; a < 3; ++a) {
      v.source[a] = source(of).read() + a * d.layout.reals;
      v.target[a] = target(of).write() + a * d.layout.reals;
      v.axis[a] = {h.axis[a][0].read(), h.axis[a][1].read(), h.axis[a][2].read()};
      for (const int place : {0, 1})
        v.damping[a][place] = of == HalfStep::electric ? h.damping[a][place].read() : nullptr;
      v.layer[a] = h.layer[a].write();
    }
    v.classes = h.classes.read();
    v.class_of = h.class_of.read();
    v.poles_of_class = poles_of_class.read();
    v.poles = poles.read();
    v.currents = currents.write();
    v.pole_count = d.pole_count;
    v.resonant_count = d.resonant_count;
    v.critical_count = d.critical_count;
    v.length = static_cast<Real>(length), v.per_length = 1 / v.length;
    return v;
  }

  SeriesView<Real> series_view() {
    return {static_cast<std::int64_t>(series.index.size()),
            series.index.read(),
            series.medium.read(),
            series.share.read(),
            series.pole_set.read(),
            series.value.write(),
            series.currents.write()};
  }

  // run(body) launches a kernel's body on tiles of the batch.
  template <class Run>
  void launch(HalfStep of, const Batch& b, const HalfStepView<Stored>& v, const Run& run) {
    const auto of_kind = [&](auto layered, auto mixed) {
      constexpr bool l = decltype(layered)::value, m = decltype(mixed)::value;
      if constexpr (is_compressed<Stored> && requires { Backend::half_arithmetic; })
        if (half_arithmetic) {
          if (of == HalfStep::magnetic)
            return run(UpdateField<Stored, RowKind{Difference::forward, l, m}, HalfNumber>{v});
          return run(UpdateField<Stored, RowKind{Difference::backward, l, m}, HalfNumber>{v});
        }
      if (of == HalfStep::magnetic) return run(UpdateField<Stored, RowKind{Difference::forward, l, m}>{v});
      if constexpr (!is_compressed<Stored>) {  // those have no poles
        if (b.dispersive && fusion == KernelFusion::split) {
          run(UpdatePoles<Real, m>{v, current_sums.write()});
          return run(UpdateElectricWithSums<Real, l, m>{v, current_sums.write()});
        }
        if (b.dispersive) return run(UpdateField<Real, RowKind{Difference::backward, l, m, true}>{v});
      }
      run(UpdateField<Stored, RowKind{Difference::backward, l, m}>{v});
    };
    if (b.layered && b.mixed) of_kind(std::true_type{}, std::true_type{});
    else if (b.layered) of_kind(std::true_type{}, std::false_type{});
    else if (b.mixed) of_kind(std::false_type{}, std::true_type{});
    else of_kind(std::false_type{}, std::false_type{});
  }
  // Rows (first, end) of plane k, of tiles next to a halo or of the others, on this thread.
  template <class Range>
  void update_plane(HalfStep of, const HalfStepView<Stored>& v, int k, const Range& rows, bool next_to_halo) {
    for (const Batch& b : half[index(of)].batches) {
      const std::int64_t first = b.row[OwnHalfStep::row_of_tiles(d.layout, rows.first, k)],
                         end = b.row[OwnHalfStep::row_of_tiles(d.layout, rows.end - 1, k) + 1];
      if (b.next_to_halo == next_to_halo && first < end)
        launch(of, b, v, [&](const auto& body) {
          backend->for_plane(b.tiles.read() + first, end - first, k % tile_cells(2), rows, body);
        });
    }
  }
  void update(HalfStep of, const Batch& b, const HalfStepView<Stored>& v, Queue queue) {
    launch(of, b, v, [&](const auto& body) {
      backend->for_tiles(queue, b.tiles.read(), static_cast<std::int64_t>(b.tiles.size()), body);
    });
  }
  void update(HalfStep of, const HalfStepView<Stored>& v, bool next_to_halo, Queue queue) {
    for (const Batch& b : half[index(of)].batches)
      if (b.next_to_halo == next_to_halo) update(of, b, v, queue);
  }
  // The largest batch in the main queue, small ones beside it: each alone would
  // leave a GPU half idle at its end.
  void update_side_by_side(HalfStep of, const HalfStepView<Stored>& v) {
    const std::vector<Batch>& batches = half[index(of)].batches;
    const auto smaller = [](const Batch& a, const Batch& b) { return a.tiles.size() < b.tiles.size(); };
    const auto largest = std::max_element(batches.begin(), batches.end(), smaller);
    if (batches.size() > 1) backend->wait_for(Queue::side, Queue::main);
    for (auto batch = batches.begin(); batch != batches.end(); ++batch)
      if (batch != largest) update(of, *batch, v, Queue::side);
    if (largest != batches.end()) update(of, *largest, v, Queue::main);
    if (batches.size() > 1) backend->wait_for(Queue::main, Queue::side);
  }
  // From now on: passes, and half steps between them.
  void compute_in_half_precision(const HalfUnits& units) {
    half_arithmetic = true;
    length = units.length, magnetic_scale = units.magnetic_scale;
    half[0].classes = storage.copy(in_scale(d.electric.classes, magnetic_scale));
    half[1].classes = storage.copy(in_scale(d.magnetic.classes, 1 / magnetic_scale));
    const auto factor = static_cast<Real>(1 / magnetic_scale);
    backend->for_each(static_cast<std::int64_t>(magnetic.size()), ScaleReals<Stored>{magnetic.write(), factor});
    for (Array<Real>& layer : half[0].layer)
      backend->for_each(static_cast<std::int64_t>(layer.size()), ScaleReals<Real>{layer.write(), factor});
    magnetic_unit = unit * magnetic_scale;
  }
  // Bytes of the arrays that a step reads and writes.
  double bytes_of_step() const {
    double bytes = electric.bytes() + magnetic.bytes() + currents.bytes();
    for (const OwnHalfStep& of : half) {
      bytes += of.class_of.bytes();
      for (const auto& layer : of.layer) bytes += layer.bytes();
    }
    return bytes;
  }
  template <class Magnetic>
  double energy_of(const Array<Stored>& electric_now, const Array<Stored>& magnetic_before,
                   const Magnetic& magnetic_after) {
    if (!energy) energy.emplace(d, *backend, storage);
    return unit * unit *
           (*energy)(view(HalfStep::electric), view(HalfStep::magnetic), electric_now.read(), magnetic_before.read(),
                     magnetic_after, magnetic_scale);
  }
};

}  // namespace dgtd::fdtd
