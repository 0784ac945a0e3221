// Cones and tori.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/grid/turned.hpp"
#include "placed_solid.hpp"

namespace dgtd::grid {
namespace {

using geometry::Cone;
using geometry::Meridian;
using geometry::Torus;

double from_axis(const Vec3& p) { return std::hypot(p.x, p.y); }

// At the axis, where all directions are alike, that of x.
Surface surface_of(const Meridian& m, const Vec3& p) {
  const double across = from_axis(p);
  const Vec3 outwards = across > 0 ? Vec3{p.x / across, p.y / across, 0} : Vec3{1, 0, 0};
  return {m.distance, m.across * outwards + Vec3{0, 0, m.along}};
}

struct RevolvedCone {
  static constexpr bool convex = true;
  Cone cone;

  double reach(const Vec3& d) const { return cone.reach(d.z); }
  bool holds(const Vec3& p) const {
    return std::abs(p.z) <= cone.height / 2 && from_axis(p) <= cone.radius_at(p.z);
  }
  bool misses(const Vec3& p, const Vec3& half) const {
    return std::abs(p.z) - half.z >= cone.height / 2 || cone.surface(p.z, from_axis(p)).distance >= norm(half);
  }
  bool fills(const Vec3&, double) const { return false; }

  // Where x^2 + y^2 <= r(z)^2, of which that part of the double cone counts that is between the lids.
  void add_pieces(const Line& line, std::vector<Interval>& to) const {
    const auto& [p, d] = line;
    const Interval lids = where_within(p.z, d.z, cone.height / 2);
    const double slope = (cone.top_radius - cone.radius) / cone.height * d.z, r = cone.radius_at(p.z);
    const double across = d.x * d.x + d.y * d.y;
    const double a = across - slope * slope, b = p.x * d.x + p.y * d.y - slope * r, c = p.x * p.x + p.y * p.y - r * r;
    constexpr double rounding = 1e-14;
    if (a > rounding) return add(common_part(lids, where_negative(a, b, c)), to);
    if (a < -rounding) {  // steeper than the mantle: outside of the two roots
      const Interval between = where_negative(-a, -b, -c);
      if (!(between.low < between.high)) return add(lids, to);
      add(common_part(lids, {whole_line.low, between.low}), to);
      return add(common_part(lids, {between.high, whole_line.high}), to);
    }
    if (std::abs(b) <= rounding * std::sqrt(std::abs(c))) {
      if (c <= 0) add(lids, to);
      return;
    }
    const double root = -c / (2 * b);
    add(common_part(lids, b > 0 ? Interval{whole_line.low, root} : Interval{root, whole_line.high}), to);
  }
  Surface surface(const Vec3& p) const { return surface_of(cone.surface(p.z, from_axis(p)), p); }

 private:
  static void add(const Interval& piece, std::vector<Interval>& to) {
    if (piece.low < piece.high) to.push_back(piece);
  }
};

// Real roots of t^3 + p t + q, rising: F. Viete's cosines where there are three, else G. Cardano's formula.
std::vector<double> roots_of_cubic(double p, double q) {
  const double third = p / 3, half = q / 2, discriminant = half * half + third * third * third;
  if (discriminant > 0) {
    const double u = std::cbrt(-half - std::copysign(std::sqrt(discriminant), half));
    return {u != 0 ? u - third / u : 0.0};
  }
  if (third >= 0) return {0};
  const double size = std::sqrt(-third), angle = std::acos(std::clamp(-half / (size * size * size), -1.0, 1.0)) / 3;
  constexpr double turn = 2 * pi / 3;
  std::vector<double> roots{2 * size * std::cos(angle), 2 * size * std::cos(angle - turn),
                            2 * size * std::cos(angle + turn)};
  std::sort(roots.begin(), roots.end());
  return roots;
}

struct RevolvedTorus {
  static constexpr bool convex = false;
  Torus torus;

