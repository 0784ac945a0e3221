#pragma once
// Several steps of Yee's scheme in one pass over memory, where the engine has such passes.
#include <fmt/format.h>

#include "dgtd/fdtd/step_scheme.hpp"

namespace dgtd::fdtd {

/// SingleSteps: the scheme of single steps.
template <class Stored, class SingleSteps>
class SkewedSteps final : public SingleSteps {
 public:
  SkewedSteps(YeeFields<Stored>& fields, double time_step, int most_steps)
      : SingleSteps(fields, time_step, ""), most_steps_(most_steps) {}
  std::string description() const override {
    return fmt::format("up to {} time steps per pass over memory", most_steps_);
  }

  // Where `most` is no multiple, sweeps are of about equal length.
  std::int64_t advance(std::int64_t first, std::int64_t most) override {
    const std::int64_t sweeps = (most + most_steps_ - 1) / most_steps_;
    const auto steps = static_cast<int>((most + sweeps - 1) / sweeps);
    if (steps == 1) return SingleSteps::advance(first, most);
    FieldPart<Stored>& part = this->fields_.real;
    part.engine->sweep(part.step_terms(), first, steps);
    return steps;
  }

 private:
  int most_steps_;
};

}  // namespace dgtd::fdtd
