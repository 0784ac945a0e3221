#pragma once
// A subdomain of a line on thread blocks: each marches a tile of its cells for a chunk of steps, all in registers, and
// then hands its edges to its neighbours. A tile overlaps its neighbours by a halo of chunk + 1 cells, of which each
// step loses one, so that its own cells are right at the chunk's end. A subdomain of one tile has no halo.
//
// Everything is written over a Block: on a device the threads of a thread block, on the CPU a loop over them (tests).
//   block.each(f)       f(thread, number) of all threads, which then wait for each other
//   block.any(f)        the same; whether any returned true
//   block.wait_for(n)   until tile n has done so many chunks
#include <cstdint>

#include "dgtd/reproductions/kernels/line_update.hpp"

namespace dgtd::reproductions {

/// field[cell] += weight * series[step], after the half step.
template <class Real>
struct LineStream {
  int electric, cell;
  Real weight;
  Real scale;          // of its series, where it is compared with the tolerance
  const Real* series;  // [steps]
};

/// E of one cell and H of another over time, less what came in with them.
template <class Real>
struct LineOutput {
  int electric_cell, magnetic_cell;
  Real *electric, *magnetic;                  // [steps + 1] after n steps; [steps] of step n
  const Real *electric_part, *magnetic_part;  // of the same shape; null: zero
};

template <class Real>
struct LineTile {
  int cells, begin, end;       // with halos; its own ones
  int halo_below, halo_above;  // cells, 0 where the subdomain ends
  int below, above;            // tiles; -1: none
  int waits_for[2];            // tiles whose records of a chunk must be there before it; -1: none
  int first_stream, streams, first_output, outputs;
  const Real* coefficients[8];          // [cells] Ca, Cb, b, c of E, then of H
  int last_begin, last_end;             // of its own cells those that are the subdomain's own, and
  Real *last_electric, *last_magnetic;  // where they go at the end
};

template <class Real>
struct LineTilesView {
  const LineTile<Real>* tiles;
  const LineStream<Real>* streams;
  const LineOutput<Real>* outputs;
  Real* edges;            // [2 parities of the chunk][tile][below, above][E, H, psi of E, psi of H][halo]
  Real* starts;           // [tile][E, H][cells of a block] where the last chunk marched began
  int* progress;          // [tile] chunks done
  std::int64_t* marched;  // [tile] steps
  int tile_count, halo, chunk;
  std::int64_t steps, window;  // window: chunks
  Real tolerance;
};

/// Fields and coefficients of `cells` consecutive cells, in the registers of a thread.
template <class Real, int cells>
struct LineThread {
  Real electric[cells], magnetic[cells], electric_sum[cells], magnetic_sum[cells];
  Real electric_Ca[cells], electric_Cb[cells], electric_b[cells], electric_c[cells];
  Real magnetic_Ca[cells], magnetic_Cb[cells], magnetic_b[cells], magnetic_c[cells];
  bool layered;                                          // has an absorbing layer
  unsigned electric_streams, magnetic_streams, outputs;  // a bit for each that touches its cells
};
inline constexpr int most_line_streams = 32;  // of a tile, and outputs

/// Arrays that a block shares; reals of shared memory for them.
template <class Real>
struct LineShared {
  Real *electric_edge, *magnetic_edge;  // [threads + 1] first E and last H of each thread
  Real *in, *reference;                 // [streams][chunk] of this chunk, and of the last one marched
  Real* out;                            // [outputs][E, H][chunk]
  Real* weight;                         // [streams]
  int* cell;                            // [streams], then [outputs][E, H]
};
template <class Real>
DGTD_HOST_DEVICE LineShared<Real> line_shared(Real* at, int threads, int streams, int outputs, int chunk) {
  LineShared<Real> s;
  s.electric_edge = at;
  s.magnetic_edge = at + threads + 1;
  s.in = s.magnetic_edge + threads + 1;
  s.reference = s.in + streams * chunk;
  s.out = s.reference + streams * chunk;
  s.weight = s.out + 2 * outputs * chunk;
  s.cell = reinterpret_cast<int*>(s.weight + streams);
  return s;
}
inline std::size_t line_shared_reals(int threads, int streams, int outputs, int chunk) {
  return static_cast<std::size_t>(2 * (threads + 1)) +
         2 * static_cast<std::size_t>(streams + outputs) * static_cast<std::size_t>(chunk) +
         static_cast<std::size_t>(2 * (streams + outputs));
}

/// Loads a value that other blocks may write meanwhile, past the caches that are not coherent with them.
template <class T>
DGTD_HOST_DEVICE T load_fresh(const T* at) {
#if defined(__CUDA_ARCH__)
  return __ldcg(at);
#else
  return *at;
#endif
}

template <class Real, int cells, int threads>
class LineTileTemporalBlocking {
 public:
  using Thread = LineThread<Real, cells>;

