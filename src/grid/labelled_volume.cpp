#include "dgtd/grid/labelled_volume.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "dgtd/base/error.hpp"
#include "identity.hpp"

namespace dgtd::grid {
namespace {

constexpr int block_edge = 8;               // voxels
constexpr double least_voxel_share = 1e-9;  // of a voxel: less of it does not count

/// The voxels of one material.
class LabelRegion final : public Solid {
 public:
  LabelRegion(std::shared_ptr<const LabelledVolume> volume, int place) : volume_(std::move(volume)), place_(place) {}
  Bounds bounds() const override { return volume_->bounds(); }
  bool inside(const Vec3& x) const override { return volume_->place_at(x) == place_; }
  Cover cover_of_box(const Vec3& centre, const Vec3& half) const override {
    const std::uint32_t places = volume_->places_in(centre, half), own = std::uint32_t{1} << place_;
    return places == own ? Cover::all : places & own ? Cover::part : Cover::none;
  }
  void add_crossings(const Vec3& x, int axis, double reach, std::vector<Interval>& to) const override {
    volume_->add_crossings(place_, x, axis, reach, to);
  }
  Surface surface_near(const Vec3& x) const override { return volume_->surface_near(place_, x); }
  const LabelledVolume* labels() const override { return volume_.get(); }

