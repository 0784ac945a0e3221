#pragma once
// Pieces of a mesh that a partition leaves whole. A stage of few elements (the finer levels of local time steps) takes
// as long as its chain of loads, on one rank or on many; a message between ranks would be the longer part of it. A stage
// whose pieces are whole has no messages.
#include <cstdint>
#include <vector>

#include "dgtd/mesh/element_work.hpp"
#include "dgtd/mesh/subdomain.hpp"
#include "dgtd/parallel/communicator.hpp"

namespace dgtd::mesh {

/// Positions (partition.hpp) of the elements of a rank's equal range of the curve: from first on.
struct CurveRange {
  const Subdomain& mesh;
  std::int64_t first;
};

struct Pieces {
  /// [elements of the range] the position of the first element of an element's piece; its own one where it belongs to
  /// none. Empty on all ranks where the mesh has no pieces.
  std::vector<std::uint32_t> of_element = {};
  /// Stages whose work is to be divided evenly: those that exchange faces, and those of many elements.
  int stages = 0;
};

/// In stage s the faces are exchanged of whose two elements one has a label (ElementWork) of s or more. A piece is what
/// such faces join, of the earliest stage whose pieces, and those of all later ones, have at most 16,384 elements, which
/// a rank updates about as fast as several do with messages, and a quarter of a part's. None where the work does not ask
/// for pieces. The same pieces for any number of ranks. Collective.
Pieces whole_pieces(const CurveRange& range, const ElementWork& work, int parts, const parallel::Communicator& comm);

/// The work of the stages that are to be divided evenly.
ElementWork divided_work(const ElementWork& work, const Pieces& pieces);

/// Positions of an element and of the first element of its piece, which another rank's range contains.
struct ElementOfPiece {
  std::uint32_t position, piece;
};

/// The elements of all ranks in pieces of other ranges. piece: Pieces::of_element. Collective.
std::vector<ElementOfPiece> elements_of_pieces_elsewhere(std::int64_t first, const std::vector<std::uint32_t>& piece,
                                                         const parallel::Communicator& comm);

}  // namespace dgtd::mesh
