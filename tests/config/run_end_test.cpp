// time.end = steady and decayed: what they require of the rest of the case, and what belongs to them.
#include "config/case_fixture.hpp"

namespace dgtd::config {
namespace {

using RunEndKeys = CaseFile;

const std::string start = "[solver]\nmethod = fdtd1d\n[grid]\ncells = 200\nspacing = 5e-3\n";
const std::string sheet = "[source.s]\ntype = sheet\nsize = 0\npolarisation = 0 0 1\n";

// The word is on line 7.
std::string text(const std::string& time, const std::string& rest) {
  return start + "[time]\nend = " + time + "\n" + rest;
}

std::string pulse() { return sheet + "waveform = modulated-gaussian\nfrequency = 3e9\nbandwidth = 2e9\n"; }

TEST_F(RunEndKeys, OfHarmonicFields) {
  const Case c = read(text("steady\ntolerance = 0.002\nat_most = 1e-8\nfrequency = 1e9", sheet + "frequency = 2e9\n"));
  EXPECT_TRUE(c.time.ends(RunEnd::Type::steady));
  EXPECT_EQ(c.time.tolerance, 0.002);
  EXPECT_EQ(c.time.at_most, 1e-8);
  EXPECT_EQ(c.dft.frequencies, std::vector<double>{1e9});
  const std::string resolved = resolved_text(c);
  EXPECT_NE(resolved.find("end = steady\n"), std::string::npos) << resolved;
  EXPECT_EQ(resolved.find("decay"), std::string::npos) << resolved;
}

// They have no last period, and so no phasors of it.
TEST_F(RunEndKeys, OfPulses) {
  const Case c = read(text("decayed\ndecay = -60\nfrequency = 1e9", pulse()));
  EXPECT_TRUE(c.time.ends(RunEnd::Type::decayed));
  EXPECT_EQ(c.time.decay, -60);
  EXPECT_TRUE(c.dft.frequencies.empty());
  EXPECT_EQ(read(text("decayed", pulse() + "[dft]\nfrequencies = 3e9\nwindow = all\n")).dft.frequencies,
            std::vector<double>{3e9});
  EXPECT_TRUE(read(text("decayed\nat_most = 1e-8", "[initial]\ntype = formula\nEz = x\n")).sources.empty());
}

TEST_F(RunEndKeys, WhatTheyRequire) {
  const std::string steady = "head.cfg:7: time.end = steady: ", decayed = "head.cfg:7: time.end = decayed: ";
  EXPECT_EQ(message(text("1 ?", "")), "head.cfg:7: time.end = 1 ?: must be a number > 0, or steady or decayed");
  EXPECT_EQ(message(text("steady", sheet + "frequency = 1e9\n")), steady + "requires time.frequency");
  EXPECT_EQ(message(text("steady\nfrequency = 1e9", pulse())),
            steady + "source.s is a pulse, whose fields do not become steady; allowed are decayed and a number > 0");
  EXPECT_EQ(message(text("steady\nfrequency = 1e9", sheet + "frequency = 1.5e9\n")),
            steady + "requires sources of multiples of time.frequency = 1000000000 Hz, and source.s has 1500000000 Hz");
  EXPECT_EQ(message(text("steady\nfrequency = 1e9", "")),
            steady + "requires a source; allowed without one are decayed and a number > 0");
  EXPECT_EQ(message(text("steady\nfrequency = 1e9", sheet + "[dft]\nwindow = all\n")),
            steady + "requires dft.window = last-period");
  EXPECT_EQ(message(text("decayed", sheet + "frequency = 1e9\n")),
            decayed + "source.s is harmonic, so that fields do not decay; allowed are steady and a number > 0");
  EXPECT_EQ(message(text("decayed", "[initial]\ntype = formula\nEz = x\n")),
            decayed + "requires time.at_most where there is no source");
  EXPECT_EQ(message(text("decayed\nfrequency = 1e9", pulse() + "[dft]\nfrequencies = 1e9\n")),
            decayed + "requires dft.window = all where dft.frequencies are given");
  std::string line = text("decayed", pulse());
  line.replace(line.find("fdtd1d"), 6, "fdtd1d-subdomains");
  EXPECT_EQ(message(line),
            decayed + "fdtd1d-subdomains has fields at the first and the last step only; allowed is a number > 0");
}

TEST_F(RunEndKeys, WhatBelongsToThem) {
  EXPECT_EQ(message(text("1e-8\ntolerance = 0.1", pulse())),
            "head.cfg:8: time.tolerance = 0.1: belongs to time.end = steady");
  EXPECT_EQ(message(text("1e-8\ndecay = -40", pulse())), "head.cfg:8: time.decay = -40: belongs to time.end = decayed");
  EXPECT_EQ(message(text("1e-8\nat_most = 1", pulse())),
            "head.cfg:8: time.at_most = 1: belongs to time.end = steady | decayed");
  EXPECT_EQ(message(text("decayed\ndecay = 0", pulse())), "head.cfg:8: time.decay = 0: must be a number < 0");
}

// An override of the length takes with it what belonged to the file's.
TEST_F(RunEndKeys, AnotherLengthReplacesThem) {
  const std::string steady = text("steady\ntolerance = 0.1\nat_most = 1e-7\nfrequency = 1e9", sheet);
  const Case shorter = read(steady, {"time.periods=3"});
  EXPECT_FALSE(shorter.time.end || shorter.time.at_most);
  EXPECT_EQ(read(steady, {"time.end=steady"}).time.tolerance, 0.1);
  EXPECT_EQ(read(text("3e-9", pulse()), {"time.end=decayed", "time.decay=-30"}).time.decay, -30);
}

}  // namespace
}  // namespace dgtd::config
