#include "mesh/partition/compact_part.hpp"

namespace dgtd::mesh {

CompactPart::CompactPart(const CompactMesh& mesh, const Partition& partition, std::vector<Partition::Range> ranges)
    : mesh_(mesh), partition_(partition), ranges_(std::move(ranges)) {
  for (const Partition::Range& range : ranges_) elements_ += static_cast<std::size_t>(range.last - range.first);
  if (ranges_.size() == 1) return;
  positions_.resize(elements_);
  local_.emplace(static_cast<std::size_t>(partition.elements()));
  std::size_t next = 0;
  for (const Partition::Range& range : ranges_)
    for (std::int64_t position = range.first; position < range.last; ++position) {
      positions_[next++] = static_cast<std::uint32_t>(position);
      (*local_)[static_cast<std::size_t>(position)] = static_cast<std::uint32_t>(next);
    }
}

// Positions and local numbers ascend together.
void CompactPart::add_curved_elements_to(Subdomain& subdomain) const {
  for (std::size_t c = 0; c < mesh_.curved.size(); ++c)
    if (const std::int64_t local = local_number(mesh_.curved[c]); local >= 0) {
      subdomain.curved.push_back(static_cast<std::uint32_t>(local));
      subdomain.curvature.push_back(mesh_.curvature[c]);
    }
}

CompactFilePart::CompactFilePart(const CompactFile& file, const Partition& partition, int rank)
    : CompactPart(file.mesh(), partition, rank), file_(file) {
  using enum CompactFile::Part;
  if (!file.sound(curved, 0, file.mesh().curved.size()) || !file.sound(curvature, 0, file.mesh().curved.size()))
    throw Damaged{};
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
