#include "fdtd/discretisation/ghosts.hpp"

namespace dgtd::fdtd {

template <class Real>
void fill_upper_ghosts(const Discretisation<Real>& d, parallel::Array<Real>& values, parallel::Array<Real>& other,
                       const std::array<double, 3>& bloch_phase, const parallel::Communicator& comm) {
  const GridLayout& l = d.layout;
  UpperLayers layers{{l.cells[0], l.cells[1], l.cells[2]}, d.block.lower, d.block.upper, {}};
  for (int a = 0; a < 3; ++a)
    if (d.block.first[a] + l.cells[a] == d.global_cells[a]) layers.phase[a] = bloch_phase[a];
  fill_upper_layers(
      layers, [&](int c, int i, int j, int k) { return c * l.reals + l.index(i, j, k); }, values.host_for_writing(),
      other.size() > 0 ? other.host_for_writing() : nullptr, comm);
}

template void fill_upper_ghosts<float>(const Discretisation<float>&, parallel::Array<float>&, parallel::Array<float>&,
                                       const std::array<double, 3>&, const parallel::Communicator&);
template void fill_upper_ghosts<double>(const Discretisation<double>&, parallel::Array<double>&,
                                        parallel::Array<double>&, const std::array<double, 3>&,
                                        const parallel::Communicator&);

}  // namespace dgtd::fdtd
