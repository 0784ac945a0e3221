#include "dgtd/reproductions/line/line.hpp"

#include <fmt/format.h>

#include "dgtd/base/error.hpp"
#include "dgtd/fdtd/sources.hpp"

namespace dgtd::reproductions {

namespace {

constexpr int magnetic_component = 1, electric_component = 2;

template <class Real>
LineUpdates<Real> updates(const fdtd::Discretisation<Real>& d, const fdtd::HalfStepArrays<Real>& arrays,
                          int component) {
  const auto& axis = arrays.axis[0];
  LineUpdates<Real> u;
  u.resize(static_cast<std::size_t>(d.layout.cells[0]));
  for (const fdtd::TileBatch& batch : arrays.batches)
    for (const fdtd::Tile& tile : batch.tiles)
      for (int lane = 0; lane < fdtd::tile_cells(0) && tile.first[0] + lane < d.layout.cells[0]; ++lane) {
        const auto i = static_cast<std::size_t>(tile.first[0] + lane);
        const int number =
            tile.classes < 0
                ? tile.medium_class
                : int(arrays.class_of[(std::size_t(tile.classes) * 3 + component) * fdtd::cells_of_tile + lane]);
        const fdtd::MediumClass<Real> medium = arrays.classes[static_cast<std::size_t>(number)];
        u.Ca[i] = medium.Ca;
        u.Cb[i] = medium.Cb * axis.inverse_distance[i];
        u.b[i] = axis.b[i];
        u.c[i] = medium.Cb * axis.c[i];
      }
  return u;
}

}  // namespace

template <class Real>
Line<Real> line_of(const fdtd::Discretisation<Real>& d) {
  if (d.layout.cells[1] != 1 || d.layout.cells[2] != 1)
    throw Error(fmt::format("a line is one cell wide, and this grid has {} x {} x {} cells", d.layout.cells[0],
                            d.layout.cells[1], d.layout.cells[2]));
  if (d.pole_count > 0)
    throw Error(
        "solver.subdomains: materials with poles cannot be cut into subdomains; allowed are eps_r, mu_r, sigma and "
        "sigma_m");
  return {updates(d, d.electric, electric_component), updates(d, d.magnetic, magnetic_component)};
}

template <class Real>
std::vector<CellSource<Real>> cell_sources(const grid::Setup& setup, const fdtd::Discretisation<Real>& d,
                                           const physics::Source& source, std::int64_t steps) {
  std::vector<CellSource<Real>> drives;
  for (const fdtd::DiscreteSource& lists : fdtd::discrete_source(setup, d, source))
    for (const fdtd::SourceList& list : lists.lists)
      for (const fdtd::SourceEntry& entry : list.entries) {
        const bool electric = list.half == fdtd::HalfStep::electric;
        const int component = static_cast<int>(entry.index / static_cast<std::uint64_t>(d.layout.reals));
        if (component != (electric ? electric_component : magnetic_component))
          throw Error(
              fmt::format("{}: source.{}: subdomains carry E along z and H along y; its polarisation must be 0 0 1",
                          source.origin, source.name));
        const std::int64_t offset =
            static_cast<std::int64_t>(entry.index) - component * d.layout.reals - d.layout.index(0, 0, 0);
        if (offset >= d.layout.cells[0]) continue;  // a ghost across the line
        CellSource<Real> drive{electric, static_cast<int>(offset), static_cast<Real>(entry.weight), {}};
        drive.series.reserve(static_cast<std::size_t>(steps));
        // E gains it in the middle of the step, H at the step's first level of E.
        for (std::int64_t s = 0; s < steps; ++s)
          drive.series.push_back(static_cast<Real>(
              physics::value(list.shape, (double(s) + (electric ? 0.5 : 0.0)) * d.time_step - entry.delay)));
        drives.push_back(std::move(drive));
      }
  return drives;
}

template Line<float> line_of(const fdtd::Discretisation<float>&);
template Line<double> line_of(const fdtd::Discretisation<double>&);
template std::vector<CellSource<float>> cell_sources(const grid::Setup&, const fdtd::Discretisation<float>&,
                                                     const physics::Source&, std::int64_t);
template std::vector<CellSource<double>> cell_sources(const grid::Setup&, const fdtd::Discretisation<double>&,
                                                      const physics::Source&, std::int64_t);

}  // namespace dgtd::reproductions
