#include "dgtd/dosimetry/limits.hpp"

namespace dgtd::dosimetry {

namespace {

using Quantity = Limit::Quantity;

constexpr std::string_view icnirp = "ICNIRP 2020", public_ = "general public", workers = "occupational";
constexpr std::string_view icnirp_source = "Health Phys. 118 (2020) 483-524, Table 2";

constexpr Limit limits[] = {
    {icnirp, public_, Quantity::local_10g, 2, 100e3, 6e9, icnirp_source},
    {icnirp, workers, Quantity::local_10g, 10, 100e3, 6e9, icnirp_source},
    {"United States (FCC)", public_, Quantity::local_1g, 1.6, 100e3, 6e9, "47 CFR 1.1310(c)"},
    {icnirp, public_, Quantity::whole_body, 0.08, 100e3, 300e9, icnirp_source},
    {icnirp, workers, Quantity::whole_body, 0.4, 100e3, 300e9, icnirp_source},
};

}  // namespace

std::span<const Limit> exposure_limits() { return limits; }

std::vector<LimitCheck> compare_with_limits(const ExposureFigures& figures, double frequency,
                                            std::optional<double> power) {
  std::vector<LimitCheck> checks;
  for (const Limit& limit : limits) {
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
