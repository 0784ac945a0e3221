#include "dgtd/grid/band_mode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/base/log.hpp"
#include "dgtd/base/units.hpp"

namespace dgtd::grid {

namespace {

// Lagrange's polynomials of places among 2^n + 1 ones by their barycentric form, with the weights of Chebyshev's
// extremes (J.-P. Berrut, L. N. Trefethen, SIAM Review 46 (2004) 501). places: rising.
std::vector<double> lagrange(const std::vector<double>& places, double x) {
  std::vector<double> values(places.size());
  double sum = 0;
  for (std::size_t k = 0; k < places.size(); ++k) {
    if (x == places[k]) {
      std::fill(values.begin(), values.end(), 0.0);
      values[k] = 1;
      return values;
    }
    const bool is_end = k == 0 || k + 1 == places.size();
    values[k] = (k % 2 == 0 ? 1 : -1) * (is_end ? 0.5 : 1) / (x - places[k]);
    sum += values[k];
  }
  for (double& value : values) value /= sum;
  return values;
}

double distance(const CrossSection& s, const SectionMode& a, const SectionMode& b) {
  double sum = 0;
  for_free_edges(s, [&](int w, int i, int j, int n) {
    const auto at = static_cast<std::size_t>(n);
    sum += std::pow(a.electric[w][at] - b.electric[w][at], 2) * s.area(w, i, j);
  });
  return std::sqrt(sum);
}

SectionMode weighted(const std::vector<SectionMode>& modes, const std::vector<double>& weights) {
  SectionMode sum = modes.front();
  sum.square = 0;
  for (const std::size_t w : {0, 1}) {
    std::fill(sum.electric[w].begin(), sum.electric[w].end(), 0.0);
    std::fill(sum.magnetic[w].begin(), sum.magnetic[w].end(), 0.0);
  }
  for (std::size_t k = 0; k < modes.size(); ++k) {
    sum.square += weights[k] * modes[k].square;
    for (const std::size_t w : {0, 1})
      for (std::size_t n = 0; n < sum.electric[w].size(); ++n) {
        sum.electric[w][n] += weights[k] * modes[k].electric[w][n];
        sum.magnetic[w][n] += weights[k] * modes[k].magnetic[w][n];
      }
  }
  return sum;
}

class Solutions {
 public:
  Solutions(const CrossSection& section, int number, const Band& band, double time_step, const std::string& what)
      : section_(section), modes_(section), number_(number), band_(band), time_step_(time_step), what_(what) {}

  /// In the middle of the band.
  SectionMode first() const {
    const double frequency = frequency_at(0), k = wave_number(frequency);
    std::vector<SectionMode> found = modes_.at(k, number_ + further);
    std::erase_if(found, [&](const SectionMode& mode) { return !is_guided(section_, mode, k); });
    if (found.size() < std::size_t(number_)) throw too_few(found, frequency, k);
    return found[std::size_t(number_) - 1];
  }
  /// The mode that is most like a given one.
  SectionMode like(const SectionMode& other, double place) const {
    const double frequency = frequency_at(place), k = wave_number(frequency);
    SectionMode best;
    double likeness = 0;
    for (SectionMode& mode : modes_.at(k, number_ + further)) {
      const double overlap = 0.5 * (power_of(section_, mode, other) + power_of(section_, other, mode)) /
                             std::sqrt(power_of(section_, mode, mode) * power_of(section_, other, other));
      if (std::abs(overlap) <= std::abs(likeness)) continue;
      likeness = overlap;
      best = std::move(mode);
    }
    constexpr double least_likeness = 0.7;
    if (!(std::abs(likeness) > least_likeness) || !is_guided(section_, best, k))
      throw Error(
          fmt::format("{}: modes = {}: the plane does not guide this mode at {}, as it does at {}; the "
                      "frequencies must be nearer to each other",
                      what_, number_, units::frequency_text(frequency), units::frequency_text(frequency_at(0))));
    if (likeness < 0)
      for (auto* fields : {&best.electric, &best.magnetic})
        for (auto& values : *fields)
          for (double& value : values) value = -value;
    return best;
  }

