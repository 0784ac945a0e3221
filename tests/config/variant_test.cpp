// solver.variant, and what it asks of the rest of the case.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "case_fixture.hpp"

namespace dgtd::config {
namespace {

class VariantKey : public CaseFile {
 protected:
  /// What is appended begins on line 11.
  static std::string plane(const char* variant) {
    return fmt::format(
        "[solver]\nmethod = fdtd2d\nvariant = {}\n[grid]\ncells = 20 10\nspacing = 0.02 0.01\n[time]\nsteps = "
        "1\n[boundary.*]\ntype = pec\n",
        variant);
  }
};

TEST_F(VariantKey, EachHasItsBackend) {
  EXPECT_EQ(read(plane("native")).solver.backend, Backend::automatic);
  EXPECT_EQ(read(plane("scalar")).solver.backend, Backend::cpu);
  EXPECT_EQ(read(plane("cublas-vector")).solver.backend, Backend::cuda);
  EXPECT_EQ(read(plane("cublas-matrix")).solver.backend, Backend::cuda);
  EXPECT_EQ(message(plane("scalar"), {"solver.backend=cuda"}),
            "head.cfg:3: solver.variant = scalar: requires solver.backend = cpu, and it is cuda");
  EXPECT_EQ(message(plane("cublas-vector"), {"solver.backend=cpu"}),
            "head.cfg:3: solver.variant = cublas-vector: requires solver.backend = cuda, and it is cpu");
}

TEST_F(VariantKey, ResolvedCasesReadBack) {
  for (const char* variant : {"native", "cublas-vector", "cublas-matrix", "scalar"}) {
    const Case c = read(plane(variant));
    EXPECT_EQ(read(resolved_text(c)).solver, c.solver);
  }
}

TEST_F(VariantKey, TheOthersTakeUniformPlanesBetweenWalls) {
  const auto refused = [&](const std::string& more, const std::vector<std::string>& overrides = {}) {
    EXPECT_EQ(message(plane("native") + more, overrides), "no error");
    return message(plane("scalar") + more, overrides);
  };
  EXPECT_EQ(refused("[source.s]\ntype = dipole\nposition = 0 0\ndirection = 1 0 0\nfrequency = 1e9\n"),
            "head.cfg:3: solver.variant = scalar: requires polarisation ez, and this case has hz");
  EXPECT_EQ(refused("", {"solver.polarisation=both"}),
            "head.cfg:3: solver.variant = scalar: requires polarisation ez, and this case has both");
  EXPECT_EQ(refused("[boundary.xmax]\ntype = cpml\n"),
            "head.cfg:3: solver.variant = scalar: requires sides of type pec, and xmax is cpml");
  EXPECT_EQ(refused("[material.glass]\neps_r = 2\n[shape.rod]\ntype = cylinder\nmaterial = glass\nradius = 0.01\n"),
            "head.cfg:3: solver.variant = scalar: requires a uniform medium, and [shape.rod] is at head.cfg:13");
  EXPECT_EQ(refused("[material.water]\npoles = debye 70 1e-11\n", {"grid.background=water"}),
            "head.cfg:3: solver.variant = scalar: requires a medium without poles, and [material.water] at head.cfg:11 "
            "has some");
  EXPECT_EQ(refused("", {"grid.spacings_y=9*0.01 0.02"}),
            "head.cfg:3: solver.variant = scalar: requires even spacing, and that along y varies");
}

TEST_F(VariantKey, OtherMethodsHaveTheirOwnKernelsOnly) {
  EXPECT_EQ(message("[solver]\nmethod = fdtd1d\nvariant = scalar\n"),
            "head.cfg:3: solver.variant = scalar: is of method fdtd2d; fdtd1d has its own kernels only");
  EXPECT_EQ(message("[solver]\nmethod = fdtd3d\nvariant = native\n"),
            "head.cfg:3: solver.variant = native: is of method fdtd2d; fdtd3d has its own kernels only");
  EXPECT_EQ(message("[solver]\nvariant = scalar\n"),
            "head.cfg:2: solver.variant = scalar: is of method fdtd2d; dgtd has its own kernels only");
  EXPECT_EQ(message(plane("matrix")),
            "head.cfg:3: solver.variant = matrix: must be native, cublas-vector, cublas-matrix or scalar");
}

}  // namespace
}  // namespace dgtd::config
