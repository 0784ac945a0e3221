#include "mesh/partition/whole_pieces.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "dgtd/mesh/beyond_halo.hpp"
#include "dgtd/parallel/exchange_lists.hpp"

namespace dgtd::mesh {
namespace {

constexpr std::int64_t most_in_piece = 16'384;  // a warp per scheduler of a large GPU

/// The same list for every rank.
template <class T>
std::vector<T> share(const std::vector<T>& mine, const parallel::Communicator& comm) {
  return parallel::exchange_lists(std::vector<std::vector<T>>(static_cast<std::size_t>(comm.size()), mine), comm);
}

/// Elements of a mesh that faces join, on all ranks; more and more of them.
class JoinedElements {
 public:
  JoinedElements(const CurveRange& range, const ElementWork& work, const parallel::Communicator& comm)
      : mesh_(range.mesh),
        first_(range.first),
        comm_(comm),
        labels_(work.labels),
        halo_labels_(beyond_halo(mesh_, work.labels, comm)),
        parent_(mesh_.elements()),
        elements_(mesh_.elements(), 1),
        lowest_(mesh_.elements()),
        is_joined_(mesh_.elements(), 0),
        known_(mesh_.elements(), 0) {
    std::iota(parent_.begin(), parent_.end(), 0u);
    std::iota(lowest_.begin(), lowest_.end(), static_cast<std::uint32_t>(first_));
  }

  /// Joins those beside faces that are exchanged in a stage. Collective.
  void join(int stage) {
    for (std::uint32_t e = 0; e < labels_.size(); ++e) {
      if (labels_[e] < stage) continue;
      for (const FaceLink& link : mesh_.element_faces[e])
        if (link.kind == FaceLink::Kind::element) {
          is_joined_[e] = is_joined_[link.index] = 1;
          unite(e, link.index);
        }
    }
    join_ranks(stage);
  }

  /// Whether the element has a face that was exchanged in a stage so far.
  bool is_joined(std::uint32_t element) const { return is_joined_[element] != 0; }
  /// Elements of all that is joined to the element, also on other ranks.
  std::int64_t elements(std::uint32_t element) {
    const std::uint32_t root = root_of(element);
    const auto found = across_.find(lowest_[root]);
    return found != across_.end() ? found->second : elements_[root];
  }
  /// The lowest position of all that is joined to the element.
  std::uint32_t lowest(std::uint32_t element) { return lowest_[root_of(element)]; }

 private:
  std::uint32_t root_of(std::uint32_t e) {
    while (parent_[e] != e) e = parent_[e] = parent_[parent_[e]];
    return e;
  }
  void unite(std::uint32_t a, std::uint32_t b) {
    a = root_of(a), b = root_of(b);
    if (a == b) return;
    if (elements_[a] < elements_[b]) std::swap(a, b);
    parent_[b] = a;
    elements_[a] += elements_[b];
    lowest_[a] = std::min(lowest_[a], lowest_[b]);
  }

  bool is_exchanged(std::size_t halo_face, int stage) const {
    return std::max(labels_[mesh_.halo_faces[halo_face].element], halo_labels_[halo_face]) >= stage;
  }

  // The lowest position of all that is joined goes from rank to rank; by it several ranks know what they have together.
  void join_ranks(int stage) {
    for (std::size_t i = 0; i < halo_labels_.size(); ++i)
      if (is_exchanged(i, stage)) is_joined_[mesh_.halo_faces[i].element] = 1;
    for (bool changes = true; changes;) {
      for (std::size_t i = 0; i < halo_labels_.size(); ++i) {
        const std::uint32_t e = mesh_.halo_faces[i].element;
        known_[e] = lowest(e);
      }
      const std::vector<std::uint32_t> beyond = beyond_halo(mesh_, known_, comm_);
      changes = false;
      for (std::size_t i = 0; i < halo_labels_.size(); ++i) {
        if (!is_exchanged(i, stage)) continue;
        std::uint32_t& mine = lowest_[root_of(mesh_.halo_faces[i].element)];
        changes |= beyond[i] < mine;
        mine = std::min(mine, beyond[i]);
      }
      changes = comm_.max(std::int64_t{changes}) > 0;
    }
    struct Part {
      std::uint32_t lowest;
      std::int64_t elements;
    };
    std::map<std::uint32_t, std::uint32_t> at_halo;  // root: what it is part of
    for (std::size_t i = 0; i < halo_labels_.size(); ++i)
      if (is_exchanged(i, stage)) {
        const std::uint32_t root = root_of(mesh_.halo_faces[i].element);
        at_halo[root] = lowest_[root];
      }
    std::vector<Part> mine;
    for (const auto& [root, of] : at_halo) mine.push_back({of, elements_[root]});
    across_.clear();
    for (const Part& part : share(mine, comm_)) across_[part.lowest] += part.elements;
  }

