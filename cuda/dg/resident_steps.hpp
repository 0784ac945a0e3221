#pragma once
// Whole steps in one launch where the fields of each rank fit into the shared memory of its device
// (resident_kernel.hpp).
#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "../parallel/cuda_backend.hpp"
#include "dgtd/dg/executor.hpp"
#include "resident_clusters.hpp"
#include "resident_launch.hpp"
#include "resident_neighbours.hpp"

namespace dgtd::dg {

/// Element data, messages and currents of the kernel, on the current device.
class ResidentSteps {
 public:
  /// Null where the device or the order of a rank does not permit it. currents: of all later steps; steps: about as
  /// many follow. Collective: several ranks exchange messages by mapped memory of their devices. Throws Error.
  static std::unique_ptr<ResidentSteps> make(const Discretisation<float>& d, const parallel::CudaBackend& backend,
                                             parallel::Memory& memory, const std::vector<StepCurrent>& currents,
                                             std::int64_t steps);

  /// Advances the fields by so many steps, at most most_resident_steps; numbers: Executor::take_steps.
  void take(int steps, float* electric, float* magnetic, const std::vector<StepCurrent>& currents,
            const std::vector<double>& numbers);
  bool has(const std::vector<StepCurrent>& currents) const;
  double bytes() const { return storage_.bytes(); }

 private:
  struct Shape {
    int update_warps, message_warps;
    std::size_t shared_bytes;
  };
  static std::optional<Shape> shape_of(const ResidentClusters& c, const ResidentKernel& kernel, int order, int shared_limit);
  ResidentSteps(const Discretisation<float>& d, const parallel::CudaBackend& backend, parallel::Memory& memory,
                const ResidentClusters& c, const ResidentKernel& kernel, const Shape& shape,
                const std::vector<StepCurrent>& currents);
  void add_currents(const Discretisation<float>& d, const ResidentClusters& c, const std::vector<StepCurrent>& currents);
  void launch(int steps, float* electric, float* magnetic);

  const parallel::CudaBackend& backend_;
  parallel::Storage storage_;
  const void* kernel_;
  Shape shape_;
  int clusters_;
  parallel::Array<std::int32_t> first_block_, surface_blocks_, first_ghost_block_, ghosts_, boundary_block_;
  parallel::Array<std::uint32_t> slot_, code_, own_, partner_;
  parallel::Array<float> metric_, Ca_, Cb_[2], mirror_[2], admittance_[2];  // of E, of H
  parallel::Array<uint4> message_[2];                                       // on one rank
  std::unique_ptr<ResidentNeighbours> neighbours_;                          // on several
  unsigned number_ = 1;  // of the next exchange; those of messages of before are smaller

  std::vector<const void*> currents_of_;  // voltage of each current, by which it is known
  int blocks_with_currents_ = 0;
  parallel::Array<std::int32_t> current_block_;
  parallel::Array<std::uint32_t> current_first_, current_offset_;
  parallel::Array<double> increment_, weight_, numbers_, partial_;
};

}  // namespace dgtd::dg
