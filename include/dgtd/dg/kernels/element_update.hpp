#pragma once
// One element's half step (INRIA report 7592, section 4.3): intVolume, intSurface, updateField.
// View is the access of an executor to a lane (GPU) or to as many lanes as a register holds (CPU):
//   source(component, node), target(component, node)   coefficients
//   neighbour().load(face, a, b), external().load(…)    traces beyond a face
//   metric(), rate(), boundary().face(face)             element data
//   advance<conductive>(increment)                      target = [decay] target + increment(component, node)
//   flux()                                              rates between the kernels of the split schedule
// source() and target() may return copies, so each is called once.
#include "dgtd/dg/kernels/int_surface.hpp"
#include "dgtd/dg/kernels/int_volume.hpp"
#include "dgtd/dg/kernels/update_field.hpp"

namespace dgtd::dg {

/// The traits of a batch that the arithmetic depends on, as a type: a kernel is compiled for them and has no branches
/// on them. conductive: the old value is multiplied by decay, which is 1 in lossless elements. boundary: faces may be
/// metallic, magnetic or absorbing.
template <bool is_conductive, bool is_boundary>
struct KernelTraits {
  static constexpr bool conductive = is_conductive, boundary = is_boundary;
};

template <int p, class Traits, class V, class View, class Source>
DGTD_HOST_DEVICE void add_surface(const View& view, const Source& source, V (&rates)[3][Bernstein<p>::nodes]) {
  if constexpr (Traits::boundary)
    intSurfaceBoundary<p>(source, view.neighbour(), view.target(), view.external(), view.boundary(), rates);
  else intSurface<p>(source, view.neighbour(), rates);
}

/// The whole half step in one pass.
template <int p, class Traits, class V, class View>
DGTD_HOST_DEVICE void element_update(const View& view) {
  V rates[3][Bernstein<p>::nodes];
  {
    const auto source = view.source();
    intVolume<p>(source, rates);
    add_surface<p, Traits>(view, source, rates);
  }
  updateField<p, Traits::conductive>(view, rates);
}

/// The half step of an element inside a level of local time steps. No face of it absorbs, so a boundary is a factor of
/// the neighbour's trace: view.mirrored_neighbour().
template <int p, class V, class View>
DGTD_HOST_DEVICE void level_update(const View& view) {
  V rates[3][Bernstein<p>::nodes];
  {
    const auto source = view.source();
    intVolume<p>(source, rates);
    intSurface<p>(source, view.mirrored_neighbour(), rates);
  }
  updateField<p, false>(view, rates);
}

/// The half step as three kernels, one after the other, with the flux array flux().load, flux().store
/// between them (report 7592, section 4.3).
template <int p, class V, class View>
DGTD_HOST_DEVICE void element_volume(const View& view) {
  V rates[3][Bernstein<p>::nodes];
  intVolume<p>(view.source(), rates);
  view.flux().store(rates);
}
template <int p, class Traits, class V, class View>
DGTD_HOST_DEVICE void element_surface(const View& view) {
  V rates[3][Bernstein<p>::nodes];
  view.flux().load(rates);
  add_surface<p, Traits>(view, view.source(), rates);
  view.flux().store(rates);
}
template <int p, class Traits, class V, class View>
DGTD_HOST_DEVICE void element_field(const View& view) {
  V rates[3][Bernstein<p>::nodes];
  view.flux().load(rates);
  updateField<p, Traits::conductive>(view, rates);
}

}  // namespace dgtd::dg
