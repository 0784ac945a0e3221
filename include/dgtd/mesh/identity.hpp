#pragma once
#include <cstdint>

#include "dgtd/mesh/subdomain.hpp"
#include "dgtd/parallel/communicator.hpp"

namespace dgtd::mesh {

/// A number that differs between meshes with other elements, groups or boundaries, and does not depend on the
/// partition. Collective.
std::uint64_t identity(const Subdomain& mesh, const parallel::Communicator& comm);

}  // namespace dgtd::mesh
