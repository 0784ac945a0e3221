#include "app/problems/exact_mesh_sphere.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/problems/sphere_in_wave.hpp"
#include "dgtd/base/constants.hpp"
#include "dgtd/base/units.hpp"
#include "dgtd/observers/mesh_surface.hpp"

namespace dgtd::app {

namespace {

using physics::BoundaryKind;

struct MeshMirror {
  int axis;
  double at;  // m
  BoundaryKind kind;
};

// The plane normal to an axis that a surface is; nothing for other surfaces. Collective.
std::optional<std::pair<int, double>> plane_of_surface(const mesh::Subdomain& mesh, std::size_t surface,
                                                       const parallel::Communicator& comm) {
  constexpr double none = std::numeric_limits<double>::lowest(), flat = 1e-9;
  std::vector<double> ends(6, none);  // [axes] largest, then minus the smallest
  for (std::size_t e = 0; e < mesh.elements(); ++e)
    for (int f = 0; f < 4; ++f) {
      const mesh::FaceLink& link = mesh.element_faces[e][f];
      if (link.kind != mesh::FaceLink::Kind::boundary || link.index != surface) continue;
      for (int corner = 0; corner < 4; ++corner) {
        if (corner == f) continue;
        const Vec3 x = mesh.vertex(e, corner);
        for (int a = 0; a < 3; ++a) ends[a] = std::max(ends[a], x[a]), ends[a + 3] = std::max(ends[a + 3], -x[a]);
      }
    }
  ends = comm.max(std::move(ends));
  if (ends[0] == none) return {};
  const Vec3 high{ends[0], ends[1], ends[2]}, low{-ends[3], -ends[4], -ends[5]};
  for (int a = 0; a < 3; ++a)
    if (high[a] - low[a] < flat * norm(high - low)) return std::pair(a, 0.5 * (high[a] + low[a]));
  return {};
}

// The mirrors of a case in which nothing else reflects the wave. conductor: a shape whose surface may. Collective.
std::optional<std::vector<MeshMirror>> mirrors_of_case(const config::Case& c, const mesh::Subdomain& mesh,
                                                       const std::string& conductor,
                                                       const parallel::Communicator& comm) {
  std::vector<MeshMirror> mirrors;
  const auto boundary = config::match_boundaries(c, mesh.surface_names);
  for (std::size_t s = 0; s < boundary.size(); ++s) {
    const BoundaryKind kind = c.boundaries[static_cast<std::size_t>(boundary[s])].type;
    if (absorbs(kind) || (!conductor.empty() && mesh.surface_names[s] == conductor)) continue;
    const auto plane = plane_of_surface(mesh, s, comm);
    const bool is_mirror = kind == BoundaryKind::pec || kind == BoundaryKind::pmc;
    if (!is_mirror || !plane || !is_own_image(c.sources[0], plane->first, kind)) return {};
    mirrors.push_back({plane->first, plane->second, kind});
  }
  return mirrors;
}

struct FoundSphere {
  SphereInWave sphere;
  std::string group;               // its volume group; empty: a hole
  std::array<bool, 3> mirrored{};  // [axes]
};

// The shape of the case, or the group of the mesh. Collective.
std::optional<FoundSphere> sphere_of(const config::Case& c, const mesh::Subdomain& mesh, const DgProblem& made,
                                     const parallel::Communicator& comm) {
  const bool of_shapes = c.mesh.generator == config::Mesh::Generator::shapes;
  if (of_shapes && (c.shapes.size() != 1 || c.shapes[0].type != config::Shape::Type::sphere)) return {};
  std::vector<std::size_t> bodies;
  for (std::size_t g = 0; g < made.group_material.size(); ++g)
    if (static_cast<const physics::Medium&>(made.group_material[g]) != physics::Medium()) bodies.push_back(g);
  FoundSphere found;
  SphereInWave& sphere = found.sphere;
  sphere.domain = "mesh";
  for (const auto& m : c.materials)
    if (of_shapes && m.name == c.shapes[0].material) sphere.medium = m;
  const bool is_hole = sphere.medium.perfect_conductor;
  if (bodies.size() != (is_hole ? 0u : 1u)) return {};
  const auto mirrors = mirrors_of_case(c, mesh, is_hole ? c.shapes[0].material : std::string(), comm);
  if (!mirrors) return {};
  std::array<std::optional<double>, 3> planes;
  for (const MeshMirror& m : *mirrors) {
    if (planes[m.axis]) return {};
    planes[m.axis] = m.at, found.mirrored[m.axis] = true, sphere.share /= 2;
  }
  if (!is_hole) found.group = mesh.volume_names[bodies[0]];
  if (of_shapes) {
    sphere.centre = c.shapes[0].centre, sphere.radius = c.shapes[0].radius;
    sphere.text = "radius " + units::length_text(sphere.radius) + " of " + c.shapes[0].material;
  } else {
    const auto ball = ball_of_group(mesh, bodies[0], planes, comm);
    if (!ball) return {};
    sphere.medium = made.group_material[bodies[0]];
    sphere.centre = ball->centre, sphere.radius = ball->radius;
    sphere.text =
        "radius " + units::length_text(sphere.radius) + " (from its volume) of " + mesh.volume_names[bodies[0]];
  }
  for (int a = 0; a < 3; ++a)
    if (planes[a] && std::abs(*planes[a] - sphere.centre[a]) > 1e-6 * sphere.radius) return {};
  if (sphere.medium.magnetic_conductivity != 0) return {};
  return found;
}

// Whether an element is in the total field, as dg::total_field_surface has it.
bool is_in_total_field(const Vec3& centroid, const std::string& group, const physics::Source& wave) {
  if (!wave.total_field.empty())
    return std::find(wave.total_field.begin(), wave.total_field.end(), group) != wave.total_field.end();
  for (int a = 0; a < 3 && wave.box_min; ++a)
    if (centroid[a] < (*wave.box_min)[a] || centroid[a] > (*wave.box_max)[a]) return false;
  return true;
}

// Collective.
FieldAround field_in_mesh(const physics::Flux& flux, const FoundSphere& found, const physics::Source& wave,
                          const mesh::Subdomain& mesh, const std::vector<std::uint32_t>& stored,
                          const parallel::Communicator& comm) {
  const SphereInWave& sphere = found.sphere;
  const auto& mirrored = found.mirrored;
  if (flux.type != physics::Flux::Type::box) return FieldAround::other;
  for (int a = 0; a < 3; ++a) {
    const double low = sphere.centre[a] - (flux.centre[a] - flux.size[a] / 2),
                 high = flux.centre[a] + flux.size[a] / 2 - sphere.centre[a];
    // At a mirror, through which nothing flows, the box ends with the mesh.
    const double least = mirrored[a] ? std::max(low, high) : std::min(low, high);
    if (least < sphere.radius || std::min(low, high) < -1e-6 * sphere.radius) return FieldAround::other;
  }
  std::vector<double> in{0, 0};  // scattered, total field
  for (const auto& p : observers::mesh_surface(flux, "flux." + flux.name, mesh, stored, 1, comm)) {
    if (mirrored[p.axis] && std::abs(p.position[p.axis] - sphere.centre[p.axis]) < 1e-6 * sphere.radius) continue;
    in[is_in_total_field(mesh.tetrahedron(p.element).centroid(), mesh.volume_names[mesh.element_group[p.element]],
                         wave)] = 1;
  }
  in = comm.max(std::move(in));
  return in[0] == in[1] ? FieldAround::other : in[1] > 0 ? FieldAround::total : FieldAround::scattered;
}

}  // namespace

// A ball has the smallest second moment of all bodies of a volume V, int |x - c|^2 dV = 3/5 V r^2, which a relative
// roughness h of its surface (root of the mean square) increases by 5 h^2, and the same one along each axis, which in
// an ellipsoid is that axis squared.
std::optional<GroupBall> ball_of_group(const mesh::Subdomain& mesh, std::size_t group,
                                       const std::array<std::optional<double>, 3>& mirrors,
                                       const parallel::Communicator& comm) {
  constexpr double roughness = 0.02, most_difference = 0.02;
  // Relative to a vertex near the group, so that a body far from the origin does not lose digits.
  constexpr double none = std::numeric_limits<double>::infinity();
  Vec3 low{none, none, none};
  for (std::size_t e = 0; e < mesh.elements(); ++e)
    for (int corner = 0; corner < 4 && mesh.element_group[e] == group; ++corner)
      for (int a = 0; a < 3; ++a) low[a] = std::min(low[a], mesh.vertex(e, corner)[a]);
  for (int a = 0; a < 3; ++a) low[a] = mirrors[a].value_or(comm.min(low[a]));
  if (!(low.x < none)) return {};
  // Volume, first moments, second moments xx, yy, zz, yz, zx, xy; of a tetrahedron with vertices x_k
  //   int x x' dV = V / 20 (sum_k x_k x_k' + (sum_k x_k) (sum_k x_k)')
  std::vector<double> sums(10, 0.0);
  for (std::size_t e = 0; e < mesh.elements(); ++e) {
    if (mesh.element_group[e] != group) continue;
    const double volume = mesh.volume(e);
    std::array<Vec3, 4> x;
    Vec3 sum;
    for (int k = 0; k < 4; ++k) x[k] = mesh.vertex(e, k) - low, sum += x[k];
    sums[0] += volume;
    for (int a = 0; a < 3; ++a) {
      sums[1 + a] += volume / 4 * sum[a];
      const int b = (a + 1) % 3, c = (a + 2) % 3;
      double square = sum[a] * sum[a], product = sum[b] * sum[c];
      for (const Vec3& p : x) square += p[a] * p[a], product += p[b] * p[c];
      sums[4 + a] += volume / 20 * square, sums[7 + a] += volume / 20 * product;
    }
  }
  sums = comm.sum(std::move(sums));
  const double volume = sums[0];
  if (!(volume > 0)) return {};
  Vec3 centre;
  double share = 1;
  for (int a = 0; a < 3; ++a) {
    centre[a] = mirrors[a] ? 0 : sums[1 + a] / volume;
    if (mirrors[a]) share /= 2;
  }
  const double radius = std::cbrt(0.75 / pi * volume / share), of_ball = volume * radius * radius / 5;  // per axis
  double second = 0, largest_difference = 0;
  for (int a = 0; a < 3; ++a) {
    const int b = (a + 1) % 3, c = (a + 2) % 3;
    const double square = sums[4 + a] - centre[a] * (2 * sums[1 + a] - centre[a] * volume);
    second += square;
    largest_difference = std::max(largest_difference, std::abs(square - of_ball));
    // With a mirror across it a body's other half has the opposite product.
    if (!mirrors[b] && !mirrors[c])
      largest_difference = std::max(largest_difference, std::abs(sums[7 + a] - centre[b] * sums[1 + c]));
  }
  const bool is_round = second < 3 * of_ball * (1 + 5 * roughness * roughness);
  if (!is_round || largest_difference > most_difference * of_ball) return {};
  return GroupBall{low + centre, radius};
}

observers::ExactCrossSections exact_mesh_sphere(const config::Case& c, const mesh::Subdomain& mesh,
                                                const DgProblem& made, const parallel::Communicator& comm) {
  const bool is_wave = c.sources.size() == 1 && c.sources[0].type == config::Source::Type::plane_wave;
  const bool is_periodic = c.mesh.periodic[0] || c.mesh.periodic[1] || c.mesh.periodic[2];
  if (!is_wave || is_periodic || made.two_copies) return {};
  if (static_cast<const physics::Medium&>(made.exterior) != physics::Medium()) return {};
  const auto found = sphere_of(c, mesh, made, comm);
  // The surface of the total field keeps a layer of elements away from bodies, so that with its centre all of the
  // sphere is in it.
  if (!found || !is_in_total_field(found->sphere.centre, found->group, c.sources[0])) return {};
  return exact_cross_sections(
      found->sphere, [found = *found, wave = c.sources[0], &mesh, &comm, stored = made.solver->stored_order()](
                         const physics::Flux& flux) { return field_in_mesh(flux, found, wave, mesh, stored, comm); });
}

}  // namespace dgtd::app
