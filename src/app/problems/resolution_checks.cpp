#include "app/problems/resolution_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <string>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/base/log.hpp"
#include "dgtd/base/units.hpp"

namespace dgtd::app {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double no_steps = 2, least_steps = 4, few_steps = 10;  // per period

// Hz, the lowest carrier: what a case cannot do without. 0: there are no sources.
double lowest_carrier(const config::Case& c) {
  double lowest = infinity;
  for (const auto& w : config::waveforms(c)) lowest = std::min(lowest, w.frequency);
  return std::isfinite(lowest) ? lowest : 0;
}

/// m; what does not limit the resolution is infinite.
struct Lengths {
  double wave = infinity;   // wavelength of a plane wave, where it propagates
  double depth = infinity;  // skin depth, where it does not: in metals and good conductors
};

// A plane wave exp(i omega n z / c) with n^2 = eps mu has the wavelength c / (f Re n) and falls to 1/e over
// c / (omega Im n).
Lengths lengths_in(const config::Material& m, double frequency) {
  if (m.perfect_conductor || frequency == 0) return {};
  const auto eps = physics::permittivity(m, 2 * pi * frequency);
  const auto index = std::sqrt(eps * m.permeability);
  if (eps.real() > 0 && std::abs(eps.imag()) <= 3 * eps.real())
    return {speed_of_light / frequency / index.real(), infinity};
  return {infinity, speed_of_light / (2 * pi * frequency) / std::abs(index.imag())};
}

void check_steps(double frequency, double carrier, double time_step) {
  if (carrier > 0 && 1 / (carrier * time_step) < least_steps)
    throw Error(
        fmt::format("a period of {:.6g} Hz has {:.2g} time steps of {}, and it needs {} at least: the domain "
                    "is too coarse for this frequency",
                    carrier, 1 / (carrier * time_step), units::time_text(time_step), least_steps));
  if (frequency > 0 && 1 / (frequency * time_step) < no_steps)
    throw Error(fmt::format(
        "a period of {:.6g} Hz has {:.2g} time steps of {}, and spectra and sources need {} at least: a lower "
        "frequency or smaller cells are needed",
        frequency, 1 / (frequency * time_step), units::time_text(time_step), no_steps));
  if (frequency > 0 && 1 / (frequency * time_step) < few_steps)
    log::warn("a period of {:.6g} Hz has {:.2g} time steps; below {} results are inaccurate", frequency,
              1 / (frequency * time_step), few_steps);
}

/// Words of messages for cells or elements, and for the remedy.
struct Wording {
  const char *cells, *remedy, *remedy_of_conductors;
};

/// Lengths of cells (or edges over the order) in wavelengths and skin depths, means weighted by volume.
class Resolution {
 public:
  Resolution(const std::vector<config::Material>& materials, double frequency, double carrier)
      : materials_(materials),
        frequency_(frequency),
        carrier_(carrier),
        waves_(materials.size()),
        depths_(waves_),
        carriers_(waves_),
        volume_(waves_) {
    for (const auto& m : materials) {
      of_interest_.push_back(lengths_in(m, frequency));
      of_carrier_.push_back(lengths_in(m, carrier));
    }
  }

  void add(std::size_t material, double length, double volume) {
    waves_[material] += volume * length / of_interest_[material].wave;
    depths_[material] += volume * length / of_interest_[material].depth;
    carriers_[material] += volume * length / of_carrier_[material].wave;
    volume_[material] += volume;
  }
  bool has(std::size_t material) const { return volume_[material] > 0; }
  /// Collective.
  void sum_over(const parallel::Communicator& comm) {
    for (auto* sums : {&waves_, &depths_, &carriers_, &volume_}) *sums = comm.sum(std::move(*sums));
  }

  ResolutionFigures figures() const {
    ResolutionFigures result{frequency_, {}};
    for (std::size_t m = 0; m < materials_.size(); ++m) {
      if (!has(m)) continue;
      const auto cells_per = [&](const std::vector<double>& sums) {
        return sums[m] > 0 ? std::optional(volume_[m] / sums[m]) : std::nullopt;
      };
      result.rows.push_back({materials_[m].name, cells_per(waves_), cells_per(depths_)});
    }
    return result;
  }
  /// needed: in each material, at the lowest carrier; wanted: at the frequency of interest.
  void check(double needed, double wanted, const Wording& words) const {
    constexpr double wanted_in_depth = 1, rounding = 0.05;  // means over samples are that exact
    if (const std::string poor = list(carriers_, (1 - rounding) * needed, words.cells, "wavelength"); !poor.empty())
      throw Error(fmt::format("waves of {:.6g} Hz have {}, and they need {} at least; {}", carrier_, poor, needed,
                              words.remedy));
    if (const std::string poor = list(waves_, wanted, words.cells, "wavelength"); !poor.empty())
      log::warn("waves of {:.6g} Hz have {}; below {} results are inaccurate; {}", frequency_, poor, wanted,
                words.remedy);
    if (const std::string poor = list(depths_, wanted_in_depth, words.cells, "skin depth"); !poor.empty())
      log::warn("waves of {:.6g} Hz have {}; below {} what it absorbs is inaccurate; {}", frequency_, poor,
                wanted_in_depth, words.remedy_of_conductors);
  }

