#pragma once
// Change of a curved element beside the surface of a launched mode, for a waveform of 1. Neither the trace nor the metric
// is constant along a face there, so that it is a polynomial of its own for each element and face.
#include <functional>
#include <vector>

#include "dgtd/dg/discretisation.hpp"
#include "dgtd/dg/element_geometry.hpp"
#include "dgtd/dg/launched_field.hpp"

namespace dgtd::dg {

/// Point of a face of a straight or curved element, m.
Vec3 point_on_curved_face(const ElementGeometry& element, int face, const std::array<double, 3>& barycentric);

/// Components of a field along the edges of a face, the tangents of the curved one: V/m times m.
struct FaceTrace {
  std::vector<double> along_a, along_b;  // [points]
};

/// factors: [points] of the vector at each point.
FaceTrace trace_on_curved_face(const ElementGeometry& element, int face, const TriangleQuadrature& points,
                               const std::vector<double>& factors, const Vec3& vector);

/// [3][Np] scale times P_p(G r) of an element, r the contravariant rates of the lifted flux n x trace. lift: [face 4][Np]
/// [points] half of the lift; scale: m, c0 dt / eps_r or -c0 dt / mu_r.
template <class Real>
std::vector<double> change_of_curved_element(const Discretisation<Real>& d, std::uint32_t element, int face,
                                             const FaceTrace& trace, const std::vector<double>& lift, double scale);

}  // namespace dgtd::dg
