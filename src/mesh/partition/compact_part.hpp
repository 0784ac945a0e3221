#pragma once
// A rank's part of a compact mesh, in the terms of assemble().
#include <optional>

#include "mesh/compact/assemble.hpp"
#include "mesh/compact/compact_file.hpp"
#include "mesh/partition/partition.hpp"

namespace dgtd::mesh {

/// Reads the part of a rank. Memory in proportion to the part.
class CompactPart {
 public:
  /// ranges: of the rank. mesh and partition outlive the part.
  CompactPart(const CompactMesh& mesh, const Partition& partition, std::vector<Partition::Range> ranges);
  CompactPart(const CompactMesh& mesh, const Partition& partition, int rank)
      : CompactPart(mesh, partition, partition.ranges(rank)) {}
  virtual ~CompactPart() = default;

  std::size_t elements() const { return elements_; }
  std::int64_t id(std::int64_t e) const { return mesh_.element_id[position_of(e)]; }
  std::uint16_t group(std::int64_t e) const { return mesh_.element_group[position_of(e)]; }
  const std::array<std::uint32_t, 4>& slots(std::int64_t e) const { return mesh_.element_vertices[position_of(e)]; }
  std::size_t slot_count() const { return mesh_.vertices.size(); }
  Behind behind(std::int64_t e, int f) const {
    const std::size_t position = position_of(e);
    const std::uint32_t code = mesh_.behind[position][static_cast<std::size_t>(f)];
    if (code >= FaceAdjacency::first_surface)
      return {FaceLink::Kind::boundary, 0, code - FaceAdjacency::first_surface, 0};
    const std::int64_t neighbour = code / 4;
    const auto face = static_cast<std::uint8_t>(code % 4);
    const std::int64_t local = local_number(neighbour);
    if (local >= 0) return {FaceLink::Kind::element, face, static_cast<std::uint32_t>(local), 0};
    const std::int64_t here = 4 * static_cast<std::int64_t>(position) + f, there = code;
    return {FaceLink::Kind::halo, face, 0, partition_.owner(neighbour), {std::min(here, there), std::max(here, there)}};
  }
  virtual void use_vertices(const std::vector<std::uint32_t>&) {}
  std::int64_t vertex_id(std::size_t slot) const { return mesh_.vertex_id[slot]; }
  const Vec3& position(std::size_t slot) const { return mesh_.vertices[slot]; }

  /// The curved elements of the part, into its subdomain.
  void add_curved_elements_to(Subdomain& subdomain) const;

 protected:
  const std::vector<Partition::Range>& ranges() const { return ranges_; }

 private:
  std::size_t position_of(std::int64_t e) const {
    return positions_.empty() ? static_cast<std::size_t>(ranges_[0].first + e)
                              : positions_[static_cast<std::size_t>(e)];
  }
  /// The rank's number of the element at a position; -1 for those of other ranks.
  std::int64_t local_number(std::int64_t position) const {
    if (positions_.empty())
      return position >= ranges_[0].first && position < ranges_[0].last ? position - ranges_[0].first : -1;
    return static_cast<std::int64_t>((*local_)[static_cast<std::size_t>(position)]) - 1;
  }

  const CompactMesh& mesh_;
  const Partition& partition_;
  std::vector<Partition::Range> ranges_;          // ascending
  UninitialisedVector<std::uint32_t> positions_;  // [elements], empty for a single range
  std::optional<SparseTable> local_;              // [all positions] local element + 1, 0: of another rank; the same
  std::size_t elements_ = 0;
};

/// The same from a file. Throws Damaged for what the file's checksums do not confirm.
class CompactFilePart final : public CompactPart {
 public:
  struct Damaged {};
  CompactFilePart(const CompactFile& file, const Partition& partition, int rank);
  void use_vertices(const std::vector<std::uint32_t>& slots) override;

 private:
  const CompactFile& file_;
};

}  // namespace dgtd::mesh
