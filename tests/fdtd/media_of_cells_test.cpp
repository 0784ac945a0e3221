// The discretisation's media against media asked for one component after the other, and for any number of threads.
#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>
#include <random>

#include "dgtd/base/constants.hpp"
#include "dgtd/grid/labelled_volume.hpp"
#include "dgtd/grid/permittivity_media.hpp"
#include "dgtd/grid/scene_media.hpp"
#include "fdtd/grid_problem.hpp"
#include "fdtd/many_media.hpp"

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
    setup.sides.fill(physics::BoundaryKind::cpml);
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
double Cb_of(const grid::Setup& setup, const grid::LocalMedium& m, double dt) {
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
    for (int c = 0; c < 3; ++c)
      for (int k = 0; k < nz; ++k)
        for (int j = 0; j < ny; ++j)
          for (int i = 0; i < nx; ++i) {
            const int at[3] = {i, j, k};
            Vec3 from, to;  // as the discretisation rounds them: voxels may share a cell equally
            for (int a = 0; a < 3; ++a) {
              const auto n = static_cast<std::size_t>(at[a]);
              from[a] = a == c ? d.nodes[a][n + 1] : d.centres[a][n];
              to[a] = a == c ? d.nodes[a][n + 2] : d.centres[a][n + 1];
            }
            const double expected =
                Cb_of(s.setup, media.electric(d.position(true, c, i, j, k), 0.5 * (from + to), to - from, c), dt);
            // Classes are rounded to 2^-13 of permittivity and loss.
            ASSERT_NEAR(d.electric_Cb(c, i, j, k), expected, expected * 3e-4)
                << averaging << " " << c << " at " << i << " " << j << " " << k;
          }
  }
}

// An array in a part of the grid, in three tiles alike, and one with values per component that hides a corner of it, in
// front of the scenery.
std::unique_ptr<grid::Media> free_form(const Scenery& s) {
  grid::PermittivityArray array{{-0.1 + 4 * h, 0.05 + 2 * h, 0.02 + h}, {0.7 * h, h, 1.3 * h}, {50, 17, 11}, 1, {}};
  std::mt19937 random(2);
  std::uniform_real_distribution<float> value(1, 12);
  for (int i = 0; i < 50 * 17 * 11; ++i) array.values.push_back(i < 25 * 17 * 11 ? value(random) : 4);
  grid::PermittivityArray corner{
      {-0.1 + 31 * h, 0.05 + 12.5 * h, 0.02 + 9 * h}, {h, 1.1 * h, 0.9 * h}, {9, 6, 7}, 3, {}};
  for (int i = 0; i < 3 * 9 * 6 * 7; ++i) corner.values.push_back(value(random));
  return std::make_unique<grid::PermittivityMedia>(
      std::make_unique<grid::SceneMedia>(grid::Scene(s.bodies, 0), s.setup.materials, true), std::vector{array, corner},
      true);
}

template <class T>
std::vector<unsigned char> bytes_of(const std::vector<T>& values) {
  const auto* const at = reinterpret_cast<const unsigned char*>(values.data());
  return {at, at + values.size() * sizeof(T)};
}

