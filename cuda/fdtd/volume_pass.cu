// Passes over a volume grid on a CUDA device.
#include <algorithm>
#include <array>
#include <deque>

#include "../parallel/cuda_check.hpp"
#include "../parallel/cuda_graph.hpp"
#include "../parallel/cuda_launch.hpp"
#include "../parallel/cuda_streams.hpp"
#include "../parallel/tensor_copy.hpp"
#include "half_arithmetic.hpp"
#include "volume_kernels.hpp"
#include "volume_margins.hpp"
#include "volume_pass.hpp"
#include "volume_tables.hpp"

namespace dgtd::fdtd {

template <>
VolumeKernel find_volume_kernel<float>(const VolumeTileContent& content) {
  for (const auto kernel :
       {volume_kernel_plain,        volume_kernel_mixed,    volume_kernel_sourced,         volume_kernel_sourced_z,
        volume_kernel_layers_x,     volume_kernel_layers_y, volume_kernel_layers_xy,       volume_kernel_layers_z,
        volume_kernel_layers_all,   volume_kernel_mixed_x,  volume_kernel_mixed_y,         volume_kernel_mixed_z,
        volume_kernel_damped,       volume_kernel_damped_z, volume_kernel_everything,      volume_kernel_rates,
        volume_kernel_rates_damped, volume_kernel_by_plane, volume_kernel_by_plane_damped, volume_kernel_rates_damped_z,
        volume_kernel_rates_sourced})
    if (kernel().content == content) return kernel();
  return {content, nullptr, 0};
}
template <>
VolumeKernel find_volume_kernel<Half>(const VolumeTileContent& content) {
  for (const auto kernel :
       {volume_kernel_half_plain,          volume_kernel_half_mixed,        volume_kernel_half_damped,
        volume_kernel_half_sourced,        volume_kernel_half_layers_x,     volume_kernel_half_layers_y,
        volume_kernel_half_layers_xy,      volume_kernel_half_layers_xz,    volume_kernel_half_layers_yz,
        volume_kernel_half_layers_z,       volume_kernel_half_layers_all,   volume_kernel_half_damped_z,
        volume_kernel_half_sourced_z,      volume_kernel_half_everything,   volume_kernel_half_rates,
        volume_kernel_half_rates_damped,   volume_kernel_half_by_plane,     volume_kernel_half_by_plane_damped,
        volume_kernel_half_rates_damped_z, volume_kernel_half_rates_sourced})
    if (kernel().content == content) return kernel();
  return {content, nullptr, 0};
}

namespace {

static_assert(steps_of_volume_pass <= most_steps_of_volume_pass);

using parallel::Array;

/// An entry of a source, as the kernels below see it.
struct PassEntry {
  double weight, delay, moment;
  int shape, electric;
  double* work;   // null: none is counted
  float* before;  // E at the present step, V/m
};

/// rate[i]: of the class class_of[i], as a tile computes with it.
template <class Stored>
struct RateOfClass {
  const std::uint16_t* class_of;
  const MediumClass<float>* classes;
  float per_length;  // VolumeView
  Stored* rate;
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const { rate[i] = Stored(classes[class_of[i]].rate * per_length); }
};

/// What the entry at place i % n adds at step i / n of a pass: AddSourceTerm (source_term.hpp).
struct SourceValues {
  const PassEntry* entries;
  const int* entry_at;
  const physics::WaveformShape* shapes;
  std::int64_t n;
  const std::int64_t* first_step;
  double time_step;
  const double* units;  // [2] V/m, of E, H
  double* values;       // [step][n] in units
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const {
    const PassEntry& e = entries[entry_at[i % n]];
    const double start = static_cast<double>(*first_step + i / n) * time_step;
    const double time = e.electric ? start + 0.5 * time_step : start;
    values[i] = 1 / units[e.electric ? 0 : 1] * (e.weight * physics::value(shapes[e.shape], time - e.delay));
  }
};

/// The work of entry i in the steps of a pass: AddWork.
struct SourceWork {
  const PassEntry* entries;
  const int* stored_at;
  const physics::WaveformShape* shapes;
  std::int64_t n;
  const std::int64_t* first_step;
  int steps;
  double time_step;
  const double* units;  // [2] V/m, of E, H
  const float* after;   // [step][n] E after each step, at the entries' places, in units
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const {
    const PassEntry& e = entries[i];
    if (e.work == nullptr || stored_at[i] < 0) return;
    float before = *e.before;
    double sum = *e.work;
    for (int s = 0; s < steps; ++s) {
      const double time = static_cast<double>(*first_step + s) * time_step + 0.5 * time_step;
      const float u = static_cast<float>(units[0]) * after[s * n + stored_at[i]];
      sum -=
          0.5 * time_step * e.moment * physics::value(shapes[e.shape], time - e.delay) * (double(before) + double(u));
      before = u;
    }
    *e.before = before;
    *e.work = sum;
  }
};

struct SetStep {
  std::int64_t* step;
  std::int64_t value;
  DGTD_HOST_DEVICE void operator()(std::int64_t) const { *step = value; }
};
struct SetUnits {
  double* units;
  double electric, magnetic;
  DGTD_HOST_DEVICE void operator()(std::int64_t) const { units[0] = electric, units[1] = magnetic; }
};
struct AddSteps {
  std::int64_t* step;
  int steps;
  DGTD_HOST_DEVICE void operator()(std::int64_t) const { *step += steps; }
};

template <class Stored>
class CudaVolumePass final : public VolumePass<Stored> {
 public:
  CudaVolumePass(const Discretisation<float>& d, const VolumeTables& t,
                 const std::vector<PassSourceList<float>>& sources, const PassFields<Stored>& fields, float length,
                 parallel::Memory& memory, const PassStreams& streams, int multiprocessors)
      : d_(d),
        storage_(memory),
        stream_(static_cast<cudaStream_t>(streams.main)),
        halo_stream_(static_cast<cudaStream_t>(streams.halo)),
        multiprocessors_(multiprocessors),
        length_(length) {
    for (int f = 0; f < 2; ++f) {
      other_[f] = storage_.zeros<Stored>(fields.field[f]->size());
      rate_[f] = t.rate[f];
      for (int a = 0; a < 3; ++a) {
        other_psi_[f][a] = storage_.zeros<float>(fields.psi[f][a]->size());
        const AxisArrays<float>& axis = a == 2 ? t.along_z[f] : (f == 0 ? d.electric : d.magnetic).axis[a];
        const DampingArrays<float>& damping = a == 2 ? t.damping_along_z : d.damping[a];
        coefficient_[f][a] = storage_.copy(t.coefficient[f][a]);
        decay_[f][a] = storage_.copy(axis.decay);
        drive_[f][a] = storage_.copy(axis.drive);
        if (f == 0) inverse_[a] = storage_.copy(axis.inverse_distance);
        if (d.has_damping) damping_[a][f] = storage_.copy(f == 0 ? damping.nodes : damping.centres);
      }
    }
    for (int a = 0; a < 3; ++a) {
      slot_of_tile_[a] = storage_.copy(t.slot_of_tile[a]);
      slot_of_plane_[a] = storage_.copy(t.slot_of_plane[a]);
      slots_of_plane_[a] = a < 2 ? t.slots_of_plane[a] : 0;
    }
    for (int c = 0; c < 3 && t.gathers_classes; ++c) class_of_[c] = storage_.copy(t.class_of[c]);
    classes_ = storage_.copy(t.classes);
    load_rates(t, memory);
    load_sources(t, sources);
    load_groups(t);
    step_ = storage_.zeros<std::int64_t>(1);
    units_ = storage_.copy(std::vector<double>{1, 1});
    for (int f = 0; f < 2; ++f) {
      maps_[0][f] = map_of(*fields.field[f]);
      maps_[1][f] = map_of(other_[f]);
      map_is_of_[f] = fields.field[f]->read();
    }
  }

