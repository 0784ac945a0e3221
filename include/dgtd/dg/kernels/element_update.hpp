#pragma once
// One element's half step: intVolume, intSurface, updateField, on whatever the executor hands in.
// View is the executor's access to a lane (GPU) or to a register's worth of lanes (CPU):
//   source(component, node), target(component, node)   coefficients
//   neighbour().load(face, a, b), external().load(…)    traces beyond a face
//   metric(), rate(), decay(), boundary().face(face)    element data
//   store(component, node, value)                       the new target
//   flux()                                              rates between the kernels of the split schedule
#include "dgtd/dg/kernels/int_surface.hpp"
#include "dgtd/dg/kernels/int_volume.hpp"
#include "dgtd/dg/kernels/update_field.hpp"

namespace dgtd::dg {

/// Which arithmetic the elements of a batch need; a kernel has no branches on it.
enum class ElementKind { lossless, conductive, boundary };  // boundary: and conductive or not

template <int p, ElementKind kind, class V, class View>
DGTD_HOST_DEVICE void add_surface(const View& view, V (&rates)[3][Bernstein<p>::nodes]) {
  if constexpr (kind == ElementKind::boundary)
    intSurfaceBoundary<p>(view.source(), view.neighbour(), view.target(), view.external(), view.boundary(), rates);
  else
    intSurface<p>(view.source(), view.neighbour(), rates);
}

/// The whole half step in one pass.
template <int p, ElementKind kind, class V, class View>
DGTD_HOST_DEVICE void element_update(const View& view) {
  V rates[3][Bernstein<p>::nodes];
  intVolume<p>(view.source(), rates);
  add_surface<p, kind>(view, rates);
  updateField<p, kind != ElementKind::lossless>(view.metric(), view.rate(), view.decay(), rates, view.target(), view.store());
}

/// The same as three kernels, one after the other, with the flux array flux().load, flux().store
/// between them (report 7592, section 4.3).
template <int p, class V, class View>
DGTD_HOST_DEVICE void element_volume(const View& view) {
  V rates[3][Bernstein<p>::nodes];
  intVolume<p>(view.source(), rates);
  view.flux().store(rates);
}
template <int p, ElementKind kind, class V, class View>
DGTD_HOST_DEVICE void element_surface(const View& view) {
  V rates[3][Bernstein<p>::nodes];
  view.flux().load(rates);
  add_surface<p, kind>(view, rates);
  view.flux().store(rates);
}
template <int p, ElementKind kind, class V, class View>
DGTD_HOST_DEVICE void element_field(const View& view) {
  V rates[3][Bernstein<p>::nodes];
  view.flux().load(rates);
  updateField<p, kind != ElementKind::lossless>(view.metric(), view.rate(), view.decay(), rates, view.target(), view.store());
}

}  // namespace dgtd::dg
