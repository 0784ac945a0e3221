#include "dgtd/dg/face_trace.hpp"

namespace dgtd::dg {

namespace {

template <int p>
FaceTraceEntries entries() {
  constexpr int nodes = Bernstein<p>::nodes, face_nodes = Bernstein<p>::face_nodes;
  FaceTraceEntries e{face_nodes, {}, {}, {}};
  for (int face = 0; face < 4; ++face)
    for (int i = 0; i < face_nodes; ++i) {
      const int node = face_node_table<p>[face][i];
      e.a.push_back((face == 0 ? 1 : face_vertices[face][1] - 1) * nodes + node);
      e.b.push_back((face == 0 ? 2 : face_vertices[face][2] - 1) * nodes + node);
      if (face == 0) e.minus.push_back(node);
    }
  return e;
}

}  // namespace

FaceTraceEntries face_trace_entries(int order) {
  FaceTraceEntries result;
  static_for<6>([&](auto i) {
    if (order == i + 1) result = entries<decltype(i)::v + 1>();
  });
  return result;
}

}  // namespace dgtd::dg
