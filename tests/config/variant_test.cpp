// Methods that compute the half steps of a plane by other means, and what they require of the case.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "case_fixture.hpp"

namespace dgtd::config {
namespace {

class UniformPlanes : public CaseFile {
 protected:
  /// Case of a plane; appended text begins on line 10.
  static std::string plane(const char* method) {
    return fmt::format(
        "[solver]\nmethod = {}\n[grid]\ncells = 20 10\nspacing = 0.02 0.01\n[time]\nsteps = "
        "1\n[boundary.*]\ntype = pec\n",
        method);
  }
};

TEST_F(UniformPlanes, EachHasItsBackend) {
  EXPECT_EQ(message(plane("fdtd2d-scalar"), {"solver.backend=cpu"}), "no error");
  EXPECT_EQ(message(plane("fdtd2d-cublas-vector"), {"solver.backend=cuda"}), "no error");
  EXPECT_EQ(message(plane("fdtd2d-scalar"), {"solver.backend=cuda"}),
            "--set solver.backend=cuda: is of method fdtd2d; fdtd2d-scalar has auto and cpu");
  EXPECT_EQ(message(plane("fdtd2d-cublas-matrix"), {"solver.backend=cpu"}),
            "--set solver.backend=cpu: is of method fdtd2d; fdtd2d-cublas-matrix has auto and cuda");
}

TEST_F(UniformPlanes, ResolvedCasesReadBack) {
  for (const char* method : {"fdtd2d", "fdtd2d-cublas-vector", "fdtd2d-cublas-matrix", "fdtd2d-scalar"}) {
    const Case c = read(plane(method));
    EXPECT_EQ(c.solver.method.name, method);
    EXPECT_EQ(read(resolved_text(c)).solver, c.solver);
  }
}

TEST_F(UniformPlanes, HaveOneMediumBetweenWalls) {
  const auto refused = [&](const std::string& more, const std::vector<std::string>& overrides = {}) {
    EXPECT_EQ(message(plane("fdtd2d") + more, overrides), "no error");
    return message(plane("fdtd2d-scalar") + more, overrides);
  };
  const std::string begin = "head.cfg:2: solver.method = fdtd2d-scalar: requires ";
  EXPECT_EQ(refused("[source.s]\ntype = dipole\nposition = 0 0\ndirection = 1 0 0\nfrequency = 1e9\n"),
            begin + "polarisation ez, and this case has hz");
  EXPECT_EQ(refused("", {"solver.polarisation=both"}), begin + "polarisation ez, and this case has both");
  EXPECT_EQ(refused("[boundary.xmax]\ntype = cpml\n"), begin + "sides of type pec, and xmax is cpml");
  EXPECT_EQ(refused("[material.glass]\neps_r = 2\n[shape.rod]\ntype = cylinder\nmaterial = glass\nradius = 0.01\n"),
            begin + "a uniform medium, and [shape.rod] is at head.cfg:12");
  EXPECT_EQ(refused("[permittivity.p]\nfile = p.npy\n"),
            begin + "a uniform medium, and [permittivity.p] is at head.cfg:10");
  EXPECT_EQ(refused("", {"grid.spacings_y=9*0.01 0.02"}), begin + "even spacing, and that along y varies");
  EXPECT_EQ(refused("[material.water]\npoles = debye 70 1e-11\n", {"grid.background=water"}),
            "head.cfg:11: material.water.poles = debye 70 1e-11: method fdtd2d-scalar has no dispersive materials, "
            "fdtd2d has");
  EXPECT_EQ(refused("[refine.r]\nsize = 0.1 0.1\nspacing = 0.005\n"),
            "head.cfg:10: section [refine.r]: is of method fdtd2d; fdtd2d-scalar has equal cells");
}

// Keys that neither a variant nor its base has are those of other methods.
TEST_F(UniformPlanes, AreNamedWhereTheirBaseIsNot) {
  EXPECT_EQ(message(plane("fdtd2d-scalar"), {"solver.order=2"}),
            "--set solver.order=2: is of method dgtd; fdtd2d-scalar has no order");
  EXPECT_EQ(message(plane("fdtd2d-scalar") + "[source.b]\ntype = gaussian-beam\n"),
            "head.cfg:11: source.b.type = gaussian-beam: is of methods dgtd and fdtd3d; fdtd2d-scalar has dipole, plane-wave, "
            "sheet and hard");
  EXPECT_EQ(message(plane("fdtd2d"), {"solver.reflections=1"}),
            "--set solver.reflections=1: is of method fdtd1d-subdomains; fdtd2d has none");
}

}  // namespace
}  // namespace dgtd::config
