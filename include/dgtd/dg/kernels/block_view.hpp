#pragma once
// The element data of a view beside its fields, the part that all executors share. V is the value type of a thread: as
// many lanes as a register holds on the CPU, one lane on a GPU.
#include "dgtd/dg/batch.hpp"

namespace dgtd::dg {

template <class V>
struct LoadLanes {
  template <class Real>
  static DGTD_HOST_DEVICE V from(const Real* at) {
    return *at;
  }
  template <class Real>
  static DGTD_HOST_DEVICE void to(Real* at, V value) {
    *at = value;
  }
};
template <class R>
struct LoadLanes<parallel::Pack<R>> {
  static DGTD_HOST_DEVICE parallel::Pack<R> from(const R* at) { return parallel::load(at); }
  static DGTD_HOST_DEVICE void to(R* at, parallel::Pack<R> value) { parallel::store(at, value); }
};

/// A row of a table of media, of each lane's medium: coefficient k.
template <class V>
struct MediumRow {
  const V* row;
  DGTD_HOST_DEVICE MediumRow(const V* table, const std::uint16_t* medium, int reals)
      : row(table + std::size_t(*medium) * reals) {}
  DGTD_HOST_DEVICE V operator()(int k) const { return row[k]; }
};
/// Most registers have lanes of one medium.
template <class R>
struct MediumRow<parallel::Pack<R>> {
  const R* table;
  const std::uint16_t* medium;
  int reals;
  bool uniform = true;
  DGTD_HOST_DEVICE MediumRow(const R* of_media, const std::uint16_t* of_lanes, int reals_of_row)
      : table(of_media), medium(of_lanes), reals(reals_of_row) {
    for (int lane = 1; lane < parallel::Pack<R>::lanes; ++lane) uniform = uniform && medium[lane] == medium[0];
  }
  DGTD_HOST_DEVICE parallel::Pack<R> operator()(int k) const {
    if (uniform) return parallel::Pack<R>(table[std::size_t(medium[0]) * reals + k]);
    parallel::Pack<R> result;
    for (int lane = 0; lane < parallel::Pack<R>::lanes; ++lane)
      result.v[lane] = table[std::size_t(medium[lane]) * reals + k];
    return result;
  }
};

/// The poles of a view's lanes (poles.hpp). What they keep is [block][number][3 Np][lane 32].
template <class V, int reals_of_field>
struct ElementPoles {
  using Real = typename RealOf<V>::type;
  MediumRow<V> coefficient;
  PoleCounts here, most;
  Real* kept;  // at the lane

  template <class Body>
  DGTD_HOST_DEVICE void for_each(const Body& body) const {
    for_each_pole(here, most, body);
  }
  DGTD_HOST_DEVICE Real* at(int number, int i) const { return kept + (number * reals_of_field + i) * block_lanes; }
  DGTD_HOST_DEVICE V load(int number, int i) const { return LoadLanes<V>::from(at(number, i)); }
  DGTD_HOST_DEVICE void store(int number, int i, V value) const { LoadLanes<V>::to(at(number, i), value); }
};

/// The sections of a view's lanes in a convolutional layer, and what they keep of one field (cpml.hpp).
template <class V, int reals_of_field>
struct CpmlLanes {
  using Real = typename RealOf<V>::type;
  const CpmlArrays<Real>& arrays;
  std::size_t block;  // of the batch
  int lane;

  DGTD_HOST_DEVICE int sections() const { return arrays.sections; }
  DGTD_HOST_DEVICE int field() const { return arrays.field; }
  DGTD_HOST_DEVICE V number(int section, int k) const {
    return LoadLanes<V>::from(arrays.numbers + ((block * arrays.sections + section) * cpml_numbers + k) * block_lanes +
                              lane);
  }
  DGTD_HOST_DEVICE Real* input(int i) const {
    return arrays.inputs + ((2 * block + arrays.field) * reals_of_field + i) * block_lanes + lane;
  }
  DGTD_HOST_DEVICE Real* output(int section, int i) const {
    constexpr int kept = most_sections - 1;
    return arrays.outputs + (((2 * block + arrays.field) * kept + section) * reals_of_field + i) * block_lanes + lane;
  }
  DGTD_HOST_DEVICE V load(int i) const { return LoadLanes<V>::from(input(i)); }
  DGTD_HOST_DEVICE void store(int i, V value) const { LoadLanes<V>::to(input(i), value); }
  DGTD_HOST_DEVICE V load_output(int section, int i) const { return LoadLanes<V>::from(output(section, i)); }
  DGTD_HOST_DEVICE void store_output(int section, int i, V value) const { LoadLanes<V>::to(output(section, i), value); }
};

/// The metric of a view's lanes in a curved block, and the tables of all.
template <int p, class V>
struct CurvedLanes {
  using Real = typename RealOf<V>::type;
  const Real* at;  // [terms][6][lane 32] at the lane
  const Real* tables;

