#include "dgtd/physics/tissue.hpp"

#include <fmt/format.h>

#include <cassert>
#include <cctype>
#include <complex>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/base/nearest_name.hpp"
#include "debye_fit.hpp"
#include "tissue_table.hpp"

namespace dgtd::physics {
namespace {

std::string simplified(std::string_view name) {
  std::string letters;
  for (const unsigned char c : name)
    if (std::isalnum(c)) letters += static_cast<char>(std::tolower(c));
  return letters;
}

const Tissue* find(std::string_view name) {
  for (const Tissue& tissue : tissues)
    if (simplified(tissue.name) == simplified(name)) return &tissue;
  return nullptr;
}

std::string unknown(std::string_view name) {
  std::vector<std::string> known;
  for (const Tissue& tissue : tissues) known.push_back(simplified(tissue.name));
  if (const auto nearest = nearest_name(simplified(name), known))
    return fmt::format("unknown tissue '{}'; did you mean '{}'?", name, find(*nearest)->name);
  return fmt::format("unknown tissue '{}'; the tissues are {}", name, fmt::join(tissue_names(), ", "));
}

using Complex = std::complex<double>;

// For the time factor exp(+i omega t), as published.
Complex published(const Tissue& tissue, double frequency) {
  assert(frequency > 0);
  const double omega = 2 * pi * frequency;
  Complex eps = tissue.eps_infinity + tissue.conductivity / Complex(0, omega * vacuum_permittivity);
  for (int i = 0; i < 4; ++i) {
    const Term& term = tissue.terms[i];
    eps += term.delta / (1.0 + std::pow(Complex(0, omega * term.tau * tau_units[i]), 1 - term.alpha));
  }
  return eps;
}

TissueProperties evaluate(const Tissue& tissue, double frequency) {
  const Complex eps = published(tissue, frequency);
  return {eps.real(), -eps.imag() * 2 * pi * frequency * vacuum_permittivity};
}

const Tissue& known(std::string_view name) {
  const Tissue* tissue = find(name);
  if (!tissue) throw Error(unknown(name));
  return *tissue;
}

TissueFit fit(const Tissue& tissue, physics::Material& m) {
  const Permittivity eps = [&](double omega) { return std::conj(published(tissue, omega / (2 * pi))); };
  const double lowest = 2 * pi * m.fit_band->lowest, highest = 2 * pi * m.fit_band->highest;
  if (!m.permittivity_known) {
    const Medium debye = fit_debye(eps, *m.debye_poles, lowest, highest);
    m.permittivity = debye.permittivity;
    m.conductivity = debye.conductivity;
    m.poles = debye.poles;
  }
  m.permittivity_known = m.conductivity_known = true;
  return {m.name, std::string(tissue.name), *m.fit_band, static_cast<int>(m.poles.size()),
          worst_error(m, eps, lowest, highest)};
}

}  // namespace

TissueProperties tissue_properties(std::string_view name, double frequency) { return evaluate(known(name), frequency); }

std::complex<double> tissue_permittivity(std::string_view name, double frequency) {
  return std::conj(published(known(name), frequency));
}

double tissue_density(std::string_view name) { return known(name).density; }

std::string_view tissue_model(std::string_view name) { return known(name).model; }

std::vector<std::string> tissue_names() {
  std::vector<std::string> names;
  for (const Tissue& tissue : tissues) names.emplace_back(tissue.name);
  return names;
}

std::vector<TissueFit> resolve_tissues(std::vector<Material>& materials, std::optional<double> frequency) {
  std::vector<TissueFit> fits;
  for (physics::Material& m : materials) {
    if (m.tissue.empty()) continue;
    const Tissue* tissue = find(m.tissue);
    if (!tissue) throw Error(fmt::format("{}: [material.{}]: {}", m.origin, m.name, unknown(m.tissue)));
    if (!m.density) m.density = tissue->density;
    if (m.debye_poles) fits.push_back(fit(*tissue, m));
    if (m.permittivity_known && m.conductivity_known) continue;
    assert(frequency);  // required of every tissue without debye_poles
    const TissueProperties values = evaluate(*tissue, *frequency);
    if (!m.permittivity_known) m.permittivity = values.permittivity;
    if (!m.conductivity_known) m.conductivity = values.conductivity;
    m.permittivity_known = m.conductivity_known = true;
  }
  return fits;
}

PropertySources property_sources(const Material& m, std::optional<double> frequency) {
  const std::string given = "case file";
  PropertySources sources{given, m.density ? given : std::string()};
  const Tissue* const tissue = m.tissue.empty() ? nullptr : find(m.tissue);
  if (tissue == nullptr) return sources;
  const std::string model = fmt::format("{} ({})", dielectric_source, tissue->model);
  if (m.debye_poles) sources.dielectric = fmt::format("{} Debye poles fitted to {}", m.poles.size(), model);
  else if (frequency) {
    const TissueProperties values = evaluate(*tissue, *frequency);
    const bool permittivity = m.permittivity == values.permittivity,
               conductivity = m.conductivity == values.conductivity;
    if (permittivity || conductivity)
      sources.dielectric = model + (permittivity && conductivity ? ""
                                    : permittivity               ? "; sigma: case file"
                                                                 : "; eps_r: case file");
  }
  if (m.density == tissue->density) sources.density = density_source;
  return sources;
}

}  // namespace dgtd::physics
