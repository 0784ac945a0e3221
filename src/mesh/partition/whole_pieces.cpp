#include "mesh/partition/whole_pieces.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "dgtd/mesh/beyond_halo.hpp"
#include "dgtd/parallel/exchange_lists.hpp"
#include "mesh/compact/joined_elements.hpp"

namespace dgtd::mesh {
namespace {

constexpr std::int64_t most_in_piece = 16'384;  // a warp per scheduler of a large GPU

/// The same list for every rank.
template <class T>
std::vector<T> share(const std::vector<T>& mine, const parallel::Communicator& comm) {
  return parallel::exchange_lists(std::vector<std::vector<T>>(static_cast<std::size_t>(comm.size()), mine), comm);
}

/// Elements of a mesh that faces join, on all ranks; more and more of them.
class JoinedOnAllRanks {
 public:
  JoinedOnAllRanks(const CurveRange& range, const ElementWork& work, const parallel::Communicator& comm)
      : mesh_(range.mesh),
        first_(static_cast<std::uint32_t>(range.first)),
        comm_(comm),
        labels_(work.labels),
        halo_labels_(beyond_halo(mesh_, work.labels, comm)),
        joined_(mesh_.elements()),
        is_joined_(mesh_.elements(), 0),
        lowest_(mesh_.elements(), 0),
        elements_(mesh_.elements(), 0) {}

  /// Joins those beside faces that are exchanged in a stage. Collective.
  void join(int stage) {
    for (std::uint32_t e = 0; e < labels_.size(); ++e) {
      if (labels_[e] < stage) continue;
      for (const FaceLink& link : mesh_.element_faces[e])
        if (link.kind == FaceLink::Kind::element) {
          is_joined_[e] = is_joined_[link.index] = 1;
          joined_.join(e, link.index);
        }
    }
    std::vector<std::size_t> exchanged;  // halo faces
    for (std::size_t i = 0; i < halo_labels_.size(); ++i)
      if (std::max(labels_[beside(i)], halo_labels_[i]) >= stage) {
        exchanged.push_back(i);
        is_joined_[beside(i)] = 1;
      }
    for (std::uint32_t e = 0; e < labels_.size(); ++e) elements_[e] = 0, lowest_[e] = first_ + e;
    for (std::uint32_t e = 0; e < labels_.size(); ++e)
      if (is_joined(e)) ++elements_[joined_.first(e)];
    find_lowest(exchanged);
    count_across(exchanged);
  }

  /// Whether the element has a face that was exchanged in a stage so far.
  bool is_joined(std::uint32_t element) const { return is_joined_[element] != 0; }
  /// The lowest position of all that is joined to the element, also on other ranks.
  std::uint32_t lowest(std::uint32_t element) { return lowest_[joined_.first(element)]; }
  /// Elements of all that is joined to the element.
  std::int64_t elements(std::uint32_t element) {
    const std::uint32_t first = joined_.first(element);
    const auto found = across_.find(lowest_[first]);
    return found != across_.end() ? found->second : elements_[first];
  }

 private:
  std::uint32_t beside(std::size_t halo_face) const { return mesh_.halo_faces[halo_face].element; }

  // Positions go from rank to rank until all that is joined has one.
  void find_lowest(const std::vector<std::size_t>& exchanged) {
    std::vector<std::uint32_t> known(labels_.size());  // of the elements beside halo faces
    for (bool changes = true; changes;) {
      for (std::size_t i = 0; i < halo_labels_.size(); ++i) known[beside(i)] = lowest(beside(i));
      const std::vector<std::uint32_t> beyond = beyond_halo(mesh_, known, comm_);
      changes = false;
      for (const std::size_t i : exchanged) {
        std::uint32_t& mine = lowest_[joined_.first(beside(i))];
        changes |= beyond[i] < mine;
        mine = std::min(mine, beyond[i]);
      }
      changes = comm_.max(std::int64_t{changes}) > 0;
    }
  }

  void count_across(const std::vector<std::size_t>& exchanged) {
    struct Part {
      std::uint32_t lowest;
      std::int64_t elements;
    };
    std::map<std::uint32_t, Part> parts;  // of this rank, by their first elements
    for (const std::size_t i : exchanged) {
      const std::uint32_t first = joined_.first(beside(i));
      parts[first] = {lowest_[first], elements_[first]};
    }
    std::vector<Part> mine;
    for (const auto& [first, part] : parts) mine.push_back(part);
    across_.clear();
    for (const Part& part : share(mine, comm_)) across_[part.lowest] += part.elements;
  }

  const Subdomain& mesh_;
  std::uint32_t first_;  // position of element 0
  const parallel::Communicator& comm_;
  const std::vector<std::uint8_t>& labels_;       // [elements]
  std::vector<std::uint8_t> halo_labels_;         // [halo faces]
  JoinedElements joined_;                         // on this rank
  std::vector<std::uint8_t> is_joined_;           // [elements]
  std::vector<std::uint32_t> lowest_;             // [first elements of what is joined] position, of all ranks
  std::vector<std::int64_t> elements_;            // [first elements of what is joined] on this rank
  std::map<std::uint32_t, std::int64_t> across_;  // elements of what several ranks have, by its lowest position
};

}  // namespace

Pieces whole_pieces(const CurveRange& range, const ElementWork& work, int parts, const parallel::Communicator& comm) {
  const bool has_none = work.stages < 2 || work.labels.empty() || !work.keeps_pieces;
  if (comm.max(std::int64_t{has_none}) > 0) return {{}, work.stages};
  const std::int64_t most = std::min(most_in_piece, range.mesh.global_elements / (4 * parts));
  JoinedOnAllRanks joined(range, work, comm);
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
