#include "app/problems/dg_layers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/problems/layer_elements.hpp"
#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/base/units.hpp"
#include "dgtd/physics/absorbing_layer.hpp"

namespace dgtd::app {

using config::Boundary;

namespace {

const Boundary& boundary_of(const config::Case& c, const std::string& surface) {
  const auto named = [&](const std::string& name) {
    return std::find_if(c.boundaries.begin(), c.boundaries.end(), [&](const Boundary& b) { return b.name == name; });
  };
  const auto found = named(surface);
  return found != c.boundaries.end() ? *found : *named("*");
}

// Frequencies at which layers are judged, Hz: the highest one in use, and the lowest one that is not below 0.3 of it.
std::vector<double> frequencies_of(const config::Case& c) {
  constexpr double lowest_share = 0.3;
  auto band = config::band_in_use(c);
  if (c.time.frequency && !band) band = {*c.time.frequency, *c.time.frequency};
  if (!band) return {};
  return {std::max(band->lowest, lowest_share * band->highest), band->highest};
}

// Re eps(w) / eps_inf at the middle of the frequencies (Hz), not below 0: the factor of E's rate with which a layer has
// the impedance of a dispersive medium there.
double electric_factor(const physics::Medium& m, const std::vector<double>& frequencies) {
  if (m.poles.empty() || frequencies.empty()) return 1;
  const double w = pi * (frequencies.front() + frequencies.back());
  return std::max(0.0, physics::permittivity(m, w).real() / m.permittivity);
}

// m/s: the highest one in any medium of the case.
double speed_of_case(const config::Case& c) {
  double index = std::numeric_limits<double>::infinity();
  for (const auto& m : c.materials) index = std::min(index, std::sqrt(m.permittivity * m.permeability));
  return speed_of_light / (c.materials.empty() ? 1 : index);
}

// The lowest one of all elements: layers whose strata suit it suit those of higher orders as well.
int lowest_order(const config::Case& c) {
  int lowest = c.solver.order_of_mesh();
  for (const auto& m : c.materials) lowest = std::min(lowest, m.order.value_or(c.solver.order_of_mesh()));
  return lowest;
}

mesh::AddedLayers wanted_layers(const config::Case& c, const Boundary& b) {
  if (!b.groups.empty()) return {b.name, 1, 0, 0, b.groups};
  const auto frequencies = frequencies_of(c);
  const auto order = static_cast<std::size_t>(lowest_order(c) - 1);
  if (b.layers || frequencies.empty()) {
    constexpr int usual[] = {14, 8, 6, 5, 4, 4};
    return {b.name, b.layers.value_or(usual[order]), b.thickness.value_or(0)};
  }
  // Reflects -37 dB at most up to 60 degrees in any band (docs/theory.md); of convolutional ones -40 dB.
  const double usual_wavelengths = b.type == Boundary::Type::cpml ? 1.35 : 1.75;
  // Fewer strata than these follow the profile too coarsely.
  constexpr int least_strata = 4;
  // Strata are as thick as elements that the order needs to resolve a wave.
  constexpr double per_wavelength[] = {15, 6, 4, 4, 4, 4};
  const double speed = speed_of_case(c);
  return {b.name, least_strata, b.thickness.value_or(usual_wavelengths * speed / frequencies.front()),
          speed / frequencies.back() / per_wavelength[order]};
}

// m/s: the highest one of waves in any layer, in metals alone that of light. Collective.
double speed_in_layers(const mesh::Subdomain& mesh, const std::vector<physics::Medium>& materials,
                       const std::vector<double>& frequencies, const parallel::Communicator& comm) {
  double index = std::numeric_limits<double>::infinity();
  for (std::size_t g = 0; g < materials.size(); ++g) {
    const physics::Medium& m = materials[g];
    const double factor = electric_factor(m, frequencies);
    if (mesh::is_layer_name(mesh.volume_names[g]) && factor > 0)
      index = std::min(index, std::sqrt(m.permittivity * factor * m.permeability));
  }
  index = comm.min(index);
  return std::isfinite(index) ? speed_of_light / index : speed_of_light;
}

struct Strata {
  std::vector<physics::Stratum> strata;  // from the inner to the outer one
  LayerFigures figures;
};

// cubes: edge of those as large as the surface's elements, m.
Strata make_strata(const config::Case& c, const std::string& surface, int count, double thickness, double speed,
                   double cubes) {
  const Boundary& b = boundary_of(c, surface);
  std::vector<double> w;
  for (const double f : frequencies_of(c)) w.push_back(2 * pi * f);
  if (w.empty()) w = {2 * pi * speed / thickness}, cubes = 0;
  const bool convolutional = b.type == Boundary::Type::cpml;
  const double shortest = w.back() * thickness / (2 * pi * speed);  // wavelengths
  const physics::LayerProfile profile = b.reflection    ? physics::LayerProfile{2, *b.reflection}
                                        : convolutional ? physics::convolutional_profile(shortest)
                                                        : physics::best_profile(count, thickness, speed, w);
  const auto rates = physics::rates_of_strata(profile, count, thickness, speed);
  Strata result{{}, {surface, {}, convolutional, count, thickness, 0, 0, {}, {}}};
  if (convolutional) result.strata = physics::convolutional_strata(rates, w.front() / 4, b.loss);
  else
    for (const double rate : rates) result.strata.push_back({rate});
  LayerFigures& figures = result.figures;
  figures.wavelengths = thickness * w.front() / (2 * pi * speed);
  if (cubes > 0) figures.per_wavelength = 2 * pi * speed / w.back() / cubes;
  for (const double degrees : physics::layer_angles) {
    double largest = 0;
    const double stratum = thickness / count, angle = degrees * pi / 180;
    for (const double frequency : w)
      largest = std::max(largest, convolutional ? physics::reflection(result.strata, stratum, speed, frequency, angle)
                                                : physics::reflection(rates, stratum, speed, frequency, angle));
    if (cubes > 0)
      figures.with_elements.push_back(std::hypot(
          largest, reflection_of_elements(lowest_order(c), figures.per_wavelength, figures.reflection.size())));
    figures.reflection.push_back(largest);
  }
  return result;
}

// S of a passive side is its rate times 1 - n n^T; sides add up in edges and corners. Those of a convolutional layer
// are sections, one after the other.
void add_place(dg::LayerRate& layer, const physics::Stratum& stratum, const Vec3& n, bool convolutional) {
  if (convolutional) {
    layer.sections.push_back({n, stratum.rate, stratum.alpha});
    layer.loss += stratum.loss;
    return;
  }
  const double tangential[6] = {1 - n.x * n.x, -n.x * n.y, -n.x * n.z, 1 - n.y * n.y, -n.y * n.z, 1 - n.z * n.z};
  for (int k = 0; k < 6; ++k) layer.magnetic[k] += stratum.rate * tangential[k];
}

}  // namespace

std::vector<mesh::AddedLayers> added_layers(const config::Case& c) {
  std::vector<mesh::AddedLayers> added;
  const Boundary* first = nullptr;
  for (const Boundary& b : c.boundaries) {
    added.push_back(is_layer(b.type) ? wanted_layers(c, b) : mesh::AddedLayers{b.name, 0, 0});
    if (!is_layer(b.type)) continue;
    if (first == nullptr) first = &b;
    if (b.type != first->type)
      throw Error(
          fmt::format("{}: boundary.{}: layers of a mesh are of one type, passive or cpml, and boundary.{} has "
                      "the other one",
                      b.origin, b.name, first->name));
  }
  if (first == nullptr) return {};
  for (const auto& source : c.sources)
    if (source.type == config::Source::Type::plane_wave && !source.has_total_field())
      throw Error(
          fmt::format("{}: source.{}: a plane wave cannot enter through layers ([boundary.{}] type = {}): give it "
                      "a total field inside of the mesh, box_min and box_max or total_field",
                      source.origin, source.name, first->name, config::name_of(first->type)));
  return added;
}

std::vector<std::uint8_t> layer_elements(const mesh::Subdomain& mesh) {
  std::vector<std::uint8_t> in_layer(mesh.elements());
  for (std::size_t e = 0; e < in_layer.size(); ++e)
    in_layer[e] = mesh::is_layer_name(mesh.volume_names[mesh.element_group[e]]);
  return in_layer;
}

DgLayers layers_of(const config::Case& c, const mesh::Subdomain& mesh, const std::vector<physics::Medium>& materials,
                   const parallel::Communicator& comm) {
  DgLayers layers;
  const auto wanted = added_layers(c);
  const auto added = mesh::layers_by_surface(wanted, mesh.surface_names);
  if (added.empty()) return layers;
  const mesh::LayerGeometry geometry(mesh, wanted, comm);
  const auto frequencies = frequencies_of(c);
  const double speed = speed_in_layers(mesh, materials, frequencies, comm);
  const std::vector<double> cubes = cube_edges(mesh, geometry, added.size(), comm);
  std::vector<Strata> of_layer;
  for (std::size_t i = 0; i < added.size(); ++i) {
    const std::string& surface = added[i].surface;
    of_layer.push_back(make_strata(c, surface, geometry.strata(surface), geometry.thickness(surface), speed, cubes[i]));
    of_layer.back().figures.groups = added[i].groups;
    layers.figures.push_back(of_layer.back().figures);
  }
  layers.rates.resize(mesh.elements());
  layers.rates.convolutional = layers.figures.front().convolutional;
  for (std::size_t e = 0; e < mesh.elements(); ++e) {
    layers.rates[e].electric_factor = electric_factor(materials[mesh.element_group[e]], frequencies);
    for (const mesh::LayerPlace& at : geometry.places(e)) {
      const auto& strata = of_layer[static_cast<std::size_t>(at.layers)].strata;
      add_place(layers.rates[e], strata[static_cast<std::size_t>(at.stratum)], at.normal, layers.rates.convolutional);
    }
  }
  return layers;
}

std::vector<std::string> text_of(const std::vector<LayerFigures>& all) {
  struct Line {
    std::string text, surfaces;
    const std::vector<std::string>& groups;
  };
  std::vector<Line> lines;
  const auto decibels = [](const std::vector<double>& amplitudes) {
    std::vector<std::string> texts;
    for (const double r : amplitudes) texts.push_back(fmt::format("{:.0f}", std::max(-80.0, 20 * std::log10(r))));
    return fmt::format("{}", fmt::join(texts, ", "));
  };
  for (const LayerFigures& l : all) {
    std::string text = fmt::format(
        "{}{} strata, {}, {:.2f} wavelengths; largest reflection expected at {} degrees: {} dB of the strata",
        l.convolutional ? "cpml, " : "", l.strata, units::length_text(l.thickness), l.wavelengths,
        fmt::join(physics::layer_angles, ", "), decibels(l.reflection));
    if (!l.with_elements.empty())
      text += fmt::format(", {} dB with the error of elements that are {:.1f} per wavelength",
                          decibels(l.with_elements), l.per_wavelength);
    const auto same = std::find_if(lines.begin(), lines.end(),
                                   [&](const Line& line) { return line.text == text && line.groups == l.groups; });
    if (same == lines.end()) lines.push_back({text, l.surface, l.groups});
    else same->surfaces += ", " + l.surface;
  }
  std::vector<std::string> result;
  for (const Line& line : lines)
    result.push_back(line.groups.empty() ? fmt::format("absorbing layers outside of {}: {}", line.surfaces, line.text)
                                         : fmt::format("absorbing layers of volume group {} at {}: {}",
                                                       fmt::join(line.groups, ", "), line.surfaces, line.text));
  return result;
}

}  // namespace dgtd::app
