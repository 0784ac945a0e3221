#pragma once
// The paper's two kernels of the electric half step (Wahl et al. 2012, Fig. 2): UpdateE_B advances the
// poles, which need no neighbours, and leaves the sum of their currents; UpdateE_A takes it from there.
#include "dgtd/fdtd/kernels/update_field.hpp"

namespace dgtd::fdtd {

template <class Real, bool mixed>
struct UpdatePoles {
  using Number = Real;
  static constexpr bool long_kernel = true;
  HalfStepView<Real> v;
  Real* sums;  // [slot][3][cells_of_tile] V/m^2

  template <int lanes>
  DGTD_HOST_DEVICE void cells(const Tile& tile, int i, int j, int k) const {
    const Row row = row_of(v.layout, tile, i, j, k);
    Real u[3][lanes], currents[3][lanes];
    load_old(v, row, u);
    const RowMedium<Real, mixed, lanes> medium(v, tile, row);
    advance_poles(v, tile, row, medium, u, currents);
    static_for<3>([&](auto c) DGTD_INLINE {
      Real* const to = sums + (std::int64_t(tile.poles) * 3 + c) * cells_of_tile + row.cell;
      for_lanes<lanes>([&](int l) DGTD_INLINE { to[l] = currents[c][l]; });
    });
  }
};

template <class Real, bool layered, bool mixed>
struct UpdateElectricWithSums {
  using Number = Real;
  static constexpr RowKind kind{Difference::backward, layered, mixed, true};
  static constexpr bool long_kernel = layered;
  HalfStepView<Real> v;
  const Real* sums;

  template <int lanes>
  DGTD_HOST_DEVICE void cells(const Tile& tile, int i, int j, int k) const {
    const Row row = row_of(v.layout, tile, i, j, k);
    const RowMedium<Real, mixed, lanes> medium(v, tile, row);
    Real u[3][lanes], currents[3][lanes], Cb[3][RowMedium<Real, mixed, lanes>::media];
    load_old(v, row, u);
    static_for<3>([&](auto c) DGTD_INLINE {
      const Real* const from = sums + (std::int64_t(tile.poles) * 3 + c) * cells_of_tile + row.cell;
      for_lanes<lanes>([&](int l) DGTD_INLINE { currents[c][l] = load(from + l); });
    });
    damp<kind>(v, tile, row, u);
    scale_old<kind>(v, medium, currents, Cb, u);
    add_curl<kind>(v, tile, row, Cb, u);
    damp<kind>(v, tile, row, u);
    store_new(v, row, u);
  }
};

}  // namespace dgtd::fdtd
