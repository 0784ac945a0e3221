#include "volume_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "volume_source_lists.hpp"

namespace dgtd::fdtd {
namespace {

using Shape = VolumeTileShape;

class Builder {
 public:
  Builder(const Discretisation<float>& d, const std::vector<VolumeEntry>& entries, int steps, int multiprocessors,
          const std::optional<HalfUnits>& half, const VolumeMargins& margins)
      : d_(d),
        entries_(entries),
        steps_(steps),
        multiprocessors_(multiprocessors),
        half_(half),
        margins_(margins),
        first_own_(d.layout.below),
        end_own_(first_own_ + d.layout.cells[z]),
        planes_(end_own_ + d.layout.above) {}

  VolumeTables make() {
    collect_tiles();
    set_axis_along_z();
    for (const auto check : {&Builder::check_batches, &Builder::check_cuts, &Builder::check_layers})
      if (t_.why_not = (this->*check)(); !t_.why_not.empty()) return std::move(t_);
    number_classes();
    if (!t_.why_not.empty()) return std::move(t_);
    set_coefficients();
    place_layers();
    t_.stored_at.assign(entries_.size(), -1);
    sources_.emplace(d_.layout, entries_, planes_, steps_, row_groups_);
    make_tasks();
    return std::move(t_);
  }

 private:
  static constexpr int x = 0, y = 1, z = 2;

  void collect_tiles() {
    for (const TileBatch& b : d_.electric.batches)
      for (const Tile& tile : b.tiles) tiles_.push_back(&tile);
  }
  // Layers of tiles along z, with one below and one above the block's for planes of its neighbours.
  int layers_of_tiles() const { return d_.layout.tiles[z] + 2; }
  int layer_of_plane(int plane) const { return (plane - first_own_ + tile_cells(z)) / tile_cells(z); }
  int first_plane_of(int layer) const { return (layer - 1) * tile_cells(z) + first_own_; }
  char& in_tile(int layer, int tile_y, int tile_x) {
    return in_tile_[static_cast<std::size_t>((layer * d_.layout.tiles[y] + tile_y) * d_.layout.tiles[x] + tile_x)];
  }
  char& in_tile(const Tile& t) {
    return in_tile(t.first[z] / tile_cells(z) + 1, t.first[y] / tile_cells(y), t.first[x] / tile_cells(x));
  }

  void set_axis_along_z() {
    const auto joined = [&](const std::vector<float>& below, const std::vector<float>& own,
                            const std::vector<float>& above) {
      std::vector<float> all(below);
      all.insert(all.end(), own.begin(), own.begin() + d_.layout.cells[z]);
      all.insert(all.end(), above.begin(), above.end());
      return all;
    };
    const auto& [below, above] = margins_;
    for (int f = 0; f < 2; ++f) {
      const AxisArrays<float>& own = (f == 0 ? d_.electric : d_.magnetic).axis[z];
      AxisArrays<float>& axis = t_.along_z[f];
      axis.inverse_distance = joined(below.inverse_distance[f], own.inverse_distance, above.inverse_distance[f]);
      axis.drive = joined(below.drive[f], own.drive, above.drive[f]);
      axis.decay =
          joined(std::vector<float>(below.nodes.size(), 0), own.decay, std::vector<float>(above.nodes.size(), 0));
    }
    t_.damping_along_z.nodes = joined(below.nodes, d_.damping[z].nodes, above.nodes);
    t_.damping_along_z.centres = joined(below.centres, d_.damping[z].centres, above.centres);
  }

