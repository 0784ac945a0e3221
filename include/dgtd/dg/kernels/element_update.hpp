#pragma once
// One element's half step: intVolume, intSurface, updateField, on whatever the executor hands in.
// View is the executor's access to a lane (GPU) or to a register's worth of lanes (CPU):
//   source(component, node), target(component, node)   coefficients
//   neighbour().load(face, a, b), external().load(…)    traces beyond a face
//   metric(), rate(), boundary().face(face)             element data
//   advance<conductive>(increment)                      target = [decay] target + increment(component, node)
//   flux()                                              rates between the kernels of the split schedule
// source() and target() may be copies that the view makes, so each is asked for once.
#include "dgtd/dg/kernels/int_surface.hpp"
#include "dgtd/dg/kernels/int_volume.hpp"
#include "dgtd/dg/kernels/update_field.hpp"

namespace dgtd::dg {

/// Which arithmetic the elements of a batch need; a kernel has no branches on it.
enum class ElementKind { lossless, conductive, boundary };  // boundary: and conductive or not

template <int p, ElementKind kind, class V, class View, class Source>
DGTD_HOST_DEVICE void add_surface(const View& view, const Source& source, V (&rates)[3][Bernstein<p>::nodes]) {
  if constexpr (kind == ElementKind::boundary)
    intSurfaceBoundary<p>(source, view.neighbour(), view.target(), view.external(), view.boundary(), rates);
  else intSurface<p>(source, view.neighbour(), rates);
}

/// The whole half step in one pass.
template <int p, ElementKind kind, class V, class View>
DGTD_HOST_DEVICE void element_update(const View& view) {
  V rates[3][Bernstein<p>::nodes];
  {
    const auto source = view.source();
    intVolume<p>(source, rates);
    add_surface<p, kind>(view, source, rates);
  }
  updateField<p, kind != ElementKind::lossless>(view, rates);
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
  add_surface<p, kind>(view, view.source(), rates);
  view.flux().store(rates);
}
template <int p, ElementKind kind, class V, class View>
DGTD_HOST_DEVICE void element_field(const View& view) {
  V rates[3][Bernstein<p>::nodes];
  view.flux().load(rates);
  updateField<p, kind != ElementKind::lossless>(view, rates);
}

}  // namespace dgtd::dg