  int steps() const override { return steps_of_volume_pass; }
  double bytes() const override { return storage_.bytes(); }

  // A graph costs the host one call, a pass without it up to 50.
  void run(std::int64_t first_step, const std::array<double, 2>& units, const PassFields<Stored>& fields) override {
    const int parity = fields.field[0]->read() == map_is_of_[0] ? 0 : 1;
    const VolumeView v = view(fields);
    if (first_step != next_step_) parallel::launch_each(1, SetStep{step_.write(), first_step}, stream_);
    next_step_ = first_step + steps();
    if (units != units_there_) parallel::launch_each(1, SetUnits{units_.write(), units[0], units[1]}, stream_);
    units_there_ = units;
    if (has_cuts()) launch(v, parity);  // what waits for its parts is not in the graph
    else graphs_[parity].run(stream_, [&] { launch(v, parity); });
    for (int f = 0; f < 2; ++f) {
      std::swap(*fields.field[f], other_[f]);
      for (int a = 0; a < 3; ++a) std::swap(*fields.psi[f][a], other_psi_[f][a]);
    }
  }

 private:
  struct Event {
    Event() { DGTD_CUDA_CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming)); }
    ~Event() { (void)cudaEventDestroy(event); }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    cudaEvent_t get() const { return event; }
    cudaEvent_t event = nullptr;
  };
  struct Group {
    explicit Group(bool is_next_to_cut) : next_to_cut(is_next_to_cut), stream(is_next_to_cut) {}
    bool next_to_cut;
    VolumeKernel kernel{};
    Array<VolumeTask> tasks;
    std::size_t pace = 0;  // its counters' place among those of all groups
    unsigned pace_planes = 0, pace_wave = 1;
    parallel::CudaStream stream;
  };
  bool has_cuts() const { return d_.layout.below + d_.layout.above > 0; }