  std::string check_batches() {
    if (d_.axes != 3) return "the grid has less than three axes";
    for (const TileBatch& b : d_.electric.batches)
      if (b.dispersive) return "materials with poles";
    if (!d_.series.index.empty()) return "components of two materials in series";
    for (const TileBatch& b : d_.magnetic.batches)
      for (const Tile& tile : b.tiles)
        if (tile.classes >= 0 || tile.medium_class != d_.magnetic.batches.front().tiles.front().medium_class)
          return "magnetic materials";
    const MediumClass<float> m = magnetic_class();
    return m.keep == 1 ? "" : "magnetic materials";
  }
  // Planes of the neighbours along z hold what a pass needs of them; layers along z have no place there.
  std::string check_cuts() {
    for (int a = 0; a < 3; ++a)
      if (const bool margin = a == z && d_.layout.below + d_.layout.above > 0;
          !margin && (d_.block.lower[a] >= 0 || d_.block.upper[a] >= 0))
        return d_.periodic[a]      ? "periodic sides"
               : d_.pole_count > 0 ? "materials with poles"
                                   : "ranks with too few planes of cells along z";
    if (margins_.below.planes() != d_.layout.below || margins_.above.planes() != d_.layout.above)
      return "planes of other ranks are missing";
    const auto check = [&](const VolumeMargin& margin, int first) -> std::string {
      const int planes = margin.planes();
      if (planes == 0) return "";
      if (planes < steps_) return "planes of other ranks are missing";
      if (layered(z, first, first + planes)) return "ranks end beside absorbing layers along z";
      const bool same = margin.magnetic.front().rate == magnetic_class().rate && margin.magnetic.front().keep == 1;
      return same ? "" : "magnetic materials";
    };
    const std::string below = check(margins_.below, 0);
    return below.empty() ? check(margins_.above, end_own_) : below;
  }
  MediumClass<float> magnetic_class() const {
    return d_.magnetic.classes[static_cast<std::size_t>(d_.magnetic.batches.front().tiles.front().medium_class)];
  }

  int cells(int axis) const { return axis == z ? planes_ : d_.layout.cells[axis]; }
  const std::vector<float>& drive(int axis, int field) const {
    return axis == z ? t_.along_z[field].drive : (field == 0 ? d_.electric : d_.magnetic).axis[axis].drive;
  }
  bool layered(int axis, int cell) const {
    const auto i = static_cast<std::size_t>(cell);
    return cell >= 0 && cell < cells(axis) && (drive(axis, 0)[i] != 0 || drive(axis, 1)[i] != 0);
  }
  bool layered(int axis, int first, int end) const {
    for (int i = first; i < end; ++i)
      if (layered(axis, i)) return true;
    return false;
  }

  // What a tile's warps keep of a layer has room for so many lanes and warps.
  std::string check_layers() {
    set_boundaries();
    for (std::size_t i = 0; i + 1 < boundaries_[x].size(); ++i)
      if (groups_in_layer(x, tile_start(x, i), Shape::cells_per_lane, 32) > Shape::layer_lanes)
        return "absorbing layers thicker than 14 cells, or a grid narrower than a tile between them";
    for (std::size_t j = 0; j + 1 < boundaries_[y].size(); ++j)
      if (groups_in_layer(y, tile_start(y, j), Shape::rows_per_warp, Shape::warps * row_groups_) > Shape::layer_warps)
        return "absorbing layers thicker than 10 cells, or a grid narrower than a tile between them";
    constexpr int most = Shape::most_planes_in_layer - 32;
    for (int k = 0, planes = 0; k < planes_; ++k)
      if (planes = layered(z, k) ? planes + 1 : 0; planes > most)
        return fmt::format("absorbing layers thicker than {} cells along z", most);
    return "";
  }
  // From the first to the last group of so many cells of a tile that a layer touches.
  int groups_in_layer(int axis, int start, int group, int groups) const {
    int first = groups, last = -1;
    for (int g = 0; g < groups; ++g)
      if (layered(axis, start + g * group, start + (g + 1) * group)) first = std::min(first, g), last = g;
    return last - first + 1;
  }

  void set_boundaries() {
    const int halo = steps_;
    boundaries_[x] = tile_boundaries(d_.layout.cells[x], Shape::columns - 2 * halo, Shape::columns - halo - 1, 8);
    boundaries_[y] = tile_boundaries(d_.layout.cells[y], rows_ - 2 * halo, rows_ - halo, 2);
  }
  // Along x tiles begin before the grid's end, so that what they read and write begins at whole sectors of memory.
  int tile_start(int axis, std::size_t n) const {
    const int first = boundaries_[axis][n] - steps_;
    return axis == x ? first : std::max(first, 0);
  }

