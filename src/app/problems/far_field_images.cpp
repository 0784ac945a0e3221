#include "app/problems/far_field_images.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>

#include "dgtd/base/error.hpp"
#include "dgtd/base/log.hpp"

namespace dgtd::app {

std::vector<solver::ImagePlane> far_field_images(const physics::FarField& far, const ReachedMirrors& reached) {
  constexpr const char* sides[6] = {"xmin", "xmax", "ymin", "ymax", "zmin", "zmax"};
  const bool has_ground = far.ground != physics::FarField::Side::none;
  const std::size_t ground = has_ground ? static_cast<std::size_t>(far.ground) - 1 : 6;
  std::vector<solver::ImagePlane> planes;
  std::vector<std::string> symmetries;
  for (std::size_t side = 0; side < 6; ++side) {
    if (!reached[side]) continue;
    if (side % 2 == 1 && reached[side - 1])
      throw Error(fmt::format(
          "{}: far_field.{}: the box ends at mirrors at {} and at {}, between which there is no far field; one of them "
          "must be an absorbing side that is outside of the box",
          far.origin, far.name, sides[side - 1], sides[side]));
    planes.push_back(*reached[side]);
    if (side != ground) symmetries.emplace_back(sides[side]);
  }
  if (has_ground && !reached[ground])
    throw Error(fmt::format("{}: far_field.{}: ground = {} must be a side of type pec or pmc that the box reaches",
                            far.origin, far.name, sides[ground]));
  if (has_ground) log::info("far_field.{}: above the ground at {}", far.name, sides[ground]);
  if (!symmetries.empty())
    log::info(
        "far_field.{}: of the whole structure, one of whose {} parts is the domain, with planes of symmetry at {}",
        far.name, 1 << symmetries.size(), fmt::join(symmetries, ", "));
  return planes;
}

}  // namespace dgtd::app
