// State of PotentialSolver in checkpoints.
#include <fmt/format.h>

#include "dgtd/hpf/potential_solver.hpp"

namespace dgtd::hpf {

template <class Real>
solver::State PotentialSolver<Real>::save() const {
  solver::State state;
  solver::State::Numbers angular_frequencies;
  for (const auto& phasor : phasors_) angular_frequencies.push_back(phasor.angular_frequency);
  state.set_numbers("step", {double(step_)});
  state.set_numbers("angular_frequencies", std::move(angular_frequencies));
  return state;
}

// Series are called with all steps in turn, since some of them are sums.
template <class Real>
void PotentialSolver<Real>::load(const solver::State& state) {
  step_ = computed_ = static_cast<std::int64_t>(state.numbers("step").at(0));
  for (; series_end_ < step_; ++series_end_)
    for (auto& series : series_) series(series_end_);
  series_first_ = series_end_;
  ahead_ = false;
  start_dft(state.numbers("angular_frequencies"));
}

template <class Real>
std::vector<solver::PersistentArray> PotentialSolver<Real>::persistent_arrays() {
  compute_due_steps();
  auto nodes = std::make_shared<solver::Items>();
  nodes->name = "nodes";
  nodes->end = d_->global_nodes[0] * d_->global_nodes[1];
  nodes->complete = true;
  for (int j = 0; j < d_->height; ++j)
    for (int i = 0; i < d_->width; ++i)
      nodes->add((d_->first[1] + j) * d_->global_nodes[0] + d_->first[0] + i,
                 static_cast<std::uint64_t>(d_->index(i, j)));
  std::vector<solver::PersistentArray> list;
  const auto add = [&](const std::string& name, parallel::Array<Real>& array) {
    list.push_back(solver::persistent<Real>(name, nodes, array, {0}));
  };
  add("psi", engine_->psi());
  add("increment of psi", engine_->increment());
  for (std::size_t f = 0; f < phasors_.size(); ++f) {
    add(fmt::format("sum of the increment, real {}", f), phasors_[f].real);
    add(fmt::format("sum of the increment, imaginary {}", f), phasors_[f].imag);
  }
  return list;
}

template class PotentialSolver<float>;
template class PotentialSolver<double>;

}  // namespace dgtd::hpf
