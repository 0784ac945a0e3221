#pragma once
// Fields on tetrahedra as VTK files, for ParaView: one piece per rank, and an index that names them all.
#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "dgtd/io/columns.hpp"
#include "dgtd/io/result_files.hpp"
#include "dgtd/io/shared_points.hpp"
#include "dgtd/mesh/subdomain.hpp"
#include "dgtd/parallel/communicator.hpp"

namespace dgtd::io {

/// Part that one rank writes. All ranks give the same columns in the same order, empty ranks too.
struct TetrahedraFile {
  const mesh::Subdomain* mesh = nullptr;
  std::vector<std::uint32_t> elements;   // [cells] local elements, in the order of the file
  int degree = 1;                        // of the cells, 1 to 6; 1 with shared points
  const SharedPoints* shared = nullptr;  // of `elements`. Null: each cell has points of its own, so jumps are shown
  FilePrecision precision = FilePrecision::single_precision;
  std::vector<std::string> conventions;  // field data `conventions`: what the values are, such as peak or mean
  /// Rows are the shared points, or cells with their points: [cells][lagrange_points(degree)][components], relative to
  /// the element's own order of vertices whatever its orientation.
  Columns point;
  Columns cell;  // rows are cells
};

/// Barycentric coordinates of the points of VTK's Lagrange tetrahedron, in VTK's order.
std::vector<std::array<double, 4>> lagrange_points(int order);

/// Points that a Lagrange tetrahedron of this order has.
constexpr int lagrange_point_count(int order) { return (order + 1) * (order + 2) * (order + 3) / 6; }

/// Collective. Notes the file STEM.pvtu with its pieces; each rank writes STEM_RANK.vtu (raw, appended), then root
/// STEM.pvtu. Cell arrays `material` (index into the mesh's volume names) and `rank` and
/// the field data `material_names` are added. The directory exists: one that was removed during a run is an error.
/// Where any rank fails, every rank throws the first failing rank's Error. Returns the bytes that this rank has
/// written.
std::int64_t write_vtu(const PiecedFile& to, const TetrahedraFile& file, const parallel::Communicator& communicator);

/// Bytes of this rank's piece; the columns' fill functions are not needed.
std::int64_t vtu_bytes(const TetrahedraFile& file);

}  // namespace dgtd::io