  // The common class is the most frequent one of whole tiles that keeps all of E. It changes places with class 0; where
  // there is none, 0 is a class of its own that no cell has.
  void number_classes() {
    const auto classes = half_ ? in_scale(d_.electric.classes, half_->magnetic_scale) : d_.electric.classes;
    std::vector<std::int64_t> count(classes.size(), 0);
    for (const Tile* tile : tiles_)
      if (tile->classes < 0) ++count[static_cast<std::size_t>(tile->medium_class)];
    int common = -1;
    for (int c = 0; c < static_cast<int>(count.size()); ++c)
      if (classes[static_cast<std::size_t>(c)].keep == 1 &&
          (common < 0 || count[static_cast<std::size_t>(c)] > count[static_cast<std::size_t>(common)]))
        common = c;
    common_rate_ = common >= 0 ? classes[static_cast<std::size_t>(common)].rate : 0.0f;
    t_.classes = classes;
    if (common >= 0) std::swap(t_.classes[0], t_.classes[static_cast<std::size_t>(common)]);
    else t_.classes.insert(t_.classes.begin(), MediumClass<float>{1, 0});
    if (t_.classes.size() > 65536) t_.why_not = "more than 65535 mixtures of materials";
    in_tile_.assign(static_cast<std::size_t>(d_.layout.tiles[x]) * d_.layout.tiles[y] * layers_of_tiles(), 0);
    std::vector<const Tile*> own;
    for (const Tile* tile : tiles_) {
      char& contents = in_tile(*tile);
      if (tile->damped) contents |= damped;
      if (tile->classes < 0 && tile->medium_class == common) continue;
      own.push_back(tile);
      contents |= own_media;
    }
    number_margins(common >= 0);
    if (t_.classes.size() > 65536) t_.why_not = "more than 65535 mixtures of materials";
    if ((own.empty() && !margins_have_media_) || !t_.why_not.empty()) return;
    const auto number = [&](int c) { return common < 0 ? c + 1 : c == common ? 0 : c == 0 ? common : c; };
    for (auto& of_component : t_.class_of) {  // all threads take part in the pages
      const std::int64_t reals = d_.layout.reals;
      of_component.resize(static_cast<std::size_t>(reals));
      std::uint16_t* const numbers = of_component.data();
#pragma omp parallel for schedule(static)
      for (std::int64_t i = 0; i < reals; ++i) numbers[i] = 0;
    }
    const auto tiles = static_cast<std::int64_t>(own.size());
#pragma omp parallel for schedule(static)
    for (std::int64_t n = 0; n < tiles; ++n) fill_classes(*own[static_cast<std::size_t>(n)], number);
    fill_margin(margins_.below, number_in_margin_[0], 0);
    fill_margin(margins_.above, number_in_margin_[1], end_own_);
  }

