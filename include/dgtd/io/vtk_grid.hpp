#pragma once
// Fields on the cells of a Cartesian grid as VTK files, for ParaView: a piece a rank, and an index.
#include <array>

#include "dgtd/io/vtk_output.hpp"
#include "dgtd/grid/cartesian_grid.hpp"

namespace dgtd::io {

/// A box of nodes, both ends included; flat where first = last along one axis.
struct NodeExtent {
  std::array<std::int64_t, 3> first{}, last{};
};

/// Collective. Each rank that has a part of `whole` writes directory/STEM_RANK.vtr with its cells (x fastest), then
/// root directory/STEM.pvtr. mine: null where this rank has none; the arrays' names count all the same. Where any rank
/// fails, every rank throws the first failing rank's Error.
void write_vtr(const std::filesystem::path& directory, const std::string& stem, const grid::CartesianGrid& grid,
               const NodeExtent& whole, const NodeExtent* mine, const std::vector<Array>& cell,
               const parallel::Communicator& communicator);
/// The whole grid; block: this rank's cells.
void write_vtr(const std::filesystem::path& directory, const std::string& stem, const grid::CartesianGrid& grid,
               const grid::Block& block, const std::vector<Array>& cell, const parallel::Communicator& communicator);

}  // namespace dgtd::io
