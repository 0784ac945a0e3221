#include "dgtd/fdtd/sources.hpp"

namespace dgtd::fdtd {

template <class Real>
SourceLists source_lists(const Setup& setup, const Discretisation<Real>& d, const config::Source& source) {
  using Type = config::Source::Type;
  switch (source.type) {
    case Type::dipole: return dipole_lists(d, source);
    case Type::plane_wave: return plane_wave_lists(setup, d, source);
    case Type::sheet: return sheet_lists(setup, d, source);
    case Type::gaussian_beam: return gaussian_beam_lists(setup, d, source);
  }
  return {};
}

template SourceLists source_lists<float>(const Setup&, const Discretisation<float>&, const config::Source&);
template SourceLists source_lists<double>(const Setup&, const Discretisation<double>&, const config::Source&);

}  // namespace dgtd::fdtd
