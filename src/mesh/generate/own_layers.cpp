#include "mesh/generate/own_layers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "dgtd/base/error.hpp"
#include "mesh/compact/describe.hpp"
#include "mesh/generate/fit_sphere.hpp"
#include "mesh/generate/layer_bounds.hpp"

namespace dgtd::mesh {
namespace {

class OwnLayers {
 public:
  OwnLayers(const GlobalMesh& mesh, const std::vector<AddedLayers>& layers)
      : mesh_(mesh), of_surface_(mesh.surface_names.size()), in_layer_(mesh.volume_names.size()) {
    for (const AddedLayers& one : layers) {
      if (one.groups.empty())
        throw Error(
            fmt::format("{}: layers are added outside of surface group \"{}\", and those at \"{}\" are volume groups "
                        "of the mesh; all layers of a mesh are of one kind",
                        mesh.source, one.surface, with_groups(layers).surface));
      find_surface(one);
      for (const std::string& group : one.groups) find_group(one, group);
    }
    for (std::size_t g = 0; g < in_layer_.size(); ++g)
      if (is_layer_name(mesh.volume_names[g]) && !in_layer_[g])
        throw Error(
            fmt::format("{}: volume group \"{}\": names that end in \"{}\" are those of layers, and no surface "
                        "has it as its layer; name it otherwise",
                        mesh.source, mesh.volume_names[g], layer_suffix));
    for (std::size_t e = 0; e < mesh.tetrahedra.size(); ++e)
      for (const std::int64_t v : mesh.tetrahedra[e]) {
        outer_.include(vertex(v));
        if (!is_in_layer(e)) inner_.include(vertex(v));
      }
  }

  /// Throws Error where these are no layers.
  void check() const {
    std::vector<std::size_t> triangles;
    for (std::size_t t = 0; t < mesh_.triangles.size(); ++t)
      if (layers_of(t) != nullptr) triangles.push_back(t);
    const bool is_box = std::all_of(triangles.begin(), triangles.end(), [&](std::size_t t) {
      return std::any_of(box_sides.begin(), box_sides.end(), [&](BoxSide side) { return on_side(t, side); });
    });
    is_box ? check_box(triangles) : check_sphere(triangles);
  }

  const std::vector<bool>& in_layer() const { return in_layer_; }

 private:
  static const AddedLayers& with_groups(const std::vector<AddedLayers>& layers) {
    return *std::find_if(layers.begin(), layers.end(), [](const AddedLayers& one) { return !one.groups.empty(); });
  }
  const Vec3& vertex(std::int64_t v) const { return mesh_.vertices[static_cast<std::size_t>(v)]; }
  bool is_in_layer(std::size_t element) const {
    const std::uint16_t group = mesh_.tetrahedron_group[element];
    return group != no_group && in_layer_[group];
  }
  const AddedLayers* layers_of(std::size_t triangle) const { return of_surface_[mesh_.triangle_group[triangle]]; }
  /// The text of a surface and its layer.
  std::string text_of(const AddedLayers& layers) const {
    return fmt::format("surface group \"{}\", whose layer is volume group \"{}\"", layers.surface,
                       fmt::join(layers.groups, "\", \""));
  }

  void find_surface(const AddedLayers& layers) {
    const auto found = std::find(mesh_.surface_names.begin(), mesh_.surface_names.end(), layers.surface);
    const auto group = static_cast<std::uint16_t>(found - mesh_.surface_names.begin());
    if (std::find(mesh_.triangle_group.begin(), mesh_.triangle_group.end(), group) == mesh_.triangle_group.end())
      throw Error(fmt::format("{}: no triangle is in {}; groups are \"{}\"", mesh_.source, text_of(layers),
                              fmt::join(mesh_.surface_names, "\", \"")));
    of_surface_[group] = &layers;
  }

  void find_group(const AddedLayers& layers, const std::string& name) {
    const auto found = std::find(mesh_.volume_names.begin(), mesh_.volume_names.end(), name);
    const auto group = static_cast<std::uint16_t>(found - mesh_.volume_names.begin());
    if (std::find(mesh_.tetrahedron_group.begin(), mesh_.tetrahedron_group.end(), group) ==
        mesh_.tetrahedron_group.end())
      throw Error(
          fmt::format("{}: no element is in volume group \"{}\", the layer at surface group \"{}\"; groups are "
                      "\"{}\"",
                      mesh_.source, name, layers.surface, fmt::join(mesh_.volume_names, "\", \"")));
    in_layer_[group] = true;
  }

  bool on_side(std::size_t triangle, BoxSide side) const {
    const auto& corners = mesh_.triangles[triangle];
    return std::all_of(corners.begin(), corners.end(), [&](std::int64_t v) { return outer_.on(side, vertex(v)); });
  }

