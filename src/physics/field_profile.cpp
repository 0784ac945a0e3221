#include "dgtd/physics/field_profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/base/numpy_file.hpp"

namespace dgtd::physics {

std::complex<double> FieldProfile::at_point(int component, std::int64_t i, std::int64_t j) const {
  const auto nu = static_cast<std::int64_t>(points[0]), nv = static_cast<std::int64_t>(points[1]);
  if (i < 0 || i >= nu || j < 0 || j >= nv) return 0;
  return values[static_cast<std::size_t>((component * nu + i) * nv + j)];
}

std::complex<double> FieldProfile::between(int component, double u, double v) const {
  const double at[2] = {u, v};
  std::int64_t below[2], above[2];
  double part[2];
  for (int a = 0; a < 2; ++a) {
    const auto n = static_cast<double>(points[a]);
    if (!(at[a] >= 0 && at[a] <= n)) return 0;
    const double place = std::clamp(at[a] - 0.5, 0.0, n - 1);
    below[a] = static_cast<std::int64_t>(place);
    above[a] = std::min(below[a] + 1, static_cast<std::int64_t>(points[a]) - 1);
    part[a] = place - std::floor(place);
  }
  const auto along_v = [&](std::int64_t i) {
    return (1 - part[1]) * at_point(component, i, below[1]) + part[1] * at_point(component, i, above[1]);
  };
  return (1 - part[0]) * along_v(below[0]) + part[0] * along_v(above[0]);
}

FieldProfile read_field_profile(const std::filesystem::path& file) {
  const NumpyArray<std::complex<double>> array = read_numpy<std::complex<double>>(file);
  const auto& shape = array.shape;
  const std::size_t axes = shape.size();
  if (axes != 2 && !(axes == 3 && (shape[0] == 2 || shape[0] == 4)))
    throw Error(
        fmt::format("{}: its shape is {}; it must be u x v (a factor of the amplitude), 2 x u x v (E along u and v) or "
                    "4 x u x v (E and H along u and v)",
                    file.string(), text_of_shape(shape)));
  FieldProfile profile;
  if (axes == 3) profile.content = shape[0] == 2 ? FieldProfile::Content::electric : FieldProfile::Content::both;
  profile.points[0] = shape[axes - 2];
  profile.points[1] = shape[axes - 1];
  profile.values.assign(array.values.begin(), array.values.end());
  // H is stored times the impedance of vacuum.
  for (std::size_t n = 2 * profile.points[0] * profile.points[1]; axes == 3 && n < profile.values.size(); ++n)
    profile.values[n] *= vacuum_impedance;
  return profile;
}

void check_profile(const Source& sheet, const FieldProfile& profile) {
  using Content = FieldProfile::Content;
  const auto refuse = [&](const std::string& why) {
    throw Error(fmt::format("{}: source.{}: profile = {}: {}", sheet.origin, sheet.name, sheet.profile.string(), why));
  };
  const bool has_polarisation = norm(sheet.polarisation) > 0;
  if (profile.content == Content::factor && !has_polarisation)
    refuse("has a factor only; the direction of E, polarisation, is required");
  if (profile.content != Content::factor && has_polarisation)
    refuse("has the direction of E in it; polarisation must not be given");
  if (profile.content != Content::both) return;
  if (norm(sheet.direction) == 0) refuse("has E and H, which launch waves to one side; direction is required");
  if (!sheet.effective_index) refuse("has E and H of a mode; its effective_index is required");
}

}  // namespace dgtd::physics
