#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>

#include "dgtd/mesh/added_layers.hpp"
#include "dgtd/mesh/subdomain.hpp"
#include "dgtd/parallel/communicator.hpp"
#include "mesh/generate/fit_sphere.hpp"
#include "mesh/generate/layer_bounds.hpp"

namespace dgtd::mesh {
namespace {

/// The same on all ranks.
BoxBounds of_all_ranks(const BoxBounds& mine, const parallel::Communicator& comm) {
  const std::vector<double> all =
      comm.max(std::vector<double>{mine.high.x, mine.high.y, mine.high.z, -mine.low.x, -mine.low.y, -mine.low.z});
  return {{-all[3], -all[4], -all[5]}, {all[0], all[1], all[2]}};
}

/// Layers of one thickness.
struct LayerSpan {
  int strata = 0;
  double thickness = 0;  // m
  int layers = 0;        // LayerPlace
  double least = 0;      // m: elements with a middle that is nearer to the boundary are inside, but for rounding

  /// nearest, farthest: distances of an element's vertices from the domain's boundary, m. Its stratum's middle is that
  /// of its vertices but for rounding.
  LayerPlace place(const Vec3& normal, double nearest, double farthest) const {
    const double a_stratum = thickness / strata;
    const int stratum = std::clamp(static_cast<int>(0.5 * (nearest + farthest) / a_stratum), 0, strata - 1);
    return {normal, (stratum + 0.5) * a_stratum, thickness, layers, stratum};
  }
};

/// The faces of a rank's elements in surfaces that have layers.
class LayeredFaces {
 public:
  LayeredFaces(const Subdomain& mesh, const std::vector<AddedLayers>& layers) : mesh_(mesh) {
    std::vector<int> of_surface(mesh.surface_names.size(), -1);
    for (std::size_t l = 0; l < layers.size(); ++l)
      for (std::size_t s = 0; s < mesh.surface_names.size(); ++s)
        if (mesh.surface_names[s] == layers[l].surface) of_surface[s] = static_cast<int>(l);
    for (std::size_t e = 0; e < mesh.elements(); ++e)
      for (int f = 0; f < 4; ++f) {
        const FaceLink& link = mesh.element_faces[e][static_cast<std::size_t>(f)];
        if (link.kind == FaceLink::Kind::boundary && of_surface[link.index] >= 0)
          faces_.push_back({e, f, static_cast<std::size_t>(of_surface[link.index])});
      }
  }

  struct LayeredFace {
    std::size_t element;
    int face;
    std::size_t layers;  // index
  };
  const std::vector<LayeredFace>& faces() const { return faces_; }

  std::array<std::uint32_t, 3> vertices(const LayeredFace& face) const {
    std::array<std::uint32_t, 3> vertices;
    for (int c = 0, n = 0; c < 4; ++c)
      if (c != face.face)
        vertices[static_cast<std::size_t>(n++)] = mesh_.element_vertices[face.element][static_cast<std::size_t>(c)];
    return vertices;
  }
  bool on_side(const LayeredFace& face, const BoxBounds& bounds, BoxSide side) const {
    const auto corners = vertices(face);
    return std::all_of(corners.begin(), corners.end(),
                       [&](std::uint32_t v) { return bounds.on(side, mesh_.vertices[v]); });
  }

  /// Through the outermost vertices of all ranks, which root sorts so that it is the same for any number of ranks.
  /// Collective.
  std::optional<FittedSphere> sphere(const parallel::Communicator& comm) const {
    struct Numbered {
      std::int64_t id;
      Vec3 position;
    };
    std::vector<Numbered> mine;
    for (const LayeredFace& face : faces_)
      for (const std::uint32_t v : vertices(face)) mine.push_back({mesh_.vertex_id[v], mesh_.vertices[v]});
    const auto make_unique = [](std::vector<Numbered>& list) {
      std::sort(list.begin(), list.end(), [](const Numbered& a, const Numbered& b) { return a.id < b.id; });
      list.erase(
          std::unique(list.begin(), list.end(), [](const Numbered& a, const Numbered& b) { return a.id == b.id; }),
          list.end());
    };
    make_unique(mine);
    std::vector<Numbered> all = comm.gather_vectors(mine);
    make_unique(all);
    std::vector<Vec3> points;
    for (const Numbered& one : all) points.push_back(one.position);
    std::optional<FittedSphere> fitted;
    if (comm.is_root()) fitted = fit_sphere(points);
    if (!comm.broadcast_value(fitted.has_value())) return {};
    return comm.broadcast_value(fitted.value_or(FittedSphere{}));
  }

