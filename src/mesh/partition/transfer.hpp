#pragma once
// A subdomain from one rank to another.
#include "dgtd/mesh/subdomain.hpp"
#include "dgtd/parallel/communicator.hpp"

namespace dgtd::mesh {

void send_subdomain(const Subdomain& subdomain, int to, const parallel::Communicator& comm);
Subdomain receive_subdomain(int from, const parallel::Communicator& comm);

}  // namespace dgtd::mesh
