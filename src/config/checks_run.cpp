// Checks of the keys of keys_run.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "checks.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/config/formula.hpp"

namespace dgtd::config::check {

// Currents of poles are sums of many small changes, which half precision would lose.
void precision(Solver& s, const Case& c, const Given& given) {
  if (s.precision != Precision::half_precision) return;
  for (const Material& m : c.materials)
    if (!m.poles.empty() || m.debye_poles || !m.library.empty() || !m.table.empty())
      reject(given.entry, fmt::format("requires media without poles, and [material.{}] at {} has some; allowed are "
                                      "single and double",
                                      m.name, m.origin));
}

void kernels(Solver& s, const Case&, const Given& given) {
  if (s.kernels == KernelFusion::diagonal && s.stencil != Stencil::line)
    reject(given.entry, "requires solver.stencil = line");
}

// Limits of hpf/steps_at_once.cpp.
void block_timesteps(Solver& s, const Case&, const Given& given) {
  if (s.kernels == KernelFusion::diagonal && s.block_timesteps > 32)
    reject(given.entry, "must be at most 32 where kernels = diagonal");
  if (s.stencil != Stencil::line && s.block_timesteps > 16)
    reject(given.entry, "must be at most 16 where stencil = laplacian");
}

void upwind(Solver& s, const Case& c, const Given& given) {
  if (s.upwind > 0 && c.time.local_steps == LocalSteps::on)
    reject(given.entry, "requires time.local_steps = off or auto, which then is off");
}

void reflections(Solver& s, const Case&, const Given& given) {
  if (s.reflections > 0 && s.subdomains == 1) reject(given.entry, "one subdomain has no re-reflections; allowed is 0");
}

void window(Solver&, const Case& c, const Given& given) {
  if (!c.time.frequency) reject(given.entry, "requires time.frequency");
}

// The half steps of a level have fused kernels only. `auto` is then the same as `off`.
void local_steps(Time& time, const Case& c, const Given& given) {
  if (time.local_steps == LocalSteps::on && c.solver.kernels == KernelFusion::split)
    reject(given.entry, "requires solver.kernels = fused");
}

void dft_frequencies(Dft& dft, const Case& c, const Given& given) {
  check_one_of_frequencies(given);
  for (auto f = dft.frequencies.begin(); f != dft.frequencies.end(); ++f)
    if (std::find(dft.frequencies.begin(), f, *f) != f) reject(given.entry, fmt::format("{} Hz is given twice", *f));
  if (dft.window == Dft::Window::all) return;
  if (!c.time.frequency) reject(given.entry, "dft.window = last-period requires time.frequency");
  for (const double frequency : dft.frequencies) {
    const double ratio = frequency / *c.time.frequency, harmonic = std::round(ratio);
    if (harmonic < 1 || std::abs(ratio - harmonic) > 1e-9 * harmonic)
      reject(given.entry,
             fmt::format("dft.window = last-period requires multiples of time.frequency = {} Hz", *c.time.frequency));
  }
}

void masses(Sar& sar, const Case&, const Given& given) {
  for (std::size_t i = 0; i < sar.masses.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (sar.masses[i] == sar.masses[j]) reject(given.entry, "each mass once");
}

void initial_type(Initial& initial, const Case&, const Given& given) {
  const auto empty = [](const std::string& formula) { return formula.empty(); };
  if (initial.type == Initial::Type::formula && std::all_of(initial.electric.begin(), initial.electric.end(), empty) &&
      std::all_of(initial.magnetic.begin(), initial.magnetic.end(), empty))
    reject(given.entry, "needs one of Ex, Ey, Ez, Hx, Hy and Hz");
}

void mode(Initial& initial, const Case& c, const Given& given) {
  // Two zero indices leave no field that fulfils the walls' conditions.
  if (std::count(initial.mode.begin(), initial.mode.end(), 0) > 1)
    reject(given.entry, "at most one of the three may be zero");
  if (c.solver.method.has.dimensions == 2 && initial.mode[2] != 0)
    reject(given.entry, fmt::format("must have 0 half waves along z, which {} does not have", c.solver.method.name));
}

void formula(Initial&, const Case&, const Given& given) {
  try {
    Formula formula(given.entry.value);
  } catch (const Error& error) { reject(given.entry, error.what()); }
}

}  // namespace dgtd::config::check
