#pragma once
// Plane wave on concentric spheres of lossy dielectrics or metals in vacuum: the exact answer, by expansion in
// vector spherical harmonics (Mie). The wave runs along +z, E along x, phase zero at the centre:
// E = amplitude exp(i k z - i omega t) x.
#include <vector>

#include "dgtd/base/vec3.hpp"
#include "support/complex_field.hpp"

namespace dgtd::exact {

struct SphereLayer {
  double outer_radius;  // m
  double permittivity;  // negative of a metal
  double conductivity;  // S/m
};

/// Time averages. A power is its cross section times amplitude^2 / (2 Z0).
struct SpherePowers {
  std::vector<double> absorbed_in_layer;  // W, from inside
  double absorbed = 0;                    // W, through the surface
  double scattered = 0;                   // W
  double extinguished = 0;                // W, from the optical theorem
};

class LayeredSphere {
 public:
  /// Layers from inside, radii ascending; frequency in Hz; amplitude in V/m, peak.
  LayeredSphere(std::vector<SphereLayer> layers, double frequency, double amplitude = 1);

  SpherePowers powers() const;
  double absorption_cross_section() const { return powers().absorbed / incident_flux(); }      // m^2
  double scattering_cross_section() const { return powers().scattered / incident_flux(); }     // m^2
  double extinction_cross_section() const { return powers().extinguished / incident_flux(); }  // m^2
  double incident_flux() const;                                                                // W/m^2

  /// Total field at x, relative to the centre of the spheres.
  ComplexField field(const Vec3& x) const;

  /// Bistatic cross section over 4 pi, m^2: r^2 |E_scattered|^2 far away over the incident |E|^2. Angles in rad.
  double scattered_intensity(double theta, double phi) const;

  /// Time-averaged power that flows outwards through the sphere with this radius inside the outermost
  /// layer or on its surface: minus the power absorbed within.
  double outward_power(double radius) const;

  int order() const { return static_cast<int>(waves_.size()); }  // n of the last multipole

 private:
  // In a layer the radial function of a multipole is regular * psi_n + outgoing * xi_n, scaled as in
  // exact_radial.hpp by their values at the layer's outer and inner radius.
  struct Coefficients {
    Complex regular = 0, outgoing = 0;
  };
  struct Multipole {  // one coefficient pair a layer, the last one for the scattered wave outside
    std::vector<Coefficients> magnetic, electric;
  };
  // Functions of one order n at one radius, continuous over interfaces: E_t is made of u and w, H_t of v and u'.
  struct Radial {
    Complex u, u_slope, v, w;
  };

  int layer_of(double radius) const;
  Complex index(int layer) const;  // refractive index; the layer after the last is vacuum
  std::vector<Radial> radial_functions(int layer, double radius) const;
  void solve();

  std::vector<SphereLayer> layers_;
  double wave_number_, omega_, amplitude_;
  std::vector<Multipole> waves_;  // [n - 1]
};

}  // namespace dgtd::exact
