#include "fdtd/discretisation/halo.hpp"

namespace dgtd::fdtd {

namespace {

/// The two components across an axis of a layer of cells.
template <class Real>
void add_layer(const Discretisation<Real>& d, int a, int position, std::vector<std::uint64_t>& list) {
  const int b = (a + 1) % 3, c = (a + 2) % 3;
  for (const int component : {b, c})
    for (int v = 0; v < d.layout.cells[c]; ++v)
      for (int u = 0; u < d.layout.cells[b]; ++u) {
        int at[3];
        at[a] = position, at[b] = u, at[c] = v;
        list.push_back(static_cast<std::uint64_t>(component * d.layout.reals + d.layout.index(at[0], at[1], at[2])));
      }
}

}  // namespace

template <class Real>
std::vector<std::uint64_t> ghosts_of_axis(const Discretisation<Real>& d, HalfStep half, int axis) {
  std::vector<std::uint64_t> list;
  add_layer(d, axis, half == HalfStep::electric ? -1 : d.layout.cells[axis], list);
  return list;
}

template <class Real>
BlockHalo block_halo(const Discretisation<Real>& d, HalfStep half) {
  BlockHalo halo;
  halo.plan.reals_per_face = 1;
  const bool upwards = half == HalfStep::electric;
  for (int a = 0; a < 3; ++a) {
    const int last = d.layout.cells[a] - 1;
    const auto layer = [&](int position, std::vector<std::uint64_t>& list) { add_layer(d, a, position, list); };
    const int to = upwards ? d.block.upper[a] : d.block.lower[a], from = upwards ? d.block.lower[a] : d.block.upper[a];
    if (to >= 0) {
      const std::size_t first = halo.send.size();
      layer(upwards ? last : 0, halo.send);
      halo.plan.sends.push_back({to, first, halo.send.size() - first});
    }
    if (from >= 0) {
      const std::size_t first = halo.receive.size();
      layer(upwards ? -1 : last + 1, halo.receive);
      halo.plan.receives.push_back({from, first, halo.receive.size() - first});
    }
  }
  halo.plan.faces = std::max(halo.send.size(), halo.receive.size());
  return halo;
}

template BlockHalo block_halo<float>(const Discretisation<float>&, HalfStep);
template BlockHalo block_halo<double>(const Discretisation<double>&, HalfStep);

template std::vector<std::uint64_t> ghosts_of_axis<float>(const Discretisation<float>&, HalfStep, int);
template std::vector<std::uint64_t> ghosts_of_axis<double>(const Discretisation<double>&, HalfStep, int);

}  // namespace dgtd::fdtd
