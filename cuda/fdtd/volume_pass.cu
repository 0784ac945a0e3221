// Passes over a volume grid on a CUDA device.
#include <algorithm>
#include <array>
#include <deque>

#include "../parallel/cuda_check.hpp"
#include "../parallel/cuda_graph.hpp"
#include "../parallel/cuda_launch.hpp"
#include "../parallel/cuda_streams.hpp"
#include "../parallel/tensor_copy.hpp"
#include "fdtd/media/half_arithmetic.hpp"
#include "fdtd/steps/passes/volume_margins.hpp"
#include "fdtd/steps/passes/volume_pass_arrays.hpp"
#include "volume_kernels.hpp"

namespace dgtd::fdtd {

template <>
VolumeKernel find_volume_kernel<float>(const VolumeTileContent& content) {
  for (const auto kernel : {
#define DGTD_VOLUME_KERNEL(name, ...) volume_kernel_##name,
#define DGTD_VOLUME_KERNEL_SINGLE DGTD_VOLUME_KERNEL
#include "fdtd/steps/passes/volume_kernel_list.hpp"
       })
    if (kernel().content == content) return kernel();
  return {content, nullptr, 0};
}
template <>
VolumeKernel find_volume_kernel<Half>(const VolumeTileContent& content) {
  for (const auto kernel : {
#define DGTD_VOLUME_KERNEL(name, ...) volume_kernel_half_##name,
#define DGTD_VOLUME_KERNEL_SINGLE(name, ...)
#include "fdtd/steps/passes/volume_kernel_list.hpp"
       })
    if (kernel().content == content) return kernel();
  return {content, nullptr, 0};
}

namespace {

static_assert(steps_of_volume_pass <= most_steps_of_volume_pass);

using parallel::Array;

struct SetStep {
  std::int64_t* step;  // [2] VolumePassArrays::step()
  std::int64_t first, record;
  DGTD_HOST_DEVICE void operator()(std::int64_t) const { step[0] = first, step[1] = record; }
};
struct SetUnits {
  double* units;
  double electric, magnetic;
  DGTD_HOST_DEVICE void operator()(std::int64_t) const { units[0] = electric, units[1] = magnetic; }
};
struct AddSteps {
  std::int64_t* step;
  int steps;
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const { step[i] += steps; }
};

template <class Stored>
class CudaVolumePass final : public VolumePass<Stored> {
 public:
  CudaVolumePass(const Discretisation<float>& d, const VolumeTables& t, const PassTerms& terms,
                 const PassFields<Stored>& fields, float length, parallel::Memory& memory, const PassStreams& streams,
                 int multiprocessors)
      : d_(d),
        memory_(memory),
        stream_(static_cast<cudaStream_t>(streams.main)),
        halo_stream_(static_cast<cudaStream_t>(streams.halo)),
        multiprocessors_(multiprocessors),
        arrays_(d, t, terms, fields, steps_of_volume_pass, length, memory, [&](std::int64_t n, const auto& body) {
          parallel::launch_each(n, body, stream_);
          DGTD_CUDA_CHECK(cudaStreamSynchronize(stream_));
        }) {
    load_groups(t);
    for (int f = 0; f < 2; ++f) {
      maps_[0][f] = map_of(*fields.field[f]);
      maps_[1][f] = map_of(arrays_.other(f));
      map_is_of_[f] = fields.field[f]->read();
    }
  }

  int steps() const override { return steps_of_volume_pass; }
  double bytes() const override { return arrays_.storage().bytes(); }

  // A graph costs the host one call, a pass without it up to 50.
  void run(const PassStart& start, const PassFields<Stored>& fields) override {
    const int parity = fields.field[0]->read() == map_is_of_[0] ? 0 : 1;
    const VolumeView v = arrays_.view(fields);
    if (start.step != next_.step || (arrays_.number_of_edges() > 0 && start.record != next_.record))
      parallel::launch_each(1, SetStep{arrays_.step(), start.step, start.record}, stream_);
    if (start.units != next_.units)
      parallel::launch_each(1, SetUnits{arrays_.units(), start.units[0], start.units[1]}, stream_);
    next_ = {start.step + steps(), start.record + steps(), start.units};
    if (has_cuts()) launch(v, parity);  // what waits for its parts is not in the graph
    else graphs_[parity].run(stream_, memory_, [&] { launch(v, parity); });
    arrays_.exchange(fields);
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
    Group(bool is_next_to_cut, double urgency) : next_to_cut(is_next_to_cut), stream(urgency) {}
    bool next_to_cut;
    VolumeKernel kernel{};
    Array<VolumeTask> tasks;
    std::size_t pace = 0;  // its counters' place among those of all groups
    unsigned pace_planes = 0, pace_wave = 1;
    parallel::CudaStream stream;
  };
  bool has_cuts() const { return d_.layout.below + d_.layout.above > 0; }

