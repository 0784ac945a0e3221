#pragma once
// Tables of n and k over the wavelength, and their fit by poles that time-domain methods can carry.
#include <complex>
#include <filesystem>
#include <string>
#include <vector>

#include "dgtd/physics/band.hpp"
#include "dgtd/physics/medium.hpp"

namespace dgtd::physics {

/// Permittivity (n + i k)^2 at a frequency, for the time factor exp(-i omega t).
struct OpticalPoint {
  double frequency;  // Hz
  std::complex<double> permittivity;

  bool operator==(const OpticalPoint&) const = default;
};

/// The rows of a text file with the columns wavelength, n and k, by rising frequency. Blanks, commas or semicolons
/// separate columns; what follows a # is no data. Wavelengths are in metres unless a first line of words names a unit:
/// "wavelength (um) n k", "wavelength_nm, n, k". Throws Error (bad_input) with file:line.
std::vector<OpticalPoint> read_optical_table(const std::filesystem::path& file);

struct PoleFit {
  Medium medium;         // permittivity >= 1, one Drude pole at most, Lorentz poles
  double mean_error;     // root mean square of |fit - eps| / |eps| over the points
  double largest_error;  // of |fit - eps| / |eps|
};

/// The least squares of |fit - eps| / |eps| over the points (at least three, by rising frequency) with the fewest poles
/// that leave at most 0.2 % anywhere, six at most. All strengths and dampings are positive, so the fit is passive at
/// all frequencies. Resonances are at most at three times the highest frequency, which a time step resolves, and no
/// line is narrower than the distance of points beside it.
PoleFit fit_poles(const std::vector<OpticalPoint>& points);

/// A table as poles, for the log and charts.
struct TableFit {
  std::string material, file;  // file: its name, or that of the published material
  Band band;
  int poles;
  double mean_error, largest_error;
  std::vector<OpticalPoint> points;  // in the band

  bool operator==(const TableFit&) const = default;
};

/// The fit of points (by rising frequency) over a band, with those next to it and five at least; of all points where
/// the band is absent. Sets the permittivity and the poles of the medium. Throws Error where the points do not reach
/// into the band, naming both. The result has no names.
TableFit fit_over_band(const std::vector<OpticalPoint>& points, const Band* band, Medium& medium);

/// Table of a file, whose name the result and errors have.
TableFit fit_table(const std::filesystem::path& file, const Band* band, Medium& medium);

}  // namespace dgtd::physics