 private:
  static constexpr int further = 2;  // modes that are solved for besides
  double frequency_at(double place) const { return std::lerp(band_.first, band_.last, 0.5 * (1 + place)); }
  double wave_number(double frequency) const {
    return 2 / (speed_of_light * time_step_) * std::sin(pi * frequency * time_step_);
  }
  Error too_few(const std::vector<SectionMode>& found, double frequency, double k) const {
    if (found.empty())
      return Error(
          fmt::format("{}: its plane guides no mode at {}; a guide must cross it, with fields that decay "
                      "towards the ends of the plane",
                      what_, units::frequency_text(frequency)));
    std::string indices;
    for (const SectionMode& mode : found)
      indices += fmt::format("{}{:.4g}", indices.empty() ? "" : ", ", std::sqrt(mode.square) / k);
    return Error(fmt::format("{}: modes = {}: at {} its plane guides {} mode{} alone, of effective ind{} {}", what_,
                             number_, units::frequency_text(frequency), found.size(), found.size() == 1 ? "" : "s",
                             found.size() == 1 ? "ex" : "ices", indices));
  }

  const CrossSection& section_;
  SectionModes modes_;
  int number_;
  Band band_;
  double time_step_;  // s
  const std::string& what_;
};

}  // namespace

// Chebyshev's extremes, 3, then 5, 9 and 17 of them: each set has the one before, whose polynomial foretells the new
// solutions, until it is right.
BandMode::BandMode(const CrossSection& section, int number, const Band& band, double time_step, const std::string& what)
    : section_(section), band_(band) {
  const Solutions solve(section, number, band, time_step, what);
  places_ = {0};
  solutions_ = {solve.first()};
  if (band.first == band.last) return;
  constexpr double precision_of_square = 1e-7, precision_of_field = 1e-4;
  for (int intervals = 2; intervals < most_solutions; intervals *= 2) {
    std::vector<double> places;
    std::vector<SectionMode> solutions;
    double error_of_square = 0, error_of_field = 0;
    for (int k = 0; k <= intervals; ++k) {
      if (intervals == 2 ? k == 1 : k % 2 == 0) {
        places.push_back(places_[std::size_t(k / 2)]);
        solutions.push_back(solutions_[std::size_t(k / 2)]);
        continue;
      }
      places.push_back(-std::cos(pi * k / intervals));
      const SectionMode foretold = weighted(solutions_, lagrange(places_, places.back()));
      solutions.push_back(solve.like(foretold, places.back()));
      error_of_square = std::max(error_of_square, std::abs(foretold.square / solutions.back().square - 1));
      error_of_field = std::max(error_of_field, distance(section, foretold, solutions.back()));
    }
    places_ = std::move(places), solutions_ = std::move(solutions);
    if (error_of_square < precision_of_square && error_of_field < precision_of_field) break;
  }
}

std::vector<double> BandMode::weights(double frequency) const {
  if (places_.size() == 1) return {1};
  const double x = 2 * (frequency - band_.first) / (band_.last - band_.first) - 1;
  return lagrange(places_, std::clamp(x, -1.0, 1.0));
}

SectionMode BandMode::at(double frequency) const {
  SectionMode mode = weighted(solutions_, weights(frequency));
  normalise(section_, mode);
  return mode;
}

void BandMode::warn_where_cut(const std::string& what) const {
  constexpr double most_at_rim = 0.02;
  const double at_rim = share_at_rim(section_, solutions_[solutions_.size() / 2]);
  if (at_rim > most_at_rim)
    log::warn(
        "{}: the ends of its plane cut its mode, whose field there is {:.2g} of the largest; a larger size "
        "reflects less",
        what, at_rim);
}

double BandMode::square(double frequency) const {
  const auto w = weights(frequency);
  double sum = 0;
  for (std::size_t k = 0; k < w.size(); ++k) sum += w[k] * solutions_[k].square;
  return sum;
}

}  // namespace dgtd::grid
