#pragma once
// Work of the elements of a run, by which their mesh is divided among ranks.
#include <vector>

#include "dgtd/dg/time_levels.hpp"
#include "dgtd/mesh/curved_elements.hpp"
#include "dgtd/mesh/element_work.hpp"
#include "dgtd/mesh/subdomain.hpp"
#include "dgtd/parallel/communicator.hpp"

namespace dgtd::dg {

/// Time of a half step of an element with its metric at each point, in tenths of that of a straight one of its order.
int tenths_of_curved_element(int order);

/// By levels where there are some, else by orders where they differ, times the cost of elements with their metric at
/// each point (curved = full, outside of layers) where the mesh has some. Without any of these: no stages. order:
/// [elements]. Collective.
mesh::ElementWork partition_work(const mesh::Subdomain& mesh, const TimeLevels& levels, const std::vector<int>& order,
                                 mesh::CurvedElements curved, const parallel::Communicator& comm);

}  // namespace dgtd::dg
