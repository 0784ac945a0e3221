// Materials with orders of their own, as a user runs them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "app/program.hpp"

namespace {

std::string write(const fs::path& directory, const std::string& name, const std::string& text) {
  std::ofstream(directory / name) << text;
  return (directory / name).string();
}

/// A lossy block beside a dipole in an open box, with the time of a steady state.
class MixedOrderRuns : public testing::Test {
 protected:
  explicit MixedOrderRuns() : directory_(work(fmt::format("mixed_orders_{}", name()))) {
    const auto made =
        dgtd_mesh("blocks --block air 0 0 0 0.5 0.4 0.4 0.07 --block body 0.35 0.1 0.1 0.5 0.3 0.3 0.05 -o " +
                  (directory_ / "blocks.msh").string());
    EXPECT_EQ(made.code, 0) << made.output;
  }
  static std::string name() { return testing::UnitTest::GetInstance()->current_test_info()->name(); }
  // Case `name` with orders of air and body.
  std::string case_of(const std::string& name, const std::string& air, const std::string& body,
                      const std::string& more = "") const {
    return write(
        directory_, name + ".cfg",
        "[solver]\norder = 2\nbackend = cpu\n[mesh]\ncache = off\nfile = blocks.msh\n[boundary.*]\ntype = "
        "silver-muller\n"
        "[material.air]\n" +
            air + "[material.body]\neps_r = 4\nsigma = 0.2\ndensity = 1000\n" + body +
            "[source.feed]\ntype = dipole\nposition = 0.16 0.2 0.2\ndirection = 0 0 1\nradius = 0.12\n"
            "waveform = ramped-sine\n[time]\nfrequency = 6e8\nperiods = 8\n[probe.p]\nposition = 0.42 0.2 0.21\n"
            "[output]\nreport_pictures = off\n" +
            more);
  }
  nlohmann::json run(const std::string& name, const std::string& arguments, int ranks = 1) const {
    const auto outcome = ranks == 1 ? dgtd(arguments) : dgtd_on(ranks, arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.output;
    return summary(directory_ / "out" / name);
  }
  // On one rank, on three, and after a restart on another number of ranks.
  nlohmann::json expect_same_fields(const std::string& arguments) const {
    const auto whole = run("c", arguments + " --set time.steps=60");
    EXPECT_EQ(run("c", arguments + " --set time.steps=60", 3)["fields_hash"], whole["fields_hash"]);
    run("c", arguments + " --set time.steps=37 --set checkpoint.at_end=on", 2);
    EXPECT_EQ(run("c", arguments + " --set time.steps=60 --restart")["fields_hash"], whole["fields_hash"]);
    return whole;
  }
  const fs::path directory_;
};

// Air of order 1 with elements of a seventh of a wavelength has errors of some per cent; body and balance show them.
TEST_F(MixedOrderRuns, HaveThePowersOfOneOrder) {
  const auto high = run("high", case_of("high", "", "")), mixed = run("mixed", case_of("mixed", "order = 1\n", ""));
  EXPECT_FALSE(high.contains("orders"));
  ASSERT_EQ(mixed["orders"].size(), 2u);
  EXPECT_EQ(mixed["orders"][0]["order"], 1);
  EXPECT_EQ(mixed["orders"][1]["order"], 2);
  EXPECT_EQ(mixed["orders"][0]["elements"].get<double>() + mixed["orders"][1]["elements"].get<double>(),
            mixed["elements"].get<double>());
  EXPECT_EQ(mixed["order"], 2);
  EXPECT_LT(mixed["unknowns"].get<double>(), high["unknowns"].get<double>());
  const auto expect_near = [&](const char* group, const char* key, double tolerance) {
    const double a = mixed[group][key].get<double>(), b = high[group][key].get<double>();
    EXPECT_NEAR(a, b, tolerance * std::abs(b)) << key;
  };
  expect_near("power", "source_W", 0.03);
  expect_near("power", "absorbed_W", 0.05);
  const double source = mixed["power"]["source_W"].get<double>();
  EXPECT_NEAR(mixed["power"]["absorbed_W"].get<double>() + mixed["power"]["outflow_W"].get<double>(), source,
              0.02 * source);
}

TEST_F(MixedOrderRuns, HaveTheSameFieldsOnAnyRanksAndAfterARestart) {
  expect_same_fields(case_of("c", "order = 1\n", "order = 2\n", "fields = none\n"));
}

// A fine body away from the absorbing boundary: its elements, of the higher order, take two steps.
TEST_F(MixedOrderRuns, HaveTheSameFieldsWithLocalSteps) {
  const auto made =
      dgtd_mesh("blocks --block air 0 0 0 0.6 0.4 0.4 0.07 --block body 0.35 0.15 0.15 0.47 0.27 0.27 0.05 -o " +
                (directory_ / "inner.msh").string());
  ASSERT_EQ(made.code, 0) << made.output;
  const auto whole = expect_same_fields(case_of("c", "order = 1\n", "order = 2\n", "fields = none\n") +
                                        " --set mesh.file=inner.msh --set material.body.eps_r=2 --set "
                                        "time.frequency=1e8 --set time.local_steps=on");
  ASSERT_EQ(whole["time_levels"].size(), 2u);
  EXPECT_GT(whole["time_levels"][1].get<double>(), whole["orders"][1]["elements"].get<double>())
      << "elements of the body, and those beside them";
  EXPECT_GT(whole["local_steps_gain"].get<double>(), 1.05);
}

// All materials of one order are a run of that order.
TEST_F(MixedOrderRuns, OfOneOrderAreThoseOfTheSolversOrder) {
  const auto solver = run("a", case_of("a", "", "", "fields = none\n") + " --set time.steps=20 --set solver.order=1"),
             materials =
                 run("b", case_of("b", "order = 1\n", "order = 1\n", "fields = none\n") + " --set time.steps=20");
  EXPECT_EQ(materials["fields_hash"], solver["fields_hash"]);
  EXPECT_EQ(materials["order"], 1);
}

// The order of the case is chosen by wavelengths: air here P1 or P2, the body, of twice the index, P2 and its
// neighbours; the same on any ranks, to which work is shared by order.
TEST_F(MixedOrderRuns, OfWavelengthsAreTheSameOnAnyRanks) {
  const std::string file =
      case_of("c", "", "", "fields = none\n") + " --set solver.order=auto --set solver.order_max=2 --set time.steps=40";
  const auto whole = run("c", file + " --set solver.order_error=0.05");
  ASSERT_EQ(whole["orders"].size(), 2u);
  const auto outcome = dgtd_on(3, file + " --set solver.order_error=0.05");
  ASSERT_EQ(outcome.code, 0) << outcome.output;
  const auto at = outcome.output.find("the largest work of a rank is ");
  ASSERT_NE(at, std::string::npos) << outcome.output;
  EXPECT_LT(std::stod(outcome.output.substr(at + 30)), 1.05);
  const auto parts = summary(directory_ / "out" / "c");
  EXPECT_EQ(parts["fields_hash"], whole["fields_hash"]);
  EXPECT_EQ(parts["orders"], whole["orders"]);
  run("c", file + " --set solver.order_error=0.05 --set time.steps=23 --set checkpoint.at_end=on", 2);
  EXPECT_EQ(run("c", file + " --set solver.order_error=0.05 --restart")["fields_hash"], whole["fields_hash"]);
  EXPECT_FALSE(run("c", file + " --set solver.order_error=0.9").contains("orders"));
}

// Where air has order 1 its error is most of all: it rises there, and the estimate falls to what is expected.
TEST_F(MixedOrderRuns, AdaptOrdersToTheErrorsOfAnotherRun) {
  const std::string more = "error = on\nfields = none\n";
  const auto first = run("first", case_of("first", "order = 1\n", "", more));
  const auto index = content(directory_ / "out" / "first" / "files.json");
  EXPECT_NE(index.find("element_errors.csv"), std::string::npos);
  const std::string from = " --adapt " + (directory_ / "out" / "first").string() + " --set solver.order_max=2";
  const std::string file = case_of("second", "order = 1\n", "", more);
  const auto second = run("second", file + from);
  const auto& figures = second["adaptation"];
  EXPECT_NEAR(figures["error_target"].get<double>(), 0.5 * figures["error_before"].get<double>(), 1e-9);
  EXPECT_LT(figures["error_expected"].get<double>(), figures["error_before"].get<double>());
  const auto air = [](const nlohmann::json& of) {
    return of["error_estimate"].at(0)["materials"]["air"]["E"].get<double>();
  };
  EXPECT_LT(air(second), 0.7 * air(first));
  for (const int ranks : {2, 4}) EXPECT_EQ(run("second", file + from, ranks)["fields_hash"], second["fields_hash"]);
  EXPECT_NE(content(directory_ / "out" / "second" / "report.html").find("Orders of elements"), std::string::npos);

  expect_bad_input(dgtd(file + " --adapt " + (directory_ / "out").string()),
                   "element_errors.csv: cannot be read; a run with output.error = on writes it");
  expect_bad_input(dgtd(case_of("first", "", "", more) + from), "is the output directory of this run too");
  ASSERT_EQ(dgtd_mesh("blocks --block air 0 0 0 0.5 0.4 0.4 0.09 --block body 0.35 0.1 0.1 0.5 0.3 0.3 0.05 -o " +
                      (directory_ / "blocks.msh").string())
                .code,
            0);
  expect_bad_input(dgtd(file + from), "is of another mesh (");
}

TEST_F(MixedOrderRuns, OfWavelengthsNeedAFrequency) {
  const auto cavity = write(directory_, "cavity.cfg",
                            "[solver]\norder = auto\nbackend = cpu\n[mesh]\ngenerator = box\ncells = 2 2 2\nsize = 1 1 "
                            "1\n[time]\nsteps = 3\n[initial]\ntype = cavity-mode\nmode = 1 1 0\n");
  expect_bad_input(dgtd(cavity), "solver.order = auto: orders follow from the wavelength, and the case has no frequency");
  EXPECT_EQ(dgtd(cavity + " --set time.frequency=2e8").code, 0);
}

TEST_F(MixedOrderRuns, RefuseWhatIsOfOneOrder) {
  const std::string file = case_of("c", "order = 1\n", "");
  expect_bad_input(dgtd(file + " --set source.feed.radius=0.25"),
                   "[source.feed]: the dipole's current has a radius of 0.25 m and reaches into elements of another "
                   "order, which are 0.19 m away");
  expect_bad_input(dgtd(file + " --set material.air.order=7"), "material.air.order=7");
  const auto wave = write(directory_, "wave.cfg",
                          content(file) +
                              "[source.w]\ntype = plane-wave\ndirection = 1 0 0\npolarisation "
                              "= 0 0 1\nwaveform = ramped-sine\nbox_min = 0.1 0.1 0.1\nbox_max "
                              "= 0.4 0.3 0.3\n");
  expect_bad_input(dgtd(wave),
                   "source.w: elements of several orders (P1, P2) have dipoles, and plane waves that enter through the "
                   "absorbing boundary, without box_min and box_max or total_field");
}

}  // namespace
