// Charts that observers add to the report.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <map>
#include <filesystem>

#include "dgtd/base/constants.hpp"
#include "dgtd/io/report.hpp"
#include "dgtd/io/results.hpp"
#include "dgtd/observers/absorbed_spectrum.hpp"
#include "dgtd/observers/energy.hpp"
#include "dgtd/observers/far_fields.hpp"
#include "dgtd/observers/probes.hpp"
#include "dgtd/solver/time_loop.hpp"
#include "solver/fake_solver.hpp"

namespace dgtd::observers {
namespace {

namespace fs = std::filesystem;

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

class ChartTest : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(directory_); }
  void TearDown() override { fs::remove_all(directory_); }

  // The block of the kind that a section has first.
  template <class Kind>
  const Kind& first(std::size_t section) const {
    for (const io::Block& block : results_.summary.sections.at(section).blocks)
      if (const auto* found = std::get_if<Kind>(&block)) return *found;
    throw std::logic_error("the section has no such block");
  }

  const fs::path directory_ = fs::temp_directory_path() / ("dgtd_charts_" + std::to_string(getpid()));
  const parallel::Communicator comm_{MPI_COMM_SELF};
  io::ResultFiles files_{directory_};
  io::Results results_{files_, comm_};
};

void run(solver::Stepper& stepper, std::unique_ptr<solver::Observer> observer, std::int64_t steps,
         io::Results& results) {
  std::vector<std::unique_ptr<solver::Observer>> list;
  list.push_back(std::move(observer));
  Timers timers;
  solver::time_loop(stepper, steps, list, timers);
  list[0]->finish(results);
}

TEST_F(ChartTest, EnergyIsOverTime) {
  solver::FakeStepper stepper;
  solver::FakeFigures figures(stepper);
  run(stepper, std::make_unique<Energy>(10, 25, true, figures, comm_), 25, results_);
  const auto& chart = first<io::Chart>(0);
  EXPECT_TRUE(chart.y.is_logarithmic);
  ASSERT_EQ(chart.curves.size(), 1u);
  EXPECT_EQ(chart.curves[0].x.size(), 4u);
  EXPECT_EQ(chart.curves[0].x.back(), 12.5);
  EXPECT_EQ(chart.curves[0].y, (std::vector<double>(4, 1.0)));
  EXPECT_TRUE(contains(report_html(results_.summary), "<figcaption>Energy of the fields</figcaption>"));
}

// Two samples, of which the second is 0.
TEST_F(ChartTest, OneEnergyOnALogarithmicScaleIsNotDrawn) {
  solver::FakeStepper stepper;
  solver::FakeFigures figures(stepper);
  figures.growth = -0.1;
  run(stepper, std::make_unique<Energy>(10, 10, true, figures, comm_), 10, results_);
  EXPECT_EQ(results_.summary.keys.at("energy").at("last_J").get<double>(), 0);
  EXPECT_THROW(first<io::Chart>(0), std::logic_error);
}

// E is (steps, 0, 1/3): the component that is 0 is left out. A probe without samples has nothing.
TEST_F(ChartTest, ProbesAreOverTime) {
  solver::FakeStepper stepper;
  solver::FakePoints points(stepper);
  const std::vector<Probe> probes{{"ear", {}, 10, "case:1"}, {"late", {}, 100, "case:2"}};
  run(stepper, std::make_unique<Probes>(probes, points, files_, io::ProbeFile::digits_single), 40, results_);
  const auto& chart = first<io::Chart>(0);
  EXPECT_EQ(chart.title, "E at probe ear");
  ASSERT_EQ(chart.curves.size(), 2u);
  EXPECT_EQ(chart.curves[0].name, "Ex");
  EXPECT_EQ(chart.curves[0].x, (std::vector<double>{5, 10, 15, 20}));
  EXPECT_EQ(chart.curves[0].y, (std::vector<double>{10, 20, 30, 40}));
  EXPECT_EQ(chart.curves[1].name, "Ez");
  EXPECT_TRUE(contains(report_html(results_.summary), "<p>E at probe late: no values</p>"));
}