 private:
  const Subdomain& mesh_;
  std::vector<LayeredFace> faces_;
};

/// The range of an element's vertices along an axis or away from a centre.
struct Reach {
  double low = BoxBounds::infinity, high = -BoxBounds::infinity;
};
template <class Coordinate>
Reach reach(const Subdomain& mesh, std::size_t element, const Coordinate& coordinate) {
  Reach reach;
  for (int c = 0; c < 4; ++c) {
    const double at = coordinate(mesh.vertex(element, c));
    reach = {std::min(reach.low, at), std::max(reach.high, at)};
  }
  return reach;
}

/// Smallest distance of a vertex of added elements from the boundary, m: the thickness of a stratum, since all vertices
/// lie between strata.
template <class Distance>
double first_stratum(const Subdomain& mesh, const std::vector<bool>& added, double thickness,
                     const Distance& distance) {
  constexpr int more_than_any_layer_has = 1000;  // strata: what is nearer is on the boundary but for rounding
  double nearest = thickness;
  for (std::size_t e = 0; e < mesh.elements(); ++e)
    for (int c = 0; added[mesh.element_group[e]] && c < 4; ++c)
      if (const double d = distance(mesh.vertex(e, c)); d > thickness / more_than_any_layer_has)
        nearest = std::min(nearest, d);
  return nearest;
}

/// Mean extent of the elements of layers across them, m: the thickness of a stratum where elements are in strata. The
/// order of the sum does not matter: the number of strata is rounded. Collective.
template <class Distance>
double mean_extent(const Subdomain& mesh, const std::vector<bool>& in_layer, double rounding, const Distance& distance,
                   const parallel::Communicator& comm) {
  double extent = 0, elements = 0;
  for (std::size_t e = 0; e < mesh.elements(); ++e) {
    if (!in_layer[mesh.element_group[e]]) continue;
    const Reach its = reach(mesh, e, distance);
    if (0.5 * (its.low + its.high) > rounding) extent += its.high - its.low, ++elements;
  }
  extent = comm.sum(extent), elements = comm.sum(elements);
  return elements > 0 ? extent / elements : 0;
}

/// The strata of layers of this thickness (m) whose distance from the boundary is given. Collective.
template <class Distance>
LayerSpan span_of(const Subdomain& mesh, const std::vector<bool>& in_layer, bool from_file, double thickness,
                  const Distance& distance, const parallel::Communicator& comm) {
  constexpr double rounding = 1e-6;  // of the thickness
  const double stratum = from_file ? mean_extent(mesh, in_layer, rounding * thickness, distance, comm)
                                   : comm.min(first_stratum(mesh, in_layer, thickness, distance));
  if (stratum == 0) return {};
  LayerSpan span{static_cast<int>(std::lround(thickness / stratum)), thickness};
  span.strata = std::max(span.strata, 1);
  span.least = from_file ? rounding * thickness : 0.25 * thickness / span.strata;
  return span;
}

/// The layers of the box's sides.
class LayersOfBox {
 public:
  /// in_use: [layers][sides] 1 where a side is in the layers' surface, on any rank. Collective.
  LayersOfBox(const Subdomain& mesh, const std::vector<bool>& added, const BoxBounds& inner, const BoxBounds& outer,
              const std::vector<std::int64_t>& in_use, bool from_file, const parallel::Communicator& comm)
      : inner_(inner) {
    for (std::size_t i = 0; i < in_use.size(); ++i) {
      if (in_use[i] == 0) continue;
      const BoxSide side = box_sides[i % 6];
      const double boundary = inner.coordinate(side), thickness = std::abs(outer.coordinate(side) - boundary);
      spans_[i % 6] = span_of(
          mesh, added, from_file, thickness, [&](const Vec3& p) { return side.sign() * (p[side.axis] - boundary); },
          comm);
      spans_[i % 6].layers = static_cast<int>(i / 6);
    }
  }
  const LayerSpan& span(std::size_t side) const { return spans_[side]; }

  void append_places(const Subdomain& mesh, std::size_t element, std::vector<LayerPlace>& places) const {
    for (std::size_t s = 0; s < 6; ++s) {
      if (spans_[s].strata == 0) continue;
      const BoxSide side = box_sides[s];
      const Reach distance =
          reach(mesh, element, [&](const Vec3& p) { return side.sign() * (p[side.axis] - inner_.coordinate(side)); });
      // The layer's elements are outside of the boundary with all vertices, others inside; but for rounding.
      if (!(0.5 * (distance.low + distance.high) > spans_[s].least)) continue;
      Vec3 normal;
      normal[side.axis] = side.sign();
      places.push_back(spans_[s].place(normal, distance.low, distance.high));
    }
  }

