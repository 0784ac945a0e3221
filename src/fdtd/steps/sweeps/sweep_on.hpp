#pragma once
// Several time steps in one pass over memory (skewed_sweep.hpp) on a backend, plane by plane with the sources, the
// components in series and the sources' work that belong to each step.
#include "dgtd/fdtd/kernels/series_update.hpp"
#include "fdtd/sources/port_on.hpp"
#include "fdtd/sources/source_term.hpp"
#include "fdtd/steps/planes/plane_order.hpp"
#include "fdtd/steps/sweeps/skewed_sweep.hpp"

namespace dgtd::fdtd {

template <class Stored, class Backend>
class SweepOn {
  using Real = arithmetic_t<Stored>;

 public:
  /// series: indices of the components in series, in the order of their arrays.
  SweepOn(const Discretisation<Real>& d, const Backend& backend, const std::vector<std::uint64_t>& series)
      : d_(d), backend_(backend), series_(d.layout, series, [](int, int, int) { return false; }) {}

  /// sweep.steps steps from step `first_step` on. update(half, plane, rows) updates fields, series(entry) a component
  /// in series, exchange(half) brings the ghosts that the half step reads from other ranks.
  template <class Update, class Series, class Exchange>
  void run(const SkewedSweep& sweep, const std::vector<SourceTerm*>& sources, const std::vector<PortTerm*>& ports,
           std::int64_t first_step, const Update& update, const Series& series, const Exchange& exchange) const {
    std::vector<Term*> of_magnetic, of_electric, hard;
    for (SourceTerm* const source : sources) {
      auto& kind = source->replaces() ? hard : source->half() == HalfStep::magnetic ? of_magnetic : of_electric;
      kind.push_back(static_cast<Term*>(source));
    }
    const auto update_all = [&](const PlaneRows& at) {
      update(at.half, at.plane, at.rows);
      const double time = static_cast<double>(first_step + at.stage) * d_.time_step;
      if (at.half == HalfStep::magnetic) return add(of_magnetic, time, at);
      const double middle = time + 0.5 * d_.time_step;
      add(of_electric, middle, at);
      for (PortTerm* const p : ports) {
        auto& port = static_cast<PortOn<Stored, Backend>&>(*p);
        port.order().for_rows(at.plane, at.rows.first, at.rows.end, port.body(middle, at.stage));
      }
      series_.for_rows(at.plane, at.rows.first, at.rows.end,
                       [&](std::int64_t n) { series(static_cast<std::int64_t>(series_.entry(n))); });
      add(hard, middle, at);
      add_work(of_electric, middle, at);
    };
    backend_.for_chunks(sweep.chunks, [&](int c) { sweep.chunk(c, update_all); });
    backend_.for_chunks(sweep.chunks - 1, [&](int c) { sweep.seam(c, update_all); });
    for (int stage = 0; stage < sweep.steps && (sweep.open_below || sweep.open_above); ++stage)
      for (const HalfStep half : {HalfStep::magnetic, HalfStep::electric}) {
        exchange(half);
        update_edges(sweep, half, stage, update_all);
      }
    for (PortTerm* const p : ports) static_cast<PortOn<Stored, Backend>&>(*p).finish_steps(sweep.steps);
  }

 private:
  using Term = SourceTermOn<Stored, Backend>;

  void add(const std::vector<Term*>& terms, double time, const PlaneRows& at) const {
    for (const Term* const term : terms) term->order().for_rows(at.plane, at.rows.first, at.rows.end, term->body(time));
  }
  void add_work(const std::vector<Term*>& terms, double middle, const PlaneRows& at) const {
    for (Term* const term : terms)
      if (term->has_work()) term->order().for_rows(at.plane, at.rows.first, at.rows.end, term->work_body(middle));
  }
  template <class Update>
  void update_edges(const SkewedSweep& sweep, HalfStep half, int stage, const Update& update) const {
    const Range below = sweep.edge_below(half, stage), above = sweep.edge_above(stage);
    const int groups = (sweep.rows + rows_of_an_edge - 1) / rows_of_an_edge;
    const int count = below.end - below.first, planes = count + above.end - above.first;
    backend_.for_chunks(planes * groups, [&](int n) {
      const int plane = n / groups, row = n % groups * rows_of_an_edge;
      update(PlaneRows{half,
                       stage,
                       plane < count ? below.first + plane : above.first + plane - count,
                       {row, std::min(sweep.rows, row + rows_of_an_edge)}});
    });
  }

  static constexpr int rows_of_an_edge = 16;  // that a thread takes together
  const Discretisation<Real>& d_;
  const Backend& backend_;
  PlaneOrder series_;
};

}  // namespace dgtd::fdtd
