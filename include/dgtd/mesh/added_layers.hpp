#pragma once
// Layers of elements that the program adds outside of surfaces of a mesh, and where elements lie in them.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dgtd/base/vec3.hpp"

namespace dgtd::parallel {
class Communicator;
}

namespace dgtd::mesh {

struct Subdomain;

/// Strata of elements that the program adds outside of a surface group of the mesh.
struct AddedLayers {
  std::string surface;   // or "*": each that has no entry of its own
  int strata = 0;        // 0: none
  double thickness = 0;  // m, of all strata; 0: strata times the mean edge of the surface's triangles
  /// m; if not 0, and `thickness` neither, there are as many strata as make each as thick as this or as the mean edge
  /// of the triangles, whichever is larger; at least `strata`.
  double stratum = 0;
  std::vector<std::string> groups = {};  // volume groups of the mesh that are the layers, in place of added strata
  bool operator==(const AddedLayers&) const = default;
};

/// Those of each surface group that has some. Entries of surfaces that do not exist are kept.
std::vector<AddedLayers> layers_by_surface(const std::vector<AddedLayers>& layers,
                                           const std::vector<std::string>& surface_names);

/// End of the name of the volume groups of added elements: those outside of group "air" are "air (layer)".
inline constexpr std::string_view layer_suffix = " (layer)";
bool is_layer_name(std::string_view name);
/// "air" of "air (layer)", and of "air".
std::string without_layer_suffix(std::string_view name);

/// Place of an element in a layer.
struct LayerPlace {
  Vec3 normal;       // unit vector, outwards
  double depth;      // m, of the middle of its stratum from the domain's boundary
  double thickness;  // m, of the layer
  int layers;        // of layers_by_surface
  int stratum;       // from the inner one, 0
};

/// The layers of a distributed mesh, found from its elements. Inner bounds are those of the vertices of elements in
/// groups without the suffix, outer bounds those of all vertices. The number of strata is the thickness over the
/// smallest distance of a vertex from the inner bounds, and where layers are groups of the file over the mean extent of
/// their elements across them; the middle of an element's vertices determines its stratum. On a sphere normals point away from its centre, at the
/// element's centroid. The same bits for any number of ranks. Keeps nothing of the mesh.
class LayerGeometry {
 public:
  /// layers: those of the mesh's source. Collective.
  LayerGeometry(const Subdomain& mesh, const std::vector<AddedLayers>& layers, const parallel::Communicator& comm);

  /// No element of any rank is in a layer.
  bool empty() const { return of_surface_.empty(); }
  /// None inside the domain, one outside of a side of a box or of a sphere, up to three in a corner of a box (x, y, z).
  std::vector<LayerPlace> places(std::size_t element) const;
  /// m; the largest one of the surface's sides, 0 where it has no layer.
  double thickness(std::string_view surface) const;
  /// 0 where the surface has no layer.
  int strata(std::string_view surface) const;

 private:
  struct SurfaceThickness {
    std::string surface;
    double thickness;  // m
    int strata;
  };
  std::vector<std::uint32_t> first_;  // [elements + 1] into places_; empty: no layers
  std::vector<LayerPlace> places_;    // of element after element
  std::vector<SurfaceThickness> of_surface_;
};

}  // namespace dgtd::mesh
