#pragma once
// cuBLAS, loaded when the program runs: it is larger than all the rest, and few runs need it.
#include <string>
#include <vector>

#if __has_include(<cublas_v2.h>)
#define DGTD_CUBLAS 1
#include <cublas_v2.h>

namespace dgtd::parallel {

struct CublasLibrary {
  std::string why_not;  // empty where it is loaded
  decltype(&cublasCreate_v2) create = nullptr;
  decltype(&cublasDestroy_v2) destroy = nullptr;
  decltype(&cublasSetStream_v2) set_stream = nullptr;
  decltype(&cublasGetStatusString) status_string = nullptr;
  decltype(&cublasSscal_v2) scale_single = nullptr;
  decltype(&cublasDscal_v2) scale_double = nullptr;
  decltype(&cublasSaxpy_v2) add_single = nullptr;
  decltype(&cublasDaxpy_v2) add_double = nullptr;
  decltype(&cublasSgemm_v2) multiply_single = nullptr;
  decltype(&cublasDgemm_v2) multiply_double = nullptr;
};

/// Names of the library's file in the order of preference, for dlopen.
std::vector<std::string> cublas_names();
/// The first of them that can be loaded.
CublasLibrary load_cublas(const std::vector<std::string>& names);

}  // namespace dgtd::parallel
#else
#define DGTD_CUBLAS 0
#endif
