#include "dgtd/physics/update_coefficients.hpp"

#include <cmath>

namespace dgtd::physics {

UpdateCoefficients update_coefficients(const Medium& m, double dt) {
  const auto [Ca, Cb] =
      field_coefficients(m.permittivity, m.conductivity * dt / (2 * m.permittivity * vacuum_permittivity), dt);
  const auto [Da, Db] =
      field_coefficients(m.permeability, m.magnetic_conductivity * dt / (2 * m.permeability * vacuum_permeability), dt);
  return {Ca, Cb, Da, Db};
}

// Second order, J_all = dP/dt = V + d E and V' = (c - f d) E - f V - e P, with V at half steps and P at integer ones:
// V is J, d is a conductivity, and Q stands for P - d dt/2 E, so that P^{n+1} = P^n + dt V + d dt (E^n + E^{n+1}) / 2
// needs no new E.
PoleCoefficients pole_coefficients(const Pole& p, double dt) {
  using Type = Pole::Type;
  if (p.type == Type::debye) {
    const double steps = p.relaxation_time / dt;
    return {(steps - 0.5) / (steps + 0.5), -p.strength / (speed_of_light * p.relaxation_time * (steps + 0.5)), 0, 0};
  }
  if (p.type == Type::critical_point) {
    const auto [c, d, f, e] = second_order(p);
    const double loss = 1 + 0.5 * f * dt, Jc = dt * dt * e / loss;
    return {(1 - 0.5 * f * dt) / loss, (dt * (c - f * d) / loss - 0.5 * Jc * d) / speed_of_light, Jc,
            d / speed_of_light};
  }
  const double loss = 1 + 0.5 * p.damping * dt, resonance = p.type == Type::lorentz ? p.resonance * p.resonance : 0;
  return {(1 - 0.5 * p.damping * dt) / loss, dt * p.strength * p.strength / (speed_of_light * loss),
          dt * dt * resonance / loss, 0};
}

double conductivity_of_pole(const Pole& pole) {
  if (pole.type == Pole::Type::debye) return pole.strength / pole.relaxation_time;
  return pole.type == Pole::Type::critical_point ? second_order(pole).d : 0;
}

LayerCoefficients layer_coefficients(double conductivity, double shift, double dt) {
  const double b = std::exp(-(conductivity + shift) * dt);
  return {b, conductivity * (b - 1) / (conductivity + shift)};
}

}  // namespace dgtd::physics
