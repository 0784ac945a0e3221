#pragma once
// The space-discrete problem of a few elements as dense matrices:
//   dE/dt = C H - D_E E - (sigma / eps) E - j,   dH/dt = -C* E - D_H H,   C* = M_mu^{-1} C^T M_eps,
// the adjoint of C. Unknowns are those of element 0, then those of element 1, ..., as many of E as of H in each.
#include <Eigen/Core>

namespace dgtd::dg::test {

struct DenseOperator {
  Eigen::MatrixXd curl;                                // C, 1/s times the unit of E over that of H
  Eigen::MatrixXd adjoint;                             // C*, 1/s times the unit of H over that of E
  Eigen::MatrixXd electric_mass, magnetic_mass;        // M_eps, M_mu, symmetric; identities for orthonormal bases
  Eigen::MatrixXd electric_damping, magnetic_damping;  // D_E, D_H of absorbing faces, 1/s
  Eigen::VectorXd conduction;                          // sigma / eps of each unknown of E, 1/s

  Eigen::Index unknowns() const { return curl.rows(); }

  /// Operator in orthonormal bases, lossless and closed.
  static DenseOperator of_curl(const Eigen::MatrixXd& c) {
    const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(c.rows(), c.rows()),
                          zero = Eigen::MatrixXd::Zero(c.rows(), c.rows());
    return {c, c.transpose(), one, one, zero, zero, Eigen::VectorXd::Zero(c.rows())};
  }
};

/// The matrix of a linear function of vectors, column by column: its values for the unit vectors.
template <class Function>
Eigen::MatrixXd matrix_of(Eigen::Index unknowns, const Function& function) {
  Eigen::MatrixXd matrix(unknowns, unknowns);
  for (Eigen::Index i = 0; i < unknowns; ++i) matrix.col(i) = function(Eigen::VectorXd::Unit(unknowns, i).eval());
  return matrix;
}

}  // namespace dgtd::dg::test
