#include "dgtd/observers/pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

#include "dgtd/base/first_exception.hpp"
#include "dgtd/base/units.hpp"
#include "dgtd/parallel/in_order.hpp"

namespace dgtd::observers {

namespace {

constexpr float no_value = std::numeric_limits<float>::quiet_NaN();
constexpr double decades_of_sar = 4, decades_of_field = 2;  // |E|^2 has twice as many
const std::array<std::string, 3> axis_names{"x", "y", "z"};

struct RootPixel {
  std::int32_t pixel, region;
  std::int64_t id;
  float value, depth;
};

// The mean over the seen pixels at most so many columns (rows) away, so that the steps of cells become slopes.
std::vector<float> blurred(const std::vector<float>& depth, const PixelPlane& view, bool along_rows) {
  constexpr int reach = 7;  // pixels
  std::vector<float> result(depth.size(), no_value);
#pragma omp parallel for schedule(static)
  for (int row = 0; row < view.height; ++row)
    for (int column = 0; column < view.width; ++column) {
      if (std::isnan(depth[static_cast<std::size_t>(view.number(row, column))])) continue;
      double sum = 0;
      int seen = 0;
      for (int d = -reach; d <= reach; ++d) {
        const int r = along_rows ? row : row + d, c = along_rows ? column + d : column;
        if (r < 0 || r >= view.height || c < 0 || c >= view.width) continue;
        const float value = depth[static_cast<std::size_t>(view.number(r, c))];
        if (!std::isnan(value)) sum += double(value), ++seen;
      }
      result[static_cast<std::size_t>(view.number(row, column))] = static_cast<float>(sum / seen);
    }
  return result;
}

// Brightness of a surface lit from the upper left, from the slope of its depth.
std::vector<float> lit(std::vector<float> depth, const PixelPlane& view) {
  constexpr double light[3] = {-0.45, 0.55, 0.70}, ambient = 0.45;
  for (int pass = 0; pass < 2; ++pass) depth = blurred(blurred(depth, view, true), view, false);
  std::vector<float> bright(depth.size(), 1);
  const auto at = [&](int row, int column) { return depth[static_cast<std::size_t>(view.number(row, column))]; };
  const auto slope = [&](float before, float after, int steps) {
    const double s = steps > 0 ? (double(after) - double(before)) / (steps * view.pixel) : 0;
    return std::isfinite(s) ? s : 0;
  };
  for (int row = 0; row < view.height; ++row)
    for (int column = 0; column < view.width; ++column) {
      if (std::isnan(at(row, column))) continue;
      const int left = std::max(0, column - 2), right = std::min(view.width - 1, column + 2);
      const int above = std::max(0, row - 2), below = std::min(view.height - 1, row + 2);
      const double u = slope(at(row, left), at(row, right), right - left),
                   v = slope(at(below, column), at(above, column), below - above);
      const double facing = (-u * light[0] - v * light[1] + light[2]) / std::sqrt(1 + u * u + v * v);
      bright[static_cast<std::size_t>(view.number(row, column))] =
          static_cast<float>(ambient + (1 - ambient) * std::clamp(facing, 0.0, 1.0));
    }
  return bright;
}

/// A picture that is still to be coloured and compressed.
struct Drawing {
  PixelPlane plane;
  io::Raster raster;
  io::Picture picture;       // all but its pixels
  std::vector<float> depth;  // of a surface, which is lit; else empty
};

Drawing drawing_of(const PixelPlane& plane, io::Raster raster, std::string title) {
  return {plane, std::move(raster), picture_of(plane, std::move(title)), {}};
}

template <class T>
void flip_rows(std::vector<T>& pixels, int width) {
  for (auto row = pixels.begin(); row != pixels.end(); row += width) std::reverse(row, row + width);
}

void draw_one(Drawing& d, const io::ColourScale& scale) {
  if (!d.depth.empty()) d.raster.light = lit(std::move(d.depth), d.plane);
  if (d.picture.low[0] > d.picture.high[0]) {  // the first axis runs to the left
    flip_rows(d.raster.value, d.plane.width);
    flip_rows(d.raster.region, d.plane.width);
    flip_rows(d.raster.light, d.plane.width);
  }
  d.picture.png = io::png_of(d.plane.width, d.plane.height, io::coloured(d.raster, scale));
}

// The largest finite value; 0 where there is none.
double largest(const std::vector<float>& values) {
  float most = 0;
#pragma omp parallel for schedule(static) reduction(max : most)
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] > most) most = values[i];
  return double(most);
}

}  // namespace

std::string position_text(const PixelPlane& plane) {
  constexpr double rounding = 1e-6;  // of the size
  const double size = plane.pixel * std::max(plane.width, plane.height);
  const double position = std::abs(plane.position) < rounding * size ? 0 : plane.position;
  return fmt::format("{} = {}", axis_names[plane.axis], units::length_text(position));
}

