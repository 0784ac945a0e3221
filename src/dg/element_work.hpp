#pragma once
// Data of the executor for the kernels of a backend (Elements, executor_on.hpp), and the plan of its halo exchange.
#include <algorithm>
#include <vector>

#include "dgtd/dg/executor.hpp"
#include "dgtd/parallel/halo_exchange.hpp"

namespace dgtd::dg {

/// Halo faces whose traces other ranks send: the first ones. Those after them are joints (order_parts.hpp).
inline std::size_t exchanged_faces(const mesh::Subdomain& mesh) {
  return mesh.halo_neighbours.empty() ? 0 : mesh.halo_neighbours.back().first + mesh.halo_neighbours.back().count;
}

/// The same of a level of local time steps, ascending.
template <class Real>
std::vector<std::uint32_t> exchanged_faces(const Discretisation<Real>& d, int level) {
  const std::vector<std::uint32_t>& all = d.levels[static_cast<std::size_t>(level)].halo_faces;
  return {all.begin(), std::lower_bound(all.begin(), all.end(), exchanged_faces(d.mesh))};
}

/// Exchange of the traces of d's order between ranks; faces: of all halo faces those that are exchanged, ascending.
template <class Real>
parallel::HaloPlan halo_plan(const Discretisation<Real>& d, const std::vector<std::uint32_t>& faces) {
  parallel::HaloPlan plan;
  for (const auto& n : d.mesh.halo_neighbours) {
    const auto first = std::lower_bound(faces.begin(), faces.end(), n.first);
    const auto last = std::lower_bound(first, faces.end(), n.first + n.count);
    if (first != last)
      plan.sends.push_back(
          {n.rank, static_cast<std::size_t>(first - faces.begin()), static_cast<std::size_t>(last - first)});
  }
  plan.receives = plan.sends;
  plan.faces = faces.size();
  plan.reals_per_face = 2 * std::size_t(triangle_nodes(d.order));
  return plan;
}

/// Whether one launch can contain the kernel beside others: those of straight elements without a state or a layer.
constexpr bool joins_others(const KernelTraits& kernel) {
  return kernel.medium <= MediumKind::conductive && !kernel.curved;
}

/// A batch of a launch that has several, and its kernel.
struct JointPart {
  KernelTraits kernel;
  Batch batch;
  bool halo = false;  // next to other ranks, whose traces arrive during the launch
};

/// The exchange of a half step's source inside its launch (add_exchange of Elements), in the executor's memory.
struct TraceExchange {
  int exchange;
  const std::uint32_t* code;             // [faces] NeighbourCode of the owned element and its face
  const int *entry_a, *entry_b, *minus;  // FaceTraceEntries
  std::uint32_t first_slot, ghosts;      // ghost slots that may receive
  const std::uint32_t* face_of_ghost;    // [ghosts] whose trace it receives, ~0: none; null: ghost i that of face i
  bool is_present = false;               // of the launch before: its messages are received once more
};

/// A half step of the blocks list[0] to list[blocks - 1] inside a level.
template <class Real>
struct LevelWork {
  ElementArrays<Real> arrays;
  const LevelBlock* list;
  std::int64_t blocks;
  const Real* source;
  LevelFields<Real> fields;
};

/// Fields of the energy, each beginning at block 0. H's half step starts from `unfiltered` in blocks below
/// unfiltered_blocks, elsewhere from magnetic, with which the next H is multiplied everywhere. Both stay the same; a
/// half step in place writes magnetic and restores it.
template <class Real>
struct EnergyFields {
  const Real* electric;
  Real* magnetic;
  const Real* unfiltered;
  std::int64_t unfiltered_blocks;
};

}  // namespace dgtd::dg
