#include "dgtd/app/methods.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>

namespace dgtd::app {
namespace {

struct Entry {
  std::string_view name;  // in case files
  Problem (*make)(const ProblemRequest&);
};

constexpr Entry registry[] = {
    {"dgtd", make_dg}, {"fdtd3d", make_fdtd}, {"fdtd2d", make_fdtd}, {"fdtd1d", make_fdtd}, {"hpf2d", make_hertz}};

}  // namespace

Problem (*factory_of(const config::Case& c))(const ProblemRequest&) {
  if (c.solver.subdomains) return make_line;
  const auto found = std::find_if(std::begin(registry), std::end(registry),
                                  [&](const Entry& entry) { return entry.name == config::name_of(c.solver.method); });
  assert(found != std::end(registry));
  return found->make;
}

}  // namespace dgtd::app
