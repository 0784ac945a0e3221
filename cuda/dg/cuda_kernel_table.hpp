#pragma once
// The CUDA kernels of a solver, chosen once by order and precision.
#include <cuda_runtime.h>

#include "dgtd/dg/stage_kernels.hpp"
#include "energy_data.hpp"
#include "halo_messages.hpp"
#include "joint_launch.hpp"
#include "level_sequence.hpp"

namespace dgtd::dg {

/// Launches a stage of the half step of the blocks [first, first + blocks) of a batch.
template <class Real>
using LaunchBlocks = void (*)(const ElementArrays<Real>&, const Real* source, Real* target, std::int64_t first,
                              std::int64_t blocks, cudaStream_t);

/// Launches the half step of several batches at once.
template <class Real>
using LaunchJoint = void (*)(const JointBatches<Real>&, const Real* source, Real* target, cudaStream_t);

/// The same with the exchange of the traces of the source, whose ghost slots are written; sends: not only receives.
template <class Real>
using LaunchJointExchange = void (*)(const JointBatches<Real>&, const HaloTraces&, bool sends, Real* source,
                                     Real* target, cudaStream_t);

/// Launches a half step inside a level of local time steps, of the blocks list[0] to list[blocks - 1].
template <class Real>
using LaunchLevel = void (*)(const ElementArrays<Real>&, const LevelBlock* list, const Real* source,
                             const LevelFields<Real>&, std::int64_t blocks, cudaStream_t);

/// The same with the exchange of the traces of the source, whose ghost slots are written.
struct ListedBlocks {
  const LevelBlock *interior, *halo;
  std::uint32_t interior_blocks, halo_blocks;
};
template <class Real>
using LaunchLevelExchange = void (*)(const ElementArrays<Real>&, const ListedBlocks&, const HaloTraces&, Real* source,
                                     const LevelFields<Real>&, cudaStream_t);

/// Launches a sequence on that many thread blocks, the most of its steps, all of them resident at once.
template <class Real>
using LaunchSequence = void (*)(const LevelSequence<Real>&, unsigned thread_blocks, cudaStream_t);

/// Launches the sum of the energies of the blocks list[0] to list[blocks - 1]; arrays: of the half step of H.
template <class Real>
using LaunchEnergy = void (*)(const ElementArrays<Real>&, const LevelBlock* list, const EnergyData<Real>&,
                              std::int64_t blocks, cudaStream_t);
/// The same of the blocks [first, first + blocks) of a batch with faces that may absorb.
template <class Real>
using LaunchBoundaryEnergy = void (*)(const ElementArrays<Real>&, const EnergyData<Real>&, std::int64_t first,
                                      std::int64_t blocks, cudaStream_t);

template <class Real>
struct CudaKernelTable {
  StageKernels<LaunchBlocks<Real>> stages;
  LaunchJoint<Real> joint;  // null where batches of their own are faster
  LaunchJointExchange<Real> joint_exchange;
  std::array<LaunchLevel<Real>, 2> level;  // of straight and of curved elements, null where no kernels are of the order
  LaunchLevelExchange<Real> level_exchange;
  LaunchSequence<Real> sequence;
  std::array<LaunchEnergy<Real>, 2> energy;  // as `level`
  std::array<LaunchBoundaryEnergy<Real>, 2> boundary_energy;
  const void* sequence_kernel;  // the kernels themselves, for their attributes
  const void* fused_lossless;
  int threads;                            // per thread block
  int fused_threads, fused_shared_bytes;  // of fused_lossless
};

/// order 1 to 6.
template <class Real>
const CudaKernelTable<Real>& cuda_kernel_table(int order);

/// Defined in one file per (p, Real), written by CMake, so that they compile in parallel.
template <int p, class Real>
CudaKernelTable<Real> make_cuda_kernel_table();

}  // namespace dgtd::dg
