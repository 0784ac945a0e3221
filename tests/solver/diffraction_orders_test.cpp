// Diffraction orders of fields that are sums of plane waves, sampled as on a grid.
#include "dgtd/solver/diffraction_orders.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "dgtd/base/constants.hpp"

namespace dgtd::solver {
namespace {

using Complex = std::complex<double>;

constexpr double frequency = 6e14, index = 1.5, length_x = 1e-6, length_y = 0.7e-6, phase_x = 0.9;
constexpr int points_x = 12, points_y = 10;

struct Wave {
  std::array<int, 2> number;
  Complex e_x, e_y, h_x, h_y;  // H times the impedance of vacuum
};

const Lattice lattice{{length_x, length_y, 0}, {phase_x, 0, 0}};
const std::vector<Wave> waves{{{0, 0}, {1, 2}, {0.5, 0}, {-0.2, 0.7}, {1.5, 0.3}},
                              {{1, -1}, {0.3, 0}, {0, -0.4}, {0.6, 0.6}, {-0.2, 0.1}},
                              {{-2, 0}, {0, 0.8}, {0.1, 0.1}, {0.3, 0}, {0, -0.7}}};

/// Those waves at equal cells of one period in a plane across z.
class Waves final : public RegionSpectra {
 public:
  Waves() {
    samples_.frequencies = {frequency};
    const double area = length_x * length_y / (points_x * points_y);
    for (int i = 0; i < points_x; ++i)
      for (int j = 0; j < points_y; ++j)
        for (const std::uint8_t electric : {0, 1}) {
          samples_.pairs.area.push_back(electric == 0 ? area : -area);
          samples_.pairs.position.push_back({(i + 0.25) * length_x / points_x, (j - 3.5) * length_y / points_y, 0.1});
          samples_.pairs.electric_axis.push_back(electric);
          samples_.pairs.magnetic_axis.push_back(static_cast<std::uint8_t>(1 - electric));
        }
  }
  std::size_t add_region(const Region&) override { return 0; }
  const RegionSamples& samples(std::size_t) const override { return samples_; }
  std::int64_t sampling_interval(std::size_t) const override { return 1; }
  void accumulate(std::size_t, double) override {}
  bool are_phasors() const override { return false; }
  RegionSums sums(std::size_t, std::size_t) const override {
    const auto values = [this](bool is_electric) -> RegionValues {
      return [this, is_electric](std::size_t first, std::size_t count, double* real, double* imag) {
        for (std::size_t n = 0; n < count; ++n) {
          const std::size_t i = first + n;
          Complex sum = 0;
          for (const Wave& w : waves) {
            const double phase = (phase_x + 2 * pi * w.number[0]) / length_x * samples_.pairs.position[i].x +
                                 2 * pi * w.number[1] / length_y * samples_.pairs.position[i].y;
            const bool is_x = (is_electric ? samples_.pairs.electric_axis : samples_.pairs.magnetic_axis)[i] == 0;
            sum += (is_electric ? is_x ? w.e_x : w.e_y : is_x ? w.h_x : w.h_y) * std::polar(1.0, phase);
          }
          real[n] = sum.real(), imag[n] = sum.imag();
        }
      };
    };
    return {values(true), values(false)};
  }

 private:
  RegionSamples samples_;
};

// By the grating equation k_x = (phase + 2 pi m) / L, sin(polar) = |k_across| / k: all orders that propagate, no other.
TEST(DiffractionOrders, PropagateWhereTheGratingEquationHasAnAngle) {
  const double k = index * 2 * pi * frequency / speed_of_light;
  const auto orders = propagating_orders(lattice, 2, index, frequency);
  int expected = 0;
  for (int m = -20; m <= 20; ++m)
    for (int n = -20; n <= 20; ++n)
      expected += std::hypot((phase_x + 2 * pi * m) / length_x, 2 * pi * n / length_y) < k;
  EXPECT_EQ(static_cast<int>(orders.size()), expected);
  EXPECT_GT(expected, 15);
  for (const auto& order : orders) {
    const double k_x = (phase_x + 2 * pi * order.number[0]) / length_x, k_y = 2 * pi * order.number[1] / length_y;
    EXPECT_NEAR(k * std::sin(order.polar) * std::cos(order.azimuth), k_x, 1e-9 * k);
    EXPECT_NEAR(k * std::sin(order.polar) * std::sin(order.azimuth), k_y, 1e-9 * k);
    EXPECT_EQ(order.number[2], 0);
  }
}

// Each wave's energy is 2 A / Z0 Re(E_x conj H_y - E_y conj H_x), others have none, and the sum is the flux: exact, as
// the points resolve all products of these waves.
TEST(DiffractionOrders, HaveTheEnergiesOfTheirWaves) {
  const Waves spectra;
  const parallel::Communicator comm;
  double all = 0;
  const double scale = 2 * length_x * length_y / vacuum_impedance;
  for (const auto& order : diffraction_orders(spectra, 0, 0, lattice, 2, index, comm)) {
    double exact = 0;
    for (const Wave& w : waves)
      if (w.number[0] == order.number[0] && w.number[1] == order.number[1])
        exact = scale * (w.e_x * std::conj(w.h_y) - w.e_y * std::conj(w.h_x)).real();
    EXPECT_NEAR(order.energy, exact, 1e-12 * scale) << order.number[0] << " " << order.number[1];
    all += order.energy;
  }
  EXPECT_NEAR(all, flux(spectra, 0, comm)[0], 1e-12 * scale);
}

}  // namespace
}  // namespace dgtd::solver
