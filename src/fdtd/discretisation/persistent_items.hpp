#pragma once
// The global numbers of what a block of cells has, for checkpoints. Nothing here depends on how the grid is divided.
#include <memory>
#include <string>
#include <vector>

#include "dgtd/fdtd/engine.hpp"
#include "dgtd/solver/persistent.hpp"

namespace dgtd::fdtd {

/// Number of a component at an index in [component][reals]: component * cells + cell, all of the whole grid.
template <class Real>
std::int64_t component_number(const Discretisation<Real>& d, std::uint64_t index);

/// All cells, with places in a component's array.
template <class Real>
std::shared_ptr<const solver::Items> cell_items(const Discretisation<Real>& d);

/// The cells in an absorbing layer along an axis, with places in HalfStepView::layer, or of plane passes in a
/// component's array.
template <class Real>
std::shared_ptr<const solver::Items> layer_items(const Discretisation<Real>& d, HalfStep half, int axis,
                                                 bool of_plane_passes);

/// The components of E that have poles, with places in HalfStepView::currents.
template <class Real>
std::shared_ptr<const solver::Items> pole_items(const Discretisation<Real>& d);

/// The entries of a list, of which each has one of the numbers below `end`, with their places in it.
std::shared_ptr<const solver::Items> list_items(std::string name, const std::vector<std::int64_t>& numbers,
                                                std::int64_t end);

/// The same of a list of indices in [component][reals].
template <class Real>
std::shared_ptr<const solver::Items> list_items(const Discretisation<Real>& d, std::string name,
                                                const std::vector<std::uint64_t>& indices);

/// The name of psi of the derivatives along an axis in a half step; which: of HalfStepView::layer.
std::string layer_name(HalfStep half, int axis, int which);

}  // namespace dgtd::fdtd
