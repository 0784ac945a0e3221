// In place of the methods on grids in builds without them.
#include <fmt/format.h>

#include "app/problems/methods.hpp"
#include "dgtd/base/error.hpp"

namespace dgtd::app {
namespace {

[[noreturn]] Problem refuse(const ProblemRequest& request) {
  throw Error(
      fmt::format("solver.method = {}: this program was built for method dgtd alone; build with -DDGTD_GRID_METHODS=ON "
                  "or scripts/build.sh",
                  request.c.solver.method.name));
}

}  // namespace

Problem make_fdtd(const ProblemRequest& request) { refuse(request); }
Problem make_cublas_vector(const ProblemRequest& request) { refuse(request); }
Problem make_cublas_matrix(const ProblemRequest& request) { refuse(request); }
Problem make_scalar(const ProblemRequest& request) { refuse(request); }
Problem make_hertz(const ProblemRequest& request) { refuse(request); }
Problem make_line(const ProblemRequest& request) { refuse(request); }

}  // namespace dgtd::app
