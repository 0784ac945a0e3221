// Keys that one method has and the other refuses.
#include "config/case_fixture.hpp"

namespace dgtd::config {
namespace {

using MethodErrors = CaseFile;

TEST_F(MethodErrors, SectionsOfFdtd3d) {
  EXPECT_EQ(message(minimal + "[grid]\n"), "head.cfg:5: section [grid]: is of method fdtd3d; dgtd takes [mesh]");
  EXPECT_EQ(message(minimal + "[shape.rod]\ntype = sphere\nmaterial = a\nradius = 1\n[material.a]\n"),
            "head.cfg:5: section [shape.rod]: belongs to mesh.generator = shapes, and other meshes have volume groups in "
            "place of shapes");
  EXPECT_EQ(message("[solver]\nmethod = hpf2d\n[monitor.near]\n"),
            "head.cfg:3: section [monitor.near]: is of the other methods; hpf2d has [dft]");
  EXPECT_EQ(message(minimal + "[monitor.near]\n"),
            "head.cfg:5: [monitor.near]: monitor.near.type is required (box | plane)");
  EXPECT_EQ(message("[solver]\nmethod = hpf2d\n[snapshot.s]\n"),
            "head.cfg:3: section [snapshot.s]: is of the other methods; hpf2d has output.every");
  EXPECT_EQ(message(structured + "[snapshot.s]\ntimes = 1\nspacing = 1\n"),
            "head.cfg:10: snapshot.s.spacing = 1: is of method dgtd; fdtd3d has the cells of its grid");
  EXPECT_EQ(message(minimal + "[refine.r]\nsize = 1 1 1\nspacing = 1\n"),
            "head.cfg:5: section [refine.r]: belongs to mesh.generator = shapes");
  EXPECT_EQ(message(minimal, {"grid.pml=0"}),
            "--set grid.pml=0: section [grid]: is of method fdtd3d; dgtd takes [mesh]");
}

TEST_F(MethodErrors, KeysAndValuesOfFdtd3d) {
  EXPECT_EQ(message("[solver]\nmethod = dgtd\n[material.a]\nsigma_m = 0\n"),
            "head.cfg:4: material.a.sigma_m = 0: method dgtd has no magnetic loss, fdtd3d has");
  for (const std::string line : {"box_min = 0 0 0", "box_max = 1 1 1"})
    EXPECT_EQ(message("[solver]\nmethod = hpf2d\n[source.w]\n" + line + "\n"),
              "head.cfg:4: source.w." + line + ": method hpf2d has no total-field box, the other methods have");
  EXPECT_EQ(message("[boundary.a]\ntype = mur\n"),
            "head.cfg:2: boundary.a.type = mur: is of method fdtd3d; dgtd has silver-muller, passive, cpml, pec, pmc, "
            "periodic and bloch");
}

TEST_F(MethodErrors, SourcesOfFdtd3d) {
  EXPECT_EQ(message("[source.s]\ntype = hard\n"),
            "head.cfg:2: source.s.type = hard: is of method fdtd3d; dgtd has dipole, plane-wave, sheet and gaussian-beam");
  EXPECT_EQ(message("[source.s]\ntype = sheet\nprofile = a.npy\nprofile_points = grid\n"),
            "head.cfg:4: source.s.profile_points = grid: is of method fdtd3d; dgtd has even");
  EXPECT_EQ(message(minimal + "[material.a]\nconductor = none\n"),
            "head.cfg:6: material.a.conductor = none: method dgtd has no perfectly conducting volumes in meshes from "
            "elsewhere; give their surface type = pec");
}

TEST_F(MethodErrors, SectionsOfDgtd) {
  EXPECT_EQ(message(structured + "[mesh]\n"), "head.cfg:8: section [mesh]: is of method dgtd; fdtd3d takes [grid]");
  EXPECT_EQ(message(structured + "[sar]\n"), "no error");
  EXPECT_EQ(message(structured + "[material.*]\n"),
            "head.cfg:8: section [material.*]: is of method dgtd; fdtd3d takes grid.background");
  EXPECT_EQ(message(minimal + "[material.*]\n[material.a]\n[sar]\n"), "no error");
}

TEST_F(MethodErrors, KeysAndValuesOfDgtd) {
  EXPECT_EQ(message(structured, {"solver.order=2"}), "--set solver.order=2: is of method dgtd; fdtd3d has no order");
  for (const std::string line : {"local_steps=off", "levels=3"})
    EXPECT_EQ(message(structured, {"time." + line}),
              "--set time." + line + ": is of method dgtd; fdtd3d has one time step");
  EXPECT_EQ(
      message(structured + "[boundary.xmin]\ntype = silver-muller\n"),
      "head.cfg:9: boundary.xmin.type = silver-muller: is of method dgtd; fdtd3d has cpml, adiabatic, mur, pec, pmc, "
      "periodic and bloch");
}

TEST_F(MethodErrors, AnOverrideOfTheMethodCounts) {
  EXPECT_EQ(message(structured, {"solver.method=dgtd"}),
            "head.cfg:5: section [grid]: is of method fdtd3d; dgtd takes [mesh]");
  EXPECT_EQ(message(minimal, {"solver.method=fdtd3d"}),
            "head.cfg:1: section [mesh]: is of method dgtd; fdtd3d takes [grid]");
  EXPECT_EQ(message(minimal + "[grid]\n", {"solver.method=fem"}),
            "--set solver.method=fem: must be dgtd, fdtd3d, fdtd2d, fdtd1d, hpf2d, fdtd2d-cublas-vector, "
            "fdtd2d-cublas-matrix, fdtd2d-scalar or fdtd1d-subdomains");
}

}  // namespace
}  // namespace dgtd::config
