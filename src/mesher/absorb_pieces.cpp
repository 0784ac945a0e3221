#include <algorithm>
#include <map>
#include <numeric>

#include "dgtd/mesh/tetrahedron.hpp"
#include "improve.hpp"

namespace dgtd::mesher {
namespace {

constexpr int faces[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};  // opposite a corner

struct Face {
  std::array<std::int32_t, 3> points;  // ascending
  std::int32_t tetrahedron;
  bool operator<(const Face& o) const { return points != o.points ? points < o.points : tetrahedron < o.tetrahedron; }
};

/// Pairs of tetrahedra with a common face, and its area.
struct Contact {
  std::int32_t a, b;
  double area;  // m2
};

std::vector<Contact> contacts_of(const Tetrahedra& mesh) {
  std::vector<Face> list;
  list.reserve(4 * mesh.corners.size());
  for (std::size_t t = 0; t < mesh.corners.size(); ++t)
    for (const auto& f : faces) {
      Face face{{mesh.corners[t][f[0]], mesh.corners[t][f[1]], mesh.corners[t][f[2]]}, std::int32_t(t)};
      std::sort(face.points.begin(), face.points.end());
      list.push_back(face);
    }
  std::sort(list.begin(), list.end());
  std::vector<Contact> contacts;
  for (std::size_t i = 0; i + 1 < list.size(); ++i)
    if (list[i].points == list[i + 1].points) {
      const auto& [p, q, r] = list[i].points;
      const Vec3& x = mesh.points[p];
      contacts.push_back(
          {list[i].tetrahedron, list[i + 1].tetrahedron, 0.5 * norm(cross(mesh.points[q] - x, mesh.points[r] - x))});
    }
  return contacts;
}

}  // namespace

int absorb_pieces(Tetrahedra& mesh, double volume) {
  const std::vector<Contact> contacts = contacts_of(mesh);
  std::vector<std::int32_t> root(mesh.corners.size());
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](std::int32_t t) {
    while (root[t] != t) t = root[t] = root[root[t]];
    return t;
  };
  for (const Contact& c : contacts)
    if (mesh.region[c.a] == mesh.region[c.b]) root[find(c.a)] = find(c.b);
  std::map<std::int32_t, double> of_piece;  // m3
  for (std::size_t t = 0; t < root.size(); ++t) {
    of_piece[find(std::int32_t(t))] += mesh::Tetrahedron::at(mesh.points, mesh.corners[t]).signed_volume();
  }
  std::map<int, double> largest;  // of a region's pieces
  for (const auto& [piece, v] : of_piece) largest[mesh.region[piece]] = std::max(largest[mesh.region[piece]], v);
  const auto small = [&](std::int32_t piece) {
    const double v = of_piece.at(piece);
    return v < volume && v < largest.at(mesh.region[piece]);
  };
  std::map<std::int32_t, std::map<int, double>> around;  // of small pieces: area to each region, m2
  for (const Contact& c : contacts) {
    const std::int32_t a = find(c.a), b = find(c.b);
    if (a == b) continue;
    if (small(a)) around[a][mesh.region[c.b]] += c.area;
    if (small(b)) around[b][mesh.region[c.a]] += c.area;
  }
  std::map<std::int32_t, std::uint8_t> given;
  for (const auto& [piece, areas] : around)
    given[piece] =
        static_cast<std::uint8_t>(std::max_element(areas.begin(), areas.end(), [](const auto& a, const auto& b) {
                                    return a.second < b.second;
                                  })->first);
  for (std::size_t t = 0; t < root.size(); ++t)
    if (const auto to = given.find(find(std::int32_t(t))); to != given.end()) mesh.region[t] = to->second;
  return static_cast<int>(given.size());
}

}  // namespace dgtd::mesher
