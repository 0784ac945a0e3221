#include "section_cells.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/log.hpp"
#include "dgtd/base/units.hpp"
#include "port_error.hpp"

namespace dgtd::dg {

namespace {

using Point = std::array<double, 2>;  // m, in the plane

std::string place_text(const GuidePlane& plane, const Point& at) {
  Vec3 x;
  x[plane.normal] = plane.port.centre[plane.normal];
  for (const std::size_t w : {0, 1}) x[plane.axes[w]] = at[w];
  return fmt::format("{:.6g} {:.6g} {:.6g} m", x.x, x.y, x.z);
}

Point centre_of(const SectionTriangle& t) {
  Point c{};
  for (const auto& x : t.at)
    for (const std::size_t w : {0, 1}) c[w] += x[w] / 3;
  return c;
}

// One of both sides of each face, in the order of vertices: the guide goes on through the plane as it is.
std::vector<SectionFace> joined(const GuidePlane& plane, std::vector<SectionFace> faces) {
  std::sort(faces.begin(), faces.end(), [](const SectionFace& a, const SectionFace& b) {
    return std::tie(a.triangle.corners, a.ahead) < std::tie(b.triangle.corners, b.ahead);
  });
  std::vector<SectionFace> one;
  for (const SectionFace& f : faces) {
    if (one.empty() || one.back().triangle.corners != f.triangle.corners) {
      one.push_back(f);
      continue;
    }
    const SectionFace& behind = one.back();
    if (behind.permittivity != f.permittivity || behind.permeability != f.permeability)
      refuse_port(plane.port,
                  fmt::format("its guide must be the same behind the plane and ahead of it; relative permittivity near {}: "
                              "{:.4g} behind, {:.4g} ahead",
                              place_text(plane, centre_of(f.triangle)), behind.permittivity, f.permittivity));
  }
  for (const SectionFace& f : one)
    if (f.permeability != one.front().permeability)
      refuse_port(plane.port, "ports of type mode need materials of one mu_r in their plane");
  return one;
}

/// An edge of faces, with the permittivities of those that have it.
struct FacesEdge {
  Point from{}, to{};
  int faces = 0;
  bool between_materials = false;
  double permittivity = 0;

  bool along(int axis, double tolerance) const {
    return std::abs(from[std::size_t(1 - axis)] - to[std::size_t(1 - axis)]) <= tolerance;
  }
};

using FacesEdges = std::map<SectionEdge, FacesEdge>;

FacesEdges edges_of(const std::vector<SectionFace>& faces) {
  FacesEdges edges;
  for (const SectionFace& f : faces)
    for (const auto& [i, j] : {std::pair{0, 1}, std::pair{0, 2}, std::pair{1, 2}}) {
      SectionEdge key{f.triangle.corners[std::size_t(i)], f.triangle.corners[std::size_t(j)]};
      if (key[0] > key[1]) std::swap(key[0], key[1]);
      FacesEdge& edge = edges[key];
      edge.from = f.triangle.at[std::size_t(i)], edge.to = f.triangle.at[std::size_t(j)];
      edge.between_materials = edge.between_materials || (edge.faces > 0 && edge.permittivity != f.permittivity);
      edge.permittivity = f.permittivity;
      ++edge.faces;
    }
  return edges;
}

/// Walls in the plane: edges of it that faces have.
std::vector<FacesEdge> walls_among(const FacesEdges& edges, const std::vector<SectionEdge>& walls) {
  std::vector<FacesEdge> list;
  for (SectionEdge key : walls) {
    if (key[0] > key[1]) std::swap(key[0], key[1]);
    if (const auto found = edges.find(key); found != edges.end()) list.push_back(found->second);
  }
  return list;
}

/// The rectangle that is the plane.
struct PlaneEnds {
  Point low, high;
  double tolerance;

