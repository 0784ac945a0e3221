#pragma once
// Data of the kernels of a half step: plain pointers, the same on the CPU and on the GPU.
#include <cstdint>
#include <type_traits>

#include "dgtd/base/half_number.hpp"
#include "dgtd/fdtd/layout.hpp"

namespace dgtd::fdtd {

/// Loads a value that is read-only during the kernel, so that the GPU may cache it.
template <class T>
DGTD_HOST_DEVICE T load(const T* at) {
#if defined(__CUDA_ARCH__)
  return __ldg(at);
#else
  return *at;
#endif
}
DGTD_HOST_DEVICE float load(const Half* at) {
#if defined(__CUDA_ARCH__)
  return half_bits::decode(__ldg(&at->bits));
#else
  return *at;
#endif
}

/// The same as a number to compute with.
template <class Number, class T>
DGTD_HOST_DEVICE Number load_as(const T* at) {
  if constexpr (std::is_same_v<Number, HalfNumber> && std::is_same_v<T, Half>) {
    Half value;
    value.bits = load(&at->bits);
    return HalfNumber(value);
  } else {
    return Number(load(at));
  }
}

/// A quantity with a length in it as a number to compute with. Halves have little range: lengths are multiples of one
/// that is near a cell's; factor: it or its inverse.
template <class Number, class Real>
DGTD_HOST_DEVICE Number in_lengths(Real value, Real factor) {
  if constexpr (std::is_same_v<Number, Real>) return value;
  else return Number(value * factor);
}
template <class Real, class Number>
DGTD_HOST_DEVICE Real from_lengths(Number value, Real factor) {
  if constexpr (std::is_same_v<Number, Real>) return value;
  else return Real(value) * factor;
}

/// Along one axis, at the positions of the field that is updated.
template <class Real>
struct AxisView {
  const Real* inverse_distance;  // [padded cells] 1/m, divided by kappa in absorbing layers
  const Real* b;                 // [padded cells] of the layer's recursion psi <- b psi + c dF; 0 outside
  const Real* c;                 // [padded cells] over the distance, 1/m; 0 outside
};

/// Update coefficients of a class of cells: u <- Ca u + Cb (curl - sum of polarisation currents). Those of H, Da and
/// Db, have the same names.
template <class Real>
struct MediumClass {
  Real Ca, Cb;  // 1, m
};

/// Update coefficients of a pole, for currents times the impedance of vacuum (V/m^2): see update_field.hpp.
template <class Real>
struct PoleCoefficients {
  Real Ja, Jb, Jc, Jd;  // 1, 1/m, 1, 1/m
};

/// Index of the first state of a cell's component in HalfStepView::currents; others follow by tile_cells(0).
DGTD_HOST_DEVICE constexpr std::int64_t current_place(int slot, int component, int states, int cell) {
  const std::int64_t row = std::int64_t(slot) * (cells_of_tile / tile_cells(0)) + cell / tile_cells(0);
  return (row * 3 + component) * states * tile_cells(0) + cell % tile_cells(0);
}

/// Stored: the type of fields in memory; everything else is of the type that they are computed in.
template <class Stored>
struct HalfStepView {
  using Real = arithmetic_t<Stored>;
  GridLayout layout;
  const Stored* source[3];  // components of the field that is read, [reals]
  Stored* target[3];        // and of the one that is updated
  AxisView<Real> axis[3];
  const Real* damping[3][2];  // [axis][at nodes, at centres][padded cells] of E in adiabatic absorbers
  Real* layer[3];  // [plane of a tile][2][cells_of_tile_plane] psi of the axis' absorbing layers; the two components
                   // in cyclic order. All tiles of a plane of the block follow each other
  const MediumClass<Real>* classes;     // [class]
  const std::uint16_t* class_of;        // [slot][3][cells_of_tile]
  const int* poles_of_class;            // [class] set of poles; 0: none (electric half step only)
  const PoleCoefficients<Real>* poles;  // [set][poles]
  Real* currents;  // [slot][row of the tile][3][states][cells of the row] J of each pole, then Q of the first
                   // `resonant` ones: what a row has is one run of memory
  // Numbers of poles of the longest set: all, resonant ones, the first, and critical points, the first of these.
  int pole_count, resonant_count, critical_count;
  Real length, per_length;  // m, 1/m: of which lengths are multiples where fields are computed in half precision

  // A GPU reads both numbers at once.
  DGTD_HOST_DEVICE MediumClass<Real> class_at(int number) const {
#if defined(__CUDA_ARCH__)
    if constexpr (sizeof(Real) == 4) {
      const float2 both = __ldg(reinterpret_cast<const float2*>(classes + number));
      return {both.x, both.y};
    } else {
      const double2 both = __ldg(reinterpret_cast<const double2*>(classes + number));
      return {both.x, both.y};
    }
#else
    return classes[number];
#endif
  }
  DGTD_HOST_DEVICE PoleCoefficients<Real> pole_at(int set, int pole) const {
    const PoleCoefficients<Real>* const p = poles + std::int64_t(set) * pole_count + pole;
    return {load(&p->Ja), load(&p->Jb), load(&p->Jc), pole < critical_count ? load(&p->Jd) : Real(0)};
  }
  DGTD_HOST_DEVICE Real* layer_at(int axis_, const Tile& tile, int which, int cell) const {
    const std::int64_t plane = tile.layer[axis_] + std::int64_t(cell / cells_of_tile_plane) * tile.layer_stride[axis_];
    return layer[axis_] + (plane * 2 + which) * cells_of_tile_plane + cell % cells_of_tile_plane;
  }
  DGTD_HOST_DEVICE Real* current_at(int slot, int component, int state, int cell) const {
    return currents + current_place(slot, component, pole_count + resonant_count, cell) +
           std::int64_t(state) * tile_cells(0);
  }
};

}  // namespace dgtd::fdtd
