// Current sheets that launch a complex field, such as a mode of a waveguide.
#include <fmt/format.h>

#include <cmath>
#include <complex>

#include "dgtd/base/error.hpp"
#include "dgtd/physics/field_profile.hpp"
#include "fdtd/media/electric_cb.hpp"
#include "fdtd/sources/sheet_face.hpp"

namespace dgtd::fdtd {
namespace {

using Complex = std::complex<double>;
using Content = physics::FieldProfile::Content;

[[noreturn]] void refuse(const physics::Source& source, const std::string& why) {
  throw Error(fmt::format("{}: source.{}: profile = {}: {}", source.origin, source.name, source.profile.string(), why));
}

// The nodes at the sheet's ends along an axis of the plane. Of points that are those of the grid, the sheet's edges are
// on nodes, with one point per cell between them.
struct Extent {
  std::int64_t first, last;
};
Extent extent_of(const grid::Setup& setup, const physics::Source& source, const physics::FieldProfile& profile, int axis,
                 int which) {
  const auto x = setup.grid.nodes(axis);
  const double low = source.centre[axis] - 0.5 * source.size[axis], high = low + source.size[axis];
  const bool outside = high <= x.front() || low >= x.back();
  const Extent extent{setup.grid.nearest_node(axis, low), setup.grid.nearest_node(axis, high)};
  if (outside || extent.last <= extent.first)
    throw Error(fmt::format("{}: source.{}: the sheet lies outside the grid, whose {} goes from {} to {} m",
                            source.origin, source.name, "xyz"[axis], x.front(), x.back()));
  if (source.profile_points == physics::Source::ProfilePoints::even) return extent;
  constexpr double slack = 1e-3;  // of a cell
  for (const auto& [node, end] : {std::pair{extent.first, low}, std::pair{extent.last, high}}) {
    const double cell = setup.grid.spacing[axis][static_cast<std::size_t>(std::max<std::int64_t>(node - 1, 0))];
    if (std::abs(x[static_cast<std::size_t>(node)] - end) > slack * cell)
      throw Error(fmt::format(
          "{}: source.{}: profile_points = grid: the sheet ends at {} = {:.9g} m, which is not on a node; the nearest "
          "is at {:.9g} m",
          source.origin, source.name, "xyz"[axis], end, x[static_cast<std::size_t>(node)]));
  }
  const auto points = static_cast<std::int64_t>(profile.points[which]);
  if (points != extent.last - extent.first)
    refuse(source, fmt::format("has {} points along {}, and the sheet has {} cells of the grid there, which "
                               "profile_points = grid requires",
                               points, "xyz"[axis], extent.last - extent.first));
  return extent;
}

// The profile at places of the sheet.
class PlacedProfile {
 public:
  PlacedProfile(const grid::Setup& setup, const physics::Source& source, const SheetFace& sheet, physics::FieldProfile profile)
      : source_(source), axes_(sheet.axes), profile_(std::move(profile)) {
    for (const int w : {0, 1}) {
      extent_[w] = extent_of(setup, source, profile_, axes_[w], w);
      nodes_[w] = setup.grid.nodes(axes_[w]);
    }
  }
  const Extent& extent(int which) const { return extent_[which]; }
  const physics::FieldProfile& profile() const { return profile_; }

  Complex at(int component, const Vec3& x) const {
    if (source_.profile_points == physics::Source::ProfilePoints::grid)
      return profile_.at_point(component, cell(0, x), cell(1, x));
    double place[2];
    for (const int w : {0, 1}) {
      const int a = axes_[w];
      place[w] = (x[a] - source_.centre[a] + 0.5 * source_.size[a]) / source_.size[a] * double(profile_.points[w]);
    }
    return profile_.between(component, place[0], place[1]);
  }

