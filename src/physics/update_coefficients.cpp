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

PoleCoefficients pole_coefficients(const Pole& p, double dt) {
  using Type = Pole::Type;
  if (p.type == Type::debye) {
    const double steps = p.relaxation_time / dt;
    return {(steps - 0.5) / (steps + 0.5), -p.strength / (speed_of_light * p.relaxation_time * (steps + 0.5)), 0};
  }
  const double loss = 1 + 0.5 * p.damping * dt, resonance = p.type == Type::lorentz ? p.resonance * p.resonance : 0;
  return {(1 - 0.5 * p.damping * dt) / loss, dt * p.strength * p.strength / (speed_of_light * loss),
          dt * dt * resonance / loss};
}

LayerCoefficients layer_coefficients(double conductivity, double shift, double dt) {
  const double b = std::exp(-(conductivity + shift) * dt);
  return {b, conductivity * (b - 1) / (conductivity + shift)};
}

}  // namespace dgtd::physics
