#pragma once
// Local time steps by their definition (docs/theory.md, "Local time steps"), with dense matrices. It has none of the
// recursion, orders and halos of the product and is slow: for a few hundred unknowns.
//   F_{L+1} = 1,   F_l = F_{l+1} (1 - a_l K_l F_{l+1}),   K_l = C* P_l C,   a_l = dt^2 / (4^(l+1) kappa_l)
//   U^{n+1/2} = U^{n-1/2} - dt C* E^n - dt D_H H^{n-1/2},   H^{n+1/2} = F_1 U^{n+1/2}
//   (1 + s) E^{n+1} = (1 - s) E^n + dt (C H^{n+1/2} - D_E E^n - j^{n+1/2}),   s = sigma dt / (2 eps)
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include "dense_operator.hpp"

namespace dgtd::dg::test {

class DenseLocalSteps {
 public:
  using Matrix = Eigen::MatrixXd;
  using Vector = Eigen::VectorXd;

  /// level: [elements] 0 to L. dt: of level 0, s. damping: kappa_l = damping^l; 1 is the scheme without damping.
  DenseLocalSteps(DenseOperator op, const std::vector<int>& level, double dt, double damping = 0.96)
      : electric(Vector::Zero(op.unknowns())),
        unfiltered(electric),
        magnetic(electric),
        op_(std::move(op)),
        dt_(dt),
        damping_(damping),
        finest_(*std::max_element(level.begin(), level.end())) {
    const Eigen::Index n = op_.unknowns(), per_element = n / static_cast<Eigen::Index>(level.size());
    for (Eigen::Index i = 0; i < n; ++i) level_.push_back(level[static_cast<std::size_t>(i / per_element)]);
    filters_.assign(static_cast<std::size_t>(finest_) + 2, Matrix::Identity(n, n));
    for (int l = finest_; l >= 1; --l) {
      const Matrix& finer = filter(l + 1);
      const Matrix curl = op_.curl * finer;
      filters_[static_cast<std::size_t>(l)] = finer - factor(l) * finer * (op_.adjoint * selected(l, curl));
    }
  }

  int finest() const { return finest_; }
  /// a_l, s^2; a_0 is dt^2 / 4.
  double factor(int level) const { return dt_ * dt_ / (std::pow(4.0, level + 1) * std::pow(damping_, level)); }
  /// F_l, 1 <= l <= L + 1
  const Matrix& filter(int level) const { return filters_[static_cast<std::size_t>(level)]; }
  /// P_l x: the rows of elements of level l and finer, zero elsewhere.
  Matrix selected(int level, Matrix x) const {
    for (Eigen::Index i = 0; i < x.rows(); ++i)
      if (level_[static_cast<std::size_t>(i)] < level) x.row(i).setZero();
    return x;
  }

  /// z_l = a_l lambda_max(P_l C F_{l+1} C* P_l) for l = L .. 1. z_0 = (dt alpha / 2)^2, alpha the spectral radius of
  /// [D_E, C F_1; C*, D_H F_1], which is a_0 lambda_max(C F_1 C*) without damping, and infinite where F_1 is not
  /// positive definite. Stable where all of them are below 1.
  double bound(int level) const {
    if (level == 0) return outer_bound();
    const Matrix product = selected(level, selected(level, op_.curl * filter(level + 1) * op_.adjoint).transpose());
    return factor(level) * largest(op_.electric_mass * product.transpose(), op_.electric_mass);
  }
  double largest_bound() const {
    double largest = 0;
    for (int l = 0; l <= finest_; ++l) largest = std::max(largest, bound(l));
    return largest;
  }

  /// U with F_1 U = H.
  void set_magnetic(const Vector& h) {
    magnetic = h;
    unfiltered = Eigen::PartialPivLU<Matrix>(filter(1)).solve(h);
  }

  /// current: j^{n+1/2}, unit of E per s; empty: none.
  void step(const Vector& current = {}) {
    unfiltered = next_unfiltered();
    magnetic = filter(1) * unfiltered;
    Vector rate = op_.curl * magnetic - op_.electric_damping * electric;
    if (current.size() > 0) rate -= current;
    const Eigen::ArrayXd s = 0.5 * dt_ * op_.conduction.array();
    electric = ((1 - s) * electric.array() + dt_ * rate.array()) / (1 + s);
  }

