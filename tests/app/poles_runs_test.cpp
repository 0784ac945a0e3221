// Dispersive media on tetrahedra, as a user runs them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>
#include <vector>

#include "app/program.hpp"

namespace {

const std::string box =
    "[mesh]\ngenerator = box\ncells = 4 4 4\nsize = 0.3 0.3 0.3\n[output]\nfields = none\nreport_pictures = off\n"
    "[solver]\norder = 2\n";
const std::string dipole =
    "[source.feed]\ntype = dipole\nposition = 0.16 0.15 0.14\ndirection = 0 0 1\nwaveform = ramped-sine\n";

std::string write(const fs::path& directory, const std::string& name, const std::string& text) {
  std::ofstream(directory / name) << text;
  return (directory / name).string();
}

// A box of a Debye and of a Lorentz medium beside one of constant permittivity and conductivity, equal at the frequency
// of the run:
//   eps_inf + deps / (1 + x^2) and w eps0 deps x / (1 + x^2), x = w tau;
//   eps_inf + wp^2 (w0^2 - w^2) / N and w eps0 wp^2 g w / N, N = (w0^2 - w^2)^2 + (g w)^2.
// With 88 steps per period or more, errors in time are up to (pi / 88)^2 = 0.13 %.
TEST(PolesRuns, AbsorbAsTheMediumOfTheSameConductivity) {
  const auto directory = work("poles_powers");
  constexpr double pi = 3.141592653589793, eps0 = 8.8541878188e-12, w = 2 * pi * 1e9;
  const double x = w * 1e-10, debye_eps = 2 + 3 / (1 + x * x), debye_sigma = 0.02 + w * eps0 * 3 * x / (1 + x * x);
  const double wp = 1.5e10, w0 = 1.2e10, g = 1.5e10, n = std::pow(w0 * w0 - w * w, 2) + std::pow(g * w, 2);
  const double lorentz_eps = 2 + wp * wp * (w0 * w0 - w * w) / n, lorentz_sigma = w * eps0 * wp * wp * g * w / n;
  const auto powers = [&](const std::string& name, const std::string& medium) {
    const auto file = write(directory, name + ".cfg",
                            box + "cfl_fraction = 0.2\n[boundary.*]\ntype = pec\n" + dipole +
                                "radius = 0.1\n[time]\nfrequency = 1e9\nperiods = 12\n[material.body]\n" + medium +
                                "density = 1000\n");
    const auto run = dgtd(file);
    EXPECT_EQ(run.code, 0) << run.output;
    return summary(directory / "out" / name);
  };
  const auto check = [&](const std::string& name, const std::string& poles, const std::string& constant) {
    const auto a = powers(name, poles), b = powers(name + "_constant", constant);
    const auto expect_near = [&](const nlohmann::json& value, double wanted) {
      EXPECT_GT(wanted, 0);
      EXPECT_NEAR(value.get<double>(), wanted, 2e-3 * wanted) << name;
    };
    expect_near(a["power"]["source_W"], b["power"]["source_W"]);
    expect_near(a["power"]["absorbed_W"], b["power"]["absorbed_W"]);
    expect_near(a["power"]["absorbed_W"], a["power"]["source_W"]);
    expect_near(a["tissues"]["body"]["sar_mean"], b["tissues"]["body"]["sar_mean"]);
    EXPECT_GT(a["pole_bytes_per_step"], 0);
    EXPECT_FALSE(b.contains("pole_bytes_per_step"));
  };
  check("debye", "eps_r = 2\nsigma = 0.02\npoles = debye 3 1e-10\n",
        fmt::format("eps_r = {}\nsigma = {}\n", debye_eps, debye_sigma));
  check("lorentz", fmt::format("eps_r = 2\npoles = lorentz {} {} {}\n", wp, w0, g),
        fmt::format("eps_r = {}\nsigma = {}\n", lorentz_eps, lorentz_sigma));
}

/// Rows of absorbed.csv after its head, [frequencies][columns].
std::vector<std::vector<double>> absorbed_rows(const fs::path& directory) {
  std::ifstream file(directory / "absorbed.csv");
  std::vector<std::vector<double>> rows;
  std::string line, word;
  for (std::getline(file, line); std::getline(file, line);) {
    std::istringstream words(line);
    rows.emplace_back();
    while (std::getline(words, word, ',')) rows.back().push_back(std::stod(word));
  }
  return rows;
}

// One pulse has the absorption at all frequencies: a pulse exp(-t^2 / (2 s^2)) sin(w_c t) of the same amplitude as a
// sine has 4 |S|^2 = 2 pi s^2 exp(-(w - w_c)^2 s^2) J/Hz for each W of the sine. The dipole is a point: the form factor
// of a larger one is that of the carrier. SAR at 1 W of emitted power is the same.
TEST(PolesRuns, APulseHasThePowersAndTheSarOfSines) {
  const auto directory = work("poles_pulse");
  constexpr double pi = 3.141592653589793, centre = 1e9, bandwidth = 8e8;
  const double spread = std::sqrt(2 * std::log(2.0)) / (pi * bandwidth);
  const std::string model =
      "[solver]\norder = 1\ncfl_fraction = 0.5\n[mesh]\ngenerator = box\ncells = 4 4 4\nsize = "
      "0.2 0.2 0.2\n[boundary.*]\ntype = silver-muller\n[output]\nfields = none\n"
      "report_pictures = off\n[sar]\nnormalise = emitted\nmass = 10\nvoxel = 0.01\n"
      "[material.body]\ndensity = 1000\neps_r = 2\npoles = debye 3 1e-10, lorentz 6e9 9e9 "
      "3e9\n[source.feed]\ntype = dipole\nposition = 0.11 0.1 0.09\ndirection = 0 0 1\nradius = 0\n";
  const auto pulse = dgtd(write(directory, "pulse.cfg",
                                model + fmt::format("waveform = modulated-gaussian\nfrequency = {}\nbandwidth = {}\n"
                                                    "[time]\nend = {}\n[dft]\nwindow = all\nfrequencies = 7e8 1e9 "
                                                    "1.3e9\n",
                                                    centre, bandwidth, 25 * spread)));
  ASSERT_EQ(pulse.code, 0) << pulse.output;
  const auto rows = absorbed_rows(directory / "out/pulse");
  ASSERT_EQ(rows.size(), 3u);
  const auto spectrum = summary(directory / "out/pulse")["sar_spectrum"];
  ASSERT_EQ(spectrum.size(), 3u);
  EXPECT_NE(pulse.output.find("SAR at an emitted power of 1 W"), std::string::npos) << pulse.output;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto& row = rows[i];
    const double f = row.at(0), difference = 2 * pi * (f - centre) * spread;
    const auto sine =
        dgtd(write(directory, "sine.cfg",
                   model + fmt::format("waveform = ramped-sine\n[time]\nfrequency = {}\nperiods = 12\n", f)));
    ASSERT_EQ(sine.code, 0) << sine.output;
    const auto of_sine = summary(directory / "out/sine");
    const double power = of_sine["power"]["absorbed_W"], source = of_sine["power"]["source_W"];
    const double per_watt = 2 * pi * spread * spread * std::exp(-difference * difference);
    EXPECT_GT(power, 0);
    EXPECT_NEAR(row.at(2) / (per_watt * power), 1, 0.01) << f;
    const auto& sar = spectrum[i];
    EXPECT_EQ(sar["frequency_Hz"].get<double>(), f);
    EXPECT_NEAR(sar["source_J_per_Hz"].get<double>() / (per_watt * source), 1, 0.01) << f;
    EXPECT_NEAR(sar["absorbed_share"].get<double>() / (power / source), 1, 0.01) << f;
    EXPECT_NEAR(sar["outflow_share"].get<double>() * source / of_sine["power"]["outflow_W"].get<double>(), 1, 0.01)
        << f;
    EXPECT_LT(std::abs(sar["defect"].get<double>()), 0.02) << f;
    for (const char* value : {"sar_mean", "sar_max", "mass_kg"})
      EXPECT_NEAR(sar["tissues"]["body"][value].get<double>() / of_sine["tissues"]["body"][value].get<double>(), 1,
                  0.01)
          << f << " " << value;
    EXPECT_NEAR(sar["averages"]["10g"]["peak"]["sar"].get<double>() /
                    of_sine["sar_averages"]["10g"]["peak"]["sar"].get<double>(),
                1, 0.01)
        << f;
  }
}

