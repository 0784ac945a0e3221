#pragma once
// Mass inner products and the conserved energy on the device.
#include "../parallel/cuda_memory.hpp"
#include "dgtd/dg/discretisation.hpp"

namespace dgtd::dg {

template <class Real>
class CudaEnergy {
 public:
  CudaEnergy(const Discretisation<Real>& d, cudaStream_t stream);
  double bytes() const;

  /// products[i] = integral over the element in slot i of the blocks [first, first + blocks) of u . v; u, v:
  /// starts of the first block; metric: of all blocks.
  void products(const Real* u, const Real* v, const Real* metric, std::int64_t first, std::int64_t blocks,
                double* products);
  /// Sum over the same slots of 1/2 eps0 (eps_r e + mu_r h), J, added to *sum on the device.
  void add_energy(const Real* electric, const Real* old_magnetic, const Real* new_magnetic, const Real* metric,
                  std::int64_t first, std::int64_t blocks);
  /// What has been added since the last call; waits for it.
  double take_sum();

 private:
  const Discretisation<Real>& d_;
  cudaStream_t stream_;
  parallel::DeviceArray<double> mass_;                         // [Np][Np] over the reference tetrahedron
  parallel::DeviceArray<double> permittivity_, permeability_;  // [volume groups] relative
  parallel::DeviceArray<std::uint16_t> group_of_slot_;
  parallel::DeviceArray<double> terms_;           // [slots of a chunk] J
  parallel::DeviceArray<double> sum_;             // [2] J: all chunks, the present one
  parallel::DeviceArray<unsigned char> scratch_;  // of the reduction
};

}  // namespace dgtd::dg
