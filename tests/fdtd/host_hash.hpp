#pragma once
// The hash of fields as a plain loop on the host.
#include "dgtd/base/hash.hpp"
#include "fdtd/grid_problem.hpp"

namespace dgtd::fdtd {

/// Over each component's global number and its values of E and H; of the real part of this rank's block.
template <class Real>
std::uint64_t host_hash(FdtdSolver<Real>& solver) {
  const auto& d = solver.discretisation();
  const Real* const e = solver.engine().electric().host();
  const Real* const h = solver.engine().magnetic().host();
  std::uint64_t sum = 0;
  for (int c = 0; c < 3; ++c)
    for (int k = 0; k < d.layout.cells[2]; ++k)
      for (int j = 0; j < d.layout.cells[1]; ++j)
        for (int i = 0; i < d.layout.cells[0]; ++i) {
          const auto n = static_cast<std::size_t>(c * d.layout.reals + d.layout.index(i, j, k));
          sum += Hash().add(d.global_index(i, j, k) * 3 + c).add(e[n] + Real(0)).add(h[n] + Real(0)).value();
        }
  return sum;
}

}  // namespace dgtd::fdtd
