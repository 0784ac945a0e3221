#pragma once
// Gathers the traces of neighbours on the CPU, from elements anywhere in memory.
//
// A trace is a subset of the nodes of two components, a and b, and the subset depends on the
// neighbour's face. Face nodes are taken a chunk at a time: a few windows, loads of consecutive nodes,
// hold a chunk, and a permutation of each window puts its nodes in place. Tables by face say where the
// windows start and how to permute, so that lanes of different faces run the same code, without branches.
//
// A register of two groups (transpose.hpp) holds either a chunk of n nodes of both components, [a | b],
// or, for long faces, a chunk of 2 n nodes of one: half the loads.
#include <array>
#include <cstdint>
#include <type_traits>

#include "dgtd/dg/field_layout.hpp"
#include "dgtd/dg/split_field.hpp"
#include "dgtd/parallel/transpose.hpp"

namespace dgtd::dg {

/// The start of the array with a slot of a field.
template <class Real>
DGTD_HOST_DEVICE const Real* array_of(const Real* field, std::uint32_t) {
  return field;
}
template <class Real>
DGTD_HOST_DEVICE const Real* array_of(const SplitField<Real>& field, std::uint32_t slot) {
  return field.of(slot);
}

#if defined(__AVX__)

template <int p, class Real>
struct TraceTable {
  static constexpr int nodes = Bernstein<p>::nodes, face_nodes = Bernstein<p>::face_nodes;
  static constexpr int n = parallel::group_reals<Real>;
#if defined(__AVX2__)
  static constexpr bool wide = sizeof(Real) == 4 && face_nodes >= 2 * n;  // vpermps; doubles have no such instruction
#else
  static constexpr bool wide = false;
#endif
  using Word = std::conditional_t<sizeof(Real) == 4, std::uint32_t, std::uint64_t>;

  // Chunks: wide ones, and at the end one of both components if at most n nodes are left.
  static constexpr int wide_chunks = wide ? (face_nodes + n - 1) / (2 * n) : 0;
  static constexpr int left = face_nodes - wide_chunks * 2 * n > 0 ? face_nodes - wide_chunks * 2 * n : 0;
  static constexpr int chunks = wide_chunks + (left + n - 1) / n;
  static constexpr int rows = chunks + wide_chunks;  // registers that hold the chunks of a and b
  static constexpr int width(int chunk) { return chunk < wide_chunks ? 2 * n : n; }
  static constexpr int first_node(int chunk) {
    return chunk < wide_chunks ? chunk * 2 * n : wide_chunks * 2 * n + (chunk - wide_chunks) * n;
  }

  /// Windows of a chunk of a face's nodes, greedily: each starts at the first node that is still missing.
  struct Windows {
    int count = 0;
    std::array<int, 2 * n> start{}, window{}, place{};  // start by window; window and place in it by face node
  };
  static constexpr Windows windows(int face, int chunk) {
    const int reals = width(chunk);
    Windows w;
    for (int i = 0; i < reals && first_node(chunk) + i < face_nodes; ++i) {
      const int node = face_node_table<p>[face][first_node(chunk) + i];
      if (w.count == 0 || node >= w.start[w.count - 1] + reals)
        w.start[w.count++] = node < nodes - reals ? node : nodes - reals;
      w.window[i] = w.count - 1;
      w.place[i] = node - w.start[w.count - 1];
    }
    return w;
  }
  /// first[k]: windows of the chunks before k, the most that any face needs.
  static constexpr std::array<int, chunks + 1> first = [] {
    std::array<int, chunks + 1> sum{};
    for (int k = 0; k < chunks; ++k) {
      int most = 0;
      for (int face = 0; face < 4; ++face) {
        const int count = windows(face, k).count;
        most = count > most ? count : most;
      }
      sum[k + 1] = sum[k] + most;
    }
    return sum;
  }();

  /// Control of vpermps, vpermilps or vpermilpd; its sign bit says that the window provides the node.
  struct alignas(32) Control {
    Word word[2 * n];
  };
  struct Face {
    Control control[first[chunks]];
    std::int32_t start[first[chunks]];
    std::intptr_t a, b;        // offsets of the components, bytes
    std::intptr_t difference;  // all ones on face 0, whose components are relative to component 0
  };
  std::array<Face, 4> face{};

