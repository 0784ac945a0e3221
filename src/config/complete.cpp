#include "complete.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "check_table.hpp"
#include "checks.hpp"
#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/base/log.hpp"
#include "dgtd/base/units.hpp"
#include "dgtd/physics/optical_material.hpp"
#include "dgtd/physics/optical_table.hpp"

namespace dgtd::config {
namespace {

// Throws for bodies in a case whose mesh comes from elsewhere: its groups define them.
void require_no_bodies(const Case& c, const IniTable& table) {
  if (has_domain(table))
    throw Error(fmt::format("{}: section [domain]: belongs to mesh.generator = shapes", table.file()));
  if (!c.shapes.empty())
    throw Error(
        fmt::format("{}: section [shape.{}]: belongs to mesh.generator = shapes, and other meshes have volume "
                    "groups in place of shapes",
                    c.shapes[0].origin, c.shapes[0].name));
  if (!c.refinements.empty())
    throw Error(fmt::format("{}: section [refine.{}]: belongs to mesh.generator = shapes", c.refinements[0].origin,
                            c.refinements[0].name));
  for (const Material& m : c.materials)
    if (const Entry* entry = table.find("material." + m.name, "conductor"))
      reject(*entry, fmt::format("method {} has no perfectly conducting volumes in meshes from elsewhere; give their "
                                 "surface type = pec",
                                 c.solver.method.name));
}

void complete_mesh(Case& c, const IniTable& table) {
  c.grid = Grid();
  if (c.mesh.generator == Mesh::Generator::shapes) {
    complete_domain(c, table);
    return complete_shapes_mesh(c);
  }
  require_no_bodies(c, table);
  if (c.mesh.generator == Mesh::Generator::box) return complete_box(c);
  if (!c.mesh.file.empty()) return;
  if (c.mesh.generator == Mesh::Generator::none)
    throw Error(
        fmt::format("{}: mesh.file is required (or mesh.generator = box | head-phone, or [shape.NAME])", table.file()));
  c.mesh.file = (c.file.parent_path() / "../meshes/generated" / fmt::format("head_phone_{}.msh", c.mesh.level))
                    .lexically_normal();
}

void complete_shapes(Case& c, const IniTable& table) {
  for (Shape& s : c.shapes) {
    if ((s.type == Shape::Type::cylinder || s.type == Shape::Type::prism) && s.height == 0) s.height = beyond;
    if (s.type == Shape::Type::labels && !table.find("shape." + s.name, "unit")) s.unit = 1e-3;
  }
}

// The bands of tissues with debye_poles.
void complete_fits(Case& c, const IniTable& table) {
  const auto in_use = band_in_use(c);
  for (Material& m : c.materials) {
    if (!m.debye_poles || m.fit_band) continue;
    const std::string section = "material." + m.name;
    if (!in_use || !(in_use->lowest < in_use->highest))
      reject(*table.find(section, "debye_poles"),
             fmt::format("requires {}.fit_band where sources and monitors have one frequency at most", section));
    m.fit_band = in_use;
  }
}

// Materials of the library beyond the wavelengths for which they were published, and fits of those that are tables. The
// case then has their media alone.
void complete_library(Case& c, const IniTable& table) {
  const auto in_use = band_in_use(c);
  for (Material& m : c.materials) {
    if (m.library.empty()) continue;
    const auto& published = physics::optical_material(m.library);
    constexpr double rounding = 1e-6;
    const double longest = in_use ? speed_of_light / in_use->lowest : published.longest,
                 shortest = in_use ? speed_of_light / in_use->highest : published.shortest;
    if (longest > published.longest * (1 + rounding) || shortest < published.shortest * (1 - rounding))
      log::warn("{}: it was published for wavelengths from {} to {}, and sources and monitors have {} to {}",
                table.find("material." + m.name, "library")->place(), units::length_text(published.shortest),
                units::length_text(published.longest), units::length_text(shortest), units::length_text(longest));
    if (!published.table.empty()) {
      try {
        auto fit = physics::fit_over_band(published.table, in_use ? &*in_use : nullptr, m);
        fit.material = m.name, fit.file = m.library;
        c.table_fits.push_back(std::move(fit));
      } catch (const Error& error) { reject(*table.find("material." + m.name, "library"), error.what()); }
    }
    m.library.clear();
  }
}

// Tables of n and k. The case then has their poles alone.
void complete_tables(Case& c, const IniTable& table) {
  const auto in_use = band_in_use(c);
  for (Material& m : c.materials) {
    if (m.table.empty()) continue;
    const Entry& entry = *table.find("material." + m.name, "table");
    try {
      auto fit = physics::fit_table(m.table, m.fit_band ? &*m.fit_band : in_use ? &*in_use : nullptr, m);
      fit.material = m.name;
      constexpr double rounding = 1e-6;
      if (in_use &&
          (in_use->lowest < fit.band.lowest * (1 - rounding) || in_use->highest > fit.band.highest * (1 + rounding)))
        log::warn(
            "{}: its wavelengths are from {} to {}, and sources and monitors have {} to {}", entry.place(),
            units::length_text(speed_of_light / fit.band.highest), units::length_text(speed_of_light / fit.band.lowest),
            units::length_text(speed_of_light / in_use->highest), units::length_text(speed_of_light / in_use->lowest));
      c.table_fits.push_back(std::move(fit));
    } catch (const Error& error) { reject(entry, error.what()); }
    m.table.clear();
    m.fit_band.reset();
  }
}

// Averages over masses. The voxels of tetrahedra have at least two along the edge of the smallest cube.
void complete_sar(Case& c, const IniTable& table) {
  constexpr double gram = 1e-3, water = 1000;  // kg, kg/m^3
  Sar& sar = c.sar;
  if (sar.masses.empty()) return;
  double densest = 0;
  for (const Material& m : c.materials) densest = std::max(densest, m.density.value_or(0));
  if (densest == 0) reject(*table.find("sar", "mass"), "requires a material with a density");
  if (!c.solver.method.has.tetrahedra) return;
  const double smallest = *std::min_element(sar.masses.begin(), sar.masses.end());
  if (!sar.voxel) sar.voxel = 0.1 * std::cbrt(smallest * gram / water);
  const double most = 0.5 * std::cbrt(smallest * gram / densest);
  if (*sar.voxel > most)
    reject(*table.find("sar", "voxel"),
           fmt::format("must be at most {:.3g} m, half the edge of a cube of {:g} g", most, smallest));
}

void complete_faces_of_ports(Case& c, const IniTable& table) {
  auto& names = c.mesh.inner_surfaces;
  for (const Port& p : c.ports) {
    if (p.faces.empty()) continue;
    if (c.mesh.generator == Mesh::Generator::box || c.mesh.generator == Mesh::Generator::shapes)
      reject(
          *table.find("port." + p.name, "faces"),
          "needs a mesh file with this group (mesh.file); in meshes that the program makes a port is the rectangle of "
          "centre and size");
    const auto is_same = [&](const mesh::AskedSurface& asked) { return asked.name == p.faces; };
    if (std::none_of(names.begin(), names.end(), is_same))
      names.push_back({p.faces, fmt::format("{}: port.{}: faces", p.origin, p.name)});
  }
}

}  // namespace

void complete(Case& c, const IniTable& table) {
  check_lengths(c, table);
  for (Source& s : c.sources)
    if (!table.find("source." + s.name, "frequency")) s.waveform.frequency = *c.time.frequency;
  for (Port& p : c.ports)
    if (p.is_excited() && !table.find("port." + p.name, "frequency")) p.waveform.frequency = *c.time.frequency;
  complete_s_parameters(c, table);
  complete_excitations(c, table);
  if (c.dft.frequencies.empty() && c.time.frequency && c.solver.method.has.every_step)
    c.dft.frequencies = {*c.time.frequency};
  complete_time(c, table);
  // Media, of which cells and elements by wavelength are made.
  complete_fits(c, table);
  complete_library(c, table);
  complete_tables(c, table);
  simplify_shapes(c);
  complete_layouts(c);
  const bool by_shapes = c.domain.margin || c.domain.margin_wavelengths || has_automatic_grid(c);
  complete_extents(c, by_shapes);
  c.tissue_fits = physics::resolve_tissues(c.materials, c.time.frequency);
  if (c.solver.method.has.tetrahedra) {
    complete_mesh(c, table);
    c.mesh.periodic = periodic_axes(c);
    complete_faces_of_ports(c, table);
  } else {
    c.mesh = Mesh();
    complete_shapes(c, table);
    if (has_domain(table)) complete_domain(c, table);
    complete_grid(c, table);
  }
  forget_extents(c);
  flatten_to_axes(c);
  complete_solver(c, table);
  complete_sar(c, table);
  split_modes(c, table);  // of ports that the table does not have
}

}  // namespace dgtd::config
