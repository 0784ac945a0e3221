#pragma once
// Equations of the Hertzian potentials that are solved.

namespace dgtd::hpf {

/// Nodes on which a node depends: its neighbours in the plane, or along y only.
enum class Stencil { laplacian, line };
/// Hertzian vector, along z.
enum class Potential { electric, magnetic };

}  // namespace dgtd::hpf
