// Charts of the report: ticks, units, gaps, and what the drawing contains.
#include "dgtd/io/charts.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "dgtd/base/constants.hpp"
#include "dgtd/io/report.hpp"
#include "io/axis_ticks.hpp"
#include "io/report_charts.hpp"

namespace dgtd::io {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::size_t times(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++count;
  return count;
}

std::vector<std::string> texts(const std::vector<Tick>& ticks) {
  std::vector<std::string> list;
  for (const Tick& t : ticks) list.push_back(t.text);
  return list;
}

using Texts = std::vector<std::string>;

TEST(AxisTicks, AreAtStepsOfOneTwoAndFive) {
  EXPECT_EQ(texts(axis_ticks(0, 1)), (Texts{"0", "0.2", "0.4", "0.6", "0.8", "1"}));
  EXPECT_EQ(texts(axis_ticks(250, 1000)), (Texts{"400", "600", "800", "1000"}));
  EXPECT_EQ(texts(axis_ticks(-3, 17)), (Texts{"0", "5", "10", "15"}));
  EXPECT_EQ(texts(axis_ticks(1, -1)), (Texts{"-1", "-0.5", "0", "0.5", "1"}));
  EXPECT_DOUBLE_EQ(round_step(7e-21, 5), 2e-21);
}

TEST(DecadeTicks, AreThinnedOrDivided) {
  EXPECT_EQ(texts(decade_ticks(1e-3, 1)), (Texts{"10\u207b\u00b3", "10\u207b\u00b2", "10\u207b\u00b9", "10\u2070"}));
  EXPECT_EQ(texts(decade_ticks(1e-20, 1e-10)).size(), 6u);  // every second one
  EXPECT_EQ(texts(decade_ticks(1, 10)), (Texts{"10\u2070", "2\u00b710\u2070", "5\u00b710\u2070", "10\u00b9"}));
}

TEST(AxisUnit, HasThePrefixOfTheLargestValue) {
  EXPECT_EQ(axis_unit("Hz", 6e14).name, "THz");
  EXPECT_EQ(axis_unit("Hz", 1.8e9).name, "GHz");
  EXPECT_EQ(axis_unit("s", 3.2e-14).name, "fs");
  EXPECT_EQ(axis_unit("s", 2e-9).name, "ns");
  EXPECT_EQ(axis_unit("V/m", -25e3).name, "kV/m");
  EXPECT_EQ(axis_unit("W", 4e-3).name, "mW");
  EXPECT_EQ(axis_unit("J/Hz", 3.4e-26).name, "10\u207b\u00b2\u2077 J/Hz");
  EXPECT_DOUBLE_EQ(axis_unit("J/Hz", 3.4e-26).size, 1e-27);
  EXPECT_EQ(axis_unit("W", 1e-25).name, "10\u207b\u00b2\u2077 W");  // no prefix
  EXPECT_EQ(axis_unit("", 0.3).name, "");
  EXPECT_EQ(axis_unit("J/Hz", 0).name, "J/Hz");
  EXPECT_EQ(axis_unit("J/Hz", nan).name, "J/Hz");
}

// Areas have the square of a length: a gold sphere of 80 nm absorbs like 15,000 nm^2.
TEST(AxisUnit, OfAreasIsASquare) {
  EXPECT_EQ(axis_unit("m\u00b2", 1.5e-14).name, "nm\u00b2");
  EXPECT_DOUBLE_EQ(axis_unit("m\u00b2", 1.5e-14).size, 1e-18);
  EXPECT_EQ(axis_unit("m\u00b2", 2e-4).name, "mm\u00b2");
  EXPECT_EQ(axis_unit("m\u00b2", 3).name, "m\u00b2");
}

TEST(LinearRange, EndsAtTicksAndAtANearZero) {
  const auto ends = [](double low, double high) {
    const AxisRange r = linear_range(low, high);
    return std::pair{r.low, r.high};
  };
  EXPECT_EQ(ends(0.1, 9.3), (std::pair{0.0, 10.0}));
  EXPECT_EQ(ends(-9.3, -0.1), (std::pair{-10.0, 0.0}));
  EXPECT_EQ(ends(96, 104), (std::pair{96.0, 104.0}));
  EXPECT_EQ(ends(0, 0), (std::pair{-1.0, 1.0}));
  EXPECT_EQ(ends(4, 4), (std::pair{0.0, 6.0}));
}

TEST(DecadeRange, IsOfAtMostTenDecades) {
  EXPECT_DOUBLE_EQ(decade_range(3e-14, 2e-12).low, 1e-14);
  EXPECT_DOUBLE_EQ(decade_range(3e-14, 2e-12).high, 1e-11);
  EXPECT_DOUBLE_EQ(decade_range(1e-40, 2e-12).low, 1e-21);
  EXPECT_DOUBLE_EQ(decade_range(1, 1).low, 0.1);
}

// Wavelengths of 300 to 1200 nm on 420 units: the long ones, which are close to each other, have fewer marks.
TEST(WavelengthTicks, AreRoundAndApart) {
  const double low = speed_of_light / 1200e-9, high = speed_of_light / 300e-9;
  const auto ticks = wavelength_ticks(low, high, 420);
  ASSERT_GE(ticks.size(), 5u);
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    EXPECT_NEAR(std::remainder(ticks[i], 50e-9), 0, 1e-15);
    if (i == 0) continue;
    const double apart = 420 * speed_of_light * (1 / ticks[i - 1] - 1 / ticks[i]) / (high - low);
    EXPECT_GE(apart, 42 - 1e-9);
  }
  EXPECT_NE(std::find_if(ticks.begin(), ticks.end(), [](double t) { return std::abs(t - 500e-9) < 1e-15; }),
            ticks.end());
  EXPECT_TRUE(wavelength_ticks(low, low, 420).empty());
}