io::Picture picture_of(const PixelPlane& plane, std::string title) {
  io::Picture p;
  p.title = std::move(title);
  p.axes = {axis_names[plane.right()], axis_names[plane.up()]};
  p.low = plane.low;
  p.high = {plane.low[0] + plane.width * plane.pixel, plane.low[1] + plane.height * plane.pixel};
  p.width = plane.width, p.height = plane.height;
  return p;
}

PixelImage gather_pixels(const PixelPlane& plane, std::span<const PixelHit> hits,
                         const std::function<float(std::size_t place)>& value_of, const parallel::Communicator& comm) {
  std::vector<RootPixel> mine(hits.size());
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < hits.size(); ++i) {
    const PixelHit& h = hits[i];
    mine[i] = {h.pixel, h.region, h.id, value_of(h.place), static_cast<float>(h.depth)};
  }
  const auto all = comm.gather_vectors(mine);
  PixelImage image;
  if (!comm.is_root()) return image;
  io::Raster& r = image.raster;
  r.width = plane.width, r.height = plane.height;
  r.region.assign(r.pixels(), -1);
  r.value.assign(r.pixels(), no_value);
  image.depth.assign(r.pixels(), no_value);
  std::vector<std::int64_t> id(r.pixels(), -1);
  for (const RootPixel& p : all) {
    const auto at = static_cast<std::size_t>(p.pixel);
    if (id[at] >= 0 && (p.depth < image.depth[at] || (p.depth == image.depth[at] && p.id > id[at]))) continue;
    id[at] = p.id, r.region[at] = p.region, r.value[at] = p.value, image.depth[at] = p.depth;
  }
  return image;
}

/// Values that all pictures of a run share.
struct Pictures::Scene {
  const dosimetry::Exposure& exposure;
  std::string power;                    // to which the SAR refers
  std::span<const std::size_t> tissue;  // this rank's elements or cells with a density
  std::array<Vec3, 2> box;              // around the tissue of all ranks, m
  std::array<Vec3, 2> window;           // of the planes: with a margin and the sources beside it, m
  Vec3 peak;                            // m, of the local SAR
  double largest_sar;                   // W/kg

  dosimetry::EntryFinder find_entry;

  /// Number of a place's entry in the exposure, if it is tissue.
  std::optional<std::size_t> entry(std::size_t place) const {
    const auto i = find_entry(place);
    return i && exposure.is_tissue(*i) ? i : std::nullopt;
  }
  PixelPlane plane(int axis, double position, const std::array<Vec3, 2>& around, int pixels) const {
    PixelPlane p;
    p.axis = axis, p.position = position;
    const double size[2] = {around[1][p.right()] - around[0][p.right()], around[1][p.up()] - around[0][p.up()]};
    p.pixel = std::max(size[0], size[1]) / pixels;
    p.low = {around[0][p.right()], around[0][p.up()]};
    p.width = std::max(1, static_cast<int>(std::lround(size[0] / p.pixel)));
    p.height = std::max(1, static_cast<int>(std::lround(size[1] / p.pixel)));
    return p;
  }
};

