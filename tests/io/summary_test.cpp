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

// The contract of docs/architecture.md ("summary.json").
TEST(Summary, HasEveryKeyEvenWhenNothingIsKnown) {
  const Json json = Json::parse(summary_text({}));
  for (const char* key :
       {"version", "case",        "method",   "order",   "precision",   "backend", "kernels", "comm",
        "ranks",   "elements",    "unknowns", "dt_s",    "steps",       "wall_s",  "setup_s", "energy",
        "error",   "fields_hash", "power",    "tissues", "performance", "warnings"})
    EXPECT_TRUE(json.contains(key)) << key;
  EXPECT_EQ(keys(json["energy"]), (std::vector<std::string>{"first_J", "last_J", "relative_drift"}));
  EXPECT_EQ(keys(json["power"]), (std::vector<std::string>{"source_W", "absorbed_W", "outflow_W", "defect"}));
  EXPECT_EQ(
      keys(json["performance"]),
      (std::vector<std::string>{"element_steps_per_s", "unknowns_per_s", "bytes_per_step", "GB_per_s", "copy_GB_per_s",
                                "roofline_fraction", "gflop_per_s", "halo_wait_fraction", "peak_memory_bytes"}));
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
  summary.error = FieldError{1.25e-3, 0.1};
  summary.fields_hash = 0xabcULL;
  summary.power.defect = -0.01;
  const Json json = Json::parse(summary_text(summary));
  EXPECT_EQ(json["case"], "head \"phone\"");
  EXPECT_TRUE(json["elements"].is_number_integer());
  EXPECT_EQ(json["dt_s"].get<double>(), summary.dt_s);
  EXPECT_EQ(json["error"]["l2_H"].get<double>(), 0.1);
  EXPECT_EQ(json["fields_hash"], "0000000000000abc");
  EXPECT_EQ(json["power"]["defect"].get<double>(), -0.01);
}

TEST(Summary, ListsTissuesInOrderWithTheirMaximum) {
  Summary summary;
  dosimetry::TissueRow skin;
  skin.name = "skin";
  skin.mass_kg = 0.5;
  skin.sar_mean = 0.25;
  skin.sar_max = 2;
  skin.at = Vec3{0.1, -0.2, 0.3};
  dosimetry::TissueRow air;
  air.name = "air";
  summary.tissues = {skin, air};
  const Json json = Json::parse(summary_text(summary));
  EXPECT_EQ(keys(json["tissues"]), (std::vector<std::string>{"skin", "air"}));
  EXPECT_EQ(keys(json["tissues"]["skin"]),
            (std::vector<std::string>{"mass_kg", "absorbed_W", "sar_mean", "sar_max", "at"}));
  EXPECT_EQ(json["tissues"]["skin"]["at"], Json::array({0.1, -0.2, 0.3}));
  EXPECT_TRUE(json["tissues"]["air"]["sar_max"].is_null());
  EXPECT_TRUE(json["tissues"]["air"]["at"].is_null());
}

TEST(Summary, NamesTheScaling) {
  Summary summary;
  summary.sar = {dosimetry::Normalisation::Normalise::emitted, 0.5, 1.0, 2.0};
  const Json json = Json::parse(summary_text(summary))["sar"];
  EXPECT_EQ(json["normalise"], "emitted");
  EXPECT_EQ(json["run_power_W"], 0.5);
  EXPECT_EQ(json["chosen_power_W"], 1.0);
  EXPECT_EQ(json["factor"], 2.0);
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
  summary.energy.last_J = std::numeric_limits<double>::quiet_NaN();
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
