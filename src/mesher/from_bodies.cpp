#include "dgtd/mesher/from_bodies.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include "dgtd/base/error.hpp"
#include "dgtd/base/log.hpp"
#include "dgtd/base/stage_lines.hpp"
#include "dgtd/mesh/body_sizes.hpp"
#include "dgtd/mesh/gmsh_triangles.hpp"
#include "dgtd/mesh/load.hpp"
#include "dgtd/mesh/tetrahedron.hpp"
#include "dgtd/mesh/write_msh.hpp"
#include "dgtd/parallel/child_reader.hpp"
#include "curved_volumes.hpp"
#include "editable_mesh.hpp"

namespace dgtd::mesher {
namespace {

/// A file that does not outlive its user.
struct ScratchFile {
  std::filesystem::path name;
  ~ScratchFile() {
    std::error_code ignored;
    std::filesystem::remove(name, ignored);
  }
};

// The file of Gmsh is about the domain's middle; sides of a box are where the case has them, to the last bit.
void place(mesh::GlobalMesh& mesh, const mesh::BodyModel& model) {
  const Vec3 middle = 0.5 * (model.low + model.high);
  const double near = 1e-9 * norm(model.high - model.low);
  for (Vec3& x : mesh.vertices) {
    x += middle;
    for (int a = 0; a < 3 && !model.ball; ++a)
      for (const double side : {model.low[a], model.high[a]})
        if (std::abs(x[a] - side) < near) x[a] = side;
  }
}

Tetrahedra tetrahedra_of(const mesh::GlobalMesh& mesh) {
  if (mesh.volume_names.size() > 254)
    throw Error(fmt::format("mesh: {} volume groups (at most 254)", mesh.volume_names.size()));
  Tetrahedra t;
  t.points = mesh.vertices;
  for (std::size_t e = 0; e < mesh.tetrahedra.size(); ++e) {
    Corners c;
    for (std::size_t i = 0; i < 4; ++i) c[i] = static_cast<std::int32_t>(mesh.tetrahedra[e][i]);
    if (mesh::Tetrahedron::at(t.points, c).signed_volume() < 0) std::swap(c[0], c[1]);
    t.corners.push_back(c);
    t.region.push_back(static_cast<std::uint8_t>(mesh.tetrahedron_group[e] + 1));
  }
  return t;
}

// Vertices have other numbers, those of triangles the same places.
void put_back(const Tetrahedra& t, mesh::GlobalMesh& mesh) {
  const auto before = [](const Vec3& a, const Vec3& b) {
    return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z;
  };
  std::map<Vec3, std::int64_t, decltype(before)> number(before);
  for (std::size_t v = 0; v < t.points.size(); ++v) number.emplace(t.points[v], static_cast<std::int64_t>(v));
  for (auto& triangle : mesh.triangles)
    for (auto& v : triangle) v = number.at(mesh.vertices[static_cast<std::size_t>(v)]);
  mesh.vertices = t.points;
  mesh.tetrahedra.clear();
  mesh.tetrahedron_group.clear();
  for (std::size_t e = 0; e < t.corners.size(); ++e) {
    const auto& c = t.corners[e];
    mesh.tetrahedra.push_back({c[0], c[1], c[2], c[3]});
    mesh.tetrahedron_group.push_back(static_cast<std::uint16_t>(t.region[e] - 1));
  }
}

// Goal of the improvement: no element limits the time step of the whole mesh (half the usual inradius at equal sizes).
ImproveGoal goal_of_bodies(const mesh::GlobalMesh& mesh, const Tetrahedra& t,
                           const std::vector<std::pair<std::string, double>>& slowness) {
  constexpr double most = 2;  // dense media could have far smaller elements; edges should not become that short
  ImproveGoal goal;
  goal.surfaces_stay = true;
  goal.slowness.assign(1, 1.0);
  for (const std::string& name : mesh.volume_names) {
    const auto found =
        std::find_if(slowness.begin(), slowness.end(), [&](const auto& entry) { return entry.first == name; });
    goal.slowness.push_back(found == slowness.end() ? 1.0 : std::clamp(found->second, 1.0, most));
  }
  std::vector<double> allowed;
  for (std::size_t e = 0; e < t.corners.size(); ++e)
    allowed.push_back(mesh::Tetrahedron::at(t.points, t.corners[e]).shape().inradius * goal.slowness[t.region[e]]);
  // The fine parts of a mesh are what limits the step: its smallest twentieth is their size.
  const auto fine = allowed.begin() + static_cast<std::ptrdiff_t>(allowed.size() / 20);
  std::nth_element(allowed.begin(), fine, allowed.end());
  goal.inradius = 0.8 * *fine;
  return goal;
}

// The groups beside sheets are those of their materials again. They were others for the optimiser, which keeps surfaces
// between groups.
void join_sheets(mesh::GlobalMesh& mesh) {
  std::vector<std::string> names;
  std::vector<std::uint16_t> number;  // [groups] in names
  for (const std::string& name : mesh.volume_names)
    if (!name.ends_with(mesh::sheet_suffix)) names.push_back(name);
  for (const std::string& name : mesh.volume_names) {
    std::string own = name;
    while (own.ends_with(mesh::sheet_suffix)) own.resize(own.size() - mesh::sheet_suffix.size());
    const auto found = std::find(names.begin(), names.end(), own);
    number.push_back(static_cast<std::uint16_t>(found - names.begin()));
    if (found == names.end()) names.push_back(own);  // all of it is beside a sheet
  }
  mesh.volume_names = names;
  for (std::uint16_t& group : mesh.tetrahedron_group) group = number[group];
}

struct Worst {
  double step = std::numeric_limits<double>::infinity(), shape = step;
};
Worst worst_of(const Tetrahedra& t, const ImproveGoal& goal) {
  Worst worst;
  for (std::size_t e = 0; e < t.corners.size(); ++e) {
    const auto [inradius, shape] = mesh::Tetrahedron::at(t.points, t.corners[e]).shape();
    worst.step = std::min(worst.step, inradius * goal.slowness[t.region[e]]);
    worst.shape = std::min(worst.shape, shape);
  }
  return worst;
}

// The mesh of a model; `file` is that of the result, which is not written.
mesh::GlobalMesh make_mesh(const mesh::BodyModel& model, const std::vector<std::pair<std::string, double>>& slowness,
                           const std::filesystem::path& file, BodyMesh& result) {
  const ScratchFile raw{file.string() + fmt::format(".{}.raw.msh", getpid())};
  mesh::generate_bodies(model, raw.name);
  StageLines stages("mesh");
  stages.begin("improving the elements");
  mesh::GlobalMesh mesh = mesh::read_gmsh(raw.name, 1);
  place(mesh, model);
  if (model.exact_volumes == mesh::ExactVolumes::all) result.curved = restore_curved_volumes(mesh, model);
  Tetrahedra t = tetrahedra_of(mesh);
  const ImproveGoal goal = goal_of_bodies(mesh, t, slowness);
  const Worst before = worst_of(t, goal);
  const ImproveResult improved = improve(t, goal, {}, [](const Vec3&) { return 0; });
  const Worst after = worst_of(t, goal);
  put_back(t, mesh);
  if (!model.sheets.empty() || !model.plates.empty()) join_sheets(mesh);
  if (model.curved) {
    const CurvedEdges edges = curve_edges(mesh, model);
    result.curved_edges = edges.curved, result.straight_edges = edges.left;
  }
  result.elements = static_cast<std::int64_t>(t.corners.size());
  result.worst_shape = after.shape;
  result.bad_before = improved.bad_before;
  result.bad_after = improved.bad_after;
  result.gain = after.step / before.step;
  result.per_circle = model.per_circle;
  return mesh;
}

// Elements so large that their bent faces meet keep straight edges, which cost more of a body's volume than curved ones
// gain (docs/verification.md, "Elements along a circle").
bool has_too_many_straight_edges(const BodyMesh& made) {
  constexpr double allowed_share = 0.02;
  return double(made.straight_edges) > allowed_share * double(made.curved_edges + made.straight_edges);
}

// Writes the mesh of a model unless too many edges stay straight, and returns its figures. In a child process, since
// only the first mesh that Gmsh makes in a process is always the same. Throws Error where that is not possible.
BodyMesh try_in_child(const mesh::BodyModel& model, const std::vector<std::pair<std::string, double>>& slowness,
                      const std::filesystem::path& file) {
  constexpr parallel::ReadLimits hardly_any{.seconds = 1e5, .bytes = 1e12};
  BodyMesh result;
  const auto for_each_figure = [&](const auto& f) {
    f(result.elements), f(result.worst_shape), f(result.bad_before), f(result.bad_after), f(result.gain);
    f(result.curved_edges), f(result.straight_edges), f(result.per_circle);
  };
  parallel::read_in_child(
      file.string(), "Gmsh", hardly_any,
      [&](parallel::Sender& sender) {
        const mesh::GlobalMesh mesh = make_mesh(model, slowness, file, result);
        if (!has_too_many_straight_edges(result)) mesh::write_msh(mesh, file);
        for_each_figure([&](const auto& value) { sender.put(value); });
      },
      [&](parallel::Receiver& receiver) { for_each_figure([&](auto& value) { receiver.take(value); }); });
  return result;
}

// Writes the mesh with the first number of elements along a circle, of the model's, 8 and 12, with which few edges stay
// straight; else with the last one.
BodyMesh make_curved_mesh(mesh::BodyModel model, const std::vector<std::pair<std::string, double>>& slowness,
                          const std::filesystem::path& file) {
  constexpr double last = mesh::BodySizes::per_straight_circle;
  if (model.per_circle < last) mesh::gmsh_triangle_reader();  // loads Gmsh here: a child process loads no library
  for (const double more : {8.0, last}) {
    if (model.per_circle >= more) continue;
    log::info("mesh: trying {:g} curved elements along a circle", model.per_circle);
    try {
      const BodyMesh tried = try_in_child(model, slowness, file);
      if (!has_too_many_straight_edges(tried)) return tried;
    } catch (const Error&) {  // the last one has its own message
    }
    model.per_circle = more;
  }
  BodyMesh result;
  mesh::write_msh(make_mesh(model, slowness, file, result), file);
  return result;
}

}  // namespace

BodyMesh mesh_of_bodies(const mesh::BodyModel& model, const std::vector<std::pair<std::string, double>>& slowness,
                        const std::filesystem::path& folder) {
  BodyMesh result;
  result.file = folder / fmt::format("shapes_{:016x}.msh", mesh::hash_of(model));
  if (std::filesystem::exists(result.file)) return result;
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure)
    throw Error(ExitCode::other, fmt::format("mesh: {} cannot be made: {}", folder.string(), failure.message()));
  const ScratchFile whole{result.file.string() + fmt::format(".{}.msh", getpid())};
  const std::filesystem::path file = result.file;
  if (model.curved) result = make_curved_mesh(model, slowness, whole.name);
  else mesh::write_msh(make_mesh(model, slowness, whole.name, result), whole.name);
  result.file = file;
  std::filesystem::rename(whole.name, result.file, failure);
  if (failure)
    throw Error(ExitCode::other, fmt::format("mesh: {} cannot be written: {}", result.file.string(), failure.message()));
  result.made = true;
  return result;
}

