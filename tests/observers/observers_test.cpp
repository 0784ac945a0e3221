// Observers with a solver that has no fields: their steps, their results, and the same results where they are saved
// half way and loaded into new ones.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "observer_fixture.hpp"
#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/observers/absorbed_spectrum.hpp"
#include "dgtd/observers/exact_error.hpp"
#include "dgtd/observers/field_monitors.hpp"
#include "dgtd/observers/final_fields.hpp"
#include "dgtd/observers/mass_averaging.hpp"
#include "dgtd/observers/powers.hpp"
#include "dgtd/observers/probes.hpp"
#include "dgtd/observers/progress.hpp"
#include "dgtd/observers/sar_spectrum.hpp"
#include "dgtd/observers/snapshots.hpp"
#include "dgtd/physics/sampling.hpp"
#include "support/error_message.hpp"

namespace dgtd::observers {
namespace {

// Many probes need no more open files than a process may have.
TEST_F(ObserverTest, ManyProbesHaveFewOpenFiles) {
  std::vector<Probe> probes;
  for (int i = 0; i < 120; ++i) probes.push_back({"p" + std::to_string(i), {}, 1 + i % 3, "case:1"});
  const Make make = [&](FakeSolver& fake, io::ResultFiles& at) {
    return std::make_unique<Probes>(probes, fake.points, at, io::ProbeFile::digits_single);
  };
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  const rlimit few{100, files.rlim_max};
  setrlimit(RLIMIT_NOFILE, &few);
  const auto whole = directory("whole"), parts = directory("parts");
  run(make, whole, 20), run_in_two_parts(make, parts, 9, 20);
  setrlimit(RLIMIT_NOFILE, &files);
  for (const auto& probe : probes) {
    const std::string table = text(whole / ("probe_" + probe.name + ".csv"));
    ASSERT_EQ(std::count(table.begin(), table.end(), '\n'), 1 + 20 / probe.every);
    ASSERT_EQ(text(parts / ("probe_" + probe.name + ".csv")), table);
  }
}

TEST_F(ObserverTest, ProbesSavedHalfWayAreTheSame) {
  const Make make = [&](FakeSolver& fake, io::ResultFiles& at) {
    const std::vector<Probe> probes = {{"a", {}, 3, "case:1"}, {"b", {}, 10, "case:2"}, {"late", {}, 40, "case:3"}};
    return std::make_unique<Probes>(probes, fake.points, at, io::ProbeFile::digits_single);
  };
  const auto whole = directory("whole"), parts = directory("parts");
  run(make, whole, 50);
  // Rows after the state was saved, of a run that was cut short, are dropped.
  const Make broken = [&](FakeSolver& fake, io::ResultFiles& at) {
    const fs::path table = at.directory() / "probe_a.csv";
    if (fs::exists(table)) std::ofstream(table, std::ios::app) << "half a r";
    return make(fake, at);
  };
  run_in_two_parts(broken, parts, 20, 50);
  for (const char* name : {"probe_a.csv", "probe_b.csv", "probe_late.csv"}) {
    EXPECT_EQ(text(whole / name), text(parts / name)) << name;
    EXPECT_GT(text(whole / name).size(), 80u);
  }
  const std::string table = text(whole / "probe_b.csv");
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 1 + 5);  // not at step 0
}

/// Writes names only.
class NameWriter final : public FieldWriter {
 public:
  explicit NameWriter(std::vector<std::string>& written) : written_(written) {}
  std::string index_name(const std::string& stem) const override { return stem + ".x"; }
  std::int64_t write_present(const io::PiecedFile& to, const std::vector<io::CellQuantity>&) const override {
    written_.push_back(to.stem);
    return 100;
  }
  std::int64_t write_phasors(const io::PiecedFile& to, const std::vector<double>& f, bool peak,
                             const std::vector<io::CellQuantity>&) const override {
    written_.push_back(to.stem + " phasors " + std::to_string(f.size()) + (peak ? " peak" : ""));
    return 1000;
  }
  std::int64_t bytes_present(std::size_t) const override { return 100; }
  std::int64_t bytes_phasors(const std::vector<double>& f, std::size_t quantities) const override {
    return static_cast<std::int64_t>(1000 * f.size() + quantities);
  }
  std::string final_stem() const override { return "last"; }

