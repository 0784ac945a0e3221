// Power that lossy spheres absorb from a plane wave, layer by layer, against the exact (Mie) answer.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "dgtd/base/constants.hpp"
#include "dgtd/dg/element_geometry.hpp"
#include "study.hpp"
#include "support/exact_layered_sphere.hpp"

namespace dgtd::verification {
namespace {

constexpr double frequency = 1.8e9;
constexpr double wavelength = speed_of_light / frequency;

using Layers = std::vector<exact::SphereLayer>;
const Layers ball{{0.040, 9, 0.5}};
const Layers head{
    {0.080, 43.55, 1.15}, {0.083, 67.20, 2.92}, {0.088, 15.56, 0.43}, {0.092, 43.85, 1.23}};  // brain, CSF, skull, skin

struct Study {
  Layers layers;
  std::vector<double> sizes;  // of elements in the layers, m
  double air_size;            // m
  double gap;                 // outermost layer to absorbing boundary, wavelengths
  bool restore_volumes = true;
};

Problem pose(const Study& s) {
  mesh::Spheres geometry;
  std::vector<dg::ElementMaterial> material;
  for (std::size_t i = 0; i < s.layers.size(); ++i) {
    geometry.radii.push_back(s.layers[i].outer_radius);
    geometry.names.push_back(fmt::format("layer{}", i));
    material.push_back({s.layers[i].eps_r, 1, s.layers[i].sigma});
  }
  geometry.sizes = s.sizes;
  geometry.radii.push_back(s.layers.back().outer_radius + s.gap * wavelength);
  geometry.sizes.push_back(s.air_size);
  geometry.names.push_back("air");
  material.push_back({});
  Problem problem = spheres(geometry, material);
  if (s.restore_volumes) restore_sphere_volumes(problem.mesh, geometry.radii);
  physics::Source wave;
  wave.type = physics::Source::Type::plane_wave;
  wave.direction = {0, 0, 1};
  wave.polarisation = {1, 0, 0};
  wave.waveform = {physics::Waveform::Type::ramped_sine, frequency, 2, 0};
  problem.sources = {wave};
  return problem;
}

// Absorbed in each layer, W.
std::vector<double> absorbed(const Problem& problem, const dg::DgSolver<float>& solver, std::size_t layers) {
  const auto square = solver.mean_square_electric(0);
  std::vector<double> power(layers);
  for (std::size_t e = 0; e < problem.mesh.elements(); ++e) {
    const std::string& name = problem.mesh.volume_names[problem.mesh.element_group[e]];
    for (std::size_t i = 0; i < layers; ++i)
      if (name == fmt::format("layer{}", i))
        power[i] += 0.5 * problem.material[problem.mesh.element_group[e]].conductivity * square[e] *
                    dg::ElementGeometry(problem.mesh, e).volume();
  }
  return power;
}

void show_header(const char* what) {
  fmt::print("{}\n gap   size   air   p  elements  steps/period  volumes    total     layers from inside (errors)\n",
             what);
}

// Runs one order on a mesh that stands; returns the relative error of the total.
double show(const Study& s, const Problem& problem, int order) {
  const int steps = static_cast<int>(std::ceil(1 / (frequency * 0.9 * largest_time_step<float>(problem, order))));
  const auto solver = make_solver<float>(problem, order, 1 / (frequency * steps));
  const double radius = s.layers.back().outer_radius / wavelength + s.gap;
  run_to_steady_state(*solver, frequency, steps, static_cast<int>(std::ceil(2 * radius)) + 5);

  const auto computed = absorbed(problem, *solver, s.layers.size());
  const auto expected = exact::LayeredSphere(s.layers, frequency).powers();
  const double error = std::accumulate(computed.begin(), computed.end(), 0.0) / expected.absorbed - 1;
  fmt::print("{:4.2f}  {:4.1f}  {:4.1f}  P{} {:9} {:13}  {:8}  {:+7.2f} %  ", s.gap, 1e3 * s.sizes[0], 1e3 * s.air_size,
             order, problem.mesh.global_elements, steps, s.restore_volumes ? "true" : "faceted", 100 * error);
  if (s.layers.size() > 1)
    for (std::size_t i = 0; i < s.layers.size(); ++i)
      fmt::print(" {:+7.2f} %", 100 * (computed[i] / expected.absorbed_in_layer[i] - 1));
  fmt::print("\n");
  std::fflush(stdout);
  return std::abs(error);
}

double show(const Study& s, int order) { return show(s, pose(s), order); }

void show_orders(const Study& s, std::initializer_list<int> orders) {
  const Problem problem = pose(s);
  for (const int order : orders) show(s, problem, order);
}

TEST(LayeredSphere, OfOneMaterialAbsorbsWhatItShould) {
  show_header("homogeneous sphere, radius 40 mm, eps_r 9, sigma 0.5 S/m; gap in wavelengths, sizes in mm");
  EXPECT_LT(show({ball, {0.014}, 0.04, 0.5}, 2), 0.03);
  if (!full_study()) return;
  for (double size : {0.020, 0.014, 0.010, 0.007}) show_orders({ball, {size}, 2.5 * size, 0.5}, {1, 2, 3});
}

TEST(LayeredSphere, OfOneMaterialWithFacetsAndBoundaryRadius) {
  if (!full_study()) GTEST_SKIP() << "part of the full study, DGTD_FULL=1";
  show_header("homogeneous sphere, radius 40 mm, eps_r 9, sigma 0.5 S/m; gap in wavelengths, sizes in mm");
  for (double size : {0.020, 0.014}) show({ball, {size}, 2.5 * size, 0.5, false}, 2);
  for (double gap : {0.25, 0.5, 0.75, 1.0}) show({ball, {0.014}, 0.035, gap}, 2);
}

TEST(LayeredSphere, OfFourTissuesAbsorbsWhatItShould) {
  show_header("head sphere, radii 80, 83, 88, 92 mm: brain, CSF, skull, skin; gap in wavelengths, sizes in mm");
  const auto sizes = [](double brain, double shells) { return std::vector<double>{brain, shells, shells, shells}; };
  if (!full_study()) {
    EXPECT_LT(show({head, sizes(0.016, 0.012), 0.05, 0.25}, 1), 0.15);
    return;
  }
  for (double shells : {0.012, 0.008, 0.0055, 0.004})
    show_orders({head, sizes(2 * shells, shells), 0.04, 0.5}, {1, 2, 3});
  for (double gap : {0.25, 1.0}) show({head, sizes(0.011, 0.0055), 0.04, gap}, 3);
  show({head, sizes(0.011, 0.0055), 0.04, 0.5, false}, 3);
}

}  // namespace
}  // namespace dgtd::verification
