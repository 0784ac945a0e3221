// What a checkpoint keeps of FdtdSolver.
#include <fmt/format.h>

#include "dgtd/fdtd/fdtd_solver.hpp"
#include "persistent_items.hpp"

namespace dgtd::fdtd {

namespace {

// A component of E has one sample on each face that it belongs to: E along w is paired with H along u.
template <class Real>
std::shared_ptr<const solver::Items> surface_items(const Discretisation<Real>& d, const std::string& name,
                                                   const solver::SurfacePairs& pairs, const SpectrumSamples& samples) {
  std::vector<std::int64_t> numbers;
  const std::int64_t components = 3 * d.global_cells[0] * d.global_cells[1] * d.global_cells[2];
  for (std::size_t i = 0; i < pairs.area.size(); ++i)
    numbers.push_back(pairs.magnetic_axis[i] * components + component_number(d, samples.electric[i]));
  return list_items("samples of " + name, numbers, 3 * components);
}

}  // namespace

// Surfaces first, then cells, each counted by itself. A component of H in a plane is a mean of two, of which the upper
// one is this rank's.
template <class Stored>
template <class Visit>
void FdtdSolver<Stored>::for_spectra(Visit visit) {
  std::size_t surfaces = 0, monitors = 0;
  for (SummedRegion& r : regions_)
    if (const auto* samples = std::get_if<SpectrumSamples>(&r.fields))
      visit(fmt::format("spectrum of surface {}", surfaces++), r.spectrum, [&](const std::string& name) {
        const auto items = surface_items(*d_, name, r.samples.pairs, *samples);
        return std::array{items, items};
      });
  for (SummedRegion& r : regions_)
    if (const auto* cells = std::get_if<Cells>(&r.fields))
      visit(fmt::format("spectrum of monitor {}", monitors++), r.spectrum, [&](const std::string& name) {
        const SpectrumSamples samples = region_samples(*d_, cells->region, cells->ranges);
        return std::array{list_items(*d_, "samples of E of " + name, samples.electric),
                          list_items(*d_, "samples of H of " + name,
                                     samples.magnetic_above.empty() ? samples.magnetic_below : samples.magnetic_above)};
      });
}

template <class Stored>
solver::State FdtdSolver<Stored>::save() const {
  solver::State state;
  solver::State::Numbers angular_frequencies;
  for (const auto& phasor : phasors_) angular_frequencies.push_back(phasor.angular_frequency);
  state.set_numbers("step", {double(step_)});
  state.set_numbers("angular_frequencies", std::move(angular_frequencies));
  if constexpr (is_compressed<Stored>) state.set_numbers("unit", {unit(), double(unit_step_)});
  state.set_numbers("plane_passes", {engine().has_plane_passes() ? 1.0 : 0.0});
  state.set_numbers("work", {source_work(), work_before_}, solver::State::Held::partial);
  const_cast<FdtdSolver*>(this)->for_spectra([&](const std::string& name, const RunningSpectrum<Stored>& spectrum,
                                                 const auto&) { spectrum.save(name, state); });
  const_cast<FdtdSolver*>(this)->save_ports(state);
  return state;
}

// The work of each entry of the sources is kept; where the scheme is another one, whose entries are others, the sum.
template <class Stored>
void FdtdSolver<Stored>::load(const solver::State& state) {
  step_ = static_cast<std::int64_t>(state.numbers("step").at(0));
  if constexpr (is_compressed<Stored>) {
    set_unit(state.numbers("unit").at(0));
    unit_step_ = static_cast<std::int64_t>(state.numbers("unit").at(1));
  }
  const bool same_scheme = (state.numbers("plane_passes").at(0) != 0) == engine().has_plane_passes();
  work_before_ = state.numbers("work").at(same_scheme ? 1 : 0);
  start_dft(state.numbers("angular_frequencies"));
  load_ports(state);
  for_spectra(
      [&](const std::string& name, RunningSpectrum<Stored>& spectrum, const auto&) { spectrum.load(name, state); });
}

// A list of entries exists on the ranks that have some of them; only a dipole's one has works.
template <class Stored>
void FdtdSolver<Stored>::add_work_of_source(std::size_t source, std::vector<solver::PersistentArray>& list) {
  auto& lists = fields_.real.sources[source].electric;
  const auto most = static_cast<std::size_t>(comm_.max(static_cast<std::int64_t>(lists.size())));
  for (std::size_t i = 0; i < most; ++i) {
    const std::string name = fmt::format("work of source {}, {}", source, i);
    if (i < lists.size()) {
      lists[i]->add_persistent(name, list);
      continue;
    }
    list.push_back(
        solver::persistent(name, list_items(*d_, "entries of " + name, std::vector<std::uint64_t>()), no_work_, {0}));
    list.back().may_be_absent = true;
  }
}

template <class Stored>
std::vector<solver::PersistentArray> FdtdSolver<Stored>::persistent_arrays() {
  std::vector<solver::PersistentArray> list;
  engine().add_persistent("", list);
  if (fields_.imaginary) imaginary_engine().add_persistent("imaginary ", list);
  if (!engine().has_plane_passes())
    for (std::size_t s = 0; s < fields_.real.sources.size(); ++s) add_work_of_source(s, list);
  for (std::size_t p = 0; p < ports_.size(); ++p) fields_.real.ports[p]->add_persistent(fmt::format("port {}", p), list);
  const auto cells = cell_items(*d_);
  const auto components = solver::offsets_from(0, static_cast<std::uint64_t>(d_->layout.reals), 3);
  for (std::size_t f = 0; f < phasors_.size(); ++f) {
    const auto add = [&](const char* name, parallel::Array<Real>& array) {
      list.push_back(solver::persistent(fmt::format("sum of {} {}", name, f), cells, array, components));
    };
    add("E, real", phasors_[f].electric_real);
    add("E, imaginary", phasors_[f].electric_imag);
    add("Z0 H, real", phasors_[f].magnetic_real);
    add("Z0 H, imaginary", phasors_[f].magnetic_imag);
  }
  for_spectra([&](const std::string& name, RunningSpectrum<Stored>& spectrum, const auto& samples) {
    const auto [electric, magnetic] = samples(name);
    spectrum.add_persistent(name, electric, magnetic, list);
  });
  return list;
}

template <class Stored>
void FdtdSolver<Stored>::finish_loading() {
  for (auto& source : fields_.real.sources)
    for (auto& term : source.electric) term->take_fields();
  for (auto& port : fields_.real.ports) port->take_fields();
}

template class FdtdSolver<Half>;
template class FdtdSolver<float>;
template class FdtdSolver<double>;

}  // namespace dgtd::fdtd
