#pragma once
// Fields on the cells of a Cartesian grid as VTK files, for ParaView: one piece per rank, and an index.
#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "dgtd/grid/cartesian_grid.hpp"
#include "dgtd/grid/media.hpp"
#include "dgtd/io/columns.hpp"
#include "dgtd/io/result_files.hpp"
#include "dgtd/parallel/communicator.hpp"

namespace dgtd::io {

/// A box of nodes, both ends included; flat where first = last along one axis.
struct NodeExtent {
  std::array<std::int64_t, 3> first{}, last{};
  /// Cells between the nodes; a flat extent has one layer.
  std::size_t cells() const;
};

/// Materials of the cells of a file, as the array `material`, an index into the field data `material_names`.
struct CellMaterials {
  std::vector<std::string> names;      // empty: no such array
  const grid::Media* media = nullptr;  // outlives the file
  int at(const Vec3& place) const { return media->material_at(place); }
};

/// Part that one rank writes. All ranks give the same columns in the same order, also those without a part.
struct GridFile {
  const grid::CartesianGrid* grid = nullptr;
  NodeExtent whole;
  const NodeExtent* mine = nullptr;  // null where this rank has none
  FilePrecision precision = FilePrecision::single_precision;
  Columns cell;  // rows are the cells of `mine`, x fastest
  CellMaterials materials = {};
  std::vector<std::string> conventions = {};  // field data `conventions`: what the values are, such as peak or mean
};

/// Collective. Notes the file STEM.pvtr with its pieces; each rank that has a part of the whole writes STEM_RANK.vtr
/// (raw, appended) with its cells, then root STEM.pvtr. Where any rank fails, every rank throws the first
/// failing rank's Error. Returns the bytes that this rank has written.
std::int64_t write_vtr(const PiecedFile& to, const GridFile& file, const parallel::Communicator& communicator);

/// Bytes of this rank's piece, 0 without one; the columns' fill functions are not needed.
std::int64_t vtr_bytes(const GridFile& file);

}  // namespace dgtd::io
