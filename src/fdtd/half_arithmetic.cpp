#include "half_arithmetic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace dgtd::fdtd {

namespace {

double as_half(double x) { return double(float(Half(static_cast<float>(x)))); }

// The value that most cells have, but 0.
float most_frequent(const std::vector<float>& values) {
  std::map<float, int> count;
  for (const float value : values)
    if (value != 0) ++count[value];
  const auto most = std::max_element(count.begin(), count.end(), [](auto& a, auto& b) { return a.second < b.second; });
  return most == count.end() ? 0.0f : most->first;
}

// The rate of the class of most tiles that are of one and have no losses; 0 if there is none.
float common_rate(const HalfStepArrays<float>& half) {
  std::map<int, std::size_t> count;
  for (const TileBatch& b : half.batches)
    for (const Tile& tile : b.tiles)
      if (tile.classes < 0 && half.classes[static_cast<std::size_t>(tile.medium_class)].keep == 1)
        ++count[tile.medium_class];
  const auto most = std::max_element(count.begin(), count.end(), [](auto& a, auto& b) { return a.second < b.second; });
  return most == count.end() ? 0.0f : half.classes[static_cast<std::size_t>(most->first)].rate;
}

}  // namespace

double length_of_half_arithmetic(const Discretisation<float>& d) {
  double largest = 0;  // 1/m
  for (const AxisArrays<float>& axis : d.electric.axis)
    for (const float inverse : axis.inverse_distance) largest = std::max(largest, double(inverse));
  return largest > 0 ? std::ldexp(1.0, -std::ilogb(largest)) : 1.0;
}

double error_of_half_arithmetic(const std::vector<std::array<double, 2>>& coefficients, double scale) {
  double largest = 0;
  for (const auto& [e, h] : coefficients)
    largest = std::max(largest, std::abs(as_half(e * scale) * as_half(h / scale) / (e * h) - 1));
  return largest;
}

double scale_of_half_arithmetic(const std::vector<std::array<double, 2>>& coefficients) {
  // Each coefficient has about 1400 halves in this range, so a product some 3000 values, with errors of up to 2^-11.
  constexpr int tried = 1 << 16;
  const auto scale = [](double n) { return std::exp2(n / tried - 0.5); };
  double least = error_of_half_arithmetic(coefficients, 1);
  if (least == 0) return 1;
  int first = tried / 2, last = first;  // of the best ones, between which the halves are the same
  for (int n = 0; n < tried; ++n) {
    const double error = error_of_half_arithmetic(coefficients, scale(n));
    if (error < least) first = last = n, least = error;
    else if (error == least && last + 1 == n) last = n;
  }
  return scale(0.5 * (first + last));
}

double scale_of_half_arithmetic(const Discretisation<float>& d) {
  const float electric = common_rate(d.electric), magnetic = common_rate(d.magnetic);
  std::vector<std::array<double, 2>> coefficients;
  for (std::size_t a = 0; a < 3; ++a) {
    const std::array<double, 2> along{double(electric) * most_frequent(d.electric.axis[a].inverse_distance),
                                      double(magnetic) * most_frequent(d.magnetic.axis[a].inverse_distance)};
    if (along[0] != 0 && along[1] != 0) coefficients.push_back(along);
  }
  return scale_of_half_arithmetic(coefficients);
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
