// Partitions along the Hilbert curve.
#include <algorithm>

#include "dgtd/parallel/exchange_lists.hpp"
#include "mesh/partition/nonempty_parts.hpp"
#include "mesh/partition/whole_pieces.hpp"

namespace dgtd::mesh {
namespace {

/// Work of the elements of a range of the curve by the last stage in which they have any.
struct WorkByLastStage {
  std::vector<std::uint8_t> last;  // [elements]
  std::vector<std::int64_t> work;  // [elements] in all stages
};

WorkByLastStage by_last_stage(const ElementWork& work, std::size_t stages) {
  const std::size_t elements = work.of_element.size() / stages;
  WorkByLastStage result{std::vector<std::uint8_t>(elements, 0), std::vector<std::int64_t>(elements, 0)};
  for (std::size_t e = 0; e < elements; ++e)
    for (std::size_t s = 0; s < stages; ++s) {
      const int of_stage = work.of_element[e * stages + s];
      result.work[e] += of_stage;
      if (of_stage > 0) result.last[e] = static_cast<std::uint8_t>(s);
    }
  return result;
}

/// Equal ranges of the curve, one per rank, and this rank's range.
struct Ranges {
  Partition all;
  Partition::Range mine;
};

// A piece may begin in the range of another rank.
void count_pieces_at_first_elements(WorkByLastStage& of, const Ranges& ranges, const std::vector<std::uint32_t>& piece,
                                    const parallel::Communicator& comm) {
  struct Moved {
    std::int64_t work, piece;
    int last;
  };
  const auto add = [&](const Moved& m) {
    const auto to = static_cast<std::size_t>(m.piece - ranges.mine.first);
    of.work[to] += m.work;
    of.last[to] = std::max(of.last[to], static_cast<std::uint8_t>(m.last));
  };
  std::vector<std::vector<Moved>> moved(static_cast<std::size_t>(comm.size()));
  for (std::size_t e = 0; e < piece.size(); ++e) {
    if (piece[e] == ranges.mine.first + static_cast<std::int64_t>(e)) continue;
    const Moved m{of.work[e], piece[e], of.last[e]};
    of.work[e] = 0;
    if (m.piece >= ranges.mine.first) add(m);
    else moved[static_cast<std::size_t>(ranges.all.owner(m.piece))].push_back(m);
  }
  for (const Moved& m : parallel::exchange_lists(moved, comm)) add(m);
}

/// Parts of the consecutive elements of this rank. Sums of whole numbers are exact, so the parts do not depend on the
/// number of ranks that compute them. Collective.
std::vector<PartNumber> cut_each_stage(const WorkByLastStage& mine, std::size_t stages, int parts,
                                       const parallel::Communicator& comm) {
  std::vector<double> sum(stages, 0.0), before(stages, 0.0);  // of the elements with this last stage; before mine
  for (std::size_t e = 0; e < mine.last.size(); ++e) sum[mine.last[e]] += static_cast<double>(mine.work[e]);
  MPI_Exscan(sum.data(), before.data(), static_cast<int>(stages), MPI_DOUBLE, MPI_SUM, comm.handle());
  if (comm.is_root()) std::fill(before.begin(), before.end(), 0.0);  // MPI_Exscan leaves it undefined
  const std::vector<double> all = comm.sum(sum);
  std::vector<PartNumber> part(mine.last.size(), 0);
  for (std::size_t e = 0; e < part.size(); ++e) {
    const std::size_t s = mine.last[e];
    const auto work = static_cast<double>(mine.work[e]);
    const double middle = before[s] + 0.5 * work;
    before[s] += work;
    if (all[s] > 0) part[e] = static_cast<PartNumber>(std::min(parts - 1, static_cast<int>(middle / all[s] * parts)));
  }
  return part;
}

/// The parts of all elements on every rank. Collective.
std::vector<PartNumber> gather(const std::vector<PartNumber>& mine, const Partition& ranges,
                               const parallel::Communicator& comm) {
  std::vector<PartNumber> all(static_cast<std::size_t>(ranges.elements()));
  std::vector<int> counts, firsts;  // below 2^31: a mesh of a file has fewer elements (pair_faces)
  for (int r = 0; r < comm.size(); ++r) {
    const Partition::Range range = ranges.ranges(r).front();
    firsts.push_back(static_cast<int>(range.first));
    counts.push_back(static_cast<int>(range.last - range.first));
  }
  MPI_Allgatherv(mine.data(), static_cast<int>(mine.size()), MPI_UINT16_T, all.data(), counts.data(), firsts.data(),
                 MPI_UINT16_T, comm.handle());
  return all;
}

Partition divide(std::int64_t elements, int parts, const std::string& source, const ElementWork& mine,
                 const std::vector<std::uint32_t>& piece, const parallel::Communicator& comm) {
  require_enough(elements, parts, source);
  const auto stages = static_cast<std::size_t>(comm.max(std::int64_t{mine.stages}));
  if (stages == 0 || parts == 1) return Partition::along_curve(elements, parts);
  Ranges ranges{Partition::along_curve(elements, comm.size()), {}};
  ranges.mine = ranges.all.ranges(comm.rank()).front();
  WorkByLastStage work = by_last_stage(mine, stages);
  if (!piece.empty()) count_pieces_at_first_elements(work, ranges, piece, comm);
  std::vector<PartNumber> cut = cut_each_stage(work, stages, parts, comm);
  for (std::size_t e = 0; e < piece.size(); ++e)
    if (piece[e] >= ranges.mine.first) cut[e] = cut[static_cast<std::size_t>(piece[e] - ranges.mine.first)];
  std::vector<PartNumber> part = gather(cut, ranges.all, comm);
  if (!piece.empty())
    for (const ElementOfPiece& e : elements_of_pieces_elsewhere(ranges.mine.first, piece, comm))
      part[e.position] = part[e.piece];
  return without_empty_parts(std::move(part), parts, source, comm.is_root());
}

}  // namespace

Partition curve_partition(std::int64_t elements, int parts, const std::string& source, const ElementWork& work,
                          const std::vector<std::uint32_t>& piece) {
  return divide(elements, parts, source, work, piece, parallel::Communicator(MPI_COMM_SELF));
}

Partition curve_partition(std::int64_t elements, const std::string& source, const ElementWork& mine,
                          const std::vector<std::uint32_t>& piece, const parallel::Communicator& comm) {
  return divide(elements, comm.size(), source, mine, piece, comm);
}

}  // namespace dgtd::mesh
