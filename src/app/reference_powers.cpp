#include "dgtd/app/reference_powers.hpp"

#include "dgtd/base/constants.hpp"

namespace dgtd::app {

dosimetry::ReferencePowers reference_powers(const config::Case& c, const io::PowerBalance& power) {
  dosimetry::ReferencePowers r;
  for (const auto& s : c.sources) {
    if (s.type == config::Source::Type::dipole) r.emitted_W = r.accepted_W = power.source_W;
    if (s.type == config::Source::Type::plane_wave)
      r.incident_W_per_m2 = r.incident_W_per_m2.value_or(0) + s.amplitude * s.amplitude / (2 * vacuum_impedance);
  }
  return r;
}

}  // namespace dgtd::app
