// eps(w) = 1 + a - A / (w^2 + i g w) + sum S_p / (w_p^2 - w^2 - i g_p w), each coefficient the exponential of a
// parameter and so positive. Poles are added one by one, each where it helps most beside the others, followed by
// Levenberg-Marquardt steps of all parameters (K. Levenberg, Q. Appl. Math. 2 (1944) 164).
#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "dgtd/base/constants.hpp"
#include "dgtd/physics/optical_table.hpp"

namespace dgtd::physics {
namespace {

using Complex = std::complex<double>;
using Eigen::VectorXd;

constexpr double weakest = -25, strongest = 12;  // natural logarithms of strengths, in squares of the middle frequency

// Frequencies are relative to the middle one of the points.
struct Term {
  bool drude;
};

class PoleModel {
 public:
  explicit PoleModel(const std::vector<OpticalPoint>& points)
      : points_(points), middle_(std::sqrt(points.front().frequency * points.back().frequency)) {
    low_ = points.front().frequency / middle_;
    high_ = points.back().frequency / middle_;
    narrowest_ = (high_ - low_) / static_cast<double>(points.size() - 1);
    values_ = VectorXd::Constant(1, 0.0);
  }

  /// Adds a pole with the best of some resonances and widths; false: all that there may be are there.
  void add_pole() {
    const VectorXd before = values_;
    const auto terms = terms_;
    VectorXd best = before;
    auto best_terms = terms;
    double least = std::numeric_limits<double>::infinity();
    const auto attempt = [&](bool drude, double resonance, double damping) {
      terms_ = terms;
      terms_.push_back({drude});
      const double strength = std::log(0.1 * (drude ? 1 : resonance * resonance));
      VectorXd trial(before.size() + (drude ? 2 : 3));
      trial.head(before.size()) = before;
      if (drude) trial.tail(2) << strength, std::log(damping);
      else trial.tail(3) << strength, std::log(damping), std::log(resonance);
      values_ = trial;
      improve(12);
      if (const double squares = residual(values_).squaredNorm(); squares < least)
        least = squares, best = values_, best_terms = terms_;
    };
    if (std::none_of(terms.begin(), terms.end(), [](const Term& t) { return t.drude; })) attempt(true, 0, 0.05);
    constexpr int places = 12;
    for (int i = 0; i < places; ++i) {
      const double resonance = 0.6 * low_ * std::pow(2 * high_ / (0.6 * low_), i / (places - 1.0));
      for (const double width : {0.1, 0.5}) attempt(false, resonance, width * resonance);
    }
    values_ = best;
    terms_ = best_terms;
    improve(300);
  }

  /// Levenberg-Marquardt steps, at most so many.
  void improve(int steps) {
    VectorXd here = residual(values_);
    double damping = 1e-2;
    for (int step = 0; step < steps && damping < 1e8; ++step) {
      const Eigen::MatrixXd jacobian = jacobian_at(values_, here);
      const Eigen::MatrixXd normal = jacobian.transpose() * jacobian;
      const VectorXd slope = jacobian.transpose() * here;
      bool better = false;
      double gained = 0;
      while (!better && damping < 1e8) {
        Eigen::MatrixXd damped = normal;
        damped.diagonal() += damping * (normal.diagonal().array() + 1e-12).matrix();
        const VectorXd trial = bounded(values_ - damped.ldlt().solve(slope));
        const VectorXd there = residual(trial);
        better = there.allFinite() && there.squaredNorm() < here.squaredNorm();
        if (better) {
          gained = 1 - there.squaredNorm() / here.squaredNorm();
          values_ = trial, here = there, damping = std::max(1e-9, damping / 5);
        } else {
          damping *= 4;
        }
      }
      if (!better || gained < 1e-7) return;
    }
  }

