// Tables of n and k in a case: fitted over its band, written as poles.
#include <fmt/format.h>

#include <cmath>

#include "config/case_fixture.hpp"
#include "dgtd/base/constants.hpp"

namespace dgtd::config {
namespace {

using OpticalTableOfCase = CaseFile;

const std::string with_table =
    "[solver]\nmethod = fdtd3d\n[grid]\ncells = 3 3 3\nspacing = 1e-8\n[time]\nsteps = 2\n[material.metal]\n"
    "table = nk.txt\n[dft]\nwindow = all\nfrequencies = ";

// A Drude metal from 500 to 900 nm; the fit has it at the frequencies of the case, and the resolved case the same
// poles.
TEST_F(OpticalTableOfCase, BecomesPolesOverTheBand) {
  const physics::Medium metal{.permittivity = 4, .poles = {{physics::Pole::Type::drude, 1.3e16, 0, 2e14}}};
  std::string text = "wavelength (nm) n k\n";
  for (int nm = 500; nm <= 900; nm += 20) {
    const auto index = std::sqrt(physics::permittivity(metal, 2 * pi * speed_of_light / (nm * 1e-9)));
    text += fmt::format("{} {} {}\n", nm, index.real(), index.imag());
  }
  write("nk.txt", text);
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
