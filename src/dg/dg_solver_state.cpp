// State of DgSolver in checkpoints.
#include <fmt/format.h>

#include <optional>

#include "dgtd/dg/dg_solver.hpp"

namespace dgtd::dg {

namespace {

// In a checkpoint, of a lumped port by its number in the case.
std::string name_of_circuit(std::size_t port) { return fmt::format("circuit of port {}", port); }

}  // namespace

template <class Real>
solver::State DgSolver<Real>::save() const {
  solver::State state;
  solver::State::Numbers angular_frequencies;
  for (const auto& phasor : phasors_) angular_frequencies.push_back(phasor.angular_frequency);
  state.set_numbers("step", {double(step_)});
  integrator_->save(state);
  state.set_numbers("work", sources_.measured_work(), solver::State::Held::partial);
  state.set_numbers("angular_frequencies", std::move(angular_frequencies));
  for (std::size_t p = 0; p < port_records_.size(); ++p)
    if (!port_records_[p].mode) {
      solver::save_record(state, p, port_records_[p].sum_over(comm_));
      state.set_numbers(name_of_circuit(p), comm_.sum(sources_.ports().circuit_numbers(port_records_[p].lumped)));
    }
  return state;
}

template <class Real>
void DgSolver<Real>::load(const solver::State& state) {
  step_ = static_cast<std::int64_t>(state.numbers("step").at(0));
  integrator_->load(state);
  sources_.forget_fields();
  sources_.set_measured_work(state.numbers("work"));
  start_dft(state.numbers("angular_frequencies"));
  for (std::size_t p = 0; p < port_records_.size(); ++p) {
    if (port_records_[p].mode) continue;
    port_records_[p].own.clear();
    port_records_[p].record = solver::load_record(state, p);
    sources_.ports().set_circuit(port_records_[p].lumped, state.numbers(name_of_circuit(p)));
  }
}

// place(slot): of an element in the array, if it has a place there.
template <class Real>
template <class Place>
std::shared_ptr<const solver::Items> DgSolver<Real>::items_of(std::string name, bool complete,
                                                              const Place& place) const {
  auto items = std::make_shared<solver::Items>();
  items->name = std::move(name);
  items->end = d_->mesh.global_elements;
  items->complete = complete;
  items->runs.resize(d_->mesh.elements());
#pragma omp parallel for schedule(static)
  for (std::size_t e = 0; e < d_->mesh.elements(); ++e) {
    const std::optional<std::uint64_t> at = place(d_->slot_of_element[e]);
    items->runs[e] = {d_->mesh.element_id[e], at.has_value(), at.value_or(0)};
  }
  std::erase_if(items->runs, [](const solver::ItemRun& run) { return run.count == 0; });
  items->sort();
  return items;
}

template <class Real>
std::vector<solver::PersistentArray> DgSolver<Real>::persistent_arrays() {
  sources_.forget_fields();  // E may be written
  // The elements of the first blocks.
  const auto items_below = [&](std::string name, std::int64_t blocks, bool complete) {
    return items_of(std::move(name), complete, [&, blocks](std::uint32_t slot) -> std::optional<std::uint64_t> {
      if (slot >= blocks * block_lanes) return {};
      return d_->layout.first(slot);
    });
  };
  const auto elements = items_below("elements", d_->owned_blocks, true);
  const auto coefficients =
      solver::offsets_from(0, d_->layout.stride(), std::size_t{3} * static_cast<std::size_t>(d_->layout.nodes));
  std::vector<solver::PersistentArray> arrays;
  const auto add = [&](const std::string& name, Field<Real>& field, const auto& items) {
    arrays.push_back(solver::persistent(name, items, field, coefficients));
  };
  add("E", electric_, elements);
  add("Z0 H", magnetic_, elements);
  for (const auto& kept : integrator_->kept_fields())
    add(kept.name, *kept.field, items_below(kept.elements, kept.blocks, false));
  for (std::size_t i = 0; i < d_->states.size(); ++i) {
    const ElementState<Real>& state = d_->states[i];
    const auto items =
        items_of("elements with " + state.name, false, [&](std::uint32_t slot) -> std::optional<std::uint64_t> {
          const std::int64_t block = state.first[slot / block_lanes];
          if (block < 0) return {};
          return std::uint64_t(block) * state.entries * block_lanes + slot % block_lanes;
        });
    arrays.push_back(solver::persistent(state.name, items, executor_->states()[i],
                                        solver::offsets_from(0, block_lanes, static_cast<std::size_t>(state.entries))));
  }
  for (std::size_t f = 0; f < phasors_.size(); ++f) {
    add(fmt::format("sum of E, real {}", f), phasors_[f].electric_real, elements);
    add(fmt::format("sum of E, imaginary {}", f), phasors_[f].electric_imag, elements);
    add(fmt::format("sum of Z0 H, real {}", f), phasors_[f].magnetic_real, elements);
    add(fmt::format("sum of Z0 H, imaginary {}", f), phasors_[f].magnetic_imag, elements);
  }
  for (std::size_t s = 0; s < local_sums_.size(); ++s) arrays.push_back(local_sums_[s].persistent(s));
  return arrays;
}

template class DgSolver<float>;
template class DgSolver<double>;

}  // namespace dgtd::dg
