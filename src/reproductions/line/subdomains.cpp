#include "dgtd/reproductions/line/subdomains.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "dgtd/base/error.hpp"

namespace dgtd::reproductions {

namespace {

class OneMedium final : public grid::Media {
 public:
  int filling(const Vec3&, const Vec3&) const override { return 0; }
  grid::LocalMedium electric(const Vec3&, const Vec3&, const Vec3&, int) const override { return {}; }
  int material_at(const Vec3&) const override { return 0; }
};

// b and c of absorbing layers at both ends of cells of one size, as a line of its own would have them.
template <class Real>
fdtd::Discretisation<Real> layers(const grid::Setup& setup, double spacing, double dt) {
  grid::Setup alone = setup;
  alone.grid.spacing[0].assign(static_cast<std::size_t>(2 * (setup.layer_cells + extension_margin)), spacing);
  alone.sides[0] = alone.sides[1] = physics::BoundaryKind::cpml;
  alone.materials = {physics::Medium{}};
  return fdtd::Discretisation<Real>(alone, OneMedium{}, dt, 0, 1);
}

// Cell `from` of a line as the medium of cell `to`, `spacing` long, at a place of a layer.
template <class Real>
void continue_medium(const LineUpdates<Real>& line, const fdtd::AxisArrays<Real>& line_axis, int from,
                     const fdtd::AxisArrays<Real>& layer, int at, LineUpdates<Real>& subdomain, std::size_t to) {
  const auto f = static_cast<std::size_t>(from), a = static_cast<std::size_t>(at);
  const Real Cb = line.Cb[f] / line_axis.inverse_distance[f];
  subdomain.Ca[to] = line.Ca[f];
  subdomain.Cb[to] = Cb * layer.inverse_distance[a];
  subdomain.b[to] = layer.b[a];
  subdomain.c[to] = Cb * layer.c[a];
}

template <class Real>
void copy(const LineUpdates<Real>& line, int from, int cells, LineUpdates<Real>& subdomain, int to) {
  for (const auto field :
       {&LineUpdates<Real>::Ca, &LineUpdates<Real>::Cb, &LineUpdates<Real>::b, &LineUpdates<Real>::c})
    std::copy_n((line.*field).begin() + from, cells, (subdomain.*field).begin() + to);
}

// Interfaces, [count + 1] nodes with both ends of the line.
template <class Real>
std::vector<int> interfaces(const grid::Setup& setup, const Line<Real>& line,
                            const std::vector<CellSource<Real>>& drives, int count) {
  const int low = setup.cells_of_layer(0), high = static_cast<int>(setup.grid.cells(0)) - setup.cells_of_layer(1);
  constexpr int clear = 3;  // cells around an interface without sources
  std::vector<int> nodes{0};
  for (int p = 1; p < count; ++p) {
    int node = low + static_cast<int>(static_cast<std::int64_t>(high - low) * p / count);
    const auto near_source = [&] {
      return std::any_of(drives.begin(), drives.end(),
                         [&](const auto& drive) { return std::abs(drive.index - node) < clear; });
    };
    while (near_source()) ++node;
    nodes.push_back(node);
  }
  nodes.push_back(line.cells());
  for (int p = 0; p < count; ++p) {
    const int first = p == 0 ? low : nodes[p], last = p + 1 == count ? high : nodes[p + 1];
    if (count > 1 && last - first < fewest_subdomain_cells)
      throw Error(
          fmt::format("solver.subdomains = {}: subdomain {} would have {} cells between absorbing layers and "
                      "interfaces, allowed are {} or more",
                      count, p + 1, last - first, fewest_subdomain_cells));
  }
  return nodes;
}

}  // namespace

template <class Real>
std::vector<Subdomain<Real>> cut_line(const grid::Setup& setup, const fdtd::Discretisation<Real>& d,
                                      const Line<Real>& line, const std::vector<CellSource<Real>>& drives, int count) {
  const auto nodes = interfaces(setup, line, drives, count);
  const int extension = setup.layer_cells + extension_margin;
  std::vector<Subdomain<Real>> subdomains(static_cast<std::size_t>(count));
  for (int p = 0; p < count; ++p) {
    Subdomain<Real>& subdomain = subdomains[p];
    subdomain.has_lower = p > 0, subdomain.has_upper = p + 1 < count;
    const int below = subdomain.has_lower ? extension : 0, above = subdomain.has_upper ? extension : 0;
    const int own = nodes[p + 1] - nodes[p];
    subdomain.offset = nodes[p] - below;
    subdomain.begin = below, subdomain.end = below + own;
    const auto cells = static_cast<std::size_t>(below + own + above);
    subdomain.line.electric.resize(cells), subdomain.line.magnetic.resize(cells);
    copy(line.electric, nodes[p], own, subdomain.line.electric, below);
    copy(line.magnetic, nodes[p], own, subdomain.line.magnetic, below);
    if (subdomain.has_lower) {
      const int last = nodes[p] - 1;  // the medium below the interface goes on
      const auto layer = layers<Real>(setup, setup.grid.spacing[0][static_cast<std::size_t>(last)], d.time_step);
      for (int i = 0; i < extension; ++i) {
        continue_medium(line.electric, d.electric.axis[0], last, layer.electric.axis[0], i, subdomain.line.electric,
                        static_cast<std::size_t>(i));
        continue_medium(line.magnetic, d.magnetic.axis[0], last, layer.magnetic.axis[0], i, subdomain.line.magnetic,
                        static_cast<std::size_t>(i));
      }
    }
    if (subdomain.has_upper) {
      const int first = nodes[p + 1];  // E on the interface has its own medium
      const auto layer = layers<Real>(setup, setup.grid.spacing[0][static_cast<std::size_t>(first)], d.time_step);
      for (int i = 0; i < extension; ++i) {
        const auto to = static_cast<std::size_t>(subdomain.end + i);
        continue_medium(line.electric, d.electric.axis[0], i == 0 ? first : first + 1, layer.electric.axis[0],
                        extension + i, subdomain.line.electric, to);
        continue_medium(line.magnetic, d.magnetic.axis[0], first, layer.magnetic.axis[0], extension + i,
                        subdomain.line.magnetic, to);
      }
    }
    for (const auto& drive : drives)
      if (drive.index >= nodes[p] && drive.index < nodes[p + 1]) {
        subdomain.drives.push_back(drive);
        subdomain.drives.back().index -= subdomain.offset;
      }
  }
  return subdomains;
}

std::vector<Sweep> sweeps_of(int subdomains, int reflections) {
  std::vector<Sweep> sweeps{{0, subdomains, true}};
  if (subdomains == 1) return sweeps;
  for (int g = 0; g < reflections; ++g) {
    sweeps.push_back({0, subdomains - 1, false});
    sweeps.push_back({1, subdomains - 1, true});
  }
  return sweeps;
}

template std::vector<Subdomain<float>> cut_line(const grid::Setup&, const fdtd::Discretisation<float>&,
                                                const Line<float>&, const std::vector<CellSource<float>>&, int);
template std::vector<Subdomain<double>> cut_line(const grid::Setup&, const fdtd::Discretisation<double>&,
                                                 const Line<double>&, const std::vector<CellSource<double>>&, int);

}  // namespace dgtd::reproductions