namespace {

mesh::Body ellipsoid(const std::string& name, const Vec3& centre, const Vec3& semi_axes) {
  mesh::Body body;
  body.name = name;
  body.form = mesh::Body::Form::ellipsoid;
  body.centre = centre;
  body.size = semi_axes;
  return body;
}

// Bends the edges of a mesh file at the bodies and at the sphere around the origin that bounds it; a line about it.
std::string curve_file(const std::filesystem::path& file, const std::vector<mesh::Body>& bodies, double outer_radius) {
  mesh::GlobalMesh mesh = mesh::read_gmsh(file, 1);
  mesh::BodyModel model;
  model.high = {outer_radius, outer_radius, outer_radius};
  model.low = -1.0 * model.high;
  model.ball = true;
  model.bodies = bodies;
  const CurvedEdges edges = curve_edges(mesh, model);
  mesh::write_msh(mesh, file);
  return fmt::format("{} edges are curved; {} stay straight, since an element would have been bent too much\n",
                     edges.curved, edges.left);
}

}  // namespace

std::string make_spheres_curved(const mesh::Spheres& spheres, const std::filesystem::path& file) {
  std::vector<mesh::Body> bodies;
  for (std::size_t s = 0; s + 1 < spheres.radii.size(); ++s)
    bodies.push_back(ellipsoid(spheres.names[s], {}, {spheres.radii[s], spheres.radii[s], spheres.radii[s]}));
  return curve_file(file, bodies, spheres.radii.back());
}

std::string make_head_phone_curved(const std::filesystem::path& file) {
  using Head = mesh::HeadPhone;
  std::vector<mesh::Body> bodies;
  for (const Head::Tissue& tissue : {Head::skin, Head::skull, Head::csf, Head::brain})
    bodies.push_back(ellipsoid(tissue.name, tissue.centre, tissue.semi_axes));
  return curve_file(file, bodies, Head::absorbing_radius);
}

}  // namespace dgtd::mesher
