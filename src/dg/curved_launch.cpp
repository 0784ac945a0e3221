#include "curved_launch.hpp"

#include "curved_metric.hpp"
#include "dgtd/dg/kernels/numerical_flux.hpp"

namespace dgtd::dg {

namespace {

std::array<double, 4> in_element(int face, const std::array<double, 3>& barycentric) {
  std::array<double, 4> l{};
  for (std::size_t i = 0; i < 3; ++i) l[std::size_t(face_vertices[face][i])] = barycentric[i];
  return l;
}

}  // namespace

Vec3 point_on_curved_face(const ElementGeometry& element, int face, const std::array<double, 3>& barycentric) {
  return element.point(in_element(face, barycentric));
}

FaceTrace trace_on_curved_face(const ElementGeometry& element, int face, const TriangleQuadrature& points,
                               const std::vector<double>& factors, const Vec3& vector) {
  FaceTrace trace;
  for (std::size_t q = 0; q < factors.size(); ++q) {
    const PointGeometry at = element.at(in_element(face, points.points[q]));
    // e_a and e_b are a_k of the face's later vertices, on face 0 without a_1.
    const auto tangent = [&](int i) {
      const Vec3 a = at.edges[std::size_t(face_vertices[face][i] - 1)];
      return face == 0 ? a - at.edges[0] : a;
    };
    trace.along_a.push_back(factors[q] * dot(vector, tangent(1)));
    trace.along_b.push_back(factors[q] * dot(vector, tangent(2)));
  }
  return trace;
}

template <class Real>
std::vector<double> change_of_curved_element(const Discretisation<Real>& d, std::uint32_t element, int face,
                                             const FaceTrace& trace, const std::vector<double>& lift, double scale) {
  const auto nodes = static_cast<std::size_t>(d.layout.nodes);
  const std::size_t points = trace.along_a.size();
  const auto of_a = static_cast<std::size_t>(face_vertices[face][1] - 1),
             of_b = static_cast<std::size_t>(face_vertices[face][2] - 1);
  // numerical_flux.hpp: n x w is w_b e_a - w_a e_b, times the orientation of the face; kernels/int_surface.hpp: e_a and
  // e_b are basis vectors, on face 0 less the first.
  const double o = face_orientation[face];
  std::vector<double> rates(3 * nodes);
  for (std::size_t n = 0; n < nodes; ++n) {
    const double* const row = lift.data() + (std::size_t(face) * nodes + n) * points;
    double a = 0, b = 0;
    for (std::size_t q = 0; q < points; ++q) a += row[q] * o * trace.along_b[q], b -= row[q] * o * trace.along_a[q];
    rates[of_a * nodes + n] += a;
    rates[of_b * nodes + n] += b;
    if (face == 0) rates[n] -= a + b;
  }
  std::vector<double> change = apply_curved_metric(d, d.slot_of_element[element], rates);
  for (double& value : change) value *= scale;
  return change;
}

template std::vector<double> change_of_curved_element(const Discretisation<float>&, std::uint32_t, int, const FaceTrace&,
                                                      const std::vector<double>&, double);
template std::vector<double> change_of_curved_element(const Discretisation<double>&, std::uint32_t, int, const FaceTrace&,
                                                      const std::vector<double>&, double);

}  // namespace dgtd::dg
