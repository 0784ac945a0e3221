#pragma once
// Transposes between memory, where the reals of an element are contiguous, and registers, where a
// lane is an element.
//
// The unit is the group: the 16 bytes inside which registers shuffle freely (4 floats, 2 doubles). A
// row joins, one group a part, the same reals of several elements; transposing n rows inside each
// group of n reals turns them into n packs. So row r has element g n + r in its group g.
#include "dgtd/parallel/simd.hpp"

namespace dgtd::parallel {

template <class Real, int count>
struct VectorOf {
  typedef Real type __attribute__((vector_size(count * sizeof(Real))));
};
template <class Real>
inline constexpr int group_reals = 16 / static_cast<int>(sizeof(Real));
template <class Real>
using Group = typename VectorOf<Real, group_reals<Real>>::type;
/// Two groups side by side.
template <class Real>
using GroupPair = typename VectorOf<Real, 2 * group_reals<Real>>::type;
template <class Vector>
inline constexpr int vector_reals = sizeof(Vector) / sizeof(Vector{}[0]);

/// result[i] = Pattern::at(i) of the reals of a and, after them, b.
template <class Pattern, class Vector, int... i>
DGTD_HOST_DEVICE auto shuffle(Vector a, Vector b, std::integer_sequence<int, i...>) {
  return __builtin_shufflevector(a, b, Pattern::at(i)...);
}

struct InOrder {
  static constexpr int at(int i) { return i; }
};
template <class Vector>
DGTD_HOST_DEVICE auto concatenate(Vector a, Vector b) {
  return shuffle<InOrder>(a, b, std::make_integer_sequence<int, 2 * vector_reals<Vector>>{});
}

template <int first>
struct From {
  static constexpr int at(int i) { return first + i; }
};
/// Group g of a vector.
template <class Real, int g, class Vector>
DGTD_HOST_DEVICE Group<Real> group_of(Vector a) {
  constexpr int n = group_reals<Real>;
  return shuffle<From<g * n>>(a, a, std::make_integer_sequence<int, n>{});
}

/// The pack whose group g is group(Index<g>).
template <class Real, class GroupAt>
DGTD_HOST_DEVICE Pack<Real> join(const GroupAt& group) {
  constexpr int groups = Pack<Real>::lanes / group_reals<Real>;
  static_assert(groups == 1 || groups == 2 || groups == 4);
  if constexpr (groups == 1) return group(Index<0>{});
  else if constexpr (groups == 2) return concatenate(group(Index<0>{}), group(Index<1>{}));
  else
    return concatenate(concatenate(group(Index<0>{}), group(Index<1>{})),
                       concatenate(group(Index<2>{}), group(Index<3>{})));
}

/// Inside each group of n reals: alternately `width` reals of a and of b, from the groups' low or high halves.
template <int n, int width, bool high, int reals>
struct Interleaved {
  static constexpr int at(int i) {
    const int in_group = i % n, from_b = in_group / width % 2;
    const int real = in_group / (2 * width) * width + in_group % width + (high ? n / 2 : 0);
    return from_b * reals + i / n * n + real;
  }
};
template <int n, int width, bool high, class Vector>
DGTD_HOST_DEVICE Vector interleave(Vector a, Vector b) {
  constexpr int reals = vector_reals<Vector>;
  return shuffle<Interleaved<n, width, high, reals>>(a, b, std::make_integer_sequence<int, reals>{});
}

/// Transposes the n x n matrices that the groups of n rows make.
template <class Vector>
DGTD_HOST_DEVICE void transpose_groups(Vector (&r)[2]) {
  const Vector low = interleave<2, 1, false>(r[0], r[1]);
  r[1] = interleave<2, 1, true>(r[0], r[1]);
  r[0] = low;
}
template <class Vector>
DGTD_HOST_DEVICE void transpose_groups(Vector (&r)[4]) {
  const Vector low01 = interleave<4, 1, false>(r[0], r[1]), high01 = interleave<4, 1, true>(r[0], r[1]);
  const Vector low23 = interleave<4, 1, false>(r[2], r[3]), high23 = interleave<4, 1, true>(r[2], r[3]);
  r[0] = interleave<4, 2, false>(low01, low23);
  r[1] = interleave<4, 2, true>(low01, low23);
  r[2] = interleave<4, 2, false>(high01, high23);
  r[3] = interleave<4, 2, true>(high01, high23);
}

template <class Real>
DGTD_HOST_DEVICE Group<Real> load_group(const Real* from) {
  Group<Real> g;
  std::memcpy(&g, from, sizeof g);
  return g;
}

template <class Real>
DGTD_HOST_DEVICE GroupPair<Real> load_pair(const Real* from) {
  GroupPair<Real> pair;
  std::memcpy(&pair, from, sizeof pair);
  return pair;
}
/// The same group twice.
template <class Real>
DGTD_HOST_DEVICE GroupPair<Real> load_twice(const Real* from) {
#if defined(__AVX__)
  return (GroupPair<Real>)_mm256_broadcast_ps(reinterpret_cast<const __m128*>(from));
#else
  return concatenate(load_group(from), load_group(from));
#endif
}

/// Row r of reals `at` to `at` + n of consecutive elements, `stride` reals apart.
template <int stride, class Real>
DGTD_HOST_DEVICE Pack<Real> load_row(const Real* elements, int r, int at) {
  return join<Real>([&](auto g)
                        DGTD_INLINE { return load_group(elements + (g * group_reals<Real> + r) * stride + at); });
}

/// packs[i] = real i of consecutive elements. `stride` is a multiple of the group.
template <int stride, class Real, int count>
DGTD_HOST_DEVICE void load_elements(const Real* elements, Pack<Real> (&packs)[count]) {
  constexpr int n = group_reals<Real>;
  static_assert(stride % n == 0 && stride >= count);
  static_for<(count + n - 1) / n>([&](auto k) DGTD_INLINE {
    constexpr int at = decltype(k)::v * n;
    typename Pack<Real>::Vector rows[n];
    static_for<n>([&](auto r) DGTD_INLINE { rows[r] = load_row<stride>(elements, r, at).v; });
    transpose_groups(rows);
    static_for<n>([&](auto i) DGTD_INLINE {
      if constexpr (at + decltype(i)::v < count) packs[at + i] = rows[i];
    });
  });
}

/// The lanes that a row's groups hold, spread over the groups: real i is lane (i / n) n + r.
template <int n, int r>
struct Spread {
  static constexpr int at(int i) { return i / n * n + r; }
};

/// Real i < count of consecutive elements becomes update(old row of values, row of pack(Index<i>), Index<r>), and is
/// given to store(offset, group of new reals); reals beyond count, which fill the last group, meet a row's zeros.
template <int stride, int count, class Real, class PackAt, class Update, class Store>
DGTD_HOST_DEVICE void update_elements(const Real* old, const PackAt& pack, const Update& update, const Store& store) {
  constexpr int n = group_reals<Real>;
  static_assert(stride % n == 0 && stride >= count);
  static_for<(count + n - 1) / n>([&](auto k) DGTD_INLINE {
    constexpr int at = decltype(k)::v * n;
    typename Pack<Real>::Vector rows[n] = {};
    static_for<n>([&](auto i) DGTD_INLINE {
      if constexpr (at + decltype(i)::v < count) rows[i] = pack(Index<at + decltype(i)::v>{}).v;
    });
    transpose_groups(rows);
    static_for<n>([&](auto r) DGTD_INLINE {
      const Pack<Real> value = update(load_row<stride>(old, r, at), Pack<Real>(rows[r]), r);
      static_for<Pack<Real>::lanes / n>(
          [&](auto g) DGTD_INLINE { store((g * n + r) * stride + at, group_of<Real, decltype(g)::v>(value.v)); });
    });
  });
}
/// The same in place.
template <int stride, int count, class Real, class PackAt, class Update>
DGTD_HOST_DEVICE void update_elements(Real* elements, const PackAt& pack, const Update& update) {
  update_elements<stride, count>(static_cast<const Real*>(elements), pack, update,
                                 [&](int offset, const Group<Real>& group)
                                     DGTD_INLINE { std::memcpy(elements + offset, &group, sizeof group); });
}

/// Per-lane values as they stand in row r.
template <int r, class Real>
DGTD_HOST_DEVICE Pack<Real> spread(Pack<Real> lanes) {
  return shuffle<Spread<group_reals<Real>, r>>(lanes.v, lanes.v, std::make_integer_sequence<int, Pack<Real>::lanes>{});
}

}  // namespace dgtd::parallel
