#pragma once
// Mass inner products and the conserved energy on the device.
#include "../parallel/cuda_check.hpp"
#include "dgtd/dg/discretisation.hpp"
#include "dgtd/parallel/array.hpp"
#include "dgtd/parallel/reproducible_sum.hpp"
#include "energy_data.hpp"

namespace dgtd::dg {

template <class Real>
class CudaEnergy {
 public:
  /// memory: of the stream; both outlive the object.
  CudaEnergy(const Discretisation<Real>& d, parallel::Memory& memory, cudaStream_t stream);
  double bytes() const;

  /// products[i] = integral over the element in slot i of the blocks [first, first + blocks) of u . v; u, v:
  /// starts of the first block; metric: of all blocks.
  void products(const Real* u, const Real* v, const Real* metric, const CurvedArrays<Real>& curved, std::int64_t first,
                std::int64_t blocks, double* products);
  /// Executor::add_product; waits for it.
  void add_product(bool electric, const Real* u, const Real* v, const Real* metric, const CurvedArrays<Real>& curved,
                   std::int64_t blocks, parallel::ReproducibleSum& sum);
  /// For the kernels of the energy of so many blocks; their sums are those of take_sum(). The blocks between two calls
  /// of it are at most all owned ones.
  EnergyData<Real> data(const Real* electric, const Real* magnetic, const Real* unfiltered,
                        std::int64_t unfiltered_blocks, std::int64_t blocks);
  /// Adds the energy that the poles of a dispersive batch store.
  void add_storage(bool curved, const ElementArrays<Real>& arrays, std::int64_t first, std::int64_t blocks);
  /// J, the sum of what the kernels have computed since the last call, in one fixed order; waits for it.
  double take_sum();

 private:
  const Discretisation<Real>& d_;
  parallel::Memory& memory_;
  cudaStream_t stream_;
  parallel::Array<double> mass_;                         // [Np][Np] over the reference tetrahedron
  parallel::Array<double> permittivity_, permeability_;  // [volume groups] relative
  parallel::Array<std::uint16_t> group_of_slot_;
  // Where some elements are curved (CurvedTables):
  parallel::Array<double> curved_mass_, curved_inverse_, curved_weights_, curved_values_, curved_expansion_;
  CurvedMassTables curved_tables() const;
  double* sums_of(std::int64_t blocks);  // of the thread blocks for so many blocks

  parallel::Array<double> sums_, total_;       // [thread blocks], [1] J
  std::int64_t summed_ = 0;                    // of sums_, since the last take_sum()
  parallel::Array<unsigned long long> limbs_;  // of ReproducibleSum
};

}  // namespace dgtd::dg
