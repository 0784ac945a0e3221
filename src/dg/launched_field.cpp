#include "dgtd/dg/launched_field.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/numpy_file.hpp"
#include "dgtd/dg/kernels/numerical_flux.hpp"
#include "dgtd/physics/field_profile.hpp"
#include "dgtd/physics/gaussian_beam.hpp"
#include "dgtd/physics/sheet_profile.hpp"

namespace dgtd::dg {
namespace {

using Type = physics::Source::Type;

double slowness_in(const physics::Medium& m) { return std::sqrt(m.permittivity * m.permeability) / speed_of_light; }
double relative_impedance(const physics::Medium& m) { return std::sqrt(m.permeability / m.permittivity); }

/// The points at which a launched field is taken.
template <class Real, class Visit>
void for_each_point(const Discretisation<Real>& d, const SourceSurface& surface, const Visit& visit) {
  const TriangleQuadrature quadrature = points_of_face(d.order);
  for (const auto& side : surface.sides) {
    const ElementGeometry element(d.mesh, side.element);
    const FaceGeometry face(element, side.face);
    for (const auto& l : quadrature.points) visit(point_of_face(element, face, side.face, l));
  }
}

template <class Real>
Launch launch_plane_wave(const Discretisation<Real>& d, const physics::Source& source,
                         const parallel::Communicator& comm) {
  Launch launch{total_field_surface(d, source, comm), {}, {}, 0, {}};
  const physics::Medium& m = launch.surface.medium;
  const double speed = speed_of_light / std::sqrt(m.permittivity * m.permeability);
  const auto delay = [=, direction = source.direction, position = source.position](const Vec3& x) {
    return dot(direction, x - position) / speed;
  };
  double first = std::numeric_limits<double>::max();
  for_each_point(d, launch.surface, [&](const Vec3& x) { first = std::min(first, delay(x)); });
  launch.start = comm.min(first);
  const Vec3 electric = source.amplitude * source.polarisation;
  launch.terms.push_back({physics::shape_of(source.waveform), electric,
                          cross(source.direction, electric) / relative_impedance(m), [=](const Vec3& x) {
                            return LaunchedAt{1, 1, delay(x), delay(x)};
                          }});
  return launch;
}

// The plane of a sheet, and the way of its waves.
struct SheetPlane {
  int normal;
  std::array<int, 2> axes;  // of the plane, in the order x, y, z
  bool two_sided;
  LaunchPlane plane;
  double way;  // of the waves ahead along the normal, 1 or -1

  explicit SheetPlane(const physics::Source& source)
      : normal(source.size.x == 0 ? 0 : source.size.y == 0 ? 1 : 2),
        axes{normal == 0 ? 1 : 0, normal == 2 ? 1 : 2},
        two_sided(source.direction[normal] == 0),
        plane{normal, source.centre[normal], source.direction[normal] < 0},
        way(plane.downwards ? -1 : 1) {}

