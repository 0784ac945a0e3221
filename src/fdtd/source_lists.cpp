#include "dgtd/fdtd/sources.hpp"

namespace dgtd::fdtd {

template <class Real>
SourceLists source_lists(const grid::Setup& setup, const Discretisation<Real>& d, const physics::Source& source) {
  using Type = physics::Source::Type;
  switch (source.type) {
    case Type::dipole: return dipole_lists(d, source);
    case Type::plane_wave: return plane_wave_lists(setup, d, source);
    case Type::sheet: return sheet_lists(setup, d, source);
    case Type::gaussian_beam: return gaussian_beam_lists(setup, d, source);
    case Type::hard: return hard_source_lists(setup, d, source);
  }
  return {};
}

template SourceLists source_lists<float>(const grid::Setup&, const Discretisation<float>&, const physics::Source&);
template SourceLists source_lists<double>(const grid::Setup&, const Discretisation<double>&, const physics::Source&);

}  // namespace dgtd::fdtd
