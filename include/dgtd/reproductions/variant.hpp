#pragma once

namespace dgtd::reproductions {

/// What computes the half steps of a plane grid: the engine's kernels, or what Golovashkin and Malysheva 2010 compare
/// (plane_variant.hpp).
enum class Variant { native, cublas_vector, cublas_matrix, scalar };

}  // namespace dgtd::reproductions
