// Periodic sides and Bloch phases of meshes, as a user runs them.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <fstream>
#include <map>

#include "app/program.hpp"

namespace {

constexpr double pi = 3.14159265358979, light = 299792458;

std::string write(const fs::path& directory, const std::string& name, const std::string& text) {
  std::ofstream(directory / name) << text;
  return (directory / name).string();
}

std::string sides(const std::string& names, const std::string& text) {
  std::string all;
  for (const char axis : names)
    for (const char* end : {"min", "max"}) all += std::string("[boundary.") + axis + end + "]\n" + text + "\n";
  return all;
}

std::string flux(const std::string& name, const std::string& z) {
  return "[flux." + name + "]\ntype = plane\ncentre = 0 0 " + z + "\nsize = 9 9 0\nfrequencies = 3e8 4e8 5e8\n";
}

/// The last column of flux_NAME.csv, m^2.
std::vector<double> outward_areas(const fs::path& directory, const std::string& name) {
  const Table flux = table(directory / ("flux_" + name + ".csv"));
  EXPECT_NE(flux.head.find("outward_cross_section_m2"), std::string::npos) << flux.head;
  std::vector<double> areas;
  for (const auto& row : flux.rows) areas.push_back(row.back());
  return areas;
}

// A slab of glass between periodic sides in the total field of a pulse, against Fresnel. P2 with 7.5 cells per wavelength
// at the highest frequency, in glass as well: the error of the phase is below (k h)^5 / 200 per cell, 0.2 %.
TEST(PeriodicRuns, ASlabReflectsAsFresnelSays) {
  const auto directory = work("periodic_slab");
  const std::string mesh = (directory / "slab.msh").string();
  const auto made =
      dgtd_mesh("blocks --block air 0 0 0 0.16 0.16 2.4 0.08 --block glass -1 -1 1 1 1 1.3 0.04 -o " + mesh);
  ASSERT_EQ(made.code, 0) << made.output;
  const std::string file = write(
      directory, "slab.cfg",
      "[solver]\norder = 2\nprecision = double\n[mesh]\nfile = slab.msh\n" + sides("xy", "type = periodic") +
          sides("z", "type = passive\nlayers = 8\nthickness = 1") +
          "[material.air]\n[material.glass]\neps_r = 4\n[source.wave]\ntype = plane-wave\nwaveform = modulated-gaussian\n"
          "frequency = 4e8\nbandwidth = 2.5e8\ndirection = 0 0 1\npolarisation = 0.6 0.8 0\nbox_min = -9 -9 0.56\n"
          "box_max = 9 9 1.8\n" +
          flux("reflected", "0.3") + flux("inside", "1.5") + "[time]\nend = 30e-9\n[output]\nfields = none\n");
  std::string hash;
  for (const int ranks : {1, 3}) {
    const auto out = directory / std::to_string(ranks);
    const auto solved = dgtd_on(ranks, file + " --set output.directory=" + out.string());
    ASSERT_EQ(solved.code, 0) << solved.output;
    if (hash.empty()) hash = summary(out)["fields_hash"];
    EXPECT_EQ(summary(out)["fields_hash"], hash);
  }
  const double area = 0.16 * 0.16;
  const auto reflected = outward_areas(directory / "1", "reflected"), inside = outward_areas(directory / "1", "inside");
  ASSERT_EQ(reflected.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    const double f = 3e8 + 1e8 * static_cast<double>(i), r = -1.0 / 3;
    const std::complex<double> turn = std::exp(std::complex<double>(0, 2 * 2 * pi * f / light * 2 * 0.3));
    const double exact = std::norm(r * (1.0 - turn) / (1.0 - r * r * turn));
    EXPECT_NEAR(-reflected[i] / area, exact, 0.004);
    EXPECT_NEAR(inside[i] / area, 1 - exact, 0.004);
  }
}

// A sheet between Bloch sides launches waves at an angle: of E across the plane of incidence 1 / cos(angle) times the
// power of those without one, of E in the plane cos(angle) times; and a slab with a Lorentz pole reflects them as Fresnel
// says. P3, six cells per wavelength; layers that reflect less than -50 dB up to 45 degrees.
TEST(PeriodicRuns, ASheetLightsASlabAtAnAngle) {
  const auto directory = work("bloch_slab");
  const std::string mesh = (directory / "slab.msh").string();
  const auto made = dgtd_mesh(
      "blocks --block air 0 0 -1500e-9 75e-9 75e-9 1200e-9 75e-9 --block slab -1 -1 0 1 1 150e-9 75e-9 -o " + mesh);
  ASSERT_EQ(made.code, 0) << made.output;
  constexpr double frequency = 5e14, k = 7.4e6;
  const auto run = [&](const std::string& name, const std::string& slab, const std::string& wave_vector,
                       const std::string& polarisation) {
    const auto out = directory / name;
    const std::string plane = "type = plane\nsize = 1 1 0\nfrequencies = 5e14\ncentre = 0 0 ";
    const auto solved = dgtd(
        write(directory, name + ".cfg",
              "[solver]\norder = 3\n[mesh]\nfile = slab.msh\n" + sides("x", "type = bloch\nk = " + wave_vector) +
                  sides("y", "type = periodic") + sides("z", "type = passive\nlayers = 16\nthickness = 2000e-9") +
                  "[material.air]\n[material.slab]\n" + slab +
                  "\n[source.s]\ntype = sheet\nsize = 1 1 0\ncentre = 0 0 -1050e-9\npolarisation = " + polarisation +
                  "\nwaveform = modulated-gaussian\nfrequency = 5e14\nbandwidth = 1.2e14\n[flux.before]\n" + plane +
                  "-525e-9\n[flux.after]\n" + plane + "600e-9\n[dft]\nfrequencies = 5e14\nwindow = all\n[time]\nend = 90e-15\n[output]\nfields = none\n") +
        " --set output.directory=" + out.string());
    EXPECT_EQ(solved.code, 0) << solved.output;
    std::array<double, 2> energies{};
    for (const int i : {0, 1}) energies[i] = table(out / (i == 0 ? "flux_before.csv" : "flux_after.csv")).rows[0].back();
    return energies;
  };
  const double cosine = std::sqrt(1 - std::pow(k * light / (2 * pi * frequency), 2));
  ASSERT_NEAR(std::acos(cosine) * 180 / pi, 45, 1);
  const double straight = run("straight", "eps_r = 1", "0", "0 1 0")[0];
  const auto [across, across_behind] = run("across", "eps_r = 1", "7.4e6", "0 1 0");
  EXPECT_NEAR(across / straight, 1 / cosine, 0.005);
  EXPECT_NEAR(across_behind / across, 1, 0.003);
  EXPECT_NEAR(run("in_plane", "eps_r = 1", "7.4e6", "1 0 0")[0] / straight, cosine, 0.005);

  const auto [before, behind] = run("slab", "poles = lorentz 4e15 4e15 3e14", "7.4e6", "0 1 0");
  using Complex = std::complex<double>;
  const double w = 2 * pi * frequency, k0 = w / light;
  const Complex eps = 1.0 + 16e30 / (16e30 - w * w - Complex(0, 3e14 * w)), outside = k0 * cosine,
                inside = std::sqrt(eps * k0 * k0 - k * k), r = (outside - inside) / (outside + inside),
                turn = std::exp(Complex(0, 1) * inside * 150e-9), rest = 1.0 - r * r * turn * turn;
  EXPECT_NEAR(1 - before / across, std::norm(r * (1.0 - turn * turn) / rest), 0.004);
  EXPECT_NEAR(behind / across_behind, std::norm((1.0 - r * r) * turn / rest), 0.004);

  // The slab absorbs of the complex field what the fluxes lose, and 1 - R - T.
  const Table absorbed = table(directory / "slab" / "absorbed.csv");
  ASSERT_EQ(absorbed.head, "frequency_Hz,wavelength_m,air_J_per_Hz,slab_J_per_Hz,air (layer)_J_per_Hz");
  EXPECT_NEAR(absorbed.rows[0][3] / across, (before - behind) / across, 0.002);
  const double exact = 1 - std::norm(r * (1.0 - turn * turn) / rest) - std::norm((1.0 - r * r) * turn / rest);
  EXPECT_NEAR(absorbed.rows[0][3] / across, exact, 0.004);

  // The same of a steady state, of which the run finds the end: the wave has a peak of 1 / cosine V/m.
  const auto solved = dgtd(
      write(directory, "steady.cfg",
            "[solver]\norder = 3\n[mesh]\nfile = slab.msh\n" + sides("x", "type = bloch\nk = 7.4e6") +
                sides("y", "type = periodic") + sides("z", "type = passive\nlayers = 16\nthickness = 2000e-9") +
                "[material.air]\n[material.slab]\npoles = lorentz 4e15 4e15 3e14\ndensity = 1000\n[source.s]\ntype = "
                "sheet\nsize = 1 1 0\ncentre = 0 0 -1050e-9\npolarisation = 0 1 0\nwaveform = ramped-sine\n[time]\n"
                "frequency = 5e14\nend = steady\n[output]\nfields = none\n"));
  ASSERT_EQ(solved.code, 0) << solved.output;
  const auto result = summary(directory / "out" / "steady");
  EXPECT_EQ(result["run_end"]["reason"], "steady") << solved.output;
  const double wave = 75e-9 * 75e-9 / (2 * 376.730313668 * cosine);  // W
  EXPECT_NEAR(result["power"]["absorbed_W"].get<double>() / wave, exact, 0.005);
  EXPECT_NEAR(result["power"]["defect"].get<double>(), 0, 0.02);
  EXPECT_NEAR(result["tissues"]["slab"]["sar_mean"].get<double>(), exact * wave / (1000 * 75e-9 * 75e-9 * 150e-9),
              0.02 * exact * wave / (1000 * 75e-9 * 75e-9 * 150e-9));
}

// A plane wave of 45 degrees in a total field between Bloch sides: one run has both shares of a slab, of E across the
// plane of incidence and in it, by the orders of planes before and inside of the total field, and nothing without a slab.
TEST(PeriodicRuns, APlaneWaveLightsASlabAtAnAngle) {
  const auto directory = work("bloch_wave");
  const std::string mesh = (directory / "slab.msh").string();
  const auto made = dgtd_mesh(
      "blocks --block air 0 0 -1500e-9 75e-9 75e-9 1200e-9 75e-9 --block slab -1 -1 0 1 1 150e-9 75e-9 -o " + mesh);
  ASSERT_EQ(made.code, 0) << made.output;
  const double k = 7.4e6;
  std::string hash;
  const auto run = [&](const std::string& name, const std::string& slab, const std::string& polarisation, int ranks) {
    const auto out = directory / name;
    const std::string plane = "type = plane\nsize = 1 1 0\nfrequencies = 4.5e14 5e14 5.5e14\norders = on\ncentre = 0 0 ";
    const auto solved = dgtd_on(
        ranks, write(directory, name + ".cfg",
                     "[solver]\norder = 3\n[mesh]\nfile = slab.msh\n" + sides("x", "type = bloch\nk = 7.4e6") +
                         sides("y", "type = periodic") + sides("z", "type = passive\nlayers = 16\nthickness = 2000e-9") +
                         "[material.air]\n[material.slab]\n" + slab +
                         "\n[source.w]\ntype = plane-wave\nbox_min = -1 -1 -1050e-9\nbox_max = 1 1 825e-9\ndirection = "
                         "0.70614 0 0.70807\npolarisation = " + polarisation +
                         "\nwaveform = modulated-gaussian\nfrequency = 5e14\nbandwidth = 1.2e14\n[flux.before]\n" + plane +
                         "-1275e-9\n[flux.inside]\n" + plane + "600e-9\n[flux.after]\n" + plane +
                         "1050e-9\n[time]\nend = 90e-15\n[output]\nfields = none\n") +
                   " --set output.directory=" + out.string());
    EXPECT_EQ(solved.code, 0) << solved.output;
    hash = summary(out)["fields_hash"];
    std::map<std::string, std::vector<double>> shares;
    for (const std::string flux : {"before", "inside", "after"})
      for (const auto& row : table(out / ("orders_" + flux + ".csv")).rows) shares[flux].push_back(row.back());
    return shares;
  };
  const auto none = run("none", "eps_r = 1", "0.4 0.8246 -0.39891", 1);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(none.at("before").at(i), 0, 1e-3);
    EXPECT_NEAR(none.at("inside").at(i), 1, 3e-3);
    EXPECT_NEAR(none.at("after").at(i), 0, 1e-3);
  }
  using Complex = std::complex<double>;
  for (const bool across : {true, false}) {
    const auto shares = run(across ? "across" : "in_plane", "eps_r = 4", across ? "0 1 0" : "0.70807 0 -0.70614", 1);
    for (std::size_t i = 0; i < 3; ++i) {
      const double k0 = 2 * pi * (4.5e14 + 0.5e14 * static_cast<double>(i)) / light, outside = std::sqrt(k0 * k0 - k * k),
                   inside = std::sqrt(4 * k0 * k0 - k * k), a = across ? outside : 4 * outside,
                   r = (a - inside) / (a + inside);
      const Complex turn = std::polar(1.0, 2 * inside * 150e-9);
      const double reflected = std::norm(r * (1.0 - turn) / (1.0 - r * r * turn));
      EXPECT_NEAR(shares.at("before").at(i), reflected, 0.004) << i;
      EXPECT_NEAR(shares.at("inside").at(i), 1 - reflected, 0.004) << i;
    }
  }
  const std::string alone = hash;
  (void)run("ranks", "eps_r = 4", "0.70807 0 -0.70614", 3);
  EXPECT_EQ(hash, alone);
}

