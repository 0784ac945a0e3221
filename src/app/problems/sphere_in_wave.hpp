#pragma once
// The exact cross sections of a sphere in a plane wave in vacuum, on grids and on tetrahedra.
#include <functional>
#include <string>

#include "dgtd/base/vec3.hpp"
#include "dgtd/observers/fluxes.hpp"
#include "dgtd/physics/boundary.hpp"
#include "dgtd/physics/medium.hpp"
#include "dgtd/physics/source.hpp"

namespace dgtd::app {

struct SphereInWave {
  Vec3 centre;        // m
  double radius = 0;  // m
  physics::Medium medium;
  std::string text;    // radius and material, for people
  std::string domain;  // "grid" or "mesh"
  double share = 1;    // of the sphere that is in the domain, 2^-mirrors
};

/// Field at a surface around the sphere; other: both, or it is not around the sphere.
enum class FieldAround { total, scattered, other };
using FieldAroundSphere = std::function<FieldAround(const physics::Flux&)>;

/// Whether the field of a wave is its own image in a mirror (pec or pmc) normal to an axis: E normal to an electric
/// wall, or H to a magnetic one.
bool is_own_image(const physics::Source& wave, int axis, physics::BoundaryKind mirror);

/// Outward cross section of a surface, m^2, at its frequencies: minus the absorption (of the part that is in the
/// domain) in the total field, the scattering in the scattered one, else nothing.
observers::ExactCrossSections exact_cross_sections(SphereInWave sphere, FieldAroundSphere field);

}  // namespace dgtd::app
