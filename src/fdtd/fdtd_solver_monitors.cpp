// Fourier integrals on surfaces and in regions.
#include <tuple>

#include "dgtd/fdtd/fdtd_solver.hpp"

namespace dgtd::fdtd {

template <class Stored>
RunningSpectrum<Stored> FdtdSolver<Stored>::running_spectrum(const SpectrumSamples& samples,
                                                             const std::vector<double>& frequencies) {
  return {samples, frequencies, d_->time_step, engine(), imaginary_engine_or_null()};
}

template <class Stored>
std::size_t FdtdSolver<Stored>::add_surface(const physics::Flux& surface) {
  FluxSurface samples = flux_surface(*d_, surface);
  auto spectrum = running_spectrum(samples.samples, surface.frequencies);
  surfaces_.push_back({std::move(samples), std::move(spectrum)});
  return surfaces_.size() - 1;
}

template <class Stored>
void FdtdSolver<Stored>::accumulate_surface(std::size_t surface, double weight) {
  surfaces_[surface].spectrum.add(step_, weight);
}

template <class Stored>
std::vector<double> FdtdSolver<Stored>::flux(std::size_t surface) const {
  const Surface& s = surfaces_[surface];
  return comm_.sum(flux_spectrum(s.samples, s.spectrum.sums(), s.spectrum.angular().size()));
}

template <class Stored>
std::vector<FarPattern> FdtdSolver<Stored>::far_fields(std::size_t surface, const std::vector<Direction>& directions,
                                                       double permittivity, double permeability) const {
  const Surface& s = surfaces_[surface];
  const std::size_t n = 4 * s.samples.area.size();
  const auto sums = s.spectrum.sums();
  const auto& angular = s.spectrum.angular();
  std::vector<FarPattern> patterns;
  for (std::size_t k = 0; k < angular.size(); ++k)
    patterns.push_back(sum_over_ranks(
        far_field_of(s.samples, sums.data() + k * n, angular[k], directions, permittivity, permeability), comm_));
  return patterns;
}

template <class Stored>
std::size_t FdtdSolver<Stored>::add_monitor(const physics::Monitor& monitor) {
  const FieldRegion region = field_region(d_->grid, d_->periodic, monitor);
  const SampleRanges ranges =
      sample_ranges(region, d_->block.first, {d_->layout.cells[0], d_->layout.cells[1], d_->layout.cells[2]},
                    monitor.keeps("E"), monitor.keeps("H"));
  monitors_.push_back({region, ranges, monitor.keeps("E"), monitor.keeps("H"),
                       running_spectrum(region_samples(*d_, region, ranges), monitor.frequencies)});
  return monitors_.size() - 1;
}

template <class Stored>
void FdtdSolver<Stored>::accumulate_monitor(std::size_t monitor, double weight) {
  monitors_[monitor].spectrum.add(step_, weight);
}

template <class Stored>
MonitorExtent FdtdSolver<Stored>::monitor_extent(std::size_t monitor) const {
  return region_extent(monitors_[monitor].region, shown_);
}

template <class Stored>
MonitorFields FdtdSolver<Stored>::monitor_fields(std::size_t monitor, std::size_t frequency) const {
  const Monitor& m = monitors_[monitor];
  const auto sums = m.spectrum.sums(frequency, 1);
  const std::size_t electric = SampleRanges::count(m.ranges.electric),
                    magnetic = SampleRanges::count(m.ranges.magnetic);
  const MonitorExtent extent = region_extent(m.region, shown_);
  const auto centres = [&](bool of_electric, const double* real, std::size_t n) {
    return region_centres(*d_, m.region, m.ranges, extent, of_electric, real, real + n, bloch_phase_, comm_);
  };
  MonitorFields fields;
  if (m.electric)
    std::tie(fields.electric_real, fields.electric_imag) = std::tuple_cat(centres(true, sums.data(), electric));
  if (m.magnetic)
    std::tie(fields.magnetic_real, fields.magnetic_imag) =
        std::tuple_cat(centres(false, sums.data() + 2 * electric, magnetic));
  return fields;
}

template class FdtdSolver<Half>;
template class FdtdSolver<float>;
template class FdtdSolver<double>;

}  // namespace dgtd::fdtd