  double reach(const Vec3& d) const { return torus.reach(d.z); }
  bool holds(const Vec3& p) const { return torus.surface(p.z, from_axis(p)).distance <= 0; }
  bool misses(const Vec3& p, const Vec3& half) const {
    return std::abs(p.z) - half.z >= torus.tube_radius ||
           torus.surface(p.z, from_axis(p)).distance >= norm(half);
  }
  bool fills(const Vec3& p, double radius) const { return torus.surface(p.z, from_axis(p)).distance <= -radius; }

  // (|x|^2 + R^2 - r^2)^2 <= 4 R^2 (|x|^2 - z^2) with x = f + t d, where f is the line's nearest point to the centre, so
  // that |x|^2 = |f|^2 + t^2; in units of R and with k = |f|^2 + 1 - r^2
  //   t^4 + (2 k - 4 + 4 d_z^2) t^2 + 8 f_z d_z t + k^2 - 4 (|f|^2 - f_z^2) <= 0
  // The quartic is monotonic between its extrema, which bracket its roots.
  void add_pieces(const Line& line, std::vector<Interval>& to) const {
    const double scale = torus.radius, r = torus.tube_radius / scale, shift = dot(line.p, line.d);
    const Vec3 f = (line.p - shift * line.d) / scale;
    const double f2 = dot(f, f), farthest2 = (1 + r) * (1 + r) - f2, dz = line.d.z, k = f2 + 1 - r * r;
    if (farthest2 <= 0 || std::abs(f.z) - std::abs(dz) * std::sqrt(farthest2) >= r) return;
    const double a2 = 2 * k - 4 + 4 * dz * dz, a1 = 8 * f.z * dz, a0 = k * k - 4 * (f2 - f.z * f.z);
    const auto negative = [&](double t) { return ((t * t + a2) * t + a1) * t + a0 < 0; };
    const double end = std::sqrt(farthest2);
    std::vector<double> stations{-end};
    for (const double t : roots_of_cubic(a2 / 2, a1 / 4))
      if (std::abs(t) < end) stations.push_back(t);
    stations.push_back(end);
    std::vector<double> cuts;
    bool is_inside = false;  // both ends are outside
    for (std::size_t i = 0; i + 1 < stations.size(); ++i) {
      const bool after = i + 2 < stations.size() && negative(stations[i + 1]);
      if (after == is_inside) continue;
      double low = stations[i], high = stations[i + 1];
      while (true) {
        const double middle = 0.5 * (low + high);
        if (!(low < middle && middle < high)) break;
        (negative(middle) == is_inside ? low : high) = middle;
      }
      cuts.push_back(scale * high - shift);
      is_inside = after;
    }
    for (std::size_t i = 0; i + 1 < cuts.size(); i += 2)
      if (cuts[i] < cuts[i + 1]) to.push_back({cuts[i], cuts[i + 1]});
  }
  Surface surface(const Vec3& p) const { return surface_of(torus.surface(p.z, from_axis(p)), p); }
};

}  // namespace

std::shared_ptr<const Solid> make_cone(const Cone& cone, const Vec3& centre, const Vec3& axis) {
  if (!(cone.height > 0 && cone.radius >= 0 && cone.top_radius >= 0 && cone.radius + cone.top_radius > 0))
    throw Error(fmt::format("a cone of radii {} and {} m and height {} m has no volume", cone.radius, cone.top_radius,
                            cone.height));
  return placed(RevolvedCone{cone}, centre, geometry::Rotation::of_z_to(axis));
}

std::shared_ptr<const Solid> make_torus(const Torus& torus, const Vec3& centre, const Vec3& axis) {
  if (!(torus.tube_radius > 0 && torus.tube_radius < torus.radius))
    throw Error(fmt::format("a torus of radius {} m needs a tube_radius above 0 and below that, and it is {} m",
                            torus.radius, torus.tube_radius));
  return placed(RevolvedTorus{torus}, centre, geometry::Rotation::of_z_to(axis));
}

}  // namespace dgtd::grid
