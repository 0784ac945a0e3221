// A dielectric slab in WR-90 by ports across the guide, one text for both methods, against the exact S-parameters and
// over refinement.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <fstream>

#include "app/program.hpp"
#include "support/exact_slab.hpp"

namespace {

using Complex = std::complex<double>;
constexpr double light = 299792458, wide = 22.86e-3, high = 10.16e-3;  // m/s; m, of WR-90
constexpr double permittivity = 2.25, depth = wide / 3;                // of the slab; m

// The slab, two ports at twice its depth from its middle with its faces as reference planes, and a pulse for which the
// slab's own resonance below the guide's cut-off, which never leaves, has less than 1e-5 of the field.
std::string slab_and_ports() {
  std::string text = fmt::format(
      "[material.glass]\neps_r = {}\n[shape.slab]\ntype = box\nmaterial = glass\nsize = 1 1 {}\n[boundary.*]\ntype = "
      "pec\n",
      permittivity, depth);
  for (const auto& [name, way] : {std::pair{"left", 1}, std::pair{"right", -1}})
    text += fmt::format(
        "[port.{}]\ntype = waveguide\nmode = te 1 0\ncentre = 0 0 {}\nsize = {} {} 0\ndirection = 0 0 {}\nshift = {}\n"
        "excite = 1\nfrequency = 10.3 GHz\nbandwidth = 2 GHz\n",
        name, -2 * depth * way, wide, high, way, 1.5 * depth);
  return text + "[sparameters]\nexcite = all\nfrequency_range = 8.2 GHz 12.4 GHz 22\n[output]\nfields = none\n";
}

// So many cubes over the width, two cells over the height, along which fields do not vary; as many cells of an
// absorbing layer as over the width, and half as many between it and a port.
std::string on_a_grid(int cells) {
  const double cell = wide / cells;
  const int half = 2 * cells + (cells + 5) / 6;
  return fmt::format(
      "[solver]\nmethod = fdtd3d\nprecision = double\n[grid]\nspacing = {0} {1} {0}\ncells = {2} 2 {3}\n"
      "origin = {4} {5} {6}\npml = {2}\n[boundary.zmin]\ntype = cpml\n[boundary.zmax]\ntype = cpml\n"
      "[time]\nend = decayed\ndecay = -70\n",
      cell, high / 2, cells, 2 * half, -wide / 2, -high / 2, -half * cell);
}

std::string on_tetrahedra(double per_wavelength) {
  return fmt::format(
      "[solver]\nmethod = dgtd\norder = 2\n[domain]\nsize = {} {} {}\n[mesh]\ngenerator = shapes\nper_wavelength = {}\n"
      "[boundary.zmin]\ntype = passive\nthickness = 30 mm\n[boundary.zmax]\ntype = passive\nthickness = 30 mm\n"
      "[time]\nend = 3 ns\n",
      wide, high, 6 * depth, per_wavelength);
}

exact_waves::SlabWaves exact_slab(double frequency) {
  const auto beta = [&](double eps) {
    return std::sqrt(eps * std::pow(2 * M_PI * frequency / light, 2) - std::pow(M_PI / wide, 2));
  };
  return exact_waves::slab(beta(1), beta(permittivity), depth);
}

// The largest differences over the band and both sides.
struct SlabErrors {
  double s = 0, reciprocity = 0, power = 0;
};

SlabErrors errors_of_slab(const std::string& name, const std::string& method) {
  const fs::path at = work("guide_slab_" + name);
  std::ofstream(at / "slab.cfg") << method << slab_and_ports() << "directory = out\n";
  const auto run = dgtd((at / "slab.cfg").string());
  EXPECT_EQ(run.code, 0) << run.output;
  SlabErrors errors;
  const auto rows = table(at / "out" / "sparameters.csv").rows;
  EXPECT_EQ(rows.size(), 22u);
  for (const auto& r : rows) {
    const Complex s11(r[1], r[2]), s21(r[5], r[6]), s12(r[9], r[10]), s22(r[13], r[14]);
    const exact_waves::SlabWaves exact = exact_slab(r[0]);
    for (const double e :
         {std::abs(s11 - exact.reflected), std::abs(s22 - exact.reflected), std::abs(s21 - exact.transmitted)})
      errors.s = std::max(errors.s, e);
    errors.reciprocity = std::max(errors.reciprocity, std::abs(s21 - s12));
    errors.power = std::max(
        {errors.power, std::abs(std::norm(s11) + std::norm(s21) - 1), std::abs(std::norm(s22) + std::norm(s12) - 1)});
  }
  return errors;
}

// The line is of second order: from 18 to 36 cells the error falls to a quarter, and from there to 54 cells by
// (36 / 54)^2, below 0.005.
TEST(GuideSlab, IsExactToSecondOrderOnAGrid) {
  const SlabErrors coarse = errors_of_slab("grid_18", on_a_grid(18)), fine = errors_of_slab("grid_36", on_a_grid(36)),
                   finest = errors_of_slab("grid_54", on_a_grid(54));
  EXPECT_NEAR(coarse.s / fine.s, 4, 0.4) << coarse.s;
  EXPECT_NEAR(fine.s / finest.s, 2.25, 0.2) << fine.s;
  EXPECT_LT(finest.s, 0.005);
  for (const SlabErrors& e : {coarse, fine, finest}) {
    EXPECT_LT(e.reciprocity, 1e-6);
    EXPECT_LT(e.power, 2e-3);
  }
}

// Twice as small elements leave 1/16 of the error of second-order polynomials, h^(2p) in what a port measures.
// Irregular meshes are not exactly twice as fine.
TEST(GuideSlab, IsExactToFourthOrderOnTetrahedra) {
  const SlabErrors coarse = errors_of_slab("mesh_2", on_tetrahedra(2)),
                   fine = errors_of_slab("mesh_4", on_tetrahedra(4));
  EXPECT_GT(coarse.s / fine.s, 6) << coarse.s << " " << fine.s;
  EXPECT_LT(fine.s, 0.002);
  EXPECT_LT(fine.reciprocity, 2e-3);
  EXPECT_LT(fine.power, 2e-3);
}

}  // namespace
