#include "dgtd/solver/error_indicators.hpp"

#include <algorithm>

namespace dgtd::solver {

double FieldIndicators::squared_norm(std::size_t element) const {
  double sum = 0;
  for (int k = 0; k < degrees; ++k) sum += part(element, k);
  return sum;
}

// Squared ratio of the parts of degrees p + 1 and p of both fields:
//   rho^2 = (2 p - 1) / (2 p + 3) s_p / s_{p-1},   at most 1,
// s_k the squared norms of the parts of degree k of E and Z0 H together, so that a node of one of them counts little.
// The factor is that of the wave exp(i k x) on an interval of length h, whose parts are sqrt(2 k + 1) j_k(k h / 2), for
// small k h; a constant ratio would be that of a singular field.
double squared_decay(const FieldIndicators& e, const FieldIndicators& h, std::size_t element) {
  const int p = e.order_of(element);
  const double highest = e.part(element, p) + h.part(element, p);
  const double before = e.part(element, p - 1) + h.part(element, p - 1);
  const double factor = (2.0 * p - 1) / (2.0 * p + 3);
  return factor * highest < before ? factor * highest / before : (highest > 0 ? 1 : 0);
}

// |u - u_h|^2 = |jump part|^2 + rho^2 |part of degree p|^2: what the discrete field is away from a field with
// continuous traces, and what the next degree would add.
SquaredErrors estimate_errors(const FieldIndicators& electric, const FieldIndicators& magnetic) {
  SquaredErrors errors{electric.jump, magnetic.jump};
#pragma omp parallel for schedule(static)
  for (std::size_t e = 0; e < errors.electric.size(); ++e) {
    const double decay = squared_decay(electric, magnetic, e);
    errors.electric[e] += decay * electric.highest_part(e);
    errors.magnetic[e] += decay * magnetic.highest_part(e);
  }
  return errors;
}

}  // namespace dgtd::solver