  void launch(VolumeView v, int parity) {
    const std::int64_t n = entry_at_.size();
    const std::int64_t* const first_step = step_.read();
    parallel::launch_each(n * steps(),
                          SourceValues{entries_.read(), entry_at_.read(), shapes_.read(), n, first_step, d_.time_step,
                                       units_.read(), values_.write()},
                          stream_);
    DGTD_CUDA_CHECK(cudaMemsetAsync(pace_.write(), 0, pace_.size() * sizeof(unsigned), stream_));
    DGTD_CUDA_CHECK(cudaEventRecord(start_.get(), stream_));
    for (Group& group : groups_) {
      DGTD_CUDA_CHECK(cudaStreamWaitEvent(group.stream.get(), start_.get(), 0));
      v.tasks = group.tasks.read();
      v.pace = pace_.write() + group.pace;
      v.pace_wave = group.pace_wave;
      v.pace_planes = group.pace_planes;
      void* arguments[] = {&maps_[parity][0], &maps_[parity][1], &v};
      DGTD_CUDA_CHECK(cudaLaunchKernel(group.kernel.function, dim3(static_cast<unsigned>(group.tasks.size())),
                                       dim3(VolumeTileShape::warps * 32), arguments, group.kernel.shared_bytes,
                                       group.stream.get()));
      group.stream.mark();
      if (group.next_to_cut) DGTD_CUDA_CHECK(cudaStreamWaitEvent(halo_stream_, group.stream.marked(), 0));
    }
    for (const Group& group : groups_) DGTD_CUDA_CHECK(cudaStreamWaitEvent(stream_, group.stream.marked(), 0));
    parallel::launch_each(entries_.size(),
                          SourceWork{entries_.read(), stored_at_.read(), shapes_.read(), n, first_step, steps(),
                                     d_.time_step, units_.read(), after_.read()},
                          stream_);
    parallel::launch_each(1, AddSteps{step_.write(), steps()}, stream_);
  }

