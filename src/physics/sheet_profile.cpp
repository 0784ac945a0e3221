#include "dgtd/physics/sheet_profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <fstream>
#include <sstream>
#include <string>

#include "dgtd/base/error.hpp"

namespace dgtd::physics {

namespace {

constexpr double same_place = 1e-9;  // of the points' extent

std::vector<std::string> columns_of(std::string line) {
  line = line.substr(0, line.find('#'));
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c == ',' || c == ';' || c == '\r'; }, ' ');
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

bool parse(const std::string& word, double& value) {
  std::istringstream stream(word);
  stream.imbue(std::locale::classic());
  return stream >> value && stream.peek() == std::char_traits<char>::eof() && std::isfinite(value);
}

/// Different values in ascending order.
std::vector<double> distinct(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const double least = same_place * (values.back() - values.front());
  values.erase(std::unique(values.begin(), values.end(), [&](double a, double b) { return b - a <= least; }),
               values.end());
  return values;
}

std::size_t nearest(const std::vector<double>& values, double x) {
  const auto above = static_cast<std::size_t>(std::lower_bound(values.begin(), values.end(), x) - values.begin());
  if (above == 0) return 0;
  if (above == values.size() || x - values[above - 1] < values[above] - x) return above - 1;
  return above;
}

}  // namespace

SheetProfile::Value SheetProfile::at(double x, double y) const {
  const double slack_u = same_place * (u.back() - u.front()), slack_v = same_place * (v.back() - v.front());
  if (x < u.front() - slack_u || x > u.back() + slack_u || y < v.front() - slack_v || y > v.back() + slack_v)
    return {0, 0};
  const auto cell = [](const std::vector<double>& values, double at) {
    const auto above = std::upper_bound(values.begin(), values.end(), at) - values.begin();
    return static_cast<std::size_t>(
        std::clamp<std::ptrdiff_t>(above - 1, 0, static_cast<std::ptrdiff_t>(values.size()) - 2));
  };
  const std::size_t i = cell(u, x), j = cell(v, y), n = u.size();
  const double s = std::clamp((x - u[i]) / (u[i + 1] - u[i]), 0.0, 1.0),
               t = std::clamp((y - v[j]) / (v[j + 1] - v[j]), 0.0, 1.0);
  const auto between = [&](const std::vector<double>& values) {
    return (1 - t) * ((1 - s) * values[j * n + i] + s * values[j * n + i + 1]) +
           t * ((1 - s) * values[(j + 1) * n + i] + s * values[(j + 1) * n + i + 1]);
  };
  return {between(amplitude), between(delay)};
}

SheetProfile read_sheet_profile(const std::filesystem::path& file, double angular_frequency) {
  std::ifstream stream(file);
  if (!stream) throw Error(fmt::format("{}: cannot be read", file.string()));
  std::vector<std::array<double, 4>> points;
  double delay_unit = 1;
  std::string line;
  bool first = true;
  for (int number = 1; std::getline(stream, line); ++number) {
    const auto words = columns_of(line);
    if (words.empty()) continue;
    std::array<double, 4> point{};
    const bool right_length = words.size() == 3 || words.size() == 4;
    bool good = right_length;
    for (std::size_t i = 0; good && i < words.size(); ++i) good = parse(words[i], point[i]);
    if (!good && first && right_length && std::isalpha(static_cast<unsigned char>(words[0][0]))) {
      const std::string last = words.size() == 4 ? words[3] : "delay";
      if (last.starts_with("phase")) delay_unit = 1 / angular_frequency;
      else if (!last.starts_with("delay"))
        throw Error(
            fmt::format("{}:{}: column '{}': the fourth is delay (s) or phase (rad)", file.string(), number, last));
    } else if (!good) {
      throw Error(
          fmt::format("{}:{}: must be 3 or 4 numbers: u and v in m, amplitude, and delay in s", file.string(), number));
    } else {
      points.push_back(point);
    }
    first = false;
  }
  if (points.empty()) throw Error(fmt::format("{}: holds no point", file.string()));

  SheetProfile profile;
  std::vector<double> all_u, all_v;
  for (const auto& p : points) all_u.push_back(p[0]), all_v.push_back(p[1]);
  profile.u = distinct(all_u);
  profile.v = distinct(all_v);
  const std::size_t nu = profile.u.size(), nv = profile.v.size();
  profile.amplitude.assign(nu * nv, 0);
  profile.delay = profile.amplitude;
  std::vector<bool> given(nu * nv, false);
  for (const auto& p : points) {
    const std::size_t n = nearest(profile.v, p[1]) * nu + nearest(profile.u, p[0]);
    given[n] = true;
    profile.amplitude[n] = p[2];
    profile.delay[n] = p[3] * delay_unit;
  }
  if (nu < 2 || nv < 2 || points.size() != nu * nv || std::count(given.begin(), given.end(), false) > 0)
    throw Error(fmt::format(
        "{}: its {} points fill no rectangular lattice of at least 2 x 2: there are {} different u and {} different v",
        file.string(), points.size(), nu, nv));
  return profile;
}

}  // namespace dgtd::physics
