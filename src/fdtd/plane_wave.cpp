#include <fmt/format.h>

#include <cmath>
#include <map>

#include "axis.hpp"
#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/fdtd/sources.hpp"

namespace dgtd::fdtd {

TotalFieldBox total_field_box(const Setup& setup, const config::Source& source) {
  TotalFieldBox box;
  for (int a = 0; a < 3; ++a) {
    const int keep = setup.layer_cells + 4;
    const auto n = static_cast<std::int64_t>(setup.grid.spacing[a].size());
    box.first[a] = source.box_min ? setup.grid.nearest_node(a, (*source.box_min)[a]) : setup.sides[2 * a] == Side::absorbing ? keep : 0;
    box.last[a] = source.box_max ? setup.grid.nearest_node(a, (*source.box_max)[a]) : setup.sides[2 * a + 1] == Side::absorbing ? n - keep : n;
    if (box.first[a] >= box.last[a])
      throw Error(fmt::format("{}: source.{}: the total-field box is empty along {}: give box_min and box_max, or more cells", source.origin, source.name, "xyz"[a]));
  }
  return box;
}

namespace {

/// A plane wave that the scheme carries without error at one frequency: sum_a (sin(k_a d_a / 2) / d_a)^2 =
/// (n sin(w dt / 2) / (c dt))^2, found by Newton's method from k = n w / c.
struct GridWave {
  double slowness;        // of the phase, s/m
  Vec3 magnetic;          // H times the impedance of vacuum for E = polarisation
};

GridWave grid_wave(const Vec3& direction, const Vec3& polarisation, const Vec3& spacing, double omega, double dt, double permittivity, double permeability) {
  const double index = std::sqrt(permittivity * permeability);
  const double right = index * std::sin(0.5 * omega * dt) / (speed_of_light * dt);
  double k = index * omega / speed_of_light;
  for (int iteration = 0; iteration < 20; ++iteration) {
    double left = 0, slope = 0;
    for (int a = 0; a < 3; ++a) {
      const double phase = 0.5 * k * direction[a] * spacing[a];
      left += std::pow(std::sin(phase) / spacing[a], 2);
      slope += std::sin(phase) * std::cos(phase) * direction[a] / spacing[a];
    }
    if (slope == 0) break;
    k -= (left - right * right) / slope;
  }
  Vec3 wave;
  for (int a = 0; a < 3; ++a) wave[a] = 2 / spacing[a] * std::sin(0.5 * k * direction[a] * spacing[a]);
  const double frequency = 2 / dt * std::sin(0.5 * omega * dt);
  return {k / omega, speed_of_light / (permeability * frequency) * cross(wave, polarisation)};
}

/// Entries, in lists without an index twice.
class Lists {
 public:
  void add(std::uint64_t index, double weight, double delay) {
    if (weight == 0) return;
    const std::size_t list = times_[index]++;
    if (lists.size() <= list) lists.emplace_back();
    lists[list].index.push_back(index);
    lists[list].weight.push_back(weight);
    lists[list].delay.push_back(delay);
  }
  std::vector<DriveList> lists;

