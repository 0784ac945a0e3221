// Variants of a plane's half steps against the engine's own kernels: eq. (2) of Golovashkin, Malysheva 2010. The BLAS
// is plain loops here; cuda_plane_test.cpp has cuBLAS in its place.
#include "reproductions/plane_problem.hpp"

#include "dgtd/base/error.hpp"
#include "support/error_message.hpp"

namespace dgtd::reproductions {
namespace {

template <class Real>
class HostBlas final : public parallel::Blas<Real> {
 public:
  void scale(int n, Real factor, Real* x) override {
    for (int i = 0; i < n; ++i) x[i] *= factor;
  }
  void add(int n, Real factor, const Real* x, Real* y) override {
    for (int i = 0; i < n; ++i) y[i] += factor * x[i];
  }
  void multiply(int rows, int columns, int inner, Real factor, const Real* a, int stride_a, const Real* b, int stride_b,
                Real scale, Real* c, int stride_c) override {
    ASSERT_GE(stride_a, rows);
    ASSERT_GE(stride_b, inner);
    ASSERT_GE(stride_c, rows);
    for (int m = 0; m < columns; ++m)
      for (int l = 0; l < rows; ++l) {
        Real sum = 0;
        for (int k = 0; k < inner; ++k) sum += a[std::int64_t(k) * stride_a + l] * b[std::int64_t(m) * stride_b + k];
        Real& to = c[std::int64_t(m) * stride_c + l];
        to = factor * sum + scale * to;
      }
  }
};

enum class Way { scalar, vector, matrix };

template <class Real>
std::unique_ptr<PlaneUpdate<Real>> make_way(Way way, fdtd::FdtdSolver<Real>& solver) {
  const auto& d = solver.discretisation();
  auto blas = std::make_unique<HostBlas<Real>>();
  if (way == Way::scalar) return make_plane_scalar(d, solver.engine());
  return way == Way::vector ? make_plane_vector<Real>(d, solver.engine(), std::move(blas))
                            : make_plane_matrix<Real>(d, solver.engine(), std::move(blas));
}

class PlaneVariants : public testing::TestWithParam<Way> {
 protected:
  template <class Real>
  void compare(int nx, int ny, bool lossy) {
    const GridProblem problem = plane_problem(nx, ny, lossy);
    auto native = problem.make<Real>(comm_), variant = problem.make<Real>(comm_);
    const double bytes = variant->memory_bytes();
    use_plane_update(*variant, make_way(GetParam(), *variant));
    EXPECT_EQ(variant->memory_bytes() - bytes,
              GetParam() == Way::matrix ? sizeof(Real) * double((ny - 1) * (ny - 1) + ny * ny) : 0);
    expect_agreement(*native, *variant, 200);
  }
  const parallel::Communicator comm_{MPI_COMM_SELF};
};

TEST_P(PlaneVariants, AgreeWithTheEngine) {
  for (const bool lossy : {false, true}) {
    compare<float>(45, 30, lossy);
    compare<double>(45, 30, lossy);
  }
  compare<double>(32, 17, false);  // rows whose upper wall is the next row's padding
}

INSTANTIATE_TEST_SUITE_P(All, PlaneVariants, testing::Values(Way::scalar, Way::vector, Way::matrix));

TEST(PlaneUpdateOf, HasTheMemoryOfItsVariant) {
  const parallel::Communicator comm{MPI_COMM_SELF};
  auto solver = plane_problem(8, 8, false).make<float>(comm);
  const auto& d = solver->discretisation();
  EXPECT_NE(make_plane_update(Variant::scalar, d, solver->engine()), nullptr);
  EXPECT_EQ(message([&] { make_plane_update(Variant::cublas_vector, d, solver->engine()); }),
            "half steps by cublas-vector require backend cuda");
}

}  // namespace
}  // namespace dgtd::reproductions
