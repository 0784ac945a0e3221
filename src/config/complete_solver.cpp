// Requirements of the method on the rest of the case, and defaults of [solver] that depend on other keys.
#include <fmt/format.h>

#include "checks.hpp"
#include "complete.hpp"
#include "dgtd/base/error.hpp"
#include "names.hpp"

namespace dgtd::config {

std::string_view name_of(Precision p) { return text_of(precision_names, p); }
std::string_view name_of(Boundary::Type type) { return text_of(boundary_names, type); }

void complete_solver(Case& c, const IniTable& table) {
  const solver::Method& method = c.solver.method;
  if (method.check)
    if (const std::string why = method.check(c); !why.empty()) {
      if (const Entry* given = table.find("solver", "method")) reject(*given, why);
      throw Error(fmt::format("solver.method = {}: {}", method.name, why));
    }
  if (c.solver.upwind > 0) c.time.local_steps = LocalSteps::off;
  // Single precision repeats a wave no better than this over many wavelengths.
  if (method.has.subdomains && !table.find("solver", "steady_tolerance"))
    c.solver.steady_tolerance = c.solver.precision == Precision::single_precision ? 1e-4 : 1e-5;
}

}  // namespace dgtd::config