class ManyMaterials final : public PowerMeter {
 public:
  Measured measure(std::size_t) const override { return {}; }
  double outflow(std::size_t) const override { return 0; }
  std::vector<std::string> names() const override { return {"a", "air", "c", "d", "e", "f", "g", "h"}; }
  std::vector<double> absorbed(std::size_t f) const override { return {1.0 + double(f), 0, 3, 4, 5, 6, 7, 8}; }
  VoxelSar voxels(const dosimetry::Exposure&) const override { return {}; }
  double voxel_count() const override { return 0; }
  bool has_cubic_voxels() const override { return false; }
  ExposureBytes exposure_bytes() const override { return {0, 0}; }
};

// Six of the seven materials that absorb; integrals over the run are one-sided.
TEST_F(ChartTest, AbsorptionIsOfTheMaterialsWithMost) {
  FourierPlan sums;
  sums.frequencies = {3e14, 4e14}, sums.peak = false;
  AbsorbedSpectrum(ManyMaterials(), sums).finish(results_);
  const auto& chart = first<io::Chart>(0);
  ASSERT_EQ(chart.curves.size(), 6u);
  EXPECT_EQ(chart.curves[0].name, "h");
  EXPECT_EQ(chart.curves[0].y, (std::vector<double>{32, 32}));
  EXPECT_EQ(chart.curves[5].name, "c");
  EXPECT_EQ(chart.y.unit, "J/Hz");
  EXPECT_TRUE(chart.x.has_wavelengths);
  EXPECT_EQ(first<io::Note>(0).text, "The 6 materials that absorb most; all 7 are in absorbed.csv.");
}

// One pair of samples on each surface: the flux is 2 Re E conj(H) area / Z0 with its area.
class OnePair final : public solver::RegionSpectra {
 public:
  explicit OnePair(std::vector<double> areas) {
    for (const double area : areas) samples_.push_back({{}, {}, {{area}, {Vec3{0, 0, 0}}, {0}, {1}}});
  }
  std::size_t add_region(const solver::Region& region) override {
    samples_.at(regions_).frequencies = std::get<physics::Flux>(region).frequencies;
    return regions_++;
  }
  const solver::RegionSamples& samples(std::size_t region) const override { return samples_.at(region); }
  std::int64_t sampling_interval(std::size_t) const override { return 1; }
  void accumulate(std::size_t, double) override {}
  bool are_phasors() const override { return false; }
  solver::RegionSums sums(std::size_t, std::size_t frequency) const override {
    const auto value = [=](double v) {
      return [=](std::size_t, std::size_t, double* real, double* imag) { *real = v, *imag = 0; };
    };
    return {value(1 + double(frequency)), value(1)};
  }

 private:
  std::vector<solver::RegionSamples> samples_;
  std::size_t regions_ = 0;
};

physics::Flux flux(const char* name, std::vector<double> frequencies) {
  physics::Flux f;
  f.name = name, f.frequencies = std::move(frequencies);
  return f;
}

// The first two share a chart, the third is a thousand times smaller; what enters a body is shown as positive.
TEST_F(ChartTest, FluxesOfSimilarSizeAreTogether) {
  OnePair spectra({1, -2, 1e-3});
  const std::vector<double> f{3e9, 4e9};
  Fluxes(
      {flux("out", f), flux("in", f), flux("small", f)}, spectra, [](const auto&) { return std::vector<double>{}; },
      comm_)
      .finish(results_);
  const auto& section = results_.summary.sections.at(0);
  ASSERT_EQ(section.blocks.size(), 2u);
  const auto& chart = std::get<io::Chart>(section.blocks[0]);
  ASSERT_EQ(chart.curves.size(), 2u);
  EXPECT_EQ(chart.curves[0].name, "out");
  EXPECT_EQ(chart.curves[1].name, "in, inwards");
  EXPECT_EQ(chart.y.unit, "J/Hz");
  EXPECT_FALSE(chart.x.has_wavelengths);
  EXPECT_NEAR(chart.curves[1].y[1], 2 * 2 * 2 / vacuum_impedance, 1e-12);
  EXPECT_EQ(std::get<io::Chart>(section.blocks[1]).curves[0].name, "small");
}