 private:
  BoxBounds inner_;
  std::array<LayerSpan, 6> spans_;  // no strata: no layers
};

}  // namespace

LayerGeometry::LayerGeometry(const Subdomain& mesh, const std::vector<AddedLayers>& wanted,
                             const parallel::Communicator& comm) {
  const std::vector<AddedLayers> layers = layers_by_surface(wanted, mesh.surface_names);
  std::vector<bool> added(mesh.volume_names.size());
  std::transform(mesh.volume_names.begin(), mesh.volume_names.end(), added.begin(),
                 [](const std::string& name) { return is_layer_name(name); });
  if (layers.empty() || std::find(added.begin(), added.end(), true) == added.end()) return;

  BoxBounds inner, outer;
  for (std::size_t e = 0; e < mesh.elements(); ++e)
    for (int c = 0; c < 4; ++c) {
      outer.include(mesh.vertex(e, c));
      if (!added[mesh.element_group[e]]) inner.include(mesh.vertex(e, c));
    }
  inner = of_all_ranks(inner, comm);
  outer = of_all_ranks(outer, comm);

  const bool from_file =
      std::any_of(layers.begin(), layers.end(), [](const AddedLayers& one) { return !one.groups.empty(); });
  const LayeredFaces layered(mesh, layers);
  std::vector<std::int64_t> in_use(6 * layers.size(), 0);  // [layers][sides]
  std::int64_t off_sides = 0;
  for (const auto& face : layered.faces()) {
    bool on_a_side = false;
    for (std::size_t s = 0; s < 6; ++s) {
      if (!layered.on_side(face, outer, box_sides[s])) continue;
      in_use[6 * face.layers + s] = 1;
      on_a_side = true;
    }
    off_sides += !on_a_side;
  }
  in_use = comm.sum(std::move(in_use));

  std::function<void(std::size_t)> append;
  if (comm.sum(off_sides) == 0) {
    const LayersOfBox box(mesh, added, inner, outer, in_use, from_file, comm);
    for (std::size_t l = 0; l < layers.size(); ++l) {
      SurfaceThickness its{layers[l].surface, 0, 0};
      for (std::size_t s = 0; s < 6; ++s)
        if (in_use[6 * l + s] > 0)
          its = {its.surface, std::max(its.thickness, box.span(s).thickness), box.span(s).strata};
      of_surface_.push_back(its);
    }
    append = [&mesh, box, this](std::size_t e) { box.append_places(mesh, e, places_); };
  } else {
    const auto sphere = layered.sphere(comm);
    if (!sphere) return;
    const auto radius = [centre = sphere->centre](const Vec3& p) { return norm(p - centre); };
    double domain = 0, whole = 0;
    for (std::size_t e = 0; e < mesh.elements(); ++e) {
      double& largest = added[mesh.element_group[e]] ? whole : domain;
      largest = std::max(largest, reach(mesh, e, radius).high);
    }
    domain = comm.max(domain);
    const double thickness = comm.max(whole) - domain;
    const LayerSpan span = span_of(
        mesh, added, from_file, thickness, [&](const Vec3& p) { return radius(p) - domain; }, comm);
    for (const AddedLayers& one : layers) of_surface_.push_back({one.surface, thickness, span.strata});
    append = [&mesh, sphere, span, domain, radius, this](std::size_t e) {
      const Vec3 outwards = mesh.tetrahedron(e).centroid() - sphere->centre;
      const Reach distance = reach(mesh, e, radius);
      places_.push_back(span.place((1 / norm(outwards)) * outwards, distance.low - domain, distance.high - domain));
    };
  }

  first_.reserve(mesh.elements() + 1);
  for (std::size_t e = 0; e < mesh.elements(); ++e) {
    first_.push_back(static_cast<std::uint32_t>(places_.size()));
    if (added[mesh.element_group[e]]) append(e);
  }
  first_.push_back(static_cast<std::uint32_t>(places_.size()));
}

std::vector<LayerPlace> LayerGeometry::places(std::size_t element) const {
  if (first_.empty()) return {};
  return {places_.begin() + first_[element], places_.begin() + first_[element + 1]};
}

double LayerGeometry::thickness(std::string_view surface) const {
  for (const SurfaceThickness& one : of_surface_)
    if (one.surface == surface) return one.thickness;
  return 0;
}

int LayerGeometry::strata(std::string_view surface) const {
  for (const SurfaceThickness& one : of_surface_)
    if (one.surface == surface) return one.strata;
  return 0;
}

}  // namespace dgtd::mesh
