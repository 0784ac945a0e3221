// Variants of a plane's half steps by cuBLAS against the engine's own kernels on the same device and against the CPU.
#include <optional>

#include "dgtd/base/error.hpp"
#include "dgtd/parallel/cuda_device.hpp"
#include "reproductions/plane_problem.hpp"

namespace dgtd::reproductions {
namespace {

class CudaPlane : public testing::TestWithParam<std::optional<Variant>> {
 protected:
  void SetUp() override {
    const auto device = parallel::take_cuda_device(comm_);
    if (!device.found) GTEST_SKIP() << "no CUDA device: " << device.why_not;
  }
  template <class Real>
  void compare(bool lossy, bool native_on_device) {
    const GridProblem problem = plane_problem(145, 130, lossy);
    auto native = problem.make<Real>(comm_, native_on_device), variant = problem.make<Real>(comm_, true);
    if (GetParam()) use_variant(*variant, *GetParam());
    expect_agreement(*native, *variant, 200);
  }
  const parallel::Communicator comm_{MPI_COMM_SELF};
};

TEST_P(CudaPlane, AgreesWithTheEngine) {
  for (const bool lossy : {false, true})
    for (const bool native_on_device : {false, true}) {
      compare<float>(lossy, native_on_device);
      compare<double>(lossy, native_on_device);
    }
}

INSTANTIATE_TEST_SUITE_P(All, CudaPlane, testing::Values(Variant::cublas_vector, Variant::cublas_matrix, std::nullopt));

TEST(CudaPlaneUpdateOf, HasTheMemoryOfItsVariant) {
  const parallel::Communicator comm{MPI_COMM_SELF};
  if (!parallel::take_cuda_device(comm).found) GTEST_SKIP() << "no CUDA device";
  auto solver = plane_problem(8, 8, false).make<float>(comm, true);
  EXPECT_THROW(make_plane_update(Variant::scalar, solver->discretisation(), solver->engine()), Error);
}

}  // namespace
}  // namespace dgtd::reproductions
