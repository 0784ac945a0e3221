#include "dgtd/dg/guide_port.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/units.hpp"
#include "dgtd/dg/surface_wave.hpp"
#include "dgtd/grid/band_mode.hpp"
#include "dgtd/physics/waveform_filter.hpp"
#include "guide_plane.hpp"
#include "port_error.hpp"
#include "section_mode.hpp"
#include "section_port.hpp"

namespace dgtd::dg {

namespace {

// The mode along the guide, in a scheme that is exact in space and takes leap-frog steps: with
//   W = 2/dt sin(omega dt / 2),  beta^2 = eps_r mu_r W^2 / c^2 - k_c^2,  Z_TE = mu W / beta,  Z_TM = beta / (eps W).
class GuideWave {
 public:
  GuideWave(const physics::Port& port, const SectionMode& mode, const physics::Medium& medium, double dt)
      : mode_(mode), medium_(medium), dt_(dt) {
    for (const double frequency : port.frequencies) check(port, in_scheme(frequency));
    if (port.is_excited()) check(port, port.waveform.frequency);
  }

  double cut_off() const { return speed_of_light * std::sqrt(mode_.cut_off_square()) / index() / (2 * pi); }  // Hz
  /// Where the scheme does what Maxwell's equations do at a frequency: W of it is omega of that.
  double in_scheme(double frequency) const { return std::asin(pi * frequency * dt_) / (pi * dt_); }
  /// The mode as a wave of the voltage V and the current I of its power, where E = V e.
  solver::ModeWave at(double frequency) const {
    return {std::sqrt(square(frequency)), wave_impedance(frequency) / mode_.norm()};
  }
  double wave_impedance(double frequency) const {
    const double beta = std::sqrt(square(frequency)), omega = of_scheme(frequency);
    return mode_.is_transverse_electric() ? vacuum_permeability * medium_.permeability * omega / beta
                                          : beta / (vacuum_permittivity * medium_.permittivity * omega);
  }
  /// beta^2, (rad/m)^2; not positive below the cut-off.
  double square(double frequency) const {
    const double k = of_scheme(frequency) * index() / speed_of_light;
    return k * k - mode_.cut_off_square();
  }

 private:
  double index() const { return std::sqrt(medium_.permittivity * medium_.permeability); }
  double of_scheme(double frequency) const { return 2 / dt_ * std::sin(pi * frequency * dt_); }
  void check(const physics::Port& port, double frequency) const {
    if (square(frequency) > 0) return;
    refuse_port(port, fmt::format("{} is below the cut-off of its mode, {}; frequencies must be above",
                                  units::frequency_text(of_scheme(frequency) / (2 * pi)),
                                  units::frequency_text(cut_off())));
  }

