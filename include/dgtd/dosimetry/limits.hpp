#pragma once
// Exposure limits of specific absorption rates, and the power at which a run's exposure would reach them.
#include <optional>
#include <string_view>
#include <vector>

#include "dgtd/dosimetry/body_part.hpp"

namespace dgtd::dosimetry {

struct Limit {
  enum class Quantity { whole_body, local_10g, local_1g };
  std::string_view guideline, population;
  Quantity quantity = Quantity::whole_body;
  double sar = 0;                        // W/kg
  double lowest_Hz = 0, highest_Hz = 0;  // where it applies
  std::string_view source;               // where it is published
  std::vector<BodyPart> parts;           // whose local SAR it limits; empty: the whole body
};

/// Limits of ICNIRP 2020 and of the United States, general public and occupational.
const std::vector<Limit>& exposure_limits();

/// SAR that limits refer to, W/kg at one power of the source; absent: not compared.
struct ExposureFigures {
  std::optional<double> whole_body;         // mean over all tissue, where the model is a whole body
  std::optional<double> peak_1g, peak_10g;  // largest averages over 1 g and 10 g
  BodyPart part = BodyPart::head;           // where these are
};

struct LimitCheck {
  Limit limit;
  double sar = 0;    // W/kg, of the run at the chosen power
  double share = 0;  // of the limit
  /// At which the limit would be reached, in the unit of the chosen power; absent without a power, or where the SAR is
  /// 0.
  std::optional<double> power;
};

/// The limits of the frequency (Hz) whose quantity is in figures. SAR is proportional to power, so a limit L is reached
/// at power L / SAR. power: to which the figures refer, W or W/m^2, mean over a period.
std::vector<LimitCheck> compare_with_limits(const ExposureFigures& figures, double frequency,
                                            std::optional<double> power);

}  // namespace dgtd::dosimetry
