#include "dgtd/physics/optical_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fstream>
#include <locale>
#include <sstream>
#include <utility>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/base/units.hpp"

namespace dgtd::physics {
namespace {

constexpr std::size_t most_rows = 100000;

std::vector<std::string> words_of(std::string line) {
  line = line.substr(0, line.find('#'));
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c == ',' || c == ';' || c == '\r' || c == '\t'; }, ' ');
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

bool number_in(const std::string& word, double& value) {
  std::istringstream stream(word);
  stream.imbue(std::locale::classic());
  return stream >> value && stream.peek() == std::char_traits<char>::eof() && std::isfinite(value);
}

// Metres per unit of a header such as "wavelength (um) n k"; 0: it names none that is known.
double unit_in(const std::string& header) {
  std::string word;
  std::vector<std::string> words;
  for (const char c : header + " ") {
    const auto letter = static_cast<unsigned char>(c);
    if (std::isalpha(letter) || letter >= 0x80) word += c;
    else if (!word.empty()) words.push_back(std::move(word)), word.clear();
  }
  for (const std::string& w : words) {
    if (w == "nm") return 1e-9;
    if (w == "um" || w == "\u00b5m" || w == "\u03bcm" || w == "micron" || w == "microns") return 1e-6;
    if (w == "mm") return 1e-3;
    if (w == "m") return 1;
  }
  return 0;
}

OpticalPoint point_of(const std::vector<std::string>& words, double unit, const std::string& place) {
  const auto bad = [&](std::string_view what) {
    throw Error(fmt::format("{}: {}; a row has wavelength > 0, n >= 0 and k >= 0, not both 0", place, what));
  };
  if (words.size() != 3) bad(fmt::format("{} columns in place of 3", words.size()));
  double values[3];
  for (std::size_t i = 0; i < 3; ++i)
    if (!number_in(words[i], values[i])) bad(fmt::format("'{}' is no number", words[i]));
  const double wavelength = values[0] * unit, n = values[1], k = values[2];
  if (!(wavelength > 1e-12 && wavelength < 1e6)) bad(fmt::format("a wavelength of {:g} m", wavelength));
  if (!(n >= 0 && k >= 0 && n + k > 1e-6 && n + k < 1e6)) bad(fmt::format("n = {:g}, k = {:g}", n, k));
  const std::complex<double> index(n, k);
  return {speed_of_light / wavelength, index * index};
}

std::string wavelengths_text(double lowest, double highest) {
  return fmt::format("{} to {}", units::length_text(speed_of_light / highest, 4),
                     units::length_text(speed_of_light / lowest, 4));
}

}  // namespace

std::vector<OpticalPoint> read_optical_table(const std::filesystem::path& file) {
  std::ifstream stream(file);
  if (!stream) throw Error(fmt::format("{}: cannot be read", file.string()));
  std::vector<OpticalPoint> points;
  double unit = 1;
  bool first = true;
  std::string line;
  for (std::size_t number = 1; std::getline(stream, line); ++number) {
    const auto words = words_of(line);
    if (words.empty()) continue;
    const std::string place = fmt::format("{}:{}", file.string(), number);
    double value = 0;
    if (std::exchange(first, false) && !number_in(words[0], value)) {
      unit = unit_in(line);
      if (unit == 0)
        throw Error(
            fmt::format("{}: the header names no unit of the wavelength; allowed are nm, um, mm and m, as in "
                        "\"wavelength (nm) n k\"",
                        place));
      continue;
    }
    if (points.size() == most_rows) throw Error(fmt::format("{}: more than {} rows", place, most_rows));
    points.push_back(point_of(words, unit, place));
  }
  if (points.size() < 3)
    throw Error(fmt::format("{}: has {} rows of wavelength, n and k, and a fit needs at least 3", file.string(),
                            points.size()));
  std::sort(points.begin(), points.end(),
            [](const OpticalPoint& a, const OpticalPoint& b) { return a.frequency < b.frequency; });
  for (std::size_t i = 0; i + 1 < points.size(); ++i)
    if (points[i + 1].frequency - points[i].frequency < 1e-9 * points[i].frequency)
      throw Error(fmt::format("{}: the wavelength {} is there twice", file.string(),
                              units::length_text(speed_of_light / points[i].frequency, 6)));
  return points;
}

TableFit fit_over_band(const std::vector<OpticalPoint>& all, const Band* band, Medium& medium) {
  std::vector<OpticalPoint> points = all;
  if (band) {
    constexpr double rounding = 1e-6;
    if (band->lowest > all.back().frequency * (1 + rounding) || band->highest < all.front().frequency * (1 - rounding))
      throw Error(fmt::format("has wavelengths from {}, and the case uses {}",
                              wavelengths_text(all.front().frequency, all.back().frequency),
                              wavelengths_text(band->lowest, band->highest)));
    // With the rows next to the band on both sides, so that its ends are fitted, too.
    std::size_t begin = 0, end = all.size();
    while (begin + 1 < all.size() && all[begin + 1].frequency <= band->lowest) ++begin;
    while (end > begin + 1 && all[end - 2].frequency >= band->highest) --end;
    // A band of one frequency has those nearest to it, not the whole table, which poles meet less well.
    constexpr std::size_t fewest = 5;
    while (end - begin < std::min(fewest, all.size())) {
      if (begin > 0) --begin;
      if (end < all.size() && end - begin < fewest) ++end;
    }
    points.assign(all.begin() + static_cast<std::ptrdiff_t>(begin), all.begin() + static_cast<std::ptrdiff_t>(end));
  }
  const PoleFit fit = fit_poles(points);
  medium.permittivity = fit.medium.permittivity;
  medium.poles = fit.medium.poles;
  const Band used{points.front().frequency, points.back().frequency};
  return {
      "", "", used, static_cast<int>(fit.medium.poles.size()), fit.mean_error, fit.largest_error, std::move(points)};
}

TableFit fit_table(const std::filesystem::path& file, const Band* band, Medium& medium) {
  const auto points = read_optical_table(file);
  try {
    TableFit fit = fit_over_band(points, band, medium);
    fit.file = file.filename().string();
    return fit;
  } catch (const Error& error) { throw Error(fmt::format("{}: {}", file.string(), error.what())); }
}

}  // namespace dgtd::physics
