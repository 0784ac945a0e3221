// In place of cuda/parallel/cuda_device.cpp in builds without nvcc.
#include "dgtd/parallel/cuda_device.hpp"

namespace dgtd::parallel {

CudaDevice find_cuda_device(const Communicator&) {
  CudaDevice none;
  none.why_not = "this program was built without CUDA";
  return none;
}

void make_current(const CudaDevice&) {}
CudaDevice take_cuda_device(const Communicator& comm) { return find_cuda_device(comm); }
ContextStart::ContextStart(const CudaDevice&) {}
ContextStart::~ContextStart() = default;

double free_device_bytes(const CudaDevice&) { return 0; }

Transport choose_transport(Transport asked, const Communicator&, std::string&) { return asked; }
Transport measured_transport() { return Transport::mpi_host; }

}  // namespace dgtd::parallel
