#pragma once
// The arithmetic of a stage of a tile (volume_tile.hpp): H of a plane from E, and E from H, with layers, media and
// dampers.
#include "volume_tile.hpp"

namespace dgtd::fdtd {

/// u += sign (coefficient d + Cb psi): a derivative d, and in a layer its convolution.
template <bool layered, int sign, class Number>
__device__ __forceinline__ void add(Number coefficient, Number Cb, Number d, Number b, Number c, Number& psi,
                                    Number& u) {
  u = multiply_add(signed_by<sign>(coefficient), d, u);
  if constexpr (layered) {
    psi = multiply_add(b, psi, c * d);
    u = multiply_add(signed_by<sign>(Cb), psi, u);
  }
}

// H_x += Cb (d_z E_y - d_y E_z), H_y += Cb (d_x E_z - d_z E_x), H_z += Cb (d_y E_x - d_x E_y)
template <class Kind>
template <int s, int layers>
__device__ __forceinline__ void VolumeTile<Kind>::update_magnetic(int it, int plane, int place_psi, int place_z,
                                                                  Number along_z, const PlaneOfLayer<Number>& layer_z) {
  Level& q = level_[s];
  Number next[2][R][V];  // Ex, Ey of the plane above
  Number above[2][V];    // Ez, Ex of the row above the warp's last one
  if constexpr (s == 0) {
    const auto& e = m_.electric[electric_turn_.slot].component;
    const auto& n = m_.electric[electric_turn_.next().slot].component;
    const auto& h = m_.magnetic[magnetic_turn_.slot].component;
    const int from = lane_ * V + Memory::margin, row = warp_ * R;
    constexpr int group_stride = Kind::rows_of_group * Memory::staged_columns;
#pragma unroll
    for (int c = 0; c < 3; ++c)
#pragma unroll
      for (int r = 0; r < R; ++r) {
        Numbers::read(&e[c][row + r][from], group_stride, q.e[c][r]);
        Numbers::read(&h[c][row + r][from], group_stride, q.h[c][r]);
        if (c < 2) Numbers::read(&n[c][row + r][from], group_stride, next[c][r]);
      }
    Numbers::read(&e[2][row + R][from], group_stride, above[0]);
    Numbers::read(&e[0][row + R][from], group_stride, above[1]);
    if constexpr (Numbers::more_rows == 0)
      if (warp_ == warps - 1)
#pragma unroll
        for (int c = 0; c < 2; ++c)
#pragma unroll
          for (int i = 0; i < V; ++i) above[c][i] = Numbers::lower_alone(above[c][i]);
  } else {
#pragma unroll
    for (int c = 0; c < 2; ++c)
#pragma unroll
      for (int r = 0; r < R; ++r)
#pragma unroll
        for (int i = 0; i < V; ++i) next[c][r][i] = level_[s > 0 ? s - 1 : 0].e[c][r][i];
  }
  Number right_y[R], right_z[R];
#pragma unroll
  for (int r = 0; r < R; ++r) right_z[r] = from_right(q.e[2][r][0]), right_y[r] = from_right(q.e[1][r][0]);
  Psi px, py, pz;
  if constexpr (in(layers, x)) layers_.template get<x, s>(magnetic, place_psi, layer_z.slots_before, px);
  if constexpr (in(layers, y)) layers_.template get<y, s>(magnetic, place_psi, layer_z.slots_before, py);
  if constexpr (in(layers, z)) layers_.template get<z, s>(magnetic, place_z, layer_z.slots_before, pz);
  const Number Cb = common_Cb(magnetic);
  const auto h_x = [&](int r, int i, Number e_z) DGTD_INLINE {
    add<in(layers, y), -1>(along_y_[magnetic][r], Cb, e_z - q.e[2][r][i], b_y_[magnetic][in(layers, y) ? r : 0],
                           c_y_[magnetic][in(layers, y) ? r : 0], py[0][r][i], q.h[0][r][i]);
    add<in(layers, z), 1>(along_z, Cb, next[1][r][i] - q.e[1][r][i], layer_z.b[magnetic], layer_z.c[magnetic],
                          pz[1][r][i], q.h[0][r][i]);
  };
  const auto h_y = [&](int r, int i) DGTD_INLINE {
    const Number e_z = i + 1 < V ? q.e[2][r][i + 1 < V ? i + 1 : i] : right_z[r];
    add<in(layers, x), 1>(along_x_[magnetic][i], Cb, e_z - q.e[2][r][i], b_x_[magnetic][in(layers, x) ? i : 0],
                          c_x_[magnetic][in(layers, x) ? i : 0], px[1][r][i], q.h[1][r][i]);
    add<in(layers, z), -1>(along_z, Cb, next[0][r][i] - q.e[0][r][i], layer_z.b[magnetic], layer_z.c[magnetic],
                           pz[0][r][i], q.h[1][r][i]);
  };
  const auto h_z = [&](int r, int i, Number e_x) DGTD_INLINE {
    const Number e_y = i + 1 < V ? q.e[1][r][i + 1 < V ? i + 1 : i] : right_y[r];
    add<in(layers, x), -1>(along_x_[magnetic][i], Cb, e_y - q.e[1][r][i], b_x_[magnetic][in(layers, x) ? i : 0],
                           c_x_[magnetic][in(layers, x) ? i : 0], px[0][r][i], q.h[2][r][i]);
    add<in(layers, y), 1>(along_y_[magnetic][r], Cb, e_x - q.e[0][r][i], b_y_[magnetic][in(layers, y) ? r : 0],
                          c_y_[magnetic][in(layers, y) ? r : 0], py[1][r][i], q.h[2][r][i]);
  };
#pragma unroll
  for (int r = 0; r < R; ++r)
#pragma unroll
    for (int i = 0; i < V; ++i) {
      if (r + 1 < R) h_x(r, i, q.e[2][r + 1 < R ? r + 1 : r][i]), h_z(r, i, q.e[0][r + 1 < R ? r + 1 : r][i]);
      h_y(r, i);
    }
  if constexpr (s > 0) {  // the warp above wrote it before the stage that this one has waited for
    read_pair(&m_.e_rows[(s - 1) % 2][0][warp_][lane_ * V], above[0]);
    read_pair(&m_.e_rows[(s - 1) % 2][1][warp_][lane_ * V], above[1]);
  }
#pragma unroll
  for (int i = 0; i < V; ++i) h_z(R - 1, i, above[1][i]), h_x(R - 1, i, above[0][i]);
  if constexpr (in(layers, x)) layers_.template put<x, s>(magnetic, place_psi, layer_z.slots_before, plane, px);
  if constexpr (in(layers, y)) layers_.template put<y, s>(magnetic, place_psi, layer_z.slots_before, plane, py);
  if constexpr (in(layers, z)) layers_.template put<z, s>(magnetic, place_z, layer_z.slots_before, plane, pz);
}

// E_x += Cb (d_y H_z - d_z H_y), E_y += Cb (d_z H_x - d_x H_z), E_z += Cb (d_x H_y - d_y H_x)
template <class Kind>
template <int s, int layers, bool common>
__device__ __forceinline__ void VolumeTile<Kind>::update_electric(int it, int plane, int place, int place_psi,
                                                                  int place_z, Number along_z,
                                                                  const PlaneOfLayer<Number>& layer_z, int phase) {
  Level& q = level_[s];
  const Level& before = level_[s + 1];  // the plane below
  Number left_y[R], left_z[R];
#pragma unroll
  for (int r = R - 1; r >= 0; --r) left_z[r] = from_left(q.h[2][r][V - 1]), left_y[r] = from_left(q.h[1][r][V - 1]);
  Psi px, py, pz;
  if constexpr (in(layers, x)) layers_.template get<x, s>(electric, place_psi, layer_z.slots_before, px);
  if constexpr (in(layers, y)) layers_.template get<y, s>(electric, place_psi, layer_z.slots_before, py);
  if constexpr (in(layers, z)) layers_.template get<z, s>(electric, place_z, layer_z.slots_before, pz);

  // E <- a Ca E, and coefficients of component c of a cell; of the common class they are those of the axes.
  struct Coefficients {
    Number x, y, z, Cb, damping;
  };
  Number inverse_x[V], inverse_y[R], inverse_z{};  // 1 over distances
#pragma nv_diagnostic push
#pragma nv_diag_suppress 549  // set before media other than the common one are read; initialising them spills registers
  const auto of_Cb = [&](Number Cb, int r, int i, Number damping) DGTD_INLINE -> Coefficients {
    if constexpr (Kind::inverse_in_registers)
      return {Cb * inverse_x[i], Cb * inverse_y[r], Cb * inverse_z, Cb, damping};
    return {Cb * m_.inverse_x[lane_ * V + i], Cb * m_.inverse_y[warp_ * R + r], Cb * m_.inverse_z[it - s + steps], Cb,
            damping};
  };
#pragma nv_diagnostic pop
  const auto coefficients = [&](auto media, int c, int r, int i) DGTD_INLINE -> Coefficients {
    Number damping{};
    if constexpr (damped) {
      const float2 ax = m_.damping_x[lane_ * V + i], az = m_.damping_z[it - s + steps];
      damping = Numbers::of_groups([&](int g) DGTD_INLINE {
        const float2 ay = m_.damping_y[g * Kind::rows_of_group + warp_ * R + r];
        return ((c == 1 ? ay.y : ay.x) * (c == 2 ? az.y : az.x)) * (c == 0 ? ax.y : ax.x);
      });
      q.e[c][r][i] = q.e[c][r][i] * damping;
    }
    if constexpr (std::is_same_v<decltype(media), typename Media::Common>) {
      return {along_x_[electric][i], along_y_[electric][r], along_z, common_Cb(electric), damping};
    } else if constexpr (std::is_same_v<decltype(media), typename Media::OwnCb>) {
      return of_Cb(media_.Cb_of(media, c, r, i), r, i, damping);
    } else {
      MediumClass<float> m[groups];
#pragma unroll
      for (int g = 0; g < groups; ++g) m[g] = media_.medium(media, c, g, r, i);
      const auto of_groups = [&](const auto& f) DGTD_INLINE { return Numbers::of_groups(f); };
      q.e[c][r][i] = of_groups([&](int g) DGTD_INLINE { return m[g].Ca; }) * q.e[c][r][i];
      const Number Cb = of_groups([&](int g) DGTD_INLINE { return Numbers::in_lengths(m[g].Cb, v_.per_length); });
      return of_Cb(Cb, r, i, damping);
    }
  };
  const auto e_x = [&](auto media, int r, int i, Number h_z) DGTD_INLINE {
    const Coefficients k = coefficients(media, 0, r, i);
    add<in(layers, y), 1>(k.y, k.Cb, q.h[2][r][i] - h_z, b_y_[electric][in(layers, y) ? r : 0],
                          c_y_[electric][in(layers, y) ? r : 0], py[0][r][i], q.e[0][r][i]);
    add<in(layers, z), -1>(k.z, k.Cb, q.h[1][r][i] - before.h[1][r][i], layer_z.b[electric], layer_z.c[electric],
                           pz[1][r][i], q.e[0][r][i]);
    if constexpr (damped) q.e[0][r][i] = q.e[0][r][i] * k.damping;
  };
  const auto e_y = [&](auto media, int r, int i) DGTD_INLINE {
    const Coefficients k = coefficients(media, 1, r, i);
    const Number h_z = i > 0 ? q.h[2][r][i > 0 ? i - 1 : 0] : left_z[r];
    add<in(layers, x), -1>(k.x, k.Cb, q.h[2][r][i] - h_z, b_x_[electric][in(layers, x) ? i : 0],
                           c_x_[electric][in(layers, x) ? i : 0], px[1][r][i], q.e[1][r][i]);
    add<in(layers, z), 1>(k.z, k.Cb, q.h[0][r][i] - before.h[0][r][i], layer_z.b[electric], layer_z.c[electric],
                          pz[0][r][i], q.e[1][r][i]);
    if constexpr (damped) q.e[1][r][i] = q.e[1][r][i] * k.damping;
  };
  const auto e_z = [&](auto media, int r, int i, Number h_x) DGTD_INLINE {
    const Coefficients k = coefficients(media, 2, r, i);
    const Number h_y = i > 0 ? q.h[1][r][i > 0 ? i - 1 : 0] : left_y[r];
    add<in(layers, x), 1>(k.x, k.Cb, q.h[1][r][i] - h_y, b_x_[electric][in(layers, x) ? i : 0],
                          c_x_[electric][in(layers, x) ? i : 0], px[0][r][i], q.e[2][r][i]);
    add<in(layers, y), -1>(k.y, k.Cb, q.h[0][r][i] - h_x, b_y_[electric][in(layers, y) ? r : 0],
                           c_y_[electric][in(layers, y) ? r : 0], py[1][r][i], q.e[2][r][i]);
    if constexpr (damped) q.e[2][r][i] = q.e[2][r][i] * k.damping;
  };
  const auto inner = [&](auto media) DGTD_INLINE {  // what needs no row of another warp
#pragma unroll
    for (int r = R - 1; r >= 0; --r)
#pragma unroll
      for (int i = 0; i < V; ++i) {
        e_y(media, r, i);
        if (r > 0) e_x(media, r, i, q.h[2][r > 0 ? r - 1 : 0][i]), e_z(media, r, i, q.h[0][r > 0 ? r - 1 : 0][i]);
      }
  };
  Number below[2][V];  // Hz, Hx of the row below the warp's first one
  const auto first_row = [&](auto media) DGTD_INLINE {
#pragma unroll
    for (int i = 0; i < V; ++i) e_z(media, 0, i, below[1][i]), e_x(media, 0, i, below[0][i]);
  };
  typename Media::OwnClasses classes{};
  bool own = false;  // whether a cell of the warp is not of the common class
  if constexpr (Kind::by_plane) {
    own = !common && layers == 0 && media_.has_Cb(plane);
  } else if constexpr (mixed && !Kind::Cb) {
    unsigned any = 0;
#pragma unroll
    for (int c = 0; c < 3; ++c)
#pragma unroll
      for (int g = 0; g < groups; ++g)
        classes.of[c][g] = media_.own(place, c, g), any |= classes.of[c][g].of_row[0] | classes.of[c][g].of_row[1];
    own = __any_sync(~0u, any != 0);
  }
  const auto with_media = [&](const auto& update) DGTD_INLINE {
    if constexpr (Kind::by_plane && (layers != 0 || common)) update(typename Media::Common{});
    else if constexpr (Kind::by_plane) own ? update(typename Media::OwnCb{place}) : update(typename Media::Common{});
    else if constexpr (Kind::Cb) update(typename Media::OwnCb{place});
    else if constexpr (mixed) own ? update(classes) : update(typename Media::Common{});
    else update(typename Media::Common{});
  };
  if (Kind::inverse_in_registers && own) {
    read_pair(&m_.inverse_x[lane_ * V], inverse_x);
    read_pair(&m_.inverse_y[warp_ * R], inverse_y);
    inverse_z = m_.inverse_z[it - s + steps];
  }
  with_media(inner);
  m_.neighbours[warp_ + 1][phase & 1].wait((phase >> 1) & 1);
  read_pair(&m_.h_rows[s % 2][0][warp_][lane_ * V], below[0]);
  read_pair(&m_.h_rows[s % 2][1][warp_][lane_ * V], below[1]);
  with_media(first_row);
  if constexpr (in(layers, x)) layers_.template put<x, s>(electric, place_psi, layer_z.slots_before, plane, px);
  if constexpr (in(layers, y)) layers_.template put<y, s>(electric, place_psi, layer_z.slots_before, plane, py);
  if constexpr (in(layers, z)) layers_.template put<z, s>(electric, place_z, layer_z.slots_before, plane, pz);
}

}  // namespace dgtd::fdtd
