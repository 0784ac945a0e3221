#include "dgtd/fdtd/sources.hpp"

namespace dgtd::fdtd {

template <class Real>
std::vector<DiscreteSource> discrete_source(const grid::Setup& setup, const Discretisation<Real>& d,
                                            const physics::Source& source) {
  using Type = physics::Source::Type;
  switch (source.type) {
    case Type::dipole: return {discrete_dipole(d, source)};
    case Type::plane_wave: return {discrete_plane_wave(setup, d, source)};
    case Type::sheet: return discrete_sheet(setup, d, source);
    case Type::gaussian_beam: return {discrete_gaussian_beam(setup, d, source)};
    case Type::hard: return {discrete_hard_source(setup, d, source)};
  }
  return {};
}

template std::vector<DiscreteSource> discrete_source<float>(const grid::Setup&, const Discretisation<float>&,
                                                            const physics::Source&);
template std::vector<DiscreteSource> discrete_source<double>(const grid::Setup&, const Discretisation<double>&,
                                                             const physics::Source&);

}  // namespace dgtd::fdtd
