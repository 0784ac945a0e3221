#include "cuda_line.hpp"

namespace dgtd::reproductions {

template <>
LineResult<float> solve_line_on_cuda(const LineProblem<float>& problem) {
  CudaTiles backend;
  return LineOnTiles<float, CudaTiles>(problem, backend).solve();
}

}  // namespace dgtd::reproductions
