#pragma once
// One element's half step (INRIA report 7592, section 4.3): intVolume, intSurface, updateField. The one body of all
// kernels: of batches, of lists of blocks with local time steps, of sequences of small levels and of the energy.
// View is the access of an executor to a lane (GPU) or to as many lanes as a register holds (CPU), with its own old and
// new values:
//   source(component, node)                 coefficients of the field that drives
//   neighbour().load(face, a, b)            its traces beyond a face
//   target(component, node), external().load(...), boundary().face(face)   of faces on the boundary: coefficients of
//                                           the field that is updated, traces of an external field, data of the face
//   metric(), Ca(), Cb(), damping(entry)    element data; damping: of layers
//   advance<medium>(increment)              new = [Ca] old + increment(component, node), called once for each
//   assign(value)                           new = value(component, node), of convolutional layers
//   state_entry(i, entries, k), set_state_entry, state_coefficient(i, count, k)   of a state of the elements
//   poles()                                 of dispersive elements: what advance_poles needs (poles.hpp)
//   has_poles(), cpml()                     of convolutional layers: what advance_cpml needs (cpml.hpp)
//   curved()                                of curved elements: metric, row, column (curved.hpp)
//   flux()                                  rates between the kernels of the split schedule
// source() and target() may return copies, so each is called once.
#include "dgtd/dg/kernels/int_surface.hpp"
#include "dgtd/dg/kernels/int_volume.hpp"
#include "dgtd/dg/kernels/update_field.hpp"

namespace dgtd::dg {

template <int p, KernelTraits traits, class V, class View, class Source>
DGTD_HOST_DEVICE void add_surface(const View& view, const Source& source, V (&rates)[3][Bernstein<p>::nodes]) {
  if constexpr (traits.boundary)
    intSurfaceBoundary<p>(source, view.neighbour(), view.target(), view.external(), view.boundary(), rates);
  else intSurface<p>(source, view.neighbour(), rates);
}

template <int p, KernelTraits traits, class View, class V>
DGTD_HOST_DEVICE void apply_rates(const View& view, const V (&rates)[3][Bernstein<p>::nodes]) {
  if constexpr (traits.curved) updateCurvedField<p, traits.medium>(view, rates);
  else updateField<p, traits.medium>(view, rates);
}

/// The whole half step in one pass.
template <int p, KernelTraits traits, class V, class View>
DGTD_HOST_DEVICE void element_update(const View& view) {
  V rates[3][Bernstein<p>::nodes];
  {
    const auto source = view.source();
    intVolume<p>(source, rates);
    add_surface<p, traits>(view, source, rates);
  }
  apply_rates<p, traits>(view, rates);
}

/// The half step as three kernels, one after the other, with the flux array flux().load, flux().store
/// between them (report 7592, section 4.3).
template <int p, class V, class View>
DGTD_HOST_DEVICE void element_volume(const View& view) {
  V rates[3][Bernstein<p>::nodes];
  intVolume<p>(view.source(), rates);
  view.flux().store(rates);
}
template <int p, KernelTraits traits, class V, class View>
DGTD_HOST_DEVICE void element_surface(const View& view) {
  V rates[3][Bernstein<p>::nodes];
  view.flux().load(rates);
  add_surface<p, traits>(view, view.source(), rates);
  view.flux().store(rates);
}
template <int p, KernelTraits traits, class V, class View>
DGTD_HOST_DEVICE void element_field(const View& view) {
  V rates[3][Bernstein<p>::nodes];
  view.flux().load(rates);
  apply_rates<p, traits>(view, rates);
}

}  // namespace dgtd::dg
