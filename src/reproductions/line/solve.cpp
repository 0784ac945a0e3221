#include "dgtd/reproductions/line/solve.hpp"

#include <ctime>

#include "dgtd/base/timer.hpp"
#include "subdomain_steps.hpp"

namespace dgtd::reproductions {

template <class Real>
LineResult<Real> solve_line(const LineProblem<Real>& problem) {
  const auto& subdomains = problem.subdomains;
  const int count = static_cast<int>(subdomains.size());
  LineResult<Real> result;
  result.probes.assign(problem.probes.size(), silent_record<Real>(problem.steps));
  std::vector<LineRecord<Real>> up(static_cast<std::size_t>(count - 1), silent_record<Real>(problem.steps)),
      down = up;  // of the interface above subdomain p

  const Timer timer;
  const std::clock_t started = std::clock();
  for (const Sweep& sweep : sweeps_of(count, problem.reflections))
    for (int k = 0; k < sweep.count; ++k) {
      const int p = sweep.upward ? sweep.first + k : sweep.first + sweep.count - 1 - k;
      const Subdomain<Real>& subdomain = subdomains[p];
      SubdomainWaves<Real> waves;
      if (subdomain.has_lower) waves.from_below = &up[p - 1], waves.downward = &down[p - 1];
      if (subdomain.has_upper) waves.from_above = &down[p], waves.upward = &up[p];
      std::vector<ProbeRecord<Real>> probes;
      for (std::size_t t = 0; t < problem.probes.size(); ++t) {
        const int cell = problem.probes[t] - subdomain.offset;
        if (cell >= subdomain.begin && cell < subdomain.end) probes.push_back({cell, &result.probes[t]});
      }
      SubdomainSteps<Real> run(subdomain, waves, probes);
      result.cell_steps += run.run(problem) * subdomain.line.cells();
      ++result.solutions;

      const auto first = static_cast<std::size_t>(subdomain.offset + subdomain.begin),
                 last = first + static_cast<std::size_t>(subdomain.end - subdomain.begin);
      if (result.electric.size() < last) result.electric.resize(last), result.magnetic.resize(last);
      for (int i = subdomain.begin; i < subdomain.end; ++i) {
        result.electric[static_cast<std::size_t>(subdomain.offset + i)] = run.electric(i);
        result.magnetic[static_cast<std::size_t>(subdomain.offset + i)] = run.magnetic(i);
      }
    }
  result.solve_s = timer.seconds();
  result.cpu_s = double(std::clock() - started) / CLOCKS_PER_SEC;
  return result;
}

template LineResult<float> solve_line(const LineProblem<float>&);
template LineResult<double> solve_line(const LineProblem<double>&);

}  // namespace dgtd::reproductions
