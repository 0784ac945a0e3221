#include "app/run/preview_views.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "app/problems/case_lines.hpp"
#include "dgtd/base/units.hpp"
#include "dgtd/observers/pictures.hpp"
#include "dgtd/observers/scene_maker.hpp"

namespace dgtd::app {

namespace {

using observers::PixelPlane;
using Box = std::array<Vec3, 2>;

constexpr int longest_side = 640;  // pixels

// Around the voxels and surfaces of bodies; the whole scene where there are none.
Box box_of_shown(const io::Scene& scene) {
  Box box{Vec3{1e300, 1e300, 1e300}, Vec3{-1e300, -1e300, -1e300}};
  const auto add = [&](int a, double at) { box[0][a] = std::min(box[0][a], at), box[1][a] = std::max(box[1][a], at); };
  for (const auto& s : scene.surfaces)
    if (scene.materials[s.material].is_shown)
      for (const auto& p : s.points)
        for (int a = 0; a < 3; ++a) add(a, double(p[a]));
  const auto& v = *scene.volume;
  const std::size_t nx = v.nodes[0].size() - 1, ny = v.nodes[1].size() - 1;
  for (std::size_t i = 0; i < v.material.size() && v.has_surfaces; ++i) {
    if (v.material[i] == io::Scene::Volume::nothing || !scene.materials[v.material[i]].has_surface) continue;
    const std::array<std::size_t, 3> at{i % nx, i / nx % ny, i / nx / ny};
    for (int a = 0; a < 3; ++a) add(a, v.nodes[a][at[a]]), add(a, v.nodes[a][at[a] + 1]);
  }
  return box[0].x <= box[1].x ? box : observers::box_of(scene);
}

PixelPlane plane_of(int axis, double position, const Box& window) {
  PixelPlane p;
  p.axis = axis, p.position = position;
  const double size[2] = {window[1][p.right()] - window[0][p.right()], window[1][p.up()] - window[0][p.up()]};
  p.pixel = std::max(size[0], size[1]) / longest_side;
  p.low = {window[0][p.right()], window[0][p.up()]};
  p.width = std::max(1, static_cast<int>(std::lround(size[0] / p.pixel)));
  p.height = std::max(1, static_cast<int>(std::lround(size[1] / p.pixel)));
  return p;
}

// Colours of materials; black between materials, and darker between cells where these are large enough to be seen.
std::string image_of(const io::Raster& r, const std::vector<observers::Region>& regions) {
  constexpr double least_area = 16;  // pixels of a cell
  const std::set<float> cells(r.value.begin(), r.value.end());
  const bool has_edges = double(r.pixels()) >= least_area * double(cells.size());
  std::vector<std::uint8_t> rgba(4 * r.pixels(), 0);
  for (int row = 0; row < r.height; ++row)
    for (int column = 0; column < r.width; ++column) {
      const auto at =
          static_cast<std::size_t>(row) * static_cast<std::size_t>(r.width) + static_cast<std::size_t>(column);
      const std::int32_t region = r.region[at];
      if (region < 0) continue;
      const auto n = static_cast<std::size_t>(region);
      auto colour = io::material_colour(n);
      if (regions[n].is_background) colour = {236, 238, 240};
      const auto differs = [&](bool inside, std::size_t next) {
        return !inside ? 0 : r.region[next] != region ? 2 : has_edges && r.value[next] != r.value[at] ? 1 : 0;
      };
      const int edge = std::max(differs(column + 1 < r.width, at + 1),
                                differs(row + 1 < r.height, at + static_cast<std::size_t>(r.width)));
      for (std::size_t channel = 0; channel < 3; ++channel)
        rgba[4 * at + channel] = edge == 2   ? 40
                                 : edge == 1 ? static_cast<std::uint8_t>(0.8 * colour[channel])
                                             : colour[channel];
      rgba[4 * at + 3] = 255;
    }
  return io::png_of(r.width, r.height, rgba);
}

// All lines, seen along the normal of the plane.
std::vector<io::Picture::Stroke> strokes_of(const std::vector<io::Scene::Lines>& lines, const PixelPlane& plane) {
  std::vector<io::Picture::Stroke> strokes;
  std::set<std::array<double, 4>> drawn;
  for (const auto& line : lines)
    for (const auto& s : line.segments) {
      std::array<double, 4> ends;
      for (std::size_t e = 0; e < 2; ++e) {
        ends[2 * e] = double(s[e][static_cast<std::size_t>(plane.right())]);
        ends[2 * e + 1] = double(s[e][static_cast<std::size_t>(plane.up())]);
      }
      if ((ends[0] == ends[2] && ends[1] == ends[3]) || !drawn.insert(ends).second) continue;
      strokes.push_back({line.colour, ends});
    }
  return strokes;
}

// One row of pictures, with the names of what they show.
io::PictureRow cuts(const Problem& problem, const std::vector<int>& axes, const Box& window, const Vec3& at,
                    const std::vector<io::Scene::Lines>& lines, const parallel::Communicator& comm) {
  io::PictureRow row;
  row.title = "Cuts";
  row.note =
      "Materials with their borders; edges of cells or elements where they are large enough to be seen. Sources, "
      "probes and boxes are projected onto the plane.";
  std::set<std::int32_t> seen;
  for (const int axis : axes) {
    const PixelPlane plane = plane_of(axis, at[axis], window);
    auto hits = problem.view->slice(plane);
    // Numbers that a float holds, which differ between neighbours.
    for (auto& h : hits) h.place = observers::scrambled(static_cast<std::uint64_t>(h.id)) & 0xffffff;
    const auto image = observers::gather_pixels(
        plane, hits, [](std::size_t number) { return static_cast<float>(number); }, comm);
    if (!comm.is_root()) continue;
    seen.insert(image.raster.region.begin(), image.raster.region.end());
    io::Picture p = observers::picture_of(plane, axes.size() > 1 ? observers::position_text(plane) : "plane");
    p.png = image_of(image.raster, problem.regions);
    p.strokes = strokes_of(lines, plane);
    p.plane = io::Picture::Plane{plane.axis, plane.position};
    row.pictures.push_back(std::move(p));
  }
  for (const std::int32_t region : seen)
    if (region >= 0) {
      const auto& r = problem.regions[static_cast<std::size_t>(region)];
      row.labels.push_back({r.name, r.is_background ? io::Scene::Colour{236, 238, 240}
                                                    : io::material_colour(static_cast<std::size_t>(region))});
    }
  for (const auto& line : lines) row.labels.push_back({line.name, line.colour});
  return row;
}

// The box with as much around it as half its longest side, but not more than there is.
Box widened(const Box& box, const Box& most) {
  double longest = 0;
  for (int a = 0; a < 3; ++a) longest = std::max(longest, box[1][a] - box[0][a]);
  Box wide = box;
  for (int a = 0; a < 3; ++a) {
    wide[0][a] = std::max(most[0][a], box[0][a] - 0.5 * longest);
    wide[1][a] = std::min(most[1][a], box[1][a] + 0.5 * longest);
  }
  return wide;
}

Box around_both(const Box& one, const Box& other) {
  Box both = one;
  for (int a = 0; a < 3; ++a) {
    both[0][a] = std::min(one[0][a], other[0][a]);
    both[1][a] = std::max(one[1][a], other[1][a]);
  }
  return both;
}

}  // namespace

std::vector<io::Section> preview_views(const config::Case& c, const Problem& problem,
                                       const parallel::Communicator& comm) {
  const int axes = problem.summary.on_grid ? config::dimensions(c.solver.method) : 3;
  std::vector<io::Section> sections;
  if (!problem.view || axes < 2) return sections;
  io::Scene scene = observers::make_scene(*problem.view, problem.regions, {}, {}, comm);
  Box window, bodies;
  std::vector<io::Scene::Lines> lines;
  if (comm.is_root()) {
    bodies = box_of_shown(scene);
    window = observers::box_of(scene);
    if (!problem.summary.on_grid)
      window = widened(bodies, Box{Vec3{-1e300, -1e300, -1e300}, Vec3{1e300, 1e300, 1e300}});
    else if (axes == 3) window = around_both(window, widened(bodies, problem.box));  // sources are beside bodies
    lines = lines_of(c, problem.box, axes == 3 ? observers::box_of(scene) : window);
    scene.lines = lines;
  }
  window = comm.broadcast_value(window), bodies = comm.broadcast_value(bodies);
  const std::vector<int> normals = axes == 3 ? std::vector<int>{1, 0, 2} : std::vector<int>{2};
  Vec3 middle = 0.5 * (bodies[0] + bodies[1]);
  for (int a = 0; a < 3; ++a)  // rounding errors of 0
    if (std::abs(middle[a]) < 1e-9 * (bodies[1][a] - bodies[0][a])) middle[a] = 0;
  io::PictureRow row = cuts(problem, normals, window, middle, lines, comm);
  if (!comm.is_root()) return sections;
  io::Section section{io::Chapter::domain, "Geometry", {}};
  if (axes == 3) {
    scene.title = "Bodies";
    scene.note = "Drag to turn, with the right button or shift to move, wheel to zoom.";
    section.blocks.emplace_back(std::move(scene));
  }
  section.blocks.emplace_back(std::move(row));
  sections.push_back(std::move(section));
  return sections;
}

}  // namespace dgtd::app
