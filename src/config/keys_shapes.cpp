// Keys of [shape.NAME]: bodies of one material, combinations of them, files.
#include <algorithm>

#include "complete.hpp"
#include "dgtd/config/shape_parts.hpp"
#include "key.hpp"

namespace dgtd::config {
namespace {

// A plate with points has none.
Codec<Vec3> size_of_shape() {
  Codec<Vec3> codec = length(Sign::not_negative);
  codec.examples = {"0.011 0.012 0.013"};
  codec.format = [inner = codec.format](const Vec3& v) { return v == Vec3() ? std::string() : inner(v); };
  return codec;
}

// The key belongs to shapes of these types.
Condition<Shape> of(std::initializer_list<Shape::Type> types) {
  return with<Shape>("type", &Shape::type, shape_names, types);
}

bool has_centre(Shape::Type type) {
  using enum Shape::Type;
  constexpr Shape::Type all[] = {box, sphere, ellipsoid, cylinder, cone, torus, prism, plate};
  return std::find(std::begin(all), std::end(all), type) != std::end(all);
}

// Whose centre is the point about which it turns, and nothing else.
bool has_pivot(Shape::Type type) {
  using enum Shape::Type;
  constexpr Shape::Type all[] = {wire, unite, difference, intersection};
  return std::find(std::begin(all), std::end(all), type) != std::end(all);
}

void add_shape_material(Keys<Shape>& keys) {
  const auto no_part = where<Shape>([](const Shape& s, const Case& c) { return !is_operand(c, s); },
                                    "shapes that are no part of a union, a difference or an intersection");
  keys.add("type", &Shape::type, choice(shape_names), {.required = true, .text = "Kind of shape."})
      .add("material", &Shape::material, any_text({"glass"}),
           {.belongs = {where<Shape>([](const Shape& s, const Case&) { return s.type != Shape::Type::labels; },
                                     "all types but labels, whose key labels names materials"),
                        no_part},
            .required = true,
            .required_text = "the NAME of a [material.NAME]",
            .check = check::shape_material,
            .text = "NAME of the shape's material."})
      .add("priority", &Shape::priority, integer(-1000000, 1000000),
           {.belongs = {where<Shape>([](const Shape& s, const Case&) { return s.type != Shape::Type::plate; },
                                     "all types but plate, which is there in whatever body"),
                        no_part},
            .text = "Where shapes overlap the higher priority counts, of equal ones the later shape."});
}

void add_simple_shapes(Keys<Shape>& keys) {
  const auto upright = of({Shape::Type::cylinder, Shape::Type::cone, Shape::Type::prism});
  keys.add("centre", &Shape::centre, place(),
           {.unit = "m",
            .belongs = {where<Shape>(
                [](const Shape& s, const Case&) { return has_centre(s.type) || (has_pivot(s.type) && s.rotation); },
                "all types without a file (wires and combinations only with a rotation)")},
            .text = "Centre of the shape; of a cone the middle of its axis. Of a union, a difference, an intersection or a "
                    "wire the point about which `rotation` turns it."})
      .add("size", &Shape::size, size_of_shape(),
           {.unit = "m",
            .belongs = {of({Shape::Type::box, Shape::Type::plate})},
            .required_where = [](const Shape& s, const Case&) { return s.type == Shape::Type::box; },
            .check = check::shape_size,
            .text = "Lengths of the edges, > 0; of a plate that is a rectangle (else `points`) one is 0."})
      .add("radius", &Shape::radius, number(Sign::positive),
           {.unit = "m",
            .belongs = {of({Shape::Type::sphere, Shape::Type::cylinder, Shape::Type::cone, Shape::Type::torus,
                            Shape::Type::wire})},
            .required = true,
            .text = "Radius; of a cone that of the end from which `axis` leads to the other one, of a torus that of the "
                    "circle in the middle of its tube."})
      .add("top_radius", &Shape::top_radius, number(Sign::not_negative),
           {.unit = "m", .belongs = {of({Shape::Type::cone})}, .text = "Radius of the other end, 0: a point."})
      .add("tube_radius", &Shape::tube_radius, number(Sign::positive),
           {.unit = "m",
            .belongs = {of({Shape::Type::torus})},
            .required = true,
            .check = check::tube_radius,
            .examples = {"0.003"},
            .text = "Radius of the tube, below `radius`."})
      .add("radii", &Shape::radii, length(Sign::positive),
           {.unit = "m",
            .belongs = {of({Shape::Type::ellipsoid})},
            .required = true,
            .text = "Half axes along x, y, z."})
      .add("height", &Shape::height, number(Sign::positive),
           {.unit = "m",
            .initially = "**required** in three dimensions, and of cones",
            .belongs = {upright},
            .required_where =
                [](const Shape& s, const Case& c) {
                  return s.type == Shape::Type::cone || c.solver.method.has.dimensions == 3;
                },
            .text = "Height along the axis."})
      .add("axis", &Shape::axis, direction(),
           {.belongs = {of({Shape::Type::cylinder, Shape::Type::cone, Shape::Type::torus, Shape::Type::prism,
                            Shape::Type::plate})},
            .check = check::shape_axis,
            .examples = {"0 3 0"},
            .text = "Direction of the axis, made a unit vector; of a prism along x, y or z, as the normal of a plate "
                    "with `points`."})
      .add(
          "points", &Shape::points, point_list(),
          {.unit = "m",
           .belongs = {of({Shape::Type::prism, Shape::Type::plate})},
           .required_where = [](const Shape& s, const Case&) { return s.type == Shape::Type::prism || s.size == Vec3(); },
           .required_text = "X Y, X Y, X Y, m",
           .text = "Corners, relative to `centre`, of a polygon that does not touch itself, in either sense, convex or "
                   "not: along x and y for `axis = 0 0 1`, y and z for 1 0 0, z and x for 0 1 0."});
}

void add_combinations(Keys<Shape>& keys) {
  keys.add("shapes", &Shape::operands, names({"box sphere"}),
           {.belongs = {of({Shape::Type::unite, Shape::Type::difference, Shape::Type::intersection})},
            .required = true,
            .required_text = "NAMES of two or more [shape.NAME]",
            .check = check::operands,
            .text = "NAMES of two or more shapes that it is made of, which are no bodies of their own: they have "
                    "neither material nor priority. A difference is the first one without the others."})
      .add("path", &Shape::path, place_list(),
           {.unit = "m",
            .belongs = {of({Shape::Type::wire})},
            .required = true,
            .required_text = "X Y Z, X Y Z, m",
            .check = check::path,
            .text = "Places that the straight pieces of a wire connect; its corners are round. On a grid a perfectly "
                    "conducting piece that is thinner than a cell is the edges on its axis, which is to be one of the "
                    "grid's lines."});
}

void add_rotation(Keys<Shape>& keys) {
  keys.add("rotation", &Shape::rotation, turn(),
           {.unit = "rad",
            .needs = {{has_axes<2>, "{method} has no such rotation"}},
            .belongs = {where<Shape>([](const Shape& s, const Case&) { return s.type != Shape::Type::labels; },
                                     "all types but labels, which stay along the axes")},
            .check = check::rotation,
            .text = "Turns the shape, by the right-hand rule, by an angle about an axis through its `centre` "
                    "(stl, gds, step: through its `position`), after `axis` has given it its direction: `0 0 1 30 deg` turns "
                    "x towards y. A union, a difference, an intersection or a wire turns as a whole. A layout (gds), and "
                    "all shapes in two dimensions, turn about z alone. On a grid a plate that is oblique then is two "
                    "cells thick."});
}

void add_shape_files(Keys<Shape>& keys) {
  const auto file = of({Shape::Type::stl, Shape::Type::labels}),
             any_file = of({Shape::Type::stl, Shape::Type::labels, Shape::Type::gds, Shape::Type::step});
  keys.add(
          "file", &Shape::file, path(),
          {.belongs = {any_file},
           .required = true,
           .text = "stl: a closed surface of triangles, text or binary. labels: NIfTI (`.nii`, `.nii.gz`) or MetaImage "
                   "(`.mha`, `.mhd`), one whole number from 0 to 255 per voxel; or a grey picture (`.png`, `.pgm`, "
                   "`.bmp`), whose grey values are the labels: x goes to the right, the picture's upper edge has the "
                   "largest y, and it is unbounded along z. gds: a GDSII stream (`.gds`), step: a STEP file (ISO 10303-21), whose headers have their units."})
      .add("unit", &Shape::unit, number(Sign::positive),
           {.unit = "m",
            .initially = "stl 1, labels 1e-3; pictures **required**",
            .belongs = {file},
            .required_where =
                [](const Shape& s, const Case&) {
                  const auto extension = s.file.extension();
                  return s.type == Shape::Type::labels &&
                         (extension == ".png" || extension == ".bmp" || extension == ".pgm");
                },
            .required_text = "m, edge of a pixel",
            .text = "Metres per length unit of the file; edge of a pixel."})
      .add(
          "position", &Shape::position, place(),
          {.unit = "m",
           .belongs = {any_file},
           .text = "stl, gds, step: place of the file's origin. labels: place of the lower corner of the first voxel (of a "
                   "picture's lower left pixel); voxels stay in the file's order along x, y, z, and its own origin and "
                   "rotation are ignored."})
      .add("labels", &Shape::labels, label_list(),
           {.belongs = {of({Shape::Type::labels})},
            .required = true,
            .required_text = "NUMBER MATERIAL, NUMBER MATERIAL",
            .check = check::shape_labels,
            .text = "The material of each label, at most 31 materials; other labels are transparent. Each rank reads "
                    "the file and stores one byte per voxel."});
}

void add_step_bodies(Keys<Shape>& keys) {
  keys.add("body", &Shape::body, any_text({"patch"}),
           {.initially = "all solids of the file",
            .belongs = {of({Shape::Type::step})},
            .text = "Name of a solid, or of a part or an assembly, whose solids are taken. A name that the file does not "
                    "have is refused with those that it has."});
}

void add_layouts(Keys<Shape>& keys) {
  const auto layout = of({Shape::Type::gds});
  const Need height{has_axes<3>, "{method} has no such axis"};
  keys.add("cell", &Shape::cell, any_text({"TOP"}),
           {.initially = "the only cell that is no part of another one",
            .belongs = {layout},
            .text = "Name of the cell, with all that it refers to."})
      .add("layer", &Shape::layer, layer(),
           {.belongs = {layout},
            .required = true,
            .text = "Layer and type of data: the union of its polygons, boxes and paths, holes included. Corners of paths "
                    "that turn by at most 90 degrees are sharp, others cut off."})
      .add("z", &Shape::z, interval(),
           {.unit = "m",
            .initially = "**required**",
            .needs = {height},
            .belongs = {layout},
            .required_where = [](const Shape&, const Case& c) { return c.solver.method.has.dimensions == 3; },
            .text = "Lower and upper end, above that of `position`."})
      .add("sidewall_angle", &Shape::sidewall_angle, wall_angle(),
           {.unit = "rad",
            .initially = "90 deg",
            .needs = {height},
            .belongs = {layout},
            .text = "Angle between walls and the plane, in the material. The polygons of the file are those of the lower "
                    "end; an angle below 90 deg makes the upper end smaller, one above larger, with sharp corners."});
}

}  // namespace

Section shape_keys() {
  Keys<Shape> keys("shape", &Case::shapes, "A body of one material, or labelled voxels of several.");
  add_shape_material(keys);
  add_simple_shapes(keys);
  add_combinations(keys);
  add_rotation(keys);
  add_shape_files(keys);
  add_layouts(keys);
  add_step_bodies(keys);
  return keys.section();
}

}  // namespace dgtd::config
