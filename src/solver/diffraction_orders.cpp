#include "dgtd/solver/diffraction_orders.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

#include "dgtd/base/constants.hpp"

namespace dgtd::solver {

namespace {

// The axes of a plane in the order x, y, z.
std::array<std::size_t, 2> axes_of(int normal) {
  return {normal == 0 ? std::size_t{1} : std::size_t{0}, normal == 2 ? std::size_t{1} : std::size_t{2}};
}

// Along an axis, rad/m.
double wave_number(const Lattice& lattice, std::size_t axis, int number) {
  return lattice.period[axis] > 0 ? (lattice.phase[axis] + 2 * pi * number) / lattice.period[axis] : 0;
}

// First and last number with a wave number of at most k along an axis.
std::array<int, 2> numbers_within(const Lattice& lattice, std::size_t axis, double k) {
  if (lattice.period[axis] <= 0) return {0, 0};
  const double most = k * lattice.period[axis];
  return {static_cast<int>(std::ceil((-most - lattice.phase[axis]) / (2 * pi))),
          static_cast<int>(std::floor((most - lattice.phase[axis]) / (2 * pi)))};
}

}  // namespace

std::vector<DiffractionOrder> propagating_orders(const Lattice& lattice, int normal, double index, double frequency) {
  const double k = index * 2 * pi * frequency / speed_of_light;
  const auto [u, v] = axes_of(normal);
  const auto of_u = numbers_within(lattice, u, k), of_v = numbers_within(lattice, v, k);
  std::vector<DiffractionOrder> orders;
  for (int m = of_u[0]; m <= of_u[1]; ++m)
    for (int n = of_v[0]; n <= of_v[1]; ++n) {
      const double along_u = wave_number(lattice, u, m), along_v = wave_number(lattice, v, n);
      const double across = std::hypot(along_u, along_v);
      if (across >= k) continue;
      DiffractionOrder order;
      order.number[u] = m, order.number[v] = n;
      order.polar = std::asin(across / k);
      order.azimuth = across > 0 ? std::atan2(along_v, along_u) : 0;
      orders.push_back(order);
    }
  return orders;
}

double cell_across_wave(const Lattice& lattice, int normal, double frequency) {
  const double k = 2 * pi * frequency / speed_of_light;
  double area = 1, square = 1;  // of the cosine
  for (const std::size_t a : axes_of(normal)) {
    square -= std::pow(wave_number(lattice, a, 0) / k, 2);
    if (lattice.period[a] > 0) area *= lattice.period[a];
  }
  return area * std::sqrt(std::max(0.0, square));
}

// With the coefficients c_m = 1/A int c exp(-i k_m . x) dA of the components c in the plane, the energy of an order is
// 2 A / Z0 Re (E_m x conj H_m) . n, by Parseval's theorem its part of flux().
std::vector<DiffractionOrder> diffraction_orders(const RegionSpectra& spectra, std::size_t surface,
                                                 std::size_t frequency, const Lattice& lattice, int normal,
                                                 double index, const parallel::Communicator& comm,
                                                 const std::function<void(std::size_t, PairSums&)>& change) {
  const RegionSamples& samples = spectra.samples(surface);
  const SurfacePairs& pairs = samples.pairs;
  auto orders = propagating_orders(lattice, normal, index, samples.frequencies[frequency]);
  PairSums sums(spectra, surface, frequency);
  if (change) change(frequency, sums);
  const std::size_t u = axes_of(normal)[0], v = axes_of(normal)[1];
  constexpr std::size_t of_order = 8;  // E and H, real and imaginary parts, of both kinds of pairs
  std::vector<double> all(of_order * orders.size() + 2);
  double* const area = all.data() + of_order * orders.size();  // m^2 of each kind, with its sign
  for (std::size_t i = 0; i < pairs.area.size(); ++i) area[pairs.electric_axis[i] == u ? 0 : 1] += pairs.area[i];
#pragma omp parallel for schedule(static)
  for (std::size_t o = 0; o < orders.size(); ++o) {
    const double along_u = wave_number(lattice, u, orders[o].number[u]),
                 along_v = wave_number(lattice, v, orders[o].number[v]);
    std::complex<double> fields[4];
    for (std::size_t i = 0; i < pairs.area.size(); ++i) {
      const Vec3& x = pairs.position[i];
      const double phase = along_u * x[static_cast<int>(u)] + along_v * x[static_cast<int>(v)];
      const auto wave = std::polar(std::abs(pairs.area[i]), -phase);
      const std::size_t kind = pairs.electric_axis[i] == u ? 0 : 1;
      fields[2 * kind] += wave * std::complex<double>(sums.electric_real[i], sums.electric_imag[i]);
      fields[2 * kind + 1] += wave * std::complex<double>(sums.magnetic_real[i], sums.magnetic_imag[i]);
    }
    for (std::size_t j = 0; j < 4; ++j)
      all[of_order * o + 2 * j] = fields[j].real(), all[of_order * o + 2 * j + 1] = fields[j].imag();
  }
  all = comm.sum(std::move(all));
  for (std::size_t o = 0; o < orders.size(); ++o)
    for (std::size_t kind = 0; kind < 2; ++kind) {
      const double signed_area = all[of_order * orders.size() + kind];
      if (signed_area == 0) continue;
      const double* const f = all.data() + of_order * o + 4 * kind;
      orders[o].energy += 2 / (vacuum_impedance * signed_area) * (f[0] * f[2] + f[1] * f[3]);
    }
  return orders;
}

}  // namespace dgtd::solver