// sar.csv has all that the sums, the currents and the averages enter. On ranks sums have another order.
TEST(PolesRuns, TheSarOfAPulseIsThatOfAContinuedRunAndOfRanks) {
  const auto directory = work("poles_continued");
  const auto text =
      write(directory, "a.cfg",
            "[solver]\norder = 1\n[mesh]\ngenerator = box\ncells = 3 3 3\nsize = 0.2 0.2 0.2\n[boundary.*]\n"
            "type = silver-muller\n[output]\nfields = none\nreport_pictures = off\n[sar]\nnormalise = "
            "emitted\nmass = 10\nvoxel = 0.01\n[material.body]\ndensity = 1000\npoles = debye 3 1e-10\n"
            "[source.feed]\ntype = dipole\nposition = 0.11 0.1 0.09\ndirection = 0 0 1\nradius = 0\n"
            "waveform = modulated-gaussian\nfrequency = 1e9\nbandwidth = 8e8\n[time]\nend = 8e-9\n"
            "[dft]\nwindow = all\nfrequencies = 1.3e9 7e8\n");
  const auto in = [&](const char* folder) { return text + " --set output.directory=" + (directory / folder).string(); };
  const auto whole = dgtd(in("whole") + " --set checkpoint.steps=100 --set checkpoint.keep=1000");
  ASSERT_EQ(whole.code, 0) << whole.output;
  const auto continued = dgtd(in("continued") + " --restart " + (directory / "whole/checkpoint-100.h5").string());
  ASSERT_EQ(continued.code, 0) << continued.output;
  EXPECT_EQ(content(directory / "continued/sar.csv"), content(directory / "whole/sar.csv"));
  const auto two = dgtd_on(2, in("two"));
  ASSERT_EQ(two.code, 0) << two.output;
  const auto one = table(directory / "whole/sar.csv"), other = table(directory / "two/sar.csv");
  ASSERT_EQ(one.rows.size(), 2u);
  ASSERT_EQ(other.rows.size(), 2u);
  EXPECT_EQ(one.rows[0].at(0), 7e8);
  for (std::size_t i = 0; i < 2; ++i) {
    ASSERT_EQ(one.rows[i].size(), 7u);
    for (std::size_t column = 0; column < 7; ++column) {
      EXPECT_GT(one.rows[i][column], 0) << column;
      EXPECT_NEAR(other.rows[i].at(column) / one.rows[i][column], 1, 1e-6) << column;  // SAR of voxels is single
    }
  }
}

