#include "mesh/generate/add_layers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dgtd/base/error.hpp"
#include "dgtd/base/hash.hpp"
#include "mesh/compact/describe.hpp"
#include "mesh/compact/face_adjacency.hpp"
#include "mesh/compact/parallel_algorithms.hpp"
#include "mesh/generate/extrude.hpp"
#include "mesh/generate/fit_sphere.hpp"
#include "mesh/generate/layer_bounds.hpp"
#include "mesh/generate/own_layers.hpp"

namespace dgtd::mesh {
namespace {

class LayerAdder {
 public:
  LayerAdder(GlobalMesh& mesh, std::vector<AddedLayers> layers) : mesh_(mesh), layers_(std::move(layers)) {
    find_surfaces();
    count_strata();
    for (const auto& corners : mesh.tetrahedra)
      for (const std::int64_t v : corners) bounds_.include(mesh.vertices[static_cast<std::size_t>(v)]);
  }

  void add() {
    const std::size_t stray = first_off_sides();
    if (stray == mesh_.triangles.size()) add_outside_of_sides();
    else add_outside_of_sphere(stray);
  }

 private:
  /// The layers of a surface group, or none.
  const AddedLayers* layers_of(std::size_t triangle) const { return of_group_[mesh_.triangle_group[triangle]]; }

  void find_surfaces() {
    of_group_.assign(mesh_.surface_names.size(), nullptr);
    for (const std::string& name : mesh_.volume_names)
      if (is_layer_name(name))
        throw Error(
            fmt::format("{}: volume group \"{}\": names that end in \"{}\" are those of added layers; name it "
                        "otherwise",
                        mesh_.source, name, layer_suffix));
    for (const AddedLayers& layers : layers_) {
      const auto found = std::find(mesh_.surface_names.begin(), mesh_.surface_names.end(), layers.surface);
      const auto group = static_cast<std::uint16_t>(found - mesh_.surface_names.begin());
      if (std::find(mesh_.triangle_group.begin(), mesh_.triangle_group.end(), group) == mesh_.triangle_group.end())
        throw Error(fmt::format("{}: no triangle is in surface group \"{}\", which has layers; groups are {}",
                                mesh_.source, layers.surface, surface_list()));
      of_group_[group] = &layers;
    }
  }

  /// Where the number of strata follows from the mesh.
  void count_strata() {
    const std::vector<AddedLayers> wanted = layers_;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (wanted[i].stratum == 0) continue;
      std::vector<std::size_t> alike;
      for (std::size_t t = 0; t < mesh_.triangles.size(); ++t)
        if (const AddedLayers* const its = layers_of(t);
            its != nullptr && same_strata(wanted[static_cast<std::size_t>(its - layers_.data())], wanted[i]))
          alike.push_back(t);
      layers_[i].strata = strata_of(wanted[i], mean_edge(alike));
    }
  }

  std::string surface_list() const {
    std::string list;
    for (const std::string& name : mesh_.surface_names) list += (list.empty() ? "\"" : ", \"") + name + "\"";
    return list.empty() ? "none" : list;
  }

  bool on_side(std::size_t triangle, BoxSide side) const {
    const auto& corners = mesh_.triangles[triangle];
    return std::all_of(corners.begin(), corners.end(),
                       [&](std::int64_t v) { return bounds_.on(side, mesh_.vertices[static_cast<std::size_t>(v)]); });
  }

  /// The first triangle with layers on no side of the bounding box; the number of triangles where there is none.
  std::size_t first_off_sides() const {
    return static_cast<std::size_t>(lowest(static_cast<std::int64_t>(mesh_.triangles.size()), [&](std::int64_t i) {
      const auto t = static_cast<std::size_t>(i);
      return layers_of(t) != nullptr &&
             std::none_of(box_sides.begin(), box_sides.end(), [&](BoxSide side) { return on_side(t, side); });
    }));
  }

  void add_outside_of_sides() {
    // All are found and measured before the first one is extruded.
    std::array<std::vector<std::size_t>, 6> triangles;
    for (std::size_t s = 0; s < 6; ++s) triangles[s] = side_with_layers(box_sides[s]);
    std::array<double, 6> thickness{};
    for (std::size_t s = 0; s < 6; ++s)
      if (!triangles[s].empty()) thickness[s] = side_thickness(triangles, s);
    for (std::size_t s = 0; s < 6; ++s) {
      if (triangles[s].empty()) continue;
      const BoxSide side = box_sides[s];
      const double boundary = bounds_.coordinate(side);
      const int strata = layers_of(triangles[s].front())->strata;
      // The strata of axes before have triangles on this side as well.
      extrude(mesh_, {triangles_on(side), strata, [&](Vec3 at, int stratum) {
                        at[side.axis] = boundary + side.sign() * thickness[s] * stratum / strata;
                        return at;
                      }});
    }
  }

