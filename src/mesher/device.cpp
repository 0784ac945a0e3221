#include "device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <set>

#include "dgtd/base/error.hpp"

namespace dgtd::mesher {
namespace {

Vec3 unit(const Vec3& a) { return a / norm(a); }

/// Distance (m) to a box, zero inside.
double distance_to_box(const Vec3& x, const Vec3& centre, const Vec3& half) {
  Vec3 outside;
  for (int a = 0; a < 3; ++a) outside[a] = std::max(std::abs(x[a] - centre[a]) - half[a], 0.0);
  return norm(outside);
}

}  // namespace

// R = R_z R_y R_x; its columns are the device's axes.
void Device::place(const Placement& placement) {
  position_ = placement.position;
  constexpr double degree = std::numbers::pi / 180;
  for (int about = 0; about < 3; ++about) {
    const double angle = placement.angles[about] * degree;
    // Right angles are exact.
    const double turns = placement.angles[about] / 90;
    const bool right = turns == std::floor(turns);
    const double c = right ? std::round(std::cos(angle)) : std::cos(angle);
    const double s = right ? std::round(std::sin(angle)) : std::sin(angle);
    const int a = (about + 1) % 3, b = (about + 2) % 3;
    for (Vec3& axis : axes_) {
      const double u = axis[a], v = axis[b];
      axis[a] = c * u - s * v;
      axis[b] = s * u + c * v;
    }
  }
}

void Device::add_box(const Vec3& centre, const Vec3& size, double element_size) {
  for (int a = 0; a < 3; ++a)
    if (!(size[a] > 0))
      throw Error(fmt::format("phone: every edge of its boxes must be longer than 0, not {} m", size[a]));
  const Vec3 half = 0.5 * size;
  boxes_.push_back({centre, half, element_size});
  const auto corner = [&](int c) {
    return from_device(centre + Vec3{c & 1 ? half.x : -half.x, c & 2 ? half.y : -half.y, c & 4 ? half.z : -half.z});
  };
  for (int c = 0; c < 8; ++c) {
    corners_.push_back(corner(c));
    for (const int bit : {1, 2, 4})
      if (!(c & bit)) edges_.push_back({corner(c), corner(c | bit)});
  }
  for (int a = 0; a < 3; ++a)
    for (const double side : {-1.0, 1.0}) {
      Vec3 x = centre;
      x[a] += side * half[a];
      surface_points_.push_back({from_device(x), side * axes_[a]});
    }
}

Device Device::of(const Phone& phone, double element_size) {
  Device device;
  device.place(phone.placement);
  if (!(phone.gap > 0)) throw Error(fmt::format("phone: the gap must be longer than 0, not {} m", phone.gap));
  const double z = phone.gap / 2, width = std::min(phone.antenna_size.x, phone.antenna_size.y);
  device.add_box({0, 0, -z - phone.size.z / 2}, phone.size, element_size);
  // Elements as wide as the antenna: it has no fields inside, and smaller ones would set the time step.
  device.add_box({0, 0, z + phone.antenna_size.z / 2}, phone.antenna_size, std::min(element_size, width));
  return device;
}

Device Device::of(const StlDevice& stl, double element_size) {
  Device device;
  device.place(stl.placement);
  grid::TriangleSurface surface = grid::read_stl_surface(stl.file, stl.unit);
  for (Vec3& point : surface.points) point = device.from_device(point);
  device.add_sharp_edges(surface);
  Vec3 low = surface.points.empty() ? Vec3{} : surface.points.front(), high = low;
  for (const Vec3& p : surface.points)
    for (int a = 0; a < 3; ++a) {
      low[a] = std::min(low[a], p[a]);
      high[a] = std::max(high[a], p[a]);
    }
  for (int c = 0; c < 8; ++c)
    device.corners_.push_back({c & 1 ? high.x : low.x, c & 2 ? high.y : low.y, c & 4 ? high.z : low.z});
  const std::size_t step = std::max<std::size_t>(1, surface.triangles.size() / 200);
  for (std::size_t t = 0; t < surface.triangles.size(); t += step) {
    const auto& [a, b, c] = surface.triangles[t];
    const Vec3 normal = cross(surface.points[b] - surface.points[a], surface.points[c] - surface.points[a]);
    if (norm(normal) > 0)
      device.surface_points_.push_back({(surface.points[a] + surface.points[b] + surface.points[c]) / 3, unit(normal)});
  }
  try {
    device.solid_ = grid::make_triangulated(std::move(surface.points), std::move(surface.triangles));
  } catch (const Error& error) { throw Error(fmt::format("{}: {}", stl.file.string(), error.what())); }
  device.solid_size_ = element_size;
  return device;
}

// Edges whose triangles meet at more than 30 degrees, chained up to where they branch or turn by more than that.
void Device::add_sharp_edges(const grid::TriangleSurface& surface) {
  const double flat = std::cos(30 * std::numbers::pi / 180);
  std::map<std::pair<int, int>, std::vector<Vec3>> normals;  // of the triangles at an edge
  for (const auto& t : surface.triangles) {
    const Vec3 n = cross(surface.points[t[1]] - surface.points[t[0]], surface.points[t[2]] - surface.points[t[0]]);
    if (norm(n) == 0) continue;
    for (int e = 0; e < 3; ++e) normals[std::minmax(t[e], t[(e + 1) % 3])].push_back(unit(n));
  }
  std::map<int, std::vector<int>> sharp;  // neighbours of a point along sharp edges
  for (const auto& [edge, n] : normals)
    if (n.size() == 2 && std::abs(dot(n[0], n[1])) < flat) {
      sharp[edge.first].push_back(edge.second);
      sharp[edge.second].push_back(edge.first);
    }
  const auto is_corner = [&](int p) {
    const auto& next = sharp.at(p);
    if (next.size() != 2) return true;
    const Vec3 &x = surface.points[p], &a = surface.points[next[0]], &b = surface.points[next[1]];
    return dot(unit(x - a), unit(b - x)) < flat;
  };
  std::set<std::pair<int, int>> used;
  const auto chain = [&](int from, int to) {
    if (used.contains(std::minmax(from, to))) return;
    Polyline line{surface.points[from]};
    for (const int start = from;;) {
      used.insert(std::minmax(from, to));
      line.push_back(surface.points[to]);
      if (to == start || is_corner(to)) break;
      const auto& next = sharp.at(to);
      const int beyond = next[0] == from ? next[1] : next[0];
      from = to;
      to = beyond;
    }
    edges_.push_back(std::move(line));
  };
  for (const auto& [p, next] : sharp)
    if (is_corner(p))
      for (const int n : next) chain(p, n);
  for (const auto& [p, next] : sharp)  // closed ones without a corner
    for (const int n : next) chain(p, n);
}

bool Device::inside(const Vec3& x) const {
  if (solid_ && solid_->inside(x)) return true;
  if (boxes_.empty()) return false;
  const Vec3 local = to_device(x);
  return std::any_of(boxes_.begin(), boxes_.end(),
                     [&](const Box& box) { return distance_to_box(local, box.centre, box.half) == 0; });
}

Vec3 Device::snapped(const Vec3& x, double tolerance) const {
  const Vec3 local = boxes_.empty() ? Vec3{} : to_device(x);
  for (const Box& box : boxes_) {
    Vec3 d = local - box.centre;
    bool near = true, moved = false;
    for (int a = 0; a < 3; ++a) {
      near = near && std::abs(d[a]) < box.half[a] + tolerance;
      if (std::abs(std::abs(d[a]) - box.half[a]) > tolerance) continue;
      d[a] = d[a] < 0 ? -box.half[a] : box.half[a];
      moved = true;
    }
    if (near && moved) return from_device(box.centre + d);
  }
  return x;
}

double Device::size_at(const Vec3& x, double growth) const {
  double size = std::numeric_limits<double>::infinity();
  const Vec3 local = boxes_.empty() ? Vec3{} : to_device(x);
  for (const Box& box : boxes_) size = std::min(size, box.size + growth * distance_to_box(local, box.centre, box.half));
  if (solid_) {
    const auto [low, high] = solid_->bounds();
    size = std::min(size, solid_size_ + growth * distance_to_box(x, 0.5 * (low + high), 0.5 * (high - low)));
  }
  return size;
}

double Device::smallest_size() const {
  double size = solid_ ? solid_size_ : std::numeric_limits<double>::infinity();
  for (const Box& box : boxes_) size = std::min(size, box.size);
  return size;
}

}  // namespace dgtd::mesher