  DGTD_HOST_DEVICE LineTileTemporalBlocking(const LineTilesView<Real>& view, int number, Real* shared)
      : v_(view),
        t_(view.tiles[number]),
        s_(line_shared(shared, threads, t_.streams, t_.outputs, view.chunk)),
        number_(number) {}

  template <class Block>
  DGTD_HOST_DEVICE void begin(Block& block) {
    block.each([&](Thread& th, int thread) {
      th.layered = false;
      th.electric_streams = th.magnetic_streams = th.outputs = 0;
      DGTD_UNROLL
      for (int j = 0; j < cells; ++j) {
        const int i = thread * cells + j;
        const auto of = [&](int k) { return i < t_.cells ? t_.coefficients[k][i] : Real(0); };
        th.electric[j] = th.magnetic[j] = th.electric_sum[j] = th.magnetic_sum[j] = 0;
        th.electric_Ca[j] = of(0), th.electric_Cb[j] = of(1), th.electric_b[j] = of(2), th.electric_c[j] = of(3);
        th.magnetic_Ca[j] = of(4), th.magnetic_Cb[j] = of(5), th.magnetic_b[j] = of(6), th.magnetic_c[j] = of(7);
        th.layered = th.layered || th.electric_c[j] != 0 || th.magnetic_c[j] != 0;
      }
      const auto mine = [&](int cell) { return cell >= thread * cells && cell < (thread + 1) * cells; };
      for (int s = 0; s < t_.streams; ++s)
        if (mine(stream(s).cell)) (stream(s).electric != 0 ? th.electric_streams : th.magnetic_streams) |= 1u << s;
      for (int o = 0; o < t_.outputs; ++o)
        if (mine(output(o).electric_cell) || mine(output(o).magnetic_cell)) th.outputs |= 1u << o;
      if (thread < t_.streams) s_.weight[thread] = stream(thread).weight, s_.cell[thread] = stream(thread).cell;
      if (thread < t_.outputs) {
        s_.cell[t_.streams + 2 * thread] = output(thread).electric_cell;
        s_.cell[t_.streams + 2 * thread + 1] = output(thread).magnetic_cell;
      }
      for (int n = thread; n < t_.streams * v_.chunk; n += threads) s_.reference[n] = 0;
      if (thread == 0) s_.electric_edge[threads] = s_.magnetic_edge[0] = 0;  // beyond the subdomain's ends
    });
  }

  /// Chunk c, marched or repeated.
  template <class Block>
  DGTD_HOST_DEVICE void chunk(Block& block, std::int64_t c) {
    const std::int64_t first = c * v_.chunk;
    const int count = int(v_.steps - first < v_.chunk ? v_.steps - first : v_.chunk);
    if (c > 0 && t_.below >= 0) block.wait_for(v_.progress + t_.below, int(c));
    if (c > 0 && t_.above >= 0) block.wait_for(v_.progress + t_.above, int(c));
    for (int w = 0; w < 2; ++w)
      if (t_.waits_for[w] >= 0) block.wait_for(v_.progress + t_.waits_for[w], int(c) + 1);
    block.each([&](Thread& th, int thread) {
      if (c > 0) load_halos(th, thread, c);
      for (int s = 0; s < t_.streams; ++s)
        for (int k = thread; k < count; k += threads)
          s_.in[s * v_.chunk + k] = load_fresh(stream(s).series + first + k);
    });
    const bool changed =
        block.any([&](Thread& th, int thread) { return state_changed(th, thread) || inputs_changed(thread, count); });
    const bool whole = count == v_.chunk;
    bool steady = whole && !changed;
    if (v_.window > 0 && started_ >= 0 && whole) steady = c >= started_ + v_.window;
    if (steady) {
      block.each([&](Thread& th, int thread) {
        repeat_outputs(thread, first);
        store_edges(th, thread, c);
      });
    } else {
      if (started_ < 0) started_ = c;
      reference_ = c;
      take_steps(block, count);
      block.each([&](Thread& th, int thread) {
        store_outputs(thread, first, count);
        store_edges(th, thread, c);
      });
      marched_ += count;
    }
    block.publish(v_.progress + number_, int(c) + 1);
  }

