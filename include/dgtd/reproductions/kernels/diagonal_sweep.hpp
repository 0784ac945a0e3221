#pragma once
// Stencil along lines as the paper's GPU scheme has it (Tartarini and Massaro 2011, sec. 3.2, figs. 4 and 5): a thread
// takes a line and advances it by a chunk of d = block_timesteps steps along diagonals of the plane of row l and time
// t, left to right, each from top to bottom: points (L - t, t). A diagonal needs the two before it, which the thread
// keeps in shared memory, three numbers per step of the chunk; global memory gives what the top point needs and takes
// what the bottom point is. The medium is a bit mask: the bits of the last d rows are in registers.
#include "dgtd/hpf/kernels/update_node.hpp"

namespace dgtd::reproductions {

using hpf::Coefficients, hpf::PlaneView, hpf::RowSource, hpf::Boundary;

inline constexpr int most_diagonal_steps = 32;  // bits of a window of the mask

/// The number of the class of row L - t; window[k]: bit t is bit k of that number.
template <class Real>
DGTD_HOST_DEVICE int class_in_window(const PlaneView<Real>& v, const std::uint32_t* window, int t) {
  int number = 0;
  for (int k = 0; k < v.planes; ++k) number |= int(window[k] >> t & 1u) << k;
  return number;
}

/// Adds what the sources put into the node (x, l) in step t.
template <class Real>
DGTD_HOST_DEVICE void add_sources(const PlaneView<Real>& v, int x, int l, int t, Real Cb, Real& psi, Real& increment) {
  if (l < v.source_low || l > v.source_high) return;
  for (int d = 0; d < v.source_count; ++d) {
    const RowSource<Real>& source = v.sources[d];
    if (source.row != l || x < source.first || x >= source.last) continue;
    const Real change = Cb * v.source_at(source, t);
    increment += change;
    psi += change;
  }
}

/// Writes a node after the steps.
template <class Real>
DGTD_HOST_DEVICE void store(const PlaneView<Real>& v, int x, int row, Real psi, Real increment) {
  v.new_psi[v.index(x, row)] = psi;
  v.new_increment[v.index(x, row)] = increment;
}

/// Advances the line at column x by `steps` steps. work: three numbers per step, the numbers of other threads between
/// them.
template <class Real, bool lossy>
DGTD_HOST_DEVICE void sweep_diagonally(const PlaneView<Real>& v, int x, int steps, Real* work, int stride) {
  // Before diagonal L: mid[t] = psi(L - t, t), left[t] = psi(L - t - 1, t), old[t] = increment of (L - t) that led to
  // t.
  Real *const mid = work, *const left = work + std::int64_t(steps) * stride,
              *const old = left + std::int64_t(steps) * stride;
  for (int t = 0; t < steps; ++t) mid[t * stride] = 0, left[t * stride] = 0, old[t * stride] = 0;
  std::uint32_t window[hpf::most_planes] = {};  // bit t: a bit of the class of row L - t
  const int low = v.low_row(), high = v.high_row(), top = v.height - 1;
  const Coefficients<Real> first_class = v.coefficients[0];
  Real last_psi = 0, last_increment = 0;  // of the bottom point of the diagonal before
  for (int row = low - 1; row < high + steps - 1; ++row) {
    Real right = 0, increment = 0;
    if (row + 1 < high) {
      const std::int64_t n = v.index(x, row + 1);
      right = v.psi[n];
      if (!v.fixed_row(row + 1)) increment = v.increment[n];
    }
    const bool inside = row >= low && row < high;
    const int number = v.planes > 0 && inside ? v.class_at(x, row) : 0;
    for (int k = 0; k < v.planes; ++k) window[k] = window[k] << 1 | (std::uint32_t(number) >> k & 1u);
    for (int t = 0; t < steps; ++t) {
      const int l = row - t;
      const Real centre = mid[t * stride], before = left[t * stride], increment_old = old[t * stride];
      const Real next = right;
      left[t * stride] = centre;
      mid[t * stride] = next;
      old[t * stride] = increment;
      Coefficients<Real> c = v.planes > 0 ? v.coefficients[class_in_window(v, window, t)] : first_class;
      if (l < low || l >= high || v.fixed_row(l)) c.Cb = 0, c.Ca = 1;
      const Real below = l == 0 && v.wall[2] == Boundary::mirror ? next : before,
                 above = l == top && v.wall[3] == Boundary::mirror ? before : next;
      increment = hpf::new_increment<lossy>(
          increment_old, hpf::difference<false>(centre, below + above, Real(0), v.ratio, v.centre), c.Cb, c.Ca);
      Real psi = centre + increment;
      add_sources(v, x, l, t, c.Cb, psi, increment);
      if (l == 1 && v.wall[2] == Boundary::mur) {
        // The wall's node, which this diagonal visits next, follows its inner neighbour.
        const Real change = hpf::mur_increment(before, psi, increment, v.coefficients_at(x, 0).mur_y);
        if (t + 1 < steps) mid[(t + 1) * stride] = before + change;
        else store(v, x, 0, before + change, change);
      }
      if (l == top && v.wall[3] == Boundary::mur) {
        const Real inner = t + 1 < steps ? mid[(t + 1) * stride] : last_psi,
                   inner_increment = t + 1 < steps ? old[(t + 1) * stride] : last_increment;
        increment = hpf::mur_increment(centre, inner, inner_increment, v.coefficients_at(x, top).mur_y);
        psi = centre + increment;
      }
      right = psi;
    }
    last_psi = right, last_increment = increment;
    const int done = row - steps + 1;
    if (done >= 0 && done < v.height && !(done == 0 && v.wall[2] == Boundary::mur)) store(v, x, done, right, increment);
  }
}

}  // namespace dgtd::reproductions
