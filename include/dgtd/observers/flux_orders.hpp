#pragma once
// Diffraction orders of the planes of fluxes: orders_NAME.csv.
#include <string>
#include <vector>

#include "dgtd/io/results.hpp"
#include "dgtd/solver/diffraction_orders.hpp"

namespace dgtd::observers {

/// A flux through a plane that is resolved into orders.
struct OrderPlane {
  std::string flux;  // its name
  int normal = 2;    // axis
  solver::Lattice lattice;
  double index = 1;  // of the medium on the plane
};

struct OrderSpectra {
  const OrderPlane& plane;
  std::vector<double> frequencies;                           // Hz
  std::vector<std::vector<solver::DiffractionOrder>> orders;  // [frequencies][those that propagate]
  std::vector<double> incident;                              // [frequencies] J/Hz, positive; empty: not known
};

/// orders_NAME.csv, a chart, and with one frequency a table. Shares of the incident energy are positive along the
/// direction in which most energy goes. Collective.
void add_orders(io::Results& results, const OrderSpectra& spectra);

}  // namespace dgtd::observers
