// The number of ranks never shows in the fields.
#include <gtest/gtest.h>

#include <numeric>

#include "dgtd/base/constants.hpp"
#include "fdtd/many_media.hpp"
#include "fdtd/port_records.hpp"
#include "fdtd/problems.hpp"

namespace dgtd::fdtd {
namespace {

template <class Real>
std::uint64_t hash(const GridProblem& problem, const parallel::Communicator& comm, double* flux = nullptr) {
  auto solver = problem.make<Real>(comm);
  for (int s = 0; s < 60; ++s) {
    if (s == 30) (void)solver->energy();
    problem.advance(*solver, 1);
  }
  if (flux != nullptr) *flux = solver::flux(*solver, 0, comm)[0];
  return comm.sum(solver->fields_hash());
}

TEST(GridPartition, NeverShowsInTheFields) {
  const parallel::Communicator world(MPI_COMM_WORLD), self(MPI_COMM_SELF);
  for (const GridProblem& problem : {scattering_problem(), adiabatic_problem(), walls_problem(), ports_problem(),
                                     beams_problem(), mur_problem(), bloch_problem()}) {
    EXPECT_EQ(hash<float>(problem, world), hash<float>(problem, self));
    EXPECT_EQ(hash<double>(problem, world), hash<double>(problem, self));
    EXPECT_EQ(hash<Half>(poles_removed(problem), world), hash<Half>(poles_removed(problem), self));
  }
  double together = 0, alone = 0;
  hash<double>(scattering_problem(), world, &together);
  hash<double>(scattering_problem(), self, &alone);
  EXPECT_NE(alone, 0);
  EXPECT_NEAR(together / alone, 1, 1e-10);
}

// Several steps per pass over memory, whose planes next to other ranks are updated half step by half step, against
// steps one by one on one rank.
template <class Real>
void expect_same_sweeps(const GridProblem& problem, const parallel::Communicator& world) {
  const parallel::Communicator self(MPI_COMM_SELF);
  auto alone = problem.make<Real>(self), together = problem.make<Real>(world);
  EXPECT_TRUE(together->description_of_steps().starts_with("up to ")) << together->description_of_steps();
  for (int s = 0; s < 61; ++s) alone->advance(1);
  for (const int steps : {30, 1, 19, 11}) together->advance(steps);
  EXPECT_EQ(world.sum(together->fields_hash()), alone->fields_hash());
}

TEST(GridPartition, NeverShowsInSweeps) {
  const parallel::Communicator world(MPI_COMM_WORLD);
  GridProblem tall = scattering_problem();  // ranks above each other
  tall.setup.grid.spacing[0].resize(26), tall.setup.grid.spacing[1].resize(24);
  tall.setup.grid.spacing[2].resize(70, 4e-9);
  for (int a = 0; a < 2; ++a) tall.setup.grid.origin[a] = -0.045e-6;
  tall.setup.layer_cells = 4;
  tall.sources[0].box_min = Vec3{-0.025e-6, -0.025e-6, -0.05e-6};
  tall.sources[0].box_max = Vec3{0.035e-6, 0.025e-6, 0.15e-6};
  tall.fluxes.clear();
  expect_same_sweeps<double>(tall, world);
  expect_same_sweeps<float>(tall, world);
  expect_same_sweeps<Half>(poles_removed(tall), world);
  GridProblem ports = ports_problem();
  ports.setup.grid.spacing[2].resize(70, 0.01);
  expect_same_sweeps<double>(ports, world);
  expect_same_sweeps<float>(ports, world);
  tall.caches = CacheSizes{5e5, 0};
  expect_same_sweeps<double>(tall, world);
}

// Cells' values next to another rank come from both sides.
void expect_same_samples(const GridProblem& problem) {
  const parallel::Communicator world(MPI_COMM_WORLD), self(MPI_COMM_SELF);
  using Quantity = solver::Quantity;
  auto alone = problem.make<double>(self), together = problem.make<double>(world);
  const Vec3 place{0.162, 0.085, 0.121};
  alone->add_probe("p", place, "test");
  const bool here = together->add_probe("p", place, "test");
  for (auto* solver : {alone.get(), together.get()}) {
    solver->start_dft({2e9});
    for (int s = 0; s < 40; ++s) {
      solver->advance(1);
      solver->accumulate_dft(1e-12);
    }
  }
  const auto& whole = alone->block();
  const auto& block = together->block();
  for (const auto field : {Quantity::Field::electric, Quantity::Field::magnetic})
    for (const auto part : {Quantity::Part::present, Quantity::Part::real}) {
      const auto expected = alone->sample_cells({field, part, 0}), mine = together->sample_cells({field, part, 0});
      std::size_t at = 0, different = 0;
      for (int k = 0; k < block.cells[2]; ++k)
        for (int j = 0; j < block.cells[1]; ++j)
          for (int i = 0; i < block.cells[0]; ++i)
            for (int c = 0; c < 3; ++c)
              different +=
                  mine[at++] != expected[static_cast<std::size_t>(
                                    (((block.first[2] + k) * whole.cells[1] + block.first[1] + j) * whole.cells[0] +
                                     block.first[0] + i) *
                                        3 +
                                    c)];
      EXPECT_EQ(different, 0u) << "field " << int(field) << " part " << int(part);
    }
  for (auto* solver : {alone.get(), together.get()}) solver->refresh_probes();
  if (here) {
    EXPECT_EQ(together->probe("p").electric, alone->probe("p").electric);
    EXPECT_GT(norm(alone->probe("p").electric), 0);
  }
}

// Lossy bodies of two materials inside a uniform grid whose x axis is periodic; one reaches round it, so that edges at
// both its ends count for the same cells. The lowest one begins where tiles begin along y and z.
GridProblem lossy_bodies_problem(bool flat) {
  GridProblem p;
  p.setup.grid = flat ? uniform_grid(40, 36, 1, 0.01) : uniform_grid(40, 36, 30, 0.01);
  if (flat) p.setup.axes = 2;
  using Kind = physics::BoundaryKind;
  p.setup.sides = {Kind::periodic, Kind::periodic, Kind::cpml, Kind::cpml, Kind::pec, Kind::cpml};
  if (flat) p.setup.sides[4] = p.setup.sides[5] = Kind::periodic;
  p.setup.layer_cells = 6;
  p.setup.materials = {physics::Medium{}, physics::Medium{3, 1, 0.05, 0, {}}, physics::Medium{2, 1, 0.2, 0, {}},
                       physics::Medium{4, 1, 0, 0, {}}};
  using Type = grid::Shape::Type;
  p.bodies = {{.type = Type::cylinder, .centre = {0, 0.15, 0.14}, .radius = 0.043, .height = 0.06, .material = 1},
              {.type = Type::cylinder, .centre = {0.4, 0.15, 0.14}, .radius = 0.043, .height = 0.06, .material = 1},
              {.type = Type::box, .centre = {0.21, 0.1, 0.1}, .size = {0.06, 0.04, 0.04}, .material = 2},
              {.type = Type::sphere, .centre = {0.3, 0.2, 0.1}, .radius = 0.04, .material = 3}};
  if (flat)
    for (auto& body : p.bodies) body.centre.z = 0;
  physics::Source dipole;
  dipole.name = "dipole";
  dipole.position = {0.12, 0.12, flat ? 0 : 0.11};
  dipole.direction = flat ? Vec3{0, 0, 1} : Vec3{0.6, 0, 0.8};
  dipole.waveform = {physics::Waveform::Type::ramped_sine, 1.5e9, 1, 0};
  p.sources = {dipole};
  return p;
}

// Powers of materials, and the squares of the field in cells, are the same on any number of ranks.
TEST(GridPartition, NeverShowsInAbsorbedPowers) {
  const parallel::Communicator world(MPI_COMM_WORLD), self(MPI_COMM_SELF);
  for (const bool flat : {false, true}) {
    const GridProblem problem = lossy_bodies_problem(flat);
    const auto media = problem.media();
    const NodeBox box = power_box(problem.setup, problem.sources);
    std::vector<double> whole, of_material;  // on one rank
    std::array<int, 3> cells{};
    for (const auto* comm : {&self, &world}) {
      const auto solver = problem.make<double>(*comm);
      solver->start_dft({2 * pi * 1.5e9});
      for (int s = 0; s < 150; ++s) {
        solver->advance(1);
        solver->accumulate_dft(1e-2);
      }
      const grid::Block& block = solver->block();
      std::vector<std::size_t> all(std::size_t(block.cells[0]) * block.cells[1] * block.cells[2]);
      std::iota(all.begin(), all.end(), std::size_t{0});
      std::vector<std::uint16_t> materials;
      const grid::CartesianGrid& grid = problem.setup.grid;
      for (int k = 0; k < block.cells[2]; ++k)
        for (int j = 0; j < block.cells[1]; ++j)
          for (int i = 0; i < block.cells[0]; ++i)
            materials.push_back(static_cast<std::uint16_t>(
                media->material_at(grid.origin + 0.01 * Vec3{block.first[0] + i + 0.5, block.first[1] + j + 0.5,
                                                             block.first[2] + k + 0.5})));
      std::vector<double> squares(all.size(), -1);
      const auto absorbed = solver->absorbed(0, *media, box, {all, materials, squares});
      EXPECT_EQ(absorbed, solver->absorbed(0, *media, box));
      EXPECT_GT(comm->sum(solver->absorbed_bytes(2 * pi * 1.5e9)), 0);
      EXPECT_EQ(absorbed[0], 0);
      EXPECT_EQ(absorbed[3], 0);
      EXPECT_GT(absorbed[1], 0);
      EXPECT_GT(absorbed[2], 0);
      const double in_lossy_cells = comm->sum(std::accumulate(squares.begin(), squares.end(), 0.0));
      EXPECT_GT(in_lossy_cells, 0);
      if (comm == &self) {
        whole = squares, of_material = absorbed, cells = block.cells;
        continue;
      }
      for (std::size_t m = 0; m < absorbed.size(); ++m)
        EXPECT_NEAR(absorbed[m], of_material[m], 1e-12 * of_material[m]);
      std::size_t different = 0, at = 0;
      for (int k = 0; k < block.cells[2]; ++k)
        for (int j = 0; j < block.cells[1]; ++j)
          for (int i = 0; i < block.cells[0]; ++i)
            different += squares[at++] !=
                         whole[static_cast<std::size_t>(
                             ((block.first[2] + k) * cells[1] + block.first[1] + j) * cells[0] + block.first[0] + i)];
      EXPECT_EQ(different, 0u);
    }
  }
}

// Ranks side by side along x, along y, and along both.
TEST(GridPartition, NeverShowsInTheFieldsOfFlatGrids) {
  const parallel::Communicator world(MPI_COMM_WORLD), self(MPI_COMM_SELF);
  for (const GridProblem& problem : {flat_scattering_problem(150, 40), flat_scattering_problem(40, 150),
                                     flat_scattering_problem(70, 70), flat_walls_problem(), line_problem()}) {
    EXPECT_EQ(hash<float>(problem, world), hash<float>(problem, self));
    EXPECT_EQ(hash<double>(problem, world), hash<double>(problem, self));
  }
  EXPECT_NE(hash<double>(flat_walls_problem(), self), hash<double>(line_problem(), self));
}

// Each rank has few enough media, all together too many: they are rounded alike on any number of ranks.
TEST(GridPartition, NeverShowsInTheRoundingOfMedia) {
  const parallel::Communicator world(MPI_COMM_WORLD), self(MPI_COMM_SELF);
  const grid::Setup setup = many_media_setup();
  const Discretisation<float> alone(setup, ManyMedia(), 1e-11, 0, 1, nullptr, &self),
      part(setup, ManyMedia(), 1e-11, world.rank(), world.size(), nullptr, &world);
  EXPECT_LT(alone.rounding.bits, 13);
  EXPECT_EQ(alone.rounding.bits, part.rounding.bits);
  EXPECT_EQ(alone.rounding.media, part.rounding.media);
  const auto [nx, ny, nz] = part.block.cells;
  for (int k = 0; k < nz; k += 2)
    for (int j = 0; j < ny; j += 3)
      for (int i = 0; i < nx; ++i)
        ASSERT_EQ(part.electric_Cb(1, i, j, k),
                  alone.electric_Cb(1, i + int(part.block.first[0]), j + int(part.block.first[1]),
                                    k + int(part.block.first[2])));
}

TEST(GridPartition, NeverShowsInSamples) {
  expect_same_samples(walls_problem());
  expect_same_samples(bloch_problem());
}

// Boxes and planes, the latter in the middle of the grid, where blocks meet, and beside it.
void expect_same_monitors(const GridProblem& problem, const std::vector<double>& frequencies) {
  const parallel::Communicator world(MPI_COMM_WORLD), self(MPI_COMM_SELF);
  auto alone = problem.make<float>(self), together = problem.make<float>(world);
  std::vector<physics::Monitor> monitors(1);
  const grid::CartesianGrid& grid = alone->grid();
  Vec3 middle, length;
  for (int a = 0; a < 3; ++a)
    middle[a] = grid.nodes(a)[grid.cells(a) / 2], length[a] = 2 * (grid.nodes(a).back() - grid.nodes(a).front());
  monitors[0].centre = middle, monitors[0].size = length;
  for (int a = 0; a < 3; ++a)
    for (const int beside : {0, 1}) {
      physics::Monitor m;
      m.type = physics::Monitor::Type::plane;
      m.centre = middle, m.size = length;
      m.centre[a] = grid.nodes(a)[grid.cells(a) / 2 + beside], m.size[a] = 0;
      monitors.push_back(m);
    }
  monitors.push_back(monitors[0]);
  monitors.back().size = Vec3{0.2 * length.x, 0.5 * length.y, 0.2 * length.z};
  if (problem.setup.periodic()[1]) monitors.back().size.y = length.y;
  for (auto& m : monitors) {
    m.frequencies = frequencies;
    for (auto* solver : {alone.get(), together.get()}) solver->add_region(m);
  }
  problem.advance(*alone, 60, monitors), problem.advance(*together, 60, monitors);
  for (std::size_t m = 0; m < monitors.size(); ++m) {
    const auto whole = alone->samples(problem.region_of(m)).cells, part = together->samples(problem.region_of(m)).cells;
    EXPECT_EQ(part.whole.first, whole.mine.first);
    EXPECT_EQ(part.whole.last, whole.mine.last);
    std::array<std::int64_t, 3> cells, all;
    for (int a = 0; a < 3; ++a) {
      all[a] = std::max<std::int64_t>(1, whole.mine.last[a] - whole.mine.first[a]);
      cells[a] = part.empty ? 0 : std::max<std::int64_t>(1, part.mine.last[a] - part.mine.first[a]);
    }
    EXPECT_EQ(world.sum(double(cells[0] * cells[1] * cells[2])), double(all[0] * all[1] * all[2]));
    for (std::size_t f = 0; f < frequencies.size(); ++f) {
      const auto expected = cell_sums(*alone, problem.region_of(m), f),
                 mine = cell_sums(*together, problem.region_of(m), f);
      const auto different = [&](const std::vector<float>& a, const std::vector<float>& b) {
        std::size_t at = 0, count = 0;
        double size = 0;
        for (std::int64_t k = 0; k < cells[2]; ++k)
          for (std::int64_t j = 0; j < cells[1]; ++j)
            for (std::int64_t i = 0; i < cells[0]; ++i)
              for (int c = 0; c < 3; ++c) {
                const auto& x = part.mine.first;
                const auto& o = whole.mine.first;
                const auto n = static_cast<std::size_t>(
                    (((x[2] - o[2] + k) * all[1] + x[1] - o[1] + j) * all[0] + x[0] - o[0] + i) * 3 + c);
                count += b.at(at++) != a.at(n);
              }
        for (const float v : a) size += std::abs(double(v));
        EXPECT_GT(size, 0);
        EXPECT_EQ(at, b.size());
        return count;
      };
      EXPECT_EQ(different(expected.electric_real, mine.electric_real), 0u) << "monitor " << m;
      EXPECT_EQ(different(expected.electric_imag, mine.electric_imag), 0u) << "monitor " << m;
      EXPECT_EQ(different(expected.magnetic_real, mine.magnetic_real), 0u) << "monitor " << m;
      EXPECT_EQ(different(expected.magnetic_imag, mine.magnetic_imag), 0u) << "monitor " << m;
    }
  }
}

TEST(GridPartition, NeverShowsInMonitors) {
  expect_same_monitors(scattering_problem(), {4e14, 6e14});
  expect_same_monitors(walls_problem(), {1e9, 2e9});
  expect_same_monitors(bloch_problem(), {2e9});
}

// Records of ports are summed over ranks, and equal those of one rank up to rounding.
TEST(GridPartition, NeverShowsInPorts) {
  const parallel::Communicator world(MPI_COMM_WORLD), self(MPI_COMM_SELF);
  auto alone = ports_problem().make<double>(self), together = ports_problem().make<double>(world);
  for (auto* solver : {alone.get(), together.get()}) solver->advance(300);
  EXPECT_EQ(world.sum(together->fields_hash()), alone->fields_hash());
  expect_the_same_port_records(*alone, *together, 300);
  for (const std::size_t port : {0, 1})
    EXPECT_NEAR(together->cell_capacitance(port) / alone->cell_capacitance(port), 1, 1e-12);
}

TEST(GridPartition, EnergyIsTheSumOverRanks) {
  const parallel::Communicator world(MPI_COMM_WORLD), self(MPI_COMM_SELF);
  const auto energy = [&](const parallel::Communicator& comm) {
    auto solver = walls_problem().make<double>(comm);
    for (int s = 0; s < 40; ++s) {
      if (s == 39) (void)solver->energy();
      solver->advance(1);
    }
    return comm.sum(solver->energy());
  };
  const double alone = energy(self);
  EXPECT_GT(alone, 0);
  EXPECT_NEAR(energy(world) / alone, 1, 1e-12);
}

}  // namespace
}  // namespace dgtd::fdtd
