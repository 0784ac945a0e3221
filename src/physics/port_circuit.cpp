#include "dgtd/physics/port_circuit.hpp"

namespace dgtd::physics {

CircuitStep circuit_step(const Port& port, double times, double half_gain, double dt) {
  CircuitStep c;
  c.half_gain = half_gain;
  const double resistance = times * port.resistance.value_or(port.impedance);
  const double inductance = times * port.inductance.value_or(0), capacitance = port.capacitance.value_or(0) / times;
  const bool has_inductor = inductance > 0, has_capacitor = capacitance > 0;
  if (port.circuit == Port::Circuit::series) {
    const double divisor = resistance + half_gain + 2 * inductance / dt + (has_capacitor ? dt / (2 * capacitance) : 0);
    c.a = 1 / divisor;
    if (has_inductor) c.b[0] = 2 * inductance / dt / divisor, c.p[0] = -1, c.q[0] = 2;
    if (has_capacitor) c.b[1] = -1 / divisor, c.p[1] = 1, c.q[1] = dt / capacitance;
    return c;
  }
  const double admittance = 1 / resistance + (has_inductor ? dt / (2 * inductance) : 0) + 2 * capacitance / dt;
  const double divisor = 1 + half_gain * admittance;
  c.a = admittance / divisor;
  if (has_inductor) c.b[0] = 1 / divisor, c.p[0] = 1, c.r[0] = dt / inductance;
  if (has_capacitor) c.b[1] = -2 * capacitance / dt / divisor, c.p[1] = -1, c.r[1] = 2;
  return c;
}

}  // namespace dgtd::physics
