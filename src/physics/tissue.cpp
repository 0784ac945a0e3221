#include "dgtd/physics/tissue.hpp"

#include <fmt/format.h>

#include <cassert>
#include <cctype>
#include <complex>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/base/nearest_name.hpp"
#include "dgtd/physics/debye_fit.hpp"

namespace dgtd::physics {
namespace {

struct Term {
  double delta, tau, alpha;
};

struct Tissue {
  std::string_view name;
  double eps_infinity, sigma;  // sigma: ionic, S/m
  Term terms[4];               // tau in ps, ns, us, ms as published
};

constexpr double tau_units[4] = {1e-12, 1e-9, 1e-6, 1e-3};  // s

constexpr Tissue tissues[] = {
    {"Bone (Cancellous)",
     2.5,
     0.07,
     {{18, 13.263, 0.22}, {300, 79.577, 0.25}, {20000, 159.155, 0.2}, {2e7, 15.915, 0}}},
    {"Bone (Cortical)", 2.5, 0.02, {{10, 13.263, 0.2}, {180, 79.577, 0.2}, {5000, 159.155, 0.2}, {100000, 15.915, 0}}},
    {"Brain (Grey Matter)",
     4,
     0.02,
     {{45, 7.958, 0.1}, {400, 15.915, 0.15}, {200000, 106.103, 0.22}, {4.5e7, 5.305, 0}}},
    {"Brain (White Matter)",
     4,
     0.02,
     {{32, 7.958, 0.1}, {100, 7.958, 0.1}, {40000, 53.052, 0.3}, {3.5e7, 7.958, 0.02}}},
    {"Cerebellum", 4, 0.04, {{40, 7.958, 0.1}, {700, 15.915, 0.15}, {200000, 106.103, 0.22}, {4.5e7, 5.305, 0}}},
    {"Cerebro Spinal Fluid", 4, 2, {{65, 7.958, 0.1}, {40, 1.592, 0}, {0, 159.155, 0}, {0, 15.915, 0}}},
    {"Dura", 4, 0.5, {{40, 7.958, 0.15}, {200, 7.958, 0.1}, {10000, 159.155, 0.2}, {1e6, 15.915, 0}}},
    {"Fat (Not Infiltrated)",
     2.5,
     0.01,
     {{3, 7.958, 0.2}, {15, 15.915, 0.1}, {33000, 159.155, 0.05}, {1e7, 7.958, 0.01}}},
    {"Muscle", 4, 0.2, {{50, 7.234, 0.1}, {7000, 353.678, 0.1}, {1.2e6, 318.31, 0.1}, {2.5e7, 2.274, 0}}},
    {"Blood", 4, 0.7, {{56, 8.377, 0.1}, {5200, 132.629, 0.1}, {0, 159.155, 0.2}, {0, 15.915, 0}}},
    {"Cartilage", 4, 0.15, {{38, 13.263, 0.15}, {2500, 144.686, 0.15}, {100000, 318.31, 0.1}, {4e7, 15.915, 0}}},
    {"Skin (Dry)", 4, 0, {{32, 7.234, 0}, {1100, 32.481, 0.2}, {0, 159.155, 0.2}, {0, 15.915, 0.2}}},
    {"Skin (Wet)", 4, 0, {{39, 7.958, 0.1}, {280, 79.577, 0}, {30000, 1.592, 0.16}, {30000, 1.592, 0.2}}},
    {"Vitreous Humor", 4, 1.5, {{65, 7.234, 0}, {30, 159.155, 0.1}, {0, 159.155, 0}, {0, 15.915, 0}}},
};

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
  Complex eps = tissue.eps_infinity + tissue.sigma / Complex(0, omega * vacuum_permittivity);
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
  DebyeFit debye{m.eps_r, m.sigma, m.poles};
  if (!m.eps_r_known) debye = fit_debye(eps, *m.debye_poles, lowest, highest);
  m.eps_r = debye.eps_infinity;
  m.sigma = debye.sigma;
  m.poles = debye.poles;
  m.eps_r_known = m.sigma_known = true;
  return {m.name, std::string(tissue.name), *m.fit_band, static_cast<int>(m.poles.size()),
          worst_error(debye, eps, lowest, highest)};
}

}  // namespace

TissueProperties tissue_properties(std::string_view name, double frequency) { return evaluate(known(name), frequency); }

std::complex<double> tissue_permittivity(std::string_view name, double frequency) {
  return std::conj(published(known(name), frequency));
}

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
    if (m.debye_poles) fits.push_back(fit(*tissue, m));
    if (m.eps_r_known && m.sigma_known) continue;
    assert(frequency);  // required of every tissue without debye_poles
    const TissueProperties values = evaluate(*tissue, *frequency);
    if (!m.eps_r_known) m.eps_r = values.eps_r;
    if (!m.sigma_known) m.sigma = values.sigma;
    m.eps_r_known = m.sigma_known = true;
  }
  return fits;
}

}  // namespace dgtd::physics