  // The numbers of the media of the margins among the classes of this block, where they may be new.
  void number_margins(bool has_common) {
    if (margins_.below.planes() + margins_.above.planes() == 0) return;
    std::map<std::pair<float, float>, std::size_t> numbers;
    for (std::size_t n = has_common ? 0 : 1; n < t_.classes.size(); ++n)
      numbers.try_emplace({t_.classes[n].keep, t_.classes[n].rate}, n);
    const auto find = [&](MediumClass<float> m) {
      if (half_) m = in_scale({m}, half_->magnetic_scale)[0];
      const auto [at, is_new] = numbers.try_emplace({m.keep, m.rate}, t_.classes.size());
      if (is_new) t_.classes.push_back(m);
      return static_cast<std::uint16_t>(at->second);
    };
    const VolumeMargin* const margins[2] = {&margins_.below, &margins_.above};
    for (int side = 0; side < 2; ++side) {
      const VolumeMargin& margin = *margins[side];
      for (const VolumeMargin::Media& run : margin.media) number_in_margin_[side].push_back(find(run.medium));
      each_component(margin, [&](std::size_t run, int, int k, int j, int i) {
        if (number_in_margin_[side][run] == 0) return;
        margins_have_media_ = true;
        in_tile(layer_of_plane((side == 0 ? 0 : end_own_) + k), j / tile_cells(y), i / tile_cells(x)) |= own_media;
      });
      if (margin.planes() > 0) mark_damped(margin, side == 0 ? 0 : end_own_);
    }
  }
  // Absorbers along x and y are the neighbour's, too.
  void mark_damped(const VolumeMargin& margin, int first) {
    const auto differs = [](float factor) { return factor != 1; };
    const bool along_z = std::any_of(margin.nodes.begin(), margin.nodes.end(), differs) ||
                         std::any_of(margin.centres.begin(), margin.centres.end(), differs);
    const int nearest = layer_of_plane(first == 0 ? first_own_ : end_own_ - 1);
    for (int layer = layer_of_plane(first); layer <= layer_of_plane(first + margin.planes() - 1); ++layer)
      for (int j = 0; j < d_.layout.tiles[y]; ++j)
        for (int i = 0; i < d_.layout.tiles[x]; ++i)
          if (along_z || (in_tile(nearest, j, i) & damped)) in_tile(layer, j, i) |= damped;
  }
  // visit(run of media, component, plane from the lowest one, row, cell)
  template <class Visit>
  void each_component(const VolumeMargin& margin, const Visit& visit) const {
    std::size_t run = 0;
    std::int64_t left = margin.media.empty() ? 0 : margin.media[0].count;
    for (int c = 0; c < 3; ++c)
      for (int k = 0; k < margin.planes(); ++k)
        for (int j = 0; j < d_.layout.cells[y]; ++j)
          for (int i = 0; i < d_.layout.cells[x]; ++i) {
            if (left == 0) left = margin.media[++run].count;
            --left;
            visit(run, c, k, j, i);
          }
  }
  void fill_margin(const VolumeMargin& margin, const std::vector<std::uint16_t>& number, int first) {
    each_component(margin, [&](std::size_t run, int c, int k, int j, int i) {
      t_.class_of[c][static_cast<std::size_t>(d_.layout.index(i, j, first - first_own_ + k))] = number[run];
    });
  }
  template <class Number>
  void fill_classes(const Tile& tile, const Number& number) {
    int end[3];
    for (int a = 0; a < 3; ++a) end[a] = std::min(tile_cells(a), d_.layout.cells[a] - tile.first[a]);
    for (int c = 0; c < 3; ++c)
      for (int k = 0; k < end[z]; ++k)
        for (int j = 0; j < end[y]; ++j) {
          std::uint16_t* const to =
              t_.class_of[c].data() + d_.layout.index(tile.first[x], tile.first[y] + j, tile.first[z] + k);
          if (tile.classes < 0) {
            std::fill_n(to, end[x], static_cast<std::uint16_t>(number(tile.medium_class)));
            continue;
          }
          const std::uint16_t* const from =
              d_.electric.class_of.data() +
              (std::size_t(tile.classes) * 3 + static_cast<std::size_t>(c)) * cells_of_tile +
              static_cast<std::size_t>((k * tile_cells(y) + j) * tile_cells(x));
          for (int i = 0; i < end[x]; ++i) to[i] = static_cast<std::uint16_t>(number(from[i]));
        }
  }

  void set_coefficients() {
    t_.rate[0] = common_rate_;
    t_.rate[1] = half_ ? in_scale({magnetic_class()}, 1 / half_->magnetic_scale)[0].rate : magnetic_class().rate;
    for (int f = 0; f < 2; ++f)
      for (int a = 0; a < 3; ++a)
        for (const float inverse :
             (a == z ? t_.along_z[f] : (f == 0 ? d_.electric : d_.magnetic).axis[a]).inverse_distance)
          t_.coefficient[f][a].push_back(half_ ? half_coefficient(t_.rate[f], inverse, half_->length)
                                               : t_.rate[f] * inverse);
  }

