// cuBLAS is found or said to be absent. No device is needed for that.
#include <gtest/gtest.h>

#include "parallel/cublas_library.hpp"

#if DGTD_CUBLAS

namespace dgtd::parallel {
namespace {

TEST(CublasLibrary, SaysWhatIsAbsent) {
  const auto l = load_cublas({"libno_such_blas.so.1", "libno_such_blas.so.2"});
  EXPECT_EQ(l.create, nullptr);
  EXPECT_NE(l.why_not.find("libno_such_blas.so.1: cannot open shared object file"), std::string::npos) << l.why_not;
}

TEST(CublasLibrary, SaysWhatIsNoBlas) {
  const auto l = load_cublas({"libc.so.6"});
  EXPECT_NE(l.why_not.find("libcublas lacks cublas"), std::string::npos) << l.why_not;
}

TEST(CublasLibrary, HasAllThatIsCalledWhereItIs) {
  const auto l = load_cublas(cublas_names());
  if (l.create == nullptr) GTEST_SKIP() << l.why_not;
  EXPECT_EQ(l.why_not, "");
}

}  // namespace
}  // namespace dgtd::parallel

#endif
