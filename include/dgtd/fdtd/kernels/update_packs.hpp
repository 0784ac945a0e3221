#pragma once
// A row's part of a half step on a CPU, as many cells at once as a vector register holds.
//
// The same arithmetic as update_field.hpp, in the same order, for rows whose cells have one medium per component and
// neither poles nor dampers: the new values stay in registers from the old ones to the store, so a row passes through
// the first cache once, not once per derivative. Whether a row lies in a layer along y or z is asked once per row.
#include "dgtd/fdtd/kernels/update_field.hpp"
#include "dgtd/parallel/simd.hpp"

namespace dgtd::fdtd {

/// As multiply_add of numbers: rounded once where the processor has it.
template <class Real>
inline parallel::Pack<Real> multiply_add(parallel::Pack<Real> a, parallel::Pack<Real> b, parallel::Pack<Real> c) {
#if defined(__FMA__)
  return fma(a, b, c);
#else
  return a * b + c;
#endif
}

/// A tile's row of cells. media: of the components.
template <RowKind kind, class Real>
class RowOfPacks {
  using Pack = parallel::Pack<Real>;
  static constexpr bool backward = kind.direction == Difference::backward;
  static constexpr int group = 8;                   // of cells along x that a layer takes together, as in curl.hpp
  static constexpr int sums = cells_of_tile_plane;  // from the first component's sums of layers to the second's

 public:
  static_assert(tile_cells(0) % Pack::lanes == 0);

  RowOfPacks(const HalfStepView<Real>& v, const Tile& tile, const Row& row, const MediumClass<Real> (&media)[3]) {
    for (int c = 0; c < 3; ++c) {
      source_[c] = v.source[c] + row.n;
      target_[c] = v.target[c] + row.n;
      Ca_[c] = media[c].Ca, Cb_[c] = media[c].Cb;
    }
    inverse_distance_ = v.axis[0].inverse_distance + row.at[0];
    for (int b = 1; b < 3; ++b) {
      stride_[b] = backward ? -v.layout.stride(b) : v.layout.stride(b);
      per_distance_[b] = v.axis[b].inverse_distance[row.at[b]];
    }
    if constexpr (kind.layered) {
      for (int b = 0; b < 3; ++b) layer_[b] = tile.layer[b] < 0 ? nullptr : v.layer_at(b, tile, 0, row.cell);
      for (int b = 1; b < 3; ++b) decay_[b] = v.axis[b].b[row.at[b]], drive_[b] = v.axis[b].c[row.at[b]];
      decay_along_ = v.axis[0].b + row.at[0], drive_along_ = v.axis[0].c + row.at[0];
      first_ = tile.layer_lanes[0], end_ = tile.layer_lanes[1];
    }
  }

  void update() const {
    for_packs([&](int i, const Pack(&)[3], const Pack(&)[3], const Pack(&u)[3]) DGTD_INLINE {
      for (int c = 0; c < 3; ++c) parallel::store(target_[c] + i, u[c]);
    });
  }
  /// take(i, here, old, u) for every pack of the row, of the cells from i on: components of the field that is read, of
  /// the other field before the half step and after it.
  template <class Take>
  void for_packs(const Take& take) const {
    if constexpr (kind.layered) {
      const bool y = layer_[1] != nullptr && drive_[1] != 0, z = layer_[2] != nullptr && drive_[2] != 0;
      if (y && z) for_packs_in<true, true>(take);
      else if (y) for_packs_in<true, false>(take);
      else if (z) for_packs_in<false, true>(take);
      else for_packs_in<false, false>(take);
    } else {
      for_packs_in<false, false>(take);
    }
  }

 private:
  template <bool y, bool z, class Take>
  void for_packs_in(const Take& take) const {
    for (int i = 0; i < tile_cells(0); i += Pack::lanes) {
      if constexpr (kind.layered)
        if (layer_[0] != nullptr && in_layer(i, Pack::lanes)) {
          advance_pack<true, y, z>(i, take);
          continue;
        }
      advance_pack<false, y, z>(i, take);
    }
  }
  // Whether the layer along x takes a group of these cells.
  bool in_layer(int i, int cells) const {
    return (i + cells + group - 1) / group * group > first_ && i / group * group < end_;
  }

  template <bool x, bool y, bool z, class Take>
  void advance_pack(int i, const Take& take) const {
    Pack u[3], here[3], old[3];
    for (int c = 0; c < 3; ++c) {
      old[c] = parallel::load(target_[c] + i);
      u[c] = Pack(Ca_[c]) * old[c];
      here[c] = parallel::load(source_[c] + i);
    }
    add<0, x>(i, here, u);
    add<1, y>(i, here, u);
    add<2, z>(i, here, u);
    take(i, here, old, u);
  }

