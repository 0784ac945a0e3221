// State of FdtdSolver in checkpoints.
#include <fmt/format.h>

#include "dgtd/fdtd/fdtd_solver.hpp"
#include "fdtd/discretisation/persistent_items.hpp"

namespace dgtd::fdtd {

template <class Stored>
solver::State FdtdSolver<Stored>::save() const {
  solver::State state;
  solver::State::Numbers angular_frequencies;
  for (const auto& phasor : phasors_) angular_frequencies.push_back(phasor.angular_frequency);
  state.set_numbers("step", {double(step_)});
  state.set_numbers("angular_frequencies", std::move(angular_frequencies));
  if constexpr (is_compressed<Stored>) state.set_numbers("unit", {unit(), double(unit_step_)});
  state.set_numbers("plane_passes", {scheme_->has_own_sums() ? 1.0 : 0.0});
  state.set_numbers("work", {source_work(), work_before_}, solver::State::Held::partial);
  monitors_->save(state);
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
  const bool same_scheme = (state.numbers("plane_passes").at(0) != 0) == scheme_->has_own_sums();
  work_before_ = state.numbers("work").at(same_scheme ? 1 : 0);
  start_dft(state.numbers("angular_frequencies"));
  load_ports(state);
  monitors_->load(state);
}

// A list of entries exists on the ranks that have some of them; only a dipole's one has works.
template <class Stored>
void FdtdSolver<Stored>::add_work_of_source(std::size_t source, std::vector<solver::PersistentArray>& list) {
  std::vector<SourceTerm*> lists;
  for (const auto& term : fields_.real.sources[source])
    if (term->half() == HalfStep::electric && !term->replaces()) lists.push_back(term.get());
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
  engine().add_persistent("", !scheme_->has_own_sums(), list);
  if (fields_.imaginary) imaginary_engine().add_persistent("imaginary ", true, list);
  if (scheme_->has_own_sums()) scheme_->add_persistent(list);
  else
    for (std::size_t s = 0; s < fields_.real.sources.size(); ++s) add_work_of_source(s, list);
  for (std::size_t p = 0; p < ports_.size(); ++p)
    if (ports_[p].term != nullptr) ports_[p].term->add_persistent(fmt::format("port {}", p), list);
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
  monitors_->add_persistent(list);
  return list;
}

template <class Stored>
void FdtdSolver<Stored>::finish_loading() {
  for (SourceTerm* term : fields_.real.terms(HalfStep::electric)) term->take_fields();
  for (auto& port : fields_.real.ports) port->take_fields();
}

template class FdtdSolver<Half>;
template class FdtdSolver<float>;
template class FdtdSolver<double>;

}  // namespace dgtd::fdtd
