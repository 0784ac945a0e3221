#include "dgtd/io/summary.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "dgtd/base/error.hpp"
#include "io/scratch.hpp"

namespace dgtd::io {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> keys(const Json& object) {
  std::vector<std::string> names;
  for (const auto& [name, value] : object.items()) names.push_back(name);
  return names;
}

// The contract of docs/contracts.md ("summary.json").
TEST(Summary, HasEveryKeyEvenWhenNothingIsKnown) {
  const Json json = Json::parse(summary_text({}));
  for (const char* key :
       {"version", "case",        "method",   "order",   "precision",   "backend", "kernels", "comm",
        "ranks",   "elements",    "unknowns", "dt_s",    "steps",       "wall_s",  "setup_s", "energy",
        "error",   "fields_hash", "power",    "tissues", "performance", "warnings"})
    EXPECT_TRUE(json.contains(key)) << key;
  EXPECT_EQ(keys(json["energy"]), (std::vector<std::string>{"first_J", "last_J", "relative_drift"}));
  EXPECT_EQ(keys(json["sar"]),
            (std::vector<std::string>{"normalise", "run_power_W", "chosen_power_W", "factor", "refers_to"}));
  EXPECT_EQ(keys(json["mesh"]),
            (std::vector<std::string>{"vertices", "shortest_edge_m", "longest_edge_m", "mean_edge_m"}));
  EXPECT_EQ(keys(json["power"]), (std::vector<std::string>{"source_W", "absorbed_W", "outflow_W", "defect"}));
  EXPECT_EQ(
      keys(json["performance"]),
      (std::vector<std::string>{"element_steps_per_s", "unknowns_per_s", "bytes_per_step", "GB_per_s", "copy_GB_per_s",
                                "roofline_fraction", "gflop_per_s", "halo_wait_fraction", "peak_memory_bytes", "device_memory_bytes"}));
  EXPECT_TRUE(json["error"].is_null());
  EXPECT_TRUE(json["energy"]["relative_drift"].is_null());
  EXPECT_TRUE(json["fields_hash"].is_null());
  EXPECT_TRUE(json["tissues"].is_object());
}

TEST(Summary, KeepsTypesAndEveryDigit) {
  Summary summary;
  summary.case_name = "head \"phone\"";
  summary.elements = 815405;
  summary.dt_s = 1.0 / 3.0 * 1e-12;
  summary.keys["error"] = Value::Object{{"l2_E", 1.25e-3}, {"l2_H", 0.1}};
  summary.fields_hash = 0xabcULL;
  summary.keys["power"] = Value::Object{{"source_W", Value()}, {"defect", -0.01}};
  const Json json = Json::parse(summary_text(summary));
  EXPECT_EQ(json["case"], "head \"phone\"");
  EXPECT_TRUE(json["elements"].is_number_integer());
  EXPECT_EQ(json["dt_s"].get<double>(), summary.dt_s);
  EXPECT_EQ(json["error"]["l2_H"].get<double>(), 0.1);
  EXPECT_EQ(json["fields_hash"], "0000000000000abc");
  EXPECT_EQ(json["power"]["defect"].get<double>(), -0.01);
}

TEST(Summary, HasTheKeysOfObserversAfterItsOwn) {
  Summary summary;
  summary.keys["sar"] = Value::Object{{"normalise", "incident"}, {"run_power_W_per_m2", 2.0}};
  summary.keys["mine"] = Value::List{1, "two", true, Value()};
  const Json json = Json::parse(summary_text(summary));
  EXPECT_EQ(keys(json["sar"]), (std::vector<std::string>{"normalise", "run_power_W_per_m2"}));  // not those of others
  EXPECT_EQ(keys(json).back(), "mine");
  EXPECT_EQ(json["mine"], Json::parse("[1, \"two\", true, null]"));
}

TEST(Summary, OfAGridHasCellsAndNoMesh) {
  Summary summary;
  summary.on_grid = true, summary.elements = 8;
  const Json json = Json::parse(summary_text(summary));
  EXPECT_EQ(json["cells"], 8);
  EXPECT_TRUE(json["performance"].contains("cell_steps_per_s"));
  for (const char* key : {"order", "mesh", "elements"}) EXPECT_FALSE(json.contains(key)) << key;
  EXPECT_FALSE(json["performance"].contains("element_steps_per_s"));
}

TEST(Summary, ListsWarnings) {
  EXPECT_EQ(Json::parse(summary_text({}))["warnings"], Json::array());
  Summary summary;
  summary.warnings = {"a \"part\" is outside", "second"};
  EXPECT_EQ(Json::parse(summary_text(summary))["warnings"], Json::array({"a \"part\" is outside", "second"}));
}

TEST(Summary, WritesNullForWhatIsNoNumber) {
  Summary summary;
  summary.wall_s = std::numeric_limits<double>::infinity();
  summary.keys["energy"]["last_J"] = std::numeric_limits<double>::quiet_NaN();
  const Json json = Json::parse(summary_text(summary));
  EXPECT_TRUE(json["wall_s"].is_null());
  EXPECT_TRUE(json["energy"]["last_J"].is_null());
}

TEST(Summary, SurvivesNamesThatAreNotUtf8) {
  Summary summary;
  summary.case_name = "caf\xe9";
  EXPECT_NO_THROW(Json::parse(summary_text(summary)));
}

TEST(Summary, IsWrittenWhole) {
  const Scratch scratch;
  write_summary(scratch / "summary.json", {});
  EXPECT_EQ(read(scratch / "summary.json"), summary_text({}));
  EXPECT_FALSE(std::filesystem::exists(scratch / "summary.json.tmp"));
}

}  // namespace
}  // namespace dgtd::io
