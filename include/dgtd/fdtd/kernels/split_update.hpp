#pragma once
// The paper's two kernels of the electric half step (Wahl et al. 2012, Fig. 2): UpdateE_B advances the
// poles, which need no neighbours, and leaves the sum of their currents; UpdateE_A takes it from there.
#include "dgtd/fdtd/kernels/update_field.hpp"

namespace dgtd::fdtd {

template <class Real, bool mixed>
DGTD_HOST_DEVICE int class_at(const HalfStepView<Real>& v, const Tile& tile, int component, int cell) {
  return mixed ? int(v.class_of[(std::int64_t(tile.classes) * 3 + component) * cells_of_tile + cell]) : tile.medium_class;
}

template <class Real, bool mixed>
struct UpdatePoles {
  HalfStepView<Real> v;
  Real* sums;                      // [slot][3][cells_of_tile] V/m^2

  DGTD_HOST_DEVICE void cell(const Tile& tile, int ii, int jj, int kk) const {
    const std::int64_t n = v.layout.index(tile.first[0] + ii, tile.first[1] + jj, tile.first[2] + kk);
    const int cell = (kk * tile_cells(1) + jj) * tile_cells(0) + ii;
    static_for<3>([&](auto component) DGTD_INLINE {
      const int set = v.poles_of_class[class_at<Real, mixed>(v, tile, component, cell)];
      Real sum = 0;
      if (set > 0) sum = advance_poles(v, tile, component, set, cell, v.target[component][n]);
      sums[(std::int64_t(tile.poles) * 3 + component) * cells_of_tile + cell] = sum;
    });
  }
};

template <class Real, bool layered, bool mixed>
struct UpdateElectricWithSums {
  HalfStepView<Real> v;
  const Real* sums;

  DGTD_HOST_DEVICE void cell(const Tile& tile, int ii, int jj, int kk) const {
    const int at[3] = {tile.first[0] + ii, tile.first[1] + jj, tile.first[2] + kk};
    const std::int64_t n = v.layout.index(at[0], at[1], at[2]);
    const int cell = (kk * tile_cells(1) + jj) * tile_cells(0) + ii;
    Real curl[3];
    curl_at<Real, Difference::backward, layered>(v, tile, at, n, cell, curl);
    static_for<3>([&](auto component) DGTD_INLINE {
      const MediumClass<Real> c = v.classes[class_at<Real, mixed>(v, tile, component, cell)];
      const Real change = curl[component] - sums[(std::int64_t(tile.poles) * 3 + component) * cells_of_tile + cell];
      Real& u = v.target[component][n];
      u = c.keep * u + c.rate * change;
    });
  }
};

}  // namespace dgtd::fdtd
