#include "dgtd/dosimetry/sar.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "dgtd/base/error.hpp"
#include "support/error_message.hpp"

namespace dgtd::dosimetry {
namespace {

using parallel::Communicator;
using Normalise = Normalisation::Normalise;

struct Element {
  std::uint16_t group;
  double volume, conductivity, density, mean_square_field;
  Vec3 centroid;
};

// Element i belongs to rank (i + shift) % size, so that the tests can move the maximum over the ranks.
Exposure dealt(const std::vector<Element>& elements, const Communicator& communicator, int shift = 0,
               bool descending = false) {
  Exposure mine;
  const int count = static_cast<int>(elements.size());
  std::vector<std::int64_t> id;
  std::vector<Vec3> centroid;
  for (const Element& e : elements) {
    mine.conductivity.resize(std::max<std::size_t>(mine.conductivity.size(), e.group + 1u));
    mine.density.resize(mine.conductivity.size());
    mine.conductivity[e.group] = e.conductivity, mine.density[e.group] = e.density;
  }
  for (int k = 0; k < count; ++k) {
    const int i = descending ? count - 1 - k : k;
    if ((i + shift) % communicator.size() != communicator.rank()) continue;
    const Element& e = elements[i];
    mine.group.push_back(e.group);
    mine.volume.push_back(e.volume);
    mine.mean_square_field.push_back(e.mean_square_field);
    id.push_back(100 + i);
    centroid.push_back(e.centroid);
  }
  mine.element_id = [id](std::size_t e) { return id[e]; };
  mine.centroid = [centroid](std::size_t e) { return centroid[e]; };
  return mine;
}

const std::vector<std::string> names{"skin", "air", "metal", "brain"};

// skin: sigma 1.25, rho 1100; brain: sigma 1, rho 1000; metal conducts and has no density.
const std::vector<Element> elements{
    {0, 2e-6, 1.25, 1100, 440, {1, 2, 3}},                                        // SAR 0.25
    {0, 1e-6, 1.25, 1100, 1760, {4, 5, 6}},                                       // SAR 1
    {2, 1e-6, 10, 0, 100, {0, 0, 0}},       {3, 1e-6, 1, 1000, 4000, {7, 8, 9}},  // SAR 2, twice
    {3, 3e-6, 1, 1000, 4000, {-7, -8, -9}},
};

TEST(LocalSar, IsSigmaTimesSquareOverTwiceTheDensity) {
  Exposure exposure = dealt(elements, Communicator(MPI_COMM_SELF));
  EXPECT_DOUBLE_EQ(local_sar(exposure, 0), 0.25);
  EXPECT_DOUBLE_EQ(local_sar(exposure, 1), 1.0);
  EXPECT_EQ(local_sar(exposure, 2), 0.0);
  exposure.scaling.factor = 4;  // to another power
  EXPECT_DOUBLE_EQ(local_sar(exposure, 1), 4.0);
}

// On a grid only tissue cells are listed.
TEST(Entries, AreFoundByTheirElements) {
  Exposure exposure;
  for (const std::size_t element : {1, 2, 63, 64, 191, 320, 321, 383, 384}) exposure.listed.push_back(element);
  exposure.elements = 400;
  const EntryFinder entry(exposure);
  std::size_t next = 0;
  for (std::size_t element = 0; element < exposure.elements; ++element) {
    const bool listed = next < exposure.listed.size() && exposure.listed[next] == element;
    EXPECT_EQ(entry(element), listed ? std::optional(next++) : std::nullopt) << element;
  }
  EXPECT_EQ(EntryFinder(Exposure{})(7), std::optional<std::size_t>(7));  // all elements have entries
}

// More entries than are added together, the largest one twice, in different blocks.
TEST(TissueTable, OfManyEntries) {
  constexpr std::size_t count = 200000;
  Exposure exposure;
  for (std::size_t e = 0; e < count; ++e) {
    const bool largest = e == 70000 || e == 150000;
    exposure.group.push_back(e % 2), exposure.volume.push_back(0.5);
    exposure.mean_square_field.push_back(largest ? 5 : 3);
  }
  exposure.conductivity = {2, 2}, exposure.density = {1000, 1000};
  exposure.element_id = [](std::size_t e) { return std::int64_t(count - e); };
  exposure.centroid = [](std::size_t e) { return Vec3{double(e), 0, 0}; };
  const auto rows = tissue_table(exposure, {"even", "odd"}, Communicator(MPI_COMM_SELF));
  EXPECT_DOUBLE_EQ(rows[0].mass_kg, 0.5 * 1000 * count / 2);  // exact in every order
  EXPECT_DOUBLE_EQ(rows[0].absorbed_W, 0.5 * (3 * count / 2 + 4));
  EXPECT_DOUBLE_EQ(rows[1].absorbed_W, 0.5 * 3 * count / 2);
  EXPECT_EQ(rows[0].element_id, std::int64_t(count - 150000));  // the lowest number
  EXPECT_EQ(rows[0].at->x, 150000);
  EXPECT_DOUBLE_EQ(largest_sar(exposure, Communicator(MPI_COMM_SELF)), 2 * 5 / 2000.0);
}

TEST(TissueTable, AddsMassAndPower) {
  const Communicator world;
  const auto rows = tissue_table(dealt(elements, world), names, world);
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0].name, "skin");
  EXPECT_DOUBLE_EQ(rows[0].mass_kg, 3.3e-3);
  EXPECT_DOUBLE_EQ(rows[0].absorbed_W, 0.5 * 1.25 * (440 * 2e-6 + 1760 * 1e-6));
  EXPECT_DOUBLE_EQ(*rows[0].sar_mean, (0.25 * 2 + 1.0) / 3);  // by volume: one density
  EXPECT_DOUBLE_EQ(*rows[0].sar_max, 1.0);
  EXPECT_EQ(*rows[0].at, (Vec3{4, 5, 6}));
  EXPECT_EQ(rows[0].element_id, 101);
}

