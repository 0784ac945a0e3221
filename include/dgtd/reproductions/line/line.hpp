#pragma once
// A line of cells as the kernels of kernels/line_update.hpp take it: E_z on node i, H_y between nodes i and i + 1.
#include "dgtd/fdtd/discretisation.hpp"
#include "dgtd/physics/source.hpp"

namespace dgtd::reproductions {

/// Coefficients of one field's updates, [cells] (kernels/line_update.hpp). b and c are zero outside absorbing layers.
template <class Real>
struct LineUpdates {
  std::vector<Real> Ca, Cb, b, c;
  void resize(std::size_t cells) { Ca.resize(cells), Cb.resize(cells), b.resize(cells), c.resize(cells); }
};

template <class Real>
struct Line {
  LineUpdates<Real> electric, magnetic;
  int cells() const { return static_cast<int>(electric.Ca.size()); }
};

/// field[index] += weight * series[step], after the field's half step of each step.
template <class Real>
struct CellSource {
  bool electric;
  int index;
  Real weight;
  std::vector<Real> series;  // [steps] V/m
};

/// The line along x of a grid flat in y and z (or one cell wide there with periodic sides).
/// Throws Error (bad_input) for media with poles and for several cells across.
template <class Real>
Line<Real> line_of(const fdtd::Discretisation<Real>& d);

/// Increments that a case's source adds to E_z and H_y of that line.
/// Throws Error (bad_input) for a source that drives another component.
template <class Real>
std::vector<CellSource<Real>> cell_sources(const grid::Setup& setup, const fdtd::Discretisation<Real>& d,
                                           const physics::Source& source, std::int64_t steps);

}  // namespace dgtd::reproductions
