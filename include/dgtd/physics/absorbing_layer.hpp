#pragma once
// Absorbing layers of elements. Type `passive`: the conductivity of E, over eps, and of H, over mu, along the surface
// is the same; without reflection at normal incidence, with a small one at others, and without a source of energy in
// any medium. Type `cpml`: convolutional perfectly matched layers with complex frequency shift and a matched loss.
#include <span>
#include <vector>

namespace dgtd::physics {

/// The rate of a layer of thickness d over the depth u d,
///   S(u) = (m + 1) ln(1 / R) v / (2 d) u^m,
/// with which a wave of the speed v comes back from a mirror behind it with the amplitude R at normal incidence.
struct LayerProfile {
  int power = 2;             // m
  double reflection = 1e-2;  // R
};

/// Means of the rate in equal strata, from the inner to the outer one, 1/s. thickness: m; speed: m/s.
std::vector<double> rates_of_strata(const LayerProfile& profile, int strata, double thickness, double speed);

/// Rates of a stratum, 1/s: along the surface eps and mu are those of the medium times s l, across it times l / s,
///   s = 1 + rate / (alpha + i w), l = 1 + loss / (i w)   for the time factor exp(i w t)
/// (passive: l = 1, and across it those of the medium; neither alpha nor loss is used).
struct Stratum {
  double rate = 0, alpha = 0, loss = 0;
};

/// A convolutional layer's strata: alpha falls linearly from alpha (1/s) at the inner surface to 0, the loss is `loss`
/// times the rate.
std::vector<Stratum> convolutional_strata(std::span<const double> rates, double alpha, double loss);

/// The amplitude that such a layer reflects, as below.
double reflection(std::span<const Stratum> strata, double stratum, double speed, double w, double angle);

/// The profile of a convolutional layer so many wavelengths thick, which elements of the usual size resolve: it was
/// found to reflect least in one dimension, P2 with six and P3 with four elements per wavelength.
LayerProfile convolutional_profile(double wavelengths);

/// Amplitude that a wave of the angular frequency w (rad/s) has after its reflection from strata of these rates, at an
/// angle of incidence (rad, below pi / 2), with the impedance of a wave at normal incidence behind them; of either
/// polarisation. stratum: thickness of each, m.
double reflection(std::span<const double> rates, double stratum, double speed, double w, double angle);

/// Angles of incidence at which layers are judged, degrees.
inline constexpr double layer_angles[] = {0, 30, 45, 60};

/// The profile, of powers from 1 to 3, whose largest reflection at these angular frequencies and layer_angles
/// is least.
LayerProfile best_profile(int strata, double thickness, double speed, std::span<const double> w);

}  // namespace dgtd::physics
