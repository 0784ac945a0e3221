// Results of observers of powers and SAR: keys for programs, sections for people.
#include <gtest/gtest.h>

#include "dgtd/io/report.hpp"
#include "dgtd/observers/exposure_limits.hpp"
#include "dgtd/observers/mass_averaging.hpp"
#include "dgtd/observers/powers.hpp"

namespace dgtd::observers {
namespace {

using Normalise = dosimetry::Normalisation::Normalise;
using io::Summary;

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }
double number(const io::Value& value) { return value.get<double>(); }

dosimetry::Exposure exposure() {
  dosimetry::TissueRow skin, metal;
  skin.name = "skin", skin.mass_kg = 0.5, skin.absorbed_W = 0.25, skin.sar_mean = 0.5, skin.sar_max = 3.25;
  skin.at = Vec3{0.0123, 0, -0.05};
  metal.name = "metal", metal.absorbed_W = 0.001;
  dosimetry::Exposure x;
  x.tissues = {skin, metal};
  x.scaling = {Normalise::emitted, 0.004, 1.0, 250.0};
  x.power = 1;
  return x;
}

TEST(TissueSection, HasMassesPowersAndPlaces) {
  Summary s;
  add_tissues(s, exposure(), 0.004);
  const std::string page = report_html(s);
  EXPECT_TRUE(contains(page, "Absorbed, mean over a period [mW]"));
  EXPECT_TRUE(contains(page, "Maximum at [mm]"));
  EXPECT_TRUE(
      contains(page, "<th>skin</th><td>500</td><td>250</td><td>0.5</td><td>3.25</td><td>12.3, 0.0, -50.0</td>"));
  EXPECT_TRUE(contains(page, "<th>metal</th><td>\u2013</td><td>1</td><td>\u2013</td><td>\u2013</td><td>\u2013</td>"));
  EXPECT_TRUE(contains(page, "<th>all tissues</th><td>500</td><td>250</td><td>0.5</td>"));
  EXPECT_TRUE(contains(page, "At an emitted power of 1 W, mean over a period"));
  EXPECT_TRUE(contains(page, "own: 0.004 W; factor 250)"));
  EXPECT_TRUE(contains(page, "E is the peak of its phasor"));
  EXPECT_TRUE(contains(s.sections[0].console, "SAR at an emitted power of 1 W (mean over a period):\nGroup"));
  EXPECT_TRUE(contains(s.sections[0].console, "skin              500"));
}

TEST(TissueSection, HasKeys) {
  Summary s;
  add_tissues(s, exposure(), 0.004);
  EXPECT_EQ(number(s.keys.at("sar").at("factor")), 250);
  EXPECT_EQ(number(s.keys.at("sar").at("run_power_W")), 0.004);
  EXPECT_EQ(s.keys.at("sar").at("normalise").get<std::string>(), "emitted");
  EXPECT_EQ(number(s.keys.at("tissues").at("skin").at("at").at(2)), -0.05);
  EXPECT_TRUE(s.keys.at("tissues").at("metal").at("sar_max").is_null());
  EXPECT_EQ(number(s.report.at("tissues").at(0).at("largest_local_sar_W_per_kg")), 3.25);
  EXPECT_EQ(s.report.at("conventions").at("normalisation").get<std::string>(),
            "at an emitted power of 1 W (mean over a period)");
}

TEST(TissueSection, NamesIncidentPower) {
  dosimetry::Exposure x = exposure();
  x.scaling = {Normalise::incident, 2.0, 10.0, 5.0};
  Summary s;
  add_tissues(s, x, {});
  EXPECT_TRUE(contains(report_html(s), "At an incident power density of 10 W/m\u00b2, mean over a period"));
  EXPECT_EQ(number(s.keys.at("sar").at("run_power_W_per_m2")), 2);
}

// Places of small models have small units.
TEST(TissueSection, HasFittingUnits) {
  dosimetry::Exposure x = exposure();
  x.tissues[0].at = Vec3{300e-9, 0, 0};
  Summary s;
  add_tissues(s, x, {});
  EXPECT_TRUE(contains(report_html(s), "<th>Maximum at [nm]</th>"));
  EXPECT_TRUE(contains(report_html(s), "<td>300.0, 0.0, 0.0</td>"));
}

TEST(PowerSection, HasSharesAndTheDefect) {
  Summary s;
  add_power_balance(s, {0.004, 0.003, 0.00096, 0.01}, "", "");
  const std::string page = report_html(s);
  EXPECT_TRUE(contains(page, "Power [mW]"));
  EXPECT_TRUE(contains(page, "<td>3</td><td>75.00 %</td>"));
  EXPECT_TRUE(contains(page, "<b>1.00 %</b>"));
  EXPECT_EQ(number(s.keys.at("power").at("defect")), 0.01);
  EXPECT_EQ(number(s.report.at("power_balance").at("mean_outflow_power_W")), 0.00096);
  EXPECT_TRUE(contains(s.sections[0].console, "power: source 0.004 W = absorbed 0.003 W"));
  Summary without;
  add_power_balance(without, {{}, 0.003, 0.001, {}}, "", "");
  EXPECT_TRUE(without.sections.empty());
  EXPECT_TRUE(without.keys.at("power").at("source_W").is_null());
}

dosimetry::PeakAverage peak(const std::string& tissue, double sar) {
  dosimetry::PeakAverage p;
  p.sar = sar, p.tissue = tissue, p.at = {0.05, 0.001, -0.02}, p.side = 0.0215;
  p.orientation = dosimetry::Orientation::centred;
  return p;
}

io::AveragedVoxels voxels() {
  dosimetry::MassAverage ten, hundred;
  ten.mass_kg = 0.01, hundred.mass_kg = 0.1;
  ten.peak = peak("skin", 0.8);
  ten.of_tissues = {peak("skin", 0.8)};
  io::AveragedVoxels v;
  v.grid.nodes = {{{0, 0.001, 0.002}, {0, 0.001}, {0, 0.001}}};
  v.peaks = {ten, hundred};
  return v;
}

TEST(AverageSection, HasPeaksOfMassesAndTissues) {
  Summary s;
  add_averages(s, exposure(), voxels(), {true, {{"skin", 7, 0.5, 0.25, 1.02}}});
  const std::string page = report_html(s);
  EXPECT_TRUE(contains(
      page, "<th>10\u00a0g</th><td>0.8</td><td class=\"text\">skin</td><td>50.0, 1.0, -20.0</td><td>21.5 mm</td>"));
  EXPECT_TRUE(contains(page, "no cube of this mass fits into the model"));
  EXPECT_TRUE(contains(page, "<th>Peak over 10\u00a0g [W/kg]</th>"));
  EXPECT_TRUE(contains(page, "<th>skin</th><td>0.8</td><td>50.0, 1.0, -20.0</td><td>\u2013</td><td>\u2013</td>"));
  EXPECT_FALSE(contains(page, "<th>metal</th>"));  // has no average
  EXPECT_TRUE(contains(page, "Voxels of 1 mm."));
  EXPECT_TRUE(contains(page, "so that its power is that of the elements: skin 1.0200."));
  EXPECT_EQ(number(s.report.at("mass_averages").at(0).at("of_tissues").at("skin").at("at_m").at(0)), 0.05);
  EXPECT_TRUE(s.keys.at("sar_averages").at("100g").at("peak").is_null());
  EXPECT_EQ(s.keys.at("sar_voxels").at("cells").at(0).get<std::int64_t>(), 2);
}

std::string page_of_limits(const dosimetry::ExposureFigures& figures) {
  Summary s;
  add_limits(s, dosimetry::compare_with_limits(figures, 1.8e9, 1.0), figures.part, exposure());
  return report_html(s);
}

TEST(LimitSection, HasSharesAndThePowerAtTheLimit) {
  const std::string page = page_of_limits({0.05, {}, 0.8});
  EXPECT_TRUE(
      contains(page, "<td class=\"text\">peak SAR over 10 g</td><td>2</td><td>0.8</td><td>40.00 %</td><td>2.5</td>"));
  EXPECT_TRUE(contains(page, "Emitted power at the limit [W]"));
  EXPECT_TRUE(contains(page, "<td class=\"text\">whole-body mean SAR</td><td>0.08</td><td>0.05</td><td>62.50 %</td>"));
  EXPECT_TRUE(contains(page, "The mean is over all tissue of the model, "));
  EXPECT_FALSE(contains(page, "over 1 g"));  // not computed
  EXPECT_FALSE(contains(page, "The limits of local SAR are not compared"));
  EXPECT_TRUE(contains(page_of_limits({0.05, {}, {}}), "The limits of local SAR are not compared"));
  EXPECT_FALSE(contains(page, "sar.whole_body"));
  const std::string of_a_part = page_of_limits({{}, {}, 0.8});
  EXPECT_TRUE(contains(of_a_part, "the case does not have sar.whole_body = on"));
  EXPECT_FALSE(contains(of_a_part, "whole-body mean SAR"));
  EXPECT_TRUE(contains(of_a_part, "Limits of local SAR are those of the head (sar.part)"));
  dosimetry::ExposureFigures hand{{}, 0.5, 0.8};
  hand.part = dosimetry::BodyPart::extremity;
  const std::string of_a_hand = page_of_limits(hand);
  EXPECT_TRUE(contains(of_a_hand, "<td class=\"text\">peak SAR over 10 g</td><td>4</td><td>0.8</td><td>20.00 %</td>"));
  EXPECT_FALSE(contains(of_a_hand, "peak SAR over 1 g"));
}

TEST(LimitSection, HasKeys) {
  Summary s;
  add_limits(s, dosimetry::compare_with_limits({0.05, {}, 0.8}, 1.8e9, 1.0), dosimetry::BodyPart::head, exposure());
  const auto& limits = s.report.at("limits");
  EXPECT_EQ(limits.get<io::Value::List>().size(), 6u);  // two over 10 g, four of the whole body
  EXPECT_EQ(number(limits.at(0).at("limit_W_per_kg")), 2);
  EXPECT_DOUBLE_EQ(number(limits.at(0).at("mean_power_at_limit_W")), 2.5);
}

// The largest averages come from the voxels, the mean and the power from the exposure.
TEST(LimitSection, ComparesWhatARunHas) {
  const parallel::Communicator comm{MPI_COMM_SELF};
  io::ResultFiles files("");
  io::Results results{files, comm};
  ExposureLimits limits(1.8e9, true, dosimetry::BodyPart::head);
  limits.finish(results);
  EXPECT_TRUE(results.summary.report.is_null());
  results.exposure = std::make_shared<dosimetry::Exposure>(exposure());
  results.voxels = std::make_shared<io::AveragedVoxels>(voxels());
  limits.finish(results);
  const auto& list = results.summary.report.at("limits");
  EXPECT_EQ(number(list.at(0).at("sar_W_per_kg")), 0.8);
  EXPECT_EQ(number(list.at(2).at("sar_W_per_kg")), 0.25 / 0.5);
  results.summary = {};
  ExposureLimits(1.8e9, false, dosimetry::BodyPart::head).finish(results);  // a part of a body
  EXPECT_EQ(results.summary.report.at("limits").get<io::Value::List>().size(), 2u);
}

}  // namespace
}  // namespace dgtd::observers
