// The unit of compressed fields (field_unit.hpp), and the energy, which is the first to see that they have left the
// range.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dgtd/base/error.hpp"
#include "dgtd/fdtd/fdtd_solver.hpp"

namespace dgtd::fdtd {

template <class Stored>
SourceSize FdtdSolver<Stored>::size_of(const physics::Source& source, const std::vector<DiscreteSource>& lists) const {
  SourceSize size{physics::shape_of(source.waveform), 0, 0};
  for (const DiscreteSource& of_waveform : lists)
    for (const SourceList& list : of_waveform.lists)
      for (const SourceEntry& entry : list.entries) {
        size.largest = std::max(size.largest, std::abs(entry.weight));
        size.delay = std::max(size.delay, entry.delay);
      }
  size.largest = comm_.max(size.largest), size.delay = comm_.max(size.delay);
  return size;
}

template <class Stored>
void FdtdSolver<Stored>::set_unit(double unit) {
  fields_.for_parts([&](auto& part) {
    if (part.engine->unit() != unit) part.engine->set_unit(unit);
  });
}

template <class Stored>
void FdtdSolver<Stored>::set_unit_of(double largest) {
  largest = comm_.max(largest);
  if (fields_.imaginary) largest = std::max(largest, unit() * largest_in_units());
  set_unit(FieldUnit::of(largest));
}

// Once per steps_of_unit steps, always before the step of that number, whoever looks at the fields in between.
template <class Stored>
void FdtdSolver<Stored>::follow_fields() {
  if (step_ % steps_of_unit != 0) return;
  const double largest = largest_in_units();
  check_range(largest);
  set_unit(FieldUnit(source_sizes_).next(unit(), largest, clock().electric_time()));
  unit_step_ = step_;
}

template <class Stored>
double FdtdSolver<Stored>::largest_in_units() const {
  double largest = engine().largest();
  if (fields_.imaginary) largest = std::max(largest, imaginary_engine().largest());
  return comm_.max(largest);
}

template <class Stored>
void FdtdSolver<Stored>::check_range(double largest) const {
  if (std::isfinite(largest)) return;
  throw Error(ExitCode::unstable,
              fmt::format("solver.precision = half: between steps {} and {} fields became larger than half precision "
                          "holds, 65504 times {:.3g} V/m; they are unstable, or grow too fast: lower "
                          "solver.cfl_fraction, or use precision = single",
                          unit_step_, step_, unit()));
}

template <class Stored>
double FdtdSolver<Stored>::energy() {
  const double energy = scheme_->energy(step_);
  if constexpr (is_compressed<Stored>)
    if (comm_.max(std::isfinite(energy) ? 0.0 : 1.0) > 0) check_range(largest_in_units());
  return energy;
}

template class FdtdSolver<Half>;
template class FdtdSolver<float>;
template class FdtdSolver<double>;

}  // namespace dgtd::fdtd
