#pragma once
// Fields on tetrahedra as VTK files, for ParaView: a piece a rank, an index that names them all, and
// a series in time. Points are not shared between elements, so that jumps of a discontinuous field
// show as they are.
#include <array>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "dgtd/mesh/subdomain.hpp"
#include "dgtd/parallel/communicator.hpp"

namespace dgtd::io {

/// A named field; the unit belongs in the name. values: [points or cells][components].
struct Array {
  std::string name;
  int components = 1;
  std::vector<float> values;
};

/// What one rank writes. All ranks give the same arrays in the same order, empty ranks too. Points
/// are those of lagrange_points(), element by element, relative to the element's own vertex order
/// whatever its orientation: 4 points an element are its vertices, 10, 20, 35… those of order 2, 3, 4…
struct Piece {
  const mesh::Subdomain* mesh = nullptr;
  int points_per_element = 4;
  std::vector<Array> point;
  std::vector<Array> cell;
};

/// Barycentric coordinates of the points of VTK's Lagrange tetrahedron, in VTK's order.
std::vector<std::array<double, 4>> lagrange_points(int order);

/// Points that a Lagrange tetrahedron of this order has.
constexpr int lagrange_point_count(int order) { return (order + 1) * (order + 2) * (order + 3) / 6; }

/// Collective. Each rank writes directory/STEM_RANK.vtu (single precision, compressed), then root
/// directory/STEM.pvtu. Cell arrays `material` (index into the mesh's volume names) and `rank` and
/// the field data `material_names` come on their own. Creates the directory. Where any rank fails,
/// every rank throws the first failing rank's Error.
void write_vtu(const std::filesystem::path& directory, const std::string& stem, const Piece& piece,
               const parallel::Communicator& communicator);

/// A .pvd file that lists snapshots in time, or spectra over frequency (Hz as the time). To be used on root only.
class TimeSeries {
 public:
  explicit TimeSeries(std::filesystem::path pvd_file) : file_(std::move(pvd_file)) {}

  /// Adds a snapshot and rewrites the file, so that it is whole after every step of a run that is
  /// cut short. The .pvtu file lies in the .pvd file's directory or below it.
  void add(double time_s, const std::filesystem::path& pvtu_file);

 private:
  std::filesystem::path file_;
  std::vector<std::pair<double, std::string>> snapshots_;
};

}  // namespace dgtd::io
