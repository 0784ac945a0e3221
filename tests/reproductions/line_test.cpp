// A line cut into subdomains against the whole line, and the whole line against the engine of all grids.
#include <gtest/gtest.h>

#include "dgtd/base/constants.hpp"
#include "reproductions/line_problem.hpp"

namespace dgtd::reproductions {
namespace {

double worst(const LineResult<double>& a, const LineResult<double>& b) {
  double most = 0;
  for (std::size_t t = 0; t < a.probes.size(); ++t) most = std::max(most, difference(a.probes[t], b.probes[t]));
  return most;
}

// Cells of all subdomains, with layers and margins.
double all_cells(const LineCase& c) {
  return c.cells + 2 * (c.subdomains - 1) * (c.grid.setup.layer_cells + extension_margin);
}

// The same coefficients and drives, other order of multiplications: to rounding.
TEST(Line, OnePieceIsTheScheme) {
  LineCase c;
  c.add_slab(300, 420, 4, 0.02);
  c.steps = 1200;
  const auto line = c.run<double>();
  const parallel::Communicator comm{MPI_COMM_SELF};
  auto solver = c.grid.make<double>(comm);
  LineRecord<double> record = line.probes[0];
  const auto& layout = solver->discretisation().layout;
  for (std::int64_t n = 0; n < c.steps; ++n) {
    solver->advance(1);
    record.electric[n + 1] = solver->engine().electric().part(
        static_cast<std::size_t>(2 * layout.reals + layout.index(c.probes[0], 0, 0)), 1)[0];
    record.magnetic[n] = solver->engine().magnetic().part(
        static_cast<std::size_t>(layout.reals + layout.index(c.probes[0], 0, 0)), 1)[0];
  }
  EXPECT_LT(difference(record, line.probes[0]), 1e-12);
}

// Nothing comes back in vacuum but what the layers send (test AbsorbingLayer: below -60 dB of power): G = 0 errs by
// that, and each sweep down and up again takes it once more.
TEST(Line, PiecesOfVacuumAreTheLineToTheLayersReflection) {
  LineCase c;
  const auto whole = c.run<double>();
  c.subdomains = 5;
  double before = 1;
  for (const int g : {0, 1, 2}) {
    c.reflections = g;
    const auto cut = c.run<double>();
    const double error = worst(whole, cut);
    std::printf("vacuum, 5 subdomains, G = %d: %.3g\n", g, error);
    EXPECT_LT(error, g == 0 ? 1e-5 : 5e-3 * before);
    before = error;
    EXPECT_EQ(cut.solutions, solutions(5, g));
  }
}

// A slab cut in its middle: t = t12 t21 p sum_{m} (r^2 p^2)^m, of which G re-reflections give the terms up to m = G. So
// the wave that leaves it errs by (r^2)^(G + 1), r = (n - 1) / (n + 1).
TEST(Line, EachSweepAddsAReflectionInACutSlab) {
  LineCase c;
  c.add_slab(360, 440, 4);
  c.subdomains = 2;  // cut at 400
  c.steps = 6000;
  const auto whole = [&] {
    LineCase w = c;
    w.subdomains = 1;
    return w.run<double>();
  }();
  double before = 0;
  for (const int g : {0, 1, 2, 3}) {
    c.reflections = g;
    const auto cut = c.run<double>();
    const double transmitted = difference(whole.probes[1], cut.probes[1]),
                 reflected = difference(whole.probes[0], cut.probes[0]);
    std::printf("slab of eps 4, G = %d: transmitted %.3g, reflected side %.3g\n", g, transmitted, reflected);
    if (g > 0) EXPECT_NEAR(transmitted / before, 1.0 / 9, 0.02);
    else EXPECT_NEAR(transmitted, 1.0 / 9, 0.02);
    before = transmitted;
  }
}

// With enough sweeps nothing is left: subdomains agree with the whole line to rounding, losses, layers and all.
TEST(Line, SweepsConvergeToTheWholeLine) {
  LineCase c;
  c.add_slab(250, 330, 6, 0.05);
  c.add_slab(500, 560, 3);
  c.steps = 2500;
  const auto whole = c.run<double>();
  c.subdomains = 4;
  c.reflections = 14;
  const auto cut = c.run<double>();
  EXPECT_LT(worst(whole, cut), 1e-12);
  double most = 0;
  for (std::size_t i = 0; i < whole.electric.size(); ++i)
    most = std::max(most, std::abs(whole.electric[i] - cut.electric[i]));
  EXPECT_LT(most, 1e-12);
}

// Pieces rest before the pulse comes and after it has gone: fewer steps, an error of the size of the tolerance.
TEST(Line, PiecesMarchOnlyWhileThePulsePasses) {
  LineCase c;
  c.subdomains = 5;
  const auto all = c.run<double>();
  c.tolerance = 1e-6;
  const auto some = c.run<double>();
  const double share = double(some.cell_steps) / (double(c.steps) * all_cells(c));
  std::printf("pulse: %.3f of the steps, error %.3g\n", share, worst(all, some));
  EXPECT_LT(share, 0.3);
  EXPECT_LT(worst(all, some), 1e-6);
}

// A continuous wave: a chunk is a period (80 steps), and a subdomain that repeats itself rests. Its record goes on by
// periods.
TEST(Line, PiecesRestWhenTheyAreInSteadyState) {
  LineCase c;
  c.make_continuous();
  c.add_slab(360, 440, 4);
  c.chunk = 80;
  c.steps = 100 * 80;
  const auto whole = c.run<double>();
  c.subdomains = 4;
  c.reflections = 8;
  c.tolerance = 1e-5;
  const auto cut = c.run<double>();
  const double share = double(cut.cell_steps) / (double(c.steps) * cut.solutions * all_cells(c) / c.subdomains);
  std::printf("continuous wave: %.3f of the steps of the sweeps, error %.3g\n", share, worst(whole, cut));
  EXPECT_LT(share, 0.5);
  EXPECT_LT(worst(whole, cut), 1e-4);
}

// As in Table 4 of the paper: each of D subdomains is marched for a D-th of the run.
TEST(Line, PiecesMarchForAGivenTime) {
  LineCase c;
  c.make_continuous();
  c.chunk = 80;
  c.steps = 90 * 80;
  const auto whole = c.run<double>();
  c.subdomains = 3;
  c.window = 30;
  c.tolerance = 1e-6;
  const auto cut = c.run<double>();
  EXPECT_EQ(cut.cell_steps, 30 * 80 * static_cast<std::int64_t>(all_cells(c)));
  std::printf("a third of the time each: error %.3g\n", worst(whole, cut));
  EXPECT_LT(worst(whole, cut), 1e-3);
}

// The device's tiles on the CPU: one tile a subdomain, the same bits; several tiles a subdomain with halos, the same
// bits too while none rests.
TEST(Line, TilesOfTheDeviceGiveTheSameBits) {
  LineCase c;
  c.add_slab(330, 430, 4, 0.02);
  c.steps = 2650;  // the last chunk is not whole
  for (const int subdomains : {1, 3}) {
    c.subdomains = subdomains;
    c.reflections = 2;
    c.tolerance = subdomains == 1 ? 0 : 1e-6;
    const auto expected = c.run<double>(), tiles = solve_line_in_tiles(c.make<double>(), 8);
    EXPECT_EQ(worst(expected, tiles), 0) << subdomains;
    EXPECT_EQ(expected.electric, tiles.electric);
    EXPECT_EQ(expected.magnetic, tiles.magnetic);
    EXPECT_EQ(expected.cell_steps, tiles.cell_steps);
  }
}
TEST(Line, TilesWithHalosGiveTheSameBits) {
  LineCase c;
  c.set_cells(4800);  // more than a block's 2048
  c.add_slab(600, 1100, 4);
  c.probes = {100, 1300, 2420};
  c.chunk = 160;
  c.steps = 6000;
  for (const int subdomains : {1, 2}) {
    c.subdomains = subdomains;
    c.reflections = subdomains - 1;
    const auto expected = c.run<double>(), tiles = solve_line_in_tiles(c.make<double>(), 14);
    EXPECT_EQ(worst(expected, tiles), 0) << subdomains;
    EXPECT_EQ(expected.electric, tiles.electric);
    EXPECT_EQ(expected.magnetic, tiles.magnetic);
    EXPECT_LE(tiles.cell_steps, expected.cell_steps);  // tiles start when the wave reaches them
  }
}

// Neither layers nor sweeps are needed to leave out what no wave has reached and what repeats itself: tiles of a whole
// line do.
TEST(Line, TilesOfAWholeLineRestToo) {
  LineCase c;
  c.set_cells(4800);
  c.make_continuous();
  c.chunk = 80;
  c.steps = 300 * 80;
  c.tolerance = 1e-5;
  c.probes = {100, 4700};
  const auto whole = c.run<double>(), tiles = solve_line_in_tiles(c.make<double>(), 20);
  c.subdomains = 10;
  const auto cut = c.run<double>();
  const double all = double(c.steps) * c.cells;
  std::printf(
      "continuous wave, 120 wavelengths, 300 periods: %.3f of the steps whole, %.3f in 10 subdomains, %.3f in 20 "
      "tiles; "
      "errors %.3g, %.3g\n",
      double(whole.cell_steps) / all, double(cut.cell_steps) / all, double(tiles.cell_steps) / all, worst(whole, cut),
      worst(whole, tiles));
  EXPECT_LT(double(tiles.cell_steps), 0.3 * double(whole.cell_steps));
  EXPECT_LT(double(tiles.cell_steps), double(cut.cell_steps));
  EXPECT_LT(worst(whole, tiles), 1e-4);
}

}  // namespace
}  // namespace dgtd::reproductions
