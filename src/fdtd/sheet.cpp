#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>

#include "dgtd/base/error.hpp"
#include "equivalent_currents.hpp"
#include "grid_wave.hpp"
#include "sheet_profile.hpp"

namespace dgtd::fdtd {

namespace {

/// The share of a cell [low, high] that lies in a range.
double overlap(double low, double high, double first, double last) {
  return std::max(0.0, std::min(high, last) - std::max(low, first)) / (high - low);
}

}  // namespace

// A uniform sheet J_s = -2 E0 f(t) / Z launches E0 f(t) to both sides. On the grid the field of a wave a half cell
// beside the sheet is turned by k d / 2, so that the current is 2 E0 cos(k d / 2) / Z, with k at the carrier frequency.
template <class Real>
SourceLists sheet_lists(const grid::Setup& setup, const Discretisation<Real>& d, const physics::Source& source) {
  const Background background{setup.materials.front().permittivity, setup.materials.front().permeability};
  const int b = source.size.x == 0 ? 0 : source.size.y == 0 ? 1 : 2, a0 = b == 0 ? 1 : 0, a1 = b == 2 ? 1 : 2;
  const std::int64_t node = setup.grid.nearest_node(b, source.centre[b]);
  if (node <= 0 || node >= setup.grid.cells(b))
    throw Error(fmt::format("{}: source.{}: the sheet lies on or beyond the grid's end along {}", source.origin,
                            source.name, "xyz"[b]));

  std::array<std::vector<double>, 3> x;
  std::array<double, 3> low{}, high{};  // of the rectangle, m; walls continue it
  Face face{b, node, source.direction[b] < 0, {}, {}};
  for (int a = 0; a < 3; ++a) {
    x[a] = setup.grid.nodes(a);
    face.first[a] = 0;
    face.last[a] = setup.grid.cells(a);
    low[a] = source.centre[a] - 0.5 * source.size[a];
    high[a] = source.centre[a] + 0.5 * source.size[a];
    const double slack = 1e-6 * setup.grid.spacing[a].front();
    if (a != b && (high[a] <= x[a].front() || low[a] >= x[a].back()))
      throw Error(fmt::format("{}: source.{}: the sheet lies outside the grid, whose {} goes from {} to {} m",
                              source.origin, source.name, "xyz"[a], x[a].front(), x[a].back()));
    if (low[a] <= x[a].front() + slack) low[a] = -std::numeric_limits<double>::infinity();
    if (high[a] >= x[a].back() - slack) high[a] = std::numeric_limits<double>::infinity();
  }
  const auto share = [&](int w, std::int64_t iw, int u, std::int64_t iu) {
    const double along = overlap(x[w][iw], x[w][iw + 1], low[w], high[w]);
    const double before = iu > 0 ? x[u][iu - 1] : 2 * x[u][0] - x[u][1];
    const double after = iu + 1 < static_cast<std::int64_t>(x[u].size()) ? x[u][iu + 1] : 2 * x[u][iu] - x[u][iu - 1];
    return along * overlap(0.5 * (before + x[u][iu]), 0.5 * (x[u][iu] + after), low[u], high[u]);
  };

  const bool two_sided = source.direction[b] == 0;
  const double omega = 2 * pi * source.waveform.frequency;
  std::optional<SheetProfile> profile;
  double earliest = 0;  // s
  if (!source.profile.empty()) {
    if (!std::filesystem::is_regular_file(source.profile))
      throw Error(fmt::format("{}: source.{}: profile = {}: there is no such file", source.origin, source.name,
                              source.profile.string()));
    profile = read_sheet_profile(source.profile, omega);
    earliest = std::min(0.0, *std::min_element(profile->delay.begin(), profile->delay.end()));
  }
  Vec3 normal, spacing;
  normal[b] = face.upper ? -1 : 1;
  for (int a = 0; a < 3; ++a)
    spacing[a] = setup.grid.spacing[a][static_cast<std::size_t>(a == b ? node : setup.grid.cells(a) / 2)];
  const GridWave wave = grid_wave(normal, source.polarisation, spacing, omega, d.time_step, background.permittivity,
                                  background.permeability);
  const double current = two_sided ? 2 * std::cos(0.5 * omega * wave.slowness * spacing[b]) : 1;
  const auto incident = [&](const Vec3& at) {
    const Vec3 from_centre = at - source.centre;
    const auto p = profile ? profile->at(from_centre[a0], from_centre[a1]) : SheetProfile::Value{1, 0};
    const double amplitude = source.amplitude * p.amplitude;
    return IncidentWave{amplitude * source.polarisation, amplitude * current * wave.magnetic,
                        p.delay - earliest + wave.slowness * normal[b] * (at[b] - x[b][node])};
  };
  EntryLists to_electric, to_magnetic;
  add_face(setup, d, background, face, two_sided, incident, share, to_electric, to_magnetic);
  return {physics::shape_of(source.waveform),
          std::move(to_electric.lists),
          std::move(to_magnetic.lists),
          std::numeric_limits<double>::infinity(),
          {}};
}

template SourceLists sheet_lists<float>(const grid::Setup&, const Discretisation<float>&, const physics::Source&);
template SourceLists sheet_lists<double>(const grid::Setup&, const Discretisation<double>&, const physics::Source&);

}  // namespace dgtd::fdtd
