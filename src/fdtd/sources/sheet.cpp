#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>

#include "dgtd/base/error.hpp"
#include "dgtd/base/numpy_file.hpp"
#include "dgtd/physics/sheet_profile.hpp"
#include "fdtd/sources/sheet_face.hpp"

namespace dgtd::fdtd {

namespace {

/// The share of a cell [low, high] that lies in a range.
double overlap(double low, double high, double first, double last) {
  return std::max(0.0, std::min(high, last) - std::max(low, first)) / (high - low);
}

// The rectangle of a sheet across an axis; walls continue it.
class Rectangle {
 public:
  Rectangle(const grid::Setup& setup, const physics::Source& source, int normal) {
    for (int a = 0; a < 3; ++a) {
      x_[a] = setup.grid.nodes(a);
      low_[a] = source.centre[a] - 0.5 * source.size[a];
      high_[a] = source.centre[a] + 0.5 * source.size[a];
      const double slack = 1e-6 * setup.grid.spacing[a].front();
      if (a != normal && (high_[a] <= x_[a].front() || low_[a] >= x_[a].back()))
        throw Error(fmt::format("{}: source.{}: the sheet lies outside the grid, whose {} goes from {} to {} m",
                                source.origin, source.name, "xyz"[a], x_[a].front(), x_[a].back()));
      if (low_[a] <= x_[a].front() + slack) low_[a] = -std::numeric_limits<double>::infinity();
      if (high_[a] >= x_[a].back() - slack) high_[a] = std::numeric_limits<double>::infinity();
    }
  }

  /// The share of the cell around a component of the face that it covers (add_face).
  double share(int w, std::int64_t iw, int u, std::int64_t iu) const {
    const auto& x = x_[u];
    const double along = overlap(x_[w][iw], x_[w][iw + 1], low_[w], high_[w]);
    const double before = iu > 0 ? x[iu - 1] : 2 * x[0] - x[1];
    const double after = iu + 1 < static_cast<std::int64_t>(x.size()) ? x[iu + 1] : 2 * x[iu] - x[iu - 1];
    return along * overlap(0.5 * (before + x[iu]), 0.5 * (x[iu] + after), low_[u], high_[u]);
  }

 private:
  std::array<std::vector<double>, 3> x_;  // m, [nodes]
  std::array<double, 3> low_, high_;      // m
};

// Profile from a text file; none: uniform.
std::optional<physics::SheetProfile> profile_of(const physics::Source& source) {
  if (source.profile.empty()) return {};
  return physics::read_sheet_profile(source.profile, 2 * pi * source.waveform.frequency);
}

}  // namespace

SheetFace sheet_face(const grid::Setup& setup, const physics::Source& source) {
  const int b = source.size.x == 0 ? 0 : source.size.y == 0 ? 1 : 2;
  const std::int64_t node = setup.grid.nearest_node(b, source.centre[b]);
  if (!is_inside(setup, b, node))
    throw Error(fmt::format("{}: source.{}: the sheet lies on or beyond the grid's end along {}", source.origin,
                            source.name, "xyz"[b]));
  const auto& grid = setup.grid;
  return {b,
          {b == 0 ? 1 : 0, b == 2 ? 1 : 2},
          {b, node, source.direction[b] < 0, {0, 0, 0}, {grid.cells(0), grid.cells(1), grid.cells(2)}},
          source.direction[b] == 0,
          grid.nodes(b)[static_cast<std::size_t>(node)],
          grid.spacing[b][static_cast<std::size_t>(node)]};
}

GridWave wave_of(const grid::Setup& setup, const SheetFace& sheet, const physics::Source& source,
                 const Vec3& polarisation, double time_step) {
  physics::Source polarised = source;
  polarised.polarisation = polarisation;
  Vec3 normal;
  normal[sheet.normal] = sheet.way();
  return grid_wave(setup, polarised, normal, middle_cell(setup, sheet.normal, sheet.face.node), time_step);
}

double current_factor(const SheetFace& sheet, const physics::Source& source, double slowness) {
  const double omega = 2 * pi * source.waveform.frequency;
  return sheet.two_sided ? 2 * std::cos(0.5 * omega * slowness * sheet.spacing) : 1;
}

template <class Real>
std::vector<DiscreteSource> discrete_sheet(const grid::Setup& setup, const Discretisation<Real>& d,
                                           const physics::Source& source) {
  const SheetFace sheet = sheet_face(setup, source);
  if (!source.profile.empty() && !std::filesystem::is_regular_file(source.profile))
    throw Error(fmt::format("{}: source.{}: profile = {}: there is no such file", source.origin, source.name,
                            source.profile.string()));
  if (is_numpy_file(source.profile)) return discrete_field_sheet(setup, d, source, sheet);
  const Rectangle rectangle(setup, source, sheet.normal);
  const std::optional<physics::SheetProfile> profile = profile_of(source);
  // s
  const double earliest =
      profile ? std::min(0.0, *std::min_element(profile->delay.begin(), profile->delay.end())) : 0.0;
  const GridWave wave = wave_of(setup, sheet, source, source.polarisation, d.time_step);
  const double current = current_factor(sheet, source, wave.slowness);
  const auto incident = [&](const Vec3& at) {
    const Vec3 from_centre = at - source.centre;
    const auto p =
        profile ? profile->at(from_centre[sheet.axes[0]], from_centre[sheet.axes[1]]) : physics::SheetProfile::Value{1, 0};
    const double amplitude = source.amplitude * p.amplitude;
    return IncidentWave{amplitude * source.polarisation, amplitude * current * wave.magnetic,
                        p.delay - earliest + wave.slowness * sheet.way() * (at[sheet.normal] - sheet.at_node)};
  };
  const auto share = [&](int w, std::int64_t iw, int u, std::int64_t iu) { return rectangle.share(w, iw, u, iu); };
  EquivalentCurrents currents;
  add_face(setup, d, sheet.face, sheet.two_sided, incident, share, background_Cb(setup, d), currents);
  std::vector<DiscreteSource> sources;
  sources.push_back(std::move(currents).lists(source));
  return sources;
}

template std::vector<DiscreteSource> discrete_sheet<float>(const grid::Setup&, const Discretisation<float>&,
                                                           const physics::Source&);
template std::vector<DiscreteSource> discrete_sheet<double>(const grid::Setup&, const Discretisation<double>&,
                                                            const physics::Source&);

}  // namespace dgtd::fdtd
