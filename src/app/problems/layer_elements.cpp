#include "app/problems/layer_elements.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

namespace dgtd::app {

namespace {

struct MeasuredFloor {
  double per_wavelength;  // cubes
  double decibels[4];     // [physics::layer_angles]
};

// [order - 1]: what twelve strata of 1/6 wavelength (P1: thirty of 1/12) reflect more than they should, as energy. It
// contains what elements scatter before the wave meets a layer, hence is an upper bound.
constexpr MeasuredFloor element_errors[] = {
    {12, {-13.4, -13.5, -19.8, -17.1}},
    {6, {-46.2, -26.6, -23.1, -17.7}},
    {6, {-48.9, -48.0, -44.7, -28.7}},
};

// The vertex of an element that is outside of three others at one height, along the normal of its layer; -1 for an
// element that has two at the outer side of its stratum, or three. On a sphere heights are the same but for the arc.
int vertex_above_a_triangle(const mesh::Subdomain& mesh, std::size_t element, const Vec3& normal) {
  std::array<std::pair<double, int>, 4> heights;
  for (int c = 0; c < 4; ++c) heights[static_cast<std::size_t>(c)] = {dot(mesh.vertex(element, c), normal), c};
  std::sort(heights.begin(), heights.end());
  constexpr double arc = 0.25;
  const bool flat = heights[2].first - heights[0].first < arc * (heights[3].first - heights[0].first);
  return flat ? heights[3].second : -1;
}

}  // namespace

double reflection_of_elements(int order, double per_wavelength, std::size_t angle) {
  constexpr int known = sizeof element_errors / sizeof element_errors[0];
  const int p = std::min(order, known);
  const MeasuredFloor& floor = element_errors[p - 1];
  const double scaled =
      std::pow(10, floor.decibels[angle] / 20) * std::pow(floor.per_wavelength / per_wavelength, p + 0.5);
  return std::min(1.0, scaled);
}

std::vector<double> cube_edges(const mesh::Subdomain& mesh, const mesh::LayerGeometry& geometry, std::size_t surfaces,
                               const parallel::Communicator& comm) {
  std::vector<double> area(surfaces, 0.0);
  std::vector<std::int64_t> triangles(surfaces, 0);
  for (std::size_t e = 0; e < mesh.elements(); ++e) {
    // Triangles in edges and corners are as long as their strata.
    const auto places = geometry.places(e);
    if (places.size() != 1 || places[0].stratum != 0) continue;
    if (const int top = vertex_above_a_triangle(mesh, e, places[0].normal); top >= 0) {
      area[static_cast<std::size_t>(places[0].layers)] += mesh.tetrahedron(e).face_area(top);
      ++triangles[static_cast<std::size_t>(places[0].layers)];
    }
  }
  area = comm.sum(std::move(area));
  triangles = comm.sum(std::move(triangles));
  std::vector<double> edges;
  for (std::size_t s = 0; s < surfaces; ++s)
    edges.push_back(triangles[s] > 0 ? std::sqrt(2 * area[s] / static_cast<double>(triangles[s])) : 0);
  return edges;
}

}  // namespace dgtd::app
