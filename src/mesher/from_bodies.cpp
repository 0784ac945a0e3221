#include "dgtd/mesher/from_bodies.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include "dgtd/base/error.hpp"
#include "dgtd/base/stage_lines.hpp"
#include "dgtd/mesh/load.hpp"
#include "dgtd/mesh/tetrahedron.hpp"
#include "dgtd/mesh/write_msh.hpp"
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
  const ScratchFile raw{result.file.string() + fmt::format(".{}.raw.msh", getpid())};
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
  const ScratchFile whole{result.file.string() + fmt::format(".{}.msh", getpid())};
  mesh::write_msh(mesh, whole.name);
  std::filesystem::rename(whole.name, result.file, failure);
  if (failure)
    throw Error(ExitCode::other, fmt::format("mesh: {} cannot be written: {}", result.file.string(), failure.message()));
  result.made = true;
  result.elements = static_cast<std::int64_t>(t.corners.size());
  result.worst_shape = after.shape;
  result.bad_before = improved.bad_before;
  result.bad_after = improved.bad_after;
  result.gain = after.step / before.step;
  return result;
}

std::string make_spheres_curved(const mesh::Spheres& spheres, const std::filesystem::path& file) {
  mesh::GlobalMesh mesh = mesh::read_gmsh(file, 1);
  mesh::BodyModel model;
  const double outer = spheres.radii.back();
  model.low = {-outer, -outer, -outer}, model.high = {outer, outer, outer};
  model.ball = true;
  for (std::size_t s = 0; s + 1 < spheres.radii.size(); ++s) {
    mesh::Body body;
    body.name = spheres.names[s];
    body.form = mesh::Body::Form::ellipsoid;
    body.size = {spheres.radii[s], spheres.radii[s], spheres.radii[s]};
    model.bodies.push_back(body);
  }
  const CurvedEdges edges = curve_edges(mesh, model);
  mesh::write_msh(mesh, file);
  return fmt::format("{} edges are curved; {} stay straight, since an element would have been bent too much\n",
                     edges.curved, edges.left);
}

}  // namespace dgtd::mesher
