#include "half_arithmetic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace dgtd::fdtd {

namespace {

// The value that most cells have, but 0.
float most_frequent(const std::vector<float>& values) {
  std::map<float, int> count;
  for (const float value : values)
    if (value != 0) ++count[value];
  const auto most = std::max_element(count.begin(), count.end(), [](auto& a, auto& b) { return a.second < b.second; });
  return most == count.end() ? 0.0f : most->first;
}

// The rate of the class of most tiles that are of one and have no losses; if there is none, the largest rate.
float common_rate(const HalfStepArrays<float>& half) {
  std::map<int, std::size_t> count;
  for (const TileBatch& b : half.batches)
    for (const Tile& tile : b.tiles)
      if (tile.classes < 0 && half.classes[static_cast<std::size_t>(tile.medium_class)].keep == 1)
        ++count[tile.medium_class];
  const auto most = std::max_element(count.begin(), count.end(), [](auto& a, auto& b) { return a.second < b.second; });
  if (most != count.end()) return half.classes[static_cast<std::size_t>(most->first)].rate;
  float largest = 0;
  for (const MediumClass<float>& m : half.classes) largest = std::max(largest, m.rate);
  return largest;
}

}  // namespace

float half_coefficient(float rate, float inverse_distance, float length) {
  return float(in_lengths<HalfNumber>(rate, 1 / length) * in_lengths<HalfNumber>(inverse_distance, length));
}

double error_of_half_arithmetic(const HalfCoefficients& exact, const HalfUnits& units) {
  double largest = 0;
  const auto electric = static_cast<float>(exact.rate[0] * units.magnetic_scale),
             magnetic = static_cast<float>(exact.rate[1] / units.magnetic_scale);
  for (const auto& [e, h] : exact.distances) {
    const double product = double(half_coefficient(electric, static_cast<float>(1 / e), units.length)) *
                           double(half_coefficient(magnetic, static_cast<float>(1 / h), units.length));
    largest = std::max(largest, std::abs(product / (exact.rate[0] / e * exact.rate[1] / h) - 1));
  }
  return largest;
}

HalfUnits units_of_half_arithmetic(const HalfCoefficients& exact) {
  if (exact.distances.empty()) return {1, 1};
  double length = exact.distances[0][0];
  for (const auto& [e, h] : exact.distances) length = std::min(length, e);
  // A rate has about 1400 halves in this range, so the product some 3000 values, with errors of up to 2^-11.
  constexpr int tried = 1 << 15;
  const auto units = [&](double n) { return HalfUnits{std::exp2(n / tried - 0.5), static_cast<float>(length)}; };
  const HalfUnits one{1, static_cast<float>(length)};
  double least = error_of_half_arithmetic(exact, one);
  if (least == 0) return one;
  int first = tried / 2, last = first;  // of the best ones, between which the halves are the same
  for (int n = 0; n < tried; ++n) {
    const double error = error_of_half_arithmetic(exact, units(n));
    if (error < least) first = last = n, least = error;
    else if (error == least && last + 1 == n) last = n;
  }
  return units(0.5 * (first + last));
}

HalfUnits units_of_half_arithmetic(const Discretisation<float>& d) {
  HalfCoefficients exact{{double(common_rate(d.electric)), double(common_rate(d.magnetic))}, {}};
  for (std::size_t a = 0; a < 3; ++a) {
    const float e = most_frequent(d.electric.axis[a].inverse_distance),
                h = most_frequent(d.magnetic.axis[a].inverse_distance);
    if (e != 0 && h != 0) exact.distances.push_back({1 / double(e), 1 / double(h)});
  }
  return units_of_half_arithmetic(exact);
}

std::vector<MediumClass<float>> in_scale(std::vector<MediumClass<float>> classes, double factor) {
  for (MediumClass<float>& m : classes) m.rate = static_cast<float>(m.rate * factor);
  return classes;
}

std::string why_no_half_arithmetic(const Discretisation<float>& d) {
  // Halves below 1 are multiples of 2^-11, so that what a factor takes away is off by up to 2^-12.
  constexpr double least_loss = 0x1p-12 / 0.02;
  for (const auto* half : {&d.electric, &d.magnetic})
    for (const MediumClass<float>& m : half->classes)
      if (m.keep != 1 && std::abs(1 - double(m.keep)) < least_loss)
        return fmt::format("half precision with a medium that takes less than {:.1g} of the field per step",
                           least_loss);
  return "";
}

}  // namespace dgtd::fdtd
