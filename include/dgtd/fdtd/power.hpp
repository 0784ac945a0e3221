#pragma once
// Places at which powers are measured, and the power that a medium absorbs in the scheme.
//
// Over a period of a steady state the scheme has an exact balance: the work of currents, -J . E, is what media take up
// and what goes out through a box, if the E of each product is the mean of two time levels, which makes of a phasor
// E cos(w dt / 2). So a defect comes from what is not steady, and from rounding.
#include <complex>

#include "dgtd/physics/source.hpp"
#include "dgtd/fdtd/discretisation.hpp"
#include "dgtd/solver/region_spectra.hpp"

namespace dgtd::fdtd {

using solver::NodeBox;

/// The grid without absorbing layers, and of that what lies a cell inside the total field of every plane wave.
NodeBox power_box(const grid::Setup& setup, const std::vector<physics::Source>& sources);

/// Length around an E component's or H component's place along an axis that lies in the box, m: of its cell where it
/// stands between nodes, else of its dual cell. i: local index.
template <class Real>
double length_inside(const Discretisation<Real>& d, const NodeBox& box, int axis, bool between_nodes, int i);

/// Y of curl H = Y E in a class of E cells, or of curl E and H: 1/m, as the scheme has it at an angular frequency.
template <class Real>
std::complex<double> admittance(const ClassMedium& medium, const PoleCoefficients<Real>* poles, int pole_count,
                                double angular_frequency, double time_step);

/// Power a volume and squared amplitude, times two: the conductivity of an admittance, S/m (of H times Z0 the same over
/// Z0^2).
double loss(std::complex<double> admittance, double angular_frequency, double time_step);

}  // namespace dgtd::fdtd