  // Slots of a plane are those of the tiles that it cuts, in one order for all planes (tile_lists.cpp).
  void place_layers() {
    for (int a = 0; a < 3; ++a) {
      t_.slot_of_tile[a].assign(static_cast<std::size_t>(d_.layout.tiles[x]) * d_.layout.tiles[y], -1);
      t_.slot_of_plane[a].assign(static_cast<std::size_t>(planes_), -1);
    }
    for (const Tile* tile : tiles_)
      for (int a = 0; a < 3; ++a) {
        if (tile->layer[a] < 0) continue;
        for (int k = 0; k < tile_cells(z) && tile->first[z] + k < d_.layout.cells[z]; ++k) {
          int& least = t_.slot_of_plane[a][static_cast<std::size_t>(first_own_ + tile->first[z] + k)];
          const int slot = tile->layer[a] + k * tile->layer_stride[a];
          least = least < 0 ? slot : std::min(least, slot);
        }
      }
    for (const Tile* tile : tiles_)
      for (int a = 0; a < 3; ++a)
        if (tile->layer[a] >= 0)
          t_.slot_of_tile[a][static_cast<std::size_t>(tile->first[y] / tile_cells(y) * d_.layout.tiles[x] +
                                                      tile->first[x] / tile_cells(x))] =
              tile->layer[a] - t_.slot_of_plane[a][static_cast<std::size_t>(first_own_ + tile->first[z])];
    for (const int a : {x, y}) t_.slots_of_plane[a] = d_.slots_of_plane[static_cast<std::size_t>(a)];
  }

  // ---- tasks

  // Layers along z have planes of their own; the others in parts such that all multiprocessors end together.
  std::vector<int> plane_boundaries(std::int64_t columns) const {
    const int first = first_own_, end = end_own_;
    int below = first, above = end;
    while (below < end && layered(z, below)) ++below;
    while (above > below && layered(z, above - 1)) --above;
    if (below > first) below = std::min(below + steps_ + 1, end);
    if (above < end) above = std::max(above - steps_ - 1, below);
    const int planes = above - below;
    // A task also computes planes below and above its own, up to a turn of registers.
    const int most = Shape::most_planes - 6 * steps_, fewest_parts = std::max(1, (planes + most - 1) / most);
    int best = fewest_parts;
    double least = 1e300;
    for (int parts = fewest_parts; parts <= fewest_parts + 64 && planes > 0; ++parts) {
      const double of_part = double(planes) / parts;
      const double waves = std::ceil(double(columns) * parts / multiprocessors_);
      const double cost = waves * (of_part + 2 * steps_ - 1);
      if (cost < 0.999 * least) least = cost, best = parts;
    }
    std::vector<int> boundaries{first};
    if (below > first) boundaries.push_back(below);
    for (int p = 1; p <= best && planes > 0; ++p)
      boundaries.push_back(below + static_cast<int>(std::int64_t(planes) * p / best));
    if (boundaries.back() < end) boundaries.push_back(end);
    return boundaries;
  }
  // Whether it stores planes that a neighbour computes with.
  bool is_next_to_cut(const VolumeTask& task) const {
    return (d_.layout.below > 0 && task.first[z] < first_own_ + d_.layout.below) ||
           (d_.layout.above > 0 && task.end[z] > end_own_ - d_.layout.above);
  }

  void make_tasks() {
    const auto columns = static_cast<std::int64_t>((boundaries_[x].size() - 1) * (boundaries_[y].size() - 1));
    boundaries_[z] = plane_boundaries(columns);
    std::vector<VolumeTask> tasks;
    for (std::size_t k = 0; k + 1 < boundaries_[z].size(); ++k)
      for (std::size_t j = 0; j + 1 < boundaries_[y].size(); ++j)
        for (std::size_t i = 0; i + 1 < boundaries_[x].size(); ++i) {
          VolumeTask part{tile_start(x, i), tile_start(y, j), {}, {}, -1, {0, 0}};
          const std::size_t at[3] = {i, j, k};
          for (int a = 0; a < 3; ++a) part.first[a] = boundaries_[a][at[a]], part.end[a] = boundaries_[a][at[a] + 1];
          for (const VolumeTask& task : divided(part)) tasks.push_back(task);
        }
    std::map<std::pair<bool, VolumeTileContent>, VolumeTables::Group> groups;
    for (VolumeTask& task : balanced(tasks)) {
      sources_->add(task, region_of(task), t_);
      const VolumeTileContent content = served(content_of(region_of(task), task.sources >= 0));
      const bool next_to_cut = is_next_to_cut(task);
      VolumeTables::Group& group = groups[{next_to_cut, content}];
      group.next_to_cut = next_to_cut;
      group.content = content;
      if (content.sourced && task.sources < 0) sources_->add_none(task, t_);
      group.tasks.push_back(task);
    }
    for (auto& [kind, group] : groups) t_.groups.push_back(std::move(group));
    t_.source_begin.push_back(static_cast<int>(t_.source_terms.size()));
  }