namespace {

std::array<Vec3, 2> with_margin(std::array<Vec3, 2> box, double share) {
  double longest = 0;
  for (int a = 0; a < 3; ++a) longest = std::max(longest, box[1][a] - box[0][a]);
  for (int a = 0; a < 3; ++a) box[0][a] -= share * longest, box[1][a] += share * longest;
  return box;
}

// The box with the points that are not further from it than half its longest side.
std::array<Vec3, 2> with_points(std::array<Vec3, 2> box, const std::vector<Vec3>& points) {
  double longest = 0;
  for (int a = 0; a < 3; ++a) longest = std::max(longest, box[1][a] - box[0][a]);
  const auto near = with_margin(box, 0.5);
  for (const Vec3& x : points) {
    bool inside = true;
    for (int a = 0; a < 3; ++a) inside = inside && x[a] >= near[0][a] && x[a] <= near[1][a];
    for (int a = 0; a < 3 && inside; ++a) box[0][a] = std::min(box[0][a], x[a]), box[1][a] = std::max(box[1][a], x[a]);
  }
  return box;
}

std::array<Vec3, 2> box_of_ranks(const std::array<Vec3, 2>& mine, const parallel::Communicator& comm) {
  std::vector<double> ends;
  for (int a = 0; a < 3; ++a) ends.push_back(-mine[0][a]), ends.push_back(mine[1][a]);
  ends = comm.max(std::move(ends));
  std::array<Vec3, 2> box;
  for (int a = 0; a < 3; ++a) box[0][a] = -ends[2 * a], box[1][a] = ends[2 * a + 1];
  return box;
}

// Averaged SAR at the pixels of a plane, W/kg; not a number where there is none.
io::Raster averaged_raster(const PixelPlane& plane, const io::Raster& outlines, const dosimetry::VoxelGrid& grid,
                           const dosimetry::AveragedSar& average) {
  io::Raster raster = outlines;
  const auto cell_at = [&](int axis, double x) -> std::int64_t {
    const auto& nodes = grid.nodes[axis];
    if (x < nodes.front() || x >= nodes.back()) return -1;
    return std::upper_bound(nodes.begin(), nodes.end(), x) - nodes.begin() - 1;
  };
  std::vector<std::int64_t> column_cell;
  for (int column = 0; column < plane.width; ++column)
    column_cell.push_back(cell_at(plane.right(), plane.column_at(column)));
  const std::int64_t cell_of_plane = cell_at(plane.axis, plane.position);
#pragma omp parallel for schedule(static)
  for (int row = 0; row < plane.height; ++row) {
    std::array<std::int64_t, 3> at{};
    at[plane.axis] = cell_of_plane, at[plane.up()] = cell_at(plane.up(), plane.row_at(row));
    for (int column = 0; column < plane.width; ++column) {
      at[plane.right()] = column_cell[static_cast<std::size_t>(column)];
      float& value = raster.value[static_cast<std::size_t>(plane.number(row, column))];
      value = no_value;
      if (at[0] < 0 || at[1] < 0 || at[2] < 0) continue;
      const auto voxel = static_cast<std::size_t>((at[2] * grid.cells(1) + at[1]) * grid.cells(0) + at[0]);
      const auto status = average.status[voxel];
      if (status != dosimetry::VoxelStatus::background && status != dosimetry::VoxelStatus::no_cube)
        value = average.sar[voxel];
    }
  }
  return raster;
}

// Place of the peak over a mass in a plane; absent where the plane does not cut the peak's cube.
std::optional<std::array<double, 2>> mark_of(const io::AveragedVoxels& voxels, double mass_kg,
                                             const PixelPlane& plane) {
  for (const auto& average : voxels.peaks)
    if (average.mass_kg == mass_kg && average.peak && plane.position >= average.peak->lower[plane.axis] &&
        plane.position <= average.peak->upper[plane.axis])
      return {{average.peak->at[plane.right()], average.peak->at[plane.up()]}};
  return {};
}

}  // namespace

// Hits of a rank, those of all on root twice, and the rasters of a row; lists of elements and their boxes.
double Pictures::output_bytes() const {
  return settings_.pixel_bytes * settings_.pixels * settings_.pixels + settings_.element_bytes;
}

struct Pictures::Sheet {
  io::PictureRow row;
  std::vector<Drawing> drawings;
};

// Threads take pictures; what one cannot draw is said after all.
void Pictures::draw(std::vector<Sheet>& sheets) {
  std::vector<std::pair<Sheet*, Drawing*>> all;
  for (Sheet& sheet : sheets)
    for (Drawing& d : sheet.drawings) all.emplace_back(&sheet, &d);
  FirstException error;
#pragma omp parallel for schedule(dynamic)
  for (std::size_t i = 0; i < all.size(); ++i)
    error.catch_from([&] { draw_one(*all[i].second, all[i].first->row.scale); });
  error.rethrow();
  for (const auto& [sheet, drawing] : all) sheet->row.pictures.push_back(std::move(drawing->picture));
}

void Pictures::finish(io::Results& results) {
  const auto stage = timers_.measure("output/pictures");
  if (!results.exposure) return;
  const auto& x = *results.exposure;
  const dosimetry::TissueRow* peak = nullptr;
  for (const auto& row : x.tissues)
    if (row.sar_max && row.at && (peak == nullptr || *row.sar_max > *peak->sar_max)) peak = &row;
  if (peak == nullptr || *peak->sar_max <= 0) return;
  Scene scene{x, dosimetry::power_text(x.scaling), {}, {}, {}, *peak->at, *peak->sar_max, dosimetry::EntryFinder(x)};
  const std::size_t entries = x.group.size();
  bool all_tissue = true;
#pragma omp parallel for schedule(static) reduction(&& : all_tissue)
  for (std::size_t i = 0; i < entries; ++i) all_tissue = all_tissue && x.is_tissue(i);
  std::vector<std::size_t> some;
  if (x.elements > 0 && all_tissue) {
    scene.tissue = x.listed;
  } else {
    some = parallel::collect_in_order<std::size_t>(entries, [&](std::size_t i, std::deque<std::size_t>& list) {
      if (x.is_tissue(i)) list.push_back(x.element_of(i));
    });
    scene.tissue = some;
  }
  scene.box = box_of_ranks(view_.box(scene.tissue), comm_);
  scene.window = with_margin(with_points(scene.box, settings_.sources), 0.04);
  std::vector<Sheet> sheets;
  add_planes(scene, results, sheets);
  add_surfaces(scene, sheets);
  draw(sheets);
  io::Section section{io::Chapter::dosimetry, "Pictures", {}};
  for (Sheet& sheet : sheets) section.blocks.emplace_back(std::move(sheet.row));
  if (!section.blocks.empty()) results.summary.sections.push_back(std::move(section));
}