// A small sphere in a cell between Bloch sides: its elements take more steps than those at the sides.
TEST(PeriodicRuns, SmallElementsTakeStepsOfTheirOwnBetweenBlochSides) {
  const auto directory = work("bloch_levels");
  const std::string file = write(
      directory, "case.cfg",
      "[solver]\norder = 1\nprecision = double\n[mesh]\ngenerator = shapes\nper_wavelength = 4\nratio = 1.5\n[domain]\nsize = 500e-9 "
      "500e-9 600e-9\nbackground = air\n[shape.ball]\ntype = sphere\nradius = 20e-9\nmaterial = glass\n[refine.ball]\n"
      "size = 44e-9 44e-9 44e-9\nspacing = 6e-9\n" + sides("x", "type = bloch\nk = 5e6") + sides("y", "type = periodic") + sides("z", "type = silver-muller") +
          "[material.air]\n[material.glass]\neps_r = 4\nsigma = 5e3\n[source.s]\ntype = sheet\nsize = 1 1 0\ncentre = 0 0 "
          "-200e-9\npolarisation = 0 1 0\nwaveform = modulated-gaussian\nfrequency = 5e14\nbandwidth = 2e14\n[dft]\n"
          "frequencies = 5e14\nwindow = all\n[time]\nend = 22e-15\n[output]\nfields = none\n");
  std::vector<double> absorbed;
  std::string hash;
  for (const auto& [ranks, steps] : {std::pair{1, "off"}, {1, "on"}, {2, "on"}}) {
    const auto out = directory / (std::to_string(ranks) + steps);
    const auto solved = dgtd_on(ranks, file + " --set time.local_steps=" + steps + " --set output.directory=" + out.string());
    ASSERT_EQ(solved.code, 0) << solved.output;
    const auto result = summary(out);
    absorbed.push_back(table(out / "absorbed.csv").rows[0][3]);
    if (steps == std::string("off")) continue;
    ASSERT_TRUE(result.contains("time_levels")) << solved.output;
    std::int64_t elements = 0;
    for (const auto& on_level : result["time_levels"]) elements += on_level.get<std::int64_t>();
    EXPECT_EQ(elements, result["elements"].get<std::int64_t>());
    EXPECT_GT(result["local_steps_gain"].get<double>(), 1.2);
    if (hash.empty()) hash = result["fields_hash"];
    EXPECT_EQ(result["fields_hash"], hash);
  }
  EXPECT_NEAR(absorbed[1], absorbed[0], 0.015 * absorbed[0]);  // 0.9 % between real periodic sides
}

