#pragma once
// A view in three dimensions of a run's elements or cells: surfaces of bodies, and voxels for cuts.
#include <functional>
#include <span>
#include <vector>

#include "dgtd/io/scene.hpp"
#include "dgtd/observers/domain_view.hpp"
#include "dgtd/parallel/communicator.hpp"

namespace dgtd::observers {

/// Quantity that a scene shows in colours. The scale's upper end becomes the largest value, its lower end so many
/// decades less.
struct SceneQuantity {
  io::ColourScale scale;
  double decades = 4;
  /// Values at this rank's elements or cells; not a number: none. Collective.
  std::function<std::vector<float>(std::span<const std::size_t> places)> values;
};

struct SceneSettings {
  double voxels = 400000;          // at most
  std::size_t triangles = 120000;  // at most, of all surfaces
};

/// Bytes that make_scene needs on root at most, without the surfaces.
double scene_bytes(const SceneSettings& settings);

/// On root; elsewhere empty. Quantities without a positive value are left out. regions: as PixelHit::region numbers
/// them, of which those beyond 254 are shown as the last one. Collective.
io::Scene make_scene(const DomainView& view, const std::vector<Region>& regions,
                     const std::vector<SceneQuantity>& quantities, const SceneSettings& settings,
                     const parallel::Communicator& comm);

/// Box around the voxels of a scene, m.
std::array<Vec3, 2> box_of(const io::Scene& scene);

}  // namespace dgtd::observers
