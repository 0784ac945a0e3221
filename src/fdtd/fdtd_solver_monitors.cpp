// Fourier sums on surfaces and in regions.
#include <memory>

#include "dgtd/fdtd/fdtd_solver.hpp"
#include "dgtd/physics/sampling.hpp"

namespace dgtd::fdtd {

namespace {

// Real and imaginary parts at cells, [cells][3].
solver::RegionValues values_at_cells(std::array<std::vector<float>, 2> centres) {
  return [kept = std::make_shared<const std::array<std::vector<float>, 2>>(std::move(centres))](
             std::size_t first, std::size_t count, double* real, double* imag) {
    std::copy_n((*kept)[0].begin() + static_cast<std::ptrdiff_t>(3 * first), 3 * count, real);
    std::copy_n((*kept)[1].begin() + static_cast<std::ptrdiff_t>(3 * first), 3 * count, imag);
  };
}

// sums: [parts][n], the real part from `at` on.
solver::RegionValues values_of_pairs(std::shared_ptr<const std::vector<double>> sums, std::size_t at, std::size_t n) {
  return [sums = std::move(sums), at, n](std::size_t first, std::size_t count, double* real, double* imag) {
    std::copy_n(sums->data() + at + first, count, real);
    std::copy_n(sums->data() + at + n + first, count, imag);
  };
}

}  // namespace

template <class Stored>
RunningSpectrum<Stored> FdtdSolver<Stored>::running_spectrum(const SpectrumSamples& samples,
                                                             const std::vector<double>& frequencies) {
  return {samples, frequencies, d_->time_step, engine(), imaginary_engine_or_null()};
}

template <class Stored>
std::size_t FdtdSolver<Stored>::add_region(const solver::Region& region) {
  if (const auto* flux = std::get_if<physics::Flux>(&region)) {
    FluxSurface surface = flux_surface(*d_, *flux);
    auto spectrum = running_spectrum(surface.samples, flux->frequencies);
    regions_.push_back(
        {{flux->frequencies, {}, std::move(surface.pairs)}, std::move(surface.samples), std::move(spectrum)});
  } else {
    const auto& monitor = std::get<physics::Monitor>(region);
    const FieldRegion nodes = field_region(d_->grid, d_->periodic, monitor);
    const SampleRanges ranges =
        sample_ranges(nodes, d_->block.first, {d_->layout.cells[0], d_->layout.cells[1], d_->layout.cells[2]},
                      monitor.keeps("E"), monitor.keeps("H"));
    regions_.push_back({{monitor.frequencies, region_cells(d_->grid, nodes, shown_), {}},
                        Cells{nodes, ranges, monitor.keeps("E"), monitor.keeps("H")},
                        running_spectrum(region_samples(*d_, nodes, ranges), monitor.frequencies)});
  }
  return regions_.size() - 1;
}

template <class Stored>
std::int64_t FdtdSolver<Stored>::sampling_interval(std::size_t region) const {
  return physics::sampling_interval(regions_[region].samples.frequencies, highest_frequency_, d_->time_step);
}

template <class Stored>
solver::RegionSums FdtdSolver<Stored>::sums(std::size_t region, std::size_t frequency) const {
  const SummedRegion& r = regions_[region];
  auto sums = r.spectrum.sums(frequency, 1);
  const auto* cells = std::get_if<Cells>(&r.fields);
  if (cells == nullptr) {
    const std::size_t n = r.samples.pairs.area.size();
    const auto kept = std::make_shared<const std::vector<double>>(std::move(sums));
    return {values_of_pairs(kept, 0, n), values_of_pairs(kept, 2 * n, n)};
  }
  const std::size_t electric = SampleRanges::count(cells->ranges.electric),
                    magnetic = SampleRanges::count(cells->ranges.magnetic);
  const auto centres = [&](bool of_electric, const double* real, std::size_t n) {
    return values_at_cells(region_centres(*d_, cells->region, cells->ranges, r.samples.cells, of_electric, real,
                                          real + n, bloch_phase_, comm_));
  };
  solver::RegionSums result;
  if (cells->electric) result.electric = centres(true, sums.data(), electric);
  if (cells->magnetic) result.magnetic = centres(false, sums.data() + 2 * electric, magnetic);
  return result;
}

template class FdtdSolver<Half>;
template class FdtdSolver<float>;
template class FdtdSolver<double>;

}  // namespace dgtd::fdtd