 private:
  std::map<std::uint64_t, std::size_t> times_;
};

}  // namespace

template <class Real>
SourceLists plane_wave_lists(const Setup& setup, const Discretisation<Real>& d, const config::Source& source, double permittivity, double permeability) {
  const TotalFieldBox box = total_field_box(setup, source);
  Vec3 corner, spacing;
  for (int a = 0; a < 3; ++a) {
    const auto x = setup.grid.nodes(a);
    corner[a] = source.direction[a] >= 0 ? x[box.first[a]] : x[box.last[a]];
    spacing[a] = setup.grid.spacing[a][static_cast<std::size_t>((box.first[a] + box.last[a]) / 2)];
  }
  const GridWave wave = grid_wave(source.direction, source.polarisation, spacing, 2 * pi * source.waveform.frequency, d.time_step, permittivity, permeability);
  const auto delay = [&](const Vec3& x) { return wave.slowness * dot(source.direction, x - corner); };
  const Vec3 electric = source.amplitude * source.polarisation, magnetic = source.amplitude * wave.magnetic;
  const double electric_rate = speed_of_light * d.time_step / permittivity, magnetic_rate = speed_of_light * d.time_step / permeability;

  Lists to_electric, to_magnetic;
  for (int b = 0; b < 3; ++b) {
    const int a = (b + 2) % 3, c = (b + 1) % 3;
    const GlobalAxis axis = make_axis(setup, b);
    for (const bool upper : {false, true}) {
      const std::int64_t node = upper ? box.last[b] : box.first[b];
      if (node <= 0 || node >= setup.grid.cells(b)) continue;  // the grid ends there
      const double sign = upper ? 1 : -1;
      const std::int64_t outside = upper ? node : node - 1;    // index of H on the scattered side
      // E_a with H_c and E_c with H_a stand at the same place of the face: u on a node, w between nodes.
      for (const auto& [w, u] : {std::pair{a, c}, std::pair{c, a}}) {
        const int e = w, h = u;                                // E along w, H along u
        // curl_a += d_b F_c, curl_c -= d_b F_a
        const double turn = e == a ? 1 : -1;
        for (std::int64_t iw = box.first[w]; iw < box.last[w]; ++iw)
          for (std::int64_t iu = box.first[u]; iu <= box.last[u]; ++iu) {
            std::int64_t global[3];
            global[w] = iw, global[u] = iu, global[b] = node;
            int at[3];
            bool across_here = true;
            for (const int s : {w, u}) {
              at[s] = static_cast<int>(global[s] - d.block.first[s]);
              across_here = across_here && at[s] >= 0 && at[s] < d.layout.cells[s];
            }
            if (!across_here) continue;
            const auto here = [&](std::int64_t g) { return g >= d.block.first[b] && g < d.block.first[b] + d.layout.cells[b]; };
            const auto entry = [&](int component) { return static_cast<std::uint64_t>(component * d.layout.reals + d.layout.index(at[0], at[1], at[2])); };
            if (here(node)) {
              // The difference across the face takes a scattered H for a total one.
              at[b] = static_cast<int>(node - d.block.first[b]);
              Vec3 x = d.position(true, e, at[0], at[1], at[2]);
              const int below = at[b] + (upper ? 1 : 0);       // centres count from index -1
              x[b] = d.centres[b][below];
              to_electric.add(entry(e), sign * turn * electric_rate * axis.electric_inverse[node] * magnetic[h], delay(x));
            }
            if (here(outside)) {
              at[b] = static_cast<int>(outside - d.block.first[b]);
              Vec3 x = d.position(false, h, at[0], at[1], at[2]);
              x[b] = d.nodes[b][at[b] + (upper ? 1 : 2)];
              // H along h gains -rate curl_h; of d_b E_e the coefficient is the opposite of that of d_b H_h in curl_e.
              to_magnetic.add(entry(h), sign * turn * magnetic_rate * axis.magnetic_inverse[outside] * electric[e], delay(x));
            }
          }
      }
    }
  }
  // What the wave carries through the box's surface at its peak, ten times over: scattered fields add to it there.
  double area = 0;
  for (int a = 0; a < 3; ++a) {
    const auto x = setup.grid.nodes((a + 1) % 3), y = setup.grid.nodes((a + 2) % 3);
    area += 2 * (x.back() - x.front()) * (y.back() - y.front());
  }
  const double power = 10 * source.amplitude * source.amplitude / vacuum_impedance * std::sqrt(permittivity / permeability) * area;
  return {physics::shape_of(source.waveform), std::move(to_electric.lists), std::move(to_magnetic.lists), power};
}

template SourceLists plane_wave_lists<float>(const Setup&, const Discretisation<float>&, const config::Source&, double, double);
template SourceLists plane_wave_lists<double>(const Setup&, const Discretisation<double>&, const config::Source&, double, double);

}  // namespace dgtd::fdtd