// An exact curve follows that of the run, also where that is turned, with the largest difference.
TEST_F(ChartTest, ExactCrossSectionsAreBesideThoseOfTheRun) {
  OnePair spectra({-2, 1});
  const std::vector<double> f{3e9, 4e9};
  Fluxes fluxes(
      {flux("in", f), flux("other", f)}, spectra,
      [](const auto&) {
        return std::vector<double>{2, 4};
      },
      comm_);
  fluxes.compare_with([](const physics::Flux& of) {
    return of.name == "in" ? ExactSpectrum{{-0.02, -0.01}, "a formula"} : ExactSpectrum{};
  });
  fluxes.finish(results_);
  const auto& section = results_.summary.sections.at(0);
  std::vector<io::Curve> curves;
  for (const auto& block : section.blocks)
    if (const auto* chart = std::get_if<io::Chart>(&block))
      curves.insert(curves.end(), chart->curves.begin(), chart->curves.end());
  ASSERT_EQ(curves.size(), 3u);
  EXPECT_EQ(curves[0].name, "in, inwards");
  EXPECT_EQ(curves[1].name, "in, inwards, exact");
  EXPECT_EQ(curves[1].y, (std::vector<double>{0.02, 0.01}));
  EXPECT_EQ(curves[2].name, "other");
  const double most = std::max(std::abs(curves[0].y[0] - 0.02), std::abs(curves[0].y[1] - 0.01));
  EXPECT_EQ(std::get<io::Note>(section.blocks.back()).text,
            fmt::format("in, inwards, exact: a formula, from which the run differs by at most {:.2g} % of its largest "
                        "value.",
                        100 * most / 0.02));
}

// 2e-13 of the largest one is rounding, 2e-12 is not.
TEST_F(ChartTest, FluxesOfRoundingAloneAreNotDrawn) {
  OnePair spectra({1, 2e-13, 2e-12});
  const std::vector<double> f{3e9, 4e9};
  Fluxes(
      {flux("out", f), flux("nothing", f), flux("little", f)}, spectra,
      [](const auto&) { return std::vector<double>{}; }, comm_)
      .finish(results_);
  const auto& section = results_.summary.sections.at(0);
  ASSERT_EQ(section.blocks.size(), 3u);
  EXPECT_EQ(std::get<io::Chart>(section.blocks[0]).curves.at(0).name, "out");
  EXPECT_EQ(std::get<io::Chart>(section.blocks[1]).curves.at(0).name, "little");
  EXPECT_EQ(std::get<io::Note>(section.blocks[2]).text, "Rounding alone, and not shown: nothing.");
}

// R = 0.25 and T = 0.75 + 1e-6 of 8 J/Hz along -z; the table has the rest, -1e-6, the chart 0. Without energy at the
// second frequency there is no share.
TEST_F(ChartTest, SharesOfNothingAreNotBelowTheAxis) {
  const std::vector<double> f{3e9, 4e9};
  const auto shares = flux_shares({{"behind", f, {2, 0}, {1e-6, 0}}, {"beyond", f, {-6 - 8e-6, 0}, {-8, 0}}});
  ASSERT_NE(shares.only(true), nullptr);
  EXPECT_EQ(shares.only(true)->name, "behind");
  EXPECT_DOUBLE_EQ(shares.only(true)->of_all, 0.25);
  add_shares(results_, shares);
  const auto& chart = first<io::Chart>(0);
  ASSERT_EQ(chart.curves.size(), 3u);
  EXPECT_DOUBLE_EQ(chart.curves[0].y[0], 0.25);
  EXPECT_DOUBLE_EQ(chart.curves[1].y[0], 0.75 + 1e-6);
  EXPECT_EQ(chart.curves[2].y[0], 0);
  EXPECT_TRUE(std::isnan(chart.curves[0].y[1]));
  EXPECT_NEAR(results_.summary.keys.at("shares").at("A").get<double>(), -1e-6, 1e-12);
}

TEST_F(ChartTest, FluxesThroughPlanesHaveADirection) {
  OnePair spectra({-1});
  physics::Flux plane = flux("reflected", {3e9, 4e9});
  plane.type = physics::Flux::Type::plane, plane.size = {1, 1, 0};
  Fluxes(
      {plane}, spectra, [](const auto&) { return std::vector<double>{}; }, comm_)
      .finish(results_);
  EXPECT_EQ(first<io::Chart>(0).curves.at(0).name, "reflected, towards \u2212z");
}

