#include "dgtd/grid/shapes.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#include "shape.hpp"
#include "dgtd/grid/labelled_volume.hpp"

namespace dgtd::grid {
namespace {

using Contents = Scene::Contents;

constexpr double least_box_share = 1e-9;  // smaller shares of a box are taken for none

/// Lengths of lines by material.
class Tally {
 public:
  void add(int material, double length) {
    const auto found =
        std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.material == material; });
    if (found == entries_.end()) entries_.push_back({material, length});
    else found->length += length;
  }

  /// Without the normal.
  Scene::Mixture most_frequent() {
    std::stable_sort(entries_.begin(), entries_.end(),
                     [](const Entry& a, const Entry& b) { return a.length > b.length; });
    const Entry& first = entries_.front();
    const double second = entries_.size() > 1 ? entries_[1].length : 0, share = second / (first.length + second);
    if (share < least_box_share) return {first.material, first.material, 0, {}};
    return {first.material, entries_[1].material, share, {}};
  }

 private:
  struct Entry {
    int material;
    double length;
  };
  std::vector<Entry> entries_;
};

/// Adds the line x + t along the axis, |t| <= reach, piece by piece between the surfaces that it meets.
void add_line(const Contents& contents, const Vec3& x, int axis, double reach, Tally& tally) {
  thread_local std::vector<std::pair<Interval, int>> inner;  // of the cut bodies, with the material
  thread_local std::vector<Interval> pieces;
  thread_local std::vector<double> ends;
  inner.clear();
  ends.assign({-reach, reach});
  for (const Shape* body : contents.cut) {
    pieces.clear();
    add_crossings(*body, x, axis, reach, pieces);
    for (const Interval& piece : pieces) {
      if (piece.high <= -reach || piece.low >= reach) continue;
      inner.emplace_back(piece, body->material);
      for (const double end : {piece.low, piece.high})
        if (std::abs(end) < reach) ends.push_back(end);
    }
  }
  std::sort(ends.begin(), ends.end());
  for (std::size_t piece = 0; piece + 1 < ends.size(); ++piece) {
    const double middle = (ends[piece] + ends[piece + 1]) / 2;
    const auto holder = std::find_if(inner.begin(), inner.end(),
                                     [&](const auto& i) { return i.first.low < middle && middle < i.first.high; });
    tally.add(holder == inner.end() ? contents.behind : holder->second, ends[piece + 1] - ends[piece]);
  }
}

/// Normal of the nearest surface of a body that may cut the box.
Vec3 nearest_normal(const Contents& contents, const Vec3& x) {
  Surface nearest = surface_near(*contents.cut.front(), x);
  for (const Shape* body : contents.cut)
    if (const Surface surface = surface_near(*body, x); std::abs(surface.distance) < std::abs(nearest.distance))
      nearest = surface;
  return nearest.normal;
}

/// Normal of the nearest surface where a body of one of the two materials meets the other one, as seen
/// `step` to both its sides; where no surface is plainly such a one, of the nearest body of either material.
Vec3 interface_normal(const Scene::Mixture& mixture, const Contents& contents, const Vec3& centre, double step) {
  Vec3 normal;
  std::pair<bool, double> best{true, std::numeric_limits<double>::infinity()};  // does not separate, distance
  for (const Shape* body : contents.cut) {
    if (body->material != mixture.first && body->material != mixture.second) continue;
    const int other = body->material == mixture.first ? mixture.second : mixture.first;
    const Surface surface = surface_near(*body, centre);
    const Vec3 foot = centre - surface.distance * surface.normal, aside = step * surface.normal;
    const bool separates =
        contents.material_at(foot - aside) == body->material && contents.material_at(foot + aside) == other;
    const std::pair candidate{!separates, std::abs(surface.distance)};
    if (!(candidate < best)) continue;
    best = candidate;
    normal = body->material == mixture.first ? surface.normal : -surface.normal;
  }
  return normal;
}

const LabelledVolume* volume_of(const Shape& body) {
  return body.type == Shape::Type::solid ? body.solid->labels() : nullptr;
}

/// The one labelled volume that all cut bodies are parts of, or null.
const LabelledVolume* common_volume(const Contents& contents) {
  const LabelledVolume* const volume = volume_of(*contents.cut.front());
  return std::all_of(contents.cut.begin(), contents.cut.end(),
                     [&](const Shape* body) { return volume_of(*body) == volume; })
             ? volume
             : nullptr;
}

int largest_component(const Vec3& a) {
  int axis = 0;
  for (int i : {1, 2})
    if (std::abs(a[i]) > std::abs(a[axis])) axis = i;
  return axis;
}

}  // namespace

Scene::Scene(std::vector<Shape> bodies, int background) : bodies_(std::move(bodies)), background_(background) {
  for (std::size_t b = 0; b < bodies_.size(); ++b) bodies_[b] = checked(bodies_[b], b);
  std::reverse(bodies_.begin(), bodies_.end());
  std::stable_sort(bodies_.begin(), bodies_.end(),
                   [](const Shape& a, const Shape& b) { return a.priority > b.priority; });
  for (const Shape& body : bodies_) bounds_.push_back(bounds(body));
  if (!bodies_.empty()) only_volume_ = volume_of(bodies_.front());
  for (const Shape& body : bodies_)
    if (volume_of(body) != only_volume_) only_volume_ = nullptr;
}

