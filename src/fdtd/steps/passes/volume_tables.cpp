#include "fdtd/steps/passes/volume_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <map>

#include "fdtd/steps/passes/volume_cuts.hpp"
#include "fdtd/steps/passes/volume_source_lists.hpp"

namespace dgtd::fdtd {
namespace {

using Shape = VolumeTileShape;

class Builder {
 public:
  Builder(const Discretisation<float>& d, const std::vector<SourceList>& sources, int steps, int multiprocessors,
          const std::optional<HalfUnits>& half, const VolumeMargins& margins, const std::vector<std::uint64_t>& ports)
      : d_(d),
        sources_(sources),
        ports_(ports),
        steps_(steps),
        multiprocessors_(multiprocessors),
        half_(half),
        margins_(margins),
        first_own_(d.layout.below),
        end_own_(first_own_ + d.layout.cells[z]),
        planes_(end_own_ + d.layout.above),
        tiling_(d.layout, steps, row_groups_) {}

  VolumeTables make() {
    collect_tiles();
    set_axis_along_z();
    if (t_.why_not = check_batches(); !t_.why_not.empty()) return std::move(t_);
    contents_.emplace(d_.layout, layered_cells(), damped_cells(), row_groups_);
    t_.damped = contents_->damped({{0, 0, 0}, {d_.layout.cells[x], d_.layout.cells[y], planes_}});
    for (const auto check : {&Builder::check_cuts, &Builder::check_ports, &Builder::check_layers})
      if (t_.why_not = (this->*check)(); !t_.why_not.empty()) return std::move(t_);
    number_classes();
    if (!t_.why_not.empty()) return std::move(t_);
    set_coefficients();
    place_layers();
    auto& stored_at = t_.sources.stored_at;
    for (const SourceList& list : sources_) stored_at.resize(stored_at.size() + list.entries.size(), -1);
    t_.ports.stored_at.assign(ports_.size(), -1);
    make_tasks();
    return std::move(t_);
  }

 private:
  using Contents = VolumeContents;
  static constexpr int x = 0, y = 1, z = 2;

  void collect_tiles() {
    for (const TileBatch& b : d_.electric.batches)
      for (const Tile& tile : b.tiles) tiles_.push_back(&tile);
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
      axis.c = joined(below.c[f], own.c, above.c[f]);
      axis.b = joined(std::vector<float>(below.nodes.size(), 0), own.b, std::vector<float>(above.nodes.size(), 0));
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
    return m.Ca == 1 ? "" : "magnetic materials";
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
      if (contents_->layered(z, first, first + planes)) return "ranks end beside absorbing layers along z";
      const bool same = margin.magnetic.front().Cb == magnetic_class().Cb && margin.magnetic.front().Ca == 1;
      return same ? "" : "magnetic materials";
    };
    const std::string below = check(margins_.below, 0);
    return below.empty() ? check(margins_.above, end_own_) : below;
  }
  // A neighbour computes the planes next to the cut again, but has no circuits.
  std::string check_ports() {
    const auto reals = static_cast<std::uint64_t>(d_.layout.reals);
    for (const std::uint64_t index : ports_) {
      const int k = d_.layout.cell_at(static_cast<std::int64_t>(index % reals)).k;
      if (k < d_.layout.below || k >= d_.layout.cells[z] - d_.layout.above) return "ports beside other ranks";
    }
    return "";
  }
  MediumClass<float> magnetic_class() const {
    return d_.magnetic.classes[static_cast<std::size_t>(d_.magnetic.batches.front().tiles.front().medium_class)];
  }

