// Spectra of E and H in regions.
#include <tuple>

#include "dgtd/fdtd/fdtd_solver.hpp"

namespace dgtd::fdtd {

template <class Real>
void FdtdSolver<Real>::add_monitor(const physics::Monitor& monitor) {
  const FieldRegion region = field_region(d_->grid, d_->periodic, monitor);
  const SampleRanges ranges =
      sample_ranges(region, d_->block.first, {d_->layout.cells[0], d_->layout.cells[1], d_->layout.cells[2]},
                    monitor.keeps("E"), monitor.keeps("H"));
  monitors_.push_back({region, ranges, monitor.keeps("E"), monitor.keeps("H"),
                       running_spectrum(region_samples(*d_, region, ranges), monitor.frequencies)});
}

template <class Real>
MonitorExtent FdtdSolver<Real>::monitor_extent(std::size_t monitor) const {
  return region_extent(monitors_[monitor].region, shown_);
}

template <class Real>
MonitorFields FdtdSolver<Real>::monitor_fields(std::size_t monitor, std::size_t frequency) const {
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

template class FdtdSolver<float>;
template class FdtdSolver<double>;

}  // namespace dgtd::fdtd
