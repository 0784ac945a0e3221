#pragma once
// The engine, written once over a backend (parallel/backend.hpp) with these members besides: advance<coupled,
// lossy>(view, steps, sources) takes steps from one pair of arrays to the other with the kernels of
// include/dgtd/hpf/kernels, steps_at_once<Real>(setup) says how many, and occupancy<Real, coupled>(lossy).
#include <algorithm>
#include <numeric>

#include "dgtd/hpf/engine.hpp"
#include "dgtd/hpf/kernels/plane_view.hpp"
#include "dgtd/parallel/backend.hpp"
#include "dgtd/parallel/array.hpp"
#include "dgtd/parallel/halo_exchange.hpp"
#include "dgtd/parallel/send_view.hpp"

namespace dgtd::hpf {

/// Lane i % 32 of row i / 32: every 32nd node.
template <class Real>
struct SumEnergy {
  PlaneView<Real> v;                // increment is v, new_increment v'
  const double* kinetic;            // [classes]
  const double *dual_x, *dual_y;    // [width], [height] m
  double stiffness_x, stiffness_y;  // over the distance of nodes, 1/m
  double* sums;                     // [height][32]
  DGTD_HOST_DEVICE void operator()(std::int64_t k) const {
    const int j = static_cast<int>(k / 32), last = v.width - 1;
    double sum = 0;
    for (int i = static_cast<int>(k % 32); i < v.width; i += 32) {
      const std::int64_t n = v.index(i, j), row = n - i;
      const double old = v.increment[n], now = v.new_increment[n], change = now - old;
      sum += kinetic[v.class_at(i, j)] * dual_x[i] * dual_y[j] * change * change;
      double along = 0, across = 0;
      if (j > 0 || v.wall[2] == Boundary::none) along += old - double(v.increment[n - v.pitch]);
      if (j < v.height - 1 || v.wall[3] == Boundary::none) along += old - double(v.increment[n + v.pitch]);
      if (v.coupled_x) {
        if (i > 0 || v.wrap_x) across += old - double(v.increment[row + (i > 0 ? i - 1 : last)]);
        if (i < last || v.wrap_x) across += old - double(v.increment[row + (i < last ? i + 1 : 0)]);
      }
      sum += now * (stiffness_y * dual_x[i] * along + stiffness_x * dual_y[j] * across);
    }
    sums[k] = sum;
  }
};

/// Rows to send: packed value first + i = from[i].
template <class Real>
struct PackRows {
  const Real* from;
  std::int64_t first;
  parallel::SendView<Real> packed;
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const { *packed.at(first + i) = from[i]; }
};

template <class Real, class Backend>
class EngineOn final : public Engine<Real> {
 public:
  EngineOn(const Setup& setup, const Discretisation& d, const parallel::Communicator& comm,
           std::unique_ptr<Backend> backend)
      : d_(d),
        backend_(std::move(backend)),
        lossy_(d.lossy),
        most_steps_(backend_->template steps_at_once<Real>(setup)) {
    if (d.rows_of_others) most_steps_ = std::min(most_steps_, d.ghost_rows);
    const auto reals = static_cast<std::size_t>(d.reals());
    for (auto& a : arrays_) a = parallel::Array<Real>(reals, memory());
    std::vector<Coefficients<Real>> coefficients;
    for (const auto& c : d.classes) coefficients.push_back(d.template coefficients<Real>(c));
    coefficients_ = {coefficients, memory()};
    masks_ = {d.masks(), memory()};
    if (Backend::expands_media) {
      std::vector<Real> Cb(reals, 0), Ca(lossy_ ? reals : 0, 1);
      for (int j = -d.ghost_rows; j < d.height + d.ghost_rows; ++j)
        for (int i = 0; i < d.width; ++i) {
          Cb[d.index(i, j)] = coefficients[d.number_of_class(i, j)].Cb;
          if (lossy_) Ca[d.index(i, j)] = coefficients[d.number_of_class(i, j)].Ca;
        }
      Cb_ = {Cb, memory()}, Ca_ = {Ca, memory()};
    }
    make_exchange(comm);
  }

