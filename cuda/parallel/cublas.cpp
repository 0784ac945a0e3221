#include <fmt/format.h>

#include "cublas_library.hpp"
#include "cuda_memory.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/parallel/blas.hpp"
#include "loaded_library.hpp"

namespace dgtd::parallel {

#if DGTD_CUBLAS

// The release that this program was built with, then the one before: what is called is the same in both.
std::vector<std::string> cublas_names() {
  std::vector<std::string> names;
  for (const int release : {CUBLAS_VER_MAJOR, CUBLAS_VER_MAJOR - 1})
    for (const char* folder : {"", "/usr/local/cuda/lib64/"})
      names.push_back(fmt::format("{}libcublas.so.{}", folder, release));
  return names;
}

CublasLibrary load_cublas(const std::vector<std::string>& names) {
  CublasLibrary l;
  LoadedLibrary library("libcublas", names);
  library.find(l.create, "cublasCreate_v2");
  library.find(l.destroy, "cublasDestroy_v2");
  library.find(l.set_stream, "cublasSetStream_v2");
  library.find(l.status_string, "cublasGetStatusString");
  library.find(l.scale_single, "cublasSscal_v2");
  library.find(l.scale_double, "cublasDscal_v2");
  library.find(l.add_single, "cublasSaxpy_v2");
  library.find(l.add_double, "cublasDaxpy_v2");
  library.find(l.multiply_single, "cublasSgemm_v2");
  library.find(l.multiply_double, "cublasDgemm_v2");
  l.why_not = library.why_not();
  return l;
}

namespace {

const CublasLibrary& library() {
  static const CublasLibrary loaded = load_cublas(cublas_names());
  if (!loaded.why_not.empty())
    throw Error(
        ExitCode::device,
        fmt::format("cuBLAS cannot be loaded: {}; name its folder in LD_LIBRARY_PATH, or use solver.method = fdtd2d",
                    loaded.why_not));
  return loaded;
}

void check(cublasStatus_t status, const char* call) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw Error(ExitCode::device, fmt::format("cuBLAS: {} failed: {}", call, library().status_string(status)));
}

// Factors are read on the host, which is cuBLAS's default. So is arithmetic in the arrays' own precision, without TF32.
template <class Real>
class Cublas final : public Blas<Real> {
 public:
  explicit Cublas(cudaStream_t stream) {
    check(library().create(&handle_), "cublasCreate");
    check(library().set_stream(handle_, stream), "cublasSetStream");
  }
  ~Cublas() override {
    if (handle_ != nullptr) (void)library().destroy(handle_);
  }
  Cublas(const Cublas&) = delete;
  Cublas& operator=(const Cublas&) = delete;

  void scale(int n, Real factor, Real* x) override {
    if constexpr (single) check(library().scale_single(handle_, n, &factor, x, 1), "cublasSscal");
    else check(library().scale_double(handle_, n, &factor, x, 1), "cublasDscal");
  }
  void add(int n, Real factor, const Real* x, Real* y) override {
    if constexpr (single) check(library().add_single(handle_, n, &factor, x, 1, y, 1), "cublasSaxpy");
    else check(library().add_double(handle_, n, &factor, x, 1, y, 1), "cublasDaxpy");
  }
  void multiply(int rows, int columns, int inner, Real factor, const Real* a, int stride_a, const Real* b, int stride_b,
                Real keep, Real* c, int stride_c) override {
    constexpr auto as_stored = CUBLAS_OP_N;
    if constexpr (single)
      check(library().multiply_single(handle_, as_stored, as_stored, rows, columns, inner, &factor, a, stride_a, b,
                                      stride_b, &keep, c, stride_c),
            "cublasSgemm");
    else
      check(library().multiply_double(handle_, as_stored, as_stored, rows, columns, inner, &factor, a, stride_a, b,
                                      stride_b, &keep, c, stride_c),
            "cublasDgemm");
  }

 private:
  static constexpr bool single = std::is_same_v<Real, float>;
  cublasHandle_t handle_ = nullptr;
};

}  // namespace

template <class Real>
std::unique_ptr<Blas<Real>> make_cublas(Memory& device_memory) {
  return std::make_unique<Cublas<Real>>(static_cast<CudaMemory&>(device_memory).stream());
}

#else

template <class Real>
std::unique_ptr<Blas<Real>> make_cublas(Memory&) {
  throw Error(ExitCode::device,
              "this program was built without cuBLAS; allowed are solver.method = fdtd2d and fdtd2d-scalar");
}

#endif

template std::unique_ptr<Blas<float>> make_cublas<float>(Memory&);
template std::unique_ptr<Blas<double>> make_cublas<double>(Memory&);

}  // namespace dgtd::parallel