 private:
  // Cell of a component on a node or between two of them, from the sheet's first cell on.
  std::int64_t cell(int which, const Vec3& x) const {
    const auto& nodes = nodes_[which];
    const double slack = 1e-6 * (nodes[1] - nodes[0]);
    return std::upper_bound(nodes.begin(), nodes.end(), x[axes_[which]] + slack) - nodes.begin() - 1 -
           extent_[which].first;
  }
  const physics::Source& source_;
  std::array<int, 2> axes_;
  physics::FieldProfile profile_;
  Extent extent_[2];
  std::vector<double> nodes_[2];  // m
};

// E and H (times the impedance of vacuum) that the sheet launches, in its plane.
class Launched {
 public:
  Launched(const grid::Setup& setup, const physics::Source& source, const SheetFace& sheet,
           const PlacedProfile& profile, double time_step)
      : source_(source), sheet_(sheet), profile_(profile) {
    std::vector<Vec3> directions{source.polarisation};
    if (profile.profile().content != Content::factor) {
      directions.assign(2, {});
      for (const int w : {0, 1}) directions[static_cast<std::size_t>(w)][sheet.axes[w]] = 1;
    }
    for (const Vec3& direction : directions) {
      const GridWave wave = wave_of(setup, sheet, source, direction, time_step);
      slowness_ = source.effective_index ? *source.effective_index / speed_of_light : wave.slowness;
      electric_.push_back(direction);
      magnetic_.push_back(current_factor(sheet, source, wave.slowness) * wave.magnetic);
    }
  }

  /// Its part in phase with the waveform, or in quadrature. With the waveform sin(w t) a phasor A is
  /// Re(i A exp(-i w t)) = Re A sin(w t) + Im A sin(w t - pi / 2).
  IncidentWave at(const Vec3& x, bool in_quadrature) const {
    const auto part = [&](int component) {
      const Complex value = source_.amplitude * profile_.at(component, x);
      return in_quadrature ? value.imag() : value.real();
    };
    Vec3 electric{}, magnetic{};
    for (std::size_t n = 0; n < electric_.size(); ++n) {
      const double value = part(static_cast<int>(n));
      electric += value * electric_[n];
      magnetic += value * magnetic_[n];
    }
    if (profile_.profile().content == Content::both) {
      magnetic = {};
      for (const int w : {0, 1}) magnetic[sheet_.axes[w]] = part(2 + w);
    }
    return {electric, magnetic, slowness_ * sheet_.way() * (x[sheet_.normal] - sheet_.at_node)};
  }

 private:
  const physics::Source& source_;
  const SheetFace& sheet_;
  const PlacedProfile& profile_;
  double slowness_ = 0;                    // s/m
  std::vector<Vec3> electric_, magnetic_;  // [components of E] of a unit of it
};

}  // namespace

template <class Real>
std::vector<DiscreteSource> discrete_field_sheet(const grid::Setup& setup, const Discretisation<Real>& d,
                                                 const physics::Source& source, const SheetFace& sheet) {
  physics::FieldProfile profile = physics::read_field_profile(source.profile);
  physics::check_profile(source, profile);
  const PlacedProfile placed(setup, source, sheet, std::move(profile));
  const Launched launched(setup, source, sheet, placed, d.time_step);
  Face face = sheet.face;
  for (const int w : {0, 1}) {
    face.first[sheet.axes[w]] = placed.extent(w).first;
    face.last[sheet.axes[w]] = placed.extent(w).last;
  }
  const ElectricCb<Real> electric(d);
  const auto Cb = [&](int component, int i, int j, int k) {
    if (electric.is_dispersive(component, i, j, k)) refuse(source, "the sheet crosses a material with poles");
    return electric.Cb(component, i, j, k);
  };
  std::vector<DiscreteSource> sources;
  for (const bool in_quadrature : {false, true}) {
    EquivalentCurrents currents;
    add_face(
        setup, d, face, sheet.two_sided, [&](const Vec3& x) { return launched.at(x, in_quadrature); }, whole_face, Cb,
        currents);
    physics::WaveformShape shape = physics::shape_of(source.waveform);
    if (in_quadrature) shape.phase = 0.5 * pi;
    sources.push_back(std::move(currents).lists(shape));
  }
  return sources;
}

template std::vector<DiscreteSource> discrete_field_sheet<float>(const grid::Setup&, const Discretisation<float>&,
                                                                 const physics::Source&, const SheetFace&);
template std::vector<DiscreteSource> discrete_field_sheet<double>(const grid::Setup&, const Discretisation<double>&,
                                                                  const physics::Source&, const SheetFace&);

}  // namespace dgtd::fdtd