  int most_steps() const override { return most_steps_; }
  parallel::Array<Real>& psi() override { return arrays_[present_]; }
  parallel::Array<Real>& increment() override { return arrays_[present_ + 1]; }
  parallel::Array<Real>& new_psi() override { return arrays_[2 - present_]; }
  parallel::Array<Real>& new_increment() override { return arrays_[3 - present_]; }
  void accept() override { present_ = 2 - present_; }

  void set_sources(const std::vector<RowSource<Real>>& sources) override {
    sources_ = {sources, memory()};
    host_sources_ = sources;
  }
  void set_series(const std::vector<Real>& values, int steps) override {
    series_steps_ = steps;
    if (values.size() == series_.size() && !values.empty())
      memory().upload(series_.write(), values.data(), values.size() * sizeof(Real));
    else series_ = {values, memory()};
  }

  void exchange() override {
    if (!exchange_) return;
    const std::int64_t rows = std::int64_t(d_.ghost_rows) * d_.pitch;
    const int sides[2] = {neighbours_[0] >= 0, neighbours_[1] >= 0};
    const parallel::SendView<Real> packed = exchange_->send_view();
    std::int64_t first = 0;
    using parallel::Queue;
    backend_->halo_waits();
    for (int side = 0; side < 2; ++side)
      for (int a = 0; a < 2 && sides[side]; ++a, first += rows)
        backend_->for_each(
            Queue::halo, rows,
            PackRows<Real>{arrays_[present_ + a].read() + d_.index(0, side == 0 ? 0 : d_.height - d_.ghost_rows), first,
                           packed});
    exchange_->start();
    exchange_->finish();
    // The upper neighbour's message comes first: where both are one rank its lower rows are sent first.
    const Real* received = exchange_->receive_buffer();
    for (int side = 1; side >= 0; --side)
      for (int a = 0; a < 2 && sides[side]; ++a, received += rows)
        backend_->for_each(
            Queue::halo, rows,
            parallel::CopyReals<Real>{
                received, arrays_[present_ + a].write() + d_.index(0, side == 0 ? -d_.ghost_rows : d_.height)});
    backend_->main_waits();
  }

  void advance(int steps, int series_step) override {
    const auto v = view(series_step);
    if (v.coupled_x)
      lossy_ ? backend_->template advance<true, true>(v, steps, host_sources_)
             : backend_->template advance<true, false>(v, steps, host_sources_);
    else
      lossy_ ? backend_->template advance<false, true>(v, steps, host_sources_)
             : backend_->template advance<false, false>(v, steps, host_sources_);
  }

  double energy(const std::vector<double>& kinetic, const std::array<double, 2>& stiffness) override {
    if (sums_.size() == 0) {
      std::vector<double> x, y;
      for (int i = 0; i < d_.width; ++i) x.push_back(d_.dual_length(0, i));
      for (int j = 0; j < d_.height; ++j) y.push_back(d_.dual_length(1, j));
      dual_[0] = {x, memory()}, dual_[1] = {y, memory()}, kinetic_ = {kinetic, memory()};
      sums_ = {std::size_t(d_.height) * 32, memory()};
    }
    backend_->for_each(static_cast<std::int64_t>(sums_.size()),
                       SumEnergy<Real>{view(0), kinetic_.read(), dual_[0].read(), dual_[1].read(),
                                       stiffness[0] / d_.spacing[0], stiffness[1] / d_.spacing[1], sums_.write()});
    std::vector<double> sums(sums_.size());
    memory().download(sums.data(), sums_.read(), sums.size() * sizeof(double));
    return std::accumulate(sums.begin(), sums.end(), 0.0);
  }
  void accumulate_phasor(const parallel::Array<Real>& u, double c, double s, parallel::Array<Real>& real,
                         parallel::Array<Real>& imag) override {
    backend_->for_each(
        static_cast<std::int64_t>(u.size()),
        parallel::AddPhasor<Real>{u.read(), static_cast<Real>(c), static_cast<Real>(s), real.write(), imag.write()});
  }

