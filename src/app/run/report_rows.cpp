#include "app/run/report_rows.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/units.hpp"

namespace dgtd::app {

namespace {

using io::number;
using io::Value;

std::optional<double> frequency_of(const config::Case& c) {
  if (!c.dft.frequencies.empty()) return c.dft.frequencies.front();
  return c.time.frequency;
}

/// With the part of the poles at the frequency: eps - j sigma / (omega eps0).
struct Values {
  double permittivity, conductivity;  // relative; S/m
};
Values values_of(const config::Material& m, std::optional<double> frequency) {
  if (!frequency || m.poles.empty()) return {m.permittivity, m.conductivity};
  const double omega = 2 * pi * *frequency;
  const auto eps = physics::permittivity(m, omega);
  return {eps.real(), eps.imag() * omega * vacuum_permittivity};
}

std::string text_of(const physics::Pole& pole) {
  using Type = physics::Pole::Type;
  switch (pole.type) {
    case Type::drude:
      return fmt::format("Drude: \u03c9p {:.4g} rad/s, \u0393 {:.4g} rad/s", pole.strength, pole.damping);
    case Type::lorentz:
      return fmt::format("Lorentz: \u03c9p {:.4g} rad/s, \u03c90 {:.4g} rad/s, \u0393 {:.4g} rad/s", pole.strength,
                         pole.resonance, pole.damping);
    case Type::critical_point:
      return fmt::format("Critical point: A {:.4g}, \u03a9 {:.4g} rad/s, \u03c6 {:.4g} rad, \u0393 {:.4g} rad/s",
                         pole.strength, pole.resonance, pole.phase, pole.damping);
    case Type::debye: break;
  }
  return fmt::format("Debye: \u0394\u03b5 {:.4g}, \u03c4 {}", pole.strength, units::time_text(pole.relaxation_time));
}

// Values at infinite frequency first, then a line per pole.
std::string poles_text(const config::Material& m) {
  if (m.poles.empty()) return io::absent;
  std::string text = fmt::format("\u03b5\u221e {}, \u03c3 {} S/m, {} pole{}", number(m.permittivity),
                                 number(m.conductivity), m.poles.size(), m.poles.size() > 1 ? "s" : "");
  for (const auto& pole : m.poles) text += fmt::format("\n{}", text_of(pole));
  return text;
}

io::Table table_of(const config::Case& c) {
  const auto frequency = frequency_of(c);
  const bool has_poles =
      std::any_of(c.materials.begin(), c.materials.end(), [](const auto& m) { return !m.poles.empty(); });
  io::Table table;
  table.columns = {{"Material"}, {"\u03b5r"}, {"\u03c3 [S/m]"}, {"\u03bcr"}, {"Density [kg/m\u00b3]"}};
  if (has_poles) table.columns.push_back({"Poles", true});
  table.columns.push_back({"Source", true});
  for (const auto& m : c.materials) {
    const auto sources = physics::property_sources(m, c.time.frequency);
    const std::string source = sources.density.empty() || sources.density == sources.dielectric
                                   ? sources.dielectric
                                   : sources.dielectric + "; density: " + sources.density;
    const std::string name = m.name + (m.tissue.empty() ? "" : "\n" + m.tissue);
    if (m.perfect_conductor) {
      table.rows.push_back({{name, "perfect conductor; " + source}});
      continue;
    }
    // Without a frequency a medium with poles has no one permittivity.
    const bool unknown = !frequency && !m.poles.empty();
    const Values values = values_of(m, frequency);
    io::Table::Row row{{name, unknown ? io::absent : number(values.permittivity),
                        unknown ? io::absent : number(values.conductivity), number(m.permeability), number(m.density)}};
    if (has_poles) row.cells.push_back(poles_text(m));
    row.cells.push_back(source);
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string frequency_note(const config::Case& c) {
  const auto frequency = frequency_of(c);
  return frequency ? fmt::format("Values at {}; \u03c3 is that of conduction and poles together.",
                                 units::frequency_text(*frequency))
                   : std::string();
}

// eps' and eps'' of a medium with poles, which includes its conductivity, over the band of sources and spectra; around
// a single frequency.
io::Chart permittivity_chart(const config::Material& m, config::Band band) {
  constexpr int points = 200;
  if (band.lowest == band.highest) band = {band.lowest / 2, band.highest * 2};
  io::Curve real{"\u03b5\u2032", {}, {}}, imaginary{"\u03b5\u2033", {}, {}};
  for (int i = 0; i < points; ++i) {
    const double f = band.lowest + (band.highest - band.lowest) * i / (points - 1);
    const auto eps = physics::permittivity(m, 2 * pi * f);
    real.x.push_back(f), real.y.push_back(eps.real());
    imaginary.x.push_back(f), imaginary.y.push_back(eps.imag());
  }
  const io::ChartAxis frequencies = io::frequency_axis(real.x);
  return {
      "Relative permittivity of " + m.name, frequencies, {"Permittivity", ""}, {std::move(real), std::move(imaginary)}};
}

}  // namespace

void add_materials(const config::Case& c, io::Summary& s) {
  const auto frequency = frequency_of(c);
  Value::List list;
  for (const auto& m : c.materials) {
    const Values values = values_of(m, frequency);
    const auto sources = physics::property_sources(m, c.time.frequency);
    list.push_back(Value::Object{{"name", m.name},
                                 {"tissue", m.tissue.empty() ? Value() : Value(m.tissue)},
                                 {"frequency_Hz", frequency},
                                 {"eps_r", values.permittivity},
                                 {"sigma_S_per_m", values.conductivity},
                                 {"mu_r", m.permeability},
                                 {"perfect_conductor", m.perfect_conductor},
                                 {"density_kg_per_m3", m.density},
                                 {"source", sources.dielectric},
                                 {"density_source", sources.density.empty() ? Value() : Value(sources.density)}});
  }
  s.report["materials"] = std::move(list);
  if (c.materials.empty()) return;
  io::Section section{io::Chapter::model, "Materials", {}};
  if (const std::string note = frequency_note(c); !note.empty()) section.blocks.emplace_back(io::Note{note});
  section.blocks.emplace_back(table_of(c));
  if (const auto band = config::band_in_use(c))
    for (const auto& m : c.materials)
      if (!m.poles.empty() && !m.perfect_conductor) section.blocks.emplace_back(permittivity_chart(m, *band));
  s.sections.push_back(std::move(section));
}

std::string material_lines(const config::Case& c) {
  std::string text = frequency_note(c);
  if (!text.empty()) text += '\n';
  return text + io::text_of(table_of(c));
}

}  // namespace dgtd::app
