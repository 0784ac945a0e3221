#pragma once
// A plane of uniform medium between electric walls, as the variants of its half steps see it:
//   Ez(i, j)      <- Ca Ez + e_x (Hy(i, j) - Hy(i - 1, j)) - e_y (Hx(i, j) - Hx(i, j - 1)),  0 < i < nx, 0 < j < ny
//   Hx(i, j+1/2)  <- Da Hx - h_y (Ez(i, j + 1) - Ez(i, j)),                                  0 < i < nx, 0 <= j <
//   ny Hy(i+1/2, j)  <- Da Hy + h_x (Ez(i + 1, j) - Ez(i, j)),                                  0 <= i < nx, 0 < j
//   < ny
// (Golovashkin, Malysheva 2010, eq. (2), with its y, z, Ex, Hy, Hz as x, y, Ez, Hx, Hy.) Ez is zero on the walls.
#include <cassert>

#include "dgtd/reproductions/plane_variant.hpp"

namespace dgtd::reproductions {

template <class Real>
struct UniformPlane {
  int nx, ny;                 // cells
  std::int64_t row;           // reals from j to j + 1
  std::int64_t first, reals;  // of (0, 0) in a component's array; of a component
  Real Ca, e_x, e_y, Da, h_x, h_y;
  fdtd::Engine<Real>& engine;

  UniformPlane(const fdtd::Discretisation<Real>& d, fdtd::Engine<Real>& engine_)
      : nx(d.layout.cells[0]),
        ny(d.layout.cells[1]),
        row(d.layout.row),
        first(d.layout.index(0, 0, 0)),
        reals(d.layout.reals),
        engine(engine_) {
    assert(d.layout.cells[2] == 1 && d.electric.axis[0].inverse_distance[0] == 0 &&
           d.electric.axis[1].inverse_distance[0] == 0);
    const auto medium = [](const fdtd::HalfStepArrays<Real>& half) {
      const fdtd::Tile& tile = half.batches.front().tiles.front();
      assert(tile.classes < 0);
      return half.classes[static_cast<std::size_t>(tile.medium_class)];
    };
    const fdtd::MediumClass<Real> e = medium(d.electric), h = medium(d.magnetic);
    Ca = e.Ca, Da = h.Ca;
    // E on the first node stands still on the wall; the next one has the distance of all others. A cell alone has none.
    e_x = nx > 1 ? e.Cb * d.electric.axis[0].inverse_distance[1] : Real(0);
    e_y = ny > 1 ? e.Cb * d.electric.axis[1].inverse_distance[1] : Real(0);
    h_x = h.Cb * d.magnetic.axis[0].inverse_distance[0];
    h_y = h.Cb * d.magnetic.axis[1].inverse_distance[0];
  }
  /// (0, 0) of a component; rows follow each other at `row`.
  const Real* read_ez() const { return engine.electric().read() + 2 * reals + first; }
  Real* write_ez() const { return engine.electric().write() + 2 * reals + first; }
  const Real* read_h(int component) const { return engine.magnetic().read() + component * reals + first; }
  Real* write_h(int component) const { return engine.magnetic().write() + component * reals + first; }
};

}  // namespace dgtd::reproductions