  Vec3 direction() const {
    Vec3 n;
    n[normal] = way;
    return n;
  }
};

// Whether a triangle reaches into the rectangle of a sheet, by its extent.
bool reaches_into(const std::array<Vec3, 3>& corners, const physics::Source& source, const SheetPlane& sheet) {
  for (const int a : sheet.axes) {
    const auto [low, high] = std::minmax({corners[0][a], corners[1][a], corners[2][a]});
    const double half = (0.5 - 1e-6) * source.size[a];
    if (high <= source.centre[a] - half || low >= source.centre[a] + half) return false;
  }
  return true;
}

// 1 inside of the rectangle, 0 outside.
double share_of(const Vec3& x, const physics::Source& source, const SheetPlane& sheet) {
  for (const int a : sheet.axes)
    if (std::abs(x[a] - source.centre[a]) > (0.5 + 1e-9) * source.size[a]) return 0;
  return 1;
}

// Both sides: a current J_s = -2 E / Z alone, where H has a step of twice that of the wave and E none.
LaunchedTerm sheet_term(const physics::WaveformShape& shape, const SheetPlane& sheet, const Vec3& electric,
                        const Vec3& magnetic, std::function<LaunchedAt(const Vec3&)> at) {
  if (sheet.two_sided) return {shape, {}, 2.0 * magnetic, std::move(at)};
  return {shape, electric, magnetic, std::move(at)};
}

// The term of a uniform sheet or one with a text file.
void add_real_term(const physics::Source& source, const SheetPlane& sheet, Launch& launch) {
  std::optional<physics::SheetProfile> profile;
  if (!source.profile.empty())
    profile = physics::read_sheet_profile(source.profile, 2 * pi * source.waveform.frequency);
  const double earliest =
      profile ? std::min(0.0, *std::min_element(profile->delay.begin(), profile->delay.end())) : 0.0;
  const Vec3 electric = source.amplitude * source.polarisation;
  const Vec3 magnetic = cross(sheet.direction(), electric) / relative_impedance(launch.surface.medium);
  const double slowness = sheet.two_sided ? 0 : slowness_in(launch.surface.medium);
  launch.terms.push_back(
      sheet_term(physics::shape_of(source.waveform), sheet, electric, magnetic, [=](const Vec3& x) {
        const Vec3 from_centre = x - source.centre;
        const auto p = profile ? profile->at(from_centre[sheet.axes[0]], from_centre[sheet.axes[1]])
                               : physics::SheetProfile::Value{1, 0};
        const double factor = p.amplitude * share_of(x, source, sheet),
                     delay = p.delay - earliest + slowness * sheet.way * from_centre[sheet.normal];
        return LaunchedAt{factor, factor, delay, delay};
      }));
}

// Terms of a NumPy profile: of each component of E, with the H that belongs to it, in phase and in quadrature. With the
// waveform sin(w t) a phasor A is Re(i A exp(-i w t)) = Re A sin(w t) + Im A sin(w t - pi / 2).
void add_complex_terms(const physics::Source& source, const SheetPlane& sheet, const physics::FieldProfile& profile,
                       Launch& launch) {
  using Content = physics::FieldProfile::Content;
  const bool has_directions = profile.content != Content::factor, has_both = profile.content == Content::both;
  const double slowness = sheet.two_sided          ? 0
                          : source.effective_index ? *source.effective_index / speed_of_light
                                                   : slowness_in(launch.surface.medium);
  const auto value = [=](int component, const Vec3& x) -> std::complex<double> {
    double place[2];
    for (const int w : {0, 1}) {
      const int a = sheet.axes[w];
      place[w] = (x[a] - source.centre[a] + 0.5 * source.size[a]) / source.size[a] * double(profile.points[w]);
    }
    return source.amplitude * profile.between(component, place[0], place[1]);
  };
  for (int w = 0; w < (has_directions ? 2 : 1); ++w) {
    Vec3 electric = source.polarisation;
    if (has_directions) electric = {}, electric[sheet.axes[w]] = 1;
    const Vec3 magnetic =
        has_both ? electric : cross(sheet.direction(), electric) / relative_impedance(launch.surface.medium);
    for (const bool in_quadrature : {false, true}) {
      physics::WaveformShape shape = physics::shape_of(source.waveform);
      if (in_quadrature) shape.phase = 0.5 * pi;
      launch.terms.push_back(sheet_term(shape, sheet, electric, magnetic, [=](const Vec3& x) {
        const auto part = [&](int component) {
          const std::complex<double> a = value(component, x);
          return in_quadrature ? a.imag() : a.real();
        };
        const double delay = slowness * sheet.way * (x - source.centre)[sheet.normal];
        return LaunchedAt{part(w), part(has_both ? 2 + w : w), delay, delay};
      }));
    }
  }
}

template <class Real>
Launch launch_sheet(const Discretisation<Real>& d, const physics::Source& source, const parallel::Communicator& comm) {
  const SheetPlane sheet(source);
  std::optional<physics::FieldProfile> profile;
  if (is_numpy_file(source.profile)) {
    profile = physics::read_field_profile(source.profile);
    physics::check_profile(source, *profile);
  }
  PlaneRequest request{sheet.plane, [&](const std::array<Vec3, 3>& corners) {
                         return reaches_into(corners, source, sheet);
                       }};
  request.one_medium = !profile || profile->content != physics::FieldProfile::Content::both;
  Launch launch{plane_surface(d, owner_of(source), request, comm), {}, {}, 0, source.phase};
  if (profile) add_complex_terms(source, sheet, *profile, launch);
  else add_real_term(source, sheet, launch);
  return launch;
}

// Plane that the case leaves out: a tenth of the domain from the side that the beam comes from, layers left out.
template <class Real>
LaunchPlane plane_of_beam(const Discretisation<Real>& d, const physics::Source& source,
                          const parallel::Communicator& comm) {
  LaunchPlane plane{0, 0, false};
  for (const int a : {1, 2})
    if (std::abs(source.direction[a]) > std::abs(source.direction[plane.axis])) plane.axis = a;
  plane.downwards = source.direction[plane.axis] < 0;
  double low = std::numeric_limits<double>::max(), high = std::numeric_limits<double>::lowest();
  for (std::size_t e = 0; e < d.mesh.elements(); ++e)
    for (int v = 0; v < 4 && !d.is_in_layer(e); ++v) {
      const double x = d.mesh.vertex(e, v)[plane.axis];
      low = std::min(low, x), high = std::max(high, x);
    }
  low = comm.min(low), high = -comm.min(-high);
  plane.place = source.plane ? *source.plane : plane.downwards ? high - 0.1 * (high - low) : low + 0.1 * (high - low);
  return plane;
}

// The medium of the element whose centre is nearest to a point. Collective.
template <class Real>
physics::Medium medium_near(const Discretisation<Real>& d, const Vec3& x, const parallel::Communicator& comm) {
  double nearest = std::numeric_limits<double>::max();
  std::size_t element = 0;
  for (std::size_t e = 0; e < d.mesh.elements(); ++e) {
    const double distance = norm(ElementGeometry(d.mesh, e).centre() - x);
    if (distance < nearest) nearest = distance, element = e;
  }
  const bool mine = comm.min(nearest) == nearest;
  const auto group = comm.max(mine ? std::int64_t{d.mesh.element_group[element]} : std::int64_t{-1});
  return d.material[static_cast<std::size_t>(group)];
}

template <class Real>
Launch launch_beam(const Discretisation<Real>& d, const physics::Source& source, const parallel::Communicator& comm) {
  constexpr double least_amplitude = 1e-6;  // of the plane's largest that is still launched
  constexpr double most_at_layers = 0.05;   // of it that may be cut off by absorbing elements
  const LaunchPlane plane = plane_of_beam(d, source, comm);
  const double to_plane = (plane.place - source.focus[plane.axis]) / source.direction[plane.axis];
  const physics::Medium m = medium_near(d, source.focus + to_plane * source.direction, comm);
  const physics::GaussianBeam beam{source.focus, source.direction, source.waist, slowness_in(m),
                                   2 * pi * source.waveform.frequency};
  const auto share = [=, largest = beam.amplitude(to_plane, 0)](const Vec3& x) {  // of the largest amplitude
    const auto [z, square_of_r] = beam.place(x);
    return beam.amplitude(z, square_of_r) / largest;
  };
  const PlaneRequest request{plane,
                             [&](const std::array<Vec3, 3>& c) {
                               return std::max({share(c[0]), share(c[1]), share(c[2])}) > least_amplitude;
                             },
                             [&](const Vec3& centre) { return share(centre) < most_at_layers; }};
  Launch launch{plane_surface(d, owner_of(source), request, comm), {}, {}, 0, {}};
  const double earliest = beam.earliest(to_plane);
  const Vec3 magnetic = cross(source.direction, source.polarisation) / relative_impedance(m);
  for (int c = 0; c < 3; ++c) {
    Vec3 along;
    along[c] = source.amplitude;
    launch.terms.push_back({physics::shape_of(source.waveform), along, along,
                            [=, polarisation = source.polarisation](const Vec3& x) {
                              const physics::WaveAtPoint at = beam.field(x, polarisation, magnetic);
                              const double delay = at.delay - earliest;
                              return LaunchedAt{at.electric[c], at.magnetic[c], delay - at.electric_lead[c],
                                                delay - at.magnetic_lead[c]};
                            }});
  }
  return launch;
}

}  // namespace

TriangleQuadrature points_of_face(int order) { return triangle_quadrature(order + 1); }

Vec3 point_of_face(const ElementGeometry& element, const FaceGeometry& face, int number,
                   const std::array<double, 3>& barycentric) {
  const Vec3 origin = element.vertices[face_vertices[number][0]];
  return origin + barycentric[1] * face.edge_a + barycentric[2] * face.edge_b;
}

solver::SentWave ModeInTime::integrals(double frequency, double dt, std::int64_t steps, double voltage,
                                       double current) const {
  solver::SentWave sent{};
  for (std::int64_t n = 0; n < steps; ++n) {
    const double of_electric = double(n + 1) * dt, of_magnetic = (double(n) + 0.5) * dt;
    sent.voltage += std::polar(dt * voltage * electric_at(of_electric), -2 * pi * frequency * of_electric);
    sent.current += std::polar(dt * current * magnetic_at(of_magnetic), -2 * pi * frequency * of_magnetic);
  }
  return sent;
}

double Launch::part_of_phase(const Vec3& x, bool imaginary) const {
  if (!phase) return imaginary ? 0 : 1;
  const double angle = dot(phase->wave_vector, x - phase->origin);
  return imaginary ? std::sin(angle) : std::cos(angle);
}

bool launches_inside(const physics::Source& source) {
  return source.type == Type::sheet || source.type == Type::gaussian_beam ||
         (source.type == Type::plane_wave && source.has_total_field());
}

template <class Real>
Launch make_launch(const Discretisation<Real>& d, const physics::Source& source, const parallel::Communicator& comm) {
  switch (source.type) {
    case Type::sheet: return launch_sheet(d, source, comm);
    case Type::gaussian_beam: return launch_beam(d, source, comm);
    default: return launch_plane_wave(d, source, comm);
  }
}

template Launch make_launch(const Discretisation<float>&, const physics::Source&, const parallel::Communicator&);
template Launch make_launch(const Discretisation<double>&, const physics::Source&, const parallel::Communicator&);

}  // namespace dgtd::dg