 private:
  // "0.5 cells per wavelength in skin, 0.7 in brain" where there are fewer than `least`; sums: [materials].
  std::string list(const std::vector<double>& sums, double least, const char* cells, const char* length) const {
    std::string poor;
    for (std::size_t m = 0; m < materials_.size(); ++m)
      if (const double here = volume_[m] / sums[m]; has(m) && here < least)
        poor += poor.empty() ? fmt::format("{:.2g} {} per {} in {}", here, cells, length, materials_[m].name)
                             : fmt::format(", {:.2g} in {}", here, materials_[m].name);
    return poor;
  }

  const std::vector<config::Material>& materials_;
  double frequency_, carrier_;                     // Hz
  std::vector<Lengths> of_interest_, of_carrier_;  // [materials]
  std::vector<double> waves_, depths_, carriers_;  // [materials] sums
  std::vector<double> volume_;                     // [materials]
};

/// Adds cells of a grid: about 64 along each axis, and of a material that none of them has some of its first bodies.
class GridSamples {
 public:
  GridSamples(const GridScene& scene, Resolution& resolution) : scene_(scene), to_(resolution) {
    for (int a = 0; a < 3; ++a) x_[a] = scene.setup.grid.nodes(a);
  }

  void add_grid() {
    constexpr std::int64_t samples = 64;  // along an axis
    const grid::CartesianGrid& grid = scene_.setup.grid;
    std::array<std::int64_t, 3> every{};
    for (int a = 0; a < 3; ++a) every[a] = std::max<std::int64_t>(1, grid.cells(a) / samples);
    for (std::int64_t k = every[2] / 2; k < grid.cells(2); k += every[2])
      for (std::int64_t j = every[1] / 2; j < grid.cells(1); j += every[1])
        for (std::int64_t i = every[0] / 2; i < grid.cells(0); i += every[0]) {
          const std::array<std::int64_t, 3> cell{i, j, k};
          Vec3 centre;
          for (int a = 0; a < 3; ++a) {
            const auto n = static_cast<std::size_t>(cell[a]);
            centre[a] = 0.5 * (x_[a][n] + x_[a][n + 1]);
          }
          add(static_cast<std::size_t>(scene_.media->material_at(centre)), cell);
        }
  }

  void add_small_bodies() {
    constexpr int most_bodies = 64;  // of a material
    std::vector<int> tried(scene_.materials.size(), 0);
    for (const auto& body : scene_.bodies) {
      const auto material = static_cast<std::size_t>(body.material);
      if (!to_.has(material) && ++tried[material] <= most_bodies) add_body(material, body.bounds);
    }
  }

 private:
  void add(std::size_t material, const std::array<std::int64_t, 3>& cell) {
    const grid::Setup& setup = scene_.setup;
    double length = 0, volume = 1;
    for (int a = 0; a < setup.axes; ++a) {
      const double spacing = setup.grid.spacing[a][static_cast<std::size_t>(cell[a])];
      length = std::max(length, spacing);
      volume *= spacing;
    }
    to_.add(material, length, volume);
  }

  void add_body(std::size_t material, const grid::Bounds& bounds) {
    constexpr int points = 9;  // along an axis; odd, so that the middle is one
    std::array<std::array<double, points>, 3> x;
    std::array<std::array<std::int64_t, points>, 3> cell;
    for (int a = 0; a < 3; ++a) {
      const double low = std::max(bounds.low[a], x_[a].front()), high = std::min(bounds.high[a], x_[a].back());
      for (int i = 0; i < points; ++i) {
        x[a][i] = low + (high - low) * (i + 0.5) / points;
        cell[a][i] = scene_.setup.grid.cell_at(a, x[a][i]);
      }
    }
    for (int k = 0; k < points; ++k)
      for (int j = 0; j < points; ++j)
        for (int i = 0; i < points; ++i)
          if (scene_.media->material_at({x[0][i], x[1][j], x[2][k]}) == static_cast<int>(material))
            add(material, {cell[0][i], cell[1][j], cell[2][k]});
  }

