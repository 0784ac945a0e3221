#include "cuda_line.hpp"

namespace dgtd::reproductions {

template <>
LineResult<double> solve_line_on_cuda(const LineProblem<double>& problem) {
  CudaTiles backend;
  return LineOnTiles<double, CudaTiles>(problem, backend).solve();
}

}  // namespace dgtd::reproductions
