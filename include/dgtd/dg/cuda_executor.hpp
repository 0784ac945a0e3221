#pragma once
// The CUDA executor: one GPU per rank. Defined in cuda/dg where nvcc is found.
#include "dgtd/dg/executor.hpp"
#include "dgtd/dg/order_joints.hpp"
#include "dgtd/parallel/transport.hpp"

namespace dgtd::dg {

/// Lanes of the FieldLayout on a GPU: one thread per element.
inline constexpr int cuda_field_lanes = block_lanes;

/// On the current device (parallel::take_cuda_device). d, of cuda_field_lanes, and comm, of its mesh, outlive the
/// executor; transport: of halos.
template <class Real>
std::unique_ptr<Executor<Real>> make_cuda_executor(const Discretisation<Real>& d, KernelFusion fusion,
                                                   parallel::Transport transport, const parallel::Communicator& comm);

/// The same of the parts of a mesh by order, with the joints between them. Collective.
template <class Real>
PartExecutors<Real> make_cuda_part_executors(const OrderParts& parts, const std::vector<const Discretisation<Real>*>& d,
                                             KernelFusion fusion, parallel::Transport transport,
                                             const parallel::Communicator& comm);

/// Bytes that a rank needs on its device: element data, and fields while the time step is computed and those of the run:
/// E, H, four per frequency of Fourier sums, and the integrator's.
template <class Real>
double cuda_bytes_needed(const Discretisation<Real>& d, KernelFusion fusion, double fields_of_run);

}  // namespace dgtd::dg