 private:
  std::shared_ptr<const LabelledVolume> volume_;
  int place_;
};

}  // namespace

// The labels that voxels have. Threads take planes.
std::array<bool, 256> LabelledVolume::labels_found() const {
  const std::size_t plane = std::size_t(voxels_.size[0]) * voxels_.size[1];
  std::array<bool, 256> found{};
#pragma omp parallel
  {
    std::array<bool, 256> mine{};
#pragma omp for schedule(static)
    for (int k = 0; k < voxels_.size[2]; ++k)
      for (std::size_t i = 0; i < plane; ++i) mine[voxels_.label[std::size_t(k) * plane + i]] = true;
#pragma omp critical
    for (std::size_t l = 0; l < found.size(); ++l) found[l] = found[l] || mine[l];
  }
  return found;
}

// Labels become places, and blocks list theirs. Threads take layers of blocks.
void LabelledVolume::set_places(const std::array<std::uint8_t, 256>& place_of_label) {
  const auto& n = voxels_.size;
  places_of_block_.assign(std::size_t(blocks_[0]) * blocks_[1] * blocks_[2], 0);
#pragma omp parallel for schedule(static)
  for (int layer = 0; layer < blocks_[2]; ++layer)
    for (int k = layer * block_edge; k < std::min(n[2], (layer + 1) * block_edge); ++k)
      for (int j = 0; j < n[1]; ++j) {
        std::uint8_t* const row = voxels_.label.data() + (std::size_t(k) * n[1] + j) * n[0];
        std::uint32_t* const blocks =
            places_of_block_.data() + (std::size_t(layer) * blocks_[1] + j / block_edge) * blocks_[0];
        for (int i = 0; i < n[0]; ++i) {
          row[i] = place_of_label[row[i]];
          blocks[i / block_edge] |= std::uint32_t{1} << row[i];
        }
      }
}

LabelledVolume::LabelledVolume(Voxels voxels, const std::vector<std::pair<int, int>>& materials)
    : identity_(new_identity()), voxels_(std::move(voxels)) {
  std::array<std::uint8_t, 256> place_of_label{};
  const std::array<bool, 256> found = labels_found();
  for (const auto& [label, material] : materials) {
    if (label < 0 || label > 255 || !found[static_cast<std::size_t>(label)]) {
      std::vector<int> labels;
      for (int l = 0; l < 256; ++l)
        if (found[static_cast<std::size_t>(l)]) labels.push_back(l);
      throw Error(fmt::format("there is no label {}; the labels are {}", label, fmt::join(labels, ", ")));
    }
    auto at = std::find(materials_.begin(), materials_.end(), material);
    if (at == materials_.end()) at = materials_.insert(at, material);
    place_of_label[static_cast<std::size_t>(label)] = static_cast<std::uint8_t>(at - materials_.begin() + 1);
  }
  if (materials_.size() > most_materials)
    throw Error(fmt::format("{} materials in a labelled volume: at most {}", materials_.size(), most_materials));
  for (int a = 0; a < 3; ++a) {
    end_[a] = voxels_.corner[a] + voxels_.size[a] * voxels_.spacing[a];
    blocks_[a] = (voxels_.size[a] + block_edge - 1) / block_edge;
  }
  set_places(place_of_label);
}

int LabelledVolume::place_at(const Vec3& x) const {
  int at[3];
  for (int a = 0; a < 3; ++a) {
    const double i = std::floor((x[a] - voxels_.corner[a]) / voxels_.spacing[a]);
    if (!(i >= 0 && i < voxels_.size[a])) return 0;
    at[a] = static_cast<int>(i);
  }
  return place(at[0], at[1], at[2]);
}

LabelledVolume::Range LabelledVolume::range(int axis, double low, double high) const {
  const auto index = [&](double x) {
    return std::clamp((x - voxels_.corner[axis]) / voxels_.spacing[axis], -2.0, voxels_.size[axis] + 2.0);
  };
  return {static_cast<int>(std::floor(index(low) + least_voxel_share)),
          static_cast<int>(std::ceil(index(high) - least_voxel_share))};
}

// The regions of one volume ask for the same box one after the other: the last answer is kept.
std::uint32_t LabelledVolume::places_in(const Vec3& centre, const Vec3& half) const {
  struct Last {
    std::uint64_t volume = 0;
    Vec3 centre, half;
    std::uint32_t places = 0;
  };
  thread_local Last last;
  if (last.volume != identity_ || !(last.centre == centre) || !(last.half == half))
    last = {identity_, centre, half, find_places(centre, half)};
  return last.places;
}

std::uint32_t LabelledVolume::find_places(const Vec3& centre, const Vec3& half) const {
  std::uint32_t beyond = 0;
  Range r[3];
  for (int a = 0; a < 3; ++a) {
    r[a] = range(a, centre[a] - half[a], centre[a] + half[a]);
    if (r[a].low < 0 || r[a].high > voxels_.size[a]) beyond = 1;
    r[a] = {std::max(r[a].low, 0), std::min(r[a].high, voxels_.size[a])};
    if (r[a].low >= r[a].high) return 1;
  }
  std::uint32_t most = beyond;  // of whole blocks
  for (int k = r[2].low / block_edge; k <= (r[2].high - 1) / block_edge; ++k)
    for (int j = r[1].low / block_edge; j <= (r[1].high - 1) / block_edge; ++j)
      for (int i = r[0].low / block_edge; i <= (r[0].high - 1) / block_edge; ++i)
        most |= places_of_block_[(std::size_t(k) * blocks_[1] + j) * blocks_[0] + i];
  std::uint32_t places = beyond;
  for (int k = r[2].low; k < r[2].high; ++k)
    for (int j = r[1].low; j < r[1].high; ++j) {
      if (std::has_single_bit(most) || places == most) return most;
      const std::uint8_t* const row = row_of(j, k);
      for (int i = r[0].low; i < r[0].high; ++i) places |= std::uint32_t{1} << row[i];
    }
  return places;
}

int LabelledVolume::filling(const Vec3& centre, const Vec3& half, int behind) const {
  std::uint32_t places = find_places(centre, half);
  const int material = material_of_place(std::countr_zero(places), behind);
  for (places &= places - 1; places != 0; places &= places - 1)
    if (material_of_place(std::countr_zero(places), behind) != material) return -1;
  return material;
}

Scene::Mixture LabelledVolume::mixture(const Vec3& centre, const Vec3& size, int behind) const {
  Range r[3];
  thread_local std::array<std::vector<double>, 3> lengths;  // of the voxels' parts in the box, m
  std::array<std::vector<double>, 3>& length = lengths;
  for (int a = 0; a < 3; ++a) {
    const double low = centre[a] - size[a] / 2, high = centre[a] + size[a] / 2;
    r[a] = range(a, low, high);
    length[a].clear();
    for (int i = r[a].low; i < r[a].high; ++i) {
      // Space beyond the volume by more than range() belongs to its outermost voxels, which are transparent.
      const double from = i == r[a].low ? low : voxels_.corner[a] + i * voxels_.spacing[a];
      const double to = i + 1 == r[a].high ? high : voxels_.corner[a] + (i + 1) * voxels_.spacing[a];
      length[a].push_back(to - from);
    }
  }
  double volume[most_materials + 1] = {};
  const bool inside = is_inside(r);
  for (int k = r[2].low; k < r[2].high; ++k)
    for (int j = r[1].low; j < r[1].high; ++j) {
      const std::uint8_t* const row = inside ? row_of(j, k) : nullptr;
      for (int i = r[0].low; i < r[0].high; ++i)
        volume[inside ? row[i] : place(i, j, k)] +=
            length[0][i - r[0].low] * length[1][j - r[1].low] * length[2][k - r[2].low];
    }
  const int places = static_cast<int>(materials_.size()) + 1;
  const auto material = [&](int p) { return material_of_place(p, behind); };
  for (int p = 1; p < places; ++p)  // the volume may hold what is behind it
    if (material(p) == behind) {
      volume[0] += volume[p];
      volume[p] = 0;
    }
  int first = 0, second = -1;
  for (int p = 1; p < places; ++p)
    if (volume[p] > volume[first]) first = p;
  for (int p = 0; p < places; ++p)
    if (p != first && volume[p] > 0 && (second < 0 || volume[p] > volume[second])) second = p;
  const double share = second < 0 ? 0 : volume[second] / (volume[first] + volume[second]);
  if (share < least_voxel_share) return {material(first), material(first), 0, {}};
  return {material(first), material(second), share, normal(material(first), material(second), behind, centre, size)};
}

// From the middle of the first material's voxels to that of the second's, weighted by a smooth bump around the centre:
// along the normal of a plane interface wherever it lies, because the bump is round.
Vec3 LabelledVolume::normal(int first, int second, int behind, const Vec3& centre, const Vec3& size) const {
  const Vec3& h = voxels_.spacing;
  const double radius =
      std::max(0.75 * std::max({size.x, size.y, size.z}), 1.75 * std::max({h.x, h.y, voxels_.flat ? 0 : h.z}));
  Range r[3];
  int step[3];                                              // every voxel, or some five a radius where there are many
  thread_local std::array<std::vector<double>, 3> offsets;  // of the voxels from the centre, m
  std::array<std::vector<double>, 3>& offset = offsets;
  for (int a = 0; a < 3; ++a) {
    r[a] = range(a, centre[a] - radius, centre[a] + radius);
    step[a] = std::max(1, static_cast<int>(radius / (5 * h[a])));
    offset[a].clear();
    for (int i = r[a].low; i < r[a].high; i += step[a])
      offset[a].push_back(a == 2 && voxels_.flat ? 0 : voxels_.corner[a] + (i + 0.5) * h[a] - centre[a]);
  }
  std::array<int, most_materials + 1> side{};  // [place] 0: the first material, 1: the second, -1: neither
  for (int p = 0; p <= static_cast<int>(materials_.size()); ++p) {
    const int m = material_of_place(p, behind);
    side[static_cast<std::size_t>(p)] = m == first ? 0 : m == second ? 1 : -1;
  }
  Vec3 moment[2];
  double weight[2] = {0, 0};
  const bool inside = is_inside(r);
  const double* z = offset[2].data();
  for (int k = r[2].low; k < r[2].high; k += step[2], ++z) {
    const double* y = offset[1].data();
    for (int j = r[1].low; j < r[1].high; j += step[1], ++y) {
      const double* x = offset[0].data();
      const std::uint8_t* const row = inside ? row_of(j, k) : nullptr;
      for (int i = r[0].low; i < r[0].high; i += step[0], ++x) {
        const int s = side[static_cast<std::size_t>(inside ? row[i] : place(i, j, k))];
        if (s < 0) continue;
        const Vec3 at{*x, *y, *z};
        const double rest = 1 - dot(at, at) / (radius * radius);
        if (rest <= 0) continue;
        weight[s] += rest * rest;
        moment[s] += rest * rest * at;
      }
    }
  }
  if (weight[0] == 0 || weight[1] == 0) return {};
  const Vec3 apart = moment[1] / weight[1] - moment[0] / weight[0];
  return norm(apart) > 1e-6 * radius ? apart / norm(apart) : Vec3{};
}

void LabelledVolume::add_crossings(int wanted, const Vec3& x, int axis, double reach, std::vector<Interval>& to) const {
  int at[3];
  for (int a = 0; a < 3; ++a) at[a] = range(a, x[a], x[a]).low;
  const Range r = range(axis, x[axis] - reach, x[axis] + reach);
  const int low = std::max(r.low, 0), high = std::min(std::max(r.high, r.low + 1), voxels_.size[axis]);
  const auto edge = [&](int i) { return voxels_.corner[axis] + i * voxels_.spacing[axis] - x[axis]; };
  int begin = -1;
  for (int i = low; i <= high; ++i) {
    at[axis] = i;
    const bool here = i < high && place(at[0], at[1], at[2]) == wanted;
    if (here && begin < 0) begin = i;
    if (here || begin < 0) continue;
    to.push_back({edge(begin), edge(i)});
    begin = -1;
  }
}

// The gradient of the share of the 5^3 voxels around x, and from that share how far a plane surface would be.
Surface LabelledVolume::surface_near(int wanted, const Vec3& x) const {
  constexpr int reach = 2, edge = 2 * reach + 1;
  int at[3];
  for (int a = 0; a < 3; ++a) at[a] = range(a, x[a], x[a]).low;
  Vec3 outwards;
  int count = 0;
  for (int k = -reach; k <= reach; ++k)
    for (int j = -reach; j <= reach; ++j)
      for (int i = -reach; i <= reach; ++i) {
        if (place(at[0] + i, at[1] + j, voxels_.flat ? 0 : at[2] + k) != wanted) continue;
        ++count;
        outwards -= Vec3{i / voxels_.spacing.x, j / voxels_.spacing.y, k / voxels_.spacing.z};
      }
  const double length = norm(outwards),
               width = edge * std::min({voxels_.spacing.x, voxels_.spacing.y, voxels_.spacing.z});
  return {(0.5 - count / double(edge * edge * edge)) * width, length > 0 ? outwards / length : Vec3{0, 0, 1}};
}

std::vector<Shape> shapes_of(const std::shared_ptr<const LabelledVolume>& volume, int priority) {
  std::vector<Shape> bodies;
  for (std::size_t m = 0; m < volume->materials().size(); ++m) {
    Shape& body = bodies.emplace_back();
    body.type = Shape::Type::solid;
    body.material = volume->materials()[m];
    body.priority = priority;
    body.solid = std::make_shared<LabelRegion>(volume, static_cast<int>(m) + 1);
  }
  return bodies;
}

}  // namespace dgtd::grid
