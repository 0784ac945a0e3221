#include "dgtd/observers/flux_shares.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <numeric>
#include <sstream>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/parallel/root_or_throw.hpp"

namespace dgtd::observers {

namespace {

double energy_of(const std::vector<double>& spectrum) {
  return std::accumulate(spectrum.begin(), spectrum.end(), 0.0, [](double sum, double x) { return sum + std::abs(x); });
}

// A source to one side sends some 1e-4 of its energy to the other one on a grid.
constexpr double reached = 0.01;  // of the incident energy

// Behind a source to both sides is a plane of the scattered field, where without the object another wave goes.
const PlaneSpectra& most_energy(const std::vector<PlaneSpectra>& planes) {
  return *std::max_element(planes.begin(), planes.end(), [](const PlaneSpectra& a, const PlaneSpectra& b) {
    if (a.is_scattered != b.is_scattered) return a.is_scattered;
    return energy_of(a.reference) < energy_of(b.reference);
  });
}

// Columns frequency_Hz, wavelength_m and outward_energy_J_per_Hz of flux_NAME.csv.
std::vector<double> read_spectrum(const std::filesystem::path& file, const physics::Flux& flux) {
  const std::string where = fmt::format("output.reference: {}", file.string());
  std::ifstream stream(file);
  std::string line;
  if (!std::getline(stream, line))
    throw Error(fmt::format("{}: is missing; the run without the object needs flux.{} too", where, flux.name));
  std::vector<double> frequencies, energies;
  while (std::getline(stream, line)) {
    std::istringstream row(line);
    double frequency = 0, wavelength = 0, energy = 0;
    char comma = 0;
    if (!(row >> frequency >> comma >> wavelength >> comma >> energy))
      throw Error(fmt::format("{}: row {} is not a row of a flux", where, energies.size() + 1));
    frequencies.push_back(frequency), energies.push_back(energy);
  }
  const auto differs = [](double a, double b) { return std::abs(a - b) > 1e-9 * std::abs(b); };
  const auto n = flux.frequencies.size();
  if (frequencies.size() != n)
    throw Error(fmt::format("{}: has {} frequencies, flux.{} has {}; they must be the same", where, frequencies.size(),
                            flux.name, n));
  for (std::size_t f = 0; f < n; ++f)
    if (differs(frequencies[f], flux.frequencies[f]))
      throw Error(fmt::format("{}: has the frequency {:g} Hz, flux.{} has {:g} Hz; they must be the same", where,
                              frequencies[f], flux.name, flux.frequencies[f]));
  return energies;
}

std::vector<double> divided(const std::vector<double>& energy, const std::vector<double>& by, double sign) {
  // Below this part of the largest value a spectrum of a pulse is rounding.
  constexpr double smallest = 1e-6;
  double largest = 0;
  for (const double x : by) largest = std::max(largest, std::abs(x));
  std::vector<double> shares;
  for (std::size_t f = 0; f < energy.size(); ++f)
    shares.push_back(std::abs(by[f]) > smallest * largest ? sign * energy[f] / by[f]
                                                          : std::numeric_limits<double>::quiet_NaN());
  return shares;
}

}  // namespace

std::vector<PlaneSpectra> read_reference(const std::vector<physics::Flux>& fluxes,
                                         const std::filesystem::path& directory) {
  if (!std::filesystem::is_directory(directory))
    throw Error(fmt::format("output.reference = {}: there is no such directory", directory.string()));
  std::vector<PlaneSpectra> planes;
  for (const physics::Flux& flux : fluxes)
    if (flux.type == physics::Flux::Type::plane)
      planes.push_back({flux.name,
                        flux.frequencies,
                        {},
                        read_spectrum(directory / ("flux_" + flux.name + ".csv"), flux),
                        flux.scattered});
  if (planes.empty()) {
    if (std::any_of(fluxes.begin(), fluxes.end(), [](const auto& flux) { return flux.scattered; })) return {};
    throw Error(
        "output.reference: there is no flux of type plane; shares of the incident energy are those of planes, and the "
        "energy that a box scatters needs flux.NAME.scattered = on");
  }
  const PlaneSpectra& incident = most_energy(planes);
  const auto net = [](const PlaneSpectra& p) { return std::accumulate(p.reference.begin(), p.reference.end(), 0.0); };
  if (!(std::abs(net(incident)) > 0))
    throw Error(fmt::format("output.reference = {}: no energy goes through its planes", directory.string()));
  for (const PlaneSpectra& plane : planes) {
    if (plane.frequencies != incident.frequencies)
      throw Error(
          fmt::format("output.reference: flux.{} and flux.{} have different frequencies; shares need the same ones",
                      plane.name, incident.name));
    if (!plane.is_scattered && energy_of(plane.reference) > reached * energy_of(incident.reference) &&
        net(plane) * net(incident) < 0)
      throw Error(fmt::format(
          "output.reference: without the object energy goes through flux.{} and flux.{} in opposite directions; shares "
          "need a source that radiates to one side, or flux.NAME.scattered = on, in both runs, of the plane behind it",
          plane.name, incident.name));
  }
  return planes;
}

const FluxShares::Share* FluxShares::only(bool is_reflected) const {
  const auto is = [&](const Share& s) { return s.is_reflected == is_reflected; };
  return std::count_if(planes.begin(), planes.end(), is) == 1 ? &*std::find_if(planes.begin(), planes.end(), is)
                                                              : nullptr;
}

std::vector<double> incident_energy(const std::vector<PlaneSpectra>& planes) {
  if (planes.empty()) return {};
  std::vector<double> energy = most_energy(planes).reference;
  for (double& x : energy) x = std::abs(x);
  return energy;
}

FluxShares flux_shares(const std::vector<PlaneSpectra>& planes) {
  const PlaneSpectra& incident = most_energy(planes);
  FluxShares shares{incident.frequencies, {}};
  const auto sum = [](const std::vector<double>& x) { return std::accumulate(x.begin(), x.end(), 0.0); };
  for (const PlaneSpectra& plane : planes) {
    const bool reflects = plane.is_scattered || energy_of(plane.reference) <= reached * energy_of(incident.reference);
    const auto& by = reflects ? incident.reference : plane.reference;
    // Scattered energy passes a plane in one direction, which may be opposite to its normal.
    const bool is_opposite = plane.is_scattered ? sum(plane.energy) * sum(by) < 0 : reflects;
    const double sign = is_opposite ? -1 : 1;
    shares.planes.push_back(
        {plane.name, reflects, divided(plane.energy, by, sign), sign * sum(plane.energy) / sum(by)});
  }
  return shares;
}

void add_shares(io::Results& results, const FluxShares& shares) {
  const FluxShares::Share *const r = shares.only(true), *const t = shares.only(false);
  const bool is_complete = r != nullptr && t != nullptr && shares.planes.size() == 2;
  std::string head = "frequency_Hz,wavelength_m";
  std::vector<io::Curve> curves;
  io::Value of_all;
  for (const auto& plane : shares.planes) {
    const std::string letter = plane.is_reflected ? "R" : "T", name = is_complete ? letter : letter + "_" + plane.name;
    curves.push_back({name, shares.frequencies, plane.of_frequency});
    of_all[name] = plane.of_all;
  }
  if (is_complete) {
    io::Curve rest{"1 \u2212 R \u2212 T", shares.frequencies, {}};
    for (std::size_t f = 0; f < shares.frequencies.size(); ++f)
      rest.y.push_back(1 - r->of_frequency[f] - t->of_frequency[f]);
    curves.push_back(std::move(rest));
    of_all["A"] = 1 - r->of_all - t->of_all;
  }
  for (const io::Curve& curve : curves) head += "," + (curve.name.starts_with("1") ? std::string("A") : curve.name);
  std::string text = head + "\n";
  for (std::size_t f = 0; f < shares.frequencies.size(); ++f) {
    text += fmt::format("{},{}", shares.frequencies[f], speed_of_light / shares.frequencies[f]);
    for (const io::Curve& curve : curves) text += fmt::format(",{}", curve.y[f]);
    text += "\n";
  }
  parallel::root_or_throw(results.comm, [&] { results.files.write_table("shares.csv", {"frequency_Hz"}, text); });
  results.summary.keys["shares"] = of_all;
  // Shares of nothing are rounding of either sign, for which an axis would need a part below 0.
  constexpr double nothing = 1e-3;
  for (io::Curve& curve : curves)
    for (double& y : curve.y)
      if (y < 0 && y > -nothing) y = 0;
  io::Section section{io::Chapter::measurements, "Shares of the incident energy", {}};
  if (shares.frequencies.size() > 1)
    section.blocks.push_back(
        io::Chart{"Shares of the incident energy", io::frequency_axis(shares.frequencies), {"Share", ""}, curves});
  io::Entries entries;
  for (const auto& [name, value] : of_all.get<io::Value::Object>())
    entries.list.push_back({name + ", all frequencies together", fmt::format("{:.4g} %", 100 * value.get<double>())});
  section.blocks.push_back(std::move(entries));
  results.summary.sections.push_back(std::move(section));
}

}  // namespace dgtd::observers
