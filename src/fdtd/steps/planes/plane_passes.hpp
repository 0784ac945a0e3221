#pragma once
// The scheme of passes of several steps over a plane grid (plane_pass.hpp), on a backend.
#include "fdtd/steps/half_steps/grid_on.hpp"
#include "fdtd/steps/planes/plane_pass.hpp"

namespace dgtd::fdtd {

template <class Stored, class Backend>
class PlanePasses final : public StepScheme<Stored> {
 public:
  PlanePasses(GridOn<Stored, Backend>& grid, PlaneFields components, const std::vector<SourceList>& sources)
      : grid_(grid), pass_(grid.d, components, sources, *grid.backend) {}

  std::int64_t advance(std::int64_t first, std::int64_t most) override {
    const int steps = most >= most_steps_a_pass ? most_steps_a_pass : 1;
    pass_.run(first, steps, grid_.electric, grid_.magnetic);
    return steps;
  }
  // By a pass of one step that is taken back.
  double energy(std::int64_t step) override {
    pass_.keep_work();
    pass_.run(step, 1, grid_.electric, grid_.magnetic);
    const double energy =
        grid_.energy_of(pass_.old_electric(), pass_.old_magnetic(), StoredMagnetic<Stored>{grid_.magnetic.read()});
    pass_.take_back(grid_.electric, grid_.magnetic);
    return energy;
  }
  double source_work() const override { return pass_.work(); }
  double gross_work() const override { return pass_.gross_work(); }
  void refresh_ghosts(HalfStep) override {}  // there are none: one rank, no periodic axis
  double memory_bytes() const override { return pass_.bytes(); }
  bool has_own_sums() const override { return true; }
  void add_persistent(std::vector<solver::PersistentArray>& list) override { pass_.add_persistent("", list); }

 private:
  GridOn<Stored, Backend>& grid_;
  PlanePass<Stored, Backend> pass_;
};

template <class Stored, class Backend>
SchemeOr<Stored> make_plane_passes_on([[maybe_unused]] GridOn<Stored, Backend>& grid,
                                      [[maybe_unused]] const SchemeRequest<Stored>& request) {
  if constexpr (is_compressed<Stored>) return {nullptr, "half precision"};
  else {
    std::vector<SourceList> lists;
    for (const SourceTerm* term : request.fields.real.terms()) lists.push_back(term->list());
    return {std::make_unique<PlanePasses<Stored, Backend>>(grid, request.components, lists), ""};
  }
}

}  // namespace dgtd::fdtd
