// Elements with orders of their own: the parts of a mesh, and the solver of all of them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "bent_mesh.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/mesh/load.hpp"
#include "dgtd/physics/cavity_mode.hpp"
#include "mixed_problem.hpp"

namespace dgtd::dg::test {
namespace {

constexpr auto pec = physics::BoundaryKind::pec, pmc = physics::BoundaryKind::pmc,
               absorbing = physics::BoundaryKind::silver_muller;

std::vector<int> uniform_orders(const mesh::Subdomain& mesh, int order) {
  return std::vector<int>(mesh.elements(), order);
}

Problem closed_box_of(double conductivity) {
  return {tiny_mesh({2, 2, 2}, 3, 7),
          {{2.5, 1.0, 0.0}, {1.3, 1.7, conductivity}, {4.0, 1.2, 0.0}},
          {pec, pec, pmc, pec, pec, pmc},
          {}};
}

class MixedOrders : public testing::Test {
 protected:
  double step(const Problem& problem, const std::vector<int>& orders) const {
    return 0.95 * discretise_mixed<double>(problem, orders, self_).stability_limit(self_).time_step;
  }
  const parallel::Communicator self_{MPI_COMM_SELF};
};

// Elements of each part, and the two sides of each joint, are those of the mesh.
TEST_F(MixedOrders, PartsHaveTheFacesOfTheMesh) {
  const mesh::Subdomain mesh = tiny_mesh({2, 2, 2}, 3, 7);
  const std::vector<int> orders = mixed_orders(mesh);
  const OrderParts parts = parts_by_order(mesh, orders, self_);
  std::size_t elements = 0, mixed_faces = 0;
  for (const OrderPart& part : parts.parts) {
    elements += part.elements.size();
    for (std::size_t e = 0; e < part.elements.size(); ++e) {
      EXPECT_EQ(part.mesh.element_id[e], mesh.element_id[part.elements[e]]);
      EXPECT_EQ(orders[part.elements[e]], part.order);
      for (int v = 0; v < 4; ++v)
        EXPECT_EQ(part.mesh.vertex_id[part.mesh.element_vertices[e][static_cast<std::size_t>(v)]],
                  mesh.vertex_id[mesh.element_vertices[part.elements[e]][static_cast<std::size_t>(v)]]);
    }
  }
  EXPECT_EQ(elements, mesh.elements());
  for (std::size_t e = 0; e < mesh.elements(); ++e)
    for (const mesh::FaceLink& link : mesh.element_faces[e])
      mixed_faces += link.kind == mesh::FaceLink::Kind::element && orders[link.index] > orders[e];
  EXPECT_GT(mixed_faces, 10u);
  EXPECT_EQ(parts.joints.size(), mixed_faces);
  EXPECT_TRUE(parts.remote.empty());
  for (const Joint& joint : parts.joints) {
    const auto corners = [&](const JointSide& side) {
      const mesh::Subdomain& part = parts.parts[side.part].mesh;
      const mesh::HaloFace& at = part.halo_faces[side.halo_face];
      std::array<std::int64_t, 3> ids{};
      for (std::size_t i = 0; i < 3; ++i)
        ids[i] = part.vertex_id[part.element_vertices[at.element][static_cast<std::size_t>(face_vertices[at.face][i])]];
      return ids;
    };
    EXPECT_EQ(corners(joint.low), corners(joint.high));
    EXPECT_LT(parts.parts[joint.low.part].order, parts.parts[joint.high.part].order);
  }
}

// With one order the parts are one, and fields have the bits of the solver of one order.
TEST_F(MixedOrders, OfOneOrderAreThoseOfItsSolver) {
  const Problem problem = closed_box_of(0.02);
  const double dt = brisk_time_step(2);
  auto mixed = mixed_solver<double>(problem, uniform_orders(problem.mesh, 2), dt, self_);
  auto plain = make_solver<double>(problem, 2, dt, self_);
  mixed.randomise_fields(), plain.randomise_fields();
  mixed.advance(20), plain.advance(20);
  EXPECT_EQ(mixed.fields_hash(), plain.fields_hash());
  EXPECT_EQ(discretise_mixed<double>(problem, uniform_orders(problem.mesh, 2), self_).stability_limit(self_).time_step,
            stability_limit(plain.discretisation(), plain.executor(), self_).time_step);
}

// Fields of degree one are continuous across all faces whatever the orders, so a step is exact in elements without a
// boundary face: dE = dt / eps curl H, dH = -dt / mu curl E.
TEST_F(MixedOrders, StepLinearFieldsExactly) {
  Problem problem = closed_box_of(0);
  problem.mesh = tiny_mesh({4, 4, 4}, 3, 5);
  for (auto& m : problem.material) m = {2.5, 1.5, 0};
  const double dt = 1e-10;
  auto solver = mixed_solver<double>(problem, mixed_orders(problem.mesh), dt, self_);
  const auto electric = [](const Vec3& x) { return Vec3{x.y - 2 * x.z, 3 * x.z + x.x, 0.5 * x.x - x.y}; };
  const auto magnetic = [](const Vec3& x) { return 2.6e-3 * Vec3{2 * x.y + x.z, -x.z, x.x + 4 * x.y}; };
  const Vec3 curl_e{-1 - 3, -2 - 0.5, 1 - 1}, curl_h = 2.6e-3 * Vec3{4 + 1, 1 - 1, -2};
  solver.set_fields(electric, magnetic);
  solver.advance(1);
  const Vec3 magnetic_change = (-dt / (1.5 * vacuum_permeability)) * curl_e,
             electric_change = (dt / (2.5 * vacuum_permittivity)) * curl_h;
  const std::vector<std::array<double, 4>> points{{0.1, 0.2, 0.3, 0.4}, {0.7, 0.1, 0.1, 0.1}};
  int checked = 0;
  for (std::uint32_t e = 0; e < problem.mesh.elements(); ++e) {
    const auto is_inner = [&](std::size_t element) {
      return std::all_of(problem.mesh.element_faces[element].begin(), problem.mesh.element_faces[element].end(),
                         [](const auto& link) { return link.kind == mesh::FaceLink::Kind::element; });
    };
    bool inner = is_inner(e);
    for (const auto& link : problem.mesh.element_faces[e]) inner = inner && is_inner(link.index);
    const ElementGeometry geometry(problem.mesh, e);
    const auto expect = [&](solver::Quantity::Field field, const auto& before, const Vec3& change, double scale) {
      double values[6];
      solver.sample({field}, points, std::span(&e, 1), values);
      for (std::size_t q = 0; q < points.size(); ++q) {
        const Vec3 expected = before(geometry.point(points[q])) + change;
        for (int k = 0; k < 3; ++k)
          EXPECT_NEAR(values[3 * q + static_cast<std::size_t>(k)], expected[k], 1e-12 * scale);
      }
    };
    if (is_inner(e)) expect(solver::Quantity::Field::magnetic, magnetic, magnetic_change, 1e-2);
    if (!inner) continue;
    ++checked;  // E reads H of the neighbours, which must be exact as well
    expect(solver::Quantity::Field::electric, electric, electric_change, 1);
  }
  EXPECT_GT(checked, 0);
}

// The half steps of E and H are transposed to each other across faces between orders as well.
TEST_F(MixedOrders, ConserveEnergyInAClosedBox) {
  const Problem problem = closed_box_of(0);
  const std::vector<int> orders = mixed_orders(problem.mesh);
  auto solver = mixed_solver<double>(problem, orders, step(problem, orders), self_);
  solver.randomise_fields();
  const double first = solver.energy();
  EXPECT_GT(first, 0);
  for (int i = 0; i < 100; ++i) {
    solver.advance(100);
    ASSERT_NEAR(solver.energy(), first, 1e-12 * first) << "after " << 100 * (i + 1) << " steps";
  }
}

// W^{n+1} - W^n = -dt (E^n + E^{n+1})/2 M_sigma (E^n + E^{n+1})/2 < 0
TEST_F(MixedOrders, LoseEnergyWithConduction) {
  const Problem problem = closed_box_of(0.02);
  const std::vector<int> orders = mixed_orders(problem.mesh);
  auto solver = mixed_solver<double>(problem, orders, step(problem, orders), self_);
  solver.randomise_fields();
  double last = solver.energy();
  for (int i = 0; i < 200; ++i) {
    solver.advance(1);
    const double now = solver.energy();
    ASSERT_LT(now, last) << "after " << i + 1 << " steps";
    last = now;
  }
}

TEST_F(MixedOrders, LoseEnergyThroughAbsorbingFaces) {
  Problem problem = closed_box_of(0);
  problem.boundary_kind = {absorbing, absorbing, pmc, pec, absorbing, absorbing};
  const std::vector<int> orders = mixed_orders(problem.mesh);
  auto solver = mixed_solver<double>(problem, orders, step(problem, orders), self_);
  solver.randomise_fields();
  const double first = solver.energy();
  double last = first;
  for (int i = 0; i < 10; ++i) {
    solver.advance(200);
    const double now = solver.energy();
    EXPECT_LT(now, last);
    last = now;
  }
  EXPECT_LT(last, 0.5 * first);
  EXPECT_GT(last, 0);
}

// Currents of poles and curved elements are matters of single elements.
TEST_F(MixedOrders, ConserveEnergyWithPolesAndCurvedElements) {
  Problem problem = closed_box_of(0);
  bend(problem, 0.05);
  problem.curved = mesh::CurvedElements::full;
  problem.material[1].poles = {{physics::Pole::Type::drude, 2e9, 0, 0, 0}};
  const std::vector<int> orders = mixed_orders(problem.mesh);
  auto solver = mixed_solver<double>(problem, orders, 0.8 * step(problem, orders), self_);
  solver.randomise_fields();
  const double first = solver.energy();
  solver.advance(1000);
  EXPECT_NEAR(solver.energy(), first, 1e-12 * first);
}

// Mode (1, 1, 0) of a cube whose halves have orders 1 and 2: errors of E and of H after five eighths of a period.
std::array<double, 2> cavity_errors(std::int64_t cells, const std::function<int(const Vec3&)>& order_at,
                                    const parallel::Communicator& comm) {
  const Problem cube{mesh::make_box({cells, cells, cells}, {1, 1, 1}, comm),
                     {{1, 1, 0}},
                     std::vector<physics::BoundaryKind>(6, pec),
                     {}};
  std::vector<int> orders;
  for (std::size_t e = 0; e < cube.mesh.elements(); ++e)
    orders.push_back(order_at(ElementGeometry(cube.mesh, e).centre()));
  const physics::CavityMode mode;
  const double end = 0.625 * 2 * pi / mode.angular_frequency();
  auto d = discretise_mixed<double>(cube, orders, comm);
  const double longest = std::min(0.9 * d.stability_limit(comm).time_step, end / 150);  // time errors below 1e-3
  const auto steps = static_cast<std::int64_t>(std::ceil(end / longest));
  const double dt = end / static_cast<double>(steps);
  MixedSolver<double> solver(std::move(d), dt, {}, cube.mesh.volume_names, comm);
  solver.set_fields([&](const Vec3& x) { return mode.electric(x, 0); },
                    [&](const Vec3& x) { return mode.magnetic(x, -0.5 * dt); });
  solver.advance(steps);
  const auto e = solver.squared_errors([&](const Vec3& x) { return mode.electric(x, end); },
                                       [&](const Vec3& x) { return mode.magnetic(x, end - 0.5 * dt); });
  return {std::sqrt(e[0] / e[1]), std::sqrt(e[2] / e[3])};
}

TEST_F(MixedOrders, OfACavityHaveErrorsBetweenThoseOfOneOrder) {
  const auto uniform = [](int order) { return [order](const Vec3&) { return order; }; };
  const auto halves = [](const Vec3& x) { return x.x < 0.5 ? 1 : 2; };
  const auto low = cavity_errors(4, uniform(1), self_), high = cavity_errors(4, uniform(2), self_),
             mixed = cavity_errors(4, halves, self_), finer = cavity_errors(8, halves, self_);
  for (const std::size_t f : {0, 1}) {
    EXPECT_LT(mixed[f], low[f]);
    EXPECT_GT(mixed[f], high[f]);
    EXPECT_GT(std::log2(mixed[f] / finer[f]), 1 - 0.2) << "the order of degree 1 at least";
  }
  RecordProperty("errors", fmt::format("P1 {:.2e} {:.2e}, P2 {:.2e} {:.2e}, halves {:.2e} {:.2e}, finer {:.2e} {:.2e}",
                                       low[0], low[1], high[0], high[1], mixed[0], mixed[1], finer[0], finer[1]));
}

// A dipole radiates into elements of another order: the work of its current is the change of the energy.
TEST_F(MixedOrders, TakeTheWorkOfADipole) {
  Problem problem{
      mesh::make_box({6, 4, 4}, {1.5, 1, 1}, self_), {{1, 1, 0}}, std::vector<physics::BoundaryKind>(6, pec), {}};
  std::vector<int> orders;
  for (std::size_t e = 0; e < problem.mesh.elements(); ++e)
    orders.push_back(ElementGeometry(problem.mesh, e).centre().x < 1 ? 2 : 1);
  physics::Source dipole;
  dipole.type = physics::Source::Type::dipole;
  dipole.name = "feed";
  dipole.position = {0.5, 0.45, 0.55};
  dipole.direction = {0, 0.6, 0.8};
  dipole.moment = 1e-2;
  dipole.radius = 0.3;
  dipole.waveform = {physics::Waveform::Type::sine, 0.4e9, 0, 0};
  problem.sources = {dipole};
  auto solver = mixed_solver<double>(problem, orders, step(problem, orders), self_);
  solver.advance(400);
  EXPECT_GT(solver.energy(), 0);
  EXPECT_NEAR(solver.energy(), solver.work().done, 1e-10 * solver.work().gross);
  problem.sources[0].radius = 0.6;
  try {
    mixed_solver<double>(problem, orders, 1e-12, self_);
    FAIL() << "a dipole across orders";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("[source.feed]: the dipole's current has a radius of 0.6 m and reaches into "
                                         "elements of another order, which are 0.5 m away"),
              std::string::npos)
        << e.what();
  }
}

// Fourier sums in elements of all parts: one sample is the field times weight cos(w t), E and H each at its time.
TEST_F(MixedOrders, HaveSumsOfTheirElements) {
  const Problem problem = closed_box_of(0);
  const std::vector<int> orders = mixed_orders(problem.mesh);
  auto solver = mixed_solver<double>(problem, orders, step(problem, orders), self_);
  solver.randomise_fields();
  solver.advance(3);
  std::vector<std::uint32_t> elements;
  for (const std::uint32_t e : solver.stored_order())
    if (e % 3 != 0) elements.push_back(e);
  constexpr double frequency = 3e8, weight = 2e-10;
  const std::size_t sums = solver.add_sums(elements, {frequency});
  solver.accumulate_sums(sums, weight);
  const std::vector<std::array<double, 4>> points{{0.1, 0.2, 0.3, 0.4}, {0.6, 0.2, 0.1, 0.1}};
  using Quantity = solver::Quantity;
  for (const auto field : {Quantity::Field::electric, Quantity::Field::magnetic}) {
    std::vector<double> now(3 * points.size() * elements.size()), sum(now.size());
    solver.sample({field}, points, elements, now.data());
    solver.sample_sums(sums, {field, Quantity::Part::real, 0}, points, sum.data());
    const double time =
        field == Quantity::Field::electric ? solver.clock().electric_time() : solver.clock().magnetic_time();
    const double factor = weight * std::cos(2 * pi * frequency * time);
    double largest = 0;
    for (const double value : now) largest = std::max(largest, std::abs(factor * value));
    for (std::size_t i = 0; i < now.size(); ++i) ASSERT_NEAR(sum[i], factor * now[i], 1e-13 * largest) << i;
  }
}

// The energy of a loaded state goes on as that of the one that was saved.
TEST_F(MixedOrders, ContinueFromTheirState) {
  const Problem problem = closed_box_of(0.02);
  const std::vector<int> orders = mixed_orders(problem.mesh);
  const double dt = step(problem, orders);
  auto one = mixed_solver<double>(problem, orders, dt, self_), other = mixed_solver<double>(problem, orders, dt, self_);
  one.randomise_fields();
  one.advance(7);
  copy_state(one, other);
  one.advance(13), other.advance(13);
  EXPECT_EQ(other.steps_done(), 20);
  EXPECT_EQ(other.fields_hash(), one.fields_hash());
}

}  // namespace
}  // namespace dgtd::dg::test