TEST_F(ChartTest, FluxesOfAWaveAreCrossSections) {
  OnePair spectra({1, 1});
  Fluxes(
      {flux("many", {3e9, 4e9}), flux("one", {3e9})}, spectra,
      [](const auto& f) { return std::vector<double>(f.size(), 2 / vacuum_impedance); }, comm_)
      .finish(results_);
  const auto& chart = first<io::Chart>(0);
  EXPECT_EQ(chart.y.unit, "m\u00b2");
  EXPECT_NEAR(chart.curves.at(0).y[1], 2, 1e-12);
  ASSERT_EQ(chart.curves.size(), 1u);
  EXPECT_EQ(first<io::Entries>(0).list.at(0).name, "one, 3 GHz");
  EXPECT_EQ(first<io::Entries>(0).list.at(0).value, "1 m\u00b2");
}

TEST_F(ChartTest, FarFieldsHaveCutsWhereTheyAreTabulated) {
  OnePair spectra({1, 1});
  physics::FarField far, odd;
  far.name = "f", far.frequencies = {3e9, 4e9}, far.theta = 19, far.phi = 8;
  odd.name = "odd", odd.frequencies = {3e9}, odd.theta = 19, odd.phi = 6;
  const auto none = [](const auto&) { return std::vector<double>{}; };
  for (const physics::FarField& field : {far, odd}) FarFields(field, {}, spectra, none, false).finish(results_);
  ASSERT_EQ(results_.summary.sections.size(), 1u);
  ASSERT_EQ(results_.summary.sections[0].blocks.size(), 2u);
  const auto& cuts = first<io::PolarChart>(0).cuts;
  ASSERT_EQ(cuts.size(), 2u);
  for (const auto& cut : cuts) {
    EXPECT_EQ(cut.x.size(), 2 * 19u - 1);
    EXPECT_NEAR(cut.x.back(), 2 * pi, 1e-12);
    EXPECT_NEAR(cut.y.front(), cut.y.back(), 1e-9);
    EXPECT_LE(*std::max_element(cut.y.begin(), cut.y.end()), first<io::PolarChart>(0).largest * (1 + 1e-12));
  }
  EXPECT_TRUE(contains(first<io::PolarChart>(0).title, "at 4 GHz"));
  EXPECT_EQ(first<io::Chart>(0).y.unit, "J/Hz");
}

// A closed surface around the centre of the box, with the ratio of directivities as that of distances.
TEST_F(ChartTest, FarFieldsAreBodies) {
  OnePair spectra({1});
  physics::FarField far;
  far.name = "f", far.frequencies = {3e9}, far.theta = 19, far.phi = 24;
  far.centre = {1, 2, 3}, far.size = {4, 3, 2};
  FarFields(
      far, {}, spectra, [](const auto&) { return std::vector<double>{}; }, true)
      .finish(results_);
  const auto& body = first<io::Scene>(0).surfaces.at(0);
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
  std::set<std::uint32_t> used;
  double farthest = 0;
  for (std::size_t t = 0; t < body.triangles.size(); ++t) {
    const auto& corners = body.triangles[t];
    double mean = 0;
    for (int c = 0; c < 3; ++c) {
      const auto a = corners[c], b = corners[(c + 1) % 3];
      ++edges[{std::min(a, b), std::max(a, b)}];
      used.insert(a);
      const auto& p = body.points[a];
      const double distance = std::hypot(p[0] - 1, p[1] - 2, p[2] - 3);
      farthest = std::max(farthest, distance), mean += distance / 3;
    }
    EXPECT_NEAR(mean, double(body.values[0][t]) / first<io::Scene>(0).quantities.at(0).highest, 1e-6);
  }
  EXPECT_NEAR(farthest, 1, 1e-6);
  for (const auto& [edge, triangles] : edges) EXPECT_EQ(triangles, 2);
  EXPECT_EQ(used.size() + body.triangles.size(), edges.size() + 2);  // Euler, of a sphere
}

}  // namespace
}  // namespace dgtd::observers