 private:
  std::vector<std::string>& written_;
};

TEST_F(ObserverTest, SnapshotsSavedHalfWayAreListedTogether) {
  std::vector<std::string> written;
  const NameWriter writer(written);
  const Make make = [&](FakeSolver&, io::ResultFiles& at) {
    return std::make_unique<Snapshots>(20, writer, at, comm_);
  };
  const auto whole = directory("whole"), parts = directory("parts");
  run(make, whole, 70);
  EXPECT_EQ(written, (std::vector<std::string>{"snapshot_00000020", "snapshot_00000040", "snapshot_00000060"}));
  written.clear();
  run_in_two_parts(make, parts, 40, 70);
  EXPECT_EQ(written.size(), 3u);
  EXPECT_EQ(text(whole / "snapshots.pvd"), text(parts / "snapshots.pvd"));
  EXPECT_NE(text(parts / "snapshots.pvd").find("timestep=\"30\" part=\"0\" file=\"snapshot_00000060.x\""),
            std::string::npos);
}

TEST_F(ObserverTest, FinalFieldsAreSumsWhereThereAreAny) {
  std::vector<std::string> written;
  const NameWriter writer(written);
  FourierPlan plan;
  run([&](FakeSolver&, io::ResultFiles&) { return std::make_unique<FinalFields>(writer, plan, 4, comm_); },
      directory("a"), 3);
  plan.frequencies = {1, 2};
  run([&](FakeSolver&, io::ResultFiles&) { return std::make_unique<FinalFields>(writer, plan, 4, comm_); },
      directory("b"), 3);
  EXPECT_EQ(written, (std::vector<std::string>{"last", "last phasors 2 peak"}));
}

TEST_F(ObserverTest, FourierSumsTakeTheStepsOfTheirPlan) {
  FakeSolver fake;
  const FourierPlan plan{{2.0}, 20, 50, 10, 0.5, true};
  std::vector<std::unique_ptr<solver::Observer>> list;
  list.push_back(std::make_unique<FourierSums>(plan, fake.figures));
  Timers timers;
  solver::time_loop(fake.stepper, 50, list, timers);
  EXPECT_EQ(fake.figures.sums, (Steps{30, 40, 50}));
  EXPECT_EQ(fake.stepper.advances, (Steps{20, 10, 10, 10}));
  ASSERT_EQ(fake.figures.frequencies.size(), 1u);
  EXPECT_DOUBLE_EQ(fake.figures.frequencies[0], 4 * pi);

  FakeSolver without;
  list[0] = std::make_unique<FourierSums>(FourierPlan{}, without.figures);
  solver::time_loop(without.stepper, 50, list, timers);
  EXPECT_EQ(without.stepper.advances, (Steps{50}));
}

std::int64_t element_itself(std::size_t element) { return static_cast<std::int64_t>(element); }
Vec3 nowhere(std::size_t) { return {}; }

class FakeMeter : public PowerMeter {
 public:
  Measured measure(std::size_t) const override {
    const dosimetry::Exposure x{{0}, {1}, {4}, {1}, 3, {2}, {1000}, element_itself, nowhere};
    return {x, dosimetry::tissue_table(x, {"skin"}, parallel::Communicator{MPI_COMM_SELF})};
  }
  double outflow(std::size_t) const override { return 0.5; }
  std::vector<std::string> names() const override { return {"skin"}; }
  std::vector<double> absorbed(std::size_t frequency) const override { return {2.0 + double(frequency)}; }
  // A cube of 1.728 g with a SAR of 0.25 W/kg.
  VoxelSar voxels(const dosimetry::Exposure&) const override {
    constexpr int n = 12;
    VoxelSar v{{{},
                std::vector<float>(n * n * n, 1000),
                std::vector<float>(n * n * n, 0.25f),
                std::vector<std::uint16_t>(n * n * n, 1),
                {"air", "skin"}},
               is_sampled};
    for (auto& x : v.grid.nodes)
      for (int i = 0; i <= n; ++i) x.push_back(1e-3 * i);
    return v;
  }
  double voxel_count() const override { return 1728; }
  bool has_cubic_voxels() const override { return true; }
  ExposureBytes exposure_bytes() const override { return {1000, 1000}; }
  bool is_sampled = true;
};

/// The voxels have the one material of the exposure.
class OneTissue final : public FakeMeter {
 public:
  VoxelSar voxels(const dosimetry::Exposure& exposure) const override {
    VoxelSar v = FakeMeter::voxels(exposure);
    v.grid.tissue_names = names();
    std::fill(v.grid.tissue.begin(), v.grid.tissue.end(), std::uint16_t{0});
    return v;
  }
};

class FakeCurrents final : public solver::CurrentSpectra {
 public:
  double current_work(std::size_t frequency) const override { return 0.5 * double(frequency); }
};

// 3 W over the work of half a joule per hertz (phasors' convention) at 2 GHz, of a joule at 1 GHz, of none at 3 GHz;
// the meter's exposure has 2 * 4 / 2 W in a tonne, of which the voxels have 1.728 g.
TEST_F(ObserverTest, SarSpectrumRefersToThePowerAtEachFrequency) {
  OneTissue meter;
  FakeCurrents currents;
  FourierPlan sums;
  sums.frequencies = {3e9, 2e9, 1e9}, sums.peak = false;
  SarSpectrumSettings settings;
  settings.sar = {dosimetry::Normalisation::Normalise::emitted, 3.0};
  settings.averages.masses = {1e-3};
  SarSpectrum spectrum(settings, sums, meter, currents);
  const fs::path at = directory("spectrum");
  io::ResultFiles files(at);
  io::Results results{files, comm_};
  spectrum.finish(results);
  const auto& list = results.summary.keys.at("sar_spectrum").get<io::Value::List>();
  ASSERT_EQ(list.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    const double work = i == 0 ? 1 : 0.5, sar = 0.004 * 3 / work;
    EXPECT_EQ(list[i].at("frequency_Hz").get<double>(), i == 0 ? 1e9 : 2e9);
    EXPECT_DOUBLE_EQ(list[i].at("source_J_per_Hz").get<double>(), 4 * work);
    EXPECT_DOUBLE_EQ(list[i].at("absorbed_share").get<double>(), 4 / work);
    EXPECT_DOUBLE_EQ(list[i].at("outflow_share").get<double>(), 0.5 / work);
    EXPECT_DOUBLE_EQ(list[i].at("defect").get<double>(), 1 - 4.5 / work);
    EXPECT_DOUBLE_EQ(list[i].at("tissues").at("skin").at("sar_mean").get<double>(), sar);
    const double on_voxels = sar * 1000 / 1.728e-3;
    EXPECT_NEAR(list[i].at("averages").at("1g").at("peak").at("sar").get<double>(), on_voxels, 1e-5 * on_voxels);
  }
  ASSERT_EQ(results.quantities.size(), 2u);
  EXPECT_EQ(results.quantities[0].name, "SAR_W_per_kg_1000MHz");
  spectrum.finish_fields(results);
  EXPECT_TRUE(fs::exists(at / "sar_1000MHz.vti"));
  EXPECT_TRUE(fs::exists(at / "sar_2000MHz.vti"));
  EXPECT_EQ(spectrum.field_files(1).size(), 3u);
}

// SAR at the power of the exposure, scaled so that the voxels' power is that of the tissue.
TEST_F(ObserverTest, MassAveragingKeepsThePowerOfSampledTissues) {
  FakeMeter meter;
  for (const bool sampled : {true, false}) {
    meter.is_sampled = sampled;
    MassAveraging averaging({{1e-3, 1e-2}, true}, meter);
    io::ResultFiles files(directory(sampled ? "sampled" : "cells"));
    io::Results results{files, comm_};
    averaging.finish(results);  // no exposure
    EXPECT_FALSE(results.voxels);
    EXPECT_TRUE(results.summary.keys.is_null());
    const auto exposure = std::make_shared<dosimetry::Exposure>();
    dosimetry::TissueRow air, skin;
    air.name = "air", skin.name = "skin", skin.mass_kg = 1.8e-3, skin.absorbed_W = 1.728e-3;  // 1 W/kg
    exposure->tissues = {air, skin};
    results.exposure = exposure;
    averaging.finish(results);
    ASSERT_TRUE(results.voxels);
    const auto& peaks = results.voxels->peaks;
    ASSERT_EQ(peaks.size(), 2u);
    ASSERT_TRUE(peaks[0].peak);
    EXPECT_NEAR(peaks[0].peak->sar, sampled ? 1 : 0.25, 1e-6);
    EXPECT_EQ(peaks[0].peak->tissue, "skin");
    EXPECT_FALSE(peaks[1].peak);  // 10 g are more than there is
    const io::Value &keys = results.summary.keys, &skin_voxels = keys.at("sar_voxels").at("tissues").at("skin");
    EXPECT_EQ(keys.at("sar_voxels").at("tissues").get<io::Value::Object>().size(), 1u);
    EXPECT_EQ(skin_voxels.at("voxels").get<std::int64_t>(), 1728);
    EXPECT_NEAR(skin_voxels.at("mass_kg").get<double>(), 1.728e-3, 1e-9);
    EXPECT_NEAR(skin_voxels.at("absorbed_W").get<double>(), sampled ? 1.728e-3 : 0.432e-3, 1e-9);
    EXPECT_NEAR(skin_voxels.at("power_factor").get<double>(), sampled ? 4 : 1, 1e-6);
    EXPECT_NEAR(keys.at("sar_voxels").at("edge_m").get<double>(), 1e-3, 1e-12);
    EXPECT_EQ(keys.at("sar_averages").at("1g").at("peak").at("tissue").get<std::string>(), "skin");
    EXPECT_TRUE(keys.at("sar_averages").at("10g").at("peak").is_null());
    EXPECT_EQ(results.voxels->averages.size(), 2u);
    averaging.finish_fields(results);
    EXPECT_TRUE(fs::exists(files.directory() / "sar.vti"));
    EXPECT_EQ(averaging.field_files(1)[0].name, "sar.vti");
    // The file's head is not counted before the run.
    EXPECT_LT(double(results.field_bytes), averaging.field_files(1)[0].bytes + 3000);
  }
}

// A run that ends after a period that is not known before.
TEST_F(ObserverTest, PowersTakeTheWorkOfThePeriodAfterWhichTheRunEnds) {
  const FakeMeter meter;
  const Make make = [&](FakeSolver& fake, io::ResultFiles&) {
    PowerSettings settings;
    settings.period = 10;
    settings.frequency = 2;
    return std::make_unique<Powers>(settings, meter, fake.figures, comm_);
  };
  const auto power = [](const io::Results& r) { return r.summary.keys.at("power").at("source_W").get<double>(); };
  const double expected = 2 * 0.1 * (std::sin(50.0) - std::sin(40.0));
  EXPECT_DOUBLE_EQ(power(run(make, directory("whole"), 50)), expected);
  for (const std::int64_t half : {25, 40, 45, 50})
    EXPECT_DOUBLE_EQ(power(run_in_two_parts(make, directory("parts"), half, 50)), expected) << half;
}

// The sources of complex fields supply the mean of the powers with both signs of the phases.
TEST_F(ObserverTest, PowersOfComplexFieldsAreThoseWithThePhasesOfTheSides) {
  struct : FakeMeter {
    std::optional<double> loss_of_opposite_phases(std::size_t) const override { return 0.03; }
  } meter;
  const Make make = [&](FakeSolver& fake, io::ResultFiles&) {
    PowerSettings settings;
    settings.period = 10;
    settings.frequency = 2;
    return std::make_unique<Powers>(settings, meter, fake.figures, comm_);
  };
  const auto results = run(make, directory("complex"), 50);
  const double mean = 2 * 0.1 * (std::sin(50.0) - std::sin(40.0));
  EXPECT_DOUBLE_EQ(results.summary.keys.at("power").at("source_W").get<double>(), 2 * mean - 0.03);
}

// Several phasors are in W, integrals over the run in J/Hz, where a one-sided spectrum is four times as large; one
// phasor has the table of tissues.
TEST_F(ObserverTest, AbsorbedSpectrumHasEachFrequency) {
  const FakeMeter meter;
  const auto text_of = [&](const char* name, std::vector<double> frequencies, bool peak) {
    FourierPlan sums;
    sums.frequencies = std::move(frequencies), sums.peak = peak;
    io::ResultFiles files(directory(name));
    io::Results results{files, comm_};
    AbsorbedSpectrum(meter, sums).finish(results);
    return text(files.directory() / "absorbed.csv");
  };
  EXPECT_EQ(text_of("one", {1e9}, true), "");
  EXPECT_EQ(text_of("descending", {2 * 299792458.0, 299792458}, true),
            "frequency_Hz,wavelength_m,skin_W\n299792458,1,3\n599584916,0.5,2\n");
  EXPECT_EQ(text_of("two", {299792458, 2 * 299792458.0}, true),
            "frequency_Hz,wavelength_m,skin_W\n299792458,1,2\n599584916,0.5,3\n");
  EXPECT_EQ(text_of("all", {299792458}, false), "frequency_Hz,wavelength_m,skin_J_per_Hz\n299792458,1,8\n");
}

TEST_F(ObserverTest, PowersTakeTheWorkOfTheLastPeriod) {
  const FakeMeter meter;
  const Make make = [&](FakeSolver& fake, io::ResultFiles&) {
    PowerSettings settings;
    settings.period_begin = 30;
    settings.frequency = 2;
    return std::make_unique<Powers>(settings, meter, fake.figures, comm_);
  };
  const auto whole = run(make, directory("whole"), 50), parts = run_in_two_parts(make, directory("parts"), 40, 50);
  const auto power = [](const io::Results& r, const char* key) {
    return r.summary.keys.at("power").at(key).get<double>();
  };
  EXPECT_DOUBLE_EQ(power(whole, "source_W"), 2 * 0.1 * (std::sin(50.0) - std::sin(30.0)));
  EXPECT_EQ(power(whole, "source_W"), power(parts, "source_W"));
  EXPECT_EQ(power(whole, "absorbed_W"), 4);  // sigma |E|^2 / 2
  // The second of three elements: SAR = sigma |E|^2 / (2 rho) = 0.004 W/kg, the largest; the source took a power in.
  const double source = power(whole, "source_W");
  ASSERT_EQ(whole.quantities.size(), source > 0 ? 4u : 3u);
  const auto& largest = whole.quantities[whole.quantities.size() - 2];
  EXPECT_EQ(largest.name, "SAR_over_max");
  double values[2];
  largest.fill(std::vector<std::size_t>{0, 1}, values);
  EXPECT_EQ(values[0], 0);
  EXPECT_EQ(values[1], 1);
}

TEST(SarQuantities, AreScaledRelativeAndOverTheEmittedPower) {
  const auto exposure = std::make_shared<dosimetry::Exposure>(
      dosimetry::Exposure{{0, 0}, {1, 1}, {1, 4}, {0, 2}, 3, {2}, {1000}, element_itself, nowhere});
  exposure->scaling.factor = 10;
  const auto list = sar_quantities(exposure, 0.5, parallel::Communicator{MPI_COMM_SELF});
  ASSERT_EQ(list.size(), 4u);
  const std::vector<std::pair<std::string, std::array<double, 3>>> expected = {
      {"SAR_per_emitted_power_per_kg", {0.001 / 0.5, 0, 0.004 / 0.5}},
      {"SAR_W_per_kg", {0.01, 0, 0.04}},
      {"SAR_over_max", {0.25, 0, 1}},
      {"SAR_over_max_dB", {10 * std::log10(0.25), -100, 0}}};
  for (std::size_t q = 0; q < 4; ++q) {
    EXPECT_EQ(list[q].name, expected[q].first);
    double values[3];
    list[q].fill(std::vector<std::size_t>{0, 1, 2}, values);
    for (std::size_t place = 0; place < 3; ++place)
      EXPECT_DOUBLE_EQ(values[place], expected[q].second[place]) << list[q].name << " " << place;
  }
}

TEST(OutputGroups, AreNamesWithWildcards) {
  const std::vector<std::string> names{"brain", "skin", "skull", "air"};
  EXPECT_EQ(chosen_groups({"*"}, names), (std::vector<bool>{true, true, true, true}));
  EXPECT_EQ(chosen_groups({"sk*", "brain"}, names), (std::vector<bool>{true, true, true, false}));
  EXPECT_EQ(chosen_groups({"*i*n"}, names), (std::vector<bool>{true, true, false, false}));
  try {
    chosen_groups({"skin", "bone"}, names);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              "output.groups: bone: there is no such volume; allowed are brain, skin, skull, air, with * for any text");
  }
}

