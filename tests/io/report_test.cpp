#include "dgtd/io/report.hpp"

#include <gtest/gtest.h>

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

TEST(Report, IsWritten) {
  const Scratch scratch;
  write_report_html(scratch / "report.html", sample(), "[solver]\n");
  EXPECT_EQ(read(scratch / "report.html"), report_html(sample(), "[solver]\n"));
}

}  // namespace
}  // namespace dgtd::io
