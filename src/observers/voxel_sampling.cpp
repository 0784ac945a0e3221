#include "dgtd/observers/voxel_sampling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "dgtd/base/error.hpp"
#include "dgtd/io/vtk_output.hpp"
#include "lagrange_values.hpp"
#include "dgtd/observers/lattice_hits.hpp"

namespace dgtd::observers {

VoxelSampling::VoxelSampling(const mesh::Subdomain& mesh, std::vector<physics::Material> materials, double edge,
                             const parallel::Communicator& comm)
    : mesh_(mesh), materials_(std::move(materials)), comm_(comm) {
  constexpr double nothing = std::numeric_limits<double>::infinity();
  std::vector<double> extent(6, -nothing);  // -min and max along the axes
  for (std::size_t e = 0; e < mesh.elements(); ++e) {
    if (!is_tissue(mesh.element_group[e])) continue;
    for (int v = 0; v < 4; ++v)
      for (int a = 0; a < 3; ++a) {
        extent[2 * a] = std::max(extent[2 * a], -mesh.vertex(e, v)[a]);
        extent[2 * a + 1] = std::max(extent[2 * a + 1], mesh.vertex(e, v)[a]);
      }
  }
  extent = comm.max(std::move(extent));
  if (extent[0] == -nothing) return;
  std::array<double, 3> cells;
  for (int a = 0; a < 3; ++a) cells[a] = std::max(1.0, std::ceil((extent[2 * a + 1] + extent[2 * a]) / edge - 1e-6));
  if (const double count = cells[0] * cells[1] * cells[2]; count > most)
    throw Error(
        fmt::format("sar.voxel = {} m: the box around the tissues has {:.3g} voxels, and at most {:g} are "
                    "allowed; use at least {:.2g} m",
                    edge, count, most, edge * std::cbrt(count / most) * 1.01));
  for (int a = 0; a < 3; ++a) {
    const double middle = 0.5 * (extent[2 * a + 1] - extent[2 * a]), low = middle - 0.5 * cells[a] * edge;
    for (double i = 0; i <= cells[a]; ++i) nodes_[a].push_back(low + i * edge);
    for (double i = 0; i < cells[a]; ++i) centres_[a].push_back(low + (i + 0.5) * edge);
  }
}

double VoxelSampling::count() const {
  return double(centres_[0].size()) * double(centres_[1].size()) * double(centres_[2].size());
}

/// The SAR of an element at a voxel's centre, for root.
struct VoxelSampling::Value {
  std::int64_t voxel, element;  // element: global number
  float sar;                    // W/kg
  std::uint16_t group;
};

std::vector<VoxelSampling::Value> VoxelSampling::local_values(const solver::ElementSolver& solver, int order,
                                                              const dosimetry::Exposure& exposure) const {
  using Quantity = solver::Quantity;
  constexpr std::size_t elements_at_once = 20000;
  std::vector<std::uint32_t> tissue;
  for (const std::uint32_t e : solver.stored_order())
    if (is_tissue(mesh_.element_group[e])) tissue.push_back(e);
  const auto points = io::lagrange_points(order);
  std::vector<Value> values;
  for (std::size_t first = 0; first < tissue.size(); first += elements_at_once) {
    const std::span<const std::uint32_t> elements(tissue.data() + first,
                                                  std::min(elements_at_once, tissue.size() - first));
    const auto hits = find_lattice_hits(mesh_, elements, centres_);
    std::vector<double> parts[2];  // real and imaginary part, [elements][points][3] V/m
    for (const auto part : {Quantity::Part::real, Quantity::Part::imaginary}) {
      auto& to = parts[part == Quantity::Part::imaginary];
      to.resize(elements.size() * points.size() * 3);
      solver.sample({Quantity::Field::electric, part, exposure.frequency}, points, elements, to.data());
    }
    std::vector<std::uint32_t> place(hits.size());  // of a hit's element in `elements`
    for (std::size_t h = 0, at = 0; h < hits.size(); ++h) {
      while (elements[at] != hits[h].element) ++at;
      place[h] = static_cast<std::uint32_t>(at);
    }
    const std::size_t begin = values.size();
    values.resize(begin + hits.size());
    const auto count = static_cast<std::ptrdiff_t>(hits.size());
#pragma omp parallel
    {
      std::vector<double> weights(points.size());
#pragma omp for schedule(static)
      for (std::ptrdiff_t h = 0; h < count; ++h) {
        lagrange_values(points, order, hits[h].barycentric, weights);
        double square = 0;
        for (const auto& part : parts)
          for (int c = 0; c < 3; ++c) {
            double field = 0;
            for (std::size_t q = 0; q < points.size(); ++q)
              field += weights[q] * part[(place[h] * points.size() + q) * 3 + static_cast<std::size_t>(c)];
            square += field * field;
          }
        const std::uint16_t group = mesh_.element_group[hits[h].element];
        const double sar = exposure.conductivity[group] * square / (2 * *materials_[group].density);
        values[begin + static_cast<std::size_t>(h)] = {hits[h].point, mesh_.element_id[hits[h].element],
                                                       static_cast<float>(exposure.scaling.factor * sar), group};
      }
    }
  }
  return values;
}

VoxelSar VoxelSampling::sample(const solver::ElementSolver& solver, int order,
                               const dosimetry::Exposure& exposure) const {
  const auto values = comm_.gather_vectors(local_values(solver, order, exposure));
  VoxelSar result{{nodes_, {}, {}, {}, mesh_.volume_names}, true};
  if (!comm_.is_root()) return result;
  constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
  const auto cells = static_cast<std::size_t>(count());
  dosimetry::VoxelGrid& grid = result.grid;
  grid.density.assign(cells, 0);
  grid.sar.assign(cells, 0);
  grid.tissue.assign(cells, static_cast<std::uint16_t>(grid.tissue_names.size()));
  std::vector<std::int64_t> element(cells, none);
  for (const Value& value : values) {
    const auto v = static_cast<std::size_t>(value.voxel);
    if (value.element >= element[v]) continue;
    element[v] = value.element;
    grid.density[v] = static_cast<float>(*materials_[value.group].density);
    grid.sar[v] = value.sar;
    grid.tissue[v] = value.group;
  }
  return result;
}

}  // namespace dgtd::observers
