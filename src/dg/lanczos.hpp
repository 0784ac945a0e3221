#pragma once
// The largest eigenvalue of a symmetric operator by Lanczos iteration, without vectors on the host.
#include <Eigen/Eigenvalues>
#include <cmath>
#include <vector>

#include "dgtd/base/error.hpp"

namespace dgtd::dg {

struct LargestEigenvalue {
  double value = 0;  // Ritz value plus its residual
  int iterations = 0;
};

/// Op has two vectors v, w and a current operator A, symmetric in its inner product:
///   start()                w = 0, v random with norm one
///   apply()                w = A v
///   product()              <v, w>
///   subtract(alpha)        w = w - alpha v - previous_beta v_previous; apply() may take the last term away already,
///                          since <v, v_previous> = 0
///   norm()                 |w|
///   next(beta)             v_previous = v, v = w / beta; beta is the previous_beta of the next apply()
template <class Op>
LargestEigenvalue largest_eigenvalue(Op& op) {
  constexpr int most = 80, window = 4;
  constexpr double tolerance = 5e-3;  // of the residual, which the result includes
  std::vector<double> diagonal, beside;
  LargestEigenvalue result;
  op.start();
  for (int i = 1; i <= most; ++i) {
    op.apply();
    diagonal.push_back(op.product());
    op.subtract(diagonal.back());
    const double beta = op.norm();
    result.iterations = i;
    if (!std::isfinite(beta) || !std::isfinite(diagonal.back()))
      throw Error(ExitCode::unstable, "the time step cannot be found: the operator has no finite norm");
    const bool spans_all = beta <= 1e-12 * std::abs(diagonal.front());
    if (i % window == 0 || i == most || spans_all) {
      const Eigen::Map<const Eigen::VectorXd> d(diagonal.data(), i);
      const Eigen::Map<const Eigen::VectorXd> b(beside.data(), i - 1);
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
      solver.computeFromTridiagonal(d, b);
      const double ritz = solver.eigenvalues()[i - 1];
      const double residual = beta * std::abs(solver.eigenvectors()(i - 1, i - 1));
      result.value = ritz + residual;
      if (residual < tolerance * ritz || spans_all) break;
    }
    beside.push_back(beta);
    op.next(beta);
  }
  return result;
}

}  // namespace dgtd::dg