  const GridScene& scene_;
  Resolution& to_;
  std::array<std::vector<double>, 3> x_;  // nodes, m
};

/// Extents of the volumes of a mesh that are not vacuum, and of all of it.
class Extents {
 public:
  explicit Extents(std::size_t groups) : sums_(6 * (groups + 1), -infinity), groups_(groups) {}

  void add(std::size_t group, const Vec3& x) {
    for (const std::size_t g : {group, groups_})
      for (std::size_t a = 0; a < 3; ++a) {
        double *const of_axis = sums_.data() + 6 * g + 2 * a, at = x[static_cast<int>(a)];
        of_axis[0] = std::max(of_axis[0], -at);
        of_axis[1] = std::max(of_axis[1], at);
      }
  }
  /// Collective.
  void gather(const parallel::Communicator& comm) { sums_ = comm.max(std::move(sums_)); }
  /// m, the longest edge of the box around a group, or around all of them.
  double largest(std::size_t group) const {
    double most = 0;
    for (std::size_t a = 0; a < 3; ++a) most = std::max(most, sums_[6 * group + 2 * a] + sums_[6 * group + 2 * a + 1]);
    return most;
  }
  double largest() const { return largest(groups_); }

 private:
  std::vector<double> sums_;  // [groups and all][x, y, z][-lowest, highest] m
  std::size_t groups_;
};

// The vacuum around bodies is a good part of a wavelength thick, or there is no wave.
void check_size(const config::Case& c, const std::vector<config::Material>& materials, const Extents& extents,
                double frequency) {
  constexpr double least = 1.0 / 30;  // of a wavelength
  const double wavelength = speed_of_light / frequency, whole = extents.largest();
  if (!(whole < least * wavelength)) return;
  double body = 0;
  std::string name;
  for (std::size_t g = 0; g < materials.size(); ++g)
    if (static_cast<const physics::Medium&>(materials[g]) != physics::Medium() && extents.largest(g) > body)
      body = extents.largest(g), name = materials[g].name;
  const auto share = [&](double length) {
    return fmt::format("{}, 1/{:.0f} of a wavelength", units::length_text(length, 3), wavelength / length);
  };
  log::warn("the mesh is {} at {} ({}){}; check {}", share(whole), units::frequency_text(frequency),
            units::length_text(wavelength, 3),
            body > 0 ? fmt::format(", and its largest body, {}, is {}", name, share(body)) : "",
            c.mesh.generator == config::Mesh::Generator::box      ? "mesh.size"
            : c.mesh.generator == config::Mesh::Generator::shapes ? "domain.size"
                                                                  : "mesh.unit");
}

}  // namespace

ResolutionFigures check_grid_resolution(const config::Case& c, const GridScene& scene, double time_step) {
  const double frequency = frequency_of_interest(c), carrier = lowest_carrier(c);
  if (frequency == 0) return {};
  Resolution resolution(scene.materials, frequency, carrier);
  GridSamples samples(scene, resolution);
  samples.add_grid();
  samples.add_small_bodies();
  resolution.check(
      2, 6, {"cells", "a smaller grid.spacing is needed", "a smaller grid.spacing or conductor = perfect is needed"});
  check_steps(frequency, carrier, time_step);
  return resolution.figures();
}

ResolutionFigures check_mesh_resolution(const config::Case& c, const mesh::Subdomain& mesh,
                                        const std::vector<config::Material>& materials,
                                        const std::vector<int>& order_of_element, double time_step,
                                        const parallel::Communicator& comm) {
  const double frequency = frequency_of_interest(c), carrier = lowest_carrier(c);
  if (frequency == 0) return {};
  std::vector<config::Material> named = materials;
  for (std::size_t g = 0; g < named.size(); ++g)
    if (mesh::is_layer_name(mesh.volume_names[g])) named[g].name += mesh::layer_suffix;
  Resolution resolution(named, frequency, carrier);
  Extents extents(materials.size());
  for (std::size_t e = 0; e < mesh.elements(); ++e) {
    double sum = 0;
    for (const auto& [a, b] : mesh::edge_corners) sum += norm(mesh.vertex(e, a) - mesh.vertex(e, b));
    resolution.add(mesh.element_group[e], sum / (6 * order_of_element[e]), mesh.volume(e));
    for (int v = 0; v < 4; ++v) extents.add(mesh.element_group[e], mesh.vertex(e, v));
  }
  resolution.sum_over(comm);
  extents.gather(comm);
  check_size(c, materials, extents, frequency);
  resolution.check(1, 3,
                   {"elements times order", "smaller elements or a higher solver.order are needed",
                    "smaller elements are needed, or a boundary of type pec in its place"});
  check_steps(frequency, carrier, time_step);
  return resolution.figures();
}

}  // namespace dgtd::app
