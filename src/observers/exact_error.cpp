#include "dgtd/observers/exact_error.hpp"

#include <fmt/format.h>

#include <cmath>

#include "dgtd/io/results.hpp"

namespace dgtd::observers {

void ExactError::finish(io::Results& results) {
  const solver::Clock clock = stepper_.clock();
  const auto squared =
      fields_.squared_errors(exact_.electric(clock.electric_time()), exact_.magnetic(clock.magnetic_time()));
  const auto sums = comm_.sum(std::vector<double>(squared.begin(), squared.end()));
  const double electric = std::sqrt(sums[0] / sums[1]), magnetic = std::sqrt(sums[2] / sums[3]);
  results.summary.keys["error"] = io::Value::Object{{"l2_E", electric}, {"l2_H", magnetic}};
  results.summary.sections.push_back(
      {io::Chapter::accuracy,
       "Error against the exact solution",
       {io::Entries{{{"E, relative L\u2082", io::number(electric)}, {"H, relative L\u2082", io::number(magnetic)}}}},
       fmt::format("error against the exact solution: L2 E {:.4g}, L2 H {:.4g}", electric, magnetic)});
}

}  // namespace dgtd::observers