// A dipole per cell of a lattice of wave vector k, with a phase of k L from cell to cell: the same fields in a cell as
// in one of a cell of twice the length with twice the phase and two dipoles with that phase between them: here at 0 and
// pi, where the dipoles are real.
TEST(PeriodicRuns, CellsAreThoseOfALatticeOfLargerCells) {
  const auto directory = work("bloch_lattice");
  const auto text = [&](int cells, const std::string& phase, double second) {
    const auto dipole = [](const std::string& name, double x, double moment) {
      return "[source." + name + "]\ntype = dipole\nposition = " + std::to_string(x) +
             " 0.2 0.2\ndirection = 0.6 0 0.8\nradius = 0.11\nwaveform = ramped-sine\nmoment = " + std::to_string(moment) + "\n";
    };
    return "[solver]\norder = 2\nprecision = double\n[mesh]\ngenerator = box\ncells = " + std::to_string(4 * cells) +
           " 4 4\nsize = " + std::to_string(0.4 * cells) + " 0.4 0.4\n" + sides("x", "type = bloch\nphase = " + phase) +
           sides("yz", "type = pec") + "[material.air]\n" + dipole("one", 0.2, 1) +
           (cells == 2 ? dipole("two", 0.6, second) : "") +
           "[probe.p]\nposition = 0.31 0.13 0.12\n[time]\nfrequency = 4e8\nend = 12e-9\nlocal_steps = off\n[output]\n"
           "fields = none\n";
  };
  const auto last_row = [&](const std::string& name, int cells, const std::string& phase, double second) {
    const auto solved = dgtd(write(directory, name + ".cfg", text(cells, phase, second)));
    EXPECT_EQ(solved.code, 0) << solved.output;
    return table(directory / "out" / name / "probe_p.csv").rows.back();
  };
  for (const auto& [phase, twice, second] : {std::tuple{"3.14159265358979", "0", -1.0}, {"0", "0", 1.0}}) {
    const auto one = last_row("one", 1, phase, 0), two = last_row("two", 2, twice, second);
    ASSERT_EQ(one.size(), two.size());
    double largest = 0;
    for (std::size_t i = 1; i < one.size(); ++i) largest = std::max(largest, std::abs(one[i]));
    EXPECT_GT(largest, 0);
    EXPECT_NEAR(one[0], two[0], 1e-9 * one[0]);
    for (std::size_t i = 1; i < one.size(); ++i) EXPECT_NEAR(one[i], two[i], 1e-6 * largest) << "column " << i;
  }
}

