#include "dgtd/observers/absorbed_spectrum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "dgtd/base/constants.hpp"
#include "dgtd/io/results.hpp"
#include "dgtd/parallel/root_or_throw.hpp"

namespace dgtd::observers {

namespace {

// The materials that absorb most, those with most first.
io::Section absorption_section(std::vector<io::Curve> materials, bool is_power) {
  constexpr std::size_t most_curves = 6;
  const auto peak_of = [](const io::Curve& curve) {
    double peak = 0;
    for (const double y : curve.y) peak = std::max(peak, std::abs(y));
    return peak;
  };
  std::erase_if(materials, [&](const io::Curve& curve) { return peak_of(curve) == 0; });
  std::stable_sort(materials.begin(), materials.end(),
                   [&](const io::Curve& a, const io::Curve& b) { return peak_of(a) > peak_of(b); });
  const std::size_t all = materials.size();
  if (all > most_curves) materials.resize(most_curves);
  const std::string quantity = is_power ? "Absorbed power" : "Absorbed energy";
  const io::ChartAxis frequencies =
      materials.empty() ? io::ChartAxis{"Frequency", "Hz"} : io::frequency_axis(materials.front().x);
  io::Section section{
      io::Chapter::measurements,
      "Absorption",
      {io::Chart{quantity + " by material", frequencies, {quantity, is_power ? "W" : "J/Hz"}, std::move(materials)}}};
  if (all > most_curves)
    section.blocks.push_back(
        io::Note{fmt::format("The {} materials that absorb most; all {} are in absorbed.csv.", most_curves, all)});
  return section;
}

}  // namespace

// One-sided spectra of energy are four times what a peak phasor would give.
void AbsorbedSpectrum::finish(io::Results& results) {
  if ((sums_.frequencies.size() == 1 && sums_.peak) || !sums_.complete(results.summary)) return;
  std::string text = "frequency_Hz,wavelength_m";
  for (const auto& name : meter_.names()) text += fmt::format(",{}_{}", name, sums_.peak ? "W" : "J_per_Hz");
  text += "\n";
  std::vector<std::size_t> ascending(sums_.frequencies.size());  // as the rows of fluxes
  std::iota(ascending.begin(), ascending.end(), std::size_t{0});
  std::sort(ascending.begin(), ascending.end(),
            [&](std::size_t a, std::size_t b) { return sums_.frequencies[a] < sums_.frequencies[b]; });
  std::vector<io::Curve> materials;
  for (const auto& name : meter_.names()) materials.push_back({name, {}, {}});
  for (const std::size_t f : ascending) {
    text += fmt::format("{},{}", sums_.frequencies[f], speed_of_light / sums_.frequencies[f]);
    const std::vector<double> absorbed = meter_.absorbed(f);
    for (std::size_t m = 0; m < absorbed.size(); ++m) {
      const double value = (sums_.peak ? 1 : 4) * absorbed[m];
      text += fmt::format(",{}", value);
      materials.at(m).x.push_back(sums_.frequencies[f]);
      materials.at(m).y.push_back(value);
    }
    text += "\n";
  }
  parallel::root_or_throw(results.comm, [&] { results.files.write_table("absorbed.csv", {"frequency_Hz"}, text); });
  if (sums_.frequencies.size() > 1)
    results.summary.sections.push_back(absorption_section(std::move(materials), sums_.peak));
}

}  // namespace dgtd::observers
