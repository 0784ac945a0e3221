#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "dgtd/config/case.hpp"
#include "dgtd/parallel/communicator.hpp"

namespace dgtd::app {

/// config::read_case for all methods, on every rank. Root reads first, so that an error or a warning comes once.
/// Collective.
config::Case read_case(const std::filesystem::path& file, const std::vector<std::string>& overrides,
                       const parallel::Communicator& comm);

}  // namespace dgtd::app