  CUtensorMap map_of(const Array<Stored>& field) const {
    const GridLayout& l = d_.layout;
    const auto rows = static_cast<std::uint64_t>(tile_cells(1)) * l.tiles[1] + 2;
    using Element = std::conditional_t<std::is_same_v<Stored, Half>, std::uint16_t, Stored>;
    constexpr VolumeBox box = box_of_volume_pass<Stored>;
    return parallel::map_of_components(reinterpret_cast<const Element*>(field.read()),
                                       {static_cast<std::uint64_t>(l.row), rows, std::uint64_t(l.stored_planes()), 3},
                                       {std::uint64_t(l.row) * sizeof(Stored), std::uint64_t(l.plane) * sizeof(Stored),
                                        std::uint64_t(l.reals) * sizeof(Stored)},
                                       {box.columns, box.rows});
  }

  // In the planes whose tiles have them: no more than 12 bytes per cell, and less time than from the host.
  void load_rates(const VolumeTables& t, parallel::Memory& memory) {
    const auto first = t.rate_planes[0], planes = t.rate_planes[1] - first;
    rate_planes_ = t.rate_planes;
    const std::size_t count = static_cast<std::size_t>(planes) * static_cast<std::size_t>(d_.layout.plane);
    Array<std::uint16_t> class_of(count, memory);
    for (int c = 0; c < 3 && planes > 0; ++c) {
      memory.upload(class_of.write(), t.class_of[c].data() + (first + 1) * d_.layout.plane,
                    count * sizeof(std::uint16_t));
      rate_of_[c] = storage_.zeros<Stored>(count);
      parallel::launch_each(static_cast<std::int64_t>(count),
                            RateOfClass<Stored>{class_of.read(), classes_.read(), 1 / length_, rate_of_[c].write()},
                            stream_);
      DGTD_CUDA_CHECK(cudaStreamSynchronize(stream_));
    }
  }

  void load_sources(const VolumeTables& t, const std::vector<PassSourceList<float>>& sources) {
    std::vector<PassEntry> entries;
    std::vector<physics::WaveformShape> shapes;
    for (const auto& list : sources) {
      for (std::size_t i = 0; i < list.index.size(); ++i) {
        const bool works = !list.moment.empty();
        entries.push_back({list.weight[i], list.delay[i], works ? list.moment[i] : 0.0, static_cast<int>(shapes.size()),
                           list.half == HalfStep::electric, works ? list.work + i : nullptr,
                           works ? list.before + i : nullptr});
      }
      shapes.push_back(list.shape);
    }
    entries_ = storage_.copy(entries);
    shapes_ = storage_.copy(shapes);
    entry_at_ = storage_.copy(t.entry_at);
    stored_at_ = storage_.copy(t.stored_at);
    values_ = storage_.zeros<double>(t.entry_at.size() * steps_of_volume_pass);
    after_ = storage_.zeros<float>(t.entry_at.size() * steps_of_volume_pass);
    source_begin_ = storage_.copy(t.source_begin);
    source_terms_ = storage_.copy(t.source_terms);
  }

  // Those that other ranks wait for come first, then tiles of all planes, plain tiles, which begin together and then
  // share the second cache, those with layers, longest first, and short ones. A group has a stream of its own.
  void load_groups(const VolumeTables& t) {
    std::vector<const VolumeTables::Group*> order;
    for (const auto& group : t.groups) order.push_back(&group);
    const auto place = [&](const VolumeTables::Group* g) {
      const auto& [layers, media, sourced, damped, by_plane] = g->content;
      if (by_plane) return damped ? 9 : 10;
      if (sourced) return static_cast<int>(g->tasks.size()) < multiprocessors_ / 4 ? 0 : 14;
      if (layers == 0) return media != TileMedia::common ? 12 : 11;
      if (layers < 4) return 16 - layers;
      return layers == 7 ? 20 : 21;
    };
    std::stable_sort(order.begin(), order.end(), [&](auto* a, auto* b) {
      return a->next_to_cut != b->next_to_cut ? a->next_to_cut : place(a) < place(b);
    });
    int before = 0;  // blocks that run already
    std::size_t counters = 0;
    for (std::size_t g = 0; g < order.size(); ++g) {
      Group& group = groups_.emplace_back(order[g]->next_to_cut);
      group.kernel = find_volume_kernel<Stored>(order[g]->content);
      group.tasks = storage_.copy(order[g]->tasks);
      int planes = 0;
      for (const VolumeTask& task : order[g]->tasks)
        planes = std::max(planes,
                          task.end[2] + 3 * steps_of_volume_pass - std::max(task.first[2] - steps_of_volume_pass, 0));
      group.pace_planes = static_cast<unsigned>(planes);
      group.pace_wave = static_cast<unsigned>(multiprocessors_ - (before < multiprocessors_ / 2 ? before : 0));
      const std::size_t waves = order[g]->tasks.size() / group.pace_wave + 1;
      group.pace = counters;
      counters += waves * (1 + static_cast<std::size_t>(planes));
      before += static_cast<int>(order[g]->tasks.size());
      DGTD_CUDA_CHECK(cudaFuncSetAttribute(group.kernel.function, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                           static_cast<int>(group.kernel.shared_bytes)));
      // The same partition of the multiprocessors' memory for all: kernels with different ones do not overlap.
      DGTD_CUDA_CHECK(cudaFuncSetAttribute(group.kernel.function, cudaFuncAttributePreferredSharedMemoryCarveout,
                                           cudaSharedmemCarveoutMaxShared));
    }
    pace_ = storage_.zeros<unsigned>(counters);
  }