  // add_derivatives of curl.hpp
  template <int b, bool layered>
  void add(int i, const Pack (&here)[3], Pack (&u)[3]) const {
    constexpr int a = (b + 2) % 3, c = (b + 1) % 3;
    constexpr int plus = backward ? a : c, minus = backward ? c : a;
    const std::int64_t next = b > 0 ? stride_[b] : backward ? -1 : 1;
    const auto difference = [&](int f) {
      const Pack there = parallel::load(source_[f] + i + next);
      return backward ? here[f] - there : there - here[f];
    };
    const auto per_distance = [&](int f) {
      if constexpr (b > 0) return Pack(Cb_[f] * per_distance_[b]);
      else return Pack(Cb_[f]) * parallel::load(inverse_distance_ + i);
    };
    const Pack d_plus = difference(minus), d_minus = difference(plus);
    u[plus] = multiply_add(per_distance(plus), d_plus, u[plus]);
    u[minus] = multiply_add(-per_distance(minus), d_minus, u[minus]);
    if constexpr (layered) {
      Real* const psi_plus = layer_[b] + i + (plus == a ? 0 : sums);
      Real* const psi_minus = layer_[b] + i + (plus == a ? sums : 0);
      const Pack decay = b > 0 ? Pack(decay_[b]) : parallel::load(decay_along_ + i);
      const Pack drive = b > 0 ? Pack(drive_[b]) : parallel::load(drive_along_ + i);
      const Pack new_plus = multiply_add(decay, parallel::load(psi_plus), drive * d_plus);
      const Pack new_minus = multiply_add(decay, parallel::load(psi_minus), drive * d_minus);
      if constexpr (kind.stores_psi) {
        parallel::store(psi_plus, new_plus);
        parallel::store(psi_minus, new_minus);
      }
      const Pack with_plus = multiply_add(Pack(Cb_[plus]), new_plus, u[plus]);
      const Pack with_minus = multiply_add(Pack(-Cb_[minus]), new_minus, u[minus]);
      if (b > 0 || Pack::lanes <= group) {
        u[plus] = with_plus, u[minus] = with_minus;
      } else {  // other groups of the pack keep their bits, the sign of a zero too
        for (int first = 0; first < Pack::lanes; first += group)
          if (in_layer(i + first, group))
            for (int l = first; l < first + group; ++l) u[plus].v[l] = with_plus.v[l], u[minus].v[l] = with_minus.v[l];
      }
    }
  }

  const Real* source_[3];  // at the first cell
  Real* target_[3];
  Real Ca_[3], Cb_[3];
  std::int64_t stride_[3];  // along y and z, to the other value of a difference
  const Real* inverse_distance_;
  Real per_distance_[3];  // along y and z, 1/m
  Real* layer_[3];        // sums of the layers of the first cell; null: none
  Real decay_[3], drive_[3];
  const Real *decay_along_, *drive_along_;  // along x
  int first_, end_;                         // cells in a layer along x
};

/// take(row) with the RowOfPacks of a row of cells in lanes from 0 on; false: its cells are of several media or damped.
template <RowKind kind, class Real, class Take>
inline bool with_row_of_packs(const HalfStepView<Real>& v, const Tile& tile, const Row& row, const Take& take) {
  const RowMedium<Real, kind.mixed, tile_cells(0)> medium(v, tile, row);
  if (tile.damped || !(medium.same[0] && medium.same[1] && medium.same[2])) return false;
  const MediumClass<Real>* const classes = v.classes;
  take(RowOfPacks<kind, Real>(v, tile, row,
                              {classes[medium.at(0, 0)], classes[medium.at(1, 0)], classes[medium.at(2, 0)]}));
  return true;
}

/// A body's work on row j of plane k of a whole tile.
template <class Body>
inline void update_row(const Body& body, const Tile& tile, int j, int k) {
  body.template cells<tile_cells(0)>(tile, 0, j, k);
}
template <class Real, RowKind kind>
requires(!kind.dispersive &&
         std::is_floating_point_v<Real>) inline void update_row(const UpdateField<Real, kind, Real>& body,
                                                                const Tile& tile, int j, int k) {
  const Row row = row_of(body.v.layout, tile, 0, j, k);
  if (!with_row_of_packs<kind>(body.v, tile, row, [](const auto& packs) DGTD_INLINE { packs.update(); }))
    body.template cells<tile_cells(0)>(tile, 0, j, k);
}

}  // namespace dgtd::fdtd
