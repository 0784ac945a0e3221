#pragma once
// Halo between ranks one above the other along z after a pass of several steps (volume_pass.hpp): E, H, and the sums
// of absorbing layers along x and y of the block's lowest and highest planes, for the neighbours' next pass. What a
// rank sends are runs of its memory.
#include <optional>

#include "dgtd/parallel/backend.hpp"
#include "fdtd/steps/passes/volume_pass.hpp"

namespace dgtd::fdtd {

/// Parts of arrays that follow each other in a message, in units of 4 bytes.
struct MemoryRuns {
  struct Run {
    float* at;
    std::int64_t first;  // in the message
  };
  static constexpr int most = 20;  // three components of E and H, and x and y of layers, for two neighbours
  Run runs[most];
  int count = 0;
  std::int64_t size = 0;

  void add(float* at, std::int64_t values) {
    if (values == 0) return;
    runs[count++] = {at, size};
    size += values;
  }
  DGTD_HOST_DEVICE float* at(std::int64_t i) const {
    int r = 0;
    while (r + 1 < count && runs[r + 1].first <= i) ++r;
    return runs[r].at + (i - runs[r].first);
  }
};

/// Rows of all arrays are multiples of 64 bytes, so runs are copied by 16.
struct alignas(16) SixteenBytes {
  float words[4];
};
DGTD_HOST_DEVICE void copy_sixteen_bytes(const float* from, float* to) {
  *reinterpret_cast<SixteenBytes*>(to) = *reinterpret_cast<const SixteenBytes*>(from);
}

/// message[4 i ...] = memory[4 i ...]
struct PackRuns {
  MemoryRuns from;
  parallel::SendView<float> message;
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const { copy_sixteen_bytes(from.at(4 * i), message.at(4 * i)); }
};

/// memory[4 i ...] = message[4 i ...]
struct UnpackRuns {
  const float* message;
  MemoryRuns to;
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const { copy_sixteen_bytes(message + 4 * i, to.at(4 * i)); }
};

/// Planes of a block that are sent to a neighbour, and those of the neighbour beside them.
struct CutPlanes {
  int rank;
  int send_first, receive_first, count;
};

/// Planes at the cuts to the blocks below and above, in this order on all ranks; those that exist.
template <class Real>
std::vector<CutPlanes> planes_at_cuts(const Discretisation<Real>& d) {
  const GridLayout& l = d.layout;
  std::vector<CutPlanes> cuts;
  if (l.below > 0) cuts.push_back({d.block.lower[2], 0, -l.below, l.below});
  if (l.above > 0) cuts.push_back({d.block.upper[2], l.cells[2] - l.above, l.cells[2], l.above});
  return cuts;
}

/// Some planes of all that a pass reads and that changes.
template <class Stored>
void add_planes(const Discretisation<arithmetic_t<Stored>>& d, const PassFields<Stored>& fields, int first, int count,
                MemoryRuns& runs) {
  const GridLayout& l = d.layout;
  const auto words = [](auto* at) { return reinterpret_cast<float*>(at); };
  const auto plane = static_cast<std::int64_t>(static_cast<std::size_t>(l.plane) * sizeof(Stored) / sizeof(float));
  const std::int64_t begin = l.index(0, 0, first) - l.index(0, 0, -1 - l.below);  // whole planes, with their ghosts
  for (int f = 0; f < 2; ++f) {
    for (int c = 0; c < 3; ++c) runs.add(words(fields.field[f]->write() + c * l.reals + begin), count * plane);
    for (int a = 0; a < 2; ++a) {
      const std::int64_t of_plane =
          std::int64_t{d.slots_of_plane[static_cast<std::size_t>(a)]} * 2 * cells_of_tile_plane;
      runs.add(words(fields.psi[f][a]->write() + (first + l.below) * of_plane), count * of_plane);
    }
  }
}

template <class Stored, class Backend>
class PassHalo {
  using Real = arithmetic_t<Stored>;

 public:
  /// Collective.
  PassHalo(const Discretisation<Real>& d, const PassFields<Stored>& fields, const Backend& backend)
      : d_(d), backend_(backend), cuts_(planes_at_cuts(d)) {
    parallel::HaloPlan plan;
    plan.reals_per_face = 1;
    for (const CutPlanes& cut : cuts_) {
      MemoryRuns runs;
      add_planes(d_, fields, cut.send_first, cut.count, runs);
      const auto size = static_cast<std::size_t>(runs.size);
      plan.sends.push_back({cut.rank, plan.faces, size});
      plan.receives.push_back({cut.rank, plan.faces, size});
      plan.faces += size;
    }
    exchange_ = backend_.template make_exchange<float>(plan);
  }

  /// In the halo's queue, which waits for what is sent.
  void exchange(const PassFields<Stored>& fields) {
    using parallel::Queue;
    const MemoryRuns send = runs(fields, &CutPlanes::send_first), receive = runs(fields, &CutPlanes::receive_first);
    backend_.for_each(Queue::halo, send.size / 4, PackRuns{send, exchange_->send_view()});
    exchange_->start();
    exchange_->finish();
    backend_.for_each(Queue::halo, receive.size / 4, UnpackRuns{exchange_->receive_buffer(), receive});
  }
  double wait_seconds() const { return exchange_->wait_seconds(); }

 private:
  MemoryRuns runs(const PassFields<Stored>& fields, int CutPlanes::*first) const {
    MemoryRuns all;
    for (const CutPlanes& cut : cuts_) add_planes(d_, fields, cut.*first, cut.count, all);
    return all;
  }

  const Discretisation<Real>& d_;
  const Backend& backend_;
  std::vector<CutPlanes> cuts_;
  std::unique_ptr<typename Backend::template Exchange<float>> exchange_;
};

}  // namespace dgtd::fdtd