TEST(FrequencyAxis, HasWavelengthsInOptics) {
  EXPECT_TRUE(frequency_axis({3.1e13, 1e15}).has_wavelengths);   // below 9.7 um
  EXPECT_FALSE(frequency_axis({2.9e13, 1e15}).has_wavelengths);  // 10.3 um
  EXPECT_FALSE(frequency_axis({}).has_wavelengths);
}

// An oscillation that a choice of every tenth point would miss keeps its extremes.
TEST(Thinned, KeepsEndsAndExtremes) {
  Curve curve;
  for (int i = 0; i < 10000; ++i) curve.x.push_back(i), curve.y.push_back(i % 10 == 5 ? 1 : i % 10 == 6 ? -2 : 0);
  curve.y[4321] = 7;
  const Curve thin = thinned(curve, 400);
  EXPECT_LE(thin.x.size(), 400u);
  EXPECT_EQ(thin.x.front(), 0);
  EXPECT_EQ(thin.x.back(), 9999);
  EXPECT_TRUE(std::is_sorted(thin.x.begin(), thin.x.end()));
  EXPECT_EQ(*std::max_element(thin.y.begin(), thin.y.end()), 7);
  EXPECT_EQ(std::count(thin.y.begin(), thin.y.end(), -2), 100);
  EXPECT_EQ(thinned(curve, 10000).x.size(), 10000u);
  curve.y.assign(10000, nan);
  EXPECT_LE(thinned(curve, 400).x.size(), 400u);
}

Chart chart() {
  return {"E at <a>",
          {"Time", "s"},
          {"E", "V/m"},
          {{"E & x", {0, 1e-9, 2e-9}, {0, 2000, -1000}}, {"", {0, 2e-9}, {500, 500}}}};
}

// 2 ns are 420 units from 64 on, 3 kV/m are 220 units from 24 on, below a row of names.
TEST(ChartDrawing, HasCurvesInTheirPlaces) {
  const std::string html = html_of(chart());
  EXPECT_TRUE(contains(html, "<path class=\"curve k0\" d=\"M64.0 170.7L274.0 24.0L484.0 244.0\"/>"));
  EXPECT_TRUE(contains(html, "<path class=\"curve k1\" d=\"M64.0 134.0L484.0 134.0\"/>"));
  EXPECT_TRUE(contains(html, ">Time [ns]</text>"));
  EXPECT_TRUE(contains(html, ">E [kV/m]</text>"));
  EXPECT_TRUE(contains(html, "<path class=\"zero\" d=\"M64.0 170.7h420.0\"/>"));
  EXPECT_FALSE(contains(html, "Wavelength"));
}

TEST(ChartDrawing, EscapesAndDescribes) {
  const std::string html = html_of(chart());
  EXPECT_TRUE(contains(html, "<figcaption>E at &lt;a&gt;</figcaption>"));
  EXPECT_TRUE(contains(html, "role=\"img\" aria-label=\"E at &lt;a&gt;: E over Time; E &amp; x\""));
  EXPECT_TRUE(contains(html, "<title>E &amp; x</title>"));
  EXPECT_FALSE(contains(html, "<a>"));
}

TEST(ChartDrawing, LeavesGapsWhereThereAreNoNumbers) {
  Chart c = chart();
  c.curves = {{"", {0, 1, 2, 3, 4}, {1, 2, nan, 2, 1}}};
  const std::string html = html_of(c);
  EXPECT_EQ(times(html, "<circle"), 4u);
  EXPECT_FALSE(contains(html, "nan"));
  EXPECT_EQ(times(html.substr(html.find("curve k0")), "M"), 2u);
}

