#include "config/case_fixture.hpp"

namespace dgtd::config {
namespace {

class SourceErrors : public CaseFile {
 protected:
  // [source.s] stands on line 5, the first of the lines on line 6.
  static std::string of(const std::string& lines) { return message(minimal + "[source.s]\n" + lines); }
};

const std::string dipole = "type = dipole\nposition = 0 0 0\ndirection = 0 0 1\nfrequency = 1e9\n";
const std::string wave = "type = plane-wave\ndirection = 0 0 1\npolarisation = 1 0 0\nfrequency = 1e9\n";

TEST_F(SourceErrors, GoodOnes) {
  EXPECT_EQ(of(dipole), "no error");
  EXPECT_EQ(of(wave), "no error");
}

TEST_F(SourceErrors, RequiredKeys) {
  EXPECT_EQ(of("frequency = 1e9\n"), "head.cfg:5: [source.s]: source.s.type is required (dipole | plane-wave | sheet | gaussian-beam)");
  EXPECT_EQ(of("type = dipole\ndirection = 0 0 1\n"),
            "head.cfg:5: [source.s]: source.s.position is required (3 numbers, m)");
  EXPECT_EQ(of("type = dipole\nposition = 0 0 1\n"),
            "head.cfg:5: [source.s]: source.s.direction is required (3 numbers)");
  EXPECT_EQ(of("type = plane-wave\ndirection = 0 0 1\n"),
            "head.cfg:5: [source.s]: source.s.polarisation is required (3 numbers)");
  EXPECT_EQ(of("type = plane-wave\npolarisation = 0 0 1\n"),
            "head.cfg:5: [source.s]: source.s.direction is required (3 numbers)");
  EXPECT_EQ(of("type = dipole\nposition = 0 0 0\ndirection = 0 0 1\n"),
            "head.cfg:5: [source.s]: source.s.frequency is required (Hz; or time.frequency)");
  EXPECT_EQ(of(dipole + "waveform = modulated-gaussian\n"),
            "head.cfg:5: [source.s]: source.s.bandwidth is required (Hz)");
}

TEST_F(SourceErrors, KeysOfTheOtherType) {
  EXPECT_EQ(of(wave + "moment = 1e-3\n"), "head.cfg:10: source.s.moment = 1e-3: belongs to type = dipole");
  EXPECT_EQ(of(dipole + "amplitude = 1\n"), "head.cfg:10: source.s.amplitude = 1: belongs to type = plane-wave | sheet | gaussian-beam");
  EXPECT_EQ(of(dipole + "polarisation = 1 0 0\n"),
            "head.cfg:10: source.s.polarisation = 1 0 0: belongs to type = plane-wave | sheet | gaussian-beam");
  EXPECT_EQ(of(dipole + "ramp = 3\n"), "head.cfg:10: source.s.ramp = 3: belongs to waveform = ramped-sine");
  EXPECT_EQ(of(dipole + "waveform = ramped-sine\nbandwidth = 3\n"),
            "head.cfg:11: source.s.bandwidth = 3: belongs to waveform = modulated-gaussian");
}

TEST_F(SourceErrors, Vectors) {
  EXPECT_EQ(of("type = dipole\nposition = 0 0 0\ndirection = 0 0 0\nfrequency = 1e9\n"),
            "head.cfg:8: source.s.direction = 0 0 0: must not be zero");
  EXPECT_EQ(of("type = plane-wave\ndirection = 0 0 1\npolarisation = 0 0 0\nfrequency = 1e9\n"),
            "head.cfg:8: source.s.polarisation = 0 0 0: must not be zero");
  EXPECT_EQ(of("type = plane-wave\ndirection = 0 0 2\npolarisation = 1 0 2e-6\nfrequency = 1e9\n"),
            "head.cfg:8: source.s.polarisation = 1 0 2e-6: must be normal to source.s.direction = 0 0 2");
  EXPECT_EQ(of("type = plane-wave\ndirection = 0 0 2\npolarisation = 1 0 0.9e-6\nfrequency = 1e9\n"), "no error");
}

}  // namespace
}  // namespace dgtd::config