TEST(PeriodicRuns, RefuseWhatHasNoMeaning) {
  const auto directory = work("periodic_refused");
  const std::string box = "[mesh]\ngenerator = box\ncells = 2 2 2\n[material.air]\n[time]\nfrequency = 1e8\nperiods = 1\n"
                          "[output]\nfields = none\n",
                    dipole = "[source.d]\ntype = dipole\nposition = 0.5 0.5 0.5\ndirection = 0 0 1\nmoment = 1\n";
  expect_bad_input(dgtd(write(directory, "one.cfg", box + dipole + "[boundary.xmin]\ntype = periodic\n")),
                   "[boundary.xmin]: xmin is periodic and xmax is pec; both sides of an axis must be periodic, or none");
  expect_bad_input(dgtd(write(directory, "name.cfg", box + dipole + "[boundary.side]\ntype = periodic\n")),
                   "[boundary.side]: sides of type periodic are the surface groups xmin and xmax, ymin and ymax, or zmin "
                   "and zmax of the mesh");
  const std::string bloch = sides("x", "type = bloch\nphase = 0.3");
  expect_bad_input(dgtd(write(directory, "phases.cfg", box + dipole + "[boundary.xmin]\ntype = bloch\nphase = 0.3\n"
                                                       "[boundary.xmax]\ntype = bloch\nphase = 0.4\n")),
                   "phase and k must be those of [boundary.xmin]");
  expect_bad_input(dgtd(write(directory, "wave.cfg",
                              box + bloch + sides("z", "type = silver-muller") +
                                  "[source.w]\ntype = plane-wave\ndirection = 0 0 1\npolarisation = 1 0 0\n")),
                   "source.w: between sides of type bloch a plane wave needs box_min and box_max or total_field");
  const std::string cells = "[solver]\norder = 1\n[mesh]\ngenerator = box\ncells = 2 2 12\nsize = 0.2 0.2 1.2\n[material.air]\n[time]\n"
                            "end = 1e-9\n[output]\nfields = none\n" + sides("x", "type = bloch\nk = 10") + sides("y", "type = periodic") +
                            sides("z", "type = passive\nlayers = 4\nthickness = 0.4"),
                    wave = "[source.w]\ntype = plane-wave\npolarisation = 0 1 0\nbox_min = -9 -9 0.2\nbox_max = 9 9 1\n";
  expect_bad_input(dgtd(write(directory, "angle.cfg", cells + wave + "frequency = 1e9\ndirection = 1 0 1\n")),
                   "source.w: along x its direction has 14.8199 rad/m at 1 GHz, and the sides xmin and xmax 10; give them type = "
                   "bloch with k = 14.8199, or another direction");
  expect_bad_input(dgtd(write(directory, "pulse.cfg", cells + wave + "frequency = 1e9\nwaveform = modulated-gaussian\nbandwidth = 8e8\n"
                                                      "direction = 0.47713452 0 0.87882\n")),
                   "source.w: with the phases of the sides waves travel above 477.1 MHz only, and the pulse has more than 5 % of its "
                   "largest amplitude below; a smaller phase or bandwidth is needed");
  expect_bad_input(dgtd(write(directory, "side.cfg", cells + "[source.w]\ntype = plane-wave\npolarisation = 0 1 0\nbox_min = 0.05 -9 0.25\n"
                                                     "box_max = 9 9 0.95\nfrequency = 1e9\ndirection = 0.47713452 0 0.87882\n")),
                   "source.w: between sides of type bloch the total field must end in two planes of faces across z");
  expect_bad_input(
      dgtd(write(directory, "far.cfg", box + dipole + bloch + "[far_field.f]\nsize = 0.5 0.5 0.5\nfrequencies = 1e8\n")),
      "far_field.f: there is no far field between sides of type bloch");
}

}  // namespace