  Contents::CellsOfAxes layered_cells() const {
    Contents::CellsOfAxes layered;
    for (int a = 0; a < 3; ++a)
      for (std::size_t i = 0; i < static_cast<std::size_t>(a == z ? planes_ : d_.layout.cells[a]); ++i)
        layered[static_cast<std::size_t>(a)].push_back((a == z ? t_.along_z[0] : d_.electric.axis[a]).c[i] != 0 ||
                                                       (a == z ? t_.along_z[1] : d_.magnetic.axis[a]).c[i] != 0);
    return layered;
  }
  Contents::CellsOfAxes damped_cells() const {
    Contents::CellsOfAxes damped;
    for (int a = 0; a < 3; ++a) {
      const DampingArrays<float>& factors = a == z ? t_.damping_along_z : d_.damping[a];
      for (std::size_t i = 0; i < factors.nodes.size(); ++i)
        damped[static_cast<std::size_t>(a)].push_back(factors.nodes[i] != 1 || factors.centres[i] != 1);
    }
    return damped;
  }
  // The arrays of a tile for a layer have room for a limited number of lanes and warps.
  std::string check_layers() {
    for (int i = 0; i < tiling_.tiles(x); ++i)
      if (groups_in_layer(x, tiling_.start(x, i), Shape::cells_per_lane, 32) > Shape::layer_lanes)
        return "absorbing layers thicker than 14 cells, or a grid narrower than a tile between them";
    for (int j = 0; j < tiling_.tiles(y); ++j)
      if (groups_in_layer(y, tiling_.start(y, j), Shape::rows_per_warp, Shape::warps * row_groups_) >
          Shape::layer_warps)
        return "absorbing layers thicker than 10 cells, or a grid narrower than a tile between them";
    constexpr int most = Shape::most_planes_in_layer - 32;
    for (int k = 0, planes = 0; k < planes_; ++k)
      if (planes = contents_->layered(z, k) ? planes + 1 : 0; planes > most)
        return fmt::format("absorbing layers thicker than {} cells along z", most);
    return "";
  }
  // From the first to the last group of so many cells of a tile that a layer touches.
  int groups_in_layer(int axis, int start, int group, int groups) const {
    int first = groups, last = -1;
    for (int g = 0; g < groups; ++g)
      if (contents_->layered(axis, start + g * group, start + (g + 1) * group)) first = std::min(first, g), last = g;
    return last - first + 1;
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
      if (classes[static_cast<std::size_t>(c)].Ca == 1 &&
          (common < 0 || count[static_cast<std::size_t>(c)] > count[static_cast<std::size_t>(common)]))
        common = c;
    common_Cb_ = common >= 0 ? classes[static_cast<std::size_t>(common)].Cb : 0.0f;
    t_.classes = classes;
    if (common >= 0) std::swap(t_.classes[0], t_.classes[static_cast<std::size_t>(common)]);
    else t_.classes.insert(t_.classes.begin(), MediumClass<float>{1, 0});
    if (t_.classes.size() > 65536) t_.why_not = "more than 65535 mixtures of materials";
    std::vector<const Tile*> own;
    for (const Tile* tile : tiles_) {
      char& contents = contents_->in_tile(*tile);
      if (tile->classes < 0 && tile->medium_class == common) continue;
      own.push_back(tile);
      contents |= Contents::own_media;
    }
    number_margins(common >= 0);
    if (t_.classes.size() > 65536) t_.why_not = "more than 65535 mixtures of materials";
    if ((own.empty() && !margins_have_media_) || !t_.why_not.empty()) return;
    const auto number = [&](int c) { return common < 0 ? c + 1 : c == common ? 0 : c == 0 ? common : c; };
    for (auto& of_component : t_.class_of) of_component.resize(static_cast<std::size_t>(d_.layout.reals));
    fill_classes(own, number);
    fill_margin(margins_.below, number_in_margin_[0], 0);
    fill_margin(margins_.above, number_in_margin_[1], end_own_);
  }

  // The numbers of the media of the margins among the classes of this block, where they may be new.
  void number_margins(bool has_common) {
    if (margins_.below.planes() + margins_.above.planes() == 0) return;
    std::map<std::pair<float, float>, std::size_t> numbers;
    for (std::size_t n = has_common ? 0 : 1; n < t_.classes.size(); ++n)
      numbers.try_emplace({t_.classes[n].Ca, t_.classes[n].Cb}, n);
    const auto find = [&](MediumClass<float> m) {
      if (half_) m = in_scale({m}, half_->magnetic_scale)[0];
      const auto [at, is_new] = numbers.try_emplace({m.Ca, m.Cb}, t_.classes.size());
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
        const int layer = contents_->layer_of_plane((side == 0 ? 0 : end_own_) + k);
        contents_->in_tile(layer, j / tile_cells(y), i / tile_cells(x)) |=
            Contents::own_media | contents_of(number_in_margin_[side][run]);
      });
    }
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
  char contents_of(std::uint16_t number) const { return t_.classes[number].Ca == 1 ? 0 : Contents::lossy; }
  // Plane by plane, so that threads touch pages of their own.
  template <class Number>
  void fill_classes(const std::vector<const Tile*>& own, const Number& number) {
    const bool is_lossy = std::any_of(t_.classes.begin(), t_.classes.end(), [](const auto& m) { return m.Ca != 1; });
    std::vector<std::vector<const Tile*>> layers(static_cast<std::size_t>(d_.layout.tiles[z]));
    for (const Tile* tile : own) layers[static_cast<std::size_t>(tile->first[z] / tile_cells(z))].push_back(tile);
    const std::int64_t planes = d_.layout.cells[z];
#pragma omp parallel for schedule(dynamic)
    for (std::int64_t n = 0; n < 3 * planes; ++n)
      for (const Tile* tile : layers[static_cast<std::size_t>(n % planes / tile_cells(z))])
        fill_plane(*tile, static_cast<int>(n / planes), static_cast<int>(n % planes), is_lossy, number);
  }
  template <class Number>
  void fill_plane(const Tile& tile, int c, int k, bool is_lossy, const Number& number) {
    const int columns = std::min(tile_cells(x), d_.layout.cells[x] - tile.first[x]);
    const int rows = std::min(tile_cells(y), d_.layout.cells[y] - tile.first[y]);
    char contents = 0;
    for (int j = 0; j < rows; ++j) {
      std::uint16_t* const to = t_.class_of[c].data() + d_.layout.index(tile.first[x], tile.first[y] + j, k);
      if (tile.classes < 0) {
        std::fill_n(to, columns, static_cast<std::uint16_t>(number(tile.medium_class)));
      } else {
        const std::uint16_t* const from =
            d_.electric.class_of.data() +
            (std::size_t(tile.classes) * 3 + static_cast<std::size_t>(c)) * cells_of_tile +
            static_cast<std::size_t>(((k - tile.first[z]) * tile_cells(y) + j) * tile_cells(x));
        for (int i = 0; i < columns; ++i) to[i] = static_cast<std::uint16_t>(number(from[i]));
      }
      for (int i = 0; i < columns && is_lossy; ++i) contents |= contents_of(to[i]);
    }
    if (contents != 0) std::atomic_ref(contents_->in_tile(tile)).fetch_or(contents);
  }

