#pragma once
// The power to which a specific absorption rate refers.
#include <optional>

namespace dgtd::dosimetry {

struct Normalisation {
  enum class Normalise { emitted, accepted, incident_at_port, incident, none };
  Normalise normalise = Normalise::none;
  std::optional<double> power;  // W (incident: W/m^2) that the chosen power is scaled to; absent: 1

  bool operator==(const Normalisation&) const = default;
};

}  // namespace dgtd::dosimetry
