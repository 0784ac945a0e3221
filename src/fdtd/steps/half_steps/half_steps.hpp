#pragma once
// Yee's scheme half step by half step, each with its exchange behind the interior.
#include "dgtd/fdtd/step_scheme.hpp"

namespace dgtd::fdtd {

/// The edge of the block is sent while the tiles inside are updated; those next to another rank follow.
template <class Stored>
class HalfSteps : public LeapFrog<Stored> {
 public:
  using LeapFrog<Stored>::LeapFrog;

 protected:
  void update(HalfStep half) override {
    Engine<Stored>& engine = *this->fields_.real.engine;
    engine.start_exchange(half);
    engine.update_interior(half);
    engine.finish_exchange(half);
    engine.update_next_to_halo(half);
  }
};

}  // namespace dgtd::fdtd