  VolumeView view(const PassFields<Stored>& fields) {
    VolumeView v{};
    const GridLayout& l = d_.layout;
    for (int a = 0; a < 3; ++a) {
      v.cells[a] = a == 2 ? l.below + l.cells[a] + l.above : l.cells[a];
      v.inverse[a] = inverse_[a].read();
      for (int place = 0; place < 2; ++place)
        v.damping[a][place] = d_.has_damping ? damping_[a][place].read() : nullptr;
      v.layer[a].slot_of_tile = slot_of_tile_[a].read();
      v.layer[a].slot_of_plane = slot_of_plane_[a].read();
      v.layer[a].slots_of_plane = slots_of_plane_[a];
      for (int f = 0; f < 2; ++f) {
        v.coefficient[f][a] = coefficient_[f][a].read();
        v.layer[a].decay[f] = decay_[f][a].read();
        v.layer[a].drive[f] = drive_[f][a].read();
        v.layer[a].old_psi[f] = fields.psi[f][a]->read();
        v.layer[a].new_psi[f] = other_psi_[f][a].write();
      }
    }
    for (int f = 0; f < 2; ++f) {
      v.new_field[f] = other_[f].write();
      v.rate[f] = rate_[f];
      (void)fields.field[f]->read();  // what the host wrote
    }
    v.length = length_, v.per_length = 1 / length_;
    v.row = l.row, v.plane = l.plane, v.reals = l.reals, v.origin = l.index(0, 0, -l.below);
    v.tiles_x = l.tiles[0];
    for (int c = 0; c < 3; ++c) v.class_of[c] = class_of_[c].read(), v.rate_of[c] = rate_of_[c].read();
    for (int end = 0; end < 2; ++end) v.rate_planes[end] = rate_planes_[static_cast<std::size_t>(end)];
    v.rate_origin = v.origin - (rate_planes_[0] + 1) * l.plane;
    v.classes = classes_.read();
    v.sources = {source_begin_.read(), source_terms_.read(), values_.read(), after_.write(),
                 static_cast<std::int64_t>(entry_at_.size())};
    return v;
  }