  void launch(VolumeView v, int parity) {
    parallel::launch_each(arrays_.number_of_values(), arrays_.values(), stream_);
    parallel::launch_each(arrays_.number_of_port_places(), arrays_.ports_before(), stream_);
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
    parallel::launch_each(arrays_.number_of_entries(), arrays_.work(), stream_);
    parallel::launch_each(arrays_.number_of_edges(), arrays_.ports_after(), stream_);
    parallel::launch_each(2, AddSteps{arrays_.step(), steps()}, stream_);
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

  // Those that other ranks wait for come first, then tiles of all planes, plain tiles, which begin together and then
  // share the second cache, those with layers, longest first, and short ones. A group has a stream of its own, since
  // else it would wait for the group before; only the streams' urgency keeps the order.
  void load_groups(const VolumeTables& t) {
    std::vector<const VolumeTables::Group*> order;
    for (const auto& group : t.groups) order.push_back(&group);
    const auto place = [&](const VolumeTables::Group* g) {
      const auto& [layers, media, sourced, damped, by_plane, ports] = g->content;
      if (by_plane) return damped ? 9 : 10;
      if (sourced) return static_cast<int>(g->tasks.size()) < multiprocessors_ / 4 ? 0 : 14;
      if (layers == 0) return media != TileMedia::common ? 12 : 11;
      if (layers < 4) return 16 - layers;
      // Which is faster was measured.
      return layers == 7 || (layers > 4 && std::is_same_v<Stored, float>) ? 20 : 21;
    };
    std::stable_sort(order.begin(), order.end(), [&](auto* a, auto* b) {
      return a->next_to_cut != b->next_to_cut ? a->next_to_cut : place(a) < place(b);
    });
    const double most_urgent = has_cuts() ? 0.8 : 1;  // below the halo and what is next to a cut
    int before = 0;                                   // blocks that run already
    std::size_t counters = 0;
    for (std::size_t g = 0; g < order.size(); ++g) {
      const double in_order = most_urgent * (1 - static_cast<double>(g) / static_cast<double>(order.size()));
      Group& group = groups_.emplace_back(order[g]->next_to_cut, order[g]->next_to_cut ? 1 : in_order);
      group.kernel = find_volume_kernel<Stored>(order[g]->content);
      group.tasks = arrays_.storage().copy(order[g]->tasks);
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
    pace_ = arrays_.storage().template zeros<unsigned>(counters);
  }

  const Discretisation<float>& d_;
  parallel::Memory& memory_;
  cudaStream_t stream_, halo_stream_;
  int multiprocessors_;
  VolumePassArrays<Stored> arrays_;
  std::deque<Group> groups_;
  Array<unsigned> pace_;                     // VolumeView::pace of all groups
  PassStart next_{0, 0, {1, 1}};             // which step() and units() have
  Event start_;
  parallel::CudaGraph graphs_[2];  // of a pass from the arrays that the engine had first, from the other ones
  CUtensorMap maps_[2][2];         // of the arrays that the engine had first, and of the other ones; E, H
  const Stored* map_is_of_[2];     // of the first ones
};

}  // namespace

template <class Stored>
VolumePassOr<Stored> make_cuda_volume_pass(const Discretisation<float>& d, const PassTerms& terms,
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
  const VolumeTables tables = [&] {
    const auto stage = timers.measure("discretise/passes/tables");
    return volume_tables(d, terms.lists, steps_of_volume_pass, multiprocessors, half, margins,
                         terms.indices_of_ports());
  }();
  if (!tables.why_not.empty()) return {nullptr, tables.why_not};
  if (tables.gathers_classes) needed += 3.0 * double(d.layout.reals) * sizeof(std::uint16_t);
  needed += 3.0 * double(tables.Cb_planes[1] - tables.Cb_planes[0]) * double(d.layout.plane) * sizeof(Stored);
  if (1.05 * (needed + bytes_to_leave) > double(free_bytes)) return {nullptr, "no memory for a second set of fields"};
  const auto stage = timers.measure("discretise/passes/device");
  return {std::make_unique<CudaVolumePass<Stored>>(d, tables, terms, fields, half ? half->length : 1, memory, streams,
                                                   multiprocessors),
          ""};
}

#define DGTD_INSTANTIATE(Stored)                                                                             \
  template VolumePassOr<Stored> make_cuda_volume_pass(                                                       \
      const Discretisation<float>&, const PassTerms&, const VolumeMargins&, const std::optional<HalfUnits>&, \
      const PassFields<Stored>&, double, parallel::Memory&, const PassStreams&, Timers&);
DGTD_INSTANTIATE(Half)
DGTD_INSTANTIATE(float)
#undef DGTD_INSTANTIATE

}  // namespace dgtd::fdtd
