#pragma once
// Small translations from a case that all methods share.
#include <algorithm>
#include <string>

#include "dgtd/config/case.hpp"
#include "dgtd/observers/field_writer.hpp"

namespace dgtd::app {

/// Whether output.fields lists a name.
inline bool has_field(const config::Case& c, const char* field) {
  return std::find(c.output.fields.begin(), c.output.fields.end(), field) != c.output.fields.end();
}

inline observers::FieldSelection field_selection(const config::Case& c) {
  return {c.output.directory, has_field(c, "E"), has_field(c, "H")};
}

/// solver.kernels as summary.json has it.
inline const char* kernels_name(const config::Case& c) {
  return c.solver.kernels == config::Kernels::split      ? "split"
         : c.solver.kernels == config::Kernels::diagonal ? "diagonal"
                                                         : "fused";
}

}  // namespace dgtd::app
