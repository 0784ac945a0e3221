#pragma once
// The CUDA executor: one GPU a rank. Defined in cuda/dg where nvcc is found.
#include "dgtd/parallel/transport.hpp"
#include "dgtd/dg/executor.hpp"

namespace dgtd::dg {

/// What the CUDA executor wants of a Discretisation: a thread an element (FieldLayout).
inline constexpr int cuda_field_lanes = block_lanes;

/// On the current device (parallel::take_cuda_device). d, of cuda_field_lanes, outlives the executor;
/// transport: how halos travel.
template <class Real>
std::unique_ptr<Executor<Real>> make_cuda_executor(const Discretisation<Real>& d, Schedule schedule,
                                                   parallel::Transport transport);

/// What a rank will need on its device: element data, and fields while the time step is sought and with
/// phasors at some frequencies, bytes.
template <class Real>
double cuda_bytes_needed(const Discretisation<Real>& d, Schedule schedule, std::size_t frequencies);

}  // namespace dgtd::dg
