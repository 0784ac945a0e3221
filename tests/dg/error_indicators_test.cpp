// The indicators of errors against what they are for fields that are known, and alike on any number of ranks.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numeric>

#include "bent_mesh.hpp"
#include "bloch_problem.hpp"
#include "box_problem.hpp"
#include "dgtd/dg/degree_parts.hpp"
#include "dgtd/dg/order_choice.hpp"
#include "mixed_problem.hpp"
#include "support/built_orders.hpp"
#include "total_field_problem.hpp"

namespace dgtd::dg::test {
namespace {

using Field = solver::Quantity::Field;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

const parallel::Communicator& self() {
  static const parallel::Communicator comm(MPI_COMM_SELF);
  return comm;
}

Matrix matrix_of(const std::vector<double>& values, int n) { return Eigen::Map<const Matrix>(values.data(), n, n); }

TEST(DegreeBasis, IsOrthonormalAndAscendsInDegree) {
  for (const int p : {1, 2, 3, 4}) {
    const int n = tetrahedron_nodes(p);
    const Matrix c = matrix_of(orthonormal_on_tetrahedron(p), n), mass = matrix_of(mass_matrix(p), n);
    EXPECT_LT((c * mass * c.transpose() - Matrix::Identity(n, n)).cwiseAbs().maxCoeff(), 1e-11) << "P" << p;
    // The sum of all coefficients of a constant polynomial B_a is that of 1: only the first polynomial has a mean.
    const Eigen::VectorXd means = c * mass * Eigen::VectorXd::Ones(n);
    EXPECT_NEAR(means(0), std::sqrt(1.0 / 6), 1e-12);
    EXPECT_LT(means.tail(n - 1).cwiseAbs().maxCoeff(), 1e-12);
  }
}

// T. Warburton, J. Hesthaven, On the constants in hp-finite element trace inverse inequalities (2003): on a face F of a
// tetrahedron V |u|_F^2 <= (p + 1) (p + 3) / 3 |F| / |V| |u|_V^2, with equality for the least extension of a constant.
// On the reference element |F| / |V| = 3 and |1|_F^2 = 1/2.
TEST(LeastExtension, OfAConstantAttainsTheTraceInequality) {
  for (const int p : {1, 2, 3, 4}) {
    const auto W = least_extension(p);
    EXPECT_NEAR(std::accumulate(W.begin(), W.end(), 0.0), 0.5 / ((p + 1) * (p + 3)), 1e-13) << "P" << p;
  }
}

std::vector<int> orders() { return built_orders({1, 2, 3}); }

/// Degree `degree` in space, of the size of 1.
solver::VectorFunction polynomial(int degree) {
  return [degree](const Vec3& x) {
    const auto power = [&](double s) { return std::pow(s, degree); };
    return Vec3{power(0.3 * x.x + x.y - 0.5 * x.z), power(x.x - 0.2 * x.y), power(0.7 * x.z + 0.4 * x.x)};
  };
}

Problem box_without_source(const parallel::Communicator& comm) {
  Problem problem = box(comm, false);
  problem.sources.clear();
  return problem;
}

Problem open_box(const parallel::Communicator& comm) {
  Problem problem = box_without_source(comm);
  for (auto& kind : problem.boundary_kind) kind = physics::BoundaryKind::silver_muller;
  return problem;
}

double total(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

TEST(ErrorIndicators, OfAPolynomialEndWithItsDegreeAndHaveNoJumps) {
  const Problem problem = open_box(self());
  for (const int p : orders())
    for (int degree = 0; degree <= p; ++degree) {
      auto solver = make_solver<double>(problem, p, brisk_time_step(p), self());
      solver.set_fields(polynomial(degree), polynomial(degree));
      const auto products = solver.executor().element_products(solver.electric(), solver.electric());
      const auto found = solver.error_indicators(Field::electric, {});
      ASSERT_EQ(found.degrees, p + 1);
      const double norm = total(found.energy);
      EXPECT_NEAR(norm, total(products), 1e-12 * norm);
      EXPECT_LT(total(found.jump), 1e-24 * norm) << "P" << p << ", degree " << degree;
      for (int k = 0; k <= p; ++k) {
        double part = 0;
        for (std::size_t e = 0; e < found.elements(); ++e) part += found.part(e, k);
        if (k > degree) {
          EXPECT_LT(part, 1e-24 * norm) << "P" << p << ", degree " << k << " of " << degree;
        } else {
          EXPECT_GT(part, 1e-9 * norm) << "P" << p << ", degree " << k << " of " << degree;
        }
      }
    }
}

TEST(ErrorIndicators, OfAConstantOnCurvedElementsHaveNoJumps) {
  Problem problem = open_box(self());
  bend(problem, 0.05);
  for (const int p : orders()) {
    auto solver = make_solver<double>(problem, p, brisk_time_step(p), self());
    solver.set_fields(polynomial(0), polynomial(0));
    for (const Field field : {Field::electric, Field::magnetic}) {
      const auto found = solver.error_indicators(field, {});
      EXPECT_LT(total(found.jump), 1e-24 * total(found.energy)) << "P" << p;
    }
  }
}

// A constant s along x, s = 1 above a plane and -1 below. Half of the jump at a face in the plane is 1, of which the
// least extension has the squared norm |J| / 2 / ((p + 1) (p + 3)).
TEST(ErrorIndicators, OfAJumpAreThoseOfItsLeastExtension) {
  const Problem problem = open_box(self());
  const double middle = 0.6;
  for (const int p : orders()) {
    auto solver = make_solver<double>(problem, p, brisk_time_step(p), self());
    double* const field = solver.electric().host_for_writing();
    const auto& d = solver.discretisation();
    for (std::size_t e = 0; e < problem.mesh.elements(); ++e) {
      const ElementGeometry geometry(problem.mesh, e);
      const double sign = geometry.centre().z > middle ? 1 : -1;
      for (int i = 0; i < 3 * d.layout.nodes; ++i)
        field[d.layout.first(d.slot_of_element[e]) + i * d.layout.stride()] =
            sign * geometry.edges[i / d.layout.nodes].x;
    }
    const auto found = solver.error_indicators(Field::electric, {});
    std::size_t faces = 0;
    for (std::size_t e = 0; e < problem.mesh.elements(); ++e) {
      const ElementGeometry geometry(problem.mesh, e);
      int in_plane = 0;
      for (int v = 0; v < 4; ++v) in_plane += std::abs(geometry.vertices[v].z - middle) < 1e-9;
      const bool has_face = in_plane == 3;
      faces += has_face;
      const double expected = has_face ? std::abs(geometry.determinant) * 0.5 / ((p + 1) * (p + 3)) : 0;
      EXPECT_NEAR(found.jump[e], expected, 1e-12 * std::abs(geometry.determinant));
    }
    EXPECT_EQ(faces, 64u);  // two triangles of 4 x 4 squares from two sides
  }
}

// At a metallic side the trace of E is zero, so that a field there is half of a jump; H may have any trace. At a
// magnetic side it is the other way around.
TEST(ErrorIndicators, CountTracesThatABoundaryDoesNotHave) {
  const Vec3 x{1, 0, 0}, z{0, 0, 1};
  for (const bool magnetic_sides : {false, true}) {
    Problem problem = open_box(self());
    problem.boundary_kind[4] = magnetic_sides ? physics::BoundaryKind::pmc : physics::BoundaryKind::pec;  // zmin
    for (const int p : orders()) {
      auto solver = make_solver<double>(problem, p, brisk_time_step(p), self());
      const auto jumps = [&](const Vec3& e, const Vec3& h) {
        solver.set_fields([&](const Vec3&) { return e; }, [&](const Vec3&) { return h / vacuum_impedance; });
        return std::array{total(solver.error_indicators(Field::electric, {}).jump),
                          total(solver.error_indicators(Field::magnetic, {}).jump)};
      };
      // |J| = 0.3 x 0.2 x 0.25 m^3, six elements per cube; 16 squares of two triangles.
      const double expected = 32 * 0.25 * 0.2 * 0.3 * 0.5 / ((p + 1) * (p + 3));
      const auto along = jumps(x, x), normal = jumps(z, z);
      EXPECT_NEAR(along[magnetic_sides ? 1 : 0], expected, 1e-12);
      EXPECT_LT(along[magnetic_sides ? 0 : 1], 1e-24);
      EXPECT_LT(normal[0] + normal[1], 1e-24);
    }
  }
}

// A wave exp(i k z) between Bloch sides has no jumps there but those of its projection.
TEST(ErrorIndicators, TurnThePhaseOfBlochSides) {
  const double phase = 1.1;
  const Problem problem = bloch_box({0, 0, phase}, self());
  auto solver = make_solver<double>(problem, 2, brisk_time_step(2), self());
  solver.start_dft({1e9});
  const auto wave = [&](bool imaginary) {
    return [=](const Vec3& x) {
      const double angle = phase / bloch_size.z * x.z;
      return Vec3{imaginary ? std::sin(angle) : std::cos(angle), 0, 0};
    };
  };
  // F in the first copies of the sums, i G in the second: of the wave at one instant, with H a copy of E.
  solver.set_fields(wave(false), wave(false));
  solver.accumulate_dft(1);
  const auto only_real = solver.error_indicators(Field::electric, 0);
  EXPECT_GT(total(only_real.jump), 1e-3 * total(only_real.energy));  // cos alone does not have the phase
  const auto& d = solver.discretisation();
  double* const field = solver.electric().host_for_writing();
  auto other = make_solver<double>(problem, 2, brisk_time_step(2), self());
  other.set_fields(wave(true), wave(true));
  const double* const imaginary = other.electric().host();
  for (std::size_t e = 0; e < problem.mesh.first_copies(); ++e)
    for (int i = 0; i < 3 * d.layout.nodes; ++i)
      field[d.layout.first(d.slot_of_element[e + problem.mesh.first_copies()]) + i * d.layout.stride()] =
          imaginary[d.layout.first(d.slot_of_element[e]) + i * d.layout.stride()];
  solver.start_dft({1e9});
  solver.accumulate_dft(1);
  const auto whole = solver.error_indicators(Field::electric, 0);
  EXPECT_LT(total(whole.jump), 1e-5 * total(whole.energy));
}

// Jumps at the faces from which a source sends its wave are no errors and left out; others count.
TEST(ErrorIndicators, LeaveOutWhatASourceSends) {
  Problem problem = total_field_box(std::vector(6, physics::BoundaryKind::silver_muller), self());
  const auto jumps = [&] {
    auto solver = make_solver<double>(problem, 1, brisk_time_step(1), self());
    fill_at_random(solver);
    return solver.error_indicators(Field::magnetic, {}).jump;
  };
  const auto with_wave = jumps();
  problem.sources.clear();
  const auto all = jumps();
  std::size_t fewer = 0;
  for (std::size_t e = 0; e < all.size(); ++e) {
    EXPECT_LE(with_wave[e], all[e]);
    fewer += with_wave[e] < all[e];
  }
  EXPECT_GT(fewer, 0u);
  EXPECT_LT(fewer, all.size() / 2);
}

template <class Real>
std::array<double, 4> sums(const Problem& problem, const parallel::Communicator& comm) {
  auto solver = make_solver<Real>(problem, 2, brisk_time_step(2), comm);
  fill_at_random(solver);
  solver.start_dft({1e9});
  solver.accumulate_dft(1);
  std::array<double, 4> result{};
  for (const auto frequency : {std::optional<std::size_t>(), std::optional<std::size_t>(0)}) {
    const std::size_t at = frequency ? 2 : 0;
    for (const Field field : {Field::electric, Field::magnetic}) {
      const auto found = solver.error_indicators(field, frequency);
      result[at] += comm.sum(total(found.energy));
      result[at + 1] += comm.sum(total(found.jump));
    }
  }
  return result;
}

// Sums round in the order of the ranks.
TEST(ErrorIndicators, AreAlikeOnAnyNumberOfRanks) {
  const parallel::Communicator world(MPI_COMM_WORLD);
  const auto compare = [&](const auto& make) {
    const auto together = sums<double>(make(world), world), alone = sums<double>(make(self()), self());
    for (std::size_t i = 0; i < alone.size(); ++i) {
      EXPECT_GT(alone[i], 0);
      EXPECT_NEAR(together[i], alone[i], 1e-12 * alone[i]);
    }
    const auto single = sums<float>(make(world), world);
    for (std::size_t i = 0; i < alone.size(); ++i) EXPECT_NEAR(single[i], alone[i], 1e-5 * alone[i]);
  };
  compare([](const auto& comm) { return box_without_source(comm); });
  compare([](const auto& comm) { return bloch_box({0.7, -1.9, 2.6}, comm); });
  compare([](const auto& comm) {
    Problem bent = box_without_source(comm);
    bend(bent, 0.05);
    return bent;
  });
}

// Orders of one element in a corner that grade down through all ranks, and what is estimated with them.
TEST(GradedOrders, AndTheirIndicatorsAreAlikeOnAnyNumberOfRanks) {
  const parallel::Communicator world(MPI_COMM_WORLD);
  const int highest = std::min(3, highest_order());
  const auto make = [&](const parallel::Communicator& comm) {
    const Problem problem = box_without_source(comm);
    std::vector<int> orders;
    for (const std::int64_t id : problem.mesh.element_id) orders.push_back(id % 97 == 0 ? highest : 1);
    grade_orders(problem.mesh, {}, orders, comm);
    std::int64_t sum = 0;
    for (std::size_t e = 0; e < orders.size(); ++e) sum += (1 + problem.mesh.element_id[e]) * orders[e];
    auto solver = mixed_solver<double>(problem, orders, brisk_time_step(3), comm);
    solver.randomise_fields();
    const auto found = solver.error_indicators(Field::electric, {});
    return std::array{double(comm.sum(sum)), comm.sum(total(found.energy)), comm.sum(total(found.jump))};
  };
  const auto together = make(world), alone = make(self());
  EXPECT_EQ(together[0], alone[0]);
  for (std::size_t i = 1; i < alone.size(); ++i) EXPECT_NEAR(together[i], alone[i], 1e-12 * alone[i]);
}

}  // namespace
}  // namespace dgtd::dg::test
