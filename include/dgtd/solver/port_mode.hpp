#pragma once
// Mode of a port as a method has it: where E and H are summed, and how the sums become waves.
#include <complex>
#include <functional>
#include <optional>
#include <vector>

#include "dgtd/physics/monitors.hpp"
#include "dgtd/solver/region_spectra.hpp"

namespace dgtd::solver {

/// The mode as a wave along the port's direction.
struct ModeWave {
  double phase_constant;  // rad/m
  double impedance;       // ohm, voltage over current: the reference of its power waves
};

/// Voltage and current of the mode are sums of w E and w H over the pairs of a surface, such that the power through it
/// towards positive axes is Re V conj(I) and other modes add nothing.
struct ModeWeights {
  std::vector<double> voltage, current;  // [pairs of this rank] m
};

/// Fields of a mode at a place: E along an axis of the plane, and H across it with the sign of a wave along the normal.
struct ModeFields {
  double electric, magnetic;
};
/// Weights of a mode from its fields (place, axis of E), 1/m, with integral of electric magnetic = power over both axes.
ModeWeights weights_of_mode(const SurfacePairs& pairs, double power,
                            const std::function<ModeFields(const Vec3& place, int axis)>& fields);
/// Weights of a mode with E of 1 V at a place along an axis of the plane, 1/m, and the integral `norm` of its square.
ModeWeights weights_of_mode(const SurfacePairs& pairs, double norm,
                            const std::function<double(const Vec3& place, int axis)>& electric);

/// Fourier integrals of the wave that a port sends, exp(-i omega t).
struct SentWave {
  std::complex<double> voltage, current;  // V s, A s
};

struct PortMode {
  physics::Flux plane;   // where the fields are summed; its frequencies are those at which the scheme does what the
                         // fields do at the port's
  double direction = 1;  // of the waves that the port sends: +1 towards positive axes, or -1
  double distance = 0;   // m, from the reference plane to the plane, along the port's direction
  std::optional<double> cut_off;  // Hz, where it is known
  std::vector<ModeWave> waves;  // [frequencies]
  /// The wave of fields that have a frequency, Hz, in the steps' time; empty where `waves` are those of the port's, since
  /// sums are taken at them.
  std::function<ModeWave(double frequency)> wave_of_steps;
  std::function<ModeWeights(const SurfacePairs&, std::size_t frequency)> weights;
  /// Whether the sums are means of both sides of element faces in the plane (FacePlane). What the port sends is ahead of
  /// them alone, so that they have half of it: `sent`, over the run so far; empty where it sends nothing.
  bool means_of_faces = false;
  std::function<SentWave(double frequency)> sent;  // at one of the plane's
};

}  // namespace dgtd::solver
