#include "app/problems/grid_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/problems/physics_checks.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/base/log.hpp"
#include "dgtd/fdtd/sources.hpp"

namespace dgtd::app {

namespace {

using config::Flux, config::Source;

// An axis of the grid and an extent along it.
class Along {
 public:
  Along(const grid::Setup& setup, int axis, double low, double high)
      : setup_(setup), axis_(axis), extent_{low, high}, cells_(setup.grid.cells(axis)) {
    const auto x = setup.grid.nodes(axis);
    grid_[0] = x.front(), grid_[1] = x.back();
    for (int side : {0, 1}) node_[side] = setup.grid.nearest_node(axis, extent_[side]);
  }

  char name() const { return "xyz"[axis_]; }
  std::string side_name(int side) const { return fmt::format("{}{}", name(), side == 0 ? "min" : "max"); }
  double at(int side) const { return extent_[side]; }
  double grid_end(int side) const { return grid_[side]; }
  bool is_absorbing(int side) const { return setup_.is_open(2 * axis_ + side); }
  bool is_mirror(int side) const {
    const auto type = setup_.sides[2 * axis_ + side];
    return type == physics::BoundaryKind::pec || type == physics::BoundaryKind::pmc;
  }
  /// The extent's nearest node is the grid's last one or would be beyond it.
  bool meets(int side) const { return side == 0 ? node_[0] <= 0 : node_[1] >= cells_; }
  /// It goes on for half a cell or more beyond the grid's end.
  bool exceeds(int side) const {
    const auto& d = setup_.grid.spacing[axis_];
    return side == 0 ? extent_[0] < grid_[0] - 0.5 * d.front() : extent_[1] > grid_[1] + 0.5 * d.back();
  }
  /// All the way round a periodic axis there is no end.
  bool goes_round() const { return setup_.periodic()[axis_] && meets(0) && meets(1); }
  /// "z = 5.6e-08 m is on or beyond the grid's end, -3.2e-08 m at zmax"
  std::string where(int side) const {
    return fmt::format("{} = {:.6g} m is on or beyond the grid's end, {:.6g} m at {}", name(), at(side), grid_end(side),
                       side_name(side));
  }
  /// "from 0.1 to 0.2 m along x"
  std::string lost(int side) const {
    return side == 0 ? fmt::format("from {:.6g} to {:.6g} m along {}", extent_[0], grid_[0], name())
                     : fmt::format("from {:.6g} to {:.6g} m along {}", grid_[1], extent_[1], name());
  }