class FakeErrors final : public solver::Fields {
 public:
  void set_fields(const solver::VectorFunction&, const solver::VectorFunction&) override {}
  void randomise_fields() override {}
  std::array<double, 4> squared_errors(const solver::VectorFunction&, const solver::VectorFunction&) const override {
    return {4, 16, 9, 36};
  }
  std::uint64_t fields_hash() const override { return 0; }
};

TEST_F(ObserverTest, ExactErrorIsRelative) {
  const FakeErrors fields;
  const auto zero = [](double) -> solver::VectorFunction { return [](const Vec3&) { return Vec3{}; }; };
  const auto results = run(
      [&](FakeSolver& fake, io::ResultFiles&) {
        return std::make_unique<ExactError>(ExactSolution{zero, zero}, fields, fake.stepper, comm_);
      },
      directory("a"), 5);
  EXPECT_DOUBLE_EQ(results.summary.keys.at("error").at("l2_E").get<double>(), 0.5);
  EXPECT_DOUBLE_EQ(results.summary.keys.at("error").at("l2_H").get<double>(), 0.5);
}

// Where steps are short, few looks: the first stretches are short, and later ones multiples of 16.
TEST_F(ObserverTest, ProgressLooksRarelyWhereStepsAreFast) {
  FakeSolver fake;
  const Energy energy(1'000'000, 1'000'000, true, fake.figures, comm_);
  std::vector<std::unique_ptr<solver::Observer>> list;
  list.push_back(std::make_unique<Progress>(1'000'000, 1.0, "cell", energy, comm_));
  Timers timers;
  solver::time_loop(fake.stepper, 1'000'000, list, timers);
  EXPECT_LT(fake.stepper.advances.size(), 100u);
}