  template <class Block>
  DGTD_HOST_DEVICE void finish(Block& block) {
    block.each([&](Thread& th, int thread) {
      DGTD_UNROLL
      for (int j = 0; j < cells; ++j) {
        const int i = thread * cells + j;
        if (i < t_.last_begin || i >= t_.last_end) continue;
        t_.last_electric[i - t_.last_begin] = th.electric[j];
        t_.last_magnetic[i - t_.last_begin] = th.magnetic[j];
      }
      if (thread == 0) v_.marched[number_] = marched_;
    });
  }

 private:
  DGTD_HOST_DEVICE const LineStream<Real>& stream(int s) const { return v_.streams[t_.first_stream + s]; }
  DGTD_HOST_DEVICE const LineOutput<Real>& output(int o) const { return v_.outputs[t_.first_output + o]; }
  DGTD_HOST_DEVICE Real* edge(std::int64_t c, int tile, bool above) const {
    return v_.edges + ((std::int64_t(c & 1) * v_.tile_count + tile) * 2 + (above ? 1 : 0)) * 4 * v_.halo;
  }

  // The neighbours' edges of the chunk before.
  DGTD_HOST_DEVICE void load_halos(Thread& th, int thread, std::int64_t c) const {
    DGTD_UNROLL
    for (int j = 0; j < cells; ++j) {
      const int i = thread * cells + j;
      const bool low = i < t_.halo_below, high = i >= t_.end && i < t_.end + t_.halo_above;
      if (!low && !high) continue;
      const Real* const from = low ? edge(c, t_.below, true) + i : edge(c, t_.above, false) + (i - t_.end);
      th.electric[j] = load_fresh(from);
      th.magnetic[j] = load_fresh(from + v_.halo);
      th.electric_sum[j] = load_fresh(from + 2 * v_.halo);
      th.magnetic_sum[j] = load_fresh(from + 3 * v_.halo);
    }
  }
  DGTD_HOST_DEVICE void store_edges(const Thread& th, int thread, std::int64_t c) const {
    DGTD_UNROLL
    for (int j = 0; j < cells; ++j) {
      const int i = thread * cells + j;
      const auto store = [&](Real* to) {
        to[0] = th.electric[j];
        to[v_.halo] = th.magnetic[j];
        to[2 * v_.halo] = th.electric_sum[j];
        to[3 * v_.halo] = th.magnetic_sum[j];
      };
      if (t_.below >= 0 && i >= t_.begin && i < t_.begin + v_.halo) store(edge(c + 1, number_, false) + (i - t_.begin));
      if (t_.above >= 0 && i >= t_.end - v_.halo && i < t_.end)
        store(edge(c + 1, number_, true) + (i - (t_.end - v_.halo)));
    }
  }

  DGTD_HOST_DEVICE Real* start(int field, int j, int thread) const {
    return v_.starts + ((std::int64_t(number_) * 2 + field) * cells + j) * threads + thread;
  }
  DGTD_HOST_DEVICE bool differs(Real a, Real b) const {
    const Real d = a - b;
    return !((d < 0 ? -d : d) <= v_.tolerance);
  }
  DGTD_HOST_DEVICE bool state_changed(const Thread& th, int thread) const {
    bool changed = false;
    DGTD_UNROLL
    for (int j = 0; j < cells; ++j)
      changed =
          changed || differs(th.electric[j], *start(0, j, thread)) || differs(th.magnetic[j], *start(1, j, thread));
    return changed;
  }
  DGTD_HOST_DEVICE bool inputs_changed(int thread, int count) const {
    bool changed = false;
    for (int s = 0; s < t_.streams; ++s)
      for (int k = thread; k < count; k += threads)
        changed =
            changed || differs(stream(s).scale * (s_.in[s * v_.chunk + k] - s_.reference[s * v_.chunk + k]), Real(0));
    return changed;
  }