  const Subdomain& mesh_;
  std::int64_t first_;
  const parallel::Communicator& comm_;
  const std::vector<std::uint8_t>& labels_;    // [elements]
  std::vector<std::uint8_t> halo_labels_;      // [halo faces]
  std::vector<std::uint32_t> parent_;          // [elements] a tree for all that is joined on this rank
  std::vector<std::int64_t> elements_;         // [roots of trees]
  std::vector<std::uint32_t> lowest_;          // [roots of trees] position, of all ranks
  std::vector<std::uint8_t> is_joined_;        // [elements]
  std::vector<std::uint32_t> known_;           // [elements] lowest() of those beside halo faces
  std::map<std::uint32_t, std::int64_t> across_;  // elements of what several ranks have, by its lowest position
};

}  // namespace

Pieces whole_pieces(const CurveRange& range, const ElementWork& work, int parts, const parallel::Communicator& comm) {
  const bool has_none = work.stages < 2 || work.labels.empty() || !work.keeps_pieces;
  if (comm.max(std::int64_t{has_none}) > 0) return {{}, work.stages};
  const std::int64_t most = std::min(most_in_piece, range.mesh.global_elements / (4 * parts));
  JoinedElements joined(range, work, comm);
  std::vector<std::uint32_t> piece(range.mesh.elements());
  std::iota(piece.begin(), piece.end(), static_cast<std::uint32_t>(range.first));
  int stages = work.stages;
  bool divides = false;  // a stage that is whole, but has many elements
  for (int stage = work.stages - 1; stage > 0; --stage) {
    joined.join(stage);
    std::int64_t largest = 0, elements = 0;
    for (std::uint32_t e = 0; e < piece.size(); ++e)
      if (joined.is_joined(e)) largest = std::max(largest, joined.elements(e)), ++elements;
    if (comm.max(largest) > most) break;
    for (std::uint32_t e = 0; e < piece.size(); ++e)
      if (joined.is_joined(e)) piece[e] = joined.lowest(e);
    divides = divides || comm.sum(elements) > most_in_piece;
    if (!divides) stages = stage;
  }
  bool has_pieces = false;
  for (std::uint32_t e = 0; e < piece.size(); ++e) has_pieces |= piece[e] != range.first + e;
  if (comm.max(std::int64_t{has_pieces}) == 0) return {{}, work.stages};
  return {std::move(piece), stages};
}

ElementWork divided_work(const ElementWork& work, const Pieces& pieces) {
  if (pieces.stages == work.stages) return work;
  ElementWork divided{pieces.stages, {}, work.labels};
  for (std::size_t i = 0; i < work.of_element.size(); ++i)
    if (static_cast<int>(i % static_cast<std::size_t>(work.stages)) < pieces.stages)
      divided.of_element.push_back(work.of_element[i]);
  return divided;
}

std::vector<ElementOfPiece> elements_of_pieces_elsewhere(std::int64_t first, const std::vector<std::uint32_t>& piece,
                                                         const parallel::Communicator& comm) {
  std::vector<ElementOfPiece> mine;
  for (std::size_t e = 0; e < piece.size(); ++e)
    if (piece[e] < first) mine.push_back({static_cast<std::uint32_t>(first + static_cast<std::int64_t>(e)), piece[e]});
  return share(mine, comm);
}

}  // namespace dgtd::mesh