// The dipole's pulse at 1 GHz with a bandwidth of 0.8 GHz has a thousandth of its largest amplitude 1.26 GHz away.
TEST(PolesRuns, RefuseSarOfAPulseThatHasNone) {
  const auto directory = work("poles_refused");
  const std::string model =
      "[solver]\norder = 1\n[mesh]\ngenerator = box\ncells = 2 2 2\nsize = 0.2 0.2 0.2\n[boundary.*]\n"
      "type = silver-muller\n[output]\nfields = none\n[sar]\nnormalise = emitted\n[material.body]\ndensity = 1000\n"
      "[source.feed]\ntype = dipole\nposition = 0.11 0.1 0.09\ndirection = 0 0 1\n";
  const std::string gaussian = "waveform = modulated-gaussian\nfrequency = 1e9\nbandwidth = 8e8\n";
  const std::string all = "[time]\nsteps = 4\n[dft]\nwindow = all\nfrequencies = 1e9";
  const auto refused = [&](const std::string& text, const std::string& message) {
    const auto run = dgtd(write(directory, "a.cfg", text));
    EXPECT_EQ(run.code, 2) << run.output;
    EXPECT_EQ(run.output.find("dgtd: error: "), run.output.rfind("dgtd: error: "));
    EXPECT_NE(run.output.find(message), std::string::npos) << run.output;
  };
  refused(model + gaussian + all + " 2.4e9\n",
          "a.cfg:15: source.feed: its pulse has too little at dft.frequencies = 2400000000 Hz, 0.00021 of the largest "
          "amplitude of its spectrum, for SAR there; allowed are 0 to 2.263e+09 Hz, or a larger bandwidth\n");
  refused(model + "frequency = 1e9\n" + all + "\n",
          "source.feed: with dft.window = all SAR is that of a pulse: its waveform must be modulated-gaussian; allowed "
          "are also dft.window = last-period and sar.normalise = none\n");
  refused(model + gaussian + "moment = 0\n" + all + "\n", "its moment must not be 0");
  refused(model + gaussian + all +
              "\n[source.wave]\ntype = plane-wave\ndirection = 0 0 1\npolarisation = 1 0 0\n"
              "frequency = 1e9\n",
          "source.wave: with dft.window = all SAR refers to what dipoles emit, so all sources must be of type dipole; "
          "allowed is also sar.normalise = none\n");
  refused(model + gaussian + "[time]\nfrequency = 1e9\nperiods = 2\n",
          "its waveform must be sine or ramped-sine, or on tetrahedra dft.window = all");
  const auto kept = dgtd(write(directory, "kept.cfg", model + gaussian + all + " 2.2e9\n"));
  EXPECT_EQ(kept.code, 0) << kept.output;
}

