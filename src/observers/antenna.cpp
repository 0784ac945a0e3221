#include "dgtd/observers/antenna.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/units.hpp"
#include "dgtd/parallel/root_or_throw.hpp"

namespace dgtd::observers {

namespace {

double ratio_dB(double ratio) { return 10 * std::log10(ratio); }

// Angle between the places around `top` of a closed line where the values are half of that there; steps: rad.
std::optional<double> half_width(const std::vector<double>& ring, std::size_t top, double step) {
  const std::size_t n = ring.size();
  const double half = 0.5 * ring[top];
  double width = 0;
  for (const std::size_t forward : {std::size_t{1}, n - 1}) {
    std::size_t at = top, steps = 0;
    while (ring[(at + forward) % n] > half) {
      at = (at + forward) % n;
      if (++steps == n) return {};
    }
    const double inner = ring[at], outer = ring[(at + forward) % n];
    width += (double(steps) + (inner - half) / (inner - outer)) * step;
  }
  return width;
}

// The great circle through the poles at a phi and the opposite one, from theta = 0 on.
std::vector<double> great_circle(const Intensities& u, std::size_t phi) {
  const auto thetas = static_cast<std::size_t>(u.thetas), phis = static_cast<std::size_t>(u.phis);
  std::vector<double> ring;
  for (std::size_t t = 0; t < thetas; ++t) ring.push_back(u.values[t * phis + phi]);
  for (std::size_t t = thetas - 2; t > 0; --t) ring.push_back(u.values[t * phis + (phi + phis / 2) % phis]);
  return ring;
}

}  // namespace

// The squares of the axes are (|a|^2 + |b|^2 +- |a^2 + b^2|) / 2 (M. Born, E. Wolf, *Principles of Optics*, 1.4.2). Their
// product is (Im a conj(b))^2, which does not cancel where the shorter one is small.
double axial_ratio(std::complex<double> a, std::complex<double> b) {
  const double longer = 0.5 * (std::norm(a) + std::norm(b) + std::abs(a * a + b * b));
  const double area = std::abs((a * std::conj(b)).imag());
  return area > 0 ? longer / area : std::numeric_limits<double>::infinity();
}

AntennaFigures antenna_figures(const Intensities& u, double accepted, double incident) {
  const auto thetas = static_cast<std::size_t>(u.thetas), phis = static_cast<std::size_t>(u.phis);
  const auto top = static_cast<std::size_t>(std::max_element(u.values.begin(), u.values.end()) - u.values.begin());
  const std::size_t t = top / phis, p = top % phis;
  const double largest = u.values[top];
  AntennaFigures a;
  a.gain = 4 * pi * largest / accepted;
  a.realised_gain = 4 * pi * largest / incident;
  a.directivity = 4 * pi * largest / u.radiated;
  a.radiation_efficiency = u.radiated / accepted;
  a.total_efficiency = u.radiated / incident;
  a.accepted_share = accepted / incident;
  a.theta = thetas > 1 ? pi * double(t) / double(thetas - 1) : 0;
  a.phi = 2 * pi * double(p) / double(phis);
  if (thetas < 3 || phis < 2 || phis % 2 != 0) return a;
  a.front_to_back = largest / u.values[(thetas - 1 - t) * phis + (p + phis / 2) % phis];
  a.beam_theta = half_width(great_circle(u, p), t, pi / double(thetas - 1));
  const auto row = u.values.begin() + std::ptrdiff_t(t * phis);
  if (t > 0 && t + 1 < thetas) a.beam_phi = half_width({row, row + std::ptrdiff_t(phis)}, p, 2 * pi / double(phis));
  return a;
}

namespace {

std::string table_of_antenna(const std::vector<double>& frequencies, const std::vector<AntennaFigures>& figures) {
  std::string table =
      "frequency_Hz,gain_dBi,realised_gain_dBi,directivity_dBi,radiation_efficiency,total_efficiency,theta_deg,phi_deg,"
      "front_to_back_dB,beam_width_theta_deg,beam_width_phi_deg,axial_ratio_dB,accepted_at_1W_incident_W,"
      "radiated_at_1W_incident_W,absorbed_at_1W_incident_W\n";
  constexpr double degree = 180 / pi;
  const auto in_degrees = [](const std::optional<double>& angle) {
    return angle ? fmt::format("{:.6g}", *angle * degree) : std::string("nan");
  };
  for (std::size_t f = 0; f < frequencies.size(); ++f) {
    const AntennaFigures& a = figures[f];
    table += fmt::format("{},{:.6f},{:.6f},{:.6f},{:.9g},{:.9g},{:.6g},{:.6g},{},{},{},{},{:.9g},{:.9g},{}\n",
                         frequencies[f], ratio_dB(a.gain), ratio_dB(a.realised_gain), ratio_dB(a.directivity),
                         a.radiation_efficiency, a.total_efficiency, a.theta * degree, a.phi * degree,
                         a.front_to_back ? fmt::format("{:.6f}", ratio_dB(*a.front_to_back)) : "nan",
                         in_degrees(a.beam_theta), in_degrees(a.beam_phi),
                         a.axial_ratio ? fmt::format("{:.6g}", 2 * ratio_dB(*a.axial_ratio)) : "nan", a.accepted_share,
                         a.total_efficiency, a.absorbed_share ? fmt::format("{:.9g}", *a.absorbed_share) : "nan");
  }
  return table;
}

io::Section section_of_antenna(const std::string& name, const std::vector<double>& frequencies,
                               const std::vector<AntennaFigures>& figures, std::size_t best) {
  const AntennaFigures& a = figures[best];
  io::Entries entries;
  const auto add = [&](const char* title, std::string value) { entries.list.push_back({title, std::move(value)}); };
  const auto gain_text = [](double ratio) { return fmt::format("{:.2f} dBi", ratio_dB(ratio)); };
  const auto angle_text = [](const std::optional<double>& angle) {
    return angle ? fmt::format("{:.1f} degrees", *angle * 180 / pi) : std::string(io::absent);
  };
  add("At the frequency of the largest realised gain", units::frequency_text(frequencies[best]));
  add("Gain", gain_text(a.gain));
  add("Realised gain", gain_text(a.realised_gain));
  add("Directivity", gain_text(a.directivity));
  add("Radiation efficiency", io::percent(a.radiation_efficiency));
  add("Total efficiency, with the mismatch", io::percent(a.total_efficiency));
  add("At 1 W incident at the ports",
      fmt::format("{} accepted, {} radiated, {} absorbed in materials", units::power_text(a.accepted_share),
                  units::power_text(a.total_efficiency),
                  a.absorbed_share ? units::power_text(*a.absorbed_share) : std::string(io::absent)));
  add("Direction theta, phi", angle_text(a.theta) + ", " + angle_text(a.phi));
  if (a.axial_ratio)  // above 30 dB differences of the axes are errors of the method
    add("Polarisation", *a.axial_ratio > std::sqrt(1000.0)
                            ? std::string("linear, axial ratio above 30 dB")
                            : fmt::format("axial ratio {:.2f} dB", 2 * ratio_dB(*a.axial_ratio)));
  if (a.front_to_back) add("Front to back", fmt::format("{:.2f} dB", ratio_dB(*a.front_to_back)));
  add("Beam width over theta, phi", angle_text(a.beam_theta) + ", " + angle_text(a.beam_phi));
  io::Section section{io::Chapter::measurements, "Antenna " + name, {std::move(entries)}};
  section.console = fmt::format(
      "antenna {}: at {} gain {:.2f} dBi, realised gain {:.2f} dBi, directivity {:.2f} dBi, radiation efficiency "
      "{:.1f} "
      "%, total {:.1f} %",
      name, units::frequency_text(frequencies[best]), ratio_dB(a.gain), ratio_dB(a.realised_gain),
      ratio_dB(a.directivity), 100 * a.radiation_efficiency, 100 * a.total_efficiency);
  if (frequencies.size() < 2) return section;
  io::Curve gain{"gain", {}, {}}, realised{"realised gain", {}, {}}, directivity{"directivity", {}, {}};
  io::Curve radiation{"radiation", {}, {}}, total{"total", {}, {}};
  for (std::size_t f = 0; f < frequencies.size(); ++f) {
    for (io::Curve* curve : {&gain, &realised, &directivity, &radiation, &total}) curve->x.push_back(frequencies[f]);
    gain.y.push_back(ratio_dB(figures[f].gain));
    realised.y.push_back(ratio_dB(figures[f].realised_gain));
    directivity.y.push_back(ratio_dB(figures[f].directivity));
    radiation.y.push_back(figures[f].radiation_efficiency);
    total.y.push_back(figures[f].total_efficiency);
  }
  const io::ChartAxis axis = io::frequency_axis(frequencies);
  section.blocks.push_back(io::Chart{
      "Gain in the direction of the largest intensity", axis, {"Gain in dBi", ""}, {gain, realised, directivity}});
  section.blocks.push_back(io::Chart{"Efficiency", axis, {"Efficiency", ""}, {radiation, total}});
  return section;
}

}  // namespace

void write_antenna(const std::string& name, const std::vector<double>& frequencies,
                   const std::vector<AntennaFigures>& figures, io::Results& results) {
  std::size_t best = 0;
  for (std::size_t f = 0; f < figures.size(); ++f)
    if (figures[f].realised_gain > figures[best].realised_gain) best = f;
  const AntennaFigures& a = figures[best];
  io::Value& entry = results.summary.keys["antennas"][name];
  entry = io::Value::Object{{"frequency_Hz", frequencies[best]},
                            {"gain_dBi", ratio_dB(a.gain)},
                            {"realised_gain_dBi", ratio_dB(a.realised_gain)},
                            {"directivity_dBi", ratio_dB(a.directivity)},
                            {"radiation_efficiency", a.radiation_efficiency},
                            {"total_efficiency", a.total_efficiency},
                            {"accepted_at_1W_incident_W", a.accepted_share},
                            {"radiated_at_1W_incident_W", a.total_efficiency}};
  if (a.absorbed_share) entry["absorbed_at_1W_incident_W"] = *a.absorbed_share;
  parallel::root_or_throw(results.comm, [&] {
    results.files.write_table("antenna_" + name + ".csv", {"frequency_Hz"}, table_of_antenna(frequencies, figures));
  });
  results.summary.sections.push_back(section_of_antenna(name, frequencies, figures, best));
}

}  // namespace dgtd::observers