/// Spectra without sums: the step of each sample and its weight. Its regions have given intervals.
class FakeSpectra final : public solver::RegionSpectra {
 public:
  FakeSpectra(const solver::Stepper& stepper, std::vector<std::int64_t> intervals)
      : samples_at(intervals.size()), intervals_(std::move(intervals)), stepper_(stepper) {}
  std::vector<std::vector<std::pair<std::int64_t, double>>> samples_at;  // of the regions

  std::size_t add_region(const solver::Region&) override { return regions_++; }
  const solver::RegionSamples& samples(std::size_t) const override { return places_; }
  std::int64_t sampling_interval(std::size_t region) const override { return intervals_.at(region); }
  void accumulate(std::size_t region, double weight) override {
    samples_at.at(region).emplace_back(stepper_.steps_done(), weight);
  }
  bool are_phasors() const override { return true; }
  solver::RegionSums sums(std::size_t, std::size_t) const override { return {}; }

 private:
  std::vector<std::int64_t> intervals_;
  const solver::Stepper& stepper_;
  solver::RegionSamples places_;
  std::size_t regions_ = 0;
};

// A sample stands for the seconds since the one before; regions whose sums are those of the whole domain have none.
TEST_F(ObserverTest, RegionsAreSampledAtTheirIntervals) {
  using Samples = std::vector<std::pair<std::int64_t, double>>;
  solver::FakeStepper stepper(0.5);
  FakeSpectra spectra(stepper, {10, 0, 15});
  const std::vector<physics::Monitor> regions(3);
  std::vector<std::unique_ptr<solver::Observer>> list;
  list.push_back(std::make_unique<FieldMonitors>(regions, spectra, io::FilePrecision::single_precision, comm_));
  Timers timers;
  solver::time_loop(stepper, 30, list, timers);
  EXPECT_EQ(spectra.samples_at[0], (Samples{{10, 5}, {20, 5}, {30, 5}}));
  EXPECT_EQ(spectra.samples_at[1], Samples{});
  EXPECT_EQ(spectra.samples_at[2], (Samples{{15, 7.5}, {30, 7.5}}));
  EXPECT_EQ(stepper.advances, (Steps{10, 5, 5, 10}));
}

// Phasors of the last period do not exist where the run was interrupted.
TEST_F(ObserverTest, MonitorsOfPhasorsWriteNothingAfterAnInterruption) {
  const solver::FakeStepper stepper;
  FakeSpectra spectra(stepper, {0});
  physics::Monitor monitor;
  monitor.frequencies = {1e9};
  FieldMonitors monitors({monitor}, spectra, io::FilePrecision::single_precision, comm_);
  io::ResultFiles files(directory("a"));
  io::Results results{files, comm_};
  results.summary.interruption = "signal";
  monitors.finish_fields(results);
  EXPECT_TRUE(fs::is_empty(files.directory()));
}

TEST(Sampling, IsEightPerPeriodOfTheMonitorsOrWhatTheSourcesNeed) {
  EXPECT_EQ(physics::sampling_interval({1e9, 2e9}, 0, 1e-12), 62);  // 1 / (8 * 2 GHz)
  EXPECT_EQ(physics::sampling_interval({1e9}, 99e9, 1e-12), 10);    // 1 / (1 GHz + 99 GHz)
  EXPECT_EQ(physics::sampling_interval({1e12}, 0, 1e-12), 1);
}

}  // namespace
}  // namespace dgtd::observers