int Scene::Contents::material_at(const Vec3& x) const {
  const auto holder = std::find_if(cut.begin(), cut.end(), [&](const Shape* body) { return inside(*body, x); });
  return holder == cut.end() ? behind : (*holder)->material;
}

bool Scene::Contents::uniform() const {
  return std::all_of(cut.begin(), cut.end(), [&](const Shape* body) { return body->material == behind; });
}

int Scene::material_at(const Vec3& x) const {
  if (only_volume_ != nullptr) return only_volume_->material_at(x, background_);
  const auto holder = std::find_if(bodies_.begin(), bodies_.end(), [&](const Shape& body) { return inside(body, x); });
  return holder == bodies_.end() ? background_ : holder->material;
}

// The list of cut bodies is one per thread: grids ask for millions of boxes.
const Scene::Contents& Scene::contents_of_box(const Vec3& centre, const Vec3& size) const {
  thread_local Contents of_thread;
  Contents& contents = of_thread;
  contents.cut.clear();
  contents.behind = background_;
  const Vec3 half = 0.5 * size, low = centre - half, high = centre + half;
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const Bounds& bounds = bounds_[b];
    if (low.x >= bounds.high.x || high.x <= bounds.low.x || low.y >= bounds.high.y || high.y <= bounds.low.y ||
        low.z >= bounds.high.z || high.z <= bounds.low.z)
      continue;
    const Cover cover = cover_of_box(bodies_[b], centre, half);
    if (cover == Cover::part) contents.cut.push_back(&bodies_[b]);
    if (cover != Cover::all) continue;
    contents.behind = bodies_[b].material;
    break;
  }
  return contents;
}

bool Scene::has_voxels() const {
  return std::any_of(bodies_.begin(), bodies_.end(), [](const Shape& body) { return volume_of(body) != nullptr; });
}

int Scene::filling(const Vec3& centre, const Vec3& size) const {
  if (only_volume_ != nullptr) return only_volume_->filling(centre, 0.5 * size, background_);
  const Contents& contents = contents_of_box(centre, size);
  return contents.uniform() ? contents.behind : -1;
}

Scene::Mixture Scene::mixture(const Vec3& centre, const Vec3& size, int samples) const {
  assert(samples >= 0);
  if (only_volume_ != nullptr) return only_volume_->mixture(centre, size, background_);
  const Contents& contents = contents_of_box(centre, size);
  const Vec3 half = 0.5 * size;
  if (contents.uniform()) return {contents.behind, contents.behind, 0, {}};

  if (const LabelledVolume* volume = common_volume(contents)) return volume->mixture(centre, size, contents.behind);
  if (samples == 0) {
    const bool solids = std::any_of(contents.cut.begin(), contents.cut.end(),
                                    [](const Shape* b) { return b->type == Shape::Type::solid; });
    samples = solids ? 4 : 8;
  }
  const int axis = largest_component(nearest_normal(contents, centre));
  const int next = (axis + 1) % 3, last = (axis + 2) % 3;
  Tally tally;
  for (int i = 0; i < samples; ++i)
    for (int j = 0; j < samples; ++j) {
      Vec3 x = centre;
      x[next] += size[next] * ((i + 0.5) / samples - 0.5);
      x[last] += size[last] * ((j + 0.5) / samples - 0.5);
      add_line(contents, x, axis, half[axis], tally);
    }
  Mixture mixture = tally.most_frequent();
  if (mixture.second != mixture.first) mixture.normal = interface_normal(mixture, contents, centre, 0.1 * norm(half));
  return mixture;
}

// A. Farjadpour et al., Opt. Lett. 31 (2006) 2972, (1): the inverse tensor P <1/eps> + (1 - P) / <eps> with the
// projection P = n n on the normal; its diagonal, as A. Mohammadi et al., Opt. Express 13 (2005) 10367:
// 1 / eps_a = (1 - n_a^2) / <eps> + n_a^2 <1/eps>.
double averaged_permittivity(const Scene::Mixture& mixture, double eps_first, double eps_second, int axis) {
  const double share = mixture.share_of_second;
  if (share == 0) return eps_first;
  const double mean = (1 - share) * eps_first + share * eps_second;
  const double mean_inverse = (1 - share) / eps_first + share / eps_second;
  const double across = mixture.normal[axis] * mixture.normal[axis];
  return 1 / ((1 - across) / mean + across * mean_inverse);
}

// d eps_a = eps_a^2 ((1 - n_a^2) <d eps> / <eps>^2 + n_a^2 <d eps / eps^2>)
double averaged_conductivity(const Scene::Mixture& mixture, double eps_first, double eps_second, double sigma_first,
                             double sigma_second, int axis) {
  const double share = mixture.share_of_second;
  if (share == 0) return sigma_first;
  const double eps = averaged_permittivity(mixture, eps_first, eps_second, axis);
  const double mean = (1 - share) * eps_first + share * eps_second,
               mean_sigma = (1 - share) * sigma_first + share * sigma_second;
  const double weighted =
      (1 - share) * sigma_first / (eps_first * eps_first) + share * sigma_second / (eps_second * eps_second);
  const double across = mixture.normal[axis] * mixture.normal[axis];
  return eps * eps * ((1 - across) * mean_sigma / (mean * mean) + across * weighted);
}

}  // namespace dgtd::grid