TEST(ChartDrawing, StatesThatThereIsNothing) {
  Chart c = chart();
  c.curves.clear();
  EXPECT_EQ(html_of(c), "<p>E at &lt;a&gt;: no values</p>\n");
  c.curves = {{"", {}, {}}, {"b", {0, 1}, {nan, nan}}};
  EXPECT_EQ(html_of(c), "<p>E at &lt;a&gt;: no values</p>\n");
  c.curves = {{"", {0, 1}, {0, -1}}};
  c.y.is_logarithmic = true;
  EXPECT_EQ(html_of(c), "<p>E at &lt;a&gt;: no values</p>\n");
}

TEST(ChartDrawing, HasOnePointAndConstants) {
  for (const bool logarithmic : {false, true}) {
    Chart c = chart();
    c.y.is_logarithmic = logarithmic;
    c.curves = {{"", {1e-9}, {5}}};
    EXPECT_EQ(times(html_of(c), "<circle"), 1u);
    EXPECT_FALSE(contains(html_of(c), "nan"));
    c.curves = {{"", {0, 1e-9}, {5, 5}}};
    EXPECT_TRUE(contains(html_of(c), "class=\"curve k0\""));
    EXPECT_FALSE(contains(html_of(c), "nan"));
  }
}

// From 1e-20, which is below the end of the axis at 1e-10, the line starts half way to 1, where it crosses 1e-10.
TEST(ChartDrawing, EndsAtTheEndOfALogarithmicAxis) {
  Chart c = chart();
  c.y.is_logarithmic = true;
  c.curves = {{"", {0, 1e-9, 2e-9}, {0, 1e-20, 1}}};
  EXPECT_TRUE(contains(html_of(c), "d=\"M379.0 228.0L484.0 8.0\""));
  c.curves = {{"", {0, 1e-9, 2e-9}, {1, 1e-20, 1}}};
  EXPECT_TRUE(contains(html_of(c), "M64.0 8.0L169.0 228.0M379.0 228.0L484.0 8.0"));
}

TEST(ChartDrawing, MarksWavelengths) {
  const Chart c{"Flux", frequency_axis({3e14, 6e14}), {"Flux", "J/Hz"}, {{"", {3e14, 6e14}, {1, 2}}}};
  EXPECT_TRUE(contains(html_of(c), ">Wavelength in vacuum [nm]</text>"));
  EXPECT_TRUE(contains(html_of(c), ">Frequency [THz]</text>"));
}

// 0 dB is on the outer circle of 120 units, -15 dB half way, what is below -30 dB or nothing in the centre.
TEST(PolarDrawing, HasCutsInTheirPlaces) {
  const PolarChart c{"Directivity", {{"phi = 0", {0, pi / 2, pi, 1.5 * pi}, {2, 2 * std::pow(10, -1.5), 0, 1e-9}}}, 2};
  const std::string html = html_of(c);
  EXPECT_TRUE(contains(html, "<path class=\"curve k0\" d=\"M250.0 42.0L310.0 162.0L250.0 162.0L250.0 162.0\"/>"));
  EXPECT_TRUE(contains(html, ">\u221220 dB</text>"));
  EXPECT_TRUE(contains(html, "aria-label=\"Directivity: phi = 0\""));
  EXPECT_EQ(html_of(PolarChart{"D", {}, 0}), "<p>D: no values</p>\n");
  EXPECT_EQ(html_of(PolarChart{"D", {}, nan}), "<p>D: no values</p>\n");
}

// The centre is at 250, 190 and the radius 150: no reflection, a short circuit, i, and one beyond 1.1 on that circle.
TEST(SmithDrawing, HasReflectionsInTheirPlaces) {
  const std::string html = html_of(SmithChart{"Port", {{"S11", {0, -1, 0, 2.2, nan}, {0, 0, 1, 0, 0}}}});
  EXPECT_NE(html.find("d=\"M250.0 190.0L100.0 190.0L250.0 40.0L415.0 190.0\""), std::string::npos) << html;
  EXPECT_NE(html.find("the dot is the lowest frequency"), std::string::npos);
  // Resistance 1 goes through the centre; reactance 1 ends at i.
  EXPECT_NE(html.find("cx=\"325.0\" cy=\"190.0\" r=\"75.0\""), std::string::npos) << html;
  EXPECT_NE(html.find("d=\"M400.0 190.0A150.0 150.0 0 0 1 250.0 40.0\""), std::string::npos) << html;
}

TEST(Report, HasChartsInTheirSectionsWithoutAnythingFromOutside) {
  Summary summary;
  summary.sections.push_back({Chapter::measurements, "Probes", {chart()}});
  const std::string page = report_html(summary);
  EXPECT_LT(page.find("<h2>Probes</h2>"), page.find("<figure class=\"chart\">"));
  for (const char* reference : {"http", "src=", "href=", "@import", "url(", "<script"})
    EXPECT_FALSE(contains(page, reference)) << reference;
  EXPECT_FALSE(contains(report_json(summary), "E at"));
}

}  // namespace
}  // namespace dgtd::io
