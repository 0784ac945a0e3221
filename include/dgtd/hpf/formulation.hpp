#pragma once
// Which equations of the Hertzian potentials are solved.

namespace dgtd::hpf {

/// Which nodes a node depends on: its neighbours in the plane, or along y only.
enum class Stencil { laplacian, line };
/// Which Hertzian vector, along z.
enum class Potential { electric, magnetic };

}  // namespace dgtd::hpf
