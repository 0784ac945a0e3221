#pragma once
// Fields on the cells of a Cartesian grid as VTK files, for ParaView: a piece a rank, and an index.
#include "dgtd/io/vtk_output.hpp"
#include "dgtd/mesh/grid.hpp"

namespace dgtd::io {

/// Collective. Each rank writes directory/STEM_RANK.vtr with its block's cells (x fastest), then root
/// directory/STEM.pvtr. Where any rank fails, every rank throws the first failing rank's Error.
void write_vtr(const std::filesystem::path& directory, const std::string& stem, const mesh::Grid& grid, const mesh::GridBlock& block,
               const std::vector<Array>& cell, const parallel::Communicator& communicator);

}  // namespace dgtd::io
