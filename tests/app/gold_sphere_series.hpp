#pragma once
// The exact answer for tests of programs, which cannot include the project's headers: program.hpp has a function of the
// namespace's name.

struct CrossSections {
  double absorption, scattering;  // m^2
};

/// The series of LayeredSphere for a sphere of the built-in gold in vacuum. Lengths in m.
CrossSections gold_sphere_series(double radius, double wavelength);
