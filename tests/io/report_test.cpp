#include "dgtd/io/report.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "io/scratch.hpp"

namespace dgtd::io {
namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

Summary sample() {
  Summary summary;
  summary.case_name = "head <phone> & box";
  summary.method = "dgtd";
  summary.elements = 815405;
  summary.power = {0.004, 0.003, 0.00096, 0.01};
  dosimetry::TissueRow skin;
  skin.name = "skin";
  skin.mass_kg = 0.5;
  skin.absorbed_W = 0.25;
  skin.sar_mean = 0.5;
  skin.sar_max = 3.25;
  skin.at = Vec3{0.0123, 0, -0.05};
  summary.tissues = {skin};
  summary.sar = {dosimetry::Normalisation::Normalise::emitted, 0.004, 1.0, 250.0};
  return summary;
}

TEST(Report, ShowsPowersWithTheDefectInPercent) {
  const std::string page = report_html(sample());
  EXPECT_TRUE(contains(page, "Power [mW]"));
  EXPECT_TRUE(contains(page, "<td>3</td><td>75.00 %</td>"));
  EXPECT_TRUE(contains(page, "<b>1.00 %</b>"));
}

TEST(Report, ShowsTissues) {
  const std::string page = report_html(sample());
  EXPECT_TRUE(
      contains(page, "<th>skin</th><td>500</td><td>250</td><td>0.5</td><td>3.25</td><td>12.3, 0.0, -50.0</td>"));
  EXPECT_TRUE(contains(page, "At an emitted power of 1 W"));
}

TEST(Report, EscapesNamesAndTheCase) {
  const std::string page = report_html(sample(), "file = <a&b>");
  EXPECT_TRUE(contains(page, "<h1>head &lt;phone&gt; &amp; box</h1>"));
  EXPECT_TRUE(contains(page, "<pre>file = &lt;a&amp;b&gt;</pre>"));
}

TEST(Report, ListsWarnings) {
  EXPECT_FALSE(contains(report_html(sample()), "Warnings"));
  Summary summary = sample();
  summary.warnings = {"a < b"};
  EXPECT_TRUE(contains(report_html(summary), "<li>a &lt; b</li>"));
}

TEST(Report, LeavesOutWhatARunDoesNotHave) {
  const std::string page = report_html({});
  EXPECT_FALSE(contains(page, "Power balance"));
  EXPECT_FALSE(contains(page, "Tissues"));
  EXPECT_FALSE(contains(page, "nan"));
}

TEST(Report, NeedsNothingFromOutside) {
  const std::string page = report_html(sample());
  for (const char* reference : {"http", "src=", "href=", "@import", "url("})
    EXPECT_FALSE(contains(page, reference)) << reference;
}

std::size_t times(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// Above 600 pixels of table the page stays as wide as the window: every table is in a box that scrolls.
TEST(Report, TablesScrollAndColoursFollowTheReader) {
  Summary summary = sample();
  summary.materials = {{"skin", "Skin (Dry)", 38.9, 1, 1.18, 1109, false, "Gabriel 1996", "IT'IS 4.1"}};
  const std::string page = report_html(summary);
  EXPECT_GE(times(page, "<table>"), 3u);
  EXPECT_EQ(times(page, "<table>"), times(page, "<div class=\"scroll\"><table>"));
  EXPECT_TRUE(contains(page, ".scroll { overflow-x: auto; }"));
  EXPECT_TRUE(contains(page, "@media (prefers-color-scheme: dark)"));
  EXPECT_TRUE(contains(page, "@media print"));
}

TEST(Report, NamesThePowerAndWhatIsPeak) {
  const std::string page = report_html(sample());
  EXPECT_TRUE(contains(page, "At an emitted power of 1 W, mean over a period"));
  EXPECT_TRUE(contains(page, "Absorbed, mean over a period [mW]"));
  EXPECT_TRUE(contains(page, "E is the peak of its phasor"));
  Summary incident = sample();
  incident.sar = {dosimetry::Normalisation::Normalise::incident, 2.0, 10.0, 5.0};
  EXPECT_TRUE(
      contains(report_html(incident), "At an incident power density of 10 W/m<sup>2</sup>, mean over a period"));
}

TEST(Report, ShowsMaterialsWithTheirSources) {
  Summary summary = sample();
  summary.frequency_Hz = 1.8e9;
  summary.materials = {
      {"left <eye>", "Eye Lens", 45.35, 1, 1.147, 1076, false, "Gabriel 1996 (Lens Cortex)", "IT'IS 4.1"},
      {"case", "", 1, 1, 0, {}, true, "case file", ""}};
  const std::string page = report_html(summary);
  EXPECT_TRUE(contains(page, "Values at 1800 MHz"));
  EXPECT_TRUE(contains(
      page, "<th>left &lt;eye&gt;<br><small>Eye Lens</small></th><td>45.35</td><td>1.147</td><td>1</td><td>1076</td>"));
  EXPECT_TRUE(contains(page, "Gabriel 1996 (Lens Cortex); density: IT'IS 4.1"));
  EXPECT_TRUE(contains(page, "perfect conductor"));
}

dosimetry::PeakAverage peak(const std::string& tissue, double sar) {
  dosimetry::PeakAverage p;
  p.sar = sar, p.tissue = tissue, p.at = {0.05, 0.001, -0.02}, p.side = 0.0215;
  p.orientation = dosimetry::Orientation::centred;
  return p;
}

Summary with_averages() {
  Summary summary = sample();
  dosimetry::MassAverage ten;
  ten.mass_kg = 0.01;
  ten.peak = peak("skin", 0.8);
  ten.of_tissues = {peak("skin", 0.8)};
  summary.averages = {ten};
  summary.limits = dosimetry::compare_with_limits({0.05, {}, 0.8}, 1.8e9, 1.0);
  return summary;
}

TEST(Report, ShowsAveragesAndLimits) {
  const std::string page = report_html(with_averages());
  EXPECT_TRUE(contains(page, "<th>Peak over 10\u00a0g [W/kg]</th>"));
  EXPECT_TRUE(contains(page, "<td>0.8</td><td>50.0, 1.0, -20.0</td>"));
  EXPECT_TRUE(contains(
      page, "<th>10\u00a0g</th><td>0.8</td><td class=\"text\">skin</td><td>50.0, 1.0, -20.0</td><td>21.5</td>"));
  EXPECT_TRUE(
      contains(page, "<td class=\"text\">peak SAR over 10 g</td><td>2</td><td>0.8</td><td>40.00 %</td><td>2.5</td>"));
  EXPECT_TRUE(contains(page, "Emitted power at the limit [W]"));
  EXPECT_TRUE(contains(page, "<td class=\"text\">whole-body mean SAR</td><td>0.08</td><td>0.05</td><td>62.50 %</td>"));
  EXPECT_FALSE(contains(page, "over 1 g"));  // not computed
  EXPECT_FALSE(contains(page, "over 1\u00a0g"));
}

TEST(Report, SaysThatLocalLimitsAreNotCompared) {
  Summary summary = sample();
  summary.limits = dosimetry::compare_with_limits({0.05, {}, {}}, 1.8e9, 1.0);
  EXPECT_TRUE(contains(report_html(summary), "The limits of local SAR are not compared"));
  EXPECT_FALSE(contains(report_html(with_averages()), "The limits of local SAR are not compared"));
}

TEST(Report, SaysThatWholeBodyLimitsAreNotCompared) {
  Summary summary = with_averages();
  EXPECT_FALSE(contains(report_html(summary), "sar.whole_body"));
  summary.limits = dosimetry::compare_with_limits({{}, {}, 0.8}, 1.8e9, 1.0);
  const std::string page = report_html(summary);
  EXPECT_TRUE(contains(page, "The limits of whole-body exposure are not compared"));
  EXPECT_FALSE(contains(page, "whole-body mean SAR"));
}

TEST(Report, ShowsTheConvergence) {
  EXPECT_FALSE(contains(report_html(sample()), "Convergence"));
  Summary summary = sample();
  summary.steady = SteadyState{1.8e9, 48, true, 0.0123, 0.004, 0.00404};
  const std::string page = report_html(summary);
  EXPECT_TRUE(contains(page, "<b>1.23 %</b>"));
  EXPECT_TRUE(contains(page, "phasors at 1800 MHz in 48 elements of tissue"));
  EXPECT_TRUE(contains(page, "4.04 mW (mean over the period)"));
}

TEST(Report, SaysThatAShortRunMeasuredNoConvergence) {
  Summary summary = sample();
  summary.steps = 199, summary.steps_per_period = 100;
  EXPECT_TRUE(contains(report_html(summary), "Not measured: the run is shorter than two periods"));
  summary.steps = 200;
  EXPECT_FALSE(contains(report_html(summary), "Not measured"));
}

Summary with_picture() {
  Summary summary = sample();
  Picture picture;
  picture.title = "y = <1> mm";
  picture.axes = {"x", "z"};
  picture.low = {-0.05, -0.1}, picture.high = {0.05, 0.1};
  picture.width = picture.height = 1;
  picture.png = "foobar";
  picture.mark = {{0.0, 0.05}};
  picture.plane = {1, 0.001};
  PictureRow row;
  row.title = "Local SAR";
  row.scale = {ColourMap::magma, 1e-3, 10, true, "W/kg", "local SAR"};
  row.pictures = {picture};
  summary.pictures = {row};
  return summary;
}

TEST(Report, PicturesAreInside) {
  EXPECT_FALSE(contains(report_html(sample()), "<svg viewBox"));
  const std::string page = report_html(with_picture());
  EXPECT_TRUE(contains(page, "href=\"data:image/png;base64,Zm9vYmFy\""));
  EXPECT_TRUE(contains(page, "y = &lt;1&gt; mm"));
  EXPECT_FALSE(contains(page, "<1>"));
  for (const char* reference : {"http", "src=", "@import", "url("})
    EXPECT_FALSE(contains(page, reference)) << reference;
  EXPECT_EQ(times(page, "href="), times(page, "href=\"data:image/png;base64,"));
  EXPECT_TRUE(contains(page, ">x [mm]</text>"));
  EXPECT_TRUE(contains(page, "local SAR [W/kg]"));
}

// A scale of four decades from 0.001 to 10 W/kg on 372 units from 14 on: 0.1 is in the middle. The image is 200 mm high
// on 300 units from 8 on, so that z = 50 mm is a quarter from the top and x = 0 in the middle of 150 units from 42 on.
TEST(Report, ScalesOfPicturesAreRight) {
  const std::string page = report_html(with_picture());
  EXPECT_TRUE(contains(page, "<text x=\"200.0\" y=\"29\" text-anchor=\"middle\">0.1</text>"));
  EXPECT_TRUE(contains(page, "<text x=\"386.0\" y=\"29\" text-anchor=\"middle\">10</text>"));
  EXPECT_TRUE(contains(page, "<circle cx=\"117.0\" cy=\"83.0\""));
}

using Json = nlohmann::ordered_json;

TEST(ReportJson, SaysWhatTheRunMeasured) {
  Summary summary = with_averages();
  summary.pictures = with_picture().pictures;
  summary.steady = SteadyState{1.8e9, 48, true, 0.0123, 0.004, 0.00404};
  summary.warnings = {"a \"b\""};
  summary.frequency_Hz = 1.8e9;
  summary.materials = {{"lens", "Eye Lens", 45.35, 1, 1.147, 1076, false, "Gabriel 1996 (Lens Cortex)", "IT'IS 4.1"}};
  const Json json = Json::parse(report_json(summary));
  EXPECT_EQ(json["conventions"]["normalisation"], "at an emitted power of 1 W (mean over a period)");
  EXPECT_EQ(json["materials"][0]["density_kg_per_m3"], 1076);
  EXPECT_EQ(json["materials"][0]["tissue"], "Eye Lens");
  EXPECT_EQ(json["tissues"][0]["largest_local_sar_W_per_kg"], 3.25);
  EXPECT_EQ(json["mass_averages"][0]["peak"]["sar_W_per_kg"], 0.8);
  EXPECT_EQ(json["mass_averages"][0]["of_tissues"]["skin"]["at_m"], Json::array({0.05, 0.001, -0.02}));
  ASSERT_EQ(json["limits"].size(), 4u);  // two over 10 g, two of the whole body
  EXPECT_EQ(json["limits"][0]["limit_W_per_kg"], 2);
  EXPECT_DOUBLE_EQ(json["limits"][0]["mean_power_at_limit_W"].get<double>(), 2.5);
  EXPECT_EQ(json["steady_state"]["change_of_E"], 0.0123);
  EXPECT_EQ(json["pictures"][0]["pictures"][0]["plane"]["normal"], "y");
  EXPECT_EQ(json["pictures"][0]["pictures"][0]["plane"]["position_m"], 0.001);
  EXPECT_EQ(json["warnings"], Json::array({"a \"b\""}));
  EXPECT_FALSE(contains(json.dump(), "Zm9v"));
}

TEST(ReportJson, LeavesOutWhatARunDoesNotHave) {
  const Json json = Json::parse(report_json({}));
  EXPECT_TRUE(json["steady_state"].is_null());
  EXPECT_TRUE(json["power_balance"]["mean_source_power_W"].is_null());
  for (const char* list : {"materials", "tissues", "mass_averages", "limits", "pictures", "warnings"})
    EXPECT_EQ(json[list], Json::array()) << list;
  EXPECT_EQ(json["conventions"]["normalisation"], "at the power of the run itself");
}

TEST(Report, IsWritten) {
  const Scratch scratch;
  write_report_html(scratch / "report.html", sample(), "[solver]\n");
  EXPECT_EQ(read(scratch / "report.html"), report_html(sample(), "[solver]\n"));
}

}  // namespace
}  // namespace dgtd::io
