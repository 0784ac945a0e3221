// Tables of n and k in a case: fitted over its band, written as poles.
#include <fmt/format.h>

#include <cmath>

#include "config/case_fixture.hpp"
#include "dgtd/base/constants.hpp"
#include "dgtd/physics/optical_material.hpp"

namespace dgtd::config {
namespace {

using OpticalTableOfCase = CaseFile;

const std::string with_table =
    "[solver]\nmethod = fdtd3d\n[grid]\ncells = 3 3 3\nspacing = 1e-8\n[time]\nsteps = 2\n[material.metal]\n"
    "table = nk.txt\n[dft]\nwindow = all\nfrequencies = ";

const physics::Medium drude_metal{.permittivity = 4, .poles = {{physics::Pole::Type::drude, 1.3e16, 0, 2e14}}};

std::string table_of(const physics::Medium& medium) {
  std::string text = "wavelength (nm) n k\n";
  for (int nm = 500; nm <= 900; nm += 20) {
    const auto index = std::sqrt(physics::permittivity(medium, 2 * pi * speed_of_light / (nm * 1e-9)));
    text += fmt::format("{} {} {}\n", nm, index.real(), index.imag());
  }
  return text;
}

// A Drude metal from 500 to 900 nm; the fit has it at the frequencies of the case, and the resolved case the same
// poles.
TEST_F(OpticalTableOfCase, BecomesPolesOverTheBand) {
  const physics::Medium& metal = drude_metal;
  write("nk.txt", table_of(metal));
  const Case c = read(with_table + "4e14 5e14\n");
  ASSERT_EQ(c.table_fits.size(), 1u);
  EXPECT_EQ(c.table_fits[0].material, "metal");
  EXPECT_EQ(c.table_fits[0].points.size(), 10u);  // of 600 to 749 nm, with a row on each side: 580 to 760
  for (const double f : {4e14, 4.5e14, 5e14}) {
    const auto eps = physics::permittivity(c.materials[0], 2 * pi * f),
               exact = physics::permittivity(metal, 2 * pi * f);
    EXPECT_LT(std::abs(eps - exact), 3e-3 * std::abs(exact)) << f;
  }
  write("again.cfg", resolved_text(c));
  const Case again = read_case("again.cfg", {}, app::methods());
  EXPECT_EQ(again.materials[0].poles, c.materials[0].poles);
  EXPECT_EQ(again.materials[0].permittivity, c.materials[0].permittivity);
}

// A band of its own, wider than that of sources and monitors; the resolved case has the poles alone.
TEST_F(OpticalTableOfCase, IsFittedOverItsBand) {
  write("nk.txt", table_of(drude_metal));
  std::string text = with_table + "4e14 5e14\n";
  text.insert(text.find("table = nk.txt"), "fit_band = 3.5e14 6e14\n");
  const Case wide = read(text), usual = read(with_table + "4e14 5e14\n");
  EXPECT_GT(wide.table_fits[0].points.size(), usual.table_fits[0].points.size());
  EXPECT_LE(wide.table_fits[0].band.lowest, 3.5e14 * (1 + 1e-9));
  EXPECT_FALSE(wide.materials[0].fit_band);
}

// The same text has the same media on tetrahedra and on a grid: those of the library, and what a table gives.
TEST_F(OpticalTableOfCase, TetrahedraAndGridsHaveTheSameMedia) {
  write("nk.txt", "wavelength_nm n k\n500 1.5 0\n600 1.49 0\n700 1.485 0\n");
  const auto of = [](const std::string& method) {
    return read("[solver]\nmethod = " + method +
                "\n[domain]\nmargin = 1e-7\n[material.silver]\nlibrary = Ag Rakic\n[material.glass]\ntable = nk.txt\n"
                "[shape.ball]\ntype = sphere\nmaterial = silver\nradius = 4e-8\n[time]\nsteps = 3\nfrequency = 5e14\n");
  };
  const Case tetrahedra = of("dgtd"), cells = of("fdtd3d");
  for (const std::size_t m : {std::size_t{0}, std::size_t{1}}) {
    EXPECT_EQ(static_cast<const physics::Medium&>(tetrahedra.materials[m]), cells.materials[m]);
    EXPECT_FALSE(cells.materials[m].poles.empty()) << m;
  }
  EXPECT_EQ(cells.materials[0].poles, physics::optical_material("Ag Rakic").medium.poles);
}

// Measured metals of the library become poles over the band, and beyond their wavelengths there is a line.
TEST_F(OpticalTableOfCase, MeasuredMetalsAreFitted) {
  std::string text = with_table;
  text.replace(text.find("table = nk.txt"), 14, "library = Au Johnson");
  const Case c = read(text + "4e14 5e14\n");
  ASSERT_EQ(c.table_fits.size(), 1u);
  EXPECT_EQ(c.table_fits[0].file, "Au Johnson");
  EXPECT_LT(c.table_fits[0].largest_error, 0.02);
  // 617 nm, a row of the paper
  const auto eps = physics::permittivity(c.materials[0], 2 * pi * speed_of_light / 616.8e-9);
  EXPECT_LT(std::abs(std::sqrt(eps) - std::complex<double>(0.21, 3.272)), 0.02 * 3.279);
  EXPECT_EQ(resolved_text(c).find("library"), std::string::npos);
  EXPECT_EQ(message(text + "1e13\n"),
            "head.cfg:9: material.metal.library = Au Johnson: has wavelengths from 187.9 nm to 1.937 um, and the case "
            "uses 29.98 um to 29.98 um");
}

TEST_F(OpticalTableOfCase, MistakesHaveOneLine) {
  EXPECT_EQ(message(with_table + "4e14\n"),
            "head.cfg:9: material.metal.table = nk.txt: " + (directory() / "nk.txt").string() + ": cannot be read");
  write("nk.txt", "5e-7 1 2\n6e-7 1 2\n7e-7 1 2\n");
  EXPECT_EQ(message(with_table + "1e14\n"),
            "head.cfg:9: material.metal.table = nk.txt: " + (directory() / "nk.txt").string() +
                ": has wavelengths from 500 nm to 700 nm, and the case uses 2.998 um to 2.998 um");
  EXPECT_EQ(message(with_table + "5e14\n", {"material.metal.eps_r=2"}),
            "head.cfg:9: material.metal.table = nk.txt: only one of table and eps_r may be given, and "
            "material.metal.eps_r is at --set material.metal.eps_r=2");
}

}  // namespace
}  // namespace dgtd::config
