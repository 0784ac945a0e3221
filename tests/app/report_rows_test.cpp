// Materials as results.
#include "app/run/report_rows.hpp"

#include <gtest/gtest.h>

#include <variant>

#include "dgtd/base/constants.hpp"

namespace dgtd::app {
namespace {

// A Debye pole: eps = eps_inf + delta / (1 + x^2) + i (delta x / (1 + x^2) + sigma / (w eps0)), x = w tau.
TEST(Materials, WithPolesHaveACurveOverTheBand) {
  config::Case c;
  config::Material plain, debye;
  plain.name = "plain", debye.name = "debye";
  debye.permittivity = 2, debye.conductivity = 0.1;
  physics::Pole pole;
  pole.type = physics::Pole::Type::debye, pole.strength = 3, pole.relaxation_time = 1e-10;
  debye.poles = {pole};
  c.materials = {plain, debye};
  c.dft.frequencies = {1e9, 3e9};
  io::Summary summary;
  add_materials(c, summary);
  std::vector<io::Chart> charts;
  for (const auto& block : summary.sections.at(0).blocks)
    if (const auto* chart = std::get_if<io::Chart>(&block)) charts.push_back(*chart);
  ASSERT_EQ(charts.size(), 1u) << "a medium without poles is two numbers of the table";
  EXPECT_EQ(charts[0].title, "Relative permittivity of debye");
  const auto &real = charts[0].curves.at(0), &imaginary = charts[0].curves.at(1);
  EXPECT_DOUBLE_EQ(real.x.front(), 1e9);
  EXPECT_DOUBLE_EQ(real.x.back(), 3e9);
  for (std::size_t i = 0; i < real.x.size(); ++i) {
    const double w = 2 * pi * real.x[i], x = w * 1e-10;
    EXPECT_NEAR(real.y[i], 2 + 3 / (1 + x * x), 1e-9);
    EXPECT_NEAR(imaginary.y[i], 3 * x / (1 + x * x) + 0.1 / (w * vacuum_permittivity), 1e-9);
  }
  c.dft.frequencies = {2e9};
  io::Summary single;
  add_materials(c, single);
  for (const auto& block : single.sections.at(0).blocks)
    if (const auto* chart = std::get_if<io::Chart>(&block)) {
      EXPECT_DOUBLE_EQ(chart->curves.at(0).x.front(), 1e9);
      EXPECT_DOUBLE_EQ(chart->curves.at(0).x.back(), 4e9);
    }
}

}  // namespace
}  // namespace dgtd::app