  std::vector<std::size_t> triangles_on(BoxSide side) const {
    std::vector<std::size_t> triangles;
    for (std::size_t t = 0; t < mesh_.triangles.size(); ++t)
      if (on_side(t, side)) triangles.push_back(t);
    return triangles;
  }

  /// All triangles of a side; none where it has no layers. Throws where it has them in a part only.
  std::vector<std::size_t> side_with_layers(BoxSide side) const {
    std::vector<std::size_t> triangles = triangles_on(side);
    const auto first =
        std::find_if(triangles.begin(), triangles.end(), [&](std::size_t t) { return layers_of(t) != nullptr; });
    if (first == triangles.end()) return {};
    const AddedLayers& layers = *layers_of(*first);
    for (const std::size_t t : triangles) {
      const AddedLayers* const others = layers_of(t);
      if (others != nullptr && same_strata(*others, layers)) continue;
      throw Error(
          fmt::format("{}: side {} of the mesh is in surface group \"{}\", which has layers, and {} of it in "
                      "\"{}\", which has {}; a whole side has the same layers",
                      mesh_.source, side.name(), layers.surface, describe_face(mesh_, ascending(mesh_.triangles[t])),
                      mesh_.surface_names[mesh_.triangle_group[t]], others == nullptr ? "none" : "others"));
    }
    return triangles;
  }

  static bool same_strata(const AddedLayers& a, const AddedLayers& b) {
    return a.strata == b.strata && a.thickness == b.thickness && a.stratum == b.stratum;
  }

  /// Both sides along an axis have one thickness where their layers are the same.
  double side_thickness(const std::array<std::vector<std::size_t>, 6>& triangles, std::size_t s) const {
    const AddedLayers& layers = *layers_of(triangles[s].front());
    std::vector<std::size_t> alike = triangles[s];
    const auto& opposite = triangles[s ^ 1];
    if (!opposite.empty() && same_strata(layers, *layers_of(opposite.front())))
      alike.insert(alike.end(), opposite.begin(), opposite.end());
    return thickness_of(layers, alike);
  }

  double thickness_of(const AddedLayers& layers, const std::vector<std::size_t>& triangles) const {
    return layers.thickness > 0 ? layers.thickness : layers.strata * mean_edge(triangles);
  }

  /// m; each edge counts once.
  double mean_edge(const std::vector<std::size_t>& triangles) const {
    std::vector<std::pair<std::int64_t, std::int64_t>> edges;
    edges.reserve(3 * triangles.size());
    for (const std::size_t t : triangles) {
      const auto [a, b, c] = ascending(mesh_.triangles[t]);
      edges.insert(edges.end(), {std::pair{a, b}, {a, c}, {b, c}});
    }
    parallel_sort(edges);
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    double sum = 0;
    for (const auto& [a, b] : edges)
      sum += norm(mesh_.vertices[static_cast<std::size_t>(b)] - mesh_.vertices[static_cast<std::size_t>(a)]);
    return sum / static_cast<double>(edges.size());
  }

  /// stray: a triangle on no side of the bounding box.
  void add_outside_of_sphere(std::size_t stray) {
    std::vector<std::size_t> triangles;
    std::vector<std::int64_t> corners;
    for (std::size_t t = 0; t < mesh_.triangles.size(); ++t) {
      if (layers_of(t) == nullptr) continue;
      triangles.push_back(t);
      corners.insert(corners.end(), mesh_.triangles[t].begin(), mesh_.triangles[t].end());
    }
    std::sort(corners.begin(), corners.end());
    corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
    std::vector<Vec3> points;
    for (const std::int64_t v : corners) points.push_back(mesh_.vertices[static_cast<std::size_t>(v)]);

    const auto sphere = fit_sphere(points);
    if (!sphere || sphere->deviation > sphere_tolerance * sphere->radius)
      throw Error(fmt::format(
          "{}: surface group \"{}\", which has layers: {} is on no side of the mesh's bounding box, "
          "and the surfaces with layers are not one sphere; layers can be added outside of whole "
          "sides of a box along the axes, or of a sphere",
          mesh_.source, layers_of(stray)->surface, describe_face(mesh_, ascending(mesh_.triangles[stray]))));
    const AddedLayers& layers = *layers_of(triangles.front());
    for (const std::size_t t : triangles)
      if (!same_strata(*layers_of(t), layers))
        throw Error(fmt::format(
            "{}: surface groups \"{}\" and \"{}\" are parts of one sphere and have different layers "
            "at {}; a whole sphere has the same layers",
            mesh_.source, layers.surface, layers_of(t)->surface, describe_face(mesh_, ascending(mesh_.triangles[t]))));
    require_inside(*sphere, layers);

    const double thickness = thickness_of(layers, triangles);
    extrude(mesh_, {std::move(triangles), layers.strata, [&](const Vec3& at, int stratum) {
                      const Vec3 outwards = at - sphere->centre;
                      const double radius = sphere->radius + thickness * stratum / layers.strata;
                      return sphere->centre + (radius / norm(outwards)) * outwards;
                    }});
  }

