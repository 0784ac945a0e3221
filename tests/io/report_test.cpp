#include "dgtd/io/report.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "io/scratch.hpp"

namespace dgtd::io {
namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

Table table() {
  return {{{"Group"}, {"Mass [g]"}, {"in", true}},
          {{{"skin <dry>\nof the library", "500", "a & b"}, 0.5}, {{"case", "perfect conductor"}}}};
}

Summary sample() {
  Summary summary;
  summary.case_name = "head <phone> & box";
  summary.method = "dgtd";
  summary.elements = 815405;
  summary.dt_s = 3.2e-14, summary.steps = 100;
  summary.sections.push_back({Chapter::model, "Later", {Note{"a < b"}}});
  summary.sections.push_back(
      {Chapter::dosimetry, "Tissues", {Entries{{{"Change", "1.00 %", true}, {"E, L\u2082", "<3>"}}}, table()}});
  return summary;
}

TEST(Report, PrintsSectionsByChapters) {
  const std::string page = report_html(sample());
  EXPECT_LT(page.find("<h2>Tissues</h2>"), page.find("<h2>Later</h2>"));
  EXPECT_LT(page.find("<h2>Later</h2>"), page.find("<h2>Performance</h2>"));
  EXPECT_TRUE(contains(page, "<p>a &lt; b</p>"));
  EXPECT_TRUE(contains(page, "<dt>Change</dt><dd><b>1.00 %</b></dd>"));
  EXPECT_TRUE(contains(page, "<dt>E, L\u2082</dt><dd>&lt;3&gt;</dd>"));
}

TEST(Report, TablesHaveRemarksWideCellsAndBars) {
  const std::string page = report_html(sample());
  EXPECT_TRUE(contains(page, "<tr><th>Group</th><th>Mass [g]</th><th class=\"text\">in</th><th></th></tr>"));
  EXPECT_TRUE(contains(page,
                       "<tr><th>skin &lt;dry&gt;<br><small>of the library</small></th><td>500</td>"
                       "<td class=\"text\">a &amp; b</td><td class=\"bar\"><i style=\"width:50.0%\"></i></td></tr>"));
  EXPECT_TRUE(contains(page, "<th>case</th><td class=\"text\" colspan=\"2\">perfect conductor</td>"));
  Summary without;
  Table plain = table();
  plain.rows[0].share.reset();
  without.sections = {{Chapter::model, "T", {plain}}};
  EXPECT_FALSE(contains(report_html(without), "class=\"bar\""));
}

TEST(Report, TimesHaveFittingUnits) {
  const std::string page = report_html(sample());
  EXPECT_TRUE(contains(page, "<dt>Time step</dt><dd>32 fs</dd>"));
  EXPECT_TRUE(contains(page, "<dt>Simulated time</dt><dd>3.2 ps</dd>"));
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
  const std::string page = report_html(sample());
  EXPECT_EQ(times(page, "<table>"), 1u);
  EXPECT_EQ(times(page, "<table>"), times(page, "<div class=\"scroll\"><table>"));
  EXPECT_TRUE(contains(page, ".scroll { overflow-x: auto; }"));
  EXPECT_TRUE(contains(page, "@media (prefers-color-scheme: dark)"));
  EXPECT_TRUE(contains(page, "@media print"));
}

// The same table on the console: columns are aligned by signs, not bytes, and remarks have lines of their own.
TEST(Section, TablesAreTextToo) {
  EXPECT_EQ(text_of(table()),
            "Group           Mass [g]  in\n"
            "skin <dry>           500  a & b\n"
            "of the library\n"
            "case            perfect conductor");
  EXPECT_EQ(text_of(Table{{{"\u03c3"}, {"n"}}, {{{absent, count(12345)}}}}),
            "\u03c3      n\n"
            "-  12345");
}

TEST(Section, NumbersHaveFourDigits) {
  EXPECT_EQ(number(0.0123456), "0.01235");
  EXPECT_EQ(number(12345.6), "12\u202f346");
  EXPECT_EQ(number(std::numeric_limits<double>::quiet_NaN()), absent);
  EXPECT_EQ(number(std::optional<double>()), absent);
  EXPECT_EQ(count(1234567), "1\u202f234\u202f567");
  EXPECT_EQ(percent(0.01234), "1.23 %");
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
  summary.sections.push_back({Chapter::dosimetry, "Pictures", {row}});
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

// A row that is folded opens without scripts; a scale of a ratio has no unit, and starts at 0, not at -0.
TEST(Report, RowsOfPicturesMayBeFolded) {
  EXPECT_FALSE(contains(report_html(with_picture()), "<details>\n<summary>"));
  Summary summary = with_picture();
  auto& row = std::get<PictureRow>(summary.sections.back().blocks[0]);
  row.folded = "2 of <9>";
  row.scale = {ColourMap::viridis, 0, 4, false, "", "ratio"};
  const std::string page = report_html(summary);
  EXPECT_TRUE(contains(page, "<details>\n<summary>2 of &lt;9&gt;</summary>\n<h3>Local SAR</h3>"));
  EXPECT_TRUE(contains(page, ">ratio</text>"));
  EXPECT_TRUE(contains(page, "text-anchor=\"middle\">0</text>"));
  EXPECT_FALSE(contains(page, ">-0</text>"));
}

using Json = nlohmann::ordered_json;

TEST(ReportJson, HasTheKeysOfObserversAndThePictures) {
  Summary summary = with_picture();
  summary.warnings = {"a \"b\""};
  summary.report["conventions"]["normalisation"] = "at an emitted power of 1 W (mean over a period)";
  summary.report["mesh"]["vertices"] = 8;
  summary.report["limits"] = Value::List{Value::Object{{"share", 0.5}}};
  const Json json = Json::parse(report_json(summary));
  EXPECT_EQ(json["conventions"]["normalisation"], "at an emitted power of 1 W (mean over a period)");
  EXPECT_EQ(json["conventions"]["powers"], "means over a period (W rms)");
  EXPECT_EQ(json["mesh"]["elements"], 815405);
  EXPECT_EQ(json["mesh"]["vertices"], 8);
  EXPECT_EQ(json["limits"][0]["share"], 0.5);
  EXPECT_EQ(json["pictures"][0]["title"], "Local SAR");
  EXPECT_EQ(json["pictures"][0]["scale"]["logarithmic"], true);
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
