#pragma once
#include <string>
#include <vector>

#include "dgtd/config/case.hpp"
#include "dgtd/parallel/communicator.hpp"

namespace dgtd::app {

/// config::read_case for all methods of the case that find_case finds by that name, on every rank. Root reads first, so
/// that an error or a warning comes once. Collective.
config::Case read_case(const std::string& name, const std::vector<std::string>& overrides,
                       const parallel::Communicator& comm);

}  // namespace dgtd::app
