// The power density that SAR refers to with sar.normalise = incident: |E|^2 / (2 Z) of the sum of all waves.
#include "dgtd/dosimetry/incident_power.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "dgtd/base/constants.hpp"
#include "support/error_message.hpp"

namespace dgtd::dosimetry {
namespace {

constexpr double frequency = 1.8e9;                     // Hz
constexpr double density = 4 / (2 * vacuum_impedance);  // of 2 V/m in vacuum, W/m^2

physics::Source wave(const std::string& name, const Vec3& direction, const Vec3& polarisation) {
  physics::Source s;
  s.name = name;
  s.type = physics::Source::Type::plane_wave;
  s.direction = direction;
  s.polarisation = polarisation;
  s.amplitude = 2;
  s.waveform = {physics::Waveform::Type::ramped_sine, frequency, 2, 0};
  s.origin = "a.cfg:7";
  return s;
}
const auto along_x = wave("a", {0, 0, 1}, {1, 0, 0}), along_y = wave("b", {0, 0, 1}, {0, 1, 0});

TEST(IncidentPower, HasTheImpedanceOfTheExterior) {
  EXPECT_NEAR(*incident_power_density({along_x}, frequency, {}), density, 1e-15);
  EXPECT_NEAR(*incident_power_density({along_x}, frequency, {4, 1}), 2 * density, 1e-15);
  EXPECT_NEAR(*incident_power_density({along_x}, frequency, {1, 9}), density / 3, 1e-15);
}

TEST(IncidentPower, FieldsOfCoherentWavesAdd) {
  EXPECT_NEAR(*incident_power_density({along_x, along_x}, frequency, {}), 4 * density, 1e-14);
  EXPECT_NEAR(*incident_power_density({along_x, along_y}, frequency, {}), 2 * density, 1e-14);
  auto later = along_x;
  later.position.z = speed_of_light / frequency / 4;  // half a wavelength where eps_r is 4, a quarter in vacuum
  EXPECT_NEAR(*incident_power_density({along_x, later}, frequency, {}), 2 * density, 1e-12);
  EXPECT_NEAR(*incident_power_density({along_x, later}, frequency, {4, 1}), 0, 1e-12);
}

TEST(IncidentPower, IsOfItsFrequencyOnly) {
  auto harmonic = wave("c", {1, 0, 0}, {0, 1, 0});
  harmonic.waveform.frequency = 2 * frequency;
  EXPECT_NEAR(*incident_power_density({along_x, harmonic}, frequency, {}), density, 1e-15);
  physics::Source dipole;
  dipole.waveform.frequency = frequency;
  EXPECT_FALSE(incident_power_density({harmonic, dipole}, frequency, {}));
}

TEST(IncidentPower, CoherentWavesMustBeOneWave) {
  const auto of = [](const physics::Source& second) {
    return message([&] { (void)incident_power_density({along_x, second}, frequency, {}); });
  };
  const std::string begin = "a.cfg:7: source.b: sar.normalise = incident ",
                    end = "; allowed are waves of one frequency and one direction, one wave, or sar.normalise = none";
  EXPECT_EQ(of(wave("b", {0, 0, -1}, {1, 0, 0})),
            begin + "has no power density to refer to: it is coherent with source.a and has another direction" + end);
  auto boxed = along_y;
  boxed.box_min = Vec3{0, 0, 0};
  EXPECT_EQ(of(boxed), begin +
                           "has no power density to refer to: it is coherent with source.a and has another "
                           "total field" +
                           end);
  auto pulse = along_y;
  pulse.waveform.type = physics::Waveform::Type::modulated_gaussian;
  EXPECT_EQ(of(pulse), begin + "needs a wave that lasts: its waveform must be sine or ramped-sine");
}

}  // namespace
}  // namespace dgtd::dosimetry