  constexpr TraceTable() {
    constexpr Word taken = Word{1} << (8 * sizeof(Word) - 1);
    constexpr int shift = sizeof(Real) == 8 ? 1 : 0;  // vpermilpd reads bit 1
    for (int f = 0; f < 4; ++f) {
      face[f].a = (f == 0 ? 1 : face_vertices[f][1] - 1) * nodes * sizeof(Real);
      face[f].b = (f == 0 ? 2 : face_vertices[f][2] - 1) * nodes * sizeof(Real);
      face[f].difference = f == 0 ? -1 : 0;
      for (int k = 0; k < chunks; ++k) {
        const Windows w = windows(f, k);
        for (int j = 0; j < w.count; ++j) face[f].start[first[k] + j] = w.start[j];
        for (int i = 0; i < 2 * n; ++i) {
          const int node = i % width(k);
          face[f].control[first[k] + w.window[node]].word[i] = static_cast<Word>(w.place[node]) << shift | taken;
        }
      }
    }
  }
};
template <int p, class Real>
inline constexpr TraceTable<p, Real> trace_table;

/// The window starts at node 0 on every face, as all of P1's do.
template <int p, class Real, int window>
inline constexpr bool starts_at_zero = [] {
  for (const auto& face : trace_table<p, Real>.face)
    if (face.start[window] != 0) return false;
  return true;
}();

/// Real i of the result is the one of v that the control's word i names; narrow: in its own group.
template <class Real, bool wide>
DGTD_HOST_DEVICE parallel::GroupPair<Real> permute(parallel::GroupPair<Real> v, const void* control) {
  using Pair = parallel::GroupPair<Real>;
  const __m256i words = _mm256_load_si256(static_cast<const __m256i*>(control));
  if constexpr (wide) return (Pair)_mm256_permutevar8x32_ps((__m256)v, words);
  else if constexpr (sizeof(Real) == 4) return (Pair)_mm256_permutevar_ps((__m256)v, words);
  else return (Pair)_mm256_permutevar_pd((__m256d)v, words);
}
/// b where the control's sign bit is set, a elsewhere.
template <class Real>
DGTD_HOST_DEVICE parallel::GroupPair<Real> select(parallel::GroupPair<Real> a, parallel::GroupPair<Real> b,
                                                  const void* control) {
  using Pair = parallel::GroupPair<Real>;
  if constexpr (sizeof(Real) == 4)
    return (Pair)_mm256_blendv_ps((__m256)a, (__m256)b, _mm256_load_ps(static_cast<const float*>(control)));
  else return (Pair)_mm256_blendv_pd((__m256d)a, (__m256d)b, _mm256_load_pd(static_cast<const double*>(control)));
}

template <class Real, int count>
alignas(64) inline constexpr Real zeros[count] = {};

/// Start of the trace of one neighbour: its components a and b, and what is subtracted from them, component 0 on
/// face 0 and zeros elsewhere.
template <class Real>
struct TraceStart {
  const Real *a, *b, *minus;
};

/// Loads chunk `chunk` of a trace: a and b of a wide chunk, else [a | b] in `placed[0]`.
template <int p, class Real, int chunk>
DGTD_HOST_DEVICE void load_chunk(const typename TraceTable<p, Real>::Face& face, const TraceStart<Real>& from,
                                 parallel::GroupPair<Real> (&placed)[2]) {
  using Table = TraceTable<p, Real>;
  using Pair = parallel::GroupPair<Real>;
  constexpr int first = Table::first[chunk], count = Table::first[chunk + 1] - first;
  constexpr bool wide = chunk < Table::wide_chunks;
  static_for<count>([&](auto j) DGTD_INLINE {
    const std::intptr_t start = starts_at_zero<p, Real, first + decltype(j)::v> ? 0 : face.start[first + j];
    const void* const control = &face.control[first + j];
    const auto place = [&](int which, Pair window) DGTD_INLINE {
      const Pair permuted = permute<Real, wide>(window, control);
      placed[which] = j == 0 ? permuted : select<Real>(placed[which], permuted, control);
    };
    if constexpr (wide) {
      const Pair relative = parallel::load_pair(from.minus + start);
      place(0, parallel::load_pair(from.a + start) - relative);
      place(1, parallel::load_pair(from.b + start) - relative);
    } else {
      place(0, parallel::concatenate(parallel::load_group(from.a + start), parallel::load_group(from.b + start)) -
                   parallel::load_twice(from.minus + start));
    }
  });
}

/// Traces a and b of the lanes' neighbours; code: the lanes' neighbour codes. One function for the four
/// faces, because the kernel's code is long for the instruction cache.
template <int p, class Field, class Real>
__attribute__((noinline)) void gather_traces(const Field field, const std::uint32_t* code,
                                             parallel::Pack<Real> (&a)[Bernstein<p>::face_nodes],
                                             parallel::Pack<Real> (&b)[Bernstein<p>::face_nodes]) {
  using Table = TraceTable<p, Real>;
  using Pair = parallel::GroupPair<Real>;
  constexpr int n = Table::n, lane_groups = parallel::Pack<Real>::lanes / n;
  Pair rows[lane_groups][Table::rows][n];  // by element of a lane group: wide chunks of a, of b, and [a | b]
  static_for<lane_groups>([&](auto lane_group) DGTD_INLINE {
    static_for<n>([&](auto r) DGTD_INLINE {
      const std::uint32_t c = code[lane_group * n + r];
      const auto& face = trace_table<p, Real>.face[NeighbourCode::face(c)];
      const Real* const start_of_element = array_of(field, NeighbourCode::slot(c)) +
                                           std::size_t{NeighbourCode::slot(c)} * ElementLayout<p>::element_reals;
      const auto element = reinterpret_cast<std::intptr_t>(start_of_element);
      const auto zero = reinterpret_cast<std::intptr_t>(zeros<Real, Table::nodes>);
      const TraceStart<Real> from{reinterpret_cast<const Real*>(element + face.a),
                                  reinterpret_cast<const Real*>(element + face.b),
                                  reinterpret_cast<const Real*>(zero + ((element - zero) & face.difference))};
      static_for<Table::chunks>([&](auto k) DGTD_INLINE {
        constexpr int chunk = decltype(k)::v;
        Pair placed[2];
        load_chunk<p, Real, chunk>(face, from, placed);
        rows[lane_group][chunk][r] = placed[0];
        if constexpr (chunk < Table::wide_chunks) rows[lane_group][Table::chunks + chunk][r] = placed[1];
      });
    });
    static_for<Table::rows>([&](auto k) DGTD_INLINE { parallel::transpose_groups(rows[lane_group][k]); });
  });
  static_for<Table::face_nodes>([&](auto i) DGTD_INLINE {
    constexpr int node = decltype(i)::v, narrow_node = node - Table::wide_chunks * 2 * n;
    constexpr bool wide = narrow_node < 0;
    constexpr int chunk = wide ? node / (2 * n) : Table::wide_chunks + narrow_node / n;
    constexpr int row_a = chunk, row_b = wide ? Table::chunks + chunk : chunk;
    constexpr int half_a = wide ? node % (2 * n) / n : 0, half_b = wide ? half_a : 1;
    a[i] = parallel::join<Real>([&](auto g)
                                    DGTD_INLINE { return parallel::group_of<Real, half_a>(rows[g][row_a][node % n]); });
    b[i] = parallel::join<Real>([&](auto g)
                                    DGTD_INLINE { return parallel::group_of<Real, half_b>(rows[g][row_b][node % n]); });
  });
}

#else  // one coefficient at a time

template <int p, class Field, class Real>
__attribute__((noinline)) void gather_traces(const Field field, const std::uint32_t* code,
                                             parallel::Pack<Real> (&a)[Bernstein<p>::face_nodes],
                                             parallel::Pack<Real> (&b)[Bernstein<p>::face_nodes]) {
  constexpr int nodes = Bernstein<p>::nodes;
  for (int lane = 0; lane < parallel::Pack<Real>::lanes; ++lane) {
    const std::uint32_t slot = NeighbourCode::slot(code[lane]);
    const Real* const element = array_of(field, slot) + std::size_t{slot} * ElementLayout<p>::element_reals;
    const int face = NeighbourCode::face(code[lane]);
    const Real* const from_a = element + (face == 0 ? 1 : face_vertices[face][1] - 1) * nodes;
    const Real* const from_b = element + (face == 0 ? 2 : face_vertices[face][2] - 1) * nodes;
    for (int i = 0; i < Bernstein<p>::face_nodes; ++i) {
      const int node = face_node_table<p>[face][i];
      const Real minus = face == 0 ? element[node] : Real(0);
      a[i].v[lane] = from_a[node] - minus;
      b[i].v[lane] = from_b[node] - minus;
    }
  }
}

#endif

/// Prefetches the elements beyond all faces of a pack's lanes; code: [face 4][lane 32] at the first lane.
template <int p, class Real, class Field>
DGTD_HOST_DEVICE void prefetch_neighbours(const Field& field, const std::uint32_t* code) {
  constexpr int bytes = ElementLayout<p>::element_reals * sizeof(Real);
  for (int face = 0; face < 4; ++face)
    for (int lane = 0; lane < parallel::Pack<Real>::lanes; ++lane) {
      const std::uint32_t slot = NeighbourCode::slot(code[face * block_lanes + lane]);
      const auto* const element = reinterpret_cast<const char*>(array_of(field, slot)) + std::size_t{slot} * bytes;
      for (int at = 0; at < bytes; at += 64) __builtin_prefetch(element + at);
    }
}

}  // namespace dgtd::dg
