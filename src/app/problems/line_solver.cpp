#include "app/problems/line_solver.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"

namespace dgtd::app {

template <class Real>
void LineSolver<Real>::advance(std::int64_t steps) {
  if (step_ == 0 && steps > 0) solve();
  step_ += steps;
}

template <class Real>
void LineSolver<Real>::solve() {
#if DGTD_CUDA
  if (cuda_) result_ = reproductions::solve_line_on_cuda(problem_);
  else result_ = reproductions::solve_line(problem_);
#else
  result_ = reproductions::solve_line(problem_);
#endif
  constexpr int magnetic_component = 1, electric_component = 2;
  const auto& layout = whole_->discretisation().layout;
  const auto at = [&](int component) {
    return static_cast<std::size_t>(component * layout.reals + layout.index(0, 0, 0));
  };
  const auto cells = static_cast<std::size_t>(layout.cells[0]);
  std::copy_n(result_.electric.begin(), std::min(cells, result_.electric.size()),
              whole_->engine().electric().host_for_writing() + at(electric_component));
  std::copy_n(result_.magnetic.begin(), std::min(cells, result_.magnetic.size()),
              whole_->engine().magnetic().host_for_writing() + at(magnetic_component));
}

template <class Real>
void LineSolver<Real>::require_fields() const {
  if (step_ != 0 && step_ != problem_.steps)
    throw Error(fmt::format("solver.subdomains: a line in subdomains has fields at steps 0 and {} only, not at {}",
                            problem_.steps, step_));
}

template <class Real>
void LineSolver<Real>::set_fields(const solver::VectorFunction&, const solver::VectorFunction&) {
  throw Error("solver.subdomains: lines in subdomains start from zero fields; allowed is initial.type = zero");
}

template <class Real>
bool LineSolver<Real>::add_probe(const std::string& name, const Vec3& position, const std::string& origin) {
  grid::check_inside(grid(), position, fmt::format("{}: probe.{}: position", origin, name), 1);
  const std::int64_t cell = grid().cell_at(0, position.x), cells = grid().cells(0);
  probes_[name] = {problem_.probes.size(), cell + 1 < cells};
  problem_.probes.push_back(static_cast<int>(cell));
  if (cell + 1 < cells) problem_.probes.push_back(static_cast<int>(cell + 1));  // beyond is a metal wall
  return true;
}

// At a cell's centre: E from the nodes on both sides.
template <class Real>
solver::FieldSample LineSolver<Real>::probe(const std::string& name) const {
  const Probe& probe = probes_.at(name);
  const auto n = static_cast<std::size_t>(step_);
  const auto& here = result_.probes.at(probe.here);
  const double above = probe.has_above ? double(result_.probes.at(probe.here + 1).electric.at(n)) : 0;
  const double magnetic = n > 0 ? double(here.magnetic.at(n - 1)) / vacuum_impedance : 0;
  return {{0, 0, 0.5 * (double(here.electric.at(n)) + above)}, {0, magnetic, 0}};
}

template <class Real>
double LineSolver<Real>::memory_bytes() const {
  const double records = 2.0 * double(problem_.subdomains.size() - 1) + double(problem_.probes.size());
  return whole_->memory_bytes() + 2 * records * double(problem_.steps) * sizeof(Real);
}

template class LineSolver<float>;
template class LineSolver<double>;

}  // namespace dgtd::app