void Pictures::add_planes(const Scene& scene, const io::Results& results, std::vector<Sheet>& sheets) const {
  Sheet local;
  local.row.title = "Local SAR " + scene.power;
  local.row.note =
      "Planes through the largest local SAR (the largest mean over an element or cell), which the ring marks. Lines "
      "are borders of tissues and other materials. "
      "Values below the scale have the colour of its lower end.";
  local.row.scale = {
      io::ColourMap::magma, scene.largest_sar * std::pow(10, -decades_of_sar), scene.largest_sar, true, "W/kg",
      "local SAR"};
  for (const int axis : {1, 0, 2}) {
    const PixelPlane plane = scene.plane(axis, scene.peak[axis], scene.window, settings_.pixels);
    auto image = gather_pixels(
        plane, view_.slice(plane),
        [&](std::size_t place) {
          const auto i = scene.entry(place);
          return i ? static_cast<float>(dosimetry::local_sar(scene.exposure, *i)) : no_value;
        },
        comm_);
    local.drawings.push_back(drawing_of(plane, std::move(image.raster), position_text(plane)));
    local.drawings.back().picture.plane = {plane.axis, plane.position};
    local.drawings.back().picture.mark = {{scene.peak[plane.right()], scene.peak[plane.up()]}};
  }
  if (!comm_.is_root()) return;
  sheets.push_back(std::move(local));
  if (!results.voxels) return;
  for (const auto& average : results.voxels->averages) {
    const std::string mass = fmt::format("{:.6g} g", 1e3 * average.mass_kg);
    const double most = largest(average.sar);
    if (most <= 0) continue;
    Sheet averaged{{}, sheets.front().drawings};
    averaged.row.title = fmt::format("SAR averaged over {} {}", mass, scene.power);
    averaged.row.note =
        "The same planes; the ring marks the peak where they cut its cube. Tissue without colour has no voxel, or no "
        "cube of this mass.";
    averaged.row.scale = {io::ColourMap::magma,
                          most * std::pow(10, -decades_of_sar),
                          most,
                          true,
                          "W/kg",
                          fmt::format("SAR over {}", mass)};
    for (Drawing& d : averaged.drawings) {
      d.raster = averaged_raster(d.plane, d.raster, results.voxels->grid, average);
      d.picture.mark = mark_of(*results.voxels, average.mass_kg, d.plane);
    }
    sheets.push_back(std::move(averaged));
  }
}

// Seen along the axes, from the sides that are nearest to the peak.
void Pictures::add_surfaces(const Scene& scene, std::vector<Sheet>& sheets) const {
  Sheet sheet;
  double most = 0;
  std::vector<SurfaceView> views;
  for (const int axis : {0, 1, 2})
    views.push_back({scene.plane(axis, 0, with_margin(scene.box, 0.04), settings_.pixels),
                     scene.peak[axis] >= 0.5 * (scene.box[0][axis] + scene.box[1][axis])});
  const auto hits = view_.surfaces(views, scene.tissue);
  for (const int axis : {0, 1, 2}) {
    const auto& [plane, from_above] = views[static_cast<std::size_t>(axis)];
    auto image = gather_pixels(
        plane, hits[static_cast<std::size_t>(axis)],
        [&](std::size_t place) {
          const auto i = scene.entry(place);
          return i ? static_cast<float>(std::sqrt(scene.exposure.scaling.factor * scene.exposure.mean_square_field[*i]))
                   : no_value;
        },
        comm_);
    most = std::max(most, largest(image.raster.value));
    Drawing d = drawing_of(plane, std::move(image.raster),
                           fmt::format("seen from {}{}", from_above ? "+" : "\u2212", axis_names[axis]));
    d.depth = std::move(image.depth);
    if (axis == 1 ? from_above : !from_above) std::swap(d.picture.low[0], d.picture.high[0]);  // it is not mirrored
    sheet.drawings.push_back(std::move(d));
  }
  if (!comm_.is_root() || most <= 0) return;
  sheet.row.title = "|E| on the surface of the tissue, peak of the phasor, " + scene.power;
  sheet.row.note = "Root mean square of |E| in the elements or cells at the surface.";
  sheet.row.scale = {io::ColourMap::viridis, most * std::pow(10, -decades_of_field), most, true, "V/m, peak", "|E|"};
  sheets.push_back(std::move(sheet));
}

}  // namespace dgtd::observers
