#pragma once
// Mass inner products and the conserved energy on the device.
#include "../parallel/cuda_check.hpp"
#include "dgtd/dg/discretisation.hpp"
#include "dgtd/parallel/array.hpp"
#include "dgtd/parallel/reproducible_sum.hpp"

namespace dgtd::dg {

template <class Real>
class CudaEnergy {
 public:
  /// memory: of the stream; both outlive the object.
  CudaEnergy(const Discretisation<Real>& d, parallel::Memory& memory, cudaStream_t stream);
  double bytes() const;

  /// products[i] = integral over the element in slot i of the blocks [first, first + blocks) of u . v; u, v:
  /// starts of the first block; metric: of all blocks.
  void products(const Real* u, const Real* v, const Real* metric, std::int64_t first, std::int64_t blocks,
                double* products);
  /// Executor::add_product; waits for it.
  void add_product(bool electric, const Real* u, const Real* v, const Real* metric, std::int64_t blocks,
                   parallel::ReproducibleSum& sum);
  /// Adds the sum over the same slots of 1/2 eps0 (eps_r e + mu_r h), J.
  void add_energy(const Real* electric, const Real* old_magnetic, const Real* new_magnetic, const Real* metric,
                  std::int64_t first, std::int64_t blocks);
  /// The sum of what was added since the last call; waits for it.
  double take_sum();

 private:
  const Discretisation<Real>& d_;
  parallel::Memory& memory_;
  cudaStream_t stream_;
  parallel::Array<double> mass_;                         // [Np][Np] over the reference tetrahedron
  parallel::Array<double> permittivity_, permeability_;  // [volume groups] relative
  parallel::Array<std::uint16_t> group_of_slot_;
  parallel::Array<double> terms_;              // [slots of a chunk] J
  parallel::Array<double> sum_;                // [2] J: all chunks, the present one
  parallel::Array<unsigned char> scratch_;     // of the reduction
  parallel::Array<unsigned long long> limbs_;  // of ReproducibleSum
};

}  // namespace dgtd::dg
