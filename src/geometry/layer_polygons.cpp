// From a layout to the polygons of one layer: which cell, what it refers to, and their union.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "dgtd/base/error.hpp"
#include "dgtd/geometry/layout.hpp"
#include "path_pieces.hpp"
#include "unite.hpp"

namespace dgtd::geometry {
namespace {

constexpr double most_corners = 1e6;

// x' = m x + shift
struct Placement {
  double m[2][2] = {{1, 0}, {0, 1}};
  Point shift{};
  double magnification = 1;

  Point operator()(const Point& p) const {
    return {m[0][0] * p[0] + m[0][1] * p[1] + shift[0], m[1][0] * p[0] + m[1][1] * p[1] + shift[1]};
  }
};

// Exact for multiples of 90 degrees.
std::array<double, 2> cosine_and_sine(double angle) {
  const double quarters = angle / (std::numbers::pi / 2), whole = std::round(quarters);
  if (std::abs(quarters - whole) > 1e-12 * std::max(1.0, std::abs(whole))) return {std::cos(angle), std::sin(angle)};
  const int quarter = static_cast<int>(std::fmod(std::fmod(whole, 4) + 4, 4));
  constexpr double cosine[] = {1, 0, -1, 0};
  return {cosine[quarter], cosine[(quarter + 3) % 4]};
}

Placement placed(const Placement& outer, const LayoutReference& r, int column, int row) {
  const auto [cosine, sine] = cosine_and_sine(r.angle);
  const double up = r.mirrored ? -r.magnification : r.magnification;
  const double inner[2][2] = {{r.magnification * cosine, -up * sine}, {r.magnification * sine, up * cosine}};
  Placement p;
  for (int i : {0, 1})
    for (int j : {0, 1}) p.m[i][j] = outer.m[i][0] * inner[0][j] + outer.m[i][1] * inner[1][j];
  p.shift = outer({r.origin.x + column * r.column_step[0] + row * r.row_step[0],
                   r.origin.y + column * r.column_step[1] + row * r.row_step[1]});
  p.magnification = outer.magnification * r.magnification;
  return p;
}

// The part of a layout below one cell.
class Hierarchy {
 public:
  Hierarchy(const Layout& layout, const std::string& top, const Layer& layer)
      : layout_(layout), top_(top), layer_(layer) {
    std::vector<std::string> way;
    visit(top, way);
    if (content_.at(top).corners == 0)
      throw Error(fmt::format("cell {} has nothing in layer {}; its layers are {}", top, text_of(layer),
                              content_.at(top).layers.empty() ? "none" : text_of_layers(content_.at(top).layers)));
    if (content_.at(top).corners > most_corners)
      throw Error(fmt::format("cell {} has about {:.0e} corners in layer {}, allowed are {:.0e}", top,
                              content_.at(top).corners, text_of(layer), most_corners));
  }

  void add_to(PolygonUnion& all) const { add(layout_.cells.at(top_), {}, all); }

 private:
  struct Content {
    double corners = 0;  // in the layer, at most
    std::set<Layer> layers;
  };

  static std::string text_of_layers(const std::set<Layer>& layers) {
    std::vector<std::string> texts;
    for (const Layer& layer : layers) texts.push_back(text_of(layer));
    return fmt::format("{}", fmt::join(texts, ", "));
  }

  // way: the cells that lead to this one.
  void visit(const std::string& name, std::vector<std::string>& way) {
    constexpr std::size_t deepest = 256;
    if (content_.contains(name)) return;
    if (std::find(way.begin(), way.end(), name) != way.end())
      throw Error(fmt::format("cell {} contains itself", name));
    const auto found = layout_.cells.find(name);
    if (found == layout_.cells.end())
      throw Error(fmt::format("cell {} refers to cell {}, which the file does not have", way.back(), name));
    if (way.size() >= deepest) throw Error(fmt::format("cells are nested more than {} deep", deepest));
    way.push_back(name);
    Content content;
    for (const auto& boundary : found->second.boundaries) {
      content.layers.insert(boundary.layer);
      if (boundary.layer == layer_) content.corners += double(boundary.corners.size());
    }
    for (const auto& path : found->second.paths) {
      content.layers.insert(path.layer);
      if (path.layer == layer_) content.corners += corners_of_path(path);
    }
    for (const auto& reference : found->second.references) {
      visit(reference.cell, way);
      const Content& inner = content_.at(reference.cell);
      content.corners += inner.corners * reference.columns * reference.rows;
      content.layers.insert(inner.layers.begin(), inner.layers.end());
    }
    way.pop_back();
    content_[name] = std::move(content);
  }

  void add(const LayoutCell& cell, const Placement& place, PolygonUnion& all) const {
    for (const auto& boundary : cell.boundaries) {
      if (boundary.layer != layer_) continue;
      std::vector<Point> corners;
      for (const auto& [x, y] : boundary.corners) corners.push_back(place({double(x), double(y)}));
      all.add(corners);
    }
    for (LayoutPath path : cell.paths) {
      if (path.layer != layer_) continue;
      if (path.same_width) path.width /= place.magnification;
      for (auto piece : path_pieces(path)) {
        for (Point& corner : piece) corner = place(corner);
        all.add(piece);
      }
    }
    for (const auto& reference : cell.references) {
      if (content_.at(reference.cell).corners == 0) continue;
      for (int row = 0; row < reference.rows; ++row)
        for (int column = 0; column < reference.columns; ++column)
          add(layout_.cells.at(reference.cell), placed(place, reference, column, row), all);
    }
  }

  const Layout& layout_;
  const std::string& top_;
  const Layer layer_;
  std::map<std::string, Content> content_;
};

// The cell of that name, or the only top cell.
std::string cell_named(const Layout& layout, const std::string& name) {
  if (layout.cells.empty()) throw Error("the file has no cells");
  std::set<std::string> tops;
  for (const auto& [cell, content] : layout.cells) tops.insert(cell);
  for (const auto& [cell, content] : layout.cells)
    for (const auto& reference : content.references) tops.erase(reference.cell);
  if (!name.empty()) {
    if (layout.cells.contains(name)) return name;
    throw Error(fmt::format("there is no cell {}; top cells are {}", name, fmt::join(tops, ", ")));
  }
  if (tops.empty()) throw Error("each cell is a part of another one, so that cells contain themselves");
  if (tops.size() > 1)
    throw Error(fmt::format("there are {} top cells, of which cell must name one: {}", tops.size(), fmt::join(tops, ", ")));
  return *tops.begin();
}

// A whole number where the unit is 1 nm and alike, so that a corner has the bits of its decimal number of metres.
double units_per_metre(double unit) {
  const double whole = std::round(1 / unit);
  return std::abs(whole * unit - 1) < 1e-12 ? whole : 1 / unit;
}

}  // namespace

std::string text_of(const Layer& layer) { return fmt::format("{}/{}", layer.number, layer.type); }

std::vector<Polygon> layer_polygons(const Layout& layout, const std::string& cell, const Layer& layer) {
  const std::string top = cell_named(layout, cell);
  PolygonUnion all;
  Hierarchy(layout, top, layer).add_to(all);
  auto polygons = all.united(units_per_metre(layout.unit));
  if (polygons.empty())
    throw Error(fmt::format("what cell {} has in layer {} has no area", top, text_of(layer)));
  return polygons;
}

}  // namespace dgtd::geometry