  /// Throws where an element outside of the layers has a vertex at their outer end.
  template <class IsOutside>
  void require_cover(const AddedLayers& layers, const std::string& where, const IsOutside& is_outside) const {
    for (std::size_t e = 0; e < mesh_.tetrahedra.size(); ++e)
      if (!is_in_layer(e) && std::any_of(mesh_.tetrahedra[e].begin(), mesh_.tetrahedra[e].end(),
                                         [&](std::int64_t v) { return is_outside(vertex(v)); }))
        throw Error(
            fmt::format("{}: {} is in {}, and {} of \"{}\" reaches it: the layer has no thickness there; it "
                        "covers the whole {}",
                        mesh_.source, where, text_of(layers), describe_element(mesh_, static_cast<std::int64_t>(e)),
                        group_name(e), where));
  }
  /// Throws for the first element of a layer that is not outside.
  template <class IsOutside>
  void require_outside(const AddedLayers& layers, const char* where, const IsOutside& is_outside) const {
    for (std::size_t e = 0; e < mesh_.tetrahedra.size(); ++e)
      if (is_in_layer(e) && !is_outside(mesh_.tetrahedra[e]))
        throw Error(fmt::format(
            "{}: {}: {} of \"{}\" is not outside of the {} around the elements that are in no layer", mesh_.source,
            text_of(layers), describe_element(mesh_, static_cast<std::int64_t>(e)), group_name(e), where));
  }
  std::string group_name(std::size_t element) const {
    const std::uint16_t group = mesh_.tetrahedron_group[element];
    return group == no_group ? "no group" : mesh_.volume_names[group];
  }

  void check_box(const std::vector<std::size_t>& triangles) const {
    std::vector<BoxSide> used;
    for (const BoxSide side : box_sides) {
      const auto first = std::find_if(triangles.begin(), triangles.end(), [&](auto t) { return on_side(t, side); });
      if (first == triangles.end()) continue;
      used.push_back(side);
      const AddedLayers& layers = *layers_of(*first);
      for (std::size_t t = 0; t < mesh_.triangles.size(); ++t)
        if (on_side(t, side) && layers_of(t) == nullptr)
          throw Error(
              fmt::format("{}: side {} of the mesh is in {}, and a part of it in \"{}\", which has none; a whole "
                          "side has a layer",
                          mesh_.source, side.name(), text_of(layers), mesh_.surface_names[mesh_.triangle_group[t]]));
      require_cover(layers, fmt::format("side {}", side.name()), [&](const Vec3& at) { return outer_.on(side, at); });
    }
    require_outside(*layers_of(triangles.front()), "box", [&](const std::array<std::int64_t, 4>& corners) {
      return std::any_of(used.begin(), used.end(), [&](BoxSide side) {
        return std::all_of(corners.begin(), corners.end(), [&](std::int64_t v) {
          return inner_.on(side, vertex(v)) || side.sign() * (vertex(v)[side.axis] - inner_.coordinate(side)) > 0;
        });
      });
    });
  }

  void check_sphere(const std::vector<std::size_t>& triangles) const {
    const AddedLayers& layers = *layers_of(triangles.front());
    std::vector<std::int64_t> corners;
    for (const std::size_t t : triangles)
      corners.insert(corners.end(), mesh_.triangles[t].begin(), mesh_.triangles[t].end());
    std::sort(corners.begin(), corners.end());
    corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
    std::vector<Vec3> points;
    for (const std::int64_t v : corners) points.push_back(vertex(v));
    const auto sphere = fit_sphere(points);
    if (!sphere || sphere->deviation > sphere_tolerance * sphere->radius)
      throw Error(fmt::format("{}: {}: it is neither whole sides of the mesh's bounding box nor a sphere", mesh_.source,
                              text_of(layers)));
    const double rounding = sphere_tolerance * sphere->radius;
    const auto radius = [&](const Vec3& at) { return norm(at - sphere->centre); };
    require_cover(layers, "sphere", [&](const Vec3& at) { return radius(at) > sphere->radius - rounding; });
    double domain = 0;
    for (std::size_t e = 0; e < mesh_.tetrahedra.size(); ++e)
      for (const std::int64_t v : mesh_.tetrahedra[e])
        if (!is_in_layer(e)) domain = std::max(domain, radius(vertex(v)));
    require_outside(layers, "sphere", [&](const std::array<std::int64_t, 4>& corners_of_element) {
      return std::all_of(corners_of_element.begin(), corners_of_element.end(),
                         [&](std::int64_t v) { return radius(vertex(v)) > domain - rounding; });
    });
  }

  const GlobalMesh& mesh_;
  std::vector<const AddedLayers*> of_surface_;  // [surface groups] or null
  std::vector<bool> in_layer_;                  // [volume groups]
  BoxBounds outer_, inner_;                     // of all elements, of those that are in no layer
};

}  // namespace

GlobalMesh name_layers(GlobalMesh mesh, const std::vector<AddedLayers>& layers) {
  const OwnLayers own(mesh, layers);
  own.check();
  for (std::size_t g = 0; g < mesh.volume_names.size(); ++g)
    if (own.in_layer()[g] && !is_layer_name(mesh.volume_names[g])) mesh.volume_names[g] += layer_suffix;
  return mesh;
}

}  // namespace dgtd::mesh