  const SectionMode& mode_;
  physics::Medium medium_;
  double dt_;  // s
};

// E = V e, H = n x E / Z: along the axes of the plane n x e_1 = e_2 and n x e_2 = -e_1.
void add_mode_terms(const GuidePlane& plane, const std::shared_ptr<const SectionMode>& mode, const GuideWave& wave,
                    Launch& launch) {
  const physics::Port& port = plane.port;
  const double admittance = 1 / wave.wave_impedance(port.waveform.frequency);
  const auto relative = [&](double frequency) -> std::complex<double> {
    return wave.square(frequency) > 0 ? 1 / (wave.wave_impedance(frequency) * admittance) : 0;
  };
  const physics::WaveformShape shape = physics::shape_of(port.waveform);
  launch.parts_in_time.push_back({[shape](double time) { return physics::value(shape, time); },
                                  physics::filtered(shape, physics::delayed_copies(port.waveform, relative))});
  for (const int w : {0, 1}) {
    if (!mode->has(w)) continue;
    Vec3 electric, magnetic;
    electric[plane.axes[std::size_t(w)]] = port.excite;
    magnetic[plane.axes[std::size_t(1 - w)]] = (w == 0 ? 1 : -1) * plane.way * port.excite * vacuum_impedance * admittance;
    launch.terms.push_back({shape, electric, magnetic, [=, axes = plane.axes](const Vec3& x) {
                              const double e = mode->electric(x[axes[0]], x[axes[1]], w);
                              return LaunchedAt{e, e, 0, 0};
                            }});
  }
}

// Each face once, on one rank: where the element ahead is.
template <class Real>
std::vector<SectionTriangle> triangles_ahead(const Discretisation<Real>& d, const GuidePlane& plane,
                                             const SourceSurface& surface) {
  std::vector<SectionTriangle> triangles;
  for (const auto& side : surface.sides)
    if (side.ahead) triangles.push_back(triangle_of(d, plane, side));
  return triangles;
}

}  // namespace

template <class Real>
GuidePort make_guide_port(const Discretisation<Real>& d, const physics::Port& port, double dt,
                          const parallel::Communicator& comm) {
  if (port.type == physics::Port::Type::mode) return make_section_port(d, port, dt, comm);
  const GuidePlane plane(port);
  GuidePort made;
  Launch launch{surface_of(d, plane, true, comm), {}, {}, 0, {}};
  const physics::Medium medium = launch.surface.medium;
  const auto mode =
      std::make_shared<const SectionMode>(port, d.order + 1, triangles_ahead(d, plane, launch.surface),
                                          walls_of(d, plane, HalfStep::magnetic), comm);
  const GuideWave wave(port, *mode, medium, dt);
  made.mode.plane = {port.name, physics::Flux::Type::plane, port.centre, port.size, {}, port.origin};
  made.mode.means_of_faces = true;
  made.mode.direction = plane.way;
  made.mode.distance = -port.shift;
  made.mode.cut_off = wave.cut_off();
  for (const double frequency : port.frequencies) {
    made.mode.plane.frequencies.push_back(wave.in_scheme(frequency));
    made.mode.waves.push_back(wave.at(wave.in_scheme(frequency)));
  }
  made.mode.wave_of_steps = [mode, wave](double frequency) { return wave.at(frequency); };
  made.mode.weights = [mode, axes = plane.axes](const solver::SurfacePairs& pairs, std::size_t) {
    return solver::weights_of_mode(pairs, mode->norm(), [&](const Vec3& x, int axis) {
      return mode->electric(x[axes[0]], x[axes[1]], axis == axes[0] ? 0 : 1);
    });
  };
  if (!port.is_excited()) return made;
  add_mode_terms(plane, mode, wave, launch);
  const double current = port.excite * mode->norm() / wave.wave_impedance(port.waveform.frequency);
  made.sent = [in_time = launch.parts_in_time.front(), voltage = port.excite, current, dt](double frequency,
                                                                                           std::int64_t steps) {
    return in_time.integrals(frequency, dt, steps, voltage, current);
  };
  made.launches.push_back(std::move(launch));
  return made;
}

template <class Real>
double guide_port_bytes(const Discretisation<Real>& d, const physics::Port& port, const parallel::Communicator& comm) {
  const bool is_of_media = port.type == physics::Port::Type::mode;
  const std::size_t most_terms = is_of_media ? 2 * grid::BandMode::most_solutions : 2;
  if (!port.is_excited()) return 0;
  const SourceSurface surface = surface_of(d, GuidePlane(port), !is_of_media, comm);
  const auto curved = std::count_if(surface.sides.begin(), surface.sides.end(),
                                    [&](const auto& side) { return d.is_curved(side.element); });
  return launch_bytes(surface, most_terms, d.order, static_cast<std::size_t>(curved));
}

template double guide_port_bytes(const Discretisation<float>&, const physics::Port&, const parallel::Communicator&);
template double guide_port_bytes(const Discretisation<double>&, const physics::Port&, const parallel::Communicator&);
template GuidePort make_guide_port(const Discretisation<float>&, const physics::Port&, double,
                                   const parallel::Communicator&);
template GuidePort make_guide_port(const Discretisation<double>&, const physics::Port&, double,
                                   const parallel::Communicator&);

}  // namespace dgtd::dg