  const Discretisation<float>& d_;
  parallel::Storage storage_;
  cudaStream_t stream_, halo_stream_;
  int multiprocessors_;
  float rate_[2];
  float length_;  // HalfStepView
  Array<Stored> other_[2];
  Array<float> other_psi_[2][3];
  Array<float> coefficient_[2][3], decay_[2][3], drive_[2][3], inverse_[3];
  Array<float> damping_[3][2];  // of an axis, at nodes and at centres; empty where there is no adiabatic absorber
  Array<int> slot_of_tile_[3], slot_of_plane_[3];
  int slots_of_plane_[3] = {0, 0, 0};
  Array<std::uint16_t> class_of_[3];  // empty where tiles read none
  Array<Stored> rate_of_[3];          // likewise: VolumeView
  std::array<int, 2> rate_planes_;
  Array<MediumClass<float>> classes_;
  Array<PassEntry> entries_;
  Array<physics::WaveformShape> shapes_;
  Array<int> entry_at_, stored_at_;  // VolumeTables
  Array<double> values_;
  Array<float> after_;
  Array<int> source_begin_;
  Array<VolumeSourceTerm> source_terms_;
  std::deque<Group> groups_;
  Array<unsigned> pace_;  // VolumeView::pace of all groups
  Array<std::int64_t> step_;
  std::int64_t next_step_ = 0;               // that step_ has
  Array<double> units_;                      // [2] V/m, of E, H
  std::array<double, 2> units_there_{1, 1};  // that units_ has
  Event start_;
  parallel::CudaGraph graphs_[2];  // of a pass from the arrays that the engine had first, from the other ones
  CUtensorMap maps_[2][2];         // of the arrays that the engine had first, and of the other ones; E, H
  const Stored* map_is_of_[2];     // of the first ones
};

}  // namespace

template <class Stored>
VolumePassOr<Stored> make_cuda_volume_pass(const Discretisation<float>& d, std::vector<PassSourceList<float>> sources,
                                           const VolumeMargins& margins, const std::optional<HalfUnits>& half,
                                           const PassFields<Stored>& fields, double bytes_to_leave,
                                           parallel::Memory& memory, const PassStreams& streams, Timers& timers) {
  int device = 0, major = 0, multiprocessors = 0;
  DGTD_CUDA_CHECK(cudaGetDevice(&device));
  DGTD_CUDA_CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
  DGTD_CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  if (major < 9) return {nullptr, "a device of compute capability below 9.0"};
  std::size_t free_bytes = 0, total_bytes = 0;
  DGTD_CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
  double needed = 0;
  for (int f = 0; f < 2; ++f) {
    needed += fields.field[f]->bytes();
    for (const auto* psi : fields.psi[f]) needed += psi->bytes();
  }
  for (const auto& [margin, first] :
       {std::pair(&margins.below, -d.layout.below), std::pair(&margins.above, d.layout.cells[2])})
    for (auto& list : sources_of_margin(*margin, d.layout, first)) sources.push_back(std::move(list));
  std::vector<VolumeEntry> entries;
  for (const auto& list : sources)
    for (const std::uint64_t index : list.index) entries.push_back({index, list.half == HalfStep::electric ? 0 : 1});
  const VolumeTables tables = [&] {
    const auto stage = timers.measure("discretise/passes/tables");
    return volume_tables(d, entries, steps_of_volume_pass, multiprocessors, half, margins);
  }();
  if (!tables.why_not.empty()) return {nullptr, tables.why_not};
  if (tables.gathers_classes) needed += 3.0 * double(d.layout.reals) * sizeof(std::uint16_t);
  needed += 3.0 * double(tables.rate_planes[1] - tables.rate_planes[0]) * double(d.layout.plane) * sizeof(Stored);
  if (1.05 * (needed + bytes_to_leave) > double(free_bytes)) return {nullptr, "no memory for a second set of fields"};
  const auto stage = timers.measure("discretise/passes/device");
  return {std::make_unique<CudaVolumePass<Stored>>(d, tables, sources, fields, half ? half->length : 1, memory, streams,
                                                   multiprocessors),
          ""};
}

#define DGTD_INSTANTIATE(Stored)                                                                                  \
  template VolumePassOr<Stored> make_cuda_volume_pass(const Discretisation<float>&,                               \
                                                      std::vector<PassSourceList<float>>, const VolumeMargins&,   \
                                                      const std::optional<HalfUnits>&, const PassFields<Stored>&, \
                                                      double, parallel::Memory&, const PassStreams&, Timers&);
DGTD_INSTANTIATE(Half)
DGTD_INSTANTIATE(float)
#undef DGTD_INSTANTIATE

}  // namespace dgtd::fdtd