void expect_independent_of_threads(const Scenery& s, const grid::Media& media, bool has_series) {
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
  EXPECT_EQ(one->series.index.size() > 0, has_series);
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

TEST(MediaOfCells, DoNotDependOnThreads) {
  const Scenery s;
  expect_independent_of_threads(s, grid::SceneMedia(grid::Scene(s.bodies, 0), s.setup.materials, true), true);
  expect_independent_of_threads(s, *free_form(s), false);
}

TEST(MediaOfCells, OfArraysAreThoseOfEveryComponentByItself) {
  Scenery s;
  for (const bool magnetic : {true, false}) {
    if (!magnetic) s.setup.materials[2].permeability = 1, s.setup.materials[4].perfect_conductor = false;
    const auto media = free_form(s);
    const double dt = 0.9 * stability_limit(s.setup);
    const Discretisation<double> d(s.setup, *media, dt, 0, 1);
    EXPECT_GT(d.rounding.classes, 5000);
    for (int c = 0; c < 3; ++c)
      for (int k = 0; k < nz; ++k)
        for (int j = 0; j < ny; ++j)
          for (int i = 0; i < nx; ++i) {
            const int at[3] = {i, j, k};
            Vec3 from, to;
            for (int a = 0; a < 3; ++a) {
              const auto n = static_cast<std::size_t>(at[a]);
              from[a] = a == c ? d.nodes[a][n + 1] : d.centres[a][n];
              to[a] = a == c ? d.nodes[a][n + 2] : d.centres[a][n + 1];
            }
            const grid::LocalMedium m = media->electric(d.position(true, c, i, j, k), 0.5 * (from + to), to - from, c);
            const double expected = Cb_of(s.setup, m, dt);
            ASSERT_NEAR(d.electric_Cb(c, i, j, k), expected, expected * (m.conductivity > 0 ? 2e-4 : 6.2e-5))
                << c << " at " << i << " " << j << " " << k;
          }
  }
}

TEST(MediaOfCells, TilesThatAnArrayFillsWithOneValueHaveNoClassesPerCell) {
  grid::Setup setup;
  setup.grid = uniform_grid(96, 24, 16, h, {0, 0, 0});
  setup.materials.resize(1);
  grid::PermittivityArray array{{0, 0, 0}, {h, h, h}, {96, 24, 16}, 1, UninitialisedVector<float>(96 * 24 * 16, 3)};
  array.values[70 * 24 * 16] = 5;  // in the third tile along x, beside its corner
  const grid::PermittivityMedia media(std::make_unique<grid::SceneMedia>(grid::Scene({}, 0), setup.materials, true),
                                      {array}, true);
  const Discretisation<float> d(setup, media, 1e-11, 0, 1);
  std::size_t mixed = 0, filled = 0;
  for (const TileBatch& batch : d.electric.batches) {
    for (const Tile& tile : batch.tiles)
      if (!batch.mixed) {
        EXPECT_EQ(d.electric.classes[std::size_t(tile.medium_class)].Cb, float(speed_of_light * 1e-11 / 3));
      }
    (batch.mixed ? mixed : filled) += batch.tiles.size();
  }
  EXPECT_EQ(mixed, 1u);
  EXPECT_EQ(filled, 17u);
}

TEST(MediaOfCells, TooManyMediaAreRoundedToFewerBits) {
  const grid::Setup setup = many_media_setup();
  const double dt = 1e-11;
  for (const int threads : {1, 3}) {
    const int before = omp_get_max_threads();
    omp_set_num_threads(threads);
    const Discretisation<double> d(setup, ManyMedia(), dt, 0, 1);
    omp_set_num_threads(before);
    EXPECT_GT(d.rounding.media, 100000);
    EXPECT_EQ(d.rounding.classes, static_cast<std::int64_t>(d.electric.classes.size()));
    EXPECT_LE(d.electric.classes.size(), 65535u);
    EXPECT_LT(d.rounding.bits, 13);
    double largest = 0;
    for (int c = 0; c < 3; ++c)
      for (int k = 0; k < 20; k += 3)
        for (int j = 0; j < 40; ++j)
          for (int i = 0; i < 64; ++i) {
            const double expected = Cb_of(setup, ManyMedia().electric(d.position(true, c, i, j, k), {}, {}, c), dt);
            largest = std::max(largest, std::abs(d.electric_Cb(c, i, j, k) / expected - 1));
          }
    EXPECT_LT(largest, 1.01 * (d.rounding.largest_error() + std::ldexp(1.0, -14)));
    EXPECT_GT(largest, 0.5 * d.rounding.largest_error());
  }
}

}  // namespace
}  // namespace dgtd::fdtd
