// The dense reference of local time steps against what docs/theory.md, "Local time steps", states about the scheme.
#include "dense_local_steps.hpp"

#include <gtest/gtest.h>

#include <random>

#include "problems.hpp"

namespace dgtd::dg::test {
namespace {

using Eigen::MatrixXd, Eigen::VectorXd;

/// dE/dt = dH/dx, dH/dt = dE/dx on intervals, P1 with orthonormal Legendre functions and centered fluxes, E = 0 at both
/// ends; `absorbing`: waves leave at the right end.
DenseOperator line(const std::vector<double>& length, bool absorbing = false) {
  const auto elements = static_cast<Eigen::Index>(length.size());
  const Eigen::Vector2d right(std::sqrt(0.5), std::sqrt(1.5)), left(std::sqrt(0.5), -std::sqrt(1.5));
  MatrixXd c = MatrixXd::Zero(2 * elements, 2 * elements), damping = c;
  const auto block = [&](Eigen::Index i, Eigen::Index k) { return c.block<2, 2>(2 * i, 2 * k); };
  for (Eigen::Index i = 0; i < elements; ++i) {
    const double scale = 2 / length[i];
    block(i, i)(0, 1) += std::sqrt(3.0) * scale;  // int phi_0 phi_1'
    if (i + 1 < elements) {
      block(i, i) -= 0.5 * scale * right * right.transpose();
      block(i, i + 1) += 0.5 * std::sqrt(scale * 2 / length[i + 1]) * right * left.transpose();
    } else if (absorbing) {
      block(i, i) -= 0.5 * scale * right * right.transpose();
      damping.block<2, 2>(2 * i, 2 * i) = 0.5 * scale * right * right.transpose();
    }
    if (i > 0) {
      block(i, i) += 0.5 * scale * left * left.transpose();
      block(i, i - 1) -= 0.5 * std::sqrt(scale * 2 / length[i - 1]) * left * right.transpose();
    }
  }
  DenseOperator op = DenseOperator::of_curl(c);
  op.electric_damping = op.magnetic_damping = damping;
  return op;
}

/// Lengths and levels that differ by at most one between neighbours; each level reaches one element into the coarser
/// one, as the ring of assign_time_levels.
const std::vector<double> lengths{1, 0.95, 1.1, 0.5, 0.55, 0.25, 0.24, 0.125, 0.13, 0.125, 0.26, 0.25, 0.5, 0.5, 1, 1};
const std::vector<int> levels{0, 0, 1, 1, 2, 2, 3, 3, 3, 3, 3, 2, 2, 1, 1, 0};

/// 2 / largest singular value of C, s.
double leap_frog_limit(const DenseOperator& op) {
  return 2 / std::sqrt(Eigen::SelfAdjointEigenSolver<MatrixXd>(op.curl * op.adjoint).eigenvalues().maxCoeff());
}
/// A step of level 0 that is a share of the longest one by the smallest elements.
double coarse_step(double share) { return share * leap_frog_limit(line(lengths)) * 8; }

VectorXd random_vector(Eigen::Index n, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> value(-1, 1);
  return VectorXd::NullaryExpr(n, [&] { return value(random); });
}

void fill_at_random(DenseLocalSteps& steps) {
  steps.electric = random_vector(steps.electric.size(), 1);
  steps.set_magnetic(random_vector(steps.electric.size(), 2));
}

double relative(const VectorXd& a, const VectorXd& b) { return (a - b).norm() / b.norm(); }

/// The filter in place, as the product computes it: a half step of E from zero in P_l, a half step of H from the field
/// before the finer filter, with E = 0 outside P_l.
void filter_in_place(const DenseOperator& op, const DenseLocalSteps& steps, int level, VectorXd& h) {
  if (level > steps.finest()) return;
  const VectorXd before = h;
  filter_in_place(op, steps, level + 1, h);
  const VectorXd e = steps.selected(level, op.curl * h);
  h = before - steps.factor(level) * (op.adjoint * e);
  filter_in_place(op, steps, level + 1, h);
}

TEST(DenseLocalSteps, FilterInPlaceIsTheDefinition) {
  const DenseOperator op = line(lengths);
  const DenseLocalSteps steps(op, levels, coarse_step(0.8));
  const VectorXd start = random_vector(op.unknowns(), 3);
  VectorXd h = start;
  filter_in_place(op, steps, 1, h);
  EXPECT_LT(relative(h, steps.filter(1) * start), 1e-14);
  EXPECT_GT(relative(h, start), 0.1);
}

// F_1 is the identity outside N(P_1): element 0 has no neighbour on level 1, element 1 has one.
TEST(DenseLocalSteps, FiltersAreSymmetricBetweenZeroAndOneAndLocal) {
  const DenseOperator op = line(lengths);
  const DenseLocalSteps steps(op, levels, coarse_step(0.8));
  for (int l = 1; l <= 3; ++l) {
    ASSERT_LT(steps.bound(l), 1);
    const MatrixXd& f = steps.filter(l);
    EXPECT_LT((f - f.transpose()).cwiseAbs().maxCoeff(), 1e-14);
    const VectorXd values = Eigen::SelfAdjointEigenSolver<MatrixXd>(f).eigenvalues();
    EXPECT_GT(values.minCoeff(), 0);
    EXPECT_LE(values.maxCoeff(), 1 + 1e-14);
  }
  EXPECT_EQ((steps.filter(1) - MatrixXd::Identity(32, 32)).topRows(2).cwiseAbs().maxCoeff(), 0);
  EXPECT_GT((steps.filter(1) - MatrixXd::Identity(32, 32)).row(2).cwiseAbs().maxCoeff(), 1e-3);
}

// With all elements on level L every bound is a function of the next finer one: z_{l-1} = 4 kappa z_l (1 - z_l), for
// each mode by itself.
TEST(DenseLocalSteps, BoundsOfNestedLevelsFollowTheLogisticMap) {
  const DenseOperator op = line(std::vector<double>(12, 0.1));
  for (const double share : {0.4, 0.7, 0.9})
    for (const double damping : {1.0, 0.96}) {
      const DenseLocalSteps steps(op, std::vector<int>(12, 3), share * leap_frog_limit(op) * 8, damping);
      VectorXd z = steps.factor(3) * Eigen::SelfAdjointEigenSolver<MatrixXd>(op.curl * op.adjoint).eigenvalues();
      for (int l = 3; l >= 0; --l) {
        EXPECT_NEAR(steps.bound(l), z.maxCoeff(), 1e-10) << l;
        EXPECT_LE(z.maxCoeff(), (l == 3 ? 1 : damping) + 1e-10);
        z = 4 * damping * z.array() * (1 - z.array());
      }
    }
}

// Without damping and with all elements on level 1 the scheme is leap-frog with half the step, seen every second time.
TEST(DenseLocalSteps, OneLevelForAllIsLeapFrogWithHalfTheStep) {
  const DenseOperator op = line(lengths);
  const double dt = coarse_step(0.8) / 4;
  const std::vector<int> same(lengths.size(), 1);
  DenseLocalSteps steps(op, same, dt, 1);
  const VectorXd e = random_vector(op.unknowns(), 1);
  steps.electric = e;
  steps.unfiltered = 0.5 * dt * op.adjoint * e;  // H = 0 at t = 0, see below
  // E of a standing field that starts with H = 0: E^{n+1} - 2 E^n + E^{n-1} = -dt^2/4 C C* E^n with dt / 2.
  VectorXd before, now = e;
  for (int i = 0; i < 40; ++i) {
    const VectorXd next = i == 0 ? (e - 0.125 * dt * dt * op.curl * (op.adjoint * e)).eval()
                                 : (2 * now - before - 0.25 * dt * dt * op.curl * (op.adjoint * now)).eval();
    before = now;
    now = next;
    if (i % 2 == 0) continue;
    steps.step();
    EXPECT_LT(relative(steps.electric, now), 1e-12) << i;
  }
}

TEST(DenseLocalSteps, ConservesTheEnergy) {
  const DenseOperator op = line(lengths);
  DenseLocalSteps steps(op, levels, coarse_step(0.8));
  ASSERT_LT(steps.largest_bound(), 1);
  fill_at_random(steps);
  const double start = steps.energy();
  double drift = 0;
  for (int i = 0; i < 1000; ++i) {
    steps.step();
    drift = std::max(drift, std::abs(steps.energy() / start - 1));
  }
  EXPECT_LT(drift, 1e-12);
  EXPECT_GT(start, 0);
}

// W^n is at least (1 - z_0) E^n M_eps E^n / 2.
TEST(DenseLocalSteps, TheEnergyBoundsTheFields) {
  const DenseOperator op = line(lengths);
  DenseLocalSteps steps(op, levels, coarse_step(0.8));
  fill_at_random(steps);
  const double most = 2 * steps.energy() / (1 - steps.bound(0));
  for (int i = 0; i < 1000; ++i) {
    steps.step();
    ASSERT_LE(steps.electric.squaredNorm(), most);
  }
}

// W^{n+1} - W^n = -dt E' M_sigma E' - dt j . E', E' = (E^n + E^{n+1}) / 2, on all levels.
TEST(DenseLocalSteps, ConductionAndCurrentsBalance) {
  DenseOperator op = line(lengths);
  for (Eigen::Index i = 0; i < op.unknowns(); ++i) op.conduction[i] = i % 10 < 4 ? 0.3 : 0;
  DenseLocalSteps steps(op, levels, coarse_step(0.8));
  fill_at_random(steps);
  const VectorXd current = random_vector(op.unknowns(), 5);
  const double scale = steps.energy();
  for (int i = 0; i < 300; ++i) {
    const VectorXd j = std::sin(0.3 * i) * current, e = steps.electric;
    const double before = steps.energy();
    steps.step(j);
    EXPECT_NEAR(steps.energy() - before, -steps.conduction_loss(e) - steps.work_against(j, e), 1e-13 * scale);
  }
}

// Also where an element with an absorbing face is beside level 1, so that D_H acts on a filtered field.
TEST(DenseLocalSteps, TheMatrixOfAStepIsTheStep) {
  DenseOperator op = line(lengths, true);
  for (Eigen::Index i = 0; i < op.unknowns(); ++i) op.conduction[i] = i % 10 < 4 ? 0.3 : 0;
  DenseLocalSteps steps(op, levels, coarse_step(0.8));
  fill_at_random(steps);
  VectorXd both(2 * op.unknowns());
  both << steps.electric, steps.unfiltered;
  both = steps.step_matrix() * both;
  steps.step();
  EXPECT_LT(relative(both.head(op.unknowns()), steps.electric), 1e-14);
  EXPECT_LT(relative(both.tail(op.unknowns()), steps.unfiltered), 1e-14);
}

// With the damping of absorbing faces at the old time level
//   Q = 1/2 (E N_E E + H N_H U) - dt/2 E C H,   N_E = 1 - dt/2 D_E,   H N_H U = U F_1 U - dt/2 H D_H H
// falls by dt E' D_E E' + dt H' D_H H', the means over a step.
TEST(DenseLocalSteps, AbsorbingFacesTakeTheirPower) {
  const DenseOperator op = line(lengths, true);
  const double dt = coarse_step(0.8);
  DenseLocalSteps steps(op, levels, dt);
  fill_at_random(steps);
  const auto q = [&] {
    const VectorXd &e = steps.electric, &h = steps.magnetic;
    return 0.5 * (e.dot(e) + steps.unfiltered.dot(h)) -
           0.25 * dt * (e.dot(op.electric_damping * e) + h.dot(op.magnetic_damping * h)) -
           0.5 * dt * e.dot(op.curl * h);
  };
  const double scale = q();
  for (int i = 0; i < 200; ++i) {
    const double before = q();
    VectorXd e = steps.electric, h = steps.magnetic;
    steps.step();
    e = 0.5 * (e + steps.electric), h = 0.5 * (h + steps.magnetic);
    const double loss = dt * (e.dot(op.electric_damping * e) + h.dot(op.magnetic_damping * h));
    EXPECT_GE(loss, 0);
    EXPECT_NEAR(q() - before, -loss, 1e-13 * scale);
  }
  EXPECT_LT(q(), 0.99 * scale);
}

TEST(DenseLocalSteps, IsStableWhereItsBoundsAreBelowOne) {
  const DenseOperator op = line(lengths);
  const DenseLocalSteps good(op, levels, coarse_step(0.8));
  ASSERT_LT(good.largest_bound(), 1);
  EXPECT_NEAR(good.spectral_radius(), 1, 1e-9);
  // Beyond the local limit, and on levels that do not reach into the coarser elements.
  for (const DenseLocalSteps& bad : {DenseLocalSteps(op, levels, coarse_step(1.1)),
                                     DenseLocalSteps(op, std::vector<int>(16, 2), coarse_step(0.8))}) {
    EXPECT_GT(bad.largest_bound(), 1);
    EXPECT_GT(bad.spectral_radius(), 1.001);
  }
}

// Without damping a mode of the fine elements with z_1 about 1/2 has z_0 about 1, and next to coarser elements more.
TEST(DenseLocalSteps, WithoutDampingSomeStepsAreUnstable) {
  const DenseOperator op = line(lengths);
  int with = 0, without = 0;
  for (double share = 0.6; share < 0.86; share += 0.01) {
    with += DenseLocalSteps(op, levels, coarse_step(share)).spectral_radius() > 1 + 1e-6;
    without += DenseLocalSteps(op, levels, coarse_step(share), 1).spectral_radius() > 1 + 1e-6;
  }
  EXPECT_EQ(with, 0);
  EXPECT_GT(without, 0);
}

TEST(DenseLocalSteps, AbsorbingFacesAreOnLevelZero) {
  const DenseOperator op = line(lengths, true);
  std::vector<int> at = levels;
  const DenseLocalSteps coarse(op, at, coarse_step(0.8));
  EXPECT_LT(coarse.largest_bound(), 1);
  EXPECT_LE(coarse.spectral_radius(), 1 + 1e-12);
  at.back() = 1;
  std::vector<double> small = lengths;
  small.back() = 0.5;
  const DenseLocalSteps fine(line(small, true), at, coarse_step(0.8));
  EXPECT_GT(fine.bound(0), 1);
  EXPECT_GT(fine.spectral_radius(), 1.1);
}

Problem tetrahedra() {
  return {tiny_mesh({2, 1, 1}, 3, 5),
          {{2.5, 1.0, 0.0}, {1.3, 1.7, 0.4}, {4.0, 1.2, 0.0}},
          {absorbing, pec, pmc, pec, pec, pmc},
          {}};
}

// The dense operator of tetrahedra: with one level the steps are those of the nodal reference.
TEST(DenseLocalSteps, WithOneLevelIsTheNodalReference) {
  const Problem p = tetrahedra();
  NodalReference reference(p.mesh, p.material, p.boundary_kind, 1, {});
  const double dt = 0.9 * 2 / reference.largest_eigenvalue();
  DenseLocalSteps steps(reference.dense_operator(), std::vector<int>(p.mesh.elements(), 0), dt);
  EXPECT_NEAR(steps.bound(0), 0.81, 1e-9);
  steps.electric = reference.electric = random_vector(reference.electric.size(), 1);
  reference.magnetic = random_vector(reference.electric.size(), 2) / vacuum_impedance;
  steps.set_magnetic(reference.magnetic);
  for (int i = 0; i < 20; ++i) {
    const VectorXd before = reference.magnetic;
    const double energy = steps.energy();
    steps.step();
    EXPECT_NEAR(energy, reference.energy(before, steps.magnetic), 1e-12 * energy);
    reference.step(dt);
    EXPECT_LT(relative(steps.electric, reference.electric), 1e-11);
    EXPECT_LT(relative(steps.magnetic, reference.magnetic), 1e-11);
  }
}

// Levels of tetrahedra at random: symmetric in the masses, and the energy of a closed lossless box is constant.
TEST(DenseLocalSteps, ConservesTheEnergyOfTetrahedra) {
  Problem p = tetrahedra();
  p.boundary_kind.assign(6, pec);
  for (auto& m : p.material) m.conductivity = 0;
  const NodalReference reference(p.mesh, p.material, p.boundary_kind, 1, {});
  const DenseOperator op = reference.dense_operator();
  std::vector<int> random_levels;
  for (std::size_t e = 0; e < p.mesh.elements(); ++e) random_levels.push_back(static_cast<int>(e * 7 % 3));
  DenseLocalSteps steps(op, random_levels, 0.9 * 2 / reference.largest_eigenvalue());
  ASSERT_LT(steps.largest_bound(), 1);
  const MatrixXd weighted = op.magnetic_mass * steps.filter(1);
  EXPECT_LT((weighted - weighted.transpose()).norm(), 1e-13 * weighted.norm());
  EXPECT_GT((steps.filter(1) - MatrixXd::Identity(op.unknowns(), op.unknowns())).cwiseAbs().maxCoeff(), 0.01);
  steps.electric = random_vector(op.unknowns(), 1);
  steps.set_magnetic(random_vector(op.unknowns(), 2) / vacuum_impedance);
  const double start = steps.energy();
  for (int i = 0; i < 1000; ++i) steps.step();
  EXPECT_NEAR(steps.energy() / start, 1, 1e-12);
}

}  // namespace
}  // namespace dgtd::dg::test
