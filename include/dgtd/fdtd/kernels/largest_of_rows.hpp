#pragma once
// The largest magnitude in E and H, in many parts.
#include <cmath>
#include <limits>

#include "dgtd/fdtd/kernels/views.hpp"

namespace dgtd::fdtd {

/// The largest magnitude that a thread of `groups` times 32 meets in the owned components: rows of a group, of a row
/// every 32nd cell. Infinite where one is no number.
template <class Stored>
struct LargestOfRows {
  using Real = arithmetic_t<Stored>;
  static constexpr int lanes = 32, groups = 4096;
  GridLayout layout;
  const Stored* fields[2];  // [3][reals] E, H
  Real* largest;            // [groups][lanes]
  DGTD_HOST_DEVICE void operator()(std::int64_t n) const {
    const std::int64_t plane = std::int64_t{3} * layout.cells[1], rows = plane * layout.cells[2];
    Real most = 0;
    for (std::int64_t row = n / lanes; row < rows; row += groups) {
      const auto k = static_cast<int>(row / plane), c = static_cast<int>(row % plane) / layout.cells[1],
                 j = static_cast<int>(row % plane) % layout.cells[1];
      const std::int64_t at = c * layout.reals + layout.index(0, j, k);
      for (int i = static_cast<int>(n % lanes); i < layout.cells[0]; i += lanes)
        for (const Stored* const field : fields) {
          const Real size = ::fabs(Real(field[at + i]));
          if (!(size <= most))
            most = size <= std::numeric_limits<Real>::max() ? size : std::numeric_limits<Real>::infinity();
        }
    }
    largest[n] = most;
  }
};

}  // namespace dgtd::fdtd
