#include "report_rows.hpp"

#include <cmath>

#include "dgtd/base/constants.hpp"

namespace dgtd::app {

namespace {

std::optional<double> frequency_of(const config::Case& c) {
  if (!c.dft.frequencies.empty()) return c.dft.frequencies.front();
  return c.time.frequency;
}

// With the part of the poles at the frequency: eps - j sigma / (omega eps0).
io::MaterialRow row_of(const config::Material& m, std::optional<double> frequency, std::optional<double> of_tissues) {
  io::MaterialRow row;
  row.name = m.name, row.tissue = m.tissue;
  row.permittivity = m.permittivity, row.permeability = m.permeability, row.conductivity = m.conductivity;
  row.density = m.density;
  row.perfect_conductor = m.perfect_conductor;
  if (frequency && !m.poles.empty()) {
    const double omega = 2 * pi * *frequency;
    const auto eps = physics::permittivity(m, omega);
    row.permittivity = eps.real(), row.conductivity = eps.imag() * omega * vacuum_permittivity;
  }
  const auto sources = physics::property_sources(m, of_tissues);
  row.dielectric_source = sources.dielectric, row.density_source = sources.density;
  return row;
}

// The largest average over a mass, kg.
std::optional<double> peak_over(const io::Summary& s, double mass) {
  for (const auto& average : s.averages)
    if (average.peak && std::abs(average.mass_kg - mass) < 1e-6 * mass) return average.peak->sar;
  return {};
}

dosimetry::ExposureFigures exposure_figures(const io::Summary& s, bool whole_body) {
  dosimetry::ExposureFigures figures;
  if (whole_body) {
    double mass = 0, absorbed = 0;
    for (const auto& row : s.tissues)
      if (row.mass_kg > 0) mass += row.mass_kg, absorbed += row.absorbed_W;
    if (mass > 0) figures.whole_body = absorbed / mass;
  }
  figures.peak_1g = peak_over(s, 1e-3);
  figures.peak_10g = peak_over(s, 10e-3);
  return figures;
}

}  // namespace

void add_report_rows(const config::Case& c, io::Summary& s) {
  s.frequency_Hz = frequency_of(c);
  for (const auto& m : c.materials) s.materials.push_back(row_of(m, s.frequency_Hz, c.time.frequency));
  if (s.dft_frequencies_Hz.empty()) return;
  // Without normalisation SAR is that of the run's own power.
  using Normalise = dosimetry::Normalisation::Normalise;
  const auto power = s.sar.normalise == Normalise::none ? s.power.source_W : s.sar.chosen_power;
  s.limits = dosimetry::compare_with_limits(exposure_figures(s, c.sar.whole_body), s.dft_frequencies_Hz.front(),
                                            power.value_or(0) > 0 ? power : std::nullopt);
}

}  // namespace dgtd::app
