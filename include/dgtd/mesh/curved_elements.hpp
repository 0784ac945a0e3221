#pragma once

namespace dgtd::mesh {

/// Treatment of the curved edges of second-order tetrahedra: elements have their metric at each point, the mean of
/// it, or straight edges.
enum class CurvedElements { full, mean, off };

}  // namespace dgtd::mesh
