// The discretisation's media against media asked for one component after the other, and for any number of threads.
#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>
#include <random>

#include "dgtd/base/constants.hpp"
#include "dgtd/grid/labelled_volume.hpp"
#include "fdtd/grid_problem.hpp"

namespace dgtd::fdtd {
namespace {

constexpr double h = 0.01;
constexpr int nx = 45, ny = 21, nz = 18;

/// Lumps of two tissues in a part of the grid, a dispersive box, a perfectly conducting ball, and much that is empty.
struct Scenery {
  grid::Setup setup;
  std::vector<grid::Shape> bodies;

  Scenery() {
    setup.grid = uniform_grid(nx, ny, nz, h, {-0.1, 0.05, 0.02});
    setup.sides.fill(grid::BoundaryKind::cpml);
    setup.layer_cells = 3;
    setup.materials.resize(5);
    setup.materials[1] = {40, 1, 0.8, 0, {}, false};
    setup.materials[2] = {12, 1.5, 0.2, 0, {}, false};
    setup.materials[3] = {2, 1, 1e-3, 0, {{physics::Pole::Type::lorentz, 1.2e9, 1.5e9, 2e8, 0}}, false};
    setup.materials[4].perfect_conductor = true;
    grid::Voxels v{{14, 12, 10}, {0.011, 0.008, 0.009}, {-0.031, 0.07, 0.06}, {}};
    std::mt19937 random(4);
    for (int i = 0; i < 14 * 12 * 10; ++i)
      v.label.push_back(i % 5 && i > 0 ? v.label.back() : static_cast<std::uint8_t>(random() % 3));
    bodies = grid::shapes_of(
        std::make_shared<grid::LabelledVolume>(std::move(v), std::vector<std::pair<int, int>>{{1, 1}, {2, 2}}), 0);
    grid::Shape box, ball;
    box.centre = {0.2, 0.15, 0.11}, box.size = {0.053, 0.048, 0.061}, box.material = 3;
    ball.type = grid::Shape::Type::sphere, ball.centre = {0.28, 0.2, 0.12}, ball.radius = 0.037, ball.material = 4;
    bodies.push_back(box);
    bodies.push_back(ball);
  }
};

// c dt / eps / (1 + sigma dt / (2 eps eps0)); 0 in conductors, 1 in series.
double rate_of(const grid::Setup& setup, const grid::LocalMedium& m, double dt) {
  if (m.second >= 0) return 1;
  if (setup.materials[static_cast<std::size_t>(m.material)].perfect_conductor) return 0;
  return speed_of_light * dt / (m.permittivity + 0.5 * dt * m.conductivity / vacuum_permittivity);
}

TEST(MediaOfCells, AreThoseOfEveryComponentByItself) {
  const Scenery s;
  for (const bool averaging : {true, false}) {
    const grid::SceneMedia media(grid::Scene(s.bodies, 0), s.setup.materials, averaging);
    const double dt = 0.9 * stability_limit(s.setup);
    const Discretisation<double> d(s.setup, media, dt, 0, 1);
    const auto place = [&](int a, double i) { return s.setup.grid.origin[a] + i * h; };
    for (int c = 0; c < 3; ++c)
      for (int k = 0; k < nz; ++k)
        for (int j = 0; j < ny; ++j)
          for (int i = 0; i < nx; ++i) {
            const int at[3] = {i, j, k};
            Vec3 x;
            for (int a = 0; a < 3; ++a) x[a] = place(a, at[a] + (a == c ? 0.5 : 0));
            const double expected = rate_of(s.setup, media.electric(x, x, {h, h, h}, c), dt);
            // Classes are rounded to 2^-13 of permittivity and loss.
            ASSERT_NEAR(d.electric_rate(c, i, j, k), expected, expected * 3e-4)
                << averaging << " " << c << " at " << i << " " << j << " " << k;
          }
  }
}

template <class T>
std::vector<unsigned char> bytes_of(const std::vector<T>& values) {
  const auto* const at = reinterpret_cast<const unsigned char*>(values.data());
  return {at, at + values.size() * sizeof(T)};
}

TEST(MediaOfCells, DoNotDependOnThreads) {
  const Scenery s;
  const grid::SceneMedia media(grid::Scene(s.bodies, 0), s.setup.materials, true);
  const auto made = [&](int threads) {
    const int before = omp_get_max_threads();
    omp_set_num_threads(threads);
    auto d = std::make_unique<Discretisation<float>>(s.setup, media, 1e-11, 0, 1);
    omp_set_num_threads(before);
    return d;
  };
  const auto one = made(1), five = made(5);
  EXPECT_GT(one->electric.classes.size(), 50u);
  EXPECT_GT(one->magnetic.classes.size(), 1u);
  EXPECT_GT(one->series.index.size(), 0u);
  EXPECT_EQ(bytes_of(one->series.index), bytes_of(five->series.index));
  EXPECT_EQ(bytes_of(one->series.medium), bytes_of(five->series.medium));
  EXPECT_EQ(one->poles_of_class, five->poles_of_class);
  for (const auto half : {&Discretisation<float>::electric, &Discretisation<float>::magnetic}) {
    const auto &a = (*one).*half, &b = (*five).*half;
    EXPECT_EQ(a.class_of, b.class_of);
    EXPECT_EQ(bytes_of(a.classes), bytes_of(b.classes));
    ASSERT_EQ(a.batches.size(), b.batches.size());
    for (std::size_t i = 0; i < a.batches.size(); ++i)
      EXPECT_EQ(bytes_of(a.batches[i].tiles), bytes_of(b.batches[i].tiles));
  }
}

}  // namespace
}  // namespace dgtd::fdtd