  // Tasks that take longer than an even share of all work are divided along z, as far as that pays.
  std::vector<VolumeTask> balanced(const std::vector<VolumeTask>& tasks) const {
    std::vector<double> of_plane;
    double total = 0;
    for (const VolumeTask& task : tasks) {
      const VolumeRegion r = region_of(task);
      const auto [first_entry, end_entry] = sources_->planes_in(r);
      of_plane.push_back(time_of_plane(served(content_of(r, first_entry < end_entry))));
      total += of_plane.back() * (task.end[z] - task.first[z] + more_planes());
    }
    const double share = total / multiprocessors_;
    std::vector<VolumeTask> parts;
    for (std::size_t n = 0; n < tasks.size(); ++n) {
      const int first = tasks[n].first[z], planes = tasks[n].end[z] - first;
      int count = 1;
      while (of_plane[n] * (planes / count + more_planes()) > share && planes / (count + 1) >= 2 * steps_) ++count;
      for (int part = 0; part < count; ++part) {
        parts.push_back(tasks[n]);
        parts.back().first[z] = first + planes * part / count;
        parts.back().end[z] = first + planes * (part + 1) / count;
      }
    }
    return parts;
  }
  // What a task computes beside its own planes, and the time until its first plane is there.
  int more_planes() const { return 2 * steps_ + 2; }
  // In multiples of a plane's without anything, as measured on an H200, and of instructions in half precision
  // (docs/performance.md).
  double time_of_plane(const VolumeTileContent& c) const {
    const int axes = (c.layers & 1) + (c.layers >> 1 & 1) + (c.layers >> 2 & 1);
    const double of_axis = half_ ? 0.85 : 0.6;
    return (1 + of_axis * axes + (axes == 3 ? 1 : 0)) * (c.mixed ? 1.4 : 1) * (c.sourced ? 1.5 : 1);
  }

  VolumeRegion region_of(const VolumeTask& task) const {
    VolumeRegion r{};
    for (int a = 0; a < 3; ++a) {
      r.first[a] = std::max(task.first[a] - steps_, 0);
      r.end[a] = std::min(task.end[a] + steps_, cells(a));
    }
    return r;
  }
  // Planes with sources or several media apart from the others, whose kernel is faster.
  std::vector<VolumeTask> divided(const VolumeTask& part) const {
    const VolumeRegion r = region_of(part);
    std::vector<int> cuts{part.first[z], part.end[z]};
    const auto cut_around = [&](int first, int end) {  // planes that are not like the others
      if (first >= end) return;
      cuts.push_back(first - steps_);
      cuts.push_back(end + steps_);
    };
    const auto [first_entry, end_entry] = sources_->planes_in(r);
    cut_around(first_entry, end_entry);
    int first = r.end[z], end = r.first[z];
    for (int l = layer_of_plane(r.first[z]); l <= layer_of_plane(r.end[z] - 1); ++l) {
      VolumeRegion layer = r;
      layer.first[z] = std::max(first_plane_of(l), r.first[z]);
      layer.end[z] = std::min(first_plane_of(l + 1), r.end[z]);
      if (has(layer, own_media)) first = std::min(first, layer.first[z]), end = layer.end[z];
    }
    cut_around(first, end);
    std::sort(cuts.begin(), cuts.end());
    constexpr int fewest = 4;  // a task computes 2 steps - 1 planes besides its own
    std::vector<VolumeTask> tasks;
    int from = part.first[z];
    for (const int cut : cuts) {
      if (cut - from < fewest || (part.end[z] - cut < fewest && cut != part.end[z])) continue;
      if (cut > part.end[z]) break;
      tasks.push_back(part);
      tasks.back().first[z] = from;
      tasks.back().end[z] = from = cut;
    }
    if (from < part.end[z]) {
      tasks.push_back(part);
      tasks.back().first[z] = from;
    }
    return tasks;
  }
  VolumeTileContent content_of(const VolumeRegion& r, bool sourced) const {
    VolumeTileContent content{0, has(r, own_media), sourced, has(r, damped)};
    for (int a = 0; a < 3; ++a) content.layers |= layered(a, r.first[a], r.end[a]) << a;
    return content;
  }
  // The content of a kernel (volume_kernels.hpp) that serves it.
  VolumeTileContent served(const VolumeTileContent& c) const {
    if (row_groups_ > 1) return served_by_pairs(c);
    const bool along_one_axis = c.layers == 1 || c.layers == 2 || c.layers == 4;
    if (c.sourced) return c.layers == 0 || c.layers == 4 ? VolumeTileContent{c.layers, true, true, true} : everything;
    if (c.damped) return c.layers == 0 || c.layers == 4 ? VolumeTileContent{c.layers, true, false, true} : everything;
    if (c.mixed) return c.layers == 0 || along_one_axis ? c : everything;
    return {c.layers > 4 ? 7 : c.layers, false, false, false};
  }
  // There are fewer kernels for two numbers in a word.
  static VolumeTileContent served_by_pairs(const VolumeTileContent& c) {
    if (!c.mixed && !c.sourced && !c.damped) return c;
    if (c.layers == 0) return {0, true, c.sourced, c.sourced || c.damped};
    if (c.layers == 4) return {4, true, c.sourced, true};
    return everything;
  }
  static constexpr VolumeTileContent everything{7, true, true, true};
  // Whether a tile of the region has it.
  bool has(const VolumeRegion& r, char what) const {
    for (int l = layer_of_plane(r.first[z]); l <= layer_of_plane(r.end[z] - 1); ++l)
      for (int j = r.first[y] / tile_cells(y); j * tile_cells(y) < r.end[y]; ++j)
        for (int i = r.first[x] / tile_cells(x); i * tile_cells(x) < r.end[x]; ++i)
          if (in_tile_[static_cast<std::size_t>((l * d_.layout.tiles[y] + j) * d_.layout.tiles[x] + i)] & what)
            return true;
    return false;
  }

