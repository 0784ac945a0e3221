#include "dgtd/hpf/sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/physics/waveform.hpp"

namespace dgtd::hpf {

namespace {

[[noreturn]] void reject(const physics::Source& s, const std::string& what) {
  throw Error(fmt::format("{}: source.{}: {}", s.origin, s.name, what));
}

// Where this rank holds a row of the grid, ghosts and the images of a periodic axis included.
std::vector<int> local_rows(const Discretisation& d, std::int64_t row) {
  std::vector<int> rows;
  for (const int image : {0, -1, 1}) {
    const std::int64_t local = row - d.first[1] + image * d.global_nodes[1];
    if ((image == 0 || d.periodic[1]) && local >= -d.ghost_rows && local < d.height + d.ghost_rows)
      rows.push_back(static_cast<int>(local));
  }
  return rows;
}

// lap psi - mu eps psi'' - mu sigma psi' = -P / eps_b,  P^n = dt sum_{m < n} J^{m+1/2}; E = -mu eps_b psi'' is then
// that of J.
SourceRows line_current(const Discretisation& d, const physics::Source& s) {
  if (d.potential != Potential::electric) reject(s, "a dipole along z drives potential = electric only");
  if (s.direction.x != 0 || s.direction.y != 0)
    reject(s, "direction must be along z: the potential has no other component");
  grid::check_inside(d.grid, s.position, fmt::format("{}: source.{}: position", s.origin, s.name));
  SourceRows made;
  struct Weight {
    std::int64_t node;  // global
    double weight;
  };
  std::vector<Weight> near[2];
  for (int a = 0; a < 2; ++a) {
    const auto x = d.grid.nodes(a);
    const std::int64_t below = d.grid.cell_at(a, s.position[a]);
    const double t = (s.position[a] - x[below]) / (x[below + 1] - x[below]);
    const std::int64_t above = d.periodic[a] ? (below + 1) % d.global_nodes[a] : below + 1;
    for (const auto& [node, weight] : {std::pair{below, 1 - t}, std::pair{above, t}})
      if (weight > 0) near[a].push_back({node, weight});
  }
  for (const auto& [column, wi] : near[0])
    for (const auto& [row, wj] : near[1]) {
      const int i = static_cast<int>(column - d.first[0]);
      if (i < 0 || i >= d.width) continue;
      const double volume = d.dual_length(0, i) * d.dual_length(1, static_cast<int>(row - d.first[1])) * d.thickness;
      const double weight =
          d.reference_square() * s.moment * s.direction.z * wi * wj / (volume * d.background_permittivity);
      for (const int j : local_rows(d, row)) made.rows.push_back({j, i, i + 1, 0, weight});
    }
  const auto shape = physics::shape_of(s.waveform);
  made.series.push_back([shape, dt = d.time_step, charge = 0.0](std::int64_t n) mutable {
    const double before = charge;
    charge += dt * physics::value(shape, (double(n) + 0.5) * dt);
    return before;
  });
  return made;
}

// Where psi of a wave f(t - |y - y0| / v) is known on both rows beside the sheet, what the rows miss of L psi or have
// too much of it is added (Taflove and Hagness 2005, sec. 5.6). v is the grid's own speed at the carrier frequency.
SourceRows sheet(const Discretisation& d, const physics::Source& s) {
  if (s.size.y != 0) reject(s, "a sheet of the potentials lies across y: size = X 0 Z");
  if (!s.profile.empty()) reject(s, "profile: sheets of the potentials are uniform");
  const bool electric = d.potential == Potential::electric;
  if (electric ? s.polarisation.z == 0 : s.polarisation.x == 0)
    reject(s, electric ? "polarisation must be along z where potential = electric"
                       : "polarisation must be along x where potential = magnetic");
  const std::int64_t node = d.grid.nearest_node(1, s.centre.y);
  if (node < 2 || node > d.grid.cells(1) - 2) reject(s, "the sheet needs two rows of cells on each side");
  const double dt = d.time_step, omega = 2 * pi * s.waveform.frequency, dy = d.spacing[1];
  const double speed = 1 / std::sqrt(d.permeability * d.background_permittivity);
  // sin(k dy / 2) / dy = sin(w dt / 2) / (v dt)
  const double sine = std::sin(0.5 * omega * dt) * dy / (speed * dt);
  if (sine >= 1) reject(s, "its wavelength is shorter than two rows");
  const double delay = 2 * std::asin(sine) / omega, rate = 2 * std::sin(0.5 * omega * dt) / dt;
  double amplitude = s.amplitude / (d.permeability * d.background_permittivity * rate * rate);
  // H_z of a wave along +y with E along x is -E / Z.
  if (electric) amplitude *= s.polarisation.z;
  else amplitude *= -s.polarisation.x * std::sqrt(d.background_permittivity / d.permeability);
  const double low = s.centre.x - 0.5 * s.size.x, high = s.centre.x + 0.5 * s.size.x;
  const auto x = d.grid.nodes(0);
  if (high < x.front() || low > x.back())
    reject(s, fmt::format("the sheet lies outside the grid, whose x goes from {} to {} m", x.front(), x.back()));
  const double slack = 1e-6 * d.spacing[0];
  int first = 0, last = 0;
  for (int i = 0; i < d.width; ++i) {
    const double at = d.position(i, 0).x;
    if (at < low - slack) first = i + 1;
    if (at <= high + slack) last = i + 1;
  }

  SourceRows made;
  const auto shape = physics::shape_of(s.waveform);
  const double offset = electric ? 0 : 0.5;  // a magnetic potential is half a step behind
  const auto add = [&](std::int64_t row, double weight, Series series) {
    for (const int j : local_rows(d, row))
      if (first < last) made.rows.push_back({j, first, last, static_cast<int>(made.series.size()), weight});
    made.series.push_back(std::move(series));
  };
  const auto wave = [=](std::int64_t n, double later) {
    return physics::value(shape, (double(n) - offset) * dt - later);
  };
  const double weight = amplitude * d.ratio();
  if (s.direction.y != 0) {
    const int way = s.direction.y > 0 ? 1 : -1;
    const double sign = electric ? 1 : way;
    add(node, sign * weight, [=](std::int64_t n) { return wave(n, 0); });
    add(node - way, -sign * weight, [=](std::int64_t n) { return wave(n, delay); });
  } else {
    // To both sides: with psi = f at the sheet, what its row misses. A magnetic potential of an electric sheet is odd
    // across it.
    if (!electric) reject(s, "direction: a magnetic potential is launched to one side: 0 1 0 or 0 -1 0");
    const double a = d.permeability * d.background_permittivity / (dt * dt) * d.reference_square();
    add(node, amplitude, [=, ratio = d.ratio()](std::int64_t n) {
      return a * (wave(n + 1, 0) - 2 * wave(n, 0) + wave(n - 1, 0)) - 2 * ratio * (wave(n, delay) - wave(n, 0));
    });
  }
  return made;
}

}  // namespace

SourceRows source_rows(const Discretisation& d, const physics::Source& source) {
  if (source.type == physics::Source::Type::dipole) return line_current(d, source);
  if (source.type == physics::Source::Type::sheet) return sheet(d, source);
  reject(source, "type: the potentials have sources of type dipole and sheet");
}

}  // namespace dgtd::hpf
