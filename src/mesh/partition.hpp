#pragma once
// Which rank owns which elements, in terms of their positions along the Hilbert curve (compact_mesh.hpp).
#include <cstdint>
#include <string>
#include <vector>

#include "compact_mesh.hpp"
#include "dgtd/mesh/load.hpp"

namespace dgtd::mesh {

class Partition {
 public:
  struct Range {
    std::int64_t first, last;  // positions [first, last)
  };

  Partition() = default;
  /// Ranges of the curve that are as equal as possible.
  static Partition along_curve(std::int64_t elements, int parts);
  /// part: the rank of each block of so many consecutive elements; the last block may be shorter.
  Partition(std::int64_t elements, std::int64_t block, std::vector<int> part, int parts);

  int parts() const { return parts_; }
  std::int64_t elements() const { return elements_; }
  std::int64_t block() const { return block_; }  // elements per block; 0: along the curve
  int owner(std::int64_t position) const;
  /// What a rank owns, ascending; neighbouring blocks are one range. It takes time in proportion to the blocks.
  std::vector<Range> ranges(int rank) const;
  /// Root's partition on every rank. Collective.
  void broadcast(const parallel::Communicator& comm);

 private:
  std::int64_t elements_ = 0, block_ = 0;
  int parts_ = 1;
  std::vector<int> part_;  // [blocks] rank
};

/// Elements per block for which METIS partitions a mesh in few seconds: 1 for small ones.
std::int64_t metis_block(std::int64_t elements, int parts);

/// METIS k-way on the dual graph of blocks of consecutive elements, weighted by their elements and common faces.
/// Deterministic. source: for messages. Throws Error for more parts than elements, and where METIS fails.
Partition metis_partition(const CompactMesh& mesh, std::int64_t block, int parts, const std::string& source);

}  // namespace dgtd::mesh
