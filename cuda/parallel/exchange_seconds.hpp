#pragma once
#include "cuda_transport.hpp"

namespace dgtd::parallel {

/// Seconds of one exchange of the plan, packing and unpacking included, on the slowest rank: the fastest of a few
/// series on an idle device. Collective.
template <class Real>
double exchange_seconds(CudaTransport<Real>& transport, const HaloPlan& plan, const Communicator& comm,
                        cudaStream_t stream);

}  // namespace dgtd::parallel