  PoleFit fit() const {
    PoleFit result;
    const double unit = 2 * pi * middle_;  // rad/s
    result.medium.permittivity = 1 + std::exp(values_[0]);
    for_each(values_, [&](const Term& term, double strength, double damping, double resonance) {
      if (strength <= std::exp(weakest) * 2) return;
      Pole pole{term.drude ? Pole::Type::drude : Pole::Type::lorentz, std::sqrt(strength) * unit};
      pole.damping = damping * unit;
      if (!term.drude) pole.resonance = resonance * unit;
      result.medium.poles.push_back(pole);
    });
    std::sort(result.medium.poles.begin(), result.medium.poles.end(),
              [](const Pole& a, const Pole& b) { return a.resonance < b.resonance; });
    double sum = 0;
    result.largest_error = 0;
    for (const OpticalPoint& p : points_) {
      const double error =
          std::abs(permittivity(result.medium, 2 * pi * p.frequency) - p.permittivity) / std::abs(p.permittivity);
      sum += error * error;
      result.largest_error = std::max(result.largest_error, error);
    }
    result.mean_error = std::sqrt(sum / static_cast<double>(points_.size()));
    return result;
  }

 private:
  // Calls work(term, strength, damping, resonance) with the coefficients of each pole.
  template <class Work>
  void for_each(const VectorXd& values, const Work& work) const {
    Eigen::Index at = 1;
    for (const Term& term : terms_) {
      const double strength = std::exp(values[at]);
      double damping = std::exp(values[at + 1]), resonance = 0;
      if (!term.drude) {
        resonance = std::exp(values[at + 2]);
        if (resonance > low_ && resonance < high_) damping = std::max(damping, narrowest_);
      }
      work(term, strength, damping, resonance);
      at += term.drude ? 2 : 3;
    }
  }

  VectorXd residual(const VectorXd& values) const {
    VectorXd all(2 * static_cast<Eigen::Index>(points_.size()));
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const double w = points_[i].frequency / middle_;
      Complex eps = 1 + std::exp(values[0]);
      for_each(values, [&](const Term&, double strength, double damping, double resonance) {
        eps += strength / Complex(resonance * resonance - w * w, -damping * w);
      });
      const Complex error = (eps - points_[i].permittivity) / std::abs(points_[i].permittivity);
      all[2 * static_cast<Eigen::Index>(i)] = error.real();
      all[2 * static_cast<Eigen::Index>(i) + 1] = error.imag();
    }
    return all;
  }

  Eigen::MatrixXd jacobian_at(const VectorXd& values, const VectorXd& here) const {
    constexpr double step = 1e-6;
    Eigen::MatrixXd jacobian(here.size(), values.size());
    for (Eigen::Index k = 0; k < values.size(); ++k) {
      VectorXd moved = values;
      moved[k] += step;
      jacobian.col(k) = (residual(moved) - here) / step;
    }
    return jacobian;
  }

  VectorXd bounded(VectorXd values) const {
    values[0] = std::clamp(values[0], weakest, 7.0);
    Eigen::Index at = 1;
    for (const Term& term : terms_) {
      values[at] = std::clamp(values[at], weakest, strongest);
      values[at + 1] = std::clamp(values[at + 1], std::log(term.drude ? 1e-5 : 1e-7), std::log(10.0 * high_));
      if (!term.drude) values[at + 2] = std::clamp(values[at + 2], std::log(0.05 * low_), std::log(3 * high_));
      at += term.drude ? 2 : 3;
    }
    return values;
  }

  const std::vector<OpticalPoint>& points_;
  double middle_, low_, high_, narrowest_;  // Hz; relative to it
  std::vector<Term> terms_;
  VectorXd values_;  // logarithms: a; per pole strength, damping, of Lorentz poles resonance
};

}  // namespace

PoleFit fit_poles(const std::vector<OpticalPoint>& points) {
  constexpr int most_poles = 6;
  constexpr double enough = 2e-3, worth_a_pole = 0.9;
  PoleModel model(points);
  model.improve(100);
  PoleFit best = model.fit();
  for (int pole = 0; pole < most_poles && best.largest_error > enough; ++pole) {
    model.add_pole();
    if (PoleFit fit = model.fit(); fit.mean_error < worth_a_pole * best.mean_error) best = std::move(fit);
  }
  return best;
}

}  // namespace dgtd::physics