  template <class Block>
  DGTD_HOST_DEVICE void take_steps(Block& block, int count) {
    block.each([&](Thread& th, int thread) {
      DGTD_UNROLL
      for (int j = 0; j < cells; ++j) {
        *start(0, j, thread) = th.electric[j];
        *start(1, j, thread) = th.magnetic[j];
      }
      for (int s = 0; s < t_.streams; ++s)
        for (int k = thread; k < count; k += threads) s_.reference[s * v_.chunk + k] = s_.in[s * v_.chunk + k];
      s_.electric_edge[thread] = th.electric[0];
    });
    for (int k = 0; k < count; ++k) {
      block.each([&](Thread& th, int thread) {
        const Real next = s_.electric_edge[thread + 1];
        DGTD_UNROLL
        for (int j = 0; j < cells; ++j) {
          const Real d = (j + 1 < cells ? th.electric[j + 1 < cells ? j + 1 : j] : next) - th.electric[j];
          if (th.layered)
            line_update_in_layer(th.magnetic[j], th.magnetic_sum[j], d, th.magnetic_Ca[j], th.magnetic_Cb[j],
                                 th.magnetic_b[j], th.magnetic_c[j]);
          else line_update(th.magnetic[j], d, th.magnetic_Ca[j], th.magnetic_Cb[j]);
        }
        add_streams(th.magnetic, th.magnetic_streams, thread, k);
        s_.magnetic_edge[thread + 1] = th.magnetic[cells - 1];
      });
      block.each([&](Thread& th, int thread) {
        const Real before = s_.magnetic_edge[thread];
        DGTD_UNROLL
        for (int j = 0; j < cells; ++j) {
          const Real d = th.magnetic[j] - (j > 0 ? th.magnetic[j > 0 ? j - 1 : 0] : before);
          if (th.layered)
            line_update_in_layer(th.electric[j], th.electric_sum[j], d, th.electric_Ca[j], th.electric_Cb[j],
                                 th.electric_b[j], th.electric_c[j]);
          else line_update(th.electric[j], d, th.electric_Ca[j], th.electric_Cb[j]);
        }
        add_streams(th.electric, th.electric_streams, thread, k);
        sample(th, thread, k);
        s_.electric_edge[thread] = th.electric[0];
      });
    }
  }
  DGTD_HOST_DEVICE void add_streams(Real (&field)[cells], unsigned mine, int thread, int k) const {
    for (int s = 0; mine != 0; ++s, mine >>= 1) {
      if ((mine & 1u) == 0) continue;
      const int at = s_.cell[s] - thread * cells;
      const Real change = s_.weight[s] * s_.in[s * v_.chunk + k];
      DGTD_UNROLL
      for (int j = 0; j < cells; ++j)
        if (at == j) field[j] += change;
    }
  }
  DGTD_HOST_DEVICE void sample(const Thread& th, int thread, int k) const {
    unsigned mine = th.outputs;
    for (int o = 0; mine != 0; ++o, mine >>= 1) {
      if ((mine & 1u) == 0) continue;
      const int* const at = s_.cell + t_.streams + 2 * o;
      DGTD_UNROLL
      for (int j = 0; j < cells; ++j) {
        if (at[0] == thread * cells + j) s_.out[(2 * o) * v_.chunk + k] = th.electric[j];
        if (at[1] == thread * cells + j) s_.out[(2 * o + 1) * v_.chunk + k] = th.magnetic[j];
      }
    }
  }

  DGTD_HOST_DEVICE void store_outputs(int thread, std::int64_t first, int count) const {
    for (int o = 0; o < t_.outputs; ++o) {
      const LineOutput<Real>& to = output(o);
      for (int k = thread; k < count; k += threads) {
        const std::int64_t n = first + k;
        const Real e = s_.out[(2 * o) * v_.chunk + k], h = s_.out[(2 * o + 1) * v_.chunk + k];
        to.electric[n + 1] = to.electric_part != nullptr ? e - load_fresh(to.electric_part + n + 1) : e;
        to.magnetic[n] = to.magnetic_part != nullptr ? h - load_fresh(to.magnetic_part + n) : h;
      }
    }
  }
  DGTD_HOST_DEVICE void repeat_outputs(int thread, std::int64_t first) const {
    const std::int64_t from = reference_ * v_.chunk;
    for (int o = 0; o < t_.outputs; ++o) {
      const LineOutput<Real>& to = output(o);
      for (int k = thread; k < v_.chunk; k += threads) {
        to.electric[first + k + 1] = reference_ < 0 ? Real(0) : to.electric[from + k + 1];
        to.magnetic[first + k] = reference_ < 0 ? Real(0) : to.magnetic[from + k];
      }
    }
  }

  const LineTilesView<Real>& v_;
  const LineTile<Real>& t_;
  const LineShared<Real> s_;
  const int number_;
  std::int64_t started_ = -1, reference_ = -1, marched_ = 0;  // chunks; steps
};

}  // namespace dgtd::reproductions
