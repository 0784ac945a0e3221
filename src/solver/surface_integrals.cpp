#include "dgtd/solver/surface_integrals.hpp"

#include <algorithm>
#include <cmath>

#include "dgtd/base/constants.hpp"

namespace dgtd::solver {

using Complex = std::complex<double>;

namespace {

// Samples on the lines of a grid have phases that are products of one factor per axis.
struct Lines {
  std::vector<double> at;      // distinct coordinates, m, ascending
  std::vector<int> of_sample;  // [n]
};

Lines lines_of(const std::vector<Vec3>& position, int axis) {
  Lines lines;
  for (const Vec3& x : position) lines.at.push_back(x[axis]);
  std::sort(lines.at.begin(), lines.at.end());
  lines.at.erase(std::unique(lines.at.begin(), lines.at.end()), lines.at.end());
  for (const Vec3& x : position)
    lines.of_sample.push_back(
        static_cast<int>(std::lower_bound(lines.at.begin(), lines.at.end(), x[axis]) - lines.at.begin()));
  return lines;
}

// Currents J = n x H, M = -n x E; radiation vectors N = int J exp(-i k r.x), L = int M exp(-i k r.x) over the surface;
// r E_theta = (i k / 4 pi) (Z N_theta + L_phi), r E_phi = (i k / 4 pi) (Z N_phi - L_theta)  (Balanis (6-122), with i =
// -j). E and H of a sample stand at one place, H being the mean of both sides; with the area's sign J dA is -H along
// E's axis, M dA -E along H's.
FarPattern far_field(const SurfacePairs& surface, const Lines (&lines)[3], const PairSums& sums,
                     double angular_frequency, const std::vector<Direction>& directions, double permittivity,
                     double permeability) {
  const std::size_t n = surface.area.size();
  const double k = angular_frequency / speed_of_light * std::sqrt(permittivity * permeability);
  const double impedance = std::sqrt(permeability / permittivity);  // over that of vacuum, which H has in it
  std::vector<Complex> electric(n), magnetic(n);
  for (std::size_t i = 0; i < n; ++i) {
    electric[i] = -surface.area[i] * Complex(sums.electric_real[i], sums.electric_imag[i]);
    magnetic[i] = -surface.area[i] * impedance * Complex(sums.magnetic_real[i], sums.magnetic_imag[i]);
  }
  // On tetrahedra nearly all points have lines of their own.
  const bool on_lines = lines[0].at.size() + lines[1].at.size() + lines[2].at.size() < n / 4;
  FarPattern far{std::vector<Complex>(directions.size()), std::vector<Complex>(directions.size())};
#pragma omp parallel for schedule(static)
  for (std::size_t d = 0; d < directions.size(); ++d) {
    const double st = std::sin(directions[d].theta), ct = std::cos(directions[d].theta),
                 sp = std::sin(directions[d].phi), cp = std::cos(directions[d].phi);
    const double r[3] = {st * cp, st * sp, ct}, along_theta[3] = {ct * cp, ct * sp, -st}, along_phi[3] = {-sp, cp, 0};
    std::vector<Complex> factor[3];
    for (int a = 0; a < 3 && on_lines; ++a)
      for (const double x : lines[a].at) factor[a].push_back(std::polar(1.0, -k * r[a] * x));
    Complex N[3]{}, L[3]{};
    const auto times = [](Complex a, Complex b) {
      return Complex(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real());
    };
    Complex phase;
    for (std::size_t i = 0; i < n; ++i) {
      const Vec3& x = surface.position[i];
      if (on_lines)
        phase = times(times(factor[0][lines[0].of_sample[i]], factor[1][lines[1].of_sample[i]]),
                      factor[2][lines[2].of_sample[i]]);
      else if (i == 0 || !(x == surface.position[i - 1]))  // both pairs of a point follow each other
        phase = std::polar(1.0, -k * (r[0] * x.x + r[1] * x.y + r[2] * x.z));
      N[surface.electric_axis[i]] += times(phase, magnetic[i]);
      L[surface.magnetic_axis[i]] += times(phase, electric[i]);
    }
    Complex N_theta, N_phi, L_theta, L_phi;
    for (int a = 0; a < 3; ++a) {
      N_theta += along_theta[a] * N[a], N_phi += along_phi[a] * N[a];
      L_theta += along_theta[a] * L[a], L_phi += along_phi[a] * L[a];
    }
    far.theta[d] = Complex(0, k / (4 * pi)) * (N_theta + L_phi);
    far.phi[d] = Complex(0, k / (4 * pi)) * (N_phi - L_theta);
  }
  return far;
}

// The far field of currents with all their images. An image in the planes of a set has
//   F'(r) = s R F(R r) exp(-2 i k sum_a p_a r_a),
// where R reflects the axes a of the set, p_a are the places of its planes and s is the product of their signs, -1 of
// an electric one and 1 of a magnetic one. e_theta at R r is R e_theta at r, of the opposite sign where z is reflected;
// e_phi has the opposite sign for each of x and y.
FarPattern with_images(const std::function<FarPattern(const std::vector<Direction>&)>& far,
                       const std::vector<Direction>& directions, double wave_number,
                       const std::vector<ImagePlane>& planes) {
  FarPattern all = far(directions);
  for (std::size_t set = 1; set < std::size_t{1} << planes.size(); ++set) {
    bool reflected[3]{};
    double sign = 1;
    Vec3 twice;  // m
    for (std::size_t p = 0; p < planes.size(); ++p) {
      if (!(set >> p & 1)) continue;
      reflected[planes[p].axis] = true, twice[planes[p].axis] = 2 * planes[p].place;
      if (planes[p].is_electric) sign = -sign;
    }
    std::vector<Direction> there;
    for (Direction d : directions) {
      if (reflected[0]) d.phi = pi - d.phi;
      if (reflected[1]) d.phi = -d.phi;
      if (reflected[2]) d.theta = pi - d.theta;
      there.push_back(d);
    }
    const FarPattern image = far(there);
    const double of_theta = reflected[2] ? -sign : sign, of_phi = reflected[0] != reflected[1] ? -sign : sign;
    for (std::size_t d = 0; d < directions.size(); ++d) {
      const auto [theta, phi] = directions[d];
      const double path = twice.x * std::sin(theta) * std::cos(phi) + twice.y * std::sin(theta) * std::sin(phi) +
                          twice.z * std::cos(theta);
      const Complex shift = std::polar(1.0, -wave_number * path);
      all.theta[d] += of_theta * shift * image.theta[d];
      all.phi[d] += of_phi * shift * image.phi[d];
    }
  }
  return all;
}

FarPattern sum_over_ranks(const FarPattern& mine, const parallel::Communicator& comm) {
  std::vector<double> reals;
  for (const auto* list : {&mine.theta, &mine.phi})
    for (const Complex& z : *list) reals.push_back(z.real()), reals.push_back(z.imag());
  reals = comm.sum(std::move(reals));
  FarPattern all = mine;
  std::size_t at = 0;
  for (auto* list : {&all.theta, &all.phi})
    for (Complex& z : *list) z = {reals[at], reals[at + 1]}, at += 2;
  return all;
}

}  // namespace

PairSums::PairSums(const RegionSpectra& spectra, std::size_t surface, std::size_t frequency) {
  const std::size_t n = spectra.samples(surface).pairs.area.size();
  for (auto* part : {&electric_real, &electric_imag, &magnetic_real, &magnetic_imag}) part->resize(n);
  const RegionSums sums = spectra.sums(surface, frequency);
  sums.electric(0, n, electric_real.data(), electric_imag.data());
  sums.magnetic(0, n, magnetic_real.data(), magnetic_imag.data());
}

std::vector<double> flux(const RegionSpectra& spectra, std::size_t surface, const parallel::Communicator& comm,
                         const std::function<void(std::size_t, PairSums&)>& change) {
  const RegionSamples& samples = spectra.samples(surface);
  const std::vector<double>& area = samples.pairs.area;
  std::vector<double> spectrum(samples.frequencies.size(), 0);
  for (std::size_t f = 0; f < spectrum.size(); ++f) {
    PairSums s(spectra, surface, f);
    if (change) change(f, s);
    for (std::size_t i = 0; i < area.size(); ++i)
      spectrum[f] += 2 / vacuum_impedance * area[i] *
                     (s.electric_real[i] * s.magnetic_real[i] + s.electric_imag[i] * s.magnetic_imag[i]);
  }
  return comm.sum(std::move(spectrum));
}

std::vector<Direction> directions_of(int thetas, int phis) {
  std::vector<Direction> list;
  for (int t = 0; t < thetas; ++t)
    for (int p = 0; p < phis; ++p) list.push_back({pi * t / (thetas - 1), 2 * pi * p / phis});
  return list;
}

std::vector<double> solid_angles(int thetas, int phis) {
  std::vector<double> list;
  const double step = pi / (thetas - 1);
  for (int t = 0; t < thetas; ++t)
    for (int p = 0; p < phis; ++p)
      list.push_back((std::cos(std::max(0.0, (t - 0.5) * step)) - std::cos(std::min(pi, (t + 0.5) * step))) * 2 * pi /
                     phis);
  return list;
}

std::vector<FarPattern> far_fields(const RegionSpectra& spectra, std::size_t surface,
                                   const std::vector<Direction>& directions, double permittivity, double permeability,
                                   const parallel::Communicator& comm, const std::vector<ImagePlane>& planes) {
  const RegionSamples& samples = spectra.samples(surface);
  Lines lines[3];
  for (int a = 0; a < 3; ++a) lines[a] = lines_of(samples.pairs.position, a);
  std::vector<FarPattern> patterns;
  for (std::size_t f = 0; f < samples.frequencies.size(); ++f) {
    const PairSums sums(spectra, surface, f);
    const double angular_frequency = 2 * pi * samples.frequencies[f];
    const auto in_directions = [&](const std::vector<Direction>& list) {
      return far_field(samples.pairs, lines, sums, angular_frequency, list, permittivity, permeability);
    };
    const double wave_number = angular_frequency / speed_of_light * std::sqrt(permittivity * permeability);
    patterns.push_back(sum_over_ranks(with_images(in_directions, directions, wave_number, planes), comm));
  }
  return patterns;
}

}  // namespace dgtd::solver