  const Discretisation<float>& d_;
  const std::vector<VolumeEntry>& entries_;
  const int steps_, multiprocessors_;
  const std::optional<HalfUnits> half_;
  const int row_groups_ = half_ ? 2 : 1, rows_ = row_groups_ * Shape::rows_of_group;
  const VolumeMargins& margins_;
  const int first_own_, end_own_, planes_;  // of the block's own planes, and of all that are stored
  VolumeTables t_;
  std::vector<const Tile*> tiles_;
  static constexpr char own_media = 1, damped = 2;  // media other than the common one; an adiabatic absorber
  std::vector<char> in_tile_;                       // [layer][y][x] which of them the cells of a tile have
  std::vector<std::uint16_t> number_in_margin_[2];  // [run of media] classes of the planes below and above
  bool margins_have_media_ = false;                 // other than the common one
  float common_rate_ = 0;
  std::vector<int> boundaries_[3];
  std::optional<VolumeSourceLists> sources_;
};

}  // namespace

std::vector<int> tile_boundaries(int n, int most, int most_at_end, int unit) {
  // Inner boundaries are multiples of the unit, so that tiles beside them have no more than whole units.
  const int inner = most / unit * unit, first = most_at_end / unit * unit;
  if (n <= most_at_end) return {0, n};
  int tiles = 2;
  while (first + (tiles - 2) * inner + most_at_end < n) ++tiles;
  std::vector<int> boundaries{0};
  for (int i = 1; i < tiles; ++i) {
    const int even = static_cast<int>(std::int64_t(n) * i / tiles) / unit * unit;
    const int tiles_above = tiles - i;
    const int least = (n - most_at_end - (tiles_above - 1) * inner + unit - 1) / unit * unit;
    const int greatest = boundaries.back() + (i == 1 ? first : inner);
    boundaries.push_back(std::clamp(even, std::min(least, greatest), greatest));
  }
  boundaries.push_back(n);
  return boundaries;
}

VolumeTables volume_tables(const Discretisation<float>& d, const std::vector<VolumeEntry>& entries, int steps,
                           int multiprocessors, const std::optional<HalfUnits>& half, const VolumeMargins& margins) {
  return Builder(d, entries, steps, multiprocessors, half, margins).make();
}

}  // namespace dgtd::fdtd
