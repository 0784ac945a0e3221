#include <cmath>

#include "dgtd/fdtd/step_scheme.hpp"

namespace dgtd::fdtd {

template <class Stored>
std::int64_t LeapFrog<Stored>::advance(std::int64_t first, std::int64_t) {
  const double time = static_cast<double>(first) * time_step_, middle = time + 0.5 * time_step_;
  fields_.for_parts([](auto& part) { part.store_boundaries(); });
  update_fields(time);
  fields_.for_parts([&](auto& part) {
    part.add_sources(HalfStep::electric, middle);
    part.apply_ports(middle);
    part.engine->update_series();
    part.update_boundaries();
    part.set_hard_sources(middle);
  });
  for (SourceTerm* term : fields_.real.terms(HalfStep::electric)) term->add_work(middle);
  return 1;
}

template <class Stored>
void LeapFrog<Stored>::update_fields(double time) {
  update(HalfStep::magnetic);
  fields_.for_parts([&](auto& part) { part.add_sources(HalfStep::magnetic, time); });
  update(HalfStep::electric);
}

// H^{n+1/2} is computed as in the step, where sources add to it stored and taken back, else while it is summed; only
// ghosts are written.
template <class Stored>
double LeapFrog<Stored>::energy(std::int64_t step) {
  if (fields_.real.terms(HalfStep::magnetic).empty()) {
    refresh_ghosts(HalfStep::magnetic);
    double energy = 0;
    fields_.for_parts([&](auto& part) { energy += part.engine->energy_ahead(); });
    return energy;
  }
  const double time = static_cast<double>(step) * time_step_;
  fields_.for_parts([](auto& part) { part.engine->store_magnetic(); });
  update(HalfStep::magnetic);
  double energy = 0;
  fields_.for_parts([&](auto& part) {
    part.add_sources(HalfStep::magnetic, time);
    energy += part.engine->energy();
    part.engine->restore_magnetic();
  });
  return energy;
}

template <class Stored>
double LeapFrog<Stored>::source_work() const {
  double work = 0;
  for (const SourceTerm* term : fields_.real.terms(HalfStep::electric)) work += term->work();
  for (const auto& port : fields_.real.ports) work += port->work();
  return work;
}

template <class Stored>
double LeapFrog<Stored>::gross_work() const {
  double work = 0;
  for (const SourceTerm* term : fields_.real.terms(HalfStep::electric)) work += std::abs(term->work());
  for (const auto& port : fields_.real.ports) work += std::abs(port->work());
  return work;
}

template <class Stored>
void LeapFrog<Stored>::refresh_ghosts(HalfStep half) {
  fields_.real.engine->refresh_ghosts(half);
}

template class LeapFrog<Half>;
template class LeapFrog<float>;
template class LeapFrog<double>;

}  // namespace dgtd::fdtd
