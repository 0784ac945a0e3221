#pragma once
// How halos are exchanged between devices.

namespace dgtd::parallel {

enum class Transport { automatic, mpi_host, mpi_cuda, nccl };

}  // namespace dgtd::parallel
