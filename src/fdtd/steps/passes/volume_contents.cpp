#include "fdtd/steps/passes/volume_contents.hpp"

#include <algorithm>

namespace dgtd::fdtd {

namespace {

constexpr int x = 0, y = 1, z = 2;
constexpr double time_with_Cb = 1.25;  // of a plane, relative to one without

}  // namespace

VolumeContents::VolumeContents(const GridLayout& layout, CellsOfAxes layered, CellsOfAxes damped, int row_groups)
    : layout_(layout),
      layered_(std::move(layered)),
      damped_(std::move(damped)),
      row_groups_(row_groups),
      in_tile_(static_cast<std::size_t>(layout.tiles[x]) * layout.tiles[y] * (layout.tiles[z] + 2), 0) {}

bool VolumeContents::layered(int axis, int cell) const {
  return cell >= 0 && cell < cells(axis) && layered_[static_cast<std::size_t>(axis)][static_cast<std::size_t>(cell)];
}
bool VolumeContents::any_of(const CellsOfAxes& cells, int axis, int first, int end) {
  const std::vector<bool>& of_axis = cells[static_cast<std::size_t>(axis)];
  const int last = std::min(end, static_cast<int>(of_axis.size()));
  for (int i = std::max(first, 0); i < last; ++i)
    if (of_axis[static_cast<std::size_t>(i)]) return true;
  return false;
}
bool VolumeContents::damped(const VolumeRegion& r) const {
  for (int a = 0; a < 3; ++a)
    if (any_of(damped_, a, r.first[a], r.end[a])) return true;
  return false;
}

char& VolumeContents::in_tile(const Tile& t) {
  return in_tile(t.first[z] / tile_cells(z) + 1, t.first[y] / tile_cells(y), t.first[x] / tile_cells(x));
}

bool VolumeContents::has(const VolumeRegion& r, char what) const {
  for (int l = layer_of_plane(r.first[z]); l <= layer_of_plane(r.end[z] - 1); ++l)
    for (int j = r.first[y] / tile_cells(y); j * tile_cells(y) < r.end[y]; ++j)
      for (int i = r.first[x] / tile_cells(x); i * tile_cells(x) < r.end[x]; ++i)
        if (in_tile_[index(l, j, i)] & what) return true;
  return false;
}

std::pair<int, int> VolumeContents::planes_with(char what, const VolumeRegion& r) const {
  int first = r.end[z], end = r.first[z];
  for (int l = layer_of_plane(r.first[z]); l <= layer_of_plane(r.end[z] - 1); ++l) {
    VolumeRegion layer = r;
    layer.first[z] = std::max(first_plane_of(l), r.first[z]);
    layer.end[z] = std::min(first_plane_of(l + 1), r.end[z]);
    if (has(layer, what)) first = std::min(first, layer.first[z]), end = layer.end[z];
  }
  return {first, end};
}

void VolumeContents::use_Cb(int steps) {
  uses_Cb_ = true;
  // In an iteration a warp has sums of the plane that comes and of steps - 1 planes before it, and Cb of these and
  // of the next plane, which it asks for before it waits for planes of E and H. These were asked for when all warps had
  // begun an iteration three before (volume_tile.hpp, ask_next(), with up to three planes of E and two of H on their
  // way), or two before the one in which it has waited: so far another warp may be behind.
  const auto [first, end] = planes_with(own_media, {{0, 0, 0}, {cells(x), cells(y), cells(z)}});
  Cb_by_plane_ = !layered(z, first - steps - 3, end + steps + 1);
}

bool VolumeContents::has_Cb(const VolumeRegion& region) const {
  return uses_Cb_ && has(region, own_media) && !has(region, lossy);
}

VolumeTileContent VolumeContents::served(const VolumeRegion& r, bool sourced, bool ports) const {
  const TileMedia media = has_Cb(r) ? TileMedia::Cb : has(r, own_media) ? TileMedia::classes : TileMedia::common;
  VolumeTileContent content{0, media, sourced, damped(r), false, ports};
  for (int a = 0; a < 3; ++a) content.layers |= layered(a, r.first[a], r.end[a]) << a;
  return served(content);
}

// The kernels are those of volume_kernel_list.hpp; there are fewer for two numbers in a word.
VolumeTileContent VolumeContents::served(const VolumeTileContent& c) const {
  constexpr auto classes = TileMedia::classes, Cb = TileMedia::Cb;
  constexpr VolumeTileContent everything{7, classes, true, true};
  const bool pairs = row_groups_ > 1, along_one_axis = (c.layers & (c.layers - 1)) == 0;  // or none
  if (c.ports) return {c.layers == 0 ? 0 : everything.layers, classes, true, true, false, true};
  if (c.media == Cb && c.layers == 0) return {0, Cb, c.sourced, c.sourced || c.damped};
  if (c.media == Cb && c.layers == 4 && !c.sourced) return {4, Cb, false, c.damped || !Cb_by_plane_, Cb_by_plane_};
  if (c.sourced || c.damped)
    return c.layers == 0 || c.layers == 4 ? VolumeTileContent{c.layers, classes, c.sourced, true} : everything;
  if (c.media != TileMedia::common) {
    if (!pairs && c.layers < 3 && few_classes_) return {c.layers, TileMedia::few_classes};
    if (!pairs) return along_one_axis ? VolumeTileContent{c.layers, classes, false, false} : everything;
    return c.layers == 0   ? VolumeTileContent{0, classes, false, false}
           : c.layers == 4 ? VolumeTileContent{4, classes, false, true}
                           : everything;
  }
  return {c.layers};
}

// Relative to a plane without anything, beside tiles of other contents; measured, that of ports taken as of sources.
double VolumeContents::time_of_plane(const VolumeTileContent& c) const {
  // By axes with layers (1 x, 2 y, 4 z).
  constexpr double single[8] = {1, 1.6, 1.6, 2.2, 1.6, 2.8, 2.8, 3.8},
                   pairs[8] = {1, 3.9, 3.9, 5.9, 1.85, 7.8, 7.8, 14};
  const double of_media = c.media == TileMedia::common ? 1 : c.media == TileMedia::Cb ? time_with_Cb : 1.4;
  return (row_groups_ > 1 ? pairs : single)[c.layers] * of_media * (c.sourced ? 1.5 : 1);
}

double VolumeContents::time_of(const VolumeTileContent& c, const VolumeRegion& r, int planes) const {
  if (!c.by_plane) return time_of_plane(c) * planes;
  const double time_with_sums = row_groups_ > 1 ? 1.85 : 1.6;
  double time = planes - (r.end[z] - r.first[z]);
  const auto [first, end] = planes_with(own_media, r);
  for (int k = r.first[z]; k < r.end[z]; ++k)
    time += (layered(z, k) ? time_with_sums : 1) * (k >= first && k < end ? time_with_Cb : 1);
  return time;
}

}  // namespace dgtd::fdtd