  void set_coefficients() {
    t_.Cb[0] = common_Cb_;
    t_.Cb[1] = half_ ? in_scale({magnetic_class()}, 1 / half_->magnetic_scale)[0].Cb : magnetic_class().Cb;
    for (int f = 0; f < 2; ++f)
      for (int a = 0; a < 3; ++a)
        for (const float inverse :
             (a == z ? t_.along_z[f] : (f == 0 ? d_.electric : d_.magnetic).axis[a]).inverse_distance)
          t_.coefficient[f][a].push_back(half_ ? half_coefficient(t_.Cb[f], inverse, half_->length)
                                               : t_.Cb[f] * inverse);
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

  // Whether it stores planes that a neighbour computes with.
  bool is_next_to_cut(const VolumeTask& task) const {
    return (d_.layout.below > 0 && task.first[z] < first_own_ + d_.layout.below) ||
           (d_.layout.above > 0 && task.end[z] > end_own_ - d_.layout.above);
  }

  void make_tasks() {
    if (t_.classes.size() > most_gathered_classes) contents_->use_Cb(steps_);
    if (t_.has_few_classes()) contents_->use_few_classes();
    const VolumeSourceLists sources(d_.layout, sources_, ports_, planes_, steps_, row_groups_);
    std::map<std::pair<bool, VolumeTileContent>, VolumeTables::Group> groups;
    for (VolumeTask& task : volume_tasks(tiling_, d_.layout, *contents_, sources, multiprocessors_)) {
      const VolumeRegion region = tiling_.region_of(task);
      const bool ports = sources.add(task, region, t_);
      const VolumeTileContent content = contents_->served(region, task.sources >= 0, ports);
      const bool next_to_cut = is_next_to_cut(task);
      VolumeTables::Group& group = groups[{next_to_cut, content}];
      group.next_to_cut = next_to_cut;
      group.content = content;
      if (content.sourced && task.sources < 0) sources.add_none(task, t_);
      group.tasks.push_back(task);
      note_media(content.media, region);
    }
    for (auto& [kind, group] : groups) t_.groups.push_back(std::move(group));
    leave_out_common_planes();
    t_.source_begin.push_back(static_cast<int>(t_.source_terms.size()));
  }
  // Tiles end at multiples of their size, media elsewhere.
  void leave_out_common_planes() {
    auto& [first, end] = t_.Cb_planes;
    const std::int64_t reals = d_.layout.plane;
    const auto common = [&](int plane) {
      int others = 0;
      for (const auto& of : t_.class_of) {
        const std::uint16_t* const numbers = of.data() + (plane + 1) * reals;
#pragma omp parallel for schedule(static) reduction(| : others)
        for (std::int64_t i = 0; i < reals; ++i) others |= numbers[i];
      }
      return others == 0;
    };
    while (first < end && common(first)) ++first;
    while (first < end && common(end - 1)) --end;
  }
  void note_media(TileMedia media, const VolumeRegion& region) {
    const auto [first, end] = contents_->planes_with(Contents::own_media, region);
    if (first >= end) return;
    if (media != TileMedia::Cb) t_.gathers_classes = true;
    else note_Cb(first, end);
  }
  void note_Cb(int first, int end) {
    auto& planes = t_.Cb_planes;
    planes = planes[0] == planes[1] ? std::array{first, end}
                                    : std::array{std::min(planes[0], first), std::max(planes[1], end)};
  }

  const Discretisation<float>& d_;
  const std::vector<SourceList>& sources_;
  const std::vector<std::uint64_t>& ports_;
  const int steps_, multiprocessors_;
  const std::optional<HalfUnits> half_;
  const int row_groups_ = half_ ? 2 : 1;
  const VolumeMargins& margins_;
  const int first_own_, end_own_, planes_;  // of the block's own planes, and of all that are stored
  const VolumeTiling tiling_;
  VolumeTables t_;
  std::vector<const Tile*> tiles_;
  std::optional<VolumeContents> contents_;
  std::vector<std::uint16_t> number_in_margin_[2];  // [run of media] classes of the planes below and above
  bool margins_have_media_ = false;                 // other than the common one
  float common_Cb_ = 0;
};

}  // namespace

VolumeTables volume_tables(const Discretisation<float>& d, const std::vector<SourceList>& sources, int steps,
                           int multiprocessors, const std::optional<HalfUnits>& half, const VolumeMargins& margins,
                           const std::vector<std::uint64_t>& ports) {
  return Builder(d, sources, steps, multiprocessors, half, margins, ports).make();
}

}  // namespace dgtd::fdtd