  explicit PlaneEnds(const GuidePlane& plane) : tolerance(2 * plane.tolerance) {
    for (const std::size_t w : {0, 1}) {
      low[w] = plane.port.centre[plane.axes[w]] - 0.5 * plane.port.size[plane.axes[w]];
      high[w] = plane.port.centre[plane.axes[w]] + 0.5 * plane.port.size[plane.axes[w]];
    }
  }
  // Whether an edge is on the end of an axis.
  bool has(const FacesEdge& edge, int axis, bool upper) const {
    const auto w = static_cast<std::size_t>(axis);
    const double end = upper ? high[w] : low[w];
    return std::abs(edge.from[w] - end) <= tolerance && std::abs(edge.to[w] - end) <= tolerance;
  }
  bool has(const FacesEdge& edge) const {
    return has(edge, 0, false) || has(edge, 0, true) || has(edge, 1, false) || has(edge, 1, true);
  }
};

// Faces end at ends of the plane or in conductors, and magnetic walls are at ends alone.
void check_ends(const GuidePlane& plane, const PlaneEnds& ends, const FacesEdges& edges, const SectionFaces& all) {
  std::vector<SectionEdge> conductors = all.conductors;
  for (SectionEdge& edge : conductors)
    if (edge[0] > edge[1]) std::swap(edge[0], edge[1]);
  std::sort(conductors.begin(), conductors.end());
  for (const auto& [key, edge] : edges) {
    if (edge.faces != 1 || ends.has(edge) || std::binary_search(conductors.begin(), conductors.end(), key)) continue;
    refuse_port(plane.port,
                fmt::format("faces of the mesh in its plane end at {}, which is neither at the ends of its size nor in a "
                            "perfect conductor; they must fill its size",
                            place_text(plane, {0.5 * (edge.from[0] + edge.to[0]), 0.5 * (edge.from[1] + edge.to[1])})));
  }
}

// Lines of the cells across an axis.
std::vector<double> lines_of(const PlaneEnds& ends, const FacesEdges& edges, int axis, double spacing) {
  const auto w = static_cast<std::size_t>(axis);
  std::vector<double> fixed{ends.low[w], ends.high[w]};
  for (const auto& [key, edge] : edges)
    if ((edge.between_materials || edge.faces == 1) && edge.along(1 - axis, ends.tolerance))
      fixed.push_back(0.5 * (edge.from[w] + edge.to[w]));
  std::sort(fixed.begin(), fixed.end());
  std::vector<double> lines{ends.low[w]};
  for (const double line : fixed) {
    const double length = line - lines.back();
    if (length <= 2 * ends.tolerance || (line != ends.high[w] && ends.high[w] - line <= 2 * ends.tolerance)) continue;
    const double from = lines.back();
    const int cells = std::max(1, static_cast<int>(std::ceil(length / spacing * (1 - 1e-9))));
    for (int i = 1; i <= cells; ++i) lines.push_back(i == cells ? line : from + length * i / cells);
  }
  return lines;
}

constexpr int samples = 4;  // of the permittivity along each axis of a cell

/// Permittivities at places in the cells; 0 in conductors.
class CellSamples {
 public:
  CellSamples(const grid::CrossSection& section, const std::vector<SectionFace>& faces) : section_(section) {
    std::vector<SectionTriangle> list;
    for (const SectionFace& f : faces) list.push_back(f.triangle);
    const SectionTriangles triangles(std::move(list));
    constexpr double outside = -1e-6;
    values_.assign(section.numbers() * samples * samples, 0);
    for (int j = 0; j + 1 < section.nodes(1); ++j)
      for (int i = 0; i + 1 < section.nodes(0); ++i)
        for (int q = 0; q < samples; ++q)
          for (int p = 0; p < samples; ++p) {
            const double u = section.at[0][std::size_t(i)] + (p + 0.5) / samples * section.length(0, i),
                         v = section.at[1][std::size_t(j)] + (q + 0.5) / samples * section.length(1, j);
            const auto place = triangles.nearest(u, v);
            if (!place || *std::min_element(place->barycentric.begin(), place->barycentric.end()) < outside) continue;
            values_[index(i, j, p, q)] = faces[place->triangle].permittivity;
          }
  }

  /// Along an axis E in the cells crosses materials one after the other, beside it one beside the other: the mean over
  /// lines of harmonic means along them. Of the half of a cell beside an edge; metal: the share of it.
  struct Half {
    double permittivity = 0, metal = 0;
  };
  Half half(int axis, int i, int j, bool upper) const {
    Half result;
    int lines = 0;
    for (int q = upper ? samples / 2 : 0; q < (upper ? samples : samples / 2); ++q) {
      double inverse = 0;
      int count = 0;
      for (int p = 0; p < samples; ++p) {
        const double value = axis == 0 ? values_[index(i, j, p, q)] : values_[index(i, j, q, p)];
        if (value > 0) inverse += 1 / value, ++count;
        else result.metal += 2.0 / (samples * samples);
      }
      if (count > 0) result.permittivity += count / inverse, ++lines;
    }
    if (lines > 0) result.permittivity /= lines;
    return result;
  }
  /// The mean of a quarter of a cell without metal.
  double quarter(int i, int j, bool upper_u, bool upper_v) const {
    double sum = 0;
    int count = 0;
    for (int q = 0; q < samples / 2; ++q)
      for (int p = 0; p < samples / 2; ++p)
        if (const double value = values_[index(i, j, p + (upper_u ? samples / 2 : 0), q + (upper_v ? samples / 2 : 0))];
            value > 0)
          sum += value, ++count;
    return count > 0 ? sum / count : 0;
  }

