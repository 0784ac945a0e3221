#pragma once
// Triangles of the mesh in the plane of a port, of all ranks.
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "dgtd/parallel/communicator.hpp"
#include "section_triangle.hpp"

namespace dgtd::dg {

/// An edge of a triangle by its vertices, ascending.
using SectionEdge = std::array<std::int64_t, 2>;

/// Finds the triangle at a place by the cells of a grid over all of them.
class SectionTriangles {
 public:
  SectionTriangles() = default;
  explicit SectionTriangles(std::vector<SectionTriangle> list);

  struct Place {
    std::size_t triangle;                // its place in the list
    std::array<double, 3> barycentric;  // of the place; negative ones: it is outside
  };
  /// The triangle whose least barycentric coordinate is largest, among those of the place's cell; none where it has none.
  std::optional<Place> nearest(double u, double v) const;
  const std::vector<SectionTriangle>& list() const { return triangles_; }

 private:
  std::vector<SectionTriangle> triangles_;
  std::array<double, 2> low_{}, cell_{};  // m
  int cells_ = 0;                         // along each axis
  std::vector<std::vector<std::uint32_t>> in_cell_;  // [cells][cells] triangles that reach into the cell
};

/// A list of rank 0 on all ranks. T is trivially copyable. Collective.
template <class T>
std::vector<T> broadcast_list(const std::vector<T>& list, const parallel::Communicator& comm) {
  std::string bytes(comm.is_root() ? list.size() * sizeof(T) : 0, '\0');
  if (!bytes.empty()) std::memcpy(bytes.data(), list.data(), bytes.size());
  bytes = comm.broadcast(std::move(bytes));
  std::vector<T> all(bytes.size() / sizeof(T));
  if (!all.empty()) std::memcpy(all.data(), bytes.data(), bytes.size());
  return all;
}

}  // namespace dgtd::dg
