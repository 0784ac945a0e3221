#include "dgtd/dosimetry/limits.hpp"

#include <algorithm>

namespace dgtd::dosimetry {

namespace {

using Quantity = Limit::Quantity;

}  // namespace

// ICNIRP: Table 2. FCC: 47 CFR 1.1310, (b) occupational, (c) general population; "extremities, such as hands, wrists,
// feet, ankles, and pinnae".
const std::vector<Limit>& exposure_limits() {
  constexpr std::string_view icnirp = "ICNIRP 2020", icnirp_source = "Health Phys. 118 (2020) 483-524, Table 2",
                             fcc = "United States (FCC)", fcc_public = "47 CFR 1.1310(c)",
                             fcc_workers = "47 CFR 1.1310(b)", public_ = "general public", workers = "occupational";
  constexpr double low = 100e3, high = 6e9, highest = 300e9;  // Hz
  using enum BodyPart;
  static const std::vector<BodyPart> trunk{head, torso}, limbs{limb, extremity}, body{head, torso, limb},
      extremities{extremity};
  static const std::vector<Limit> limits = {
      {icnirp, public_, Quantity::local_10g, 2, low, high, icnirp_source, trunk},
      {icnirp, workers, Quantity::local_10g, 10, low, high, icnirp_source, trunk},
      {icnirp, public_, Quantity::local_10g, 4, low, high, icnirp_source, limbs},
      {icnirp, workers, Quantity::local_10g, 20, low, high, icnirp_source, limbs},
      {fcc, public_, Quantity::local_1g, 1.6, low, high, fcc_public, body},
      {fcc, workers, Quantity::local_1g, 8, low, high, fcc_workers, body},
      {fcc, public_, Quantity::local_10g, 4, low, high, fcc_public, extremities},
      {fcc, workers, Quantity::local_10g, 20, low, high, fcc_workers, extremities},
      {icnirp, public_, Quantity::whole_body, 0.08, low, highest, icnirp_source, {}},
      {icnirp, workers, Quantity::whole_body, 0.4, low, highest, icnirp_source, {}},
      {fcc, public_, Quantity::whole_body, 0.08, low, high, fcc_public, {}},
      {fcc, workers, Quantity::whole_body, 0.4, low, high, fcc_workers, {}},
  };
  return limits;
}

std::vector<LimitCheck> compare_with_limits(const ExposureFigures& figures, double frequency,
                                            std::optional<double> power) {
  std::vector<LimitCheck> checks;
  for (const Limit& limit : exposure_limits()) {
    const auto& parts = limit.parts;
    if (!parts.empty() && std::find(parts.begin(), parts.end(), figures.part) == parts.end()) continue;
    const std::optional<double> sar = limit.quantity == Quantity::whole_body  ? figures.whole_body
                                      : limit.quantity == Quantity::local_10g ? figures.peak_10g
                                                                              : figures.peak_1g;
    if (!sar || frequency < limit.lowest_Hz || frequency > limit.highest_Hz) continue;
    LimitCheck check{limit, *sar, *sar / limit.sar, {}};
    if (power && *sar > 0) check.power = *power * limit.sar / *sar;
    checks.push_back(check);
  }
  return checks;
}

}  // namespace dgtd::dosimetry
