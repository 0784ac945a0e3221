// A plane wave in a total field: where it ends, its work, and that nothing else is changed.
#include <gtest/gtest.h>

#include "dgtd/base/error.hpp"
#include "dgtd/dg/launched_field.hpp"
#include "dgtd/dg/level_time_step.hpp"
#include "dgtd/dg/time_step.hpp"
#include "random_levels.hpp"
#include "support/built_orders.hpp"
#include "support/error_message.hpp"
#include "total_field_problem.hpp"

namespace dgtd::dg::test {
namespace {

constexpr auto pec = physics::BoundaryKind::pec, pmc = physics::BoundaryKind::pmc,
               absorbing = physics::BoundaryKind::silver_muller;
const std::vector<physics::BoundaryKind> closed{pec, pec, pmc, pec, pec, pmc},
    open{absorbing, absorbing, pec, pmc, pec, pec};

class TotalFieldBox : public testing::TestWithParam<int> {
 protected:
  int order() const { return GetParam(); }
  /// A stable step with levels, s.
  double step_with(const Problem& problem, const TimeLevels& levels) const {
    Discretisation<double> d(problem.mesh, problem.material, problem.boundary_kind, order(), false, cpu_field_lanes,
                             levels);
    const auto executor = make_cpu_executor(d, KernelFusion::fused, self_);
    if (levels.finest == 0) return 0.9 * stability_limit(d, *executor, self_).time_step;
    LevelTimeStep<double> step(d, *executor, self_);
    double dt = step.time_step(0.955);
    while (step.bounds(dt).largest() > 0.985) dt *= 0.9;
    return dt;
  }
  const parallel::Communicator self_{MPI_COMM_SELF};
};

/// dt E' M_sigma E', E' the mean of E before and after a step, J.
double conduction_loss(const DgSolver<double>& solver, const std::vector<double>& before) {
  const auto& d = solver.discretisation();
  Field<double> mean(before.size(), solver.executor().memory());
  for (std::size_t i = 0; i < before.size(); ++i)
    mean.host_for_writing()[i] = 0.5 * (before[i] + solver.electric().host()[i]);
  const auto square = solver.executor().element_products(mean, mean);
  double loss = 0;
  for (std::size_t slot = 0; slot < square.size(); ++slot)
    loss += d.material[d.group_of_slot[slot]].conductivity * square[slot] * solver.time_step();
  return loss;
}

// W^{n+1} - W^n = dt (E' . b_E + H' . b_H) - dt J . E' - dt E' M_sigma E': the waves, the dipole, conduction. W has what
// the poles store.
TEST_P(TotalFieldBox, EnergyChangesByTheWorkOfTheWave) {
  const Problem problem = with_sheets(total_field_box(closed, self_));
  for (const int finest : {0, 2}) {
    const TimeLevels levels = finest == 0 ? TimeLevels{} : random_levels(problem.mesh, closed, finest, 3);
    auto solver = make_solver<double>(problem, order(), step_with(problem, levels), self_, KernelFusion::fused, levels);
    double energy = solver.energy(), work = 0, largest = 0, lost = 0, defect = 0;
    EXPECT_EQ(energy, 0);
    std::vector<double> before(solver.electric().size());
    for (int i = 0; i < 300; ++i) {
      std::copy_n(std::as_const(solver).electric().host(), before.size(), before.begin());
      solver.advance(1);
      const double loss = conduction_loss(solver, before), next = solver.energy();
      largest = std::max(largest, next);
      defect = std::max(defect, std::abs(next - energy - (solver.source_work() - work) + loss));
      energy = next, work = solver.source_work(), lost += loss;
    }
    EXPECT_LT(defect, 1e-13 * largest) << "of a step, " << finest;
    EXPECT_NEAR(energy + lost, work, 1e-12 * largest) << finest;
    EXPECT_GT(lost, 0.01 * largest);
    EXPECT_GT(largest, 1e-16);
    EXPECT_LT(largest, 1.01 * solver.work().gross);
  }
}

// Kernels know nothing of the wave.
TEST_P(TotalFieldBox, SplitKernelsDoTheSame) {
  const Problem problem = with_sheets(total_field_box(open, self_));
  const double dt = step_with(problem, {});
  auto fused = make_solver<double>(problem, order(), dt, self_),
       split = make_solver<double>(problem, order(), dt, self_, KernelFusion::split);
  fused.advance(60), split.advance(60);
  EXPECT_EQ(fused.fields_hash(), split.fields_hash());
  EXPECT_EQ(fused.source_work(), split.source_work());
}

TEST_P(TotalFieldBox, WithoutElementsIsARunWithoutTheWave) {
  Problem problem = total_field_box(open, self_), none = problem;
  none.sources.pop_back();
  problem.sources[1].box_min = Vec3{0.30001, 0.30001, 0.30001}, problem.sources[1].box_max = Vec3{0.301, 0.301, 0.301};
  const double dt = step_with(problem, {});
  auto empty = make_solver<float>(problem, order(), dt, self_), without = make_solver<float>(none, order(), dt, self_);
  empty.advance(60), without.advance(60);
  EXPECT_EQ(empty.fields_hash(), without.fields_hash());
  EXPECT_EQ(empty.source_work(), without.source_work());
  EXPECT_NE(empty.source_work(), 0);
}

// In a region without anything else the wave is what it is in space, and outside nothing.
TEST_P(TotalFieldBox, HasTheWaveInsideAndNothingOutside) {
  Problem problem = total_field_box(std::vector(6, absorbing), self_);
  problem.mesh = mesh::make_box({7, 7, 7}, {0.7, 0.7, 0.7}, self_);
  problem.sources.erase(problem.sources.begin());
  physics::Source& wave = problem.sources[0];
  wave.position = {0.2, 0.2, 0.2};
  wave.box_min = Vec3{0.2, 0.2, 0.2}, wave.box_max = Vec3{0.5, 0.5, 0.5};
  wave.waveform = {physics::Waveform::Type::modulated_gaussian, 2.5e8, 2, 3e8};
  auto solver = make_solver<double>(problem, order(), step_with(problem, {}), self_);
  const auto peak = [&] { return 5 * physics::shape_of(wave.waveform).spread + 0.2 / wave.waveform.frequency; };
  while (solver.clock().electric_time() < peak()) solver.advance(1);
  const double speed = speed_of_light / std::sqrt(1.5 * 1.2);
  const auto field = [&](const Vec3& x) {
    return 2 *
           physics::waveform(wave.waveform,
                             solver.clock().electric_time() - dot(wave.direction, x - wave.position) / speed) *
           wave.polarisation;
  };
  const auto& d = solver.discretisation();
  double error = 0, square = 0, outside = 0, volume_in = 0, volume_out = 0;
  const SourceSurface surface = total_field_surface(d, wave, self_);
  for (std::size_t e = 0; e < d.mesh.elements(); ++e) {
    const ElementGeometry element(d.mesh, e);
    const auto u = coefficients_of(d, std::as_const(solver).electric(), e);
    const auto basis = bernstein_values(order(), {0.25, 0.25, 0.25, 0.25});
    double components[3] = {};
    for (int k = 0; k < 3; ++k)
      for (std::size_t j = 0; j < basis.size(); ++j) components[k] += basis[j] * u[k * basis.size() + j];
    const Vec3 computed = element.cartesian(components[0], components[1], components[2]),
               exact = field(element.centre());
    const double volume = element.volume();
    if (surface.in_total[e]) {
      error += volume * dot(computed - exact, computed - exact), square += volume * dot(exact, exact);
      volume_in += volume;
    } else {
      outside += volume * dot(computed, computed), volume_out += volume;
    }
  }
  const double bound = order() == 1 ? 0.1 : 0.02;
  EXPECT_LT(std::sqrt(error / square), bound);
  EXPECT_LT(std::sqrt(outside / volume_out / (square / volume_in)), bound);
}

INSTANTIATE_TEST_SUITE_P(Order, TotalFieldBox, testing::ValuesIn(built_orders({1, 2, 3})));

class TotalFieldSurfaces : public testing::Test {
 protected:
  std::string refusal(const Problem& problem) const {
    const Discretisation<float> d(problem.mesh, problem.material, problem.boundary_kind, 1, false, cpu_field_lanes);
    return message([&] { (void)total_field_surface(d, problem.sources[1], self_); });
  }
  const parallel::Communicator self_{MPI_COMM_SELF};
};

TEST_F(TotalFieldSurfaces, AreTheFacesOfABoxOfCubes) {
  const Problem problem = total_field_box(open, self_);
  const Discretisation<float> d(problem.mesh, problem.material, problem.boundary_kind, 1, false, cpu_field_lanes);
  const auto surface = total_field_surface(d, problem.sources[1], self_);
  EXPECT_EQ(surface.elements, 27 * 6);
  EXPECT_EQ(surface.faces, 6 * 9 * 2);
  EXPECT_EQ(surface.sides.size(), 2 * 108u);
  EXPECT_EQ(surface.medium_name, "air");
}

TEST_F(TotalFieldSurfaces, AreInsideOfOneLosslessMaterial) {
  const std::string begin = "case.cfg:7: source.w: the faces between box_min and box_max and their outside touch ";
  Problem problem = total_field_box(open, self_);
  EXPECT_EQ(refusal(problem), "no error");
  const auto refused = [&](const Vec3& low, const Vec3& high) {
    problem.sources[1].box_min = low, problem.sources[1].box_max = high;
    return refusal(problem);
  };
  EXPECT_EQ(refused({0.1, 0.1, 0.1}, {0.5, 0.4, 0.4}),
            begin +
                "'tissue', which has sigma = 0.05 S/m; they must be inside of one lossless material, a layer of its "
                "elements away from others");
  EXPECT_EQ(refused({0.2, 0.2, 0.2}, {0.3, 0.4, 0.4}),
            begin +
                "'crystal', which has poles; they must be inside of one lossless material, a layer of its elements "
                "away from others");
  problem.material[2].poles.clear();
  EXPECT_EQ(refused({0.2, 0.2, 0.2}, {0.3, 0.4, 0.4}),
            begin +
                "'air' and 'crystal', which differ; they must be inside of one lossless material, a layer of its "
                "elements away from others");
}

TEST_F(TotalFieldSurfaces, KeepALayerOfElementsFromTheAbsorbingBoundary) {
  Problem problem = total_field_box(open, self_);
  problem.sources[1].box_min = Vec3{0, 0.1, 0.1};
  const std::string text = refusal(problem);
  EXPECT_TRUE(
      text.starts_with("case.cfg:7: source.w: box_min and box_max reach the elements of the absorbing boundary, "
                       "near 0.0"))
      << text;
  EXPECT_TRUE(text.ends_with(" m; at least one layer of elements must be between")) << text;
  problem.boundary_kind[0] = pec;  // a wall may be inside of the total field
  EXPECT_EQ(refusal(problem), "no error");
}

class SheetSurfaces : public TotalFieldSurfaces {
 protected:
  /// The surface of a sheet across z.
  SourceSurface surface_of(const Problem& problem, const Vec3& centre, const Vec3& size) const {
    const Discretisation<float> d(problem.mesh, problem.material, problem.boundary_kind, 1, false, cpu_field_lanes);
    physics::Source sheet = with_sheets(problem).sources[2];
    sheet.centre = centre, sheet.size = size;
    return make_launch(d, sheet, self_).surface;
  }
};

TEST_F(SheetSurfaces, AreTheFacesInThePlane) {
  const Problem problem = total_field_box(open, self_);
  const SourceSurface surface = surface_of(problem, {0.25, 0.25, 0.4}, {0.3, 0.3, 0});
  EXPECT_EQ(surface.faces, 2 * 9);
  EXPECT_EQ(surface.sides.size(), 2 * 18u);
  EXPECT_NEAR(surface.off_plane, 0, 1e-12);
  for (const auto& side : surface.sides)
    EXPECT_EQ(side.ahead, ElementGeometry(problem.mesh, side.element).centre().z < 0.4);
  EXPECT_EQ(surface_of(problem, {0.25, 0.25, 0.4}, {0.1, 9, 0}).faces, 2 * 5);  // from wall to wall
  EXPECT_EQ(surface_of(problem, {0.25, 0.25, 0.7}, {0.3, 0.3, 0}).faces, 0);
  EXPECT_NEAR(surface_of(problem, {0.25, 0.25, 0.44}, {0.3, 0.3, 0}).off_plane, 0.06, 0.03);
}

TEST_F(SheetSurfaces, AreInLosslessMaterialsAwayFromAbsorbingFaces) {
  const Problem problem = total_field_box(open, self_);
  const auto refused = [&](const Vec3& centre, const Vec3& size) {
    return message([&] { (void)surface_of(problem, centre, size); });
  };
  EXPECT_EQ(refused({0.45, 0.25, 0.4}, {0.3, 0.3, 0}),
            "case.cfg:8: source.s: the faces at its plane touch 'tissue', which has sigma = 0.05 S/m; waves are launched "
            "in one lossless material");
  const std::string text = refused({0.25, 0.25, 0.4}, {9, 0.3, 0});
  EXPECT_TRUE(text.starts_with("case.cfg:8: source.s: the faces at its plane touch 'tissue'")) << text;
  const std::string reaches = refused({0.2, 0.25, 0.4}, {0.5, 0.3, 0});
  EXPECT_TRUE(reaches.starts_with(
      "case.cfg:8: source.s: its plane reaches the elements of the absorbing boundary, near 0.0"))
      << reaches;
  EXPECT_TRUE(reaches.ends_with("it must end an element before them")) << reaches;
}

}  // namespace
}  // namespace dgtd::dg::test
