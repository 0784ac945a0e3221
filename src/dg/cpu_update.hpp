#pragma once
// The CPU executor's view of element_update: a register's worth of neighbouring lanes of a block.
#include "dgtd/dg/kernels/block_view.hpp"

namespace dgtd::dg {

/// Offsets, inside a field block, of the coefficients that make a face's trace: [face 4][Nf].
template <int p>
struct TraceOffsets {
  static constexpr int nodes = Bernstein<p>::face_nodes;
  std::array<std::array<std::int32_t, nodes>, 4> a{}, b{};
  std::array<std::int32_t, nodes> minus{};  // face 0: what both are taken relative to
};
template <int p>
inline constexpr auto trace_offsets = [] {
  TraceOffsets<p> table;
  for (int f = 0; f < 4; ++f)
    for (int i = 0; i < TraceOffsets<p>::nodes; ++i) {
      const int node = face_node_table<p>[f][i];
      table.a[f][i] = BlockLayout<p>::offset(f == 0 ? 1 : face_vertices[f][1] - 1, node);
      table.b[f][i] = BlockLayout<p>::offset(f == 0 ? 2 : face_vertices[f][2] - 1, node);
      if (f == 0) table.minus[i] = BlockLayout<p>::offset(0, node);
    }
  return table;
}();

template <int p, class Real>
struct CpuView : BlockView<p, parallel::Pack<Real>> {
  using V = parallel::Pack<Real>;
  static constexpr int face_nodes = Bernstein<p>::face_nodes;
  using Traces = V[face_nodes];

  struct Coefficients {
    const Real* at;  // block's start plus lane
    DGTD_HOST_DEVICE V operator()(int component, int node) const { return parallel::load(at + BlockLayout<p>::offset(component, node)); }
  };
  struct Store {
    Real* at;
    DGTD_HOST_DEVICE void operator()(int component, int node, V value) const { parallel::store(at + BlockLayout<p>::offset(component, node), value); }
  };
  /// Neighbours lie anywhere, so their traces are gathered: for each face node, one coefficient from
  /// each lane's neighbour, at the offset that the neighbour's face number selects.
  struct Gather {
    const Real* field;
    const std::uint32_t* code;  // [face 4][lane 32], at the first lane
    template <class Face>
    DGTD_HOST_DEVICE void load(Face face, Traces& a, Traces& b) const {
      for (int lane = 0; lane < V::lanes; ++lane) {
        const std::uint32_t c = code[face * block_lanes + lane];
        const std::uint32_t slot = NeighbourCode::slot(c);
        const int other = NeighbourCode::face(c);
        const Real* from = field + std::size_t{slot / block_lanes} * BlockLayout<p>::block_reals + slot % block_lanes;
        Real* to_a = reinterpret_cast<Real*>(a) + lane;
        Real* to_b = reinterpret_cast<Real*>(b) + lane;
        const auto& offsets_a = trace_offsets<p>.a[other];
        const auto& offsets_b = trace_offsets<p>.b[other];
        if (other == 0) {
          for (int i = 0; i < face_nodes; ++i) {
            const Real minus = from[trace_offsets<p>.minus[i]];
            to_a[i * V::lanes] = from[offsets_a[i]] - minus;
            to_b[i * V::lanes] = from[offsets_b[i]] - minus;
          }
        } else {
          for (int i = 0; i < face_nodes; ++i) {
            to_a[i * V::lanes] = from[offsets_a[i]];
            to_b[i * V::lanes] = from[offsets_b[i]];
          }
        }
      }
    }
  };
  const Real* source_field;
  Real* target_field;

  DGTD_HOST_DEVICE std::size_t field_offset() const { return this->block * BlockLayout<p>::block_reals + this->lane; }

  DGTD_HOST_DEVICE Coefficients source() const { return {source_field + field_offset()}; }
  DGTD_HOST_DEVICE Coefficients target() const { return {target_field + field_offset()}; }
  DGTD_HOST_DEVICE Store store() const { return {target_field + field_offset()}; }
  DGTD_HOST_DEVICE Gather neighbour() const { return {source_field, this->arrays.neighbour + this->element_offset(4)}; }
  DGTD_HOST_DEVICE Gather external() const { return {target_field, this->arrays.external + this->boundary_offset(4)}; }
};

}  // namespace dgtd::dg
