#include "fdtd/discretisation/bloch.hpp"

#include "fdtd/discretisation/halo.hpp"

namespace dgtd::fdtd {

// E from H reads below the grid, where the field is exp(-i phase) times that at the upper end; H from E reads above.
template <class Real>
GhostPhases bloch_phases(const grid::Setup& setup, const Discretisation<Real>& d, HalfStep half) {
  GhostPhases turns;
  const bool below = half == HalfStep::electric;
  for (int a = 0; a < 3; ++a) {
    const bool at_end = below ? d.block.first[a] == 0 : d.block.first[a] + d.layout.cells[a] == d.global_cells[a];
    if (setup.bloch_phase[a] == 0 || !at_end) continue;
    for (const std::uint64_t index : ghosts_of_axis(d, half, a)) {
      turns.index.push_back(index);
      turns.cosine.push_back(std::cos(setup.bloch_phase[a]));
      turns.sine.push_back(below ? -std::sin(setup.bloch_phase[a]) : std::sin(setup.bloch_phase[a]));
    }
  }
  return turns;
}

template <class Real>
SourceList bloch_part(const grid::Setup& setup, const Discretisation<Real>& d, const SourceList& list, bool imaginary) {
  SourceList part = list;
  const auto& l = d.layout;
  for (SourceEntry& entry : part.entries) {
    const auto component = static_cast<int>(entry.index / static_cast<std::uint64_t>(l.reals));
    const auto cell = l.cell_at(static_cast<std::int64_t>(entry.index % static_cast<std::uint64_t>(l.reals)));
    const Vec3 x = d.position(list.half == HalfStep::electric, component, cell.i, cell.j, cell.k);
    double phase = 0;
    for (int a = 0; a < 3; ++a) {
      if (setup.bloch_phase[a] == 0) continue;
      const auto nodes = setup.grid.nodes(a);
      phase += setup.bloch_phase[a] * (x[a] - nodes.front()) / (nodes.back() - nodes.front());
    }
    entry.weight *= imaginary ? std::sin(phase) : std::cos(phase);
  }
  return part;
}

template GhostPhases bloch_phases<float>(const grid::Setup&, const Discretisation<float>&, HalfStep);
template GhostPhases bloch_phases<double>(const grid::Setup&, const Discretisation<double>&, HalfStep);
template SourceList bloch_part<float>(const grid::Setup&, const Discretisation<float>&, const SourceList&, bool);
template SourceList bloch_part<double>(const grid::Setup&, const Discretisation<double>&, const SourceList&, bool);

}  // namespace dgtd::fdtd
