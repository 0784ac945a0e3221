// The phone case of INRIA report 7592, section 5.1, with ellipsoids for tissues.
#include <gmsh.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "dgtd/base/error.hpp"
#include "mesh/generate/generate_common.hpp"
#include "mesh/generate/gmsh_library.hpp"
#include "mesh/generate/unfinished_mesh.hpp"

namespace dgtd::mesh {
namespace {

constexpr double millimetres = 1e3;  // in a metre; the model is in millimetres

/// Sizes of one level, calibrated so that m1, m2 and m3 have as many tetrahedra as the report's meshes
/// of these names (table 2), with about its longest and shortest edges.
struct Level {
  const char* name;
  double factor;     // of the sizes in the tissues and next to the phone
  double feed_size;  // mm, at the feed; the smallest size, which bounds the time step
  double far_size;   // mm, next to the absorbing sphere
};
constexpr std::array<Level, 4> levels{
    {{"m0", 2.2, 2.0, 27}, {"m1", 0.67, 1.0, 11}, {"m2", 0.465, 0.8, 9.5}, {"m3", 0.257, 0.7, 9}}};

// Sizes (mm) at factor 1. In the tissues a fifth of the wavelength at 1.8 GHz (report, table 1); the
// skull's longer wave does not show since its neighbours are fine and the skull is thin.
constexpr double csf_size = 20.33 / 5, brain_size = 25.26 / 5, skin_size = 26.73 / 5;
constexpr double phone_size = 4.0;
constexpr double antenna_to_feed_size = 1.5;
constexpr double growth_from_head = 0.2;  // of the size, for a unit of distance

using HeadBox = HeadPhone::Box;

Ellipsoid ellipsoid(const HeadPhone::Tissue& tissue) {
  return {millimetres * tissue.centre, millimetres * tissue.semi_axes};
}
const Ellipsoid skin = ellipsoid(HeadPhone::skin), csf = ellipsoid(HeadPhone::csf), brain = ellipsoid(HeadPhone::brain);

/// Distance (mm) to a box, zero inside.
double distance(const HeadBox& box, const Vec3& point) {
  Vec3 outside;
  for (int i = 0; i < 3; ++i)
    outside[i] = std::max({box.low[i] * millimetres - point[i], point[i] - box.high[i] * millimetres, 0.0});
  return norm(outside);
}

/// Size (mm) as the wavelengths around a point ask.
double tissue_size(const Level& level, const Vec3& point) {
  const double outside_skin = distance(skin, point);
  if (outside_skin >= 0) return std::min(level.factor * skin_size + growth_from_head * outside_skin, level.far_size);
  const double outside_csf = distance(csf, point), inside_csf = -distance(brain, point);
  const double largest = inside_csf > 0 ? brain_size : skin_size;
  return std::min(level.factor * csf_size + growth_from_head * std::max({outside_csf, inside_csf, 0.0}),
                  level.factor * largest);
}

double element_size(const Level& level, const Vec3& point) {
  const double to_feed = norm(point - millimetres * HeadPhone::feed_position);
  return std::min({tissue_size(level, point), level.feed_size + growth_from_head * to_feed,
                   antenna_to_feed_size * level.feed_size + growth_from_head * distance(HeadPhone::antenna, point),
                   level.factor * phone_size + growth_from_head * distance(HeadPhone::phone, point)});
}

int add(const HeadBox& box) {
  const Vec3 low = millimetres * box.low, extent = millimetres * (box.high - box.low);
  return gmsh::model::occ::addBox(low.x, low.y, low.z, extent.x, extent.y, extent.z);
}

const Level& find_level(const std::string& name) {
  for (const Level& level : levels)
    if (name == level.name) return level;
  throw Error("head-phone: unknown level '" + name + "' (allowed: m0, m1, m2, m3)");
}

}  // namespace

MeshSummary generate_head_phone_by_gmsh(const std::string& level_name, const std::filesystem::path& file) {
  const Level& level = find_level(level_name);
  check_writable(file);
  return with_gmsh("head-phone " + level_name, [&] {
    constexpr double radius = millimetres * HeadPhone::absorbing_radius;
    StageLines stages("mesh");
    stages.begin("cutting the solids");
    std::vector<Ellipsoid> ellipsoids{{{}, {radius, radius, radius}}};
    std::vector<Solid> solids{{add(ellipsoids.front()), "air"}};
    for (const HeadPhone::Tissue& tissue : {HeadPhone::skin, HeadPhone::skull, HeadPhone::csf, HeadPhone::brain}) {
      ellipsoids.push_back(ellipsoid(tissue));
      solids.push_back({add(ellipsoids.back()), tissue.name});
    }
    for (const HeadBox& body : {HeadPhone::phone, HeadPhone::antenna}) solids.push_back({add(body), ""});
    build_regions(solids);
    return mesh_and_write([&level](const Vec3& point) { return element_size(level, point); }, ellipsoids,
                          Polyhedra::inscribed, 1 / millimetres, file, stages, head_phone_comment(level.name));
  });
}

}  // namespace dgtd::mesh
