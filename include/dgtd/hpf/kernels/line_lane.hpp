#pragma once
// Stencil along lines, for today's GPUs: a warp holds a line (or a long piece of it) in its registers for many
// steps, each lane `points` nodes that follow each other. In a step lanes exchange the psi of their ends; nothing else
// moves. A piece that is not a whole line computes `steps` nodes at its ends for nothing, which the next piece has
// right.
#include "dgtd/hpf/kernels/axis_cut.hpp"
#include "dgtd/hpf/kernels/update_node.hpp"

namespace dgtd::hpf {

inline constexpr int lanes_of_warp = 32;

/// Division of lines into lanes of `points` nodes for `steps` steps.
template <class Real>
AxisCut line_cut(const PlaneView<Real>& v, int points, int steps) {
  return {points, lanes_of_warp * points, steps, v.wall[2] != Boundary::none, v.wall[3] != Boundary::none, v.height};
}

template <class Real, int points, bool lossy>
struct LineLane {
  Real psi[points], increment[points], Cb[points], Ca[lossy ? points : 1];
  int first;  // row of psi[0]
  // A wall that this lane holds: its psi and increments are apart from those of the array, which does not move the
  // node.
  struct End {
    int k = -1;  // its place in the array; the same in all lanes
    bool here = false;
    Real increment = 0, Cb = 0, Ca = 1, mur = 0, difference = 0;
  } end[2];

  DGTD_HOST_DEVICE void load(const PlaneView<Real>& v, int x, int first_row) {
    first = first_row;
    const int low = v.low_row(), high = v.high_row();
    static_for<points>([&](auto k) DGTD_INLINE {
      const int row = first + k;
      psi[k] = 0, increment[k] = 0, Cb[k] = 0;
      if constexpr (lossy) Ca[k] = 1;
      if (row >= low && row < high) {
        const std::int64_t n = v.index(x, row);
        const Coefficients<Real> c = v.coefficients_at(x, row);
        psi[k] = v.psi[n];
        const bool wall =
            (row == 0 && v.wall[2] != Boundary::none) || (row == v.height - 1 && v.wall[3] != Boundary::none);
        if (!wall) {
          increment[k] = v.increment[n], Cb[k] = c.Cb;
          if constexpr (lossy) Ca[k] = c.Ca;
        } else {
          // A reference to end[row == 0 ? 0 : 1] would keep the whole object out of registers.
          static_for<2>([&](auto side) DGTD_INLINE {
            if ((row == 0) != (side == 0)) return;
            End& e = end[side];
            e.here = true;
            const Boundary type = v.wall[2 + side];
            e.increment = type == Boundary::mirror ? v.increment[n] : Real(0);
            if (type == Boundary::mirror) e.Cb = c.Cb, e.Ca = c.Ca;
            e.mur = c.mur_y;
          });
        }
      }
    });
    // Computed by all lanes, so that the branch on it is one for the warp.
    end[0].k = ((0 - first) % points + points) % points;
    end[1].k = ((v.height - 1 - first) % points + points) % points;
  }

  /// below, above: psi of the neighbouring lanes' ends before the step.
  DGTD_HOST_DEVICE void step(const PlaneView<Real>& v, int x, int piece_first, Real below, Real above, int number) {
    if (v.wall[2] == Boundary::mirror)
      visit_at<0, points>(end[0].k, [&](auto k) DGTD_INLINE {
        const Real next = k + 1 < points ? psi[(k + 1) % points] : above;
        end[0].difference = multiply_add(v.centre, psi[k], next + next);
      });
    if (v.wall[3] == Boundary::mirror)
      visit_at<0, points>(end[1].k, [&](auto k) DGTD_INLINE {
        const Real next = k > 0 ? psi[(k + points - 1) % points] : below;
        end[1].difference = multiply_add(v.centre, psi[k], next + next);
      });
    Real before = below;
    static_for<points>([&](auto k) DGTD_INLINE {
      const Real old = psi[k], next = k + 1 < points ? psi[(k + 1) % points] : above;
      increment[k] =
          new_increment<lossy>(increment[k], difference<false>(old, before + next, Real(0), v.ratio, v.centre), Cb[k],
                               Ca[lossy ? int(k) : 0]);
      psi[k] = old + increment[k];
      before = old;
    });
    for (int d = 0; d < v.source_count; ++d) {
      const RowSource<Real>& source = v.sources[d];
      const int place = source.row - piece_first;
      if (x < source.first || x >= source.last || place < 0 || place >= lanes_of_warp * points) continue;
      const Real value = v.source_at(source, number);
      const bool here = source.row >= first && source.row < first + points;
      const bool wall = (source.row == 0 && v.wall[2] == Boundary::mirror) ||
                        (source.row == v.height - 1 && v.wall[3] == Boundary::mirror);
      if (wall) continue;  // added with the wall itself, below
      visit_at<0, points>(place % points, [&](auto k) DGTD_INLINE {
        if (here) {
          const Real change = Cb[k] * value;
          increment[k] += change;
          psi[k] += change;
        }
      });
    }
    walls(v, x, number);
  }

  DGTD_HOST_DEVICE void store(const PlaneView<Real>& v, int x, int store_first, int store_end) const {
    static_for<points>([&](auto k) DGTD_INLINE {
      const int row = first + k;
      if (row < store_first || row >= store_end) return;
      const std::int64_t n = v.index(x, row);
      v.new_psi[n] = psi[k];
      v.new_increment[n] = row == 0 && end[0].here              ? end[0].increment
                           : row == v.height - 1 && end[1].here ? end[1].increment
                                                                : increment[k];
    });
  }

 private:
  DGTD_HOST_DEVICE void walls(const PlaneView<Real>& v, int x, int number) {
    static_for<2>([&](auto side) DGTD_INLINE {
      const Boundary type = v.wall[2 + side];
      if (type != Boundary::mur && type != Boundary::mirror) return;
      End& e = end[side];
      visit_at<0, points>(e.k, [&](auto k) DGTD_INLINE {
        if (!e.here) return;
        if (type == Boundary::mirror) {
          e.increment = new_increment<lossy>(e.increment, e.difference, e.Cb, e.Ca);
          Real moved = psi[k] + e.increment;
          for (int d = 0; d < v.source_count; ++d) {
            const RowSource<Real>& source = v.sources[d];
            if (source.row != first + k || x < source.first || x >= source.last) continue;
            const Real change = e.Cb * v.source_at(source, number);
            e.increment += change;
            moved += change;
          }
          psi[k] = moved;
        } else {
          constexpr int inner = side == 0 ? (k + 1) % points : (k + points - 1) % points;
          e.increment = mur_increment(psi[k], psi[inner], increment[inner], e.mur);
          psi[k] += e.increment;
        }
      });
    });
  }
};

}  // namespace dgtd::hpf