 private:
  const grid::Setup& setup_;
  int axis_;
  double extent_[2], grid_[2]{};
  std::int64_t node_[2]{}, cells_;
};

Along along(const grid::Setup& setup, int axis, const Vec3& centre, const Vec3& size) {
  return {setup, axis, centre[axis] - 0.5 * size[axis], centre[axis] + 0.5 * size[axis]};
}

// "flux.box: ..."; what is lost of a region, but for the axis of a plane's normal.
void check_region(const grid::Setup& setup, const Origin& origin, const std::string& section, const Vec3& centre,
                  const Vec3& size, const char* what) {
  std::vector<std::string> lost, mirrors;
  for (int a = 0; a < setup.axes; ++a) {
    const Along extent = along(setup, a, centre, size);
    if (size[a] == 0 || extent.goes_round()) continue;
    for (int side : {0, 1}) {
      if (!extent.exceeds(side)) continue;
      if (extent.is_mirror(side)) mirrors.push_back(extent.side_name(side));
      else lost.push_back(extent.lost(side));
    }
  }
  if (!lost.empty())
    log::warn("{}: {}: a part of it is outside of the grid: {} {}", origin, section, what, fmt::join(lost, " and "));
  tell_mirrors(section, mirrors, false);
}

// Faces on the grid's end are left out (fdtd/spectra/flux.cpp). A mirror needs none; elsewhere the box is then not closed.
void check_box(const Flux& flux, const grid::Setup& setup) {
  std::vector<std::string> mirrors;
  for (int a = 0; a < setup.axes; ++a) {
    const Along extent = along(setup, a, flux.centre, flux.size);
    if (extent.goes_round()) continue;
    for (int side : {0, 1}) {
      if (!extent.meets(side)) continue;
      if (extent.is_mirror(side)) mirrors.push_back(extent.side_name(side));
      else
        log::warn("{}: flux.{}: the box is not closed: its face at {}; what passes there is not counted", flux.origin,
                  flux.name, extent.where(side));
    }
  }
  tell_mirrors("flux." + flux.name, mirrors, true);
}

void check_total_field_box(const Source& source, const grid::Setup& setup) {
  for (int a = 0; a < setup.axes; ++a)
    for (int side : {0, 1}) {
      const auto& corner = side == 0 ? source.box_min : source.box_max;
      if (!corner) continue;
      const Along extent(setup, a, (*corner)[a], (*corner)[a]);
      if (extent.meets(side) && extent.is_absorbing(side))
        throw Error(
            fmt::format("{}: source.{}: {}: the face of the total-field box at {}, which absorbs; the box must "
                        "lie inside the grid there",
                        source.origin, source.name, side == 0 ? "box_min" : "box_max", extent.where(side)));
    }
}

// A sheet that is wider than the grid on both sides covers it; on one side it is cut.
void check_sheet(const Source& source, const grid::Setup& setup) {
  for (int a = 0; a < setup.axes; ++a) {
    const Along extent = along(setup, a, source.centre, source.size);
    if (source.size[a] == 0 || extent.exceeds(0) == extent.exceeds(1)) continue;
    const int side = extent.exceeds(0) ? 0 : 1;
    if (extent.is_absorbing(side))
      log::warn("{}: source.{}: a part of the sheet is outside of the grid: {}", source.origin, source.name,
                extent.lost(side));
  }
}

// Waves are launched as those of a medium without losses and dispersion.
void check_background(const Source& source, const physics::Medium& background, const std::string& name) {
  if (!background.is_lossless())
    throw Error(fmt::format(
        "{}: source.{}: a {} needs a background without losses and poles, and grid.background is "
        "{}",
        source.origin, source.name, source.type == Source::Type::plane_wave ? "plane wave" : "Gaussian beam", name));
}

/// Finds a cell of a box of cells that is not filled by the background.
class ForeignCell {
 public:
  using Cells = std::array<std::int64_t, 3>;
  explicit ForeignCell(const GridScene& scene) : scene_(scene) {
    for (int a = 0; a < 3; ++a) x_[a] = scene.setup.grid.nodes(a);
  }

  /// In cells first to last - 1; what is filled by one material is not divided further.
  std::optional<Cells> find(const Cells& first, const Cells& last) const {
    Vec3 centre, size;
    int longest = 0;
    for (int a = 0; a < 3; ++a) {
      if (first[a] >= last[a]) return std::nullopt;
      const double low = x_[a][static_cast<std::size_t>(first[a])], high = x_[a][static_cast<std::size_t>(last[a])];
      centre[a] = 0.5 * (low + high), size[a] = high - low;
      if (last[a] - first[a] > last[longest] - first[longest]) longest = a;
    }
    const int material = scene_.media->filling(centre, size);
    if (material >= 0) return is_background(material) ? std::nullopt : std::optional(first);
    if (last[longest] - first[longest] == 1) return is_cell_foreign(centre, size) ? std::optional(first) : std::nullopt;
    Cells middle_last = last, middle_first = first;
    middle_last[longest] = middle_first[longest] = (first[longest] + last[longest]) / 2;
    if (const auto found = find(first, middle_last)) return found;
    return find(middle_first, last);
  }
  Vec3 centre(const Cells& cell) const {
    Vec3 at;
    for (int a = 0; a < 3; ++a) {
      const auto n = static_cast<std::size_t>(cell[a]);
      at[a] = 0.5 * (x_[a][n] + x_[a][n + 1]);
    }
    return at;
  }

