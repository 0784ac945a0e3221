// dgtd CASE --preview: a page of a grid, of a mesh on several ranks and of a line; and no results.
#include <gtest/gtest.h>

#include <fstream>

#include "app/program.hpp"

namespace {

bool has(const std::string& page, const std::string& part) { return page.find(part) != std::string::npos; }

std::size_t times(const std::string& page, const std::string& part) {
  std::size_t count = 0;
  for (auto at = page.find(part); at != std::string::npos; at = page.find(part, at + 1)) ++count;
  return count;
}

nlohmann::json scene_of_page(const std::string& page) {
  const std::string begin = "<script type=\"application/json\">";
  const auto from = page.find(begin) + begin.size();
  return nlohmann::json::parse(page.substr(from, page.find("</script>", from) - from));
}

// The results of a run stay as they are.
TEST(Preview, GridKeepsResults) {
  const auto directory = work("preview_grid");
  std::ofstream(directory / "summary.json") << "of a run";
  std::ofstream(directory / "resolved.cfg") << "of a run";
  const auto run = dgtd(case_file("gold_sphere.cfg") + " --preview --set output.directory=" + directory.string());
  ASSERT_EQ(run.code, 0) << run.output;
  EXPECT_TRUE(has(run.output, "preview.html: open it in a browser")) << run.output;
  EXPECT_EQ(content(directory / "summary.json"), "of a run");
  EXPECT_EQ(content(directory / "resolved.cfg"), "of a run");
  EXPECT_FALSE(fs::exists(directory / "energy.csv"));
  const std::string page = content(directory / "preview.html");
  EXPECT_EQ(times(page, "<image x="), 3u);
  EXPECT_TRUE(has(page, "role=\"img\" aria-label=\"gold: Relative permittivity over Frequency"));
  for (const char* title : {"Geometry", "Walls", "Sources and measurements", "Materials", "Media over frequency",
                            "Resolution", "Bytes of the results", "Run", "Case file, with all defaults"})
    EXPECT_TRUE(has(page, std::string("<h2>") + title)) << title;
  EXPECT_TRUE(has(page, "<th>xmin</th><td class=\"text\">pec</td>"));
  EXPECT_TRUE(has(page, "<dt>Estimated time of the steps</dt>"));
  const auto scene = scene_of_page(page);
  EXPECT_EQ(scene["volume"]["nodes"][2].size(), 69u);  // the cells of the case
  EXPECT_EQ(scene["materials"][1]["name"], "gold");
  EXPECT_EQ(scene["lines"][0]["name"], "grid");
}

// Planes of 1 m, which stand for the whole domain of some micrometres, end there.
TEST(Preview, LinesEndAtTheDomain) {
  for (const std::string arguments : {"slab.cfg", "bar_grating.cfg --set solver.method=dgtd"}) {
    const auto directory = work("preview_domain");
    const auto run = dgtd(case_file(arguments) + " --preview --set output.directory=" + directory.string());
    ASSERT_EQ(run.code, 0) << run.output;
    const auto scene = scene_of_page(content(directory / "preview.html"));
    EXPECT_EQ(scene["lines"][0]["name"], arguments == "slab.cfg" ? "grid" : "source wave");
    for (int a = 0; a < 3; ++a) EXPECT_LT(scene["high"][a].get<double>() - scene["low"][a].get<double>(), 6e-6);
  }
}

TEST(Preview, MeshOnTwoRanks) {
  const auto directory = work("preview_mesh");
  const std::string arguments =
      case_file("cavity.cfg") + " --set mesh.cells=\"3 3 3\" --set probe.middle.position=\"0.3 0.4 0.5\" --preview";
  std::string before;
  for (const int ranks : {1, 2}) {
    const auto at = directory / std::to_string(ranks);
    const auto run = dgtd_on(ranks, arguments + " --set output.directory=" + at.string());
    ASSERT_EQ(run.code, 0) << run.output;
    const auto scene = scene_of_page(content(at / "preview.html"));
    EXPECT_EQ(scene["surfaces"][0]["triangles"], 6 * 3 * 3 * 2);  // of the box, none inside it
    EXPECT_EQ(scene["lines"].back()["name"], "probe middle");
    EXPECT_EQ(times(content(at / "preview.html"), "<image x="), 3u);
  }
}

TEST(Preview, LineHasTables) {
  const auto directory = work("preview_line");
  const auto run = dgtd(case_file("line_pulse.cfg") + " --preview --set output.directory=" + directory.string());
  ASSERT_EQ(run.code, 0) << run.output;
  const std::string page = content(directory / "preview.html");
  EXPECT_TRUE(has(page, "<h2>Run</h2>"));
  EXPECT_FALSE(has(page, "<h2>Geometry</h2>"));
  EXPECT_FALSE(has(page, "class SceneView"));
}

TEST(Preview, ArgumentsThatDoNotFit) {
  expect_bad_input(dgtd(case_file("cavity.cfg") + " --preview --dry-run"),
                   "command line: --preview is a command of its own, without --dry-run and --restart\n");
  expect_bad_input(dgtd(case_file("cavity.cfg") + " --previews"),
                   "command line: unrecognised option '--previews'; see dgtd --help\n");
}

}  // namespace
