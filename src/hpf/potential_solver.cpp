#include "dgtd/hpf/potential_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/base/hash.hpp"

namespace dgtd::hpf {

namespace {
constexpr int series_steps = 1024;  // of the table that an engine holds
}

template <class Real>
PotentialSolver<Real>::PotentialSolver(std::unique_ptr<Discretisation> d, std::unique_ptr<Engine<Real>> engine,
                                       const std::vector<physics::Source>& sources, const parallel::Communicator& comm)
    : d_(std::move(d)), engine_(std::move(engine)), comm_(comm), has_sources_(!sources.empty()) {
  std::vector<RowSource<Real>> rows;
  for (const auto& source : sources) {
    auto made = source_rows(*d_, source);
    for (const auto& r : made.rows)
      rows.push_back(
          {r.row, r.first, r.last, r.series + static_cast<int>(series_.size()), static_cast<Real>(r.weight)});
    for (auto& s : made.series) series_.push_back(std::move(s));
  }
  engine_->set_sources(rows);
}

// Three numbers per node, psi of two levels read and of one written; the kernels that do several steps at once move
// less. Sums and products of a lossless node, a fused multiply-add counts two.
template <class Real>
solver::Costs PotentialSolver<Real>::costs() const {
  const std::int64_t nodes = d_->global_nodes[0] * d_->global_nodes[1];
  return {nodes, 1, 3.0 * sizeof(Real) * double(nodes), (d_->stencil == Stencil::line ? 6.0 : 9.0) * double(nodes)};
}

template <class Real>
double PotentialSolver<Real>::energy() {
  compute_next_level();
  const bool electric = d_->potential == Potential::electric;
  const double mu = d_->permeability, eps = d_->background_permittivity, dt2 = d_->time_step * d_->time_step;
  const double scale = 0.5 * d_->thickness * (electric ? mu * eps * eps : mu * mu * eps) / dt2;
  std::vector<double> kinetic;
  for (const auto& c : d_->classes) kinetic.push_back(scale * mu * vacuum_permittivity * c.permittivity / dt2);
  return engine_->energy(kinetic, {scale, scale});
}

template <class Real>
void PotentialSolver<Real>::advance(std::int64_t steps) {
  step_ += steps;
  compute_due_steps(engine_->most_steps());
}

// Computes steps that advance() has counted, until fewer than `fewest` are left.
template <class Real>
void PotentialSolver<Real>::compute_due_steps(std::int64_t fewest) const {
  while (step_ - computed_ >= fewest) {
    int steps = 1;
    if (!ahead_) {
      engine_->exchange();
      steps = static_cast<int>(std::min<std::int64_t>({step_ - computed_, engine_->most_steps(), series_left()}));
      engine_->advance(steps, static_cast<int>(computed_ - series_first_));
    }
    ahead_ = false;
    engine_->accept();
    computed_ += steps;
  }
}

// The step to come, for fields that are differences of psi around its present level; compute_due_steps() takes it as
// computed.
template <class Real>
void PotentialSolver<Real>::compute_next_level() const {
  compute_due_steps();
  if (ahead_) return;
  engine_->exchange();
  series_left();
  engine_->advance(1, static_cast<int>(computed_ - series_first_));
  ahead_ = true;
}

// Steps that the engine's table of series still holds; fills it where it is empty.
template <class Real>
int PotentialSolver<Real>::series_left() const {
  if (series_.empty()) {
    series_first_ = computed_;
    return series_steps;
  }
  if (computed_ >= series_end_) {
    std::vector<Real> values;
    for (auto& s : series_)
      for (int n = 0; n < series_steps; ++n) values.push_back(static_cast<Real>(s(series_end_ + n)));
    engine_->set_series(values, series_steps);
    series_first_ = series_end_;
    series_end_ += series_steps;
  }
  return static_cast<int>(series_end_ - computed_);
}

template <class Real>
void PotentialSolver<Real>::wait() {
  compute_due_steps();
  engine_->wait();
}

template <class Real>
solver::SourceWork PotentialSolver<Real>::work() const {
  return {0, 0, has_sources_ && step_ > 0 ? std::numeric_limits<double>::infinity() : 0};
}

template <class Real>
void PotentialSolver<Real>::start_dft(const std::vector<double>& angular_frequencies) {
  const auto reals = static_cast<std::size_t>(d_->reals());
  phasors_.clear();
  for (const double omega : angular_frequencies)
    phasors_.push_back(
        {omega, parallel::Array<Real>(reals, engine_->memory()), parallel::Array<Real>(reals, engine_->memory())});
}

// The increment that led to psi^n stands half a step before it. E and H of a steady state follow from its phasor.
template <class Real>
void PotentialSolver<Real>::accumulate_dft(double weight) {
  compute_due_steps();
  const double level = d_->potential == Potential::electric ? 0.5 : 1;
  const double time = (double(step_) - level) * d_->time_step;
  for (auto& p : phasors_)
    engine_->accumulate_phasor(engine_->increment(), weight * std::cos(p.angular_frequency * time),
                               weight * std::sin(p.angular_frequency * time), p.real, p.imag);
}

template <class Real>
void PotentialSolver<Real>::set_fields(const solver::VectorFunction&, const solver::VectorFunction&) {
  throw Error("hpf2d: initial fields E and H do not say what the potential is; allowed is initial.type = zero");
}

template <class Real>
void PotentialSolver<Real>::set_potential(const std::function<double(const Vec3&, double)>& psi) {
  compute_due_steps();
  ahead_ = false;
  Real* const p = engine_->psi().host_for_writing();
  Real* const v = engine_->increment().host_for_writing();
  for (int j = 0; j < d_->height; ++j)
    for (int i = 0; i < d_->width; ++i) {
      const Vec3 x = d_->position(i, j);
      const double now = psi(x, 0);
      p[d_->index(i, j)] = static_cast<Real>(now);
      v[d_->index(i, j)] = static_cast<Real>(now - psi(x, -d_->time_step));
    }
}

// Numbers of one size without structure, the same for any number of ranks.
template <class Real>
void PotentialSolver<Real>::randomise_fields() {
  compute_due_steps();
  ahead_ = false;
  Real* const p = engine_->psi().host_for_writing();
  Real* const v = engine_->increment().host_for_writing();
  const auto held = [&](int i, int j) {
    return (i == 0 && d_->walls[0] == Boundary::zero) || (i == d_->width - 1 && d_->walls[1] == Boundary::zero) ||
           (j == 0 && d_->walls[2] == Boundary::zero) || (j == d_->height - 1 && d_->walls[3] == Boundary::zero) ||
           d_->classes[d_->number_of_class(i, j)].conductor;
  };
  for (int j = 0; j < d_->height; ++j)
    for (int i = 0; i < d_->width; ++i) {
      if (held(i, j)) continue;
      const auto [first, second] = pseudorandom_pair(
          static_cast<std::uint64_t>((d_->first[1] + j) * d_->global_nodes[0] + d_->first[0] + i + 1));
      p[d_->index(i, j)] = static_cast<Real>(first);
      v[d_->index(i, j)] = static_cast<Real>(0.1 * second);
    }
}

template class PotentialSolver<float>;
template class PotentialSolver<double>;

}  // namespace dgtd::hpf
