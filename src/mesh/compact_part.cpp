#include "compact_part.hpp"

namespace dgtd::mesh {

CompactPart::CompactPart(const CompactMesh& mesh, const Partition& partition, int rank)
    : mesh_(mesh), partition_(partition), ranges_(partition.ranges(rank)) {
  for (const Partition::Range& range : ranges_) elements_ += static_cast<std::size_t>(range.last - range.first);
  if (ranges_.size() == 1) return;
  positions_.resize(elements_);
  local_.assign(static_cast<std::size_t>(partition.elements()), -1);
  std::size_t next = 0;
  for (const Partition::Range& range : ranges_)
    for (std::int64_t position = range.first; position < range.last; ++position) {
      local_[static_cast<std::size_t>(position)] = static_cast<std::int32_t>(next);
      positions_[next++] = static_cast<std::uint32_t>(position);
    }
}

CompactFilePart::CompactFilePart(const CompactFile& file, const Partition& partition, int rank)
    : CompactPart(file.mesh(), partition, rank), file_(file) {
  using enum CompactFile::Part;
  // Ranges are shorter than a chunk of checksums where METIS partitions: near ones are checked together.
  constexpr std::int64_t near = 1 << 14;  // elements
  for (auto range = ranges().begin(); range != ranges().end();) {
    const auto first = static_cast<std::size_t>(range->first);
    auto last = range->last;
    for (++range; range != ranges().end() && range->first < last + near; ++range) last = range->last;
    for (const auto part : {element_vertices, element_id, element_group, behind})
      if (!file.sound(part, first, static_cast<std::size_t>(last))) throw Damaged{};
  }
}

void CompactFilePart::use_vertices(const std::vector<std::uint32_t>& slots) {
  constexpr std::size_t together = 1 << 13;  // vertices
  std::vector<std::uint8_t> used((file_.mesh().vertices.size() + together - 1) / together, 0);
  for (const std::uint32_t slot : slots) used[slot / together] = 1;
  for (std::size_t i = 0; i < used.size();) {
    if (used[i] == 0) {
      ++i;
      continue;
    }
    const std::size_t first = i * together;
    while (i < used.size() && used[i] != 0) ++i;
    const std::size_t last = std::min(i * together, file_.mesh().vertices.size());
    if (!file_.sound(CompactFile::vertices, first, last) || !file_.sound(CompactFile::vertex_id, first, last))
      throw Damaged{};
  }
}

}  // namespace dgtd::mesh
