// Method hpf2d: its own keys, and what it lacks of the other methods on grids.
#include <gtest/gtest.h>

#include "case_fixture.hpp"

namespace dgtd::config {
namespace {

class Potentials : public CaseFile {
 protected:
  inline static const std::string plane =
      "[solver]\nmethod = hpf2d\n[grid]\ncells = 20 10\nspacing = 0.02 0.01\n[time]\nsteps = 1\nfrequency = 1e9\n";
};

TEST_F(Potentials, HaveDefaults) {
  const Case c = read(plane);
  EXPECT_EQ(c.solver.stencil, Stencil::laplacian);
  EXPECT_EQ(c.solver.potential, Potential::electric);
  EXPECT_EQ(c.grid.cells, (std::array<std::int64_t, 3>{20, 10, 1}));
  EXPECT_EQ(side_types(c)[0], Boundary::Type::mur);
}

TEST_F(Potentials, ResolvedCasesReadBack) {
  const Case c = read(
      plane + "[material.glass]\neps_r = 2\nsigma = 0.1\n[shape.a]\ntype = cylinder\nmaterial = glass\nradius = 0.02\n",
      {"solver.stencil=line", "solver.potential=magnetic", "solver.kernels=diagonal", "solver.block_timesteps=18",
       "solver.block_size=64"});
  EXPECT_EQ(c.solver.block_timesteps, 18);
  const Case again = read(resolved_text(c));
  EXPECT_EQ(again.solver, c.solver);
  EXPECT_EQ(again.grid, c.grid);
  EXPECT_EQ(again.materials[0].conductivity, 0.1);
  EXPECT_EQ(again.shapes[0].radius, 0.02);
}

TEST_F(Potentials, Errors) {
  EXPECT_EQ(message(plane, {"solver.stencil=star"}), "--set solver.stencil=star: must be laplacian or line");
  EXPECT_EQ(message(plane, {"solver.kernels=diagonal"}),
            "--set solver.kernels=diagonal: requires solver.stencil = line");
  EXPECT_EQ(message(plane, {"solver.block_timesteps=17"}),
            "--set solver.block_timesteps=17: must be at most 16 where stencil = laplacian");
  EXPECT_EQ(message(plane, {"solver.stencil=line", "solver.kernels=diagonal", "solver.block_timesteps=33"}),
            "--set solver.block_timesteps=33: must be at most 32 where kernels = diagonal");
  EXPECT_EQ(message(plane + "[flux.f]\ntype = box\n"),
            "head.cfg:9: section [flux.f]: is of the other methods; hpf2d has none");
  EXPECT_EQ(message(plane + "[boundary.xmin]\ntype = cpml\n"),
            "head.cfg:10: boundary.xmin.type = cpml: is of the other methods; hpf2d has mur, pec, pmc and periodic");
  EXPECT_EQ(message("[solver]\nmethod = fdtd2d\nstencil = line\n"),
            "head.cfg:3: solver.stencil = line: is of method hpf2d; fdtd2d has none");
  EXPECT_EQ(message("[solver]\nmethod = dgtd\nkernels = diagonal\n"),
            "head.cfg:3: solver.kernels = diagonal: is of method hpf2d; dgtd has fused and split");
}

}  // namespace
}  // namespace dgtd::config