 private:
  bool is_background(int material) const {
    const physics::Medium &background = scene_.setup.materials.front(),
                          &medium = scene_.setup.materials[static_cast<std::size_t>(material)];
    return material == 0 ||
           (medium.is_lossless() && !medium.perfect_conductor && medium.permittivity == background.permittivity &&
            medium.permeability == background.permeability);
  }
  // Compares the material of the whole cell with those near its corners, edges, faces and at its centre.
  bool is_cell_foreign(const Vec3& centre, const Vec3& size) const {
    for (int axis = 0; axis < 3; ++axis) {
      const grid::LocalMedium medium = scene_.media->electric(centre, centre, size, axis);
      if (!is_background(medium.material) || medium.second >= 0 || medium.conductivity != 0 ||
          medium.permittivity != scene_.setup.materials.front().permittivity)
        return true;
    }
    for (const double x : {-0.499, 0.0, 0.499})
      for (const double y : {-0.499, 0.0, 0.499})
        for (const double z : {-0.499, 0.0, 0.499})
          if (!is_background(scene_.media->material_at(centre + Vec3{x * size.x, y * size.y, z * size.z}))) return true;
    return false;
  }

  const GridScene& scene_;
  std::array<std::vector<double>, 3> x_;  // nodes, m
};

// The wave that the faces launch is that of the background, and powers are measured from a cell inside on: a body must
// keep a cell's distance from a face on both sides.
void check_face_media(const Source& source, const GridScene& scene) {
  const grid::Setup& setup = scene.setup;
  const fdtd::TotalFieldBox box = fdtd::total_field_box(setup, source);
  const ForeignCell foreign(scene);
  for (int a = 0; a < setup.axes; ++a)
    for (int side : {0, 1}) {
      const std::int64_t node = side == 0 ? box.first[a] : box.last[a];
      if (!fdtd::is_inside(setup, a, node)) continue;
      ForeignCell::Cells first{}, last{};
      for (int b = 0; b < 3; ++b) {
        first[b] = std::max<std::int64_t>(0, b == a ? node - 1 : box.first[b]);
        last[b] = std::min(setup.grid.cells(b), b == a ? node + 1 : box.last[b]);
      }
      const auto cell = foreign.find(first, last);
      if (!cell) continue;
      const Vec3 at = foreign.centre(*cell);
      throw Error(fmt::format(
          "{}: source.{}: the face of the total-field box at {} = {:.6g} m cuts or touches a body, near {:.6g} {:.6g} "
          "{:.6g}, or is inside one; bodies must be a cell away from all faces: give box_min and box_max, more cells, "
          "or "
          "a smaller body",
          source.origin, source.name, "xyz"[a], setup.grid.nodes(a)[static_cast<std::size_t>(node)], at.x, at.y, at.z));
    }
}

// A material that no shape has is mostly a misspelt one.
void check_materials(const config::Case& c) {
  std::set<std::string> used;
  for (const auto& shape : c.shapes) {
    if (!shape.material.empty()) used.insert(shape.material);
    for (const auto& label : shape.labels) used.insert(label.material);
  }
  for (const auto& m : c.materials)
    if (!used.empty() && m.name != c.grid.background && !used.contains(m.name))
      log::warn("{}: [material.{}]: no shape has this material; shapes have {}", m.origin, m.name,
                fmt::join(used, ", "));
}

}  // namespace

void check_places(const config::Case& c, const GridScene& scene) {
  const grid::Setup& setup = scene.setup;
  using Type = Source::Type;
  check_materials(c);
  for (const auto& probe : c.probes)
    grid::check_inside(setup.grid, probe.position, fmt::format("{}: probe.{}: position", probe.origin, probe.name),
                       setup.axes);
  for (const auto& source : c.sources) {
    if (source.type == Type::plane_wave) check_total_field_box(source, setup);
    if (source.type == Type::sheet) check_sheet(source, setup);
    if (source.type == Type::plane_wave || source.type == Type::gaussian_beam)
      check_background(source, setup.materials.front(), c.grid.background);
  }
  for (const auto& flux : c.fluxes) {
    if (flux.type == Flux::Type::box) check_box(flux, setup);
    else check_region(setup, flux.origin, "flux." + flux.name, flux.centre, flux.size, "what passes is not counted");
  }
  for (const auto& m : c.monitors)
    check_region(setup, m.origin, "monitor." + m.name, m.centre, m.size, "nothing is kept");
  for (const auto& source : c.sources)
    if (source.type == Type::plane_wave) check_face_media(source, scene);
}

}  // namespace dgtd::app