  parallel::Memory& memory() override { return backend_->memory(); }
  double wait_seconds() const override { return exchange_ ? exchange_->wait_seconds() : 0; }
  double memory_bytes() const override {
    return 4.0 * sizeof(Real) * double(d_.reals()) + masks_.bytes() + Cb_.bytes() + Ca_.bytes() + sums_.bytes() +
           series_.bytes();
  }
  double copy_bandwidth() override { return backend_->copy_bandwidth(); }
  solver::Solver::Occupancy occupancy() const override {
    return d_.stencil == Stencil::laplacian ? backend_->template occupancy<Real, true>(lossy_)
                                            : backend_->template occupancy<Real, false>(lossy_);
  }
  void wait() override { backend_->wait(); }

 private:
  PlaneView<Real> view(int series_step) {
    PlaneView<Real> v{};
    v.width = d_.width, v.height = d_.height, v.ghost_rows = d_.ghost_rows, v.pitch = d_.pitch;
    v.coupled_x = d_.stencil == Stencil::laplacian, v.wrap_x = d_.wrap_x;
    for (int s = 0; s < 4; ++s) v.wall[s] = d_.walls[s];
    v.ratio = static_cast<Real>(d_.ratio()), v.centre = static_cast<Real>(d_.centre());
    v.coefficients = coefficients_.read(), v.masks = masks_.read(), v.planes = d_.planes(), v.words = d_.words();
    v.Cb = Cb_.read(), v.Ca = Ca_.read();
    v.psi = psi().read(), v.increment = increment().read(), v.new_psi = new_psi().write(),
    v.new_increment = new_increment().write();
    v.sources = sources_.read(), v.source_count = static_cast<int>(host_sources_.size());
    v.source_low = 0, v.source_high = -1;
    for (std::size_t i = 0; i < host_sources_.size(); ++i) {
      v.source_low = i == 0 ? host_sources_[i].row : std::min(v.source_low, host_sources_[i].row);
      v.source_high = i == 0 ? host_sources_[i].row : std::max(v.source_high, host_sources_[i].row);
    }
    v.series = series_.read() + series_step, v.series_stride = series_steps_;
    return v;
  }

  // Exchanges rows with the ranks below and above for the five-point stencil; lines on a periodic axis with themselves.
  void make_exchange(const parallel::Communicator& comm) {
    if (d_.stencil == Stencil::laplacian) neighbours_ = d_.neighbours;
    else if (d_.periodic[1]) neighbours_ = {comm.rank(), comm.rank()};
    parallel::HaloPlan plan;
    const std::size_t rows = 2 * std::size_t(d_.ghost_rows);  // of both arrays
    plan.reals_per_face = static_cast<std::size_t>(d_.pitch);
    for (int side = 0; side < 2; ++side)
      if (neighbours_[side] >= 0) plan.sends.push_back({neighbours_[side], rows * plan.sends.size(), rows});
    for (int side = 1; side >= 0; --side)
      if (neighbours_[side] >= 0) plan.receives.push_back({neighbours_[side], rows * plan.receives.size(), rows});
    plan.faces = rows * plan.sends.size();
    if (!plan.sends.empty()) exchange_ = backend_->template make_exchange<Real>(plan);
  }

  const Discretisation& d_;
  std::unique_ptr<Backend> backend_;
  bool lossy_;
  int most_steps_;
  parallel::Array<Real> arrays_[4];  // psi, increment, and the same after the steps, in turn
  int present_ = 0;
  parallel::Array<Coefficients<Real>> coefficients_;
  parallel::Array<std::uint32_t> masks_;
  parallel::Array<Real> Cb_, Ca_;  // PlaneView
  parallel::Array<RowSource<Real>> sources_;
  std::vector<RowSource<Real>> host_sources_;
  parallel::Array<Real> series_;
  int series_steps_ = 0;
  parallel::Array<double> kinetic_, dual_[2], sums_;
  std::array<int, 2> neighbours_{-1, -1};  // ranks whose rows lie below and above
  std::unique_ptr<typename Backend::template Exchange<Real>> exchange_;
};

}  // namespace dgtd::hpf