  /// All elements are inside of the sphere.
  void require_inside(const FittedSphere& sphere, const AddedLayers& layers) const {
    const auto elements = static_cast<std::int64_t>(mesh_.tetrahedra.size());
    const double most = (1 + sphere_tolerance) * sphere.radius;
    const std::int64_t outside = lowest(elements, [&](std::int64_t e) {
      const auto& corners = mesh_.tetrahedra[static_cast<std::size_t>(e)];
      return std::any_of(corners.begin(), corners.end(), [&](std::int64_t v) {
        return norm(mesh_.vertices[static_cast<std::size_t>(v)] - sphere.centre) > most;
      });
    });
    if (outside == elements) return;
    const Vec3& c = sphere.centre;
    throw Error(
        fmt::format("{}: surface group \"{}\", which has layers, is on the sphere around {:.6g} {:.6g} {:.6g} of "
                    "radius {:.6g} m, and {} is outside of it; a sphere with layers has the whole mesh inside",
                    mesh_.source, layers.surface, c.x, c.y, c.z, sphere.radius, describe_element(mesh_, outside)));
  }

  GlobalMesh& mesh_;
  std::vector<AddedLayers> layers_;
  std::vector<const AddedLayers*> of_group_;  // [surface groups] or null
  BoxBounds bounds_;                          // of the elements, without layers
};

}  // namespace

int strata_of(const AddedLayers& layers, double mean_edge) {
  if (layers.stratum == 0 || layers.thickness == 0) return layers.strata;
  // For less than a tenth of a stratum none is added: all are slightly thicker.
  const double strata = std::ceil(layers.thickness / std::max(layers.stratum, mean_edge) - 0.1);
  return std::max(layers.strata, static_cast<int>(strata));
}

std::uint64_t hash_of(const std::vector<AddedLayers>& layers) {
  Hash hash;
  for (const AddedLayers& one : layers) {
    for (const char c : one.surface) hash.add(c);
    hash.add('\0').add(one.strata).add(one.thickness).add(one.stratum);
    for (const std::string& group : one.groups) {
      for (const char c : group) hash.add(c);
      hash.add('\0');
    }
  }
  return hash.value();
}

void check_layers(const std::vector<AddedLayers>& layers, const std::string& source) {
  for (auto one = layers.begin(); one != layers.end(); ++one) {
    if (one->strata < 0)
      throw Error(
          fmt::format("{}: {} strata outside of surface \"{}\"; at least 0", source, one->strata, one->surface));
    if (!(one->thickness >= 0 && std::isfinite(one->thickness)))
      throw Error(
          fmt::format("{}: layers {} m thick outside of surface \"{}\"; a positive number, or 0 for the mean "
                      "edge per stratum",
                      source, one->thickness, one->surface));
    if (std::any_of(layers.begin(), one, [&](const AddedLayers& before) { return before.surface == one->surface; }))
      throw Error(fmt::format("{}: surface \"{}\" has layers twice; once at most", source, one->surface));
  }
}

GlobalMesh add_layers(GlobalMesh mesh, const std::vector<AddedLayers>& wanted) {
  check_layers(wanted, mesh.source);
  const std::vector<AddedLayers> layers = layers_by_surface(wanted, mesh.surface_names);
  if (layers.empty()) return mesh;
  if (std::any_of(layers.begin(), layers.end(), [](const AddedLayers& one) { return !one.groups.empty(); }))
    return name_layers(std::move(mesh), layers);
  LayerAdder(mesh, layers).add();
  return mesh;
}

}  // namespace dgtd::mesh
