#include "debye_fit.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "dgtd/base/constants.hpp"

namespace dgtd::physics {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Solution {
  VectorXd coefficients;  // permittivity - 1, conductivity / eps0, strengths
  double squares = std::numeric_limits<double>::infinity();
};

// min |A x - b| with x >= 0. The optimum is the least squares over the columns that it does not leave at zero, and of
// all such choices with a feasible solution the best one: with at most seven columns all are tried.
Solution non_negative_least_squares(const MatrixXd& a, const VectorXd& b) {
  const int columns = static_cast<int>(a.cols());
  // Columns of unit length, and no longer than they are many: |A x - b|^2 = |R x - Q^T b|^2 + rest.
  const VectorXd length = a.colwise().norm().transpose();
  const MatrixXd scaled = a * length.cwiseInverse().asDiagonal();
  const Eigen::HouseholderQR<MatrixXd> qr(scaled);
  const MatrixXd r = qr.matrixQR().topRows(columns).triangularView<Eigen::Upper>();
  const VectorXd right = (qr.householderQ().transpose() * b).head(columns);
  const double rest = std::max(0.0, b.squaredNorm() - right.squaredNorm());
  Solution best{VectorXd::Zero(columns), b.squaredNorm()};
  for (int chosen = (1 << columns) - 1; chosen > 0; --chosen) {
    std::vector<int> free;
    for (int column = 0; column < columns; ++column)
      if (chosen >> column & 1) free.push_back(column);
    const MatrixXd part = r(Eigen::all, free);
    const VectorXd x = part.householderQr().solve(right);
    if (!(x.minCoeff() > 0) || !x.allFinite()) continue;
    const double squares = (part * x - right).squaredNorm() + rest;
    if (!(squares < best.squares)) continue;
    best = {VectorXd::Zero(columns), squares};
    best.coefficients(free) = x.cwiseQuotient(length(free));
    if (chosen == (1 << columns) - 1) break;  // the unconstrained optimum is feasible
  }
  return best;
}

// eps(omega) = 1 + x_0 + i x_1 / omega + sum x_p / (1 - i omega tau_p), linear in x >= 0 once the tau are chosen.
class Samples {
 public:
  Samples(const Permittivity& eps, double lowest, double highest) : omega_(count), weight_(count), right_(2 * count) {
    for (int s = 0; s < count; ++s) {
      omega_[s] = lowest * std::pow(highest / lowest, s / (count - 1.0));
      const std::complex<double> value = eps(omega_[s]);
      weight_[s] = 1 / std::abs(value);
      right_[2 * s] = (value.real() - 1) * weight_[s];
      right_[2 * s + 1] = value.imag() * weight_[s];
    }
  }

  /// log_tau: natural logarithms of the relaxation times.
  Solution solve(const std::vector<double>& log_tau) const {
    MatrixXd a(2 * count, 2 + static_cast<int>(log_tau.size()));
    for (int s = 0; s < count; ++s) {
      const auto set = [&](int column, std::complex<double> value) {
        a(2 * s, column) = value.real() * weight_[s];
        a(2 * s + 1, column) = value.imag() * weight_[s];
      };
      set(0, 1);
      set(1, {0, 1 / omega_[s]});
      for (std::size_t p = 0; p < log_tau.size(); ++p)
        set(2 + static_cast<int>(p), 1.0 / std::complex<double>(1, -omega_[s] * std::exp(log_tau[p])));
    }
    return non_negative_least_squares(a, right_);
  }

 private:
  static constexpr int count = 61;
  VectorXd omega_, weight_, right_;  // rad/s; 1 / |eps|; [real, imaginary part] of eps - 1, weighted
};

// Each relaxation time in turn goes up or down while that helps, by ever smaller factors.
Solution refine(const Samples& samples, std::vector<double>& log_tau, double low, double high, double step) {
  Solution best = samples.solve(log_tau);
  while (step > 1e-4) {
    bool better = false;
    for (double& tau : log_tau)
      for (const double move : {step, -step}) {
        const double before = tau;
        tau = std::clamp(tau + move, low, high);
        Solution trial = samples.solve(log_tau);
        if (trial.squares < best.squares) {
          best = std::move(trial);
          better = true;
        } else {
          tau = before;
        }
      }
    if (!better) step /= 2;
  }
  return best;
}

}  // namespace

Medium fit_debye(const Permittivity& eps, int poles, double lowest, double highest) {
  assert(poles >= 1 && poles <= 5 && lowest > 0 && lowest < highest);
  constexpr double step = 0.5;  // of the natural logarithm
  const double low = std::log(0.1 / highest), high = std::log(10 / lowest);
  assert(std::isfinite(low) && std::isfinite(high));  // the search below goes from one to the other
  const Samples samples(eps, lowest, highest);
  std::vector<double> log_tau;
  Solution best;
  for (int pole = 0; pole < poles; ++pole) {  // each new one where it helps most beside the others
    log_tau.push_back(low);
    Solution found;
    double at = low;
    for (double tau = low; tau <= high; tau += step) {
      log_tau.back() = tau;
      Solution trial = samples.solve(log_tau);
      if (!(trial.squares < found.squares)) continue;
      found = std::move(trial);
      at = tau;
    }
    log_tau.back() = at;
    best = refine(samples, log_tau, low, high, step / 2);
  }
  Medium fit{.permittivity = 1 + best.coefficients[0], .conductivity = best.coefficients[1] * vacuum_permittivity};
  for (int p = 0; p < poles; ++p)
    if (best.coefficients[2 + p] > 0)
      fit.poles.push_back(
          {Pole::Type::debye, best.coefficients[2 + p], 0, 0, std::exp(log_tau[static_cast<std::size_t>(p)])});
  std::sort(fit.poles.begin(), fit.poles.end(),
            [](const Pole& a, const Pole& b) { return a.relaxation_time < b.relaxation_time; });
  return fit;
}

double worst_error(const Medium& fit, const Permittivity& eps, double lowest, double highest) {
  constexpr int count = 1000;
  double worst = 0;
  for (int s = 0; s <= count; ++s) {
    const double omega = lowest * std::pow(highest / lowest, double(s) / count);
    const std::complex<double> exact = eps(omega);
    worst = std::max(worst, std::abs(permittivity(fit, omega) - exact) / std::abs(exact));
  }
  return worst;
}

}  // namespace dgtd::physics