  DGTD_HOST_DEVICE V metric(int entry) const { return LoadLanes<V>::from(at + entry * block_lanes); }
  DGTD_HOST_DEVICE const Real* row(int q) const { return tables + q * curved_row(p); }
  DGTD_HOST_DEVICE const Real* column(int a) const {
    return tables + curved_points(p) * curved_row(p) + a * curved_points(p);
  }
};

template <int p, class V>
struct BlockView {
  using Real = typename RealOf<V>::type;
  static constexpr int nodes = Bernstein<p>::nodes, face_nodes = Bernstein<p>::face_nodes;

  struct Flux {
    Real* at;
    DGTD_HOST_DEVICE void store(const V (&rates)[3][nodes]) const {
      static_for<3 * nodes>([&](auto i)
                                DGTD_INLINE { LoadLanes<V>::to(at + i * block_lanes, rates[i / nodes][i % nodes]); });
    }
    DGTD_HOST_DEVICE void load(V (&rates)[3][nodes]) const {
      static_for<3 * nodes>(
          [&](auto i) DGTD_INLINE { rates[i / nodes][i % nodes] = LoadLanes<V>::from(at + i * block_lanes); });
    }
  };
  struct BoundaryFaces {
    const Real* mirror;
    const Real* admittance;
    template <class Face>
    DGTD_HOST_DEVICE BoundaryFace<V> face(Face f) const {
      const auto entry = [&](int k) DGTD_INLINE { return LoadLanes<V>::from(admittance + (f * 3 + k) * block_lanes); };
      return {LoadLanes<V>::from(mirror + f * block_lanes), {entry(0), entry(1), entry(2)}};
    }
  };

  const ElementArrays<Real>& arrays;
  std::int64_t block;
  int lane;

  DGTD_HOST_DEVICE std::size_t element_offset(int entries) const {
    return std::size_t(block) * entries * block_lanes + lane;
  }
  DGTD_HOST_DEVICE std::size_t boundary_offset(int entries) const {
    return std::size_t(block - arrays.first_boundary_block) * entries * block_lanes + lane;
  }

  DGTD_HOST_DEVICE Metric<V> metric() const {
    Metric<V> m;
    static_for<6>(
        [&](auto k) DGTD_INLINE { m.g[k] = LoadLanes<V>::from(arrays.metric + element_offset(6) + k * block_lanes); });
    return m;
  }
  /// Entry of the damping of a layer, 0 to 8.
  template <class Entry>
  DGTD_HOST_DEVICE V damping(Entry entry) const {
    return LoadLanes<V>::from(arrays.damping + std::size_t(block - arrays.first_layer_block) * 9 * block_lanes + lane +
                              entry * block_lanes);
  }
  DGTD_HOST_DEVICE V Cb() const { return LoadLanes<V>::from(arrays.Cb + element_offset(1)); }
  DGTD_HOST_DEVICE V Ca() const { return LoadLanes<V>::from(arrays.Ca + element_offset(1)); }
  DGTD_HOST_DEVICE BoundaryFaces boundary() const {
    return {arrays.mirror + boundary_offset(4), arrays.admittance + boundary_offset(12)};
  }
  /// Entry 0 of a state of `entries` reals per element; entry k is k block_lanes further on.
  DGTD_HOST_DEVICE Real* state(int index, int entries) const {
    const StateBlocks<Real>& s = arrays.state[index];
    return s.values + std::size_t(block - s.first) * entries * block_lanes + lane;
  }
  /// Entry k of a state.
  DGTD_HOST_DEVICE V state_entry(int index, int entries, int k) const {
    return LoadLanes<V>::from(state(index, entries) + k * block_lanes);
  }
  DGTD_HOST_DEVICE void set_state_entry(int index, int entries, int k, V value) const {
    LoadLanes<V>::to(state(index, entries) + k * block_lanes, value);
  }
  /// Coefficient k of a state that has `count` of them.
  DGTD_HOST_DEVICE V state_coefficient(int index, int count, int k) const {
    const StateBlocks<Real>& s = arrays.state[index];
    return LoadLanes<V>::from(s.coefficients + (std::size_t(block - s.first) * count + k) * block_lanes + lane);
  }
  DGTD_HOST_DEVICE ElementPoles<V, 3 * nodes> poles() const {
    const PoleArrays<Real>& a = arrays.poles;
    const std::int64_t of_state = block - arrays.state[state_of_poles].first;
    return {MediumRow<V>(a.table, a.medium + element_offset(1), a.row), a.counts[of_state], a.most,
            state(state_of_poles, 3 * nodes * a.most.kept())};
  }
  DGTD_HOST_DEVICE bool has_poles() const {
    return arrays.poles.counts != nullptr && arrays.state[state_of_poles].values != nullptr;
  }
  DGTD_HOST_DEVICE CpmlLanes<V, 3 * nodes> cpml() const {
    return {arrays.cpml, std::size_t(block - arrays.cpml.first_block), lane};
  }
  DGTD_HOST_DEVICE CurvedLanes<p, V> curved() const {
    const CurvedArrays<Real>& a = arrays.curved;
    return {a.metric + std::size_t(a.block[block]) * curved_terms(p) * 6 * block_lanes + lane, a.tables};
  }
  DGTD_HOST_DEVICE Flux flux() const { return {arrays.flux + element_offset(3 * nodes)}; }
};

}  // namespace dgtd::dg
