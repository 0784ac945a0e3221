#pragma once
// Hash of all components of a block's fields, which is the same in any order and on any number of ranks.
#include <cstdint>

#include "dgtd/base/half.hpp"
#include "dgtd/base/hash.hpp"
#include "dgtd/fdtd/layout.hpp"

namespace dgtd::fdtd {

/// sums[i]: sum of the hashes of components, each over its global number and its values of E and H. -0 and 0 are one
/// value. Neighbouring i take neighbouring cells on a device, whose threads read them best so.
template <class Stored>
struct HashFields {
  using Real = arithmetic_t<Stored>;
  static constexpr int strips = 32, rows = 8;  // cells of a sum: each 32nd of 8 rows

  GridLayout layout;
  std::int64_t first[3], global_cells[3];  // of the block and of the grid
  const Stored *electric, *magnetic;       // [3][reals]
  Real unit, magnetic_unit;                // V/m, of E, H
  std::uint64_t* sums;                     // [count()]

  std::int64_t groups_of_rows() const { return (layout.cells[1] + rows - 1) / rows; }
  std::int64_t count() const { return 3 * layout.cells[2] * groups_of_rows() * strips; }

  DGTD_HOST_DEVICE void operator()(std::int64_t n) const {
    const std::int64_t groups = (layout.cells[1] + rows - 1) / rows, group = n / strips, plane = group / groups;
    const int c = int(plane / layout.cells[2]), k = int(plane % layout.cells[2]), from = int(group % groups) * rows;
    const int end = from + rows < layout.cells[1] ? from + rows : layout.cells[1];
    std::uint64_t sum = 0;
#if defined(__CUDA_ARCH__)
    const int strip = int(n % strips), step = strips;
#else
    const int strip = 0, step = 1;  // a CPU's thread takes rows as they lie
    if (n % strips != 0) {
      sums[n] = 0;
      return;
    }
#endif
    for (int j = from; j < end; ++j) {
      const std::int64_t row = c * layout.reals + layout.index(0, j, k);
      const std::int64_t number = ((first[2] + k) * global_cells[1] + first[1] + j) * global_cells[0] + first[0];
      for (int i = strip; i < layout.cells[0]; i += step)
        sum += Hash()
                   .add((number + i) * 3 + c)
                   .add(unit * electric[row + i] + Real(0))
                   .add(magnetic_unit * magnetic[row + i] + Real(0))
                   .value();
    }
    sums[n] = sum;
  }
};

}  // namespace dgtd::fdtd
