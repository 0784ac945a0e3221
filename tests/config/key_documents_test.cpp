// Documents about keys: docs/case-file.md, dgtd --help KEY.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "config/key.hpp"
#include "app/problems/methods.hpp"
#include "dgtd/config/documents.hpp"
#include "dgtd/physics/tissue.hpp"
#include "support/error_message.hpp"

namespace dgtd::config {
namespace {

std::string help(const std::string& name) { return key_help(name, app::methods()); }

TEST(KeyDocuments, TheTablesOfTheDocumentAreThoseOfTheKeys) {
  std::ifstream file(DGTD_SOURCE "/docs/case-file.md");
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_EQ(text.str(), with_key_tables(text.str(), app::methods())) << "run scripts/update_case_file_docs.sh";
  for (const Section& section : key_table())
    EXPECT_NE(text.str().find("<!-- keys of " + std::string(section.kind) + " -->"), std::string::npos) << section.kind;
}

TEST(KeyDocuments, TablesReplaceWhatIsBetweenTheirMarks) {
  const std::string text = "a\n<!-- keys of probe -->\nold\n<!-- end -->\nb\n";
  const std::string updated = with_key_tables(text, app::methods());
  EXPECT_EQ(updated.find("old"), std::string::npos);
  EXPECT_NE(updated.find("\n| `every` | 1 | integer >= 1, steps |  | Interval of the rows. |\n"), std::string::npos)
      << updated;
  EXPECT_TRUE(updated.starts_with("a\n<!-- keys of probe -->\n") && updated.ends_with("<!-- end -->\nb\n")) << updated;
  EXPECT_EQ(with_key_tables(updated, app::methods()), updated);
  EXPECT_EQ(message([] { with_key_tables("<!-- keys of probes -->\n<!-- end -->", app::methods()); }),
            "no section 'probes' of the case file");
}

TEST(KeyDocuments, TissuesAreThoseOfTheLibrary) {
  const std::string updated = with_key_tables("a\n<!-- tissues -->\nold\n<!-- end -->\nb\n", app::methods());
  EXPECT_TRUE(updated.starts_with("a\n<!-- tissues -->\n") && updated.ends_with("<!-- end -->\nb\n")) << updated;
  EXPECT_EQ(updated.find("old"), std::string::npos);
  for (const std::string& name : physics::tissue_names())
    EXPECT_NE(updated.find("\n| " + name + " "), std::string::npos) << name;
  EXPECT_NE(updated.find("\n| Muscle | 55.03, 0.943 | 53.55, 1.341 | 1090 |\n"), std::string::npos) << updated;
}

// The document names them in this table only.
TEST(KeyDocuments, TheDocumentListsTheTissuesOnce) {
  std::ifstream file(DGTD_SOURCE "/docs/case-file.md");
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_NE(text.str().find("<!-- tissues -->"), std::string::npos);
  const auto first = text.str().find("Brain (White Matter)");
  EXPECT_NE(first, std::string::npos);
  EXPECT_EQ(text.str().find("Brain (White Matter)", first + 1), std::string::npos);
}

TEST(KeyDocuments, HelpOfAKey) {
  EXPECT_EQ(help("solver.order"),
            "solver.order\n  Polynomial degree p of all elements but those of materials with an order of their own. auto: "
            "chosen for each element from its size in wavelengths of its material at the highest frequency of the case "
            "(docs/rule).\n"
            "  allowed: integer from 1 to 6, or auto\n"
            "  default: 2\n  for:     dgtd\n");
  EXPECT_EQ(help("solver.courant"), help("solver.cfl_fraction"));
  EXPECT_EQ(help("far.NAME.theta"), help("far_field.theta"));
  EXPECT_EQ(help("source.feed.waist"), help("source.waist"));
  EXPECT_NE(help("source.waist").find("default: required\n"), std::string::npos) << help("source.waist");
  EXPECT_NE(help("source.waist").find("type = gaussian-beam\n"), std::string::npos) << help("source.waist");
}

TEST(KeyDocuments, HelpOfASectionHasAllItsKeys) {
  for (const Section& section : key_table()) {
    const std::string text = help(std::string(section.kind));
    for (const Key& key : section.keys)
      EXPECT_NE(text.find("." + std::string(key.name) + "\n"), std::string::npos) << section.kind << "." << key.name;
  }
  EXPECT_EQ(help("grid").substr(0, help("grid").find("\n\n")),
            "[grid] The Cartesian grid.\nMethods: fdtd3d, fdtd2d, fdtd1d, hpf2d");
}

TEST(KeyDocuments, HelpOfAnotherNameSuggestsTheNearest) {
  EXPECT_EQ(message([] { help("solver.oder"); }),
            "command line: --help solver.oder: there is no such key; did you mean solver.order?");
  EXPECT_EQ(message([] { help("sorce"); }), "command line: --help sorce: there is no such key; did you mean source?");
  EXPECT_EQ(message([] { help("probe.colour"); }),
            "command line: --help probe.colour: there is no such key; [probe.NAME] has position, every");
  EXPECT_EQ(message([] { help("xyzzy"); }),
            "command line: --help xyzzy: there is no such key; the sections are solver, domain, mesh, grid, time, material, "
            "shape, permittivity, refine, boundary, initial, source, port, sparameters, excitation, probe, flux, monitor, snapshot, far_field, dft, "
            "sar, output, checkpoint");
}

}  // namespace
}  // namespace dgtd::config
