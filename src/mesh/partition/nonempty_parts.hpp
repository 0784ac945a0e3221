#pragma once
// Partitions in which every rank has elements.
#include <cstdint>
#include <string>
#include <vector>

#include "mesh/partition/partition.hpp"

namespace dgtd::mesh {

/// Throws Error where there are fewer elements than parts, or more parts than a PartNumber can count. source: for
/// messages.
void require_enough(std::int64_t elements, int parts, const std::string& source);

/// part: of each element, [positions]. A part without elements gets one of the largest part. log: whether this rank warns
/// of that.
Partition without_empty_parts(std::vector<PartNumber>&& part, int parts, const std::string& source, bool log = true);

}  // namespace dgtd::mesh
