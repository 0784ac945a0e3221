#pragma once
// Body of the loops over faces between elements of two polynomial orders (order_joints.hpp), for CPU and CUDA: a trace
// from an element or a message, times a matrix, into a ghost slot or a message.
#include <cstdint>

#include "dgtd/dg/loops.hpp"

namespace dgtd::dg {

/// Traces of owned elements.
template <class Real>
struct ElementTraces {
  SplitField<Real> field;
  FieldLayout layout;
  const std::uint32_t* code;             // [faces] NeighbourCode of the element and its face
  const int *entry_a, *entry_b, *minus;  // FaceTraceEntries
  int face_nodes;                        // Nf
  DGTD_HOST_DEVICE TracePair<Real> at(std::int64_t face, int node) const {
    const std::uint32_t slot = NeighbourCode::slot(code[face]);
    TracePair<Real> trace;
    read_trace(field.of(slot) + layout.first(slot), layout.stride(), entry_a, entry_b, minus, face_nodes,
               NeighbourCode::face(code[face]), node, trace.a, trace.b);
    return trace;
  }
};

/// Traces in ghost slots.
template <class Real>
struct GhostTraces {
  Real* field;
  FieldLayout layout;
  const std::uint32_t* slot;     // [faces]
  const int *entry_a, *entry_b;  // [Nf] FaceTraceEntries of the ghost face
  int face_nodes;                // Nf
  DGTD_HOST_DEVICE void put(std::int64_t face, int node, const TracePair<Real>& trace) const {
    Real* const first = field + layout.first(slot[face]);
    first[entry_a[node] * layout.stride()] = trace.a;
    first[entry_b[node] * layout.stride()] = trace.b;
  }
};

/// Traces in the messages to other ranks, [faces of all messages][Nf][t_a, t_b].
template <class Real>
struct SentTraces {
  parallel::SendView<Real> traces;
  const std::uint32_t* place;  // [faces] in the messages
  int face_nodes;              // Nf
  DGTD_HOST_DEVICE void put(std::int64_t face, int node, const TracePair<Real>& trace) const {
    const std::int64_t at = std::int64_t{place[face]} * face_nodes + node;
    *reinterpret_cast<TracePair<Real>*>(traces.at(2 * at)) = trace;
  }
};

/// Traces in the messages of other ranks, as SentTraces.
template <class Real>
struct ReceivedTraces {
  const Real* traces;
  const std::uint32_t* place;
  int face_nodes;
  DGTD_HOST_DEVICE TracePair<Real> at(std::int64_t face, int node) const {
    return reinterpret_cast<const TracePair<Real>*>(traces)[std::int64_t{place[face]} * face_nodes + node];
  }
};

/// to[face][i] = sum_j matrix[i][j] from[face][j], in one order of additions wherever it is computed;
/// index = face Nf(to) + i.
template <class Real, class From, class To>
struct TransferTraces {
  From from;
  To to;
  const Real* matrix;  // [Nf(to)][Nf(from)]; null: the same trace
  DGTD_HOST_DEVICE void operator()(std::int64_t index) const {
    const std::int64_t face = index / to.face_nodes;
    const int i = static_cast<int>(index % to.face_nodes);
    if (matrix == nullptr) return to.put(face, i, from.at(face, i));
    TracePair<Real> sum{};
    for (int j = 0; j < from.face_nodes; ++j) {
      const Real factor = matrix[i * from.face_nodes + j];
      const TracePair<Real> trace = from.at(face, j);
      sum.a += factor * trace.a;
      sum.b += factor * trace.b;
    }
    to.put(face, i, sum);
  }
};

/// Several transfers from elements to ghost slots at once; index: in all of them, one after the other.
template <class Real>
struct LocalTransfers {
  using Transfer = TransferTraces<Real, ElementTraces<Real>, GhostTraces<Real>>;
  static constexpr int most = 12;
  Transfer transfers[most];
  std::int64_t end[most] = {};  // of the indices of each
  int count = 0;
  void add(const Transfer& transfer, std::int64_t faces) {
    const std::int64_t first = size();
    transfers[count] = transfer;
    end[count++] = first + faces * transfer.to.face_nodes;
  }
  std::int64_t size() const { return count == 0 ? 0 : end[count - 1]; }
  DGTD_HOST_DEVICE void operator()(std::int64_t index) const {
    int k = 0;
    while (index >= end[k]) ++k;
    transfers[k](k == 0 ? index : index - end[k - 1]);
  }
};

}  // namespace dgtd::dg
