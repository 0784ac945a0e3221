#include "fdtd/discretisation/axis.hpp"

#include <algorithm>
#include <cmath>

#include "dgtd/base/constants.hpp"

namespace dgtd::fdtd {

namespace {

// Conductivity over eps0 at a depth x in [0, 1] of a layer of thickness L, cubic, for a reflection of
// about exp(-16) at normal incidence (Taflove, Hagness 2005, sec. 7.9): sigma_max = 0.8 (m + 1) / (Z0 d).
constexpr int grading = 3;
double layer_conductivity(double depth, double cell) {
  return depth <= 0 ? 0 : 0.8 * (grading + 1) * speed_of_light / cell * std::pow(depth, grading);
}
// The shift keeps slow and evanescent fields out of the recursion's memory; linear, largest at the
// inner edge. It lies well below the waves that a layer of this thickness is made for.
double layer_alpha(double depth, double thickness) {
  return depth <= 0 ? 0 : 0.02 * speed_of_light / thickness * (1 - depth);
}

// At depth x of an adiabatic layer sigma / eps = S x^m. A wave in a medium of index n loses exp(-S L n / ((m + 1) c))
// of its amplitude on its way to the wall and back (Oskooi et al., Opt. Express 16 (2008) 11376, sec. 3), which is the
// reflection in the background.
double adiabatic_loss(double depth, const grid::AdiabaticLayer& layer, double index) {
  if (depth <= 0) return 0;
  const double most = (layer.order + 1) * speed_of_light * std::log(1 / layer.reflection) / (index * layer.length);
  return most * std::pow(std::min(depth, 1.0), layer.order);
}

void add_adiabatic_layers(const grid::Setup& setup, int axis, const std::vector<double>& nodes, GlobalAxis& g) {
  const physics::Medium& background = setup.materials.front();
  const double index = std::sqrt(background.permittivity * background.permeability);
  for (const int side : {2 * axis, 2 * axis + 1}) {
    if (axis >= setup.axes || setup.sides[side] != physics::BoundaryKind::adiabatic) continue;
    const grid::AdiabaticLayer& layer = setup.adiabatic[static_cast<std::size_t>(side)];
    const double edge = side % 2 == 0 ? nodes.front() + layer.length : nodes.back() - layer.length;
    const double inwards = side % 2 == 0 ? 1 : -1;
    const auto loss = [&](double x) { return adiabatic_loss(inwards * (edge - x) / layer.length, layer, index); };
    for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
      g.node_loss[i] += loss(nodes[i]);
      g.centre_loss[i] += loss(0.5 * (nodes[i] + nodes[i + 1]));
    }
  }
}

}  // namespace

std::int64_t stored_cells(const grid::Setup& setup, int axis) {
  return setup.grid.cells(axis) + has_electric_field(setup.sides[2 * axis + 1]);
}

GlobalAxis make_axis(const grid::Setup& setup, int axis) {
  const std::vector<double> metre{1};
  const auto& d = axis < setup.axes ? setup.grid.spacing[axis] : metre;
  const std::size_t inner = d.size(), stored = static_cast<std::size_t>(stored_cells(setup, axis));
  const physics::BoundaryKind lower = setup.sides[2 * axis], upper = setup.sides[2 * axis + 1];
  GlobalAxis g;
  g.spacing = d;
  if (stored > inner) g.spacing.push_back(d.back());
  g.electric_conductivity.assign(stored, 0);
  g.magnetic_conductivity = g.electric_alpha = g.magnetic_alpha = g.node_loss = g.centre_loss = g.electric_conductivity;

  for (std::size_t i = 0; i < stored; ++i) {
    const double before = i > 0 ? g.spacing[i - 1] : lower == physics::BoundaryKind::periodic ? d.back() : d.front();
    g.electric_inverse.push_back(2 / (before + g.spacing[i]));
    g.magnetic_inverse.push_back(1 / g.spacing[i]);
  }
  // On a lower node: E is zero on metal; on a magnetic wall H is odd, and the ghost that is zero counts half. What a
  // wall of type mur makes of it, its condition replaces.
  if (has_electric_field(lower)) g.electric_inverse[0] = 2 / d.front();
  else if (lower != physics::BoundaryKind::periodic) g.electric_inverse[0] = 0;
  // E on the upper wall has a layer of its own, beyond which H does not exist.
  if (stored > inner) {
    g.electric_inverse[inner] = 2 / d.back();
    g.magnetic_inverse[inner] = 0;
  }

  std::vector<double> x{0};
  for (const double s : d) x.push_back(x.back() + s);
  const std::size_t cells = std::min<std::size_t>(static_cast<std::size_t>(setup.layer_cells), inner);
  const auto add = [&](double inner_edge, double outer_edge, double cell) {
    const double thickness = std::abs(outer_edge - inner_edge);
    for (std::size_t i = 0; i < inner; ++i) {
      const double node = (x[i] - inner_edge) / (outer_edge - inner_edge),
                   centre = (0.5 * (x[i] + x[i + 1]) - inner_edge) / (outer_edge - inner_edge);
      if (node > 0)
        g.electric_conductivity[i] = layer_conductivity(node, cell), g.electric_alpha[i] = layer_alpha(node, thickness);
      if (centre > 0)
        g.magnetic_conductivity[i] = layer_conductivity(centre, cell),
        g.magnetic_alpha[i] = layer_alpha(centre, thickness);
    }
  };
  add_adiabatic_layers(setup, axis, x, g);
  if (cells > 0 && lower == physics::BoundaryKind::cpml) add(x[cells], x[0], d.front());
  if (cells > 0 && upper == physics::BoundaryKind::cpml) add(x[inner - cells], x[inner], d.back());
  return g;
}

}  // namespace dgtd::fdtd