  /// W^n = 1/2 (E^n M_eps E^n + U^{n-1/2} M_mu H^{n+1/2}), of the present fields.
  double energy() const {
    return 0.5 * (electric.dot(op_.electric_mass * electric) +
                  unfiltered.dot(op_.magnetic_mass * (filter(1) * next_unfiltered())));
  }
  /// Energy lost to conduction in a step from `before` to the present E: dt E' M_sigma E', E' their mean.
  double conduction_loss(const Vector& before) const {
    const Vector mean = 0.5 * (before + electric);
    return dt_ * mean.dot(op_.electric_mass * (op_.conduction.array() * mean.array()).matrix());
  }
  /// Energy lost to a current in the same step: dt j . E'.
  double work_against(const Vector& current, const Vector& before) const {
    return 0.5 * dt_ * current.dot(op_.electric_mass * (before + electric));
  }

  /// (E^{n+1}, U^{n+1/2}) = step_matrix (E^n, U^{n-1/2})
  Matrix step_matrix() const {
    const Eigen::Index n = op_.unknowns();
    const Matrix one = Matrix::Identity(n, n), zero = Matrix::Zero(n, n);
    const Eigen::ArrayXd s = 0.5 * dt_ * op_.conduction.array();
    const Matrix old = (1 - s).matrix().asDiagonal();
    const Eigen::VectorXd inverse = (1 + s).inverse().matrix();
    Matrix of_magnetic(2 * n, 2 * n), of_electric(2 * n, 2 * n);
    of_magnetic << one, zero, -dt_ * op_.adjoint, one - dt_ * op_.magnetic_damping * filter(1);
    of_electric << inverse.asDiagonal() * (old - dt_ * op_.electric_damping),
        dt_ * (inverse.asDiagonal() * (op_.curl * filter(1))), zero, one;
    return of_electric * of_magnetic;
  }
  double spectral_radius() const {
    return Eigen::EigenSolver<Matrix>(step_matrix(), false).eigenvalues().cwiseAbs().maxCoeff();
  }

  Vector electric, unfiltered, magnetic;  // E^n, U^{n-1/2}, H^{n-1/2} = F_1 U^{n-1/2}

 private:
  Vector next_unfiltered() const {
    return unfiltered - dt_ * (op_.adjoint * electric) - dt_ * (op_.magnetic_damping * magnetic);
  }

  /// Largest eigenvalue of the symmetric pencil (matrix, mass).
  static double largest(const Matrix& matrix, const Matrix& mass) {
    const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> solver(0.5 * (matrix + matrix.transpose()), mass,
                                                                  Eigen::EigenvaluesOnly | Eigen::Ax_lBx);
    return solver.eigenvalues().maxCoeff();
  }

  double outer_bound() const {
    const Eigen::Index n = op_.unknowns();
    const Matrix filtered = op_.magnetic_mass * filter(1);
    if (Eigen::LLT<Matrix>(0.5 * (filtered + filtered.transpose())).info() != Eigen::Success)
      return std::numeric_limits<double>::infinity();
    if (op_.electric_damping.isZero(0) && op_.magnetic_damping.isZero(0))
      return factor(0) * largest(op_.electric_mass * op_.curl * filter(1) * op_.adjoint, op_.electric_mass);
    // Symmetric in E M_eps E + U M_mu F_1 U.
    Matrix product(2 * n, 2 * n), mass = Matrix::Zero(2 * n, 2 * n);
    product << op_.electric_mass * op_.electric_damping, op_.electric_mass * op_.curl * filter(1),
        filtered * op_.adjoint, filtered * op_.magnetic_damping * filter(1);
    mass.topLeftCorner(n, n) = op_.electric_mass;
    mass.bottomRightCorner(n, n) = 0.5 * (filtered + filtered.transpose());
    return factor(0) * std::pow(largest(product, mass), 2);
  }

  DenseOperator op_;
  double dt_, damping_;
  int finest_;
  std::vector<int> level_;       // [unknowns]
  std::vector<Matrix> filters_;  // [L + 2] F_l
};

}  // namespace dgtd::dg::test