TEST(PolesRuns, FitTissuesOverABand) {
  const auto directory = work("poles_tissue");
  const auto run = dgtd(write(directory, "a.cfg",
                              "[solver]\norder = 2\n[mesh]\ngenerator = box\ncells = 4 4 4\nsize = 0.05 0.05 0.05\n"
                              "[boundary.*]\ntype = silver-muller\n[output]\nfields = none\n[time]\nsteps = 20\n"
                              "[material.body]\ntissue = muscle\ndebye_poles = 3\nfit_band = 4e8 3e9\n[source.a]\n"
                              "type = dipole\nposition = 0.025 0.025 0.025\ndirection = 0 0 1\nfrequency = 1e9\n"));
  ASSERT_EQ(run.code, 0) << run.output;
  EXPECT_NE(run.output.find("as 3 Debye poles"), std::string::npos) << run.output;
  EXPECT_NE(run.output.find("poles: "), std::string::npos) << run.output;
}

TEST(PolesRuns, RefuseWhatMeansNothing) {
  const auto directory = work("poles_refused");
  const std::string metal = "[boundary.*]\ntype = silver-muller\n[material.body]\neps_r = 4\npoles = drude 2e10 1e9\n",
                    once = "[time]\nfrequency = 1e9\n";
  expect_bad_input(dgtd(write(directory, "cavity.cfg",
                              "[mesh]\ngenerator = box\ncells = 2 2 2\nsize = 1 1 1\n[time]\nsteps = 2\n[initial]\n"
                              "type = cavity-mode\nmode = 1 1 0\n" +
                                  metal)),
                   "initial.type = cavity-mode needs one lossless material in the whole mesh");
  expect_bad_input(dgtd(write(directory, "wave.cfg",
                              box + metal + once +
                                  "periods = 1\n[source.w]\ntype = plane-wave\ndirection = 0 0 1\n"
                                  "polarisation = 1 0 0\nfrequency = 1e9\n")),
                   "a plane wave needs a lossless exterior: 'body' lies behind the absorbing boundary with poles");
  expect_bad_input(dgtd(write(directory, "dipole.cfg", box + metal + dipole + once + "periods = 1\n")),
                   "[source.feed]: the dipole is in a metal at its frequency, 1e+09 Hz, where no wave propagates");
}

}  // namespace
