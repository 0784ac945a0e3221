#include "dgtd/observers/exact_error.hpp"

#include <cmath>

#include "dgtd/io/results.hpp"

namespace dgtd::observers {

void ExactError::finish(io::Results& results) {
  const solver::Clock clock = stepper_.clock();
  const auto squared =
      fields_.squared_errors(exact_.electric(clock.electric_time()), exact_.magnetic(clock.magnetic_time()));
  const auto sums = comm_.sum(std::vector<double>(squared.begin(), squared.end()));
  results.summary.error = io::FieldError{std::sqrt(sums[0] / sums[1]), std::sqrt(sums[2] / sums[3])};
}

}  // namespace dgtd::observers
