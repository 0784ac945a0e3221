// What a checkpoint keeps of DgSolver.
#include <fmt/format.h>

#include "dgtd/dg/dg_solver.hpp"

namespace dgtd::dg {

template <class Real>
solver::State DgSolver<Real>::save() const {
  solver::State state;
  solver::State::Numbers work, angular_frequencies;
  for (const auto& dipole : dipoles_) work.push_back(dipole.current.measured());
  for (const auto& phasor : phasors_) angular_frequencies.push_back(phasor.angular_frequency);
  state.set_numbers("step", {double(step_)});
  state.set_numbers("unfiltered_is_known", {started_ ? 1.0 : 0.0});
  state.set_numbers("work", std::move(work), solver::State::Held::partial);
  state.set_numbers("angular_frequencies", std::move(angular_frequencies));
  return state;
}

template <class Real>
void DgSolver<Real>::load(const solver::State& state) {
  step_ = static_cast<std::int64_t>(state.numbers("step").at(0));
  started_ = state.numbers("unfiltered_is_known").at(0) != 0;
  voltages_are_known_ = false;
  const auto& work = state.numbers("work");
  for (std::size_t i = 0; i < dipoles_.size(); ++i) dipoles_[i].current.set_measured(work.at(i));
  start_dft(state.numbers("angular_frequencies"));
}

// The elements of the first blocks.
template <class Real>
std::shared_ptr<const solver::Items> DgSolver<Real>::items_below(std::string name, std::int64_t blocks,
                                                                 bool complete) const {
  auto items = std::make_shared<solver::Items>();
  items->name = std::move(name);
  items->end = d_->mesh.global_elements;
  items->complete = complete;
  const auto slots = static_cast<std::uint32_t>(blocks * block_lanes);
  items->runs.resize(d_->mesh.elements());
#pragma omp parallel for schedule(static)
  for (std::size_t e = 0; e < d_->mesh.elements(); ++e) {
    const std::uint32_t slot = d_->slot_of_element[e];
    items->runs[e] = {d_->mesh.element_id[e], slot < slots, d_->layout.first(slot)};
  }
  std::erase_if(items->runs, [](const solver::ItemRun& run) { return run.count == 0; });
  items->sort();
  return items;
}

template <class Real>
std::vector<solver::PersistentArray> DgSolver<Real>::persistent_arrays() {
  voltages_are_known_ = false;  // E may be written
  const auto elements = items_below("elements", d_->owned_blocks, true);
  const auto coefficients =
      solver::offsets_from(0, d_->layout.stride(), std::size_t{3} * static_cast<std::size_t>(d_->layout.nodes));
  std::vector<solver::PersistentArray> arrays;
  const auto add = [&](const std::string& name, Field<Real>& field, const auto& items) {
    arrays.push_back(solver::persistent(name, items, field, coefficients));
  };
  add("E", electric_, elements);
  add("Z0 H", magnetic_, elements);
  if (local_steps_ && started_)
    add("Z0 H unfiltered", local_steps_->unfiltered(),
        items_below("elements of local steps", d_->reach_of_level(1), false));
  for (std::size_t f = 0; f < phasors_.size(); ++f) {
    add(fmt::format("sum of E, real {}", f), phasors_[f].electric_real, elements);
    add(fmt::format("sum of E, imaginary {}", f), phasors_[f].electric_imag, elements);
    add(fmt::format("sum of Z0 H, real {}", f), phasors_[f].magnetic_real, elements);
    add(fmt::format("sum of Z0 H, imaginary {}", f), phasors_[f].magnetic_imag, elements);
  }
  return arrays;
}

template class DgSolver<float>;
template class DgSolver<double>;

}  // namespace dgtd::dg
