#pragma once
// From the items of all ranks to slabs of a stored array, and back: an array is stored in the order of the items'
// global numbers, in chunks of about a megabyte, and each rank writes and reads consecutive whole chunks.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "dgtd/parallel/communicator.hpp"
#include "dgtd/solver/persistent.hpp"

namespace dgtd::io {

/// Division of a stored array. Chunks do not depend on the number of ranks.
struct Slabs {
  std::int64_t items = 0;
  std::size_t item_bytes = 1;

  std::int64_t chunk_items() const;
  std::int64_t chunks() const { return (items + chunk_items() - 1) / chunk_items(); }
  std::int64_t first_chunk(int rank, int ranks) const { return chunks() * rank / ranks; }
  std::int64_t first_item(std::int64_t chunk) const;  // at most `items`
};

/// Consecutive items of the file.
struct Window {
  std::int64_t first = 0, end = 0;
  std::int64_t items() const { return end - first; }
};

/// The slab of each rank in windows of at most so many chunks: window `round` of all ranks, [ranks].
std::vector<Window> windows_of(const Slabs& slabs, std::int64_t round, int ranks);
/// Rounds after which all slabs are complete.
std::int64_t rounds_of(const Slabs& slabs, int ranks);

/// Places of a rank's items in the file: runs with `number` the position in the file.
struct Placement {
  std::vector<solver::ItemRun> runs;
  std::int64_t stored = 0;            // items in the file
  std::vector<std::int64_t> numbers;  // of this rank's items, where the file lists them
};

/// Complete items have their numbers as positions; others follow each other in the order of their numbers. Collective.
/// Throws Error where two ranks have the same item.
Placement place_items(const solver::Items& items, const parallel::Communicator& comm);

/// Placement of items that are listed in the file: `slab` has the numbers of this rank's slab from position `first` on.
/// Items that are not in the file have no place. Collective.
Placement find_items(const solver::Items& items, const std::vector<std::int64_t>& slab, std::int64_t first,
                     const parallel::Communicator& comm);

/// [items of this rank's window][values] from the ranks that have them. Collective. Throws Error where some are on no
/// rank.
void collect(const solver::PersistentArray& array, const Placement& placement, const std::vector<Window>& windows,
             std::vector<char>& window, const parallel::Communicator& comm);

/// The same from the windows of all ranks to the items. Collective.
void distribute(const solver::PersistentArray& array, const Placement& placement, const std::vector<Window>& windows,
                const std::vector<char>& window, const parallel::Communicator& comm);

}  // namespace dgtd::io