 private:
  std::size_t index(int i, int j, int p, int q) const {
    return (static_cast<std::size_t>(section_.number(i, j)) * samples + std::size_t(q)) * samples + std::size_t(p);
  }
  const grid::CrossSection& section_;
  std::vector<double> values_;  // [numbers of cells][samples][samples]
};

// E along an axis at the edges of the cells. An edge is in metal where half of what is around it is.
void set_edges(grid::CrossSection& s, const CellSamples& cells, int axis) {
  auto& permittivities = s.permittivities[std::size_t(axis)];
  for (int j = 0; j < s.nodes(1); ++j)
    for (int i = 0; i < s.nodes(0); ++i) {
      if ((axis == 0 ? i : j) + 1 == s.nodes(axis)) continue;
      const int across = axis == 0 ? j : i;
      double sum = 0, area = 0, metal = 0, all = 0;
      for (const bool above : {false, true}) {
        const int cell = above ? across : across - 1;
        if (cell < 0 || cell + 1 == s.nodes(1 - axis)) continue;
        const double width = s.length(1 - axis, cell);
        const auto half = axis == 0 ? cells.half(0, i, cell, !above) : cells.half(1, cell, j, !above);
        all += width, metal += width * half.metal;
        if (half.permittivity > 0) sum += width * half.permittivity, area += width;
      }
      constexpr double most_metal = 0.5 - 1e-6;
      if (area > 0 && metal < most_metal * all) permittivities[std::size_t(s.number(i, j))] = sum / area;
    }
}

void set_nodes(grid::CrossSection& s, const CellSamples& cells) {
  for (int j = 0; j < s.nodes(1); ++j)
    for (int i = 0; i < s.nodes(0); ++i) {
      double sum = 0, area = 0;
      for (const int a : {i - 1, i})
        for (const int b : {j - 1, j}) {
          if (a < 0 || b < 0 || a + 1 == s.nodes(0) || b + 1 == s.nodes(1)) continue;
          const double value = cells.quarter(a, b, a < i, b < j), of_cell = s.length(0, a) * s.length(1, b);
          if (value > 0) sum += value * of_cell, area += of_cell;
        }
      if (area > 0) s.permittivities[2][std::size_t(s.number(i, j))] = sum / area;
    }
}

// Edges of the cells on walls along an axis are in metal, even where the plane goes on behind them.
void put_on_walls(grid::CrossSection& s, const std::vector<FacesEdge>& walls, double tolerance) {
  for (const FacesEdge& wall : walls)
    for (const std::size_t w : {0, 1}) {
      if (!wall.along(static_cast<int>(w), tolerance)) continue;
      const auto& across = s.at[1 - w];
      const double place = 0.5 * (wall.from[1 - w] + wall.to[1 - w]);
      const auto line = std::lower_bound(across.begin(), across.end(), place - 2 * tolerance) - across.begin();
      if (line == std::ptrdiff_t(across.size()) || std::abs(across[std::size_t(line)] - place) > 2 * tolerance) continue;
      const auto [from, to] = std::minmax(wall.from[w], wall.to[w]);
      for (int cell = 0; cell + 1 < s.nodes(static_cast<int>(w)); ++cell) {
        const double middle = s.at[w][std::size_t(cell)] + 0.5 * s.length(static_cast<int>(w), cell);
        if (middle < from || middle > to) continue;
        const int at = static_cast<int>(line);
        s.permittivities[w][std::size_t(w == 0 ? s.number(cell, at) : s.number(at, cell))] = 0;
      }
    }
}

// Where an edge in metal ends, E along the normal is in metal, too.
void put_nodes_in_metal(grid::CrossSection& s) {
  for (const int w : {0, 1})
    for (int j = 0; j < s.nodes(1); ++j)
      for (int i = 0; i < s.nodes(0); ++i) {
        if ((w == 0 ? i : j) + 1 == s.nodes(w) || s.permittivities[std::size_t(w)][std::size_t(s.number(i, j))] > 0) continue;
        s.permittivities[2][std::size_t(s.number(i, j))] = 0;
        s.permittivities[2][std::size_t(w == 0 ? s.number(i + 1, j) : s.number(i, j + 1))] = 0;
      }
}

constexpr double most_cells = 40000;  // of a plane

}  // namespace

CellLength cell_length(const GuidePlane& plane, const SectionFaces& faces) {
  constexpr double per_wavelength = 64, least_along = 40;
  const physics::Port& port = plane.port;
  const double u = port.size[plane.axes[0]], v = port.size[plane.axes[1]];
  double square = 1;
  for (const SectionFace& f : faces.faces) square = std::max(square, f.permittivity * f.permeability);
  const double wavelength = speed_of_light / (port.frequencies.back() * std::sqrt(square));
  const double wanted = std::min({wavelength / per_wavelength, u / least_along, v / least_along});
  return {wanted, std::max(wanted, std::sqrt(u * v / most_cells))};
}

void report_larger_cells(const physics::Port& port, const CellLength& length) {
  if (length.taken > length.wanted)
    log::info(
        "{}: its modes are those of cells of {} in its plane, {:.0f} of them; a smaller port.{}.size has cells down to "
        "{}",
        name_of(port), units::length_text(length.taken), most_cells, port.name, units::length_text(length.wanted));
}

grid::CrossSection cells_over(const GuidePlane& plane, SectionFaces all, double spacing) {
  const std::vector<SectionFace> faces = joined(plane, std::move(all.faces));
  const FacesEdges edges = edges_of(faces);
  const PlaneEnds ends(plane);
  check_ends(plane, ends, edges, all);
  grid::CrossSection s;
  s.normal = plane.normal, s.axes = plane.axes;
  s.permeability = faces.front().permeability;
  for (const int w : {0, 1}) s.at[std::size_t(w)] = lines_of(ends, edges, w, spacing);
  for (auto& values : s.permittivities) values.assign(s.numbers(), 0);
  const CellSamples cells(s, faces);
  for (const int w : {0, 1}) set_edges(s, cells, w);
  set_nodes(s, cells);
  put_on_walls(s, walls_among(edges, all.conductors), ends.tolerance);
  put_nodes_in_metal(s);
  for (const FacesEdge& wall : walls_among(edges, all.magnetic_walls)) {
    if (!ends.has(wall))
      refuse_port(plane.port, fmt::format("a magnetic wall is inside of its size, at {}; its size must end there",
                                          place_text(plane, wall.from)));
    for (const int axis : {0, 1})
      for (const bool upper : {false, true})
        if (ends.has(wall, axis, upper)) s.on_magnetic_wall[std::size_t(axis)][upper] = true;
  }
  const auto free_of = [](const std::vector<double>& permittivities) {
    std::vector<char> free(permittivities.size());
    std::transform(permittivities.begin(), permittivities.end(), free.begin(), [](double p) { return p > 0 ? 1 : 0; });
    return free;
  };
  for (const std::size_t w : {0, 1}) s.is_free[w] = free_of(s.permittivities[w]);
  s.node_is_free = free_of(s.permittivities[2]);
  return s;
}

solver::ModeFields fields_at(const grid::CrossSection& s, const grid::SectionMode& mode, double u, double v, int axis) {
  const Point place{u, v};
  const auto w = static_cast<std::size_t>(axis), across = 1 - w;
  const auto cell_of = [&](std::size_t a) {
    const auto above = std::upper_bound(s.at[a].begin(), s.at[a].end(), place[a]) - s.at[a].begin();
    return static_cast<int>(std::clamp<std::ptrdiff_t>(above - 1, 0, std::ptrdiff_t(s.at[a].size()) - 2));
  };
  const int cell = cell_of(w), line = cell_of(across);
  const auto middle = [&](int c) { return s.at[w][std::size_t(c)] + 0.5 * s.length(axis, c); };
  const bool above = place[w] > middle(cell);
  const int other = above ? cell + 1 : cell - 1;
  const bool at_end = other < 0 || other + 1 == s.nodes(axis);
  // Behind the end of the plane E is the same: the mirror image of an electric wall, that of a magnetic one has the sign.
  const double image = at_end && s.on_magnetic_wall[w][above] ? -1 : 1;
  const double apart = at_end ? s.length(axis, cell) : std::abs(middle(other) - middle(cell));
  const double share = std::clamp(std::abs(place[w] - middle(cell)) / apart, 0.0, 1.0);
  const double upper = std::clamp(
      (place[across] - s.at[across][std::size_t(line)]) / s.length(static_cast<int>(across), line), 0.0, 1.0);
  solver::ModeFields sum{0, 0};
  for (const int row : {line, line + 1}) {
    const double part = row == line ? 1 - upper : upper;
    const auto number = [&](int c) { return static_cast<std::size_t>(axis == 0 ? s.number(c, row) : s.number(row, c)); };
    const std::size_t here = number(cell), there = at_end ? here : number(other);
    const double permittivity = s.permittivities[w][here];
    if (permittivity == 0) continue;
    // In metal there is no value to go on to.
    const std::size_t next = s.permittivities[w][there] > 0 ? there : here;
    const double ratio = s.permittivities[w][next] / permittivity;
    sum.electric += part * ((1 - share) * mode.electric[w][here] + share * image * ratio * mode.electric[w][next]);
    sum.magnetic += part * ((1 - share) * mode.magnetic[w][here] + share * image * mode.magnetic[w][next]);
  }
  return sum;
}

}  // namespace dgtd::dg
