// dgtd-mesh curve: a mesh of straight edges becomes one of second order.
#include "app/programs/mesh_options.hpp"
#include "dgtd/mesh/load.hpp"
#include "dgtd/mesh/write_msh.hpp"
#include "dgtd/mesher/curve_mesh.hpp"

namespace dgtd::app {
namespace {

namespace po = boost::program_options;

mesh::Body sphere_of(const std::string& text) {
  const std::string name = "curve: --sphere " + text;
  const auto v = numbers(name, text, 4);
  if (!(v[3] > 0)) throw Error(name + ": the radius must be above 0");
  mesh::Body body;
  body.name = name;
  body.form = mesh::Body::Form::ellipsoid;
  body.centre = {v[0], v[1], v[2]};
  body.size = {v[3], v[3], v[3]};
  return body;
}

// As long as any mesh.
mesh::Body cylinder_of(const std::string& text) {
  constexpr double endless = 1e30;
  const std::string name = "curve: --cylinder " + text;
  const auto v = numbers(name, text, 7);
  const Vec3 axis{v[3], v[4], v[5]};
  if (!(v[6] > 0)) throw Error(name + ": the radius must be above 0");
  if (!(norm(axis) > 0)) throw Error(name + ": the axis has no direction");
  mesh::Body body;
  body.name = name;
  body.form = mesh::Body::Form::cylinder;
  body.centre = {v[0], v[1], v[2]};
  body.axis = axis / norm(axis);
  body.radius = v[6], body.height = endless;
  return body;
}

}  // namespace

std::string curve_command(const Arguments& arguments) {
  std::string from, to;
  std::vector<std::string> spheres, cylinders, solids;
  double unit = 1;
  po::options_description known;
  known.add_options()("from", po::value(&from)->required())("output,o", po::value(&to)->required())(
      "sphere", po::value(&spheres))("cylinder", po::value(&cylinders))("step", po::value(&solids))(
      "unit", po::value(&unit));
  po::positional_options_description positional;
  positional.add("from", 1);
  parse_options("curve", known, join_numbers(arguments, {"--sphere", "--cylinder"}), positional);
  mesher::CurvingSurfaces surfaces;
  for (const std::string& text : spheres) surfaces.bodies.push_back(sphere_of(text));
  for (const std::string& text : cylinders) surfaces.bodies.push_back(cylinder_of(text));
  surfaces.solids.assign(solids.begin(), solids.end());
  if (surfaces.bodies.empty() && surfaces.solids.empty())
    throw Error("curve: no surface (allowed: --sphere X Y Z R, --cylinder X Y Z AX AY AZ R, --step FILE)");
  mesh::GlobalMesh mesh = mesh::read_gmsh(from, unit);
  const mesher::CurvedMesh curved = mesher::curve_mesh(mesh, surfaces);
  mesh::write_msh(mesh, to);
  return fmt::format("{}: {} tetrahedra; {} edges are curved; {} stay straight, since an element would have been bent too much\n",
                     to, mesh.tetrahedra.size(), curved.curved, curved.straight);
}

}  // namespace dgtd::app
