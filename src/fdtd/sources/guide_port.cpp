#include "fdtd/sources/guide_port.hpp"

#include "fdtd/sources/mode_port.hpp"
#include "fdtd/sources/section_port.hpp"

namespace dgtd::fdtd {

template <class Real>
GuidePort guide_port(const grid::Setup& setup, const Discretisation<Real>& d, const physics::Port& port,
                     const parallel::Communicator& comm) {
  CrossSection section = cross_section(setup, d, port, comm);
  GuidePort guide;
  if (port.type == physics::Port::Type::mode) {
    const auto made = std::make_shared<const SectionPort>(setup, std::move(section), port, d.time_step, comm);
    guide.mode = SectionPort::measured(made);
    if (port.is_excited()) guide.source = made->source(setup, d);
    return guide;
  }
  const auto made = std::make_shared<const GridMode>(setup, std::move(section), port, d.time_step);
  guide.mode = measured_mode(made);
  if (port.is_excited()) guide.source = made->source(setup, d);
  return guide;
}

template GuidePort guide_port<float>(const grid::Setup&, const Discretisation<float>&, const physics::Port&,
                                     const parallel::Communicator&);
template GuidePort guide_port<double>(const grid::Setup&, const Discretisation<double>&, const physics::Port&,
                                      const parallel::Communicator&);

}  // namespace dgtd::fdtd
