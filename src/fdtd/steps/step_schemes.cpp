#include <fmt/format.h>

#include <algorithm>

#include "dgtd/fdtd/step_scheme.hpp"
#include "dgtd/parallel/together.hpp"
#include "fdtd/discretisation/bloch.hpp"
#include "fdtd/steps/half_steps/half_steps.hpp"

namespace dgtd::fdtd {

namespace {

/// Real and imaginary part, coupled where ghosts beyond the grid's ends are multiplied by the Bloch phase.
template <class Stored>
class BlochHalfSteps final : public LeapFrog<Stored> {
 public:
  BlochHalfSteps(const grid::Setup& setup, const Discretisation<arithmetic_t<Stored>>& d, YeeFields<Stored>& fields)
      : LeapFrog<Stored>(fields, d.time_step) {
    for (const HalfStep half : {HalfStep::electric, HalfStep::magnetic})
      phases_[half == HalfStep::magnetic] =
          fields.real.engine->make_bloch_phase(half, bloch_phases(setup, d, half), *fields.imaginary->engine);
  }
  void refresh_ghosts(HalfStep half) override {
    this->fields_.for_parts([&](auto& part) { part.engine->refresh_ghosts(half); });
    phases_[half == HalfStep::magnetic]->apply();
  }

 protected:
  void update(HalfStep half) override {
    refresh_ghosts(half);
    this->fields_.for_parts([&](auto& part) {
      part.engine->update_interior(half);
      part.engine->update_next_to_halo(half);
    });
  }

 private:
  std::array<std::unique_ptr<BlochPhase>, 2> phases_;  // of the half steps of E and of H
};

// Reason against several steps per pass over memory; empty: none.
template <class Real>
std::string why_no_sweeps(const grid::Setup& setup, const Discretisation<Real>& d) {
  using Kind = physics::BoundaryKind;
  for (int side = 0; side < 6; ++side) {
    const Kind kind = setup.sides[side];
    if (kind == Kind::mur || kind == Kind::periodic)
      return fmt::format("the side {}{} is of type {}", "xyz"[side / 2], side % 2 == 0 ? "min" : "max",
                         kind == Kind::mur ? "mur" : "periodic");
  }
  for (int a = 0; a < 2; ++a)
    if (d.block.lower[a] >= 0 || d.block.upper[a] >= 0) return fmt::format("ranks are side by side along {}", "xy"[a]);
  return "";
}

}  // namespace

template <class Stored>
std::unique_ptr<StepScheme<Stored>> make_step_scheme(const grid::Setup& setup,
                                                     const Discretisation<arithmetic_t<Stored>>& d,
                                                     YeeFields<Stored>& fields) {
  if (fields.imaginary) return std::make_unique<BlochHalfSteps<Stored>>(setup, d, fields);
  if (d.axes == 3) {
    auto made = fields.real.engine->make_scheme({.fields = fields, .why_single = why_no_sweeps(setup, d)});
    if (made.scheme) return std::move(made.scheme);
  }
  return std::make_unique<HalfSteps<Stored>>(fields, d.time_step);
}

template <class Stored>
std::unique_ptr<StepScheme<Stored>> make_plane_passes(const grid::Setup& setup,
                                                      const Discretisation<arithmetic_t<Stored>>& d,
                                                      YeeFields<Stored>& fields, PlaneFields components) {
  const auto hinders = [](const TileBatch& b) { return b.dispersive || b.next_to_halo; };
  for (const auto* half : {&d.electric, &d.magnetic})
    if (std::any_of(half->batches.begin(), half->batches.end(), hinders)) return nullptr;
  using Kind = physics::BoundaryKind;
  for (int side = 0; side < 2 * setup.axes; ++side)
    if (const Kind kind = setup.sides[side]; kind != Kind::pec && kind != Kind::pmc && kind != Kind::cpml)
      return nullptr;
  if (setup.axes == 3 || fields.imaginary || !d.series.index.empty()) return nullptr;
  return fields.real.engine
      ->make_scheme({.kind = SchemeRequest<Stored>::Kind::plane_passes, .fields = fields, .components = components})
      .scheme;
}

template <class Stored>
std::unique_ptr<StepScheme<Stored>> make_volume_passes(const Discretisation<arithmetic_t<Stored>>& d,
                                                       YeeFields<Stored>& fields, double bytes_to_leave, bool measured,
                                                       const parallel::Communicator& comm, Timers& timers,
                                                       std::string& why_not) {
  const std::vector<SourceTerm*> sources = fields.real.terms();
  if (fields.imaginary) why_not = "sides of type bloch";
  else if (!fields.real.boundaries.empty()) why_not = "sides of type mur";
  else if (std::any_of(sources.begin(), sources.end(), [](const SourceTerm* source) { return source->replaces(); }))
    why_not = "hard sources";
  else if (is_compressed<Stored> && !fields.real.ports.empty()) why_not = "ports in half precision";
  why_not = parallel::first_text(comm, why_not);
  if (!why_not.empty()) return nullptr;
  const std::int64_t cells = d.global_cells[0] * d.global_cells[1] * d.global_cells[2] / comm.size();
  constexpr std::int64_t many = 1 << 23;  // of which a pass is always faster
  using Kind = typename SchemeRequest<Stored>::Kind;
  auto made = fields.real.engine->make_scheme({.kind = Kind::volume_passes,
                                               .fields = fields,
                                               .bytes_to_leave = bytes_to_leave,
                                               .measured = measured && cells < many,
                                               .comm = &comm,
                                               .timers = &timers});
  why_not = made.why_not;
  return std::move(made.scheme);
}

#define DGTD_INSTANTIATE(Stored)                                                                                    \
  template std::unique_ptr<StepScheme<Stored>> make_volume_passes(                                                  \
      const Discretisation<arithmetic_t<Stored>>&, YeeFields<Stored>&, double, bool, const parallel::Communicator&, \
      Timers&, std::string&);                                                                                       \
  template std::unique_ptr<StepScheme<Stored>> make_step_scheme(                                                    \
      const grid::Setup&, const Discretisation<arithmetic_t<Stored>>&, YeeFields<Stored>&);                         \
  template std::unique_ptr<StepScheme<Stored>> make_plane_passes(                                                   \
      const grid::Setup&, const Discretisation<arithmetic_t<Stored>>&, YeeFields<Stored>&, PlaneFields);
DGTD_INSTANTIATE(Half)
DGTD_INSTANTIATE(float)
DGTD_INSTANTIATE(double)
#undef DGTD_INSTANTIATE

}  // namespace dgtd::fdtd
