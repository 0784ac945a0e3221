#pragma once
// Owners of elements, in terms of their positions along the Hilbert curve (compact_mesh.hpp).
#include <cstdint>
#include <string>
#include <vector>

#include "dgtd/mesh/element_work.hpp"
#include "dgtd/mesh/load.hpp"
#include "mesh/compact/compact_mesh.hpp"

namespace dgtd::mesh {

/// Number of a rank; there are at most 65,536.
using PartNumber = std::uint16_t;

class Partition {
 public:
  struct Range {
    std::int64_t first, last;  // positions [first, last)
  };

  Partition() = default;
  /// Ranges of the curve that are as equal as possible.
  static Partition along_curve(std::int64_t elements, int parts);
  /// part: the rank of each element, [positions].
  Partition(std::vector<PartNumber> part, int parts);

  int parts() const { return parts_; }
  std::int64_t elements() const { return elements_; }
  bool is_along_curve() const { return part_.empty(); }
  int owner(std::int64_t position) const;
  /// Elements of a rank, ascending: one range along the curve.
  std::vector<Range> ranges(int rank) const;
  /// [parts] the ranges of all ranks, in one pass over the elements.
  std::vector<std::vector<Range>> ranges() const;
  /// Root's partition on every rank. Collective.
  void broadcast(const parallel::Communicator& comm);

 private:
  std::int64_t elements_ = 0;
  int parts_ = 1;
  std::vector<PartNumber> part_;  // [positions] rank; empty along the curve. The only array per rank of all elements
};

/// METIS k-way on the dual graph, and moves after it (balance_stages.hpp). Deterministic. work: [positions][stages];
/// the parts have the same work in each stage, and faces between elements with more work count more. piece: [positions]
/// of whole_pieces(), each of which is in one part; or empty. source: for messages. Throws Error for more parts than
/// elements, and where METIS fails.
Partition metis_partition(const CompactMesh& mesh, int parts, const std::string& source, const ElementWork& work = {},
                          const std::vector<std::uint32_t>& piece = {});

/// Parts along the curve with the same work in each stage, nearly: the elements that have work up to the same stage are
/// cut by themselves into ranges of equal work, so a part has one range per stage; a piece counts where its first
/// element is. Without work one range of elements. Throws Error as metis_partition.
Partition curve_partition(std::int64_t elements, int parts, const std::string& source, const ElementWork& work = {},
                          const std::vector<std::uint32_t>& piece = {});

/// The same for as many parts as ranks, on every rank. mine, piece: of this rank's elements of
/// Partition::along_curve(), so no rank needs those of all elements. Collective.
Partition curve_partition(std::int64_t elements, const std::string& source, const ElementWork& mine,
                          const std::vector<std::uint32_t>& piece, const parallel::Communicator& comm);

}  // namespace dgtd::mesh
