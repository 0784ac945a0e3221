// Keys of the sections that describe space: meshes, grids, media, sides.
#include "complete.hpp"
#include "key.hpp"

namespace dgtd::config {
namespace {

constexpr bool finer_boxes(const Capabilities& c) { return c.tetrahedra || c.varying_cells; }

}  // namespace

Section domain_keys() {
  constexpr std::string_view others = "size, origin";
  return Keys<Domain>("domain", &Case::domain,
                      "What is computed, for `dgtd` with shapes and for methods on grids alike: the same case file is "
                      "the same problem for both. Absorbing layers (`cpml`, `passive`) are added outside of it. With "
                      "this section a case may have [mesh] and [grid], of which a method takes its own. Grids get "
                      "their cells from it and from `grid.per_wavelength`, or from `grid.spacing`: at most that, so "
                      "that whole cells fill it.")
      .add("shape", &Domain::form, choice(domain_names),
           {.initially = "`box`",
            .unwritten = "box",
            .text = "Its form. The sides of a box are the boundaries xmin, xmax, ymin, ymax, zmin and zmax, that of a "
                    "sphere is `outer`."})
      .add("size", &Domain::size, spacing(),
           {.unit = "m",
            .initially = "**one of `size`, `margin`, `margin_wavelengths`**",
            .text = "Lengths of the edges; of a sphere its diameter."})
      .add("origin", &Domain::origin, place(),
           {.unit = "m", .initially = "it is centred on 0", .text = "Lower corner."})
      .add("margin", &Domain::margin, number(Sign::not_negative),
           {.unit = "m",
            .initially = "**one of `size`, `margin`, `margin_wavelengths`**",
            .check = check::margin,
            .resolved_as = others,
            .text = "Distance of the sides from the box around all shapes; of a sphere from the smallest one about the "
                    "middle of that box."})
      .add(
          "margin_wavelengths", &Domain::margin_wavelengths, number(Sign::positive),
          {.unit = "wavelengths",
           .initially = "**one of `size`, `margin`, `margin_wavelengths`**",
           .check = check::margin_wavelengths,
           .resolved_as = others,
           .text = "The same in wavelengths in the background, at the lowest frequency in use that is not below 0.3 of "
                   "the highest."})
      .add("background", &Domain::background, any_text({"glass"}),
           {.initially = "vacuum",
            .check = check::domain_background,
            .text = "NAME of the material outside all shapes."})
      .section();
}

Section mesh_keys() {
  using Generator = Mesh::Generator;
  const auto shapes = with<Mesh>("generator", &Mesh::generator, generator_names, {Generator::shapes});
  const auto box = with<Mesh>("generator", &Mesh::generator, generator_names, {Generator::box});
  return Keys<Mesh>("mesh", &Case::mesh, "The mesh of tetrahedra.")
      .needs({{has<&Capabilities::tetrahedra>, "is of {owners}; {method} takes [grid]"}})
      .add("generator", &Mesh::generator, choice(generator_names),
           {.initially = "`shapes` where there are shapes and no `file`",
            .text = "Makes the mesh in place of a file: a box, a head with a phone, or the case's [shape.NAME] in its "
                    "[domain]."})
      .add("level", &Mesh::level, choice(level_names),
           {.belongs = {with<Mesh>("generator", &Mesh::generator, generator_names, {Generator::head_phone})},
            .text = "Fineness of the mesh."})
      .add("file", &Mesh::file, path(),
           {.initially = "**required** unless `generator` is set, or there are shapes",
            .belongs = {where<Mesh>([](const Mesh& m, const Case&) { return m.generator != Generator::box; },
                                    "a mesh from a file, and mesh.generator = box needs none"),
                        where<Mesh>([](const Mesh& m, const Case&) { return m.generator != Generator::shapes; },
                                    "a mesh from a file; that of shapes is kept in the user's cache")},
            .may_change = true,
            .text = "Gmsh mesh, MSH 2.2 or 4.1, ASCII or binary, tetrahedra of first to third order; with `generator = "
                    "head-phone` the file in which the generated mesh is kept."})
      .add("unit", &Mesh::unit, number(Sign::positive),
           {.belongs = {where<Mesh>([](const Mesh& m, const Case&) { return m.generator == Generator::none; },
                                    "a mesh from a file, and generated ones are in metres")},
            .text = "Metres per length unit of the file."})
      .add("cache", &Mesh::cache, choice(mesh_cache_names),
           {.belongs = {where<Mesh>([](const Mesh& m, const Case&) { return m.generator != Generator::box; },
                                    "a mesh from a file, and mesh.generator = box needs none")},
            .may_change = true,
            .text = "Where the checked mesh is kept for later runs: in the user's cache (`user`; a mesh that the "
                    "program has generated has it beside itself), beside the mesh file (`beside`), or nowhere "
                    "(`off`)."})
      .add("cells", &Mesh::cells, three_integers(1, no_limit, ""),
           {.belongs = {box}, .text = "Cubes along x, y, z, six tetrahedra each (at most 1048576)."})
      .add("size", &Mesh::size, three_numbers(Sign::positive),
           {.unit = "m", .belongs = {box}, .text = "The box is [0, size]."})
      .add("per_wavelength", &Mesh::per_wavelength, number(Sign::positive),
           {.initially = "10, 4, 2.5, 2, 1.7, 1.5 for orders 1 to 6",
            .belongs = {shapes},
            .text = "Elements per wavelength in each material, at the highest frequency of sources (their carrier) and "
                    "monitors. In a metal the modulus of the index counts, so that elements resolve its skin."})
      .add("highest_frequency", &Mesh::highest_frequency, frequency(),
           {.unit = "Hz",
            .initially = "the highest of sources (their carrier) and monitors",
            .belongs = {shapes},
            .text = "Highest frequency, for which elements are sized. Runs of [excitation.NAME] have that of all "
                    "sources, so that "
                    "they have the same mesh."})
      .add("finest", &Mesh::finest, number(Sign::not_negative),
           {.unit = "m",
            .belongs = {shapes},
            .text = "No material, thickness and curvature of a body asks for smaller elements than this; [refine.NAME] "
                    "may. Elements are at most as long as a body is thick."})
      .add("ratio", &Mesh::ratio, above_one(),
           {.belongs = {shapes},
            .text = "Largest ratio of neighbouring elements: their size grows by ratio - 1 for a unit of distance from "
                    "what asks for small ones."})
      .add(
          "per_circle", &Mesh::per_circle, integer(3, 100),
          {.initially = "12; 6 where elements are `curved`",
           .belongs = {shapes},
           .text = "Least number of elements along a circle of a curved surface. With `curved` elements there are 8 or "
                   "12 where elements of fewer would be bent too much, and at least 12 on cones, tori and STEP files, "
                   "which stay straight."})
      .add("edge_refinement", &Mesh::edge_refinement, integer(1, 100),
           {.belongs = {shapes},
            .text =
                "At convex edges of perfect conductors, where fields are singular, elements are so many times shorter "
                "than those of the medium around, of plates than half their width, of rods than their "
                "width, but not below `finest`. Faces that continue each other within 30 degrees have no edge. In "
                "a gap between two conductors there are at least two elements."})
      .add("curved", &Mesh::curved, choice(curved_names),
           {.initially = "`mean`; `off` where `generator` = shapes",
            .belongs = {where<Mesh>([](const Mesh& m, const Case&) { return m.generator != Generator::box; },
                                    "a mesh from a file, and the elements of mesh.generator = box are straight")},
            .text =
                "Tetrahedra of second order (Gmsh types 11 and 29, of which the third order is left out): with their "
                "metric at each point (`full`, `solver.order` up to "
                "4), with the mean of it (`mean`: frequencies and other integrals gain as much, the field beside the "
                "surface does not), or with straight edges. Edges of absorbing surfaces are straight in any case, and "
                "elements of layers have the mean. With `generator` = shapes, `full` and `mean` give the elements at "
                "spheres, ellipsoids and cylinders curved edges, and their vertices are on the surface whatever "
                "`exact_volumes` is."})
      .add(
          "exact_volumes", &Mesh::exact_volumes, choice(exact_volumes_names),
          {.belongs = {shapes},
           .text = "Bodies whose polyhedra have the volume of the curved body, with vertices a little outside: none, "
                   "so that vertices are on the surface (`off`); spheres and ellipsoids that nothing cuts (`on`); also "
                   "cylinders, and spheres and ellipsoids that mirrors and other bodies cut (`all`)."})
      .section();
}

Section grid_keys() {
  constexpr std::string_view lists = "spacings_x, spacings_y, spacings_z";
  const Need graded{has<&Capabilities::varying_cells>, "is of {owners}; {method} has equal cells"};
  const auto automatic = where<Grid>([](const Grid&, const Case& c) { return has_automatic_grid(c); },
                                     "cases with a [domain] in which no other key gives cells");
  return Keys<Grid>("grid", &Case::grid, "The Cartesian grid.")
      .needs({{on_grid, "is of {owners}; {method} takes [mesh]"}})
      .add("cells", &Grid::cells, three_integers(1, most_cells, "1"),
           {.initially = "**required** unless `spacings_x` and so on are given, or there is a [domain]",
            .resolved_as = lists,
            .examples = {"31 32 33"},
            .text = "Cells along x, y, z."})
      .add("spacing", &Grid::spacing, spacing(),
           {.unit = "m",
            .initially = "**required** unless `spacings_x` and so on are given, or there is a [domain]",
            .resolved_as = lists,
            .text = "Spacing of the cells."})
      .add("spacings_x", [](auto& g) -> auto& { return g.spacings[0]; }, spacing_list(),
           {.unit = "m",
            .text = "The cells along x one by one, such as `20*2e-9 10*1e-9 20*2e-9`, in place of that axis' `cells` "
                    "and `spacing`."})
      .add("spacings_y", [](auto& g) -> auto& { return g.spacings[1]; }, spacing_list(),
           {.unit = "m", .needs = {{has_axes<2>, "{method} has no such axis"}}, .text = "The same along y."})
      .add("spacings_z", [](auto& g) -> auto& { return g.spacings[2]; }, spacing_list(),
           {.unit = "m", .needs = {{has_axes<3>, "{method} has no such axis"}}, .text = "The same along z."})
      .add("origin", &Grid::origin, place(),
           {.unit = "m", .initially = "the grid is centred on 0", .text = "Lower corner of the grid."})
      .add("ratio", &Grid::ratio, above_one(),
           {.needs = {graded},
            .belongs = {where<Grid>(
                [](const Grid&, const Case& c) { return !c.refinements.empty() || has_automatic_grid(c); },
                "grids with [refine.NAME] or with cells by wavelength")},
            .resolved_as = lists,
            .text = "Largest ratio of neighbouring spacings that refinements and cells by wavelength make."})
      .add("per_wavelength", &Grid::per_wavelength, number(Sign::positive),
           {.initially = "20 where there is a [domain] and no other key gives cells",
            .needs = {graded},
            .belongs = {automatic},
            .resolved_as = lists,
            .text = "Cells per wavelength in each material, at the highest frequency of sources (their carrier) and "
                    "monitors or where in the band below it the wavelength is shortest; in a metal the modulus of the "
                    "index counts. Lines lie on the flat faces of shapes, round bodies have at least 12 cells across, turned boxes 2, "
                    "a perfectly conducting cylinder thinner than a cell has a line through its axis, and sizes change "
                    "by at most `ratio` from cell to cell. Layers have the size of the outermost cell of the domain."})
      .add("finest", &Grid::finest, number(Sign::not_negative),
           {.unit = "m",
            .needs = {graded},
            .belongs = {automatic},
            .resolved_as = lists,
            .text = "No material and roundness of a body asks for smaller cells than this, and faces that are nearer "
                    "to each other share a line; [refine.NAME] may."})
      .add("pml", &Grid::pml, integer(1, 100),
           {.unit = "cells",
            .needs = {{has<&Capabilities::absorbing_layers>, "is of {owners}; {method} has no absorbing layers"}},
            .text = "Thickness of the absorbing layers on sides of type `cpml`."})
      .add("background", &Grid::background, any_text({"glass"}),
           {.initially = "vacuum", .check = check::background, .text = "NAME of the material outside all shapes."})
      .add("subpixel", &Grid::subpixel, choice(switch_names),
           {.text = "Whether interfaces of dielectrics are averaged inside their cells."})
      .section();
}

Section material_keys() {
  const auto dielectric = with<Material>("conductor", &Material::perfect_conductor, conductor_names, {false});
  const auto of_tissue =
      where<Material>([](const Material& m, const Case&) { return !m.tissue.empty(); }, "materials with a tissue");
  const auto fitted =
      where<Material>([](const Material& m, const Case&) { return m.debye_poles.has_value() || !m.table.empty(); },
                      "materials with debye_poles or a table");
  const Need dispersion{has<&Capabilities::dispersion>, "method {method} has no dispersive materials, {names} {have}"};
  return Keys<Material>("material", &Case::materials,
                        "The medium of a volume group of the mesh, of shapes, or of a grid's background.")
      .star({{has<&Capabilities::tetrahedra>, "is of {owners}; {method} takes grid.background"}})
      .add("conductor", &Material::perfect_conductor, choice(conductor_names),
           {.initially = "none",
            .needs = {{has<&Capabilities::perfect_conductors>,
                       "method {method} has no perfectly conducting volumes; give their surface type = pec"}},
            .unwritten = "none",
            .text = "`perfect`: E is zero inside and on the surface, which is a staircase; a wire thinner than a cell "
                    "acts along the edges inside it."})
      .add(
          "tissue", &Material::tissue, any_text({"muscle"}),
          {.belongs = {dielectric},
           .check = check::tissue,
           .text = "Name of a [tissue](#tissues), which gives `eps_r` and `sigma` at `time.frequency` by the Cole-Cole "
                   "parameters of Gabriel et al. 1996, and `density`, except for those that the section gives "
                   "itself."})
      .add("library", &Material::library, any_text({"Ag Rakic"}, "a name of the list"),
           {.needs = {dispersion},
            .belongs = {dielectric},
            .check = check::library,
            .resolved_as = "eps_r, poles",
            .text = "Name of a [material of optics](#materials-of-optics), which gives `eps_r` and `poles` as "
                    "published, or fitted to published measurements over the band of sources and monitors."})
      .add("table", &Material::table, path(),
           {.needs = {dispersion},
            .belongs = {dielectric},
            .check = check::table,
            .resolved_as = "eps_r, poles",
            .examples = {"a b.txt"},
            .text = "Text file of n and k over the wavelength ([format](#tables-of-n-and-k)), to which `eps_r` and at "
                    "most six Drude and Lorentz poles are fitted over `fit_band`. The fit is "
                    "passive at all frequencies; the log and `summary.json` say how near it is."})
      .add("eps_r", &Material::permittivity, number(Sign::positive),
           {.belongs = {dielectric}, .text = "Relative permittivity; with poles that of infinite frequency."})
      .add("mu_r", &Material::permeability, number(Sign::positive),
           {.belongs = {dielectric}, .text = "Relative permeability."})
      .add("sigma", &Material::conductivity, number(Sign::not_negative),
           {.unit = "S/m", .belongs = {dielectric}, .text = "Conductivity."})
      .add("sigma_m", &Material::magnetic_conductivity, number(Sign::not_negative),
           {.unit = "ohm/m",
            .needs = {{has<&Capabilities::magnetic_conductivity>,
                       "method {method} has no magnetic loss, {names} {have}"}},
            .belongs = {dielectric},
            .text = "Magnetic loss."})
      .add("debye_poles", &Material::debye_poles, integer(1, 5),
           {.needs = {dispersion},
            .belongs = {of_tissue},
            .check = check::debye_poles,
            .text =
                "Fits `eps_r`, `sigma` and at most so many Debye poles to the tissue over `fit_band`, in place of "
                "its values at `time.frequency`, which is then not required. The log reports the largest error: "
                "for all tissues from 100 MHz to 10 GHz below 6.1 % of the permittivity with 2 poles, 1.45 % with 3, "
                "0.4 % with 4 ([theory.md](theory.md#yees-scheme-method-fdtd3d))."})
      .add("fit_band", &Material::fit_band, band(),
           {.unit = "Hz",
            .initially = "the band of sources and monitors; of a tissue **required** where that is one frequency",
            .needs = {dispersion},
            .belongs = {fitted},
            .text = "Band of the fit of a tissue or a table. The band of a pulse is its carrier +- `bandwidth`."})
      .add("poles", &Material::poles, pole_list(),
           {.unit = "rad/s; DELTA_EPS and A 1, TAU s, PHI rad",
            .needs = {dispersion},
            .belongs = {dielectric},
            .text = "Poles of a dispersive medium. Poles that generate power in the band of the sources or monitors "
                    "are refused, a sum with critical points that does so at any frequency. With the time factor "
                    "exp(-i w t) a critical point adds A OMEGA (exp(i PHI) / (OMEGA - w - i GAMMA) + exp(-i PHI) / "
                    "(OMEGA + w + i GAMMA)). Gold from 200 to 1000 nm (A. Vial, T. Laroche, Appl. Phys. B 93 (2008) "
                    "139): `eps_r = 1.1431`, `poles = drude 1.3202e16 1.0805e14, critical-point 0.26698 3.8711e15 "
                    "-1.2371 4.4642e14, critical-point 3.0834 4.1684e15 -1.0968 2.3555e15`."})
      .add("density", &Material::density, number(Sign::positive),
           {.unit = "kg/m3",
            .initially = "that of the `tissue`, if any",
            .text = "Mass density; only materials with a density have a SAR."})
      .add("order", &Material::order, integer(1, 6),
           {.initially = "that of `solver.order`",
            .needs = {{has<&Capabilities::tetrahedra>, "is of {owners}; {method} has no order"}},
            .text = "Polynomial degree in the elements of this material. Materials of several orders "
                    "([theory.md](theory.md#orders-of-elements)) have no "
                    "ports, sheets, beams, total fields of plane waves and sides of type `bloch`."})
      .section();
}

Section permittivity_keys() {
  return Keys<Permittivity>("permittivity", &Case::permittivities,
                            "Relative permittivities of cells from a NumPy file, in front of all shapes.")
      .needs({{on_grid, "is of {owners}; {method} takes the volume groups of [mesh]"},
              {has<&Capabilities::permittivity_arrays>, "is of {owners}; {method} takes shapes"}})
      .add("file", &Permittivity::file, path(),
           {.required = true,
            .text = "NumPy file (`.npy`) of shape x, y, z, or 3, x, y, z with values for the components Ex, Ey, Ez."})
      .add("centre", &Permittivity::centre, place(), {.unit = "m", .text = "Centre of the array."})
      .add("spacing", &Permittivity::spacing, spacing(),
           {.unit = "m",
            .initially = "that of the grid; **required** where the grid's spacings vary",
            .text = "Distance of the values along x, y, z."})
      .section();
}

Section refine_keys() {
  return Keys<Refinement>("refine", &Case::refinements,
                          "A box with finer cells, or finer elements of mesh.generator = shapes.")
      .needs({{finer_boxes, "is of {owners}; {method} has equal cells"}})
      .add("centre", &Refinement::centre, place(), {.unit = "m", .text = "Centre of the box."})
      .add("size", &Refinement::size, length(Sign::positive),
           {.unit = "m", .required = true, .text = "Size of the box, which may reach beyond the grid's ends."})
      .add("spacing", &Refinement::spacing, spacing(),
           {.unit = "m",
            .required = true,
            .text = "Largest spacing inside the box, at most that of the grid; of elements their size, of which the "
                    "smallest one along x, y, z counts."})
      .section();
}

Section boundary_keys() {
  const auto adiabatic = with<Boundary>("type", &Boundary::type, boundary_names, {Boundary::Type::adiabatic});
  const auto cpml = with<Boundary>("type", &Boundary::type, boundary_names, {Boundary::Type::cpml});
  const auto of_elements =
      with<Boundary>("type", &Boundary::type, boundary_names, {Boundary::Type::passive, Boundary::Type::cpml});
  const auto layer = with<Boundary>("type", &Boundary::type, boundary_names,
                                    {Boundary::Type::adiabatic, Boundary::Type::passive, Boundary::Type::cpml});
  const Need elements{has<&Capabilities::absorbing_elements>, "is of {owners}; {method} takes grid.pml"};
  const auto bloch = with<Boundary>("type", &Boundary::type, boundary_names, {Boundary::Type::bloch});
  return Keys<Boundary>("boundary", &Case::boundaries, "A surface group of the mesh, or a side of the grid.")
      .star()
      .add("type", &Boundary::type, choice(boundary_names),
           {.required = true,
            .text = "Silver-Mueller condition, first-order absorbing, through which plane waves enter "
                    "(`silver-muller`); layers of elements that the program adds outside of the mesh, absorbing at all "
                    "angles and in all media ([theory.md](theory.md#absorbing-layers), `passive`); "
                    "the same with convolutional layers, thinner, but without a proof that they never amplify a wave, "
                    "or the absorbing layers of a grid (`cpml`); conductivity that rises slowly in all media in front "
                    "of a metal "
                    "wall (`adiabatic`); Mur's first-order absorbing condition, without a "
                    "layer, but with reflections at an angle, 17 % of the amplitude at 45 degrees (`mur`); n x E = 0 "
                    "(`pec`); n x H = 0 (`pmc`); on both sides of an axis `periodic` or `bloch` (dgtd: of the mesh's "
                    "surface groups xmin and xmax, ymin and "
                    "ymax, zmin and zmax)."})
      .add("length", &Boundary::length, number(Sign::positive),
           {.unit = "m",
            .belongs = {adiabatic},
            .required = true,
            .text = "Length of the layer inside the grid; several wavelengths of the medium are usual "
                    "([verification.md](verification.md#adiabatic-absorbers))."})
      .add("order", &Boundary::order, integer(1, 6),
           {.belongs = {adiabatic}, .text = "Power of the depth with which the conductivity rises."})
      .add("reflection", &Boundary::reflection, number(Sign::positive),
           {.initially = "`adiabatic`: 1e-3; `passive`, `cpml`: what reflects least",
            .belongs = {layer},
            .check = check::reflection,
            .examples = {"0.01"},
            .text = "What of a wave's amplitude in the background comes back from a wall behind the layer at normal "
                    "incidence, from 1e-12 to 0.5; it determines the conductivity. `passive`: without it that, and the "
                    "power of its rise, for which the largest reflection up to 60 degrees at the case's frequencies is "
                    "least; `cpml` (of elements): those which elements of the usual size resolve; `--dry-run` prints "
                    "the expected reflection."})
      .add("loss", &Boundary::loss, number(Sign::positive),
           {.needs = {elements},
            .belongs = {cpml},
            .check = check::cpml_loss,
            .examples = {"0.3"},
            .text = "Loss of all components of E and H over the conductivity of the layer, from 0.1 to 1. Without it "
                    "waves that are guided into the layer grow; 0.1 reflects less than 0.2 at 60 degrees, more at 45 "
                    "([theory.md](theory.md#convolutional-layers))."})
      .add(
          "layers", &Boundary::layers, integer(1, 200),
          {.initially =
               "`thickness` over that of a stratum: 1/15, 1/6, 1/4 of a wavelength at the highest frequency for orders "
               "1, 2, 3 to 6, or the mean edge of the surface's triangles where that is more; at least 4",
           .needs = {elements},
           .belongs = {of_elements},
           .text = "Strata of elements outside of the surface, each prism of which is three tetrahedra. The surface "
                   "is a sphere, or in planes along the axes that bound the mesh. Volume groups of the strata have the "
                   "name of what is inside with ` (layer)` and its material."})
      .add("thickness", &Boundary::thickness, number(Sign::positive),
           {.unit = "m",
            .initially = "`passive` 1.75, `cpml` 1.35 wavelengths at the lowest frequency in use that is not below 0.3 "
                         "of the highest, in the "
                         "fastest material; with `layers` these times the mean edge of the surface's triangles",
            .needs = {elements},
            .belongs = {of_elements},
            .text = "Thickness of all strata. 1.75 wavelengths reflect less than -37 dB up to 60 degrees and -38 dB up "
                    "to 45, 1.3 less than -34 dB up to 60, half a wavelength -25 dB up to 45, where elements resolve "
                    "them."})
      .add("group", &Boundary::groups, listed_names({"pml", "pml air, pml ground"}),
           {.initially = "strata are added",
            .needs = {elements},
            .belongs = {of_elements},
            .check = check::own_layer,
            .text = "Volume groups of the mesh file, separated by commas, that are the layer in front of the surface, "
                    "in place of strata that are added; one may be the layer of several surfaces, with edges and "
                    "corners. The box (along the axes) or sphere around all other elements is its inner end, and what "
                    "an element absorbs follows from its distance to that. Materials are those of the groups, which "
                    "results name `NAME (layer)`."})
      .add("phase", &Boundary::phase, number(Sign::any),
           {.unit = "rad",
            .initially = "**one of `phase`, `k`**",
            .belongs = {bloch},
            .required_where = [](const Boundary& b, const Case&) { return !b.k; },
            .required_text = "rad across the grid; or {}.k, rad/m",
            .text = "u(x + L) = exp(i phase) u(x), where L is the length of the grid or mesh; the same on both sides."})
      .add("k", &Boundary::k, number(Sign::any),
           {.unit = "rad/m",
            .initially = "**one of `phase`, `k`**",
            .belongs = {bloch},
            .check = check::bloch_k,
            .text = "The phase is k L."})
      .section();
}

}  // namespace dgtd::config