TEST(TissueTable, HasNoSarWithoutDensityButPower) {
  const Communicator world;
  const auto rows = tissue_table(dealt(elements, world), names, world);
  EXPECT_EQ(rows[1].mass_kg, 0);  // no element at all
  EXPECT_FALSE(rows[1].sar_max);
  EXPECT_DOUBLE_EQ(rows[2].absorbed_W, 0.5 * 10 * 100 * 1e-6);
  EXPECT_FALSE(rows[2].sar_mean);
  EXPECT_FALSE(rows[2].sar_max);
  EXPECT_FALSE(rows[2].at);
}

TEST(TissueTable, BreaksTiesByElementNumber) {
  const Communicator world;
  for (const int shift : {0, 1})
    for (const bool descending : {false, true}) {
      const auto rows = tissue_table(dealt(elements, world, shift, descending), names, world);
      EXPECT_EQ(rows[3].element_id, 103);
      EXPECT_EQ(*rows[3].at, (Vec3{7, 8, 9}));
    }
}

TEST(TissueTable, FindsAMaximumOfZero) {
  const Communicator world;
  const auto rows =
      tissue_table(dealt({{0, 1, 0, 1000, 5, {1, 1, 1}}, {0, 1, 0, 1000, 6, {2, 2, 2}}}, world), {"fat"}, world);
  EXPECT_EQ(*rows[0].sar_max, 0);
  EXPECT_EQ(rows[0].element_id, 100);
}

TEST(Scaling, IsOneWithoutNormalisation) {
  const SarScaling result = scaling({}, {});
  EXPECT_EQ(result.factor, 1);
  EXPECT_FALSE(result.run_power);
}

TEST(Scaling, BringsTheChosenPowerToItsValue) {
  ReferencePowers emitted, accepted, at_port, of_wave;
  emitted.emitted_W = 0.004, of_wave.incident_W_per_m2 = 2;
  accepted.emitted_W = 1, accepted.accepted_W = 0.5;
  at_port.accepted_W = 1, at_port.incident_at_port_W = 4;
  EXPECT_DOUBLE_EQ(scaling({Normalise::emitted, {}}, emitted).factor, 250);
  EXPECT_DOUBLE_EQ(scaling({Normalise::accepted, 0.25}, accepted).factor, 0.5);
  EXPECT_DOUBLE_EQ(scaling({Normalise::incident_at_port, 2}, at_port).factor, 0.5);
  EXPECT_DOUBLE_EQ(scaling({Normalise::incident, 10}, of_wave).factor, 5);
}

std::string error_of(const Normalisation& sar, const ReferencePowers& powers) {
  return message([&] { scaling(sar, powers); });
}

TEST(Scaling, SaysWhatIsMissing) {
  ReferencePowers dipole, plane_wave;
  dipole.emitted_W = -0.5;
  plane_wave.incident_W_per_m2 = 1;
  EXPECT_EQ(error_of({Normalise::emitted, {}}, plane_wave),
            "sar.normalise = emitted: the case has no dipole source and no port with excite; use incident or none");
  EXPECT_EQ(error_of({Normalise::incident, {}}, dipole),
            "sar.normalise = incident: the case has no plane-wave source; use emitted, accepted, incident at port or none");
  EXPECT_EQ(error_of({Normalise::emitted, {}}, dipole),
            "sar.normalise = emitted: the run's power is -0.5 W, but it must be positive");
  dipole.emitted_W = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(error_of({Normalise::emitted, {}}, dipole),
            "sar.normalise = emitted: the run's power is nan W, but it must be positive");
  EXPECT_EQ(error_of({Normalise::incident, -1}, plane_wave), "sar.power = -1: must be positive");
  EXPECT_EQ(error_of({Normalise::none, 1}, dipole),
            "sar.power = 1 has no meaning with sar.normalise = none; name the power that is to have this value: "
            "emitted, accepted, incident at port or incident");
}

TEST(Scaling, AppliesToRows) {
  TissueRow row;
  row.mass_kg = 2;
  row.absorbed_W = 3;
  row.sar_mean = 1.5;
  const auto rows = scaled({row}, 10);
  EXPECT_EQ(rows[0].mass_kg, 2);
  EXPECT_EQ(rows[0].absorbed_W, 30);
  EXPECT_EQ(*rows[0].sar_mean, 15);
  EXPECT_FALSE(rows[0].sar_max);
}

TEST(RelativeSar, IsOneAtTheMaximumOfAllRanks) {
  const Communicator world;
  const double mine = 0.5 * (world.rank() + 1);
  const Exposure exposure =
      dealt({{0, 1, 2000, 1000, mine, {}}, {0, 1, 2000, 1000, 0, {}}}, Communicator(MPI_COMM_SELF));
  const double maximum = largest_sar(exposure, world);
  EXPECT_EQ(maximum, 0.5 * world.size());
  EXPECT_EQ(over_maximum(mine, maximum), (world.rank() + 1.0) / world.size());
  EXPECT_EQ(over_maximum(0, 0), 0);
}

TEST(RelativeSar, HasAFloorInDecibels) {
  EXPECT_DOUBLE_EQ(decibels(1), 0);
  EXPECT_DOUBLE_EQ(decibels(0.1), -10);
  EXPECT_EQ(decibels(1e-30), -100);
  EXPECT_EQ(decibels(0), -100);
}

}  // namespace
}  // namespace dgtd::dosimetry
