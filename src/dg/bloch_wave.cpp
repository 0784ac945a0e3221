#include "bloch_wave.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <memory>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/base/units.hpp"

namespace dgtd::dg {

namespace {

using Complex = std::complex<double>;
using Type = physics::Waveform::Type;

// Numbers of a wave in the scheme's time.
struct BlochWaveNumbers {
  double along;  // q, rad/m
  double index;  // n
  double dt;     // s

  double of_medium(double frequency) const { return index * 2 / dt * std::sin(pi * frequency * dt) / speed_of_light; }
  /// k_n, imaginary below the cut-off.
  Complex across(double frequency) const {
    const double k = of_medium(frequency), square = k * k - along * along;
    return square >= 0 ? Complex(std::sqrt(square), 0) : Complex(0, std::sqrt(-square));
  }
  double cut_off() const { return along * speed_of_light / (2 * pi * index); }  // Hz, but for dt
};

// A waveform behind a filter, over time.
using Response = std::function<Complex(double frequency)>;

// A steady sine has the filter's amplitude and phase at its frequency.
std::function<double(double)> filtered_sine(const physics::Waveform& w, const Response& response) {
  const Complex value = response(w.frequency);
  return [shape = physics::shape_of(w), factor = std::abs(value),
          delay = -std::arg(value) / (2 * pi * w.frequency)](double time) {
    return factor * physics::value(shape, time - delay);
  };
}

// f(t) = 1/pi Re int_0^inf F(w) R(w) exp(-i w t) dw, with F of the pulse sin(w_0 t) exp(-t^2 / (2 s^2)) around 5 s,
//   F(w) = i/2 s sqrt(2 pi) (exp(-(w - w_0)^2 s^2 / 2) - exp(-(w + w_0)^2 s^2 / 2)) exp(5 i w s).
// longest: s, the delay of the slowest part. As a sum over frequencies it repeats after twice the time that it is used.
std::function<double(double)> filtered_pulse(const physics::Waveform& w, const Response& response, double longest) {
  constexpr double width = 6.5;  // standard deviations of the spectrum, beyond which it is below 1e-9
  constexpr double floor = 0.02;  // of the carrier
  const physics::WaveformShape shape = physics::shape_of(w);
  const double s = shape.spread, carrier = shape.angular_frequency, last = 2 * (10 * s + longest);
  const double low = std::max(floor * carrier, carrier - width / s), high = carrier + width / s;
  const auto count = static_cast<std::size_t>(std::ceil((high - low) * last / pi)) + 1;
  const double step = (high - low) / double(count);
  struct Part {
    double angular_frequency;
    Complex factor;
  };
  std::vector<Part> parts;
  for (std::size_t j = 0; j < count; ++j) {
    const double omega = low + (double(j) + 0.5) * step, below = (omega - carrier) * s, above = (omega + carrier) * s;
    const Complex spectrum = Complex(0, 0.5 * s * std::sqrt(2 * pi) * (std::exp(-0.5 * below * below) - std::exp(-0.5 * above * above))) *
                             std::polar(1.0, 5 * omega * s);
    parts.push_back({omega, step / pi * spectrum * response(omega / (2 * pi))});
  }
  return [parts = std::move(parts), last](double time) {
    if (time < 0 || time > last) return 0.0;
    double sum = 0;
    for (const Part& p : parts) {
      const double phase = p.angular_frequency * time;
      sum += p.factor.real() * std::cos(phase) + p.factor.imag() * std::sin(phase);
    }
    return sum;
  };
}

// The delay over a distance of the slowest part of a pulse with a considerable amplitude, s.
double slowest_delay(const physics::Waveform& w, const BlochWaveNumbers& numbers, double distance) {
  constexpr double considerable = 1.6;  // half widths at half maximum, where it is 1/6
  const double frequency = std::max(w.frequency - considerable * 0.5 * w.bandwidth, 1.02 * numbers.cut_off());
  const double k = numbers.of_medium(frequency), across = numbers.across(frequency).real();
  return distance * numbers.index / speed_of_light * (across > 0 ? k / across : 10);
}

void check_cut_off(const physics::Source& source, const BlochWaveNumbers& numbers) {
  constexpr double most = 0.05;  // of the largest amplitude
  const physics::Waveform& w = source.waveform;
  const double lowest = numbers.cut_off();
  const double distance = (w.frequency - lowest) / (0.5 * w.bandwidth);
  const bool is_pulse = w.type == Type::modulated_gaussian;
  if (lowest < w.frequency && (!is_pulse || std::exp(-std::log(2.0) * distance * distance) < most)) return;
  throw Error(fmt::format(
      "{}: source.{}: with the phases of the sides waves travel above {} only, and {}; a smaller phase{} is needed",
      source.origin, source.name, units::frequency_text(lowest),
      is_pulse ? fmt::format("the pulse has more than {:.0f} % of its largest amplitude below", 100 * most)
               : "the source's frequency is below",
      is_pulse ? " or bandwidth" : ""));
}

// The sides give the wave vector along them; the direction must be that of the carrier.
void check_direction(const physics::Source& source, const physics::Medium& m, int axis) {
  constexpr double rounding = 2e-3;  // of the wave number
  const double k = 2 * pi * source.waveform.frequency * std::sqrt(m.permittivity * m.permeability) / speed_of_light;
  for (int a = 0; a < 3; ++a) {
    if (a == axis) continue;
    const double wanted = k * source.direction[a], given = source.phase->wave_vector[a];
    if (std::abs(wanted - given) <= rounding * k) continue;
    throw Error(fmt::format(
        "{0}: source.{1}: along {2} its direction has {3:.6g} rad/m at {4}, and the sides {2}min and {2}max {5:.6g}; "
        "give them type = bloch with k = {3:.6g}, or another direction",
        source.origin, source.name, "xyz"[a], wanted, units::frequency_text(source.waveform.frequency), given));
  }
}

// One plane of the total field.
struct EntryPlane {
  double place;  // m
  SourceSurface surface;
};

// The two planes of a total field, that where the wave enters first.
template <class Real>
std::array<EntryPlane, 2> planes_of(const Discretisation<Real>& d, const physics::Source& source, int axis,
                                    const parallel::Communicator& comm) {
  const SourceSurface whole = total_field_surface(d, source, comm);
  double low = std::numeric_limits<double>::max(), high = std::numeric_limits<double>::lowest();
  const auto corners_of = [&](const SourceSurface::Side& side) {
    std::array<double, 3> x{};
    for (std::size_t i = 0; i < 3; ++i) x[i] = d.mesh.vertex(side.element, face_vertices[side.face][i])[axis];
    return x;
  };
  for (const auto& side : whole.sides)
    for (const double x : corners_of(side)) low = std::min(low, x), high = std::max(high, x);
  low = comm.min(low), high = comm.max(high);
  const bool downwards = source.direction[axis] < 0;
  std::array<EntryPlane, 2> planes{EntryPlane{downwards ? high : low, whole}, EntryPlane{downwards ? low : high, whole}};
  for (auto& plane : planes) plane.surface.sides.clear(), plane.surface.in_total.clear();
  const double tolerance = 1e-6 * (high - low);
  std::int64_t beside = 0;
  for (const auto& side : whole.sides) {
    const auto x = corners_of(side);
    const auto is_at = [&](double place) {
      return std::all_of(x.begin(), x.end(), [&](double at) { return std::abs(at - place) <= tolerance; });
    };
    if (is_at(planes[0].place)) planes[0].surface.sides.push_back(side);
    else if (is_at(planes[1].place)) planes[1].surface.sides.push_back(side);
    else ++beside;
  }
  if (comm.sum(beside) > 0)
    throw Error(fmt::format(
        "{}: source.{}: between sides of type bloch the total field must end in two planes of faces across {}, and the "
        "mesh has none at box_min and box_max; dgtd-mesh blocks and generator = box make such meshes",
        source.origin, source.name, "xyz"[axis]));
  return planes;
}

}  // namespace

int axis_across(const physics::Source& source) {
  int axis = -1;
  for (int a = 0; a < 3; ++a)
    if (source.phase.value().wave_vector[a] == 0 &&
        (axis < 0 || std::abs(source.direction[a]) > std::abs(source.direction[axis])))
      axis = a;
  return axis;
}

template <class Real>
std::vector<Launch> launch_bloch_wave(const Discretisation<Real>& d, const physics::Source& source, double dt,
                                      const parallel::Communicator& comm) {
  const int axis = axis_across(source);
  const auto planes = planes_of(d, source, axis, comm);
  const physics::Medium& m = planes[0].surface.medium;
  const Vec3 q = source.phase->wave_vector;
  const BlochWaveNumbers numbers{norm(q), std::sqrt(m.permittivity * m.permeability), dt};
  check_direction(source, m, axis);
  check_cut_off(source, numbers);
  Vec3 normal;
  normal[axis] = source.direction[axis] < 0 ? -1 : 1;
  const Vec3 along = (1 / norm(q)) * q, across = cross(normal, along);  // t and s, for waves along the normal
  // The polarisation at the carrier: along s, and along p = k_n/k t - q/k n.
  const Vec3 in_plane = cross(across, source.direction);
  const double part_s = source.amplitude * dot(source.polarisation, across),
               part_p = source.amplitude * dot(source.polarisation, in_plane) / norm(in_plane);
  const double admittance = std::sqrt(m.permittivity / m.permeability);
  std::vector<Launch> launches;
  for (const EntryPlane& plane : planes) {
    const double distance = std::abs(plane.place - planes[0].place);
    const auto over_time = [&](bool with_slope) {
      const Response response = [=](double frequency) {
        const Complex k_n = numbers.across(frequency);
        return (with_slope ? k_n / numbers.of_medium(frequency) : 1.0) * std::exp(Complex(0, 1) * k_n * distance);
      };
      return source.waveform.type == Type::modulated_gaussian
                 ? filtered_pulse(source.waveform, response, slowest_delay(source.waveform, numbers, distance))
                 : filtered_sine(source.waveform, response);
    };
    const auto add = [&](const ModeInTime& in_time, const Vec3& electric, const Vec3& magnetic) {
      launches.push_back({plane.surface, {}, {in_time}, 0, physics::BlochPhase{q, source.position}});
      launches.back().terms.push_back(
          {physics::shape_of(source.waveform), electric, magnetic, [](const Vec3&) { return LaunchedAt{}; }});
    };
    const auto flat = over_time(false), sloped = over_time(true);
    if (std::abs(part_s) > 1e-9 * source.amplitude)
      add({flat, sloped}, part_s * across, -part_s * admittance * along);
    if (std::abs(part_p) > 1e-9 * source.amplitude)
      add({sloped, flat}, part_p * along, part_p * admittance * across);
  }
  return launches;
}

template std::vector<Launch> launch_bloch_wave(const Discretisation<float>&, const physics::Source&, double,
                                               const parallel::Communicator&);
template std::vector<Launch> launch_bloch_wave(const Discretisation<double>&, const physics::Source&, double,
                                               const parallel::Communicator&);

}  // namespace dgtd::dg
