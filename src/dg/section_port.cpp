#include "section_port.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "dgtd/base/constants.hpp"
#include "dgtd/grid/band_mode.hpp"
#include "guide_plane.hpp"
#include "port_error.hpp"
#include "section_cells.hpp"

namespace dgtd::dg {

namespace {

template <class Real>
SectionFaces gathered_faces(const Discretisation<Real>& d, const GuidePlane& plane, const SourceSurface& surface,
                            const parallel::Communicator& comm) {
  std::vector<SectionFace> faces;
  for (const auto& side : surface.sides) {
    const physics::Medium& m = d.material_of(side.element);
    faces.push_back({triangle_of(d, plane, side), m.permittivity, m.permeability, side.ahead});
  }
  const auto of_all = [&](const auto& list) { return broadcast_list(comm.gather_vectors(list), comm); };
  return {of_all(faces), of_all(walls_of(d, plane, HalfStep::magnetic)), of_all(walls_of(d, plane, HalfStep::electric))};
}

/// The mode on cells, for steps of dt.
class CellsMode {
 public:
  CellsMode(const GuidePlane& plane, SectionFaces faces, double dt, const parallel::Communicator& comm)
      : port_(plane.port),
        axes_(plane.axes),
        way_(plane.way),
        dt_(dt),
        section_(cells_over(plane, faces, cell_length(plane, faces).taken)),
        mode_(section_, port_.mode_number(), band(), dt, name_of(port_)) {
    for (const double frequency : port_.frequencies) at_frequencies_.push_back(mode_.at(in_scheme(frequency)));
    if (comm.is_root()) report_larger_cells(port_, cell_length(plane, faces)), mode_.warn_where_cut(name_of(port_));
    if (!port_.is_excited()) return;
    // The profile changes over the band as the weights of the solutions do, each of which is a filter.
    const physics::WaveformShape shape = physics::shape_of(port_.waveform);
    if (port_.waveform.type != physics::Waveform::Type::modulated_gaussian) {
      const auto waveform = physics::filtered(shape, {{1, 0}});
      sent_.push_back({mode_.at(port_.waveform.frequency), {waveform, waveform}});
      return;
    }
    for (std::size_t k = 0; k < mode_.solutions().size(); ++k) {
      const auto waveform = physics::filtered(shape, physics::delayed_copies(port_.waveform, [&](double f) {
                                                return std::complex<double>(mode_.weights(f)[k]);
                                              }));
      sent_.push_back({mode_.solutions()[k], {waveform, waveform}});
    }
  }

  /// Part of what the port sends: a profile, and how it is in time.
  struct Sent {
    grid::SectionMode profile;
    ModeInTime in_time;
  };
  const std::vector<Sent>& sent() const { return sent_; }
  const std::vector<grid::SectionMode>& at_frequencies() const { return at_frequencies_; }
  /// Where leap-frog steps of a scheme that is exact in space do what Maxwell's equations do at a frequency:
  /// 2/dt sin(omega' dt / 2) = omega.
  double in_scheme(double frequency) const { return std::asin(pi * frequency * dt_) / (pi * dt_); }
  double power(std::size_t frequency) const {
    return grid::power_of(section_, at_frequencies_[frequency], at_frequencies_[frequency]);
  }
  /// As on grids, with beta = B where cells along the guide are short.
  solver::ModeWave wave(const grid::SectionMode& mode) const {
    return {std::sqrt(mode.square), vacuum_impedance / grid::power_of(section_, mode, mode)};
  }
  /// The mode of fields that have a frequency, Hz, in the steps' time.
  grid::SectionMode of_steps(double frequency) const { return mode_.at(frequency); }
  /// Axis: 0 or 1, of E in the section.
  solver::ModeFields fields(const grid::SectionMode& mode, const Vec3& x, int axis) const {
    return fields_at(section_, mode, x[axes_[0]], x[axes_[1]], axis);
  }
  const std::array<int, 2>& axes() const { return axes_; }
  double way() const { return way_; }

 private:
  grid::Band band() const {
    grid::Band band{in_scheme(port_.frequencies.front()), in_scheme(port_.frequencies.back())};
    if (port_.is_excited())
      band = {std::min(band.first, port_.waveform.frequency), std::max(band.last, port_.waveform.frequency)};
    return band;
  }

