#pragma once
// The start of MPI.

namespace dgtd::parallel {

/// MPI_Init_thread for calls of one thread. A program without mpirun starts as a rank by itself, with nothing beside
/// it: see start_mpi.cpp.
void start_mpi(int* argc = nullptr, char*** argv = nullptr);

}  // namespace dgtd::parallel
