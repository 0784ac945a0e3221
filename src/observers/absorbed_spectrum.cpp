#include "dgtd/observers/absorbed_spectrum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "dgtd/base/constants.hpp"
#include "dgtd/io/results.hpp"
#include "dgtd/io/text_files.hpp"
#include "dgtd/parallel/root_or_throw.hpp"

namespace dgtd::observers {

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
  for (const std::size_t f : ascending) {
    text += fmt::format("{},{}", sums_.frequencies[f], speed_of_light / sums_.frequencies[f]);
    for (const double power : meter_.absorbed(f)) text += fmt::format(",{}", (sums_.peak ? 1 : 4) * power);
    text += "\n";
  }
  parallel::root_or_throw(results.comm, [&] { io::write_text(results.file("absorbed.csv"), text); });
}

}  // namespace dgtd::observers