  physics::Port port_;
  std::array<int, 2> axes_;
  double way_, dt_;  // of the waves along the normal; s
  grid::CrossSection section_;
  grid::BandMode mode_;
  std::vector<grid::SectionMode> at_frequencies_;
  std::vector<Sent> sent_;
};

// H of E along the first axis is along the second one, n x e_1 = e_2, and n x e_2 = -e_1.
std::vector<LaunchedTerm> terms_of(const std::shared_ptr<const CellsMode>& mode, const physics::Port& port) {
  std::vector<LaunchedTerm> terms;
  for (const int w : {0, 1}) {
    Vec3 electric, magnetic;
    electric[mode->axes()[std::size_t(w)]] = port.excite;
    magnetic[mode->axes()[std::size_t(1 - w)]] = (w == 0 ? 1 : -1) * mode->way() * port.excite;
    const auto profile_of = [=](std::size_t part) {
      return [=](const Vec3& x) {
        const auto fields = mode->fields(mode->sent()[part].profile, x, w);
        return LaunchedAt{fields.electric, fields.magnetic, 0, 0};
      };
    };
    terms.push_back({physics::shape_of(port.waveform), electric, magnetic, profile_of(0)});
    for (std::size_t part = 1; part < mode->sent().size(); ++part) terms.back().further.emplace_back(profile_of(part));
  }
  return terms;
}

/// Voltage and current of a part that is sent as the port measures them at a frequency, for E of the part times 1 V.
struct PartMeasured {
  double voltage, current;  // V, A
};

// [frequencies][parts] By the points at which the fields are measured, so that both halves of a wave, the one that is
// measured and the one that is known, have one scale.
template <class Real>
std::vector<std::vector<PartMeasured>> measured_parts(const Discretisation<Real>& d, const CellsMode& mode,
                                                      const SourceSurface& surface, const parallel::Communicator& comm) {
  const std::size_t frequencies = mode.at_frequencies().size(), parts = mode.sent().size();
  std::vector<double> sums(2 * frequencies * parts, 0);
  const TriangleQuadrature quadrature = points_of_face(d.order);
  for (const auto& side : surface.sides) {
    if (!side.ahead) continue;
    const ElementGeometry element(d.mesh, side.element);
    const FaceGeometry face(element, side.face);
    for (std::size_t q = 0; q < quadrature.points.size(); ++q) {
      const Vec3 x = point_of_face(element, face, side.face, quadrature.points[q]);
      const double area = 2 * quadrature.weights[q] * face.area;
      for (const int w : {0, 1}) {
        std::vector<solver::ModeFields> of_parts;
        for (const auto& part : mode.sent()) of_parts.push_back(mode.fields(part.profile, x, w));
        for (std::size_t f = 0; f < frequencies; ++f) {
          const auto own = mode.fields(mode.at_frequencies()[f], x, w);
          for (std::size_t k = 0; k < parts; ++k) {
            sums[2 * (f * parts + k)] += of_parts[k].electric * own.magnetic * area;
            sums[2 * (f * parts + k) + 1] += own.electric * of_parts[k].magnetic * area;
          }
        }
      }
    }
  }
  sums = comm.sum(std::move(sums));
  std::vector<std::vector<PartMeasured>> measured(frequencies);
  for (std::size_t f = 0; f < frequencies; ++f)
    for (std::size_t k = 0; k < parts; ++k)
      measured[f].push_back({sums[2 * (f * parts + k)] / mode.power(f), sums[2 * (f * parts + k) + 1] / vacuum_impedance});
  return measured;
}

}  // namespace

template <class Real>
GuidePort make_section_port(const Discretisation<Real>& d, const physics::Port& port, double dt,
                            const parallel::Communicator& comm) {
  const GuidePlane plane(port);
  const SourceSurface surface = surface_of(d, plane, false, comm);
  const auto mode = std::make_shared<const CellsMode>(plane, gathered_faces(d, plane, surface, comm), dt, comm);
  GuidePort made;
  solver::PortMode& m = made.mode;
  m.plane = {port.name, physics::Flux::Type::plane, port.centre, port.size, {}, port.origin};
  m.means_of_faces = true;
  m.direction = plane.way;
  m.distance = -port.shift;
  for (std::size_t f = 0; f < port.frequencies.size(); ++f) {
    m.plane.frequencies.push_back(mode->in_scheme(port.frequencies[f]));
    m.waves.push_back(mode->wave(mode->at_frequencies()[f]));
  }
  m.wave_of_steps = [mode](double frequency) { return mode->wave(mode->of_steps(frequency)); };
  m.weights = [mode](const solver::SurfacePairs& pairs, std::size_t frequency) {
    return solver::weights_of_mode(pairs, mode->power(frequency), [&](const Vec3& x, int axis) {
      return mode->fields(mode->at_frequencies()[frequency], x, axis == mode->axes()[0] ? 0 : 1);
    });
  };
  if (!port.is_excited()) return made;
  Launch& launch = made.launches.emplace_back(Launch{surface, terms_of(mode, port), {}, 0, {}});
  for (const auto& part : mode->sent()) launch.parts_in_time.push_back(part.in_time);
  made.sent = [mode, measured = measured_parts(d, *mode, surface, comm), frequencies = m.plane.frequencies,
               excite = port.excite, dt](double frequency, std::int64_t steps) {
    const auto nearest = std::min_element(frequencies.begin(), frequencies.end(), [&](double a, double b) {
      return std::abs(a - frequency) < std::abs(b - frequency);
    });
    const auto f = static_cast<std::size_t>(nearest - frequencies.begin());
    solver::SentWave sent{};
    for (std::size_t k = 0; k < mode->sent().size(); ++k) {
      const PartMeasured& part = measured.at(f)[k];
      const auto of_part =
          mode->sent()[k].in_time.integrals(frequency, dt, steps, excite * part.voltage, excite * part.current);
      sent.voltage += of_part.voltage, sent.current += of_part.current;
    }
    return sent;
  };
  return made;
}

template GuidePort make_section_port(const Discretisation<float>&, const physics::Port&, double,
                                     const parallel::Communicator&);
template GuidePort make_section_port(const Discretisation<double>&, const physics::Port&, double,
                                     const parallel::Communicator&);

}  // namespace dgtd::dg
