#pragma once
// One element's half step: intVolume, intSurface, updateField, on whatever the executor hands in.
// View is the executor's access to a lane (GPU) or to a register's worth of lanes (CPU):
//   source(component, node), target(component, node)   coefficients
//   neighbour().load(face, a, b), external().load(…)    traces beyond a face
//   metric(), rate(), decay(), boundary().face(face)    element data
//   store(component, node, value)                       the new target
#include "dgtd/dg/kernels/int_surface.hpp"
#include "dgtd/dg/kernels/int_volume.hpp"
#include "dgtd/dg/kernels/update_field.hpp"

namespace dgtd::dg {

/// Which arithmetic the elements of a batch need; a kernel has no branches on it.
enum class ElementKind { lossless, conductive, boundary };  // boundary: and conductive or not

template <int p, ElementKind kind, class V, class View>
DGTD_HOST_DEVICE void element_update(const View& view) {
  V rates[3][Bernstein<p>::nodes];
  intVolume<p>(view.source(), rates);
  if constexpr (kind == ElementKind::boundary)
    intSurfaceBoundary<p>(view.source(), view.neighbour(), view.target(), view.external(), view.boundary(), rates);
  else
    intSurface<p>(view.source(), view.neighbour(), rates);
  updateField<p, kind != ElementKind::lossless>(view.metric(), view.rate(), view.decay(), rates, view.target(), view.store());
}

}  // namespace dgtd::dg
