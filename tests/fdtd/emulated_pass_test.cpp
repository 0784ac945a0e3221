// The kernels of passes over a volume grid, all of them, on an emulated device, against half step after half step on
// the CPU: the same bits (fdtd_cuda_test compares them on a device).
#include <gtest/gtest.h>

#include "dgtd/base/sanitized.hpp"
#include "fdtd/emulated_volume_pass.hpp"
#include "fdtd/pass_problems.hpp"
#include "fdtd/port_records.hpp"

namespace dgtd::fdtd {
namespace {

template <class Stored>
std::unique_ptr<FdtdSolver<Stored>> make(const GridProblem& p, const parallel::Communicator& comm) {
  auto d = std::make_unique<Discretisation<float>>(p.setup, *p.media(), p.time_step(), comm.rank(), comm.size(),
                                                   nullptr, &comm);
  auto engine = std::make_unique<EngineOn<Stored, EmulatingBackend>>(
      *d, KernelFusion::fused, std::make_unique<EmulatingBackend>(d->layout, comm, std::nullopt));
  return std::make_unique<FdtdSolver<Stored>>(p.setup, std::move(d), std::move(engine), p.sources, comm, nullptr,
                                              p.ports);
}

// Single precision: half steps, and energies, as on a CPU; half precision: half steps compute in it once there are
// passes.
template <class Stored>
void compare_stored(const GridProblem& p, const std::vector<std::int64_t>& stretches) {
  SCOPED_TRACE(is_compressed<Stored> ? "half" : "single");
  const parallel::Communicator self(MPI_COMM_SELF);
  auto half_steps = is_compressed<Stored> ? make<Stored>(p, self) : p.make<Stored>(self);
  auto passes = make<Stored>(p, self);
  const std::string why_not = passes->start_volume_passes();
  if (is_compressed<Stored> && why_not.find("a medium that takes less than") != std::string::npos) return;
  ASSERT_EQ(why_not, "");
  if (is_compressed<Stored>) { ASSERT_EQ(half_steps->start_volume_passes(), ""); }
  for (const std::int64_t steps : stretches) {
    for (std::int64_t s = 0; s < steps; ++s) half_steps->advance(1);
    passes->advance(steps);
    ASSERT_EQ(half_steps->fields_hash(), passes->fields_hash()) << half_steps->steps_done();
    EXPECT_EQ(half_steps->energy(), passes->energy());
    EXPECT_EQ(half_steps->source_work(), passes->source_work());
    expect_equal_ports(*half_steps, *passes, p.ports.size());
  }
  EXPECT_GT(passes->energy(), 0);
  for (std::size_t port = 0; port < p.ports.size(); ++port) EXPECT_NE(passes->port_record(port).current.back(), 0);
}

void compare(const GridProblem& problem, const std::vector<std::int64_t>& all_stretches) {
  // The sanitizer makes fibers slow.
  const std::vector<std::int64_t> stretches = sanitized ? std::vector<std::int64_t>{4} : all_stretches;
  compare_stored<float>(problem, stretches);
  if (testing::Test::HasFatalFailure()) return;
  GridProblem without_weak_losses = problem;  // of components with a little of a lossy medium
  without_weak_losses.averaging = false;
  compare_stored<Half>(without_weak_losses, stretches);
}

TEST(EmulatedPasses, VacuumBetweenWalls) { compare(box(70, 49, 15, Kind::pec), {4, 3, 8}); }

// In tiles with the dipole and in others.
TEST(EmulatedPasses, LayersAlongEachAxis) {
  for (int axes = 1; axes < 8; axes += sanitized ? 3 : 1) {
    GridProblem p = box(118, 52, 18, Kind::pec, 4);
    p.sources[0].position.x = 0.2;
    for (int a = 0; a < 3; ++a)
      if (axes >> a & 1) p.setup.sides[2 * a] = p.setup.sides[2 * a + 1] = Kind::cpml;
    SCOPED_TRACE(axes);
    compare(p, {4, 1, 4});
  }
}

// A sphere, and a slab that fills all cells of a warp.
TEST(EmulatedPasses, BodiesInLayersAlongOneAxis) {
  for (const std::size_t axis : {0, 1, 2}) {
    GridProblem p = box(118, 52, 18, Kind::pec, 4);
    p.sources[0].position.x = 0.2;
    p.setup.sides[2 * axis] = p.setup.sides[2 * axis + 1] = Kind::cpml;
    p.setup.materials = {physics::Medium{}, physics::Medium{4, 1, 0.05, 0, {}}};
    p.bodies = {{.type = grid::Shape::Type::sphere, .centre = {1.0, 0.2, 0.05}, .radius = 0.3, .material = 1},
                {.type = grid::Shape::Type::box, .centre = {0.6, 0.2, 0.12}, .size = {2, 2, 0.04}, .material = 1}};
    p.averaging = false;
    SCOPED_TRACE(axis);
    compare(p, {4, 4});
  }
}

// Between layers along z, layers and the design are in planes of their own.
TEST(EmulatedPasses, FreeFormDesignApartFromLayers) {
  for (const auto& [along_xy, along_z] :
       {std::pair(Kind::adiabatic, Kind::cpml), std::pair(Kind::pec, Kind::cpml), std::pair(Kind::pec, Kind::pec)}) {
    GridProblem p = box(118, 44, 40, along_xy, 8);
    p.setup.sides[4] = p.setup.sides[5] = along_z;
    p.setup.adiabatic.fill({0.1, 2, 1e-2});
    grid::PermittivityArray design;
    design.low = {0, 0, 0.17}, design.spacing = {0.01, 0.01, 0.01}, design.size = {118, 44, 3};
    for (int n = 0; n < 118 * 44 * 3; ++n) design.values.push_back(2 + 0.001f * static_cast<float>(n % 5000));
    p.arrays = {design};
    p.averaging = false;
    p.sources[0].position = {0.2, 0.22, 0.3};  // apart from the design
    SCOPED_TRACE(int(along_xy) * 16 + int(along_z));
    compare(p, {8});
  }
}

// Lumped ports in tiles with and without layers and dampers, with edges that several tiles compute, and records that
// are taken between passes and half steps. The dipole's work counts E after the port at its components.
TEST(EmulatedPasses, Ports) {
  for (const Kind sides : {Kind::pec, Kind::cpml, Kind::adiabatic}) {
    GridProblem p = box_with_ports(sides);
    p.setup.adiabatic.fill({0.1, 2, 1e-2});
    SCOPED_TRACE(int(sides));
    compare_stored<float>(p, sanitized ? std::vector<std::int64_t>{4} : std::vector<std::int64_t>{4, 3, 12, 1, 8});
  }
}

// In a design with Cb per component, and in layers.
TEST(EmulatedPasses, PortsInAFreeFormDesign) {
  GridProblem p = box_with_ports(Kind::adiabatic);
  p.setup.adiabatic.fill({0.1, 2, 1e-2});
  p.setup.sides[4] = p.setup.sides[5] = Kind::cpml;
  grid::PermittivityArray design;
  design.low = {0, 0, 0.08}, design.spacing = {0.01, 0.01, 0.01}, design.size = {80, 52, 3};
  for (int n = 0; n < 80 * 52 * 3; ++n) design.values.push_back(2 + 0.001f * static_cast<float>(n % 5000));
  p.arrays = {design};
  p.averaging = false;
  compare_stored<float>(p, {4, 1, 20});
}

TEST(EmulatedPasses, MoreMediaThanATileKeeps) { compare(problem_of_many_classes(), {4, 4}); }

void compare_random(GridProblem (*draw)(std::mt19937&, int, int), unsigned seed, int problems) {
  std::mt19937 random(seed);
  for (int n = 0; n < (sanitized ? 1 : problems); ++n) {
    SCOPED_TRACE(n);
    compare(draw(random, 14, 24), {5, 1, 8});
    if (testing::Test::HasFatalFailure()) return;
  }
}
TEST(EmulatedPasses, RandomProblems) { compare_random(random_pass_problem, 5, 4); }
TEST(EmulatedPasses, FreeFormProblems) { compare_random(random_free_form_problem, 7, 4); }

}  // namespace
}  // namespace dgtd::fdtd
