#pragma once
// Assignment of the cells of a cut line to tiles of a device.
#include "dgtd/reproductions/line/subdomains.hpp"

namespace dgtd::reproductions {

inline constexpr int line_threads = 256;  // of a block
/// Cells that a thread can have: registers for twice as many floats as doubles.
template <class Real>
inline constexpr int most_cells_a_thread = sizeof(Real) == 4 ? 16 : 8;

/// Own cells [first, end) of a tile in its subdomain.
struct TileRange {
  int subdomain, first, end;
};

/// A subdomain that fits into a block with 8 cells per thread is one tile; longer ones become as many as their halos
/// leave worthwhile and the device runs at once. Throws Error (bad_input) where that is not enough.
template <class Real>
std::vector<TileRange> plan_tiles(const std::vector<Subdomain<Real>>& subdomains, int chunk, int most_tiles);

/// Throws Error (bad_input) where a tile has more streams or outputs than a thread's masks have bits.
void check_tables(int most_streams, int most_outputs);

/// Throws Error (bad_input): a block has not so much shared memory, bytes.
[[noreturn]] void refuse_shared_memory(int chunk, std::size_t needed, std::size_t there);

}  // namespace dgtd::reproductions
