#include "pattern_body.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dgtd/base/constants.hpp"

namespace dgtd::observers {

namespace {

// Numbers from 0 to count - 1, both among them, at most so many.
std::vector<std::size_t> thinned(std::size_t count, std::size_t most) {
  const std::size_t intervals = std::min(count, most) - 1;
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i <= intervals; ++i) numbers.push_back(i * (count - 1) / intervals);
  return numbers;
}

}  // namespace

io::Scene pattern_body(const physics::FarField& far, const std::vector<double>& directivity, const std::string& text) {
  constexpr std::size_t most_theta = 91, most_phi = 121, least_theta = 7, least_phi = 12;
  io::Scene scene;
  const auto thetas = static_cast<std::size_t>(far.theta), phis = static_cast<std::size_t>(far.phi);
  if (thetas < least_theta || phis < least_phi) return scene;
  const double largest = *std::max_element(directivity.begin(), directivity.end());
  const double size = 0.5 * std::min({far.size.x, far.size.y, far.size.z});              // m
  const auto rows = thinned(thetas, most_theta), columns = thinned(phis + 1, most_phi);  // the last column is the first
  const auto value = [&](std::size_t row, std::size_t column) {
    return directivity[rows[row] * phis + columns[column] % phis];
  };
  io::Scene::Surface body;
  body.values.resize(1);
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j + 1 < columns.size(); ++j) {
      const double theta = pi * double(rows[i]) / double(thetas - 1), phi = 2 * pi * double(columns[j]) / double(phis);
      const Vec3 towards{std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi), std::cos(theta)};
      const Vec3 at = far.centre + size * value(i, j) / largest * towards;
      body.points.push_back({static_cast<float>(at.x), static_cast<float>(at.y), static_cast<float>(at.z)});
    }
  const std::size_t around = columns.size() - 1;
  const auto number = [&](std::size_t i, std::size_t j) { return static_cast<std::uint32_t>(i * around + j % around); };
  const auto add = [&](std::array<std::size_t, 2> a, std::array<std::size_t, 2> b, std::array<std::size_t, 2> c) {
    body.triangles.push_back({number(a[0], a[1]), number(b[0], b[1]), number(c[0], c[1])});
    body.values[0].push_back(static_cast<float>((value(a[0], a[1]) + value(b[0], b[1]) + value(c[0], c[1])) / 3));
  };
  const std::size_t last = rows.size() - 1;
  for (std::size_t j = 0; j < around; ++j) {
    add({0, 0}, {1, j}, {1, j + 1});  // at the poles the corners of a row are one
    for (std::size_t i = 1; i + 1 < last; ++i) {
      add({i, j}, {i + 1, j}, {i, j + 1});
      add({i + 1, j}, {i + 1, j + 1}, {i, j + 1});
    }
    add({last - 1, j}, {last, 0}, {last - 1, j + 1});
  }
  scene.title = "Directivity at " + text;
  scene.note = fmt::format(
      "The distance from the centre is the directivity, the largest one, {:.3g}, half the shortest side of the box. "
      "Drag "
      "to turn, with the right button or shift to move, wheel to zoom.",
      largest);
  scene.quantities = {{io::ColourMap::viridis, 0, largest, false, "", "directivity"}};
  scene.materials = {{"pattern", io::material_colour(0)}};
  scene.surfaces = {std::move(body)};
  constexpr io::Scene::Colour colours[] = {{200, 60, 60}, {60, 150, 60}, {60, 90, 200}};
  for (int a = 0; a < 3; ++a) {
    io::Scene::Point from, to;
    for (int b = 0; b < 3; ++b) from[b] = to[b] = static_cast<float>(far.centre[b]);
    to[a] += static_cast<float>(size);
    scene.lines.push_back({std::string(1, "xyz"[a]), colours[a], {{from, to}}});
  }
  return scene;
}

}  // namespace dgtd::observers
