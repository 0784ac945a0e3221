#pragma once
// Coefficients of an element that make the tangential trace of a face.
#include <vector>

#include "dgtd/dg/field_layout.hpp"

namespace dgtd::dg {

/// A trace is (t_a, t_b)[Nf]: t_a[i] = u[a[face][i]], t_b[i] = u[b[face][i]], on face 0 minus u[minus[i]].
/// Entries are component * Np + node.
struct FaceTraceEntries {
  int face_nodes = 0;
  std::vector<int> a, b;   // [face 4][Nf]
  std::vector<int> minus;  // [Nf]
};
FaceTraceEntries face_trace_entries(int order);

inline constexpr int most_face_nodes = 28;  // of P6

/// A ghost slot holds a trace where its face 3 is: components 1 and 2, nodes of face 3.
inline constexpr int ghost_face = 3;

/// The trace of a face at its node i; first: the element's first coefficient.
template <class Real>
DGTD_HOST_DEVICE void read_trace(const Real* first, std::size_t stride, const int* a, const int* b, const int* minus,
                                 int face_nodes, int face, int i, Real& trace_a, Real& trace_b) {
  trace_a = first[a[face * face_nodes + i] * stride];
  trace_b = first[b[face * face_nodes + i] * stride];
  if (face == 0) {
    trace_a -= first[minus[i] * stride];
    trace_b -= first[minus[i] * stride];
  }
}

}  // namespace dgtd::dg
