#include "dgtd/observers/scene_maker.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <unordered_map>

#include "dgtd/base/first_exception.hpp"

namespace dgtd::observers {

namespace {

constexpr std::size_t most_quantities = 2;
constexpr double unbounded = std::numeric_limits<double>::infinity();
using Values = std::array<float, most_quantities>;

/// Faces and voxels as root receives them.
struct RootFace {
  std::array<std::int64_t, 3> corner_id;
  std::array<std::array<float, 3>, 3> corner;
  Values value;
  std::int32_t region;
  bool is_between_ranks;
};
struct RootVoxel {
  std::int64_t id;
  std::int32_t point, region;
  Values value;
};

std::vector<double> centres(const std::vector<double>& nodes) {
  std::vector<double> x;
  for (std::size_t i = 0; i + 1 < nodes.size(); ++i) x.push_back(0.5 * (nodes[i] + nodes[i + 1]));
  return x;
}

// Around points of all ranks, with a margin; infinite without any.
std::array<Vec3, 2> box_of_points(const std::vector<std::array<double, 3>>& points, double margin,
                                  const parallel::Communicator& comm) {
  std::vector<double> ends(6, -unbounded);  // -low, high
  for (const auto& p : points)
    for (std::size_t a = 0; a < 3; ++a)
      ends[2 * a] = std::max(ends[2 * a], -p[a]), ends[2 * a + 1] = std::max(ends[2 * a + 1], p[a]);
  ends = comm.max(std::move(ends));
  std::array<Vec3, 2> box{Vec3{-unbounded, -unbounded, -unbounded}, Vec3{unbounded, unbounded, unbounded}};
  if (!std::isfinite(ends[0])) return box;
  double longest = 0;
  for (int a = 0; a < 3; ++a) longest = std::max(longest, ends[2 * a] + ends[2 * a + 1]);
  for (int a = 0; a < 3; ++a)
    box[0][a] = -ends[2 * a] - margin * longest, box[1][a] = ends[2 * a + 1] + margin * longest;
  return box;
}

// Around the bodies: faces of a mesh; of a grid that has more cells than the scene voxels, coarse voxels.
std::array<Vec3, 2> box_of_bodies(const DomainView& view, const std::vector<RegionFace>& faces,
                                  const std::vector<Region>& regions, double voxels,
                                  const parallel::Communicator& comm) {
  std::vector<std::array<double, 3>> points;
  for (const auto& f : faces)
    for (const auto& c : f.corner)
      if (regions[static_cast<std::size_t>(f.region)].is_shown)
        points.push_back({double(c[0]), double(c[1]), double(c[2])});
  if (comm.max(static_cast<std::int64_t>(faces.size())) == 0) {
    const auto everything = box_of_points({}, 0, comm);
    const auto fine = view.voxel_nodes(everything, unbounded);
    double cells = 1;
    for (const auto& axis : fine) cells *= double(axis.size() - 1);
    if (cells <= voxels) return everything;
    const auto coarse = view.voxel_nodes(everything, voxels / 8);
    const auto nx = coarse[0].size() - 1, ny = coarse[1].size() - 1;
    for (const PixelHit& h : view.lattice({centres(coarse[0]), centres(coarse[1]), centres(coarse[2])})) {
      if (regions[static_cast<std::size_t>(h.region)].is_background) continue;
      const auto n = static_cast<std::size_t>(h.pixel);
      const std::array<std::size_t, 3> at{n % nx, n / nx % ny, n / nx / ny};
      points.push_back({coarse[0][at[0]], coarse[1][at[1]], coarse[2][at[2]]});
      points.push_back({coarse[0][at[0] + 1], coarse[1][at[1] + 1], coarse[2][at[2] + 1]});
    }
    return box_of_points(points, 0.05, comm);
  }
  if (comm.max(static_cast<std::int64_t>(points.size())) == 0)  // nothing is shown at first
    for (const auto& f : faces)
      for (const auto& c : f.corner) points.push_back({double(c[0]), double(c[1]), double(c[2])});
  return box_of_points(points, 0.03, comm);
}

// Faces between ranks that both have are inside a region.
std::vector<RootFace> without_inner(std::vector<RootFace> faces) {
  std::map<std::array<std::int64_t, 4>, int> times;
  const auto key = [](const RootFace& f) {
    return std::array<std::int64_t, 4>{f.corner_id[0], f.corner_id[1], f.corner_id[2], f.region};
  };
  for (const auto& f : faces)
    if (f.is_between_ranks) ++times[key(f)];
  std::erase_if(faces, [&](const auto& f) { return f.is_between_ranks && times[key(f)] == 2; });
  return faces;
}

std::vector<io::Scene::Surface> surfaces_of(const std::vector<RootFace>& faces, std::size_t regions,
                                            std::size_t quantities, std::size_t most) {
  std::vector<io::Scene::Surface> all(regions);
  std::vector<std::vector<std::size_t>> of_region(regions);  // numbers of its faces
  for (std::size_t i = 0; i < faces.size(); ++i) of_region[static_cast<std::size_t>(faces[i].region)].push_back(i);
  const auto make = [&](std::size_t region) {
    auto& s = all[region];
    s.values.resize(quantities);
    std::unordered_map<std::int64_t, std::uint32_t> numbers;
    for (const std::size_t i : of_region[region]) {
      const RootFace& f = faces[i];
      std::array<std::uint32_t, 3> triangle;
      for (int c = 0; c < 3; ++c) {
        const auto [found, is_new] = numbers.try_emplace(f.corner_id[c], static_cast<std::uint32_t>(s.points.size()));
        if (is_new) s.points.push_back(f.corner[c]);
        triangle[c] = found->second;
      }
      s.triangles.push_back(triangle);
      for (std::size_t q = 0; q < quantities; ++q) s.values[q].push_back(f.value[q]);
    }
  };
  FirstException error;
#pragma omp parallel for schedule(dynamic)
  for (std::size_t r = 0; r < regions; ++r) error.catch_from([&] { make(r); });
  error.rethrow();
  if (faces.size() > most) {
    std::vector<std::size_t> shares;
    for (const auto& s : all) shares.push_back(std::max<std::size_t>(200, s.triangles.size() * most / faces.size()));
    io::thin_out(all, shares);
  }
  std::vector<io::Scene::Surface> surfaces;
  for (std::size_t r = 0; r < regions; ++r) {
    if (all[r].triangles.empty()) continue;
    all[r].material = r;
    surfaces.push_back(std::move(all[r]));
  }
  return surfaces;
}

io::Scene::Volume volume_of(std::array<std::vector<double>, 3> nodes, const std::vector<RootVoxel>& voxels,
                            std::size_t quantities) {
  io::Scene::Volume v;
  const std::size_t count = (nodes[0].size() - 1) * (nodes[1].size() - 1) * (nodes[2].size() - 1);
  v.nodes = std::move(nodes);
  v.material.assign(count, io::Scene::Volume::nothing);
  v.values.assign(quantities, std::vector<float>(count, std::numeric_limits<float>::quiet_NaN()));
  std::vector<std::int64_t> id(count, std::numeric_limits<std::int64_t>::max());
  for (const RootVoxel& x : voxels) {  // of several the one of the lowest number, so that ranks do not count
    const auto at = static_cast<std::size_t>(x.point);
    if (x.id >= id[at]) continue;
    id[at] = x.id;
    v.material[at] = static_cast<std::uint8_t>(std::min(x.region, io::Scene::Volume::nothing - 1));
    for (std::size_t q = 0; q < quantities; ++q) v.values[q][at] = x.value[q];
  }
  return v;
}

// Ends of the scales; a quantity that has nothing to show goes.
void set_scales(io::Scene& scene, const std::vector<SceneQuantity>& quantities) {
  for (std::size_t q = quantities.size(); q-- > 0;) {
    float most = 0;
    const auto see = [&](const std::vector<float>& values) {
      for (const float v : values)
        if (std::isfinite(v)) most = std::max(most, v);
    };
    see(scene.volume->values[q]);
    for (const auto& s : scene.surfaces) see(s.values[q]);
    if (most > 0) {
      io::ColourScale scale = quantities[q].scale;
      scale.logarithmic = true;
      scale.highest = double(most), scale.lowest = double(most) * std::pow(10, -quantities[q].decades);
      scene.quantities.insert(scene.quantities.begin(), scale);
      continue;
    }
    const auto n = static_cast<std::ptrdiff_t>(q);
    scene.volume->values.erase(scene.volume->values.begin() + n);
    for (auto& s : scene.surfaces) s.values.erase(s.values.begin() + n);
  }
}

}  // namespace

std::array<Vec3, 2> box_of(const io::Scene& scene) {
  std::array<Vec3, 2> box;
  for (int a = 0; a < 3; ++a) box[0][a] = scene.volume->nodes[a].front(), box[1][a] = scene.volume->nodes[a].back();
  return box;
}

// Hits and what becomes of them, on a rank and gathered.
double scene_bytes(const SceneSettings& settings) { return 150 * settings.voxels; }

io::Scene make_scene(const DomainView& view, const std::vector<Region>& regions,
                     const std::vector<SceneQuantity>& quantities, const SceneSettings& settings,
                     const parallel::Communicator& comm) {
  std::vector<bool> is_body;
  for (const Region& r : regions) is_body.push_back(!r.is_background);
  const auto faces = view.faces(is_body);
  auto nodes = view.voxel_nodes(box_of_bodies(view, faces, regions, settings.voxels, comm), settings.voxels);
  const auto hits = view.lattice({centres(nodes[0]), centres(nodes[1]), centres(nodes[2])});
  std::vector<std::size_t> places;
  places.reserve(faces.size() + hits.size());
  for (const auto& f : faces) places.push_back(f.place);
  for (const auto& h : hits) places.push_back(h.place);
  std::vector<std::vector<float>> values;
  for (const auto& q : quantities) values.push_back(q.values(places));
  const auto value_of = [&](std::size_t i) {
    Values v{};
    for (std::size_t q = 0; q < values.size(); ++q) v[q] = values[q][i];
    return v;
  };
  std::vector<RootFace> my_faces(faces.size());
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < faces.size(); ++i)
    my_faces[i] = {faces[i].corner_id, faces[i].corner, value_of(i), faces[i].region, faces[i].is_between_ranks};
  std::vector<RootVoxel> my_voxels(hits.size());
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < hits.size(); ++i)
    my_voxels[i] = {hits[i].id, hits[i].pixel, hits[i].region, value_of(faces.size() + i)};
  auto all_faces = comm.gather_vectors(my_faces);
  const auto all_voxels = comm.gather_vectors(my_voxels);
  io::Scene scene;
  if (!comm.is_root()) return scene;
  for (std::size_t r = 0; r < std::min<std::size_t>(regions.size(), io::Scene::Volume::nothing); ++r)
    scene.materials.push_back(
        {regions[r].name, io::material_colour(r), regions[r].is_shown, !regions[r].is_background});
  for (auto& f : all_faces) f.region = std::min(f.region, io::Scene::Volume::nothing - 1);
  all_faces = without_inner(std::move(all_faces));
  scene.surfaces = surfaces_of(all_faces, scene.materials.size(), quantities.size(), settings.triangles);
  scene.volume = volume_of(std::move(nodes), all_voxels, quantities.size());
  scene.volume->has_surfaces = all_faces.empty();
  set_scales(scene, quantities);
  return scene;
}

}  // namespace dgtd::observers
