#include "dgtd/mesher/from_labels.hpp"

#include <fmt/format.h>
#include <sys/sysinfo.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <fstream>
#include <limits>
#include <numbers>

#include "cgal_mesher.hpp"
#include "device.hpp"
#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/mesh/tetrahedron.hpp"
#include "dgtd/physics/tissue.hpp"
#include "exterior.hpp"
#include "improve.hpp"
#include "keep_volumes.hpp"
#include "prepare_labels.hpp"
#include "size_field.hpp"
#include "smooth_labels.hpp"
#include "stages.hpp"

namespace dgtd::mesher {
namespace {

/// Intermediate results, each built from those before it.
struct Model {
  TissueTable table;
  PreparedLabels prepared;
  std::vector<double> permittivity, conductivity;  // [tissues]
  std::vector<double> size;                        // [tissues] m
  Exterior exterior;
  Device device = Device::none();

  Vec3 to_voxels(const Vec3& x) const { return prepared.frame.to_voxels(x); }
};

void check(const FromLabels& s) {
  const auto positive = [](const char* name, double value) {
    if (!(value > 0) || !std::isfinite(value))
      throw Error(fmt::format("from-labels: {} must be greater than 0, not {}", name, value));
  };
  positive("unit", s.unit);
  positive("resolution", s.resolution);
  positive("frequency", s.frequency);
  positive("growth", s.growth);
  positive("facet-distance", s.facet_distance);
  positive("device-size", s.device_size);
  if (s.order < 1 || s.order > 6) throw Error(fmt::format("from-labels: order must be from 1 to 6, not {}", s.order));
  positive("effort", s.effort);
  if (s.smoothing < 0 || s.island < 0 || s.margin < 0 || s.elements < 0 || s.elements_per_wavelength < 0 ||
      s.passes < 0)
    throw Error("from-labels: smooth, island, margin, elements, per-wavelength and passes must not be negative");
  for (const mesh::Refinement& r : s.refinements) positive("the size of refine", r.size);
  if (s.phone && s.stl) throw Error("from-labels: a phone and an STL device exclude each other");
}

/// lambda = c0 / (f Re sqrt(eps_r - j sigma / (omega eps0))), m
double wavelength(double permittivity, double conductivity, double frequency) {
  const std::complex<double> complex(permittivity,
                                     -conductivity / (2 * std::numbers::pi * frequency * vacuum_permittivity));
  return speed_of_light / (frequency * std::sqrt(complex).real());
}

void set_media_and_sizes(const FromLabels& s, Model& model) {
  const double per_wavelength =
      s.elements_per_wavelength > 0 ? s.elements_per_wavelength : default_elements_per_wavelength(s.order);
  for (const TissueRow& row : model.table.tissues) {
    double permittivity = row.permittivity, conductivity = row.conductivity;
    if (!row.medium.empty()) {
      const auto properties = physics::tissue_properties(row.medium, s.frequency);
      permittivity = properties.permittivity;
      conductivity = properties.conductivity;
    }
    model.permittivity.push_back(permittivity);
    model.conductivity.push_back(conductivity);
    model.size.push_back(row.size > 0 ? row.size
                                      : wavelength(permittivity, conductivity, s.frequency) / per_wavelength);
  }
}

/// Around the tissues with the margin, and around the device with half of it.
Exterior exterior_around(const FromLabels& s, const Model& model) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  const double margin = s.margin > 0 ? s.margin : speed_of_light / s.frequency;
  const LabelGrid& grid = model.prepared.grid;
  std::vector<Vec3> surface;  // m, centres of tissue voxels at both ends of each row
  for (int k = 0; k < grid.size[2]; ++k)
    for (int j = 0; j < grid.size[1]; ++j) {
      int first = -1, last = -1;
      for (int i = 0; i < grid.size[0]; ++i)
        if (grid.tissue[grid.at(i, j, k)] != 0) {
          if (first < 0) first = i;
          last = i;
        }
      if (first < 0) continue;
      surface.push_back(model.prepared.frame.from_voxels(grid.centre(first, j, k)));
      surface.push_back(model.prepared.frame.from_voxels(grid.centre(last, j, k)));
    }
  Vec3 low{infinite, infinite, infinite}, high{-infinite, -infinite, -infinite};
  const auto enclose = [&](const Vec3& p, double by) {
    for (int a = 0; a < 3; ++a) {
      low[a] = std::min(low[a], p[a] - by);
      high[a] = std::max(high[a], p[a] + by);
    }
  };
  for (const Vec3& p : surface) enclose(p, margin);
  Exterior exterior;
  exterior.form = s.exterior;
  if (s.exterior == FromLabels::Exterior::box) {
    for (const Vec3& p : model.device.corners()) enclose(p, margin / 2);
    exterior.centre = 0.5 * (low + high);
    exterior.half = 0.5 * (high - low);
    return exterior;
  }
  // M. Badoiu, K. L. Clarkson (2003): towards the farthest point, by 1/(i + 1) of the way.
  exterior.centre = 0.5 * (low + high);
  for (int i = 1; i <= 300; ++i) {
    const auto farthest = std::max_element(surface.begin(), surface.end(), [&](const Vec3& a, const Vec3& b) {
      return norm(a - exterior.centre) < norm(b - exterior.centre);
    });
    exterior.centre += 1.0 / (i + 1) * (*farthest - exterior.centre);
  }
  for (const Vec3& p : surface) exterior.radius = std::max(exterior.radius, norm(p - exterior.centre) + margin);
  for (const Vec3& p : model.device.corners())
    exterior.radius = std::max(exterior.radius, norm(p - exterior.centre) + margin / 2);
  exterior.half = {exterior.radius, exterior.radius, exterior.radius};
  return exterior;
}

/// Throws Error where a tissue is inside the device.
void require_device_in_air(const Model& model, const SmoothLabels& labels) {
  if (model.device.empty()) return;
  const LabelGrid& grid = labels.grid();
  for (int k = 0; k < grid.size[2]; ++k)
    for (int j = 0; j < grid.size[1]; ++j)
      for (int i = 0; i < grid.size[0]; ++i) {
        const int tissue = grid.tissue[grid.at(i, j, k)];
        if (tissue == 0) continue;
        const Vec3 x = model.prepared.frame.from_voxels(grid.centre(i, j, k));
        if (model.device.inside(x))
          throw Error(fmt::format("from-labels: the device is in '{}' at {:.4f} {:.4f} {:.4f}; it must be in air",
                                  model.table.tissues[tissue].name, x.x, x.y, x.z));
      }
}

double available_memory() {
  std::ifstream stream("/proc/meminfo");
  std::string name;
  for (double kilobytes = 0; stream >> name >> kilobytes; stream.ignore(100, '\n'))
    if (name == "MemAvailable:") return 1024 * kilobytes;
  return std::numeric_limits<double>::infinity();
}

/// Throws Error for more elements than there is memory for.
void require_memory(std::int64_t elements) {
  constexpr double bytes_per_element = 1500;  // measured: docs/meshes.md
  const double needed = bytes_per_element * double(elements), available = available_memory();
  if (needed > available)
    throw Error(
        ExitCode::out_of_memory,
        fmt::format("from-labels: about {} tetrahedra need {:.1f} GB of memory, of which {:.1f} GB are available: "
                    "ask for larger elements or fewer of them",
                    elements, needed / 1e9, available / 1e9));
}

/// Scales the sizes of all tissues by one factor so that about so many elements are predicted; returns the prediction.
double fit_sizes(const FromLabels& s, Model& model, const SmoothLabels& labels, double elements) {
  const std::vector<double> size = model.size;
  const auto elements_for = [&](double factor) {
    for (std::size_t t = 0; t < size.size(); ++t) model.size[t] = factor * size[t];
    return SizeField(model.prepared.frame, labels, model.exterior, model.device, s.refinements, model.size, s.growth)
        .elements();
  };
  double factor = 1, found = elements_for(factor);
  // Elements are about as the factor to the power of -3, but for those at the device.
  for (int i = 0; i < 8 && elements > 0 && std::abs(found / elements - 1) > 0.005; ++i) {
    factor = std::clamp(factor * std::cbrt(found / elements), 0.01, 100.0);
    found = elements_for(factor);
  }
  if (elements > 0 && found > 1.1 * elements)
    throw Error(fmt::format("from-labels: about {:.0f} tetrahedra are needed at the device; {:.0f} in all are too few",
                            found, elements));
  return found;
}

/// Segments that cross surfaces: some for each piece of the grid, some for the device and the absorbing surface.
std::vector<std::array<Vec3, 2>> crossings_of(const Model& model, const SmoothLabels& labels) {
  std::vector<std::array<Vec3, 2>> result;
  const LabelGrid& grid = labels.grid();
  const Pieces pieces = find_pieces(grid);
  constexpr int per_piece = 30;
  std::vector<std::int64_t> seen(pieces.tissue.size(), 0), faces(pieces.tissue.size(), 0);
  const auto for_faces = [&](const auto& work) {
    for (int k = 0; k + 1 < grid.size[2]; ++k)
      for (int j = 0; j + 1 < grid.size[1]; ++j)
        for (int i = 0; i + 1 < grid.size[0]; ++i) {
          const std::size_t v = grid.at(i, j, k);
          const std::array<int, 3> beside[3] = {{i + 1, j, k}, {i, j + 1, k}, {i, j, k + 1}};
          for (const auto& b : beside)
            if (const std::size_t n = grid.at(b[0], b[1], b[2]); grid.tissue[n] != grid.tissue[v])
              work(v, n, grid.centre(i, j, k), grid.centre(b[0], b[1], b[2]));
        }
  };
  for_faces([&](std::size_t v, std::size_t n, const Vec3&, const Vec3&) {
    ++faces[pieces.of_voxel[v]];
    ++faces[pieces.of_voxel[n]];
  });
  for_faces([&](std::size_t v, std::size_t n, const Vec3& a, const Vec3& b) {
    bool wanted = false;
    for (const std::uint32_t p : {pieces.of_voxel[v], pieces.of_voxel[n]})
      wanted = (seen[p]++ % std::max<std::int64_t>(1, faces[p] / per_piece) == 0) || wanted;
    if (wanted) result.push_back({model.prepared.frame.from_voxels(a), model.prepared.frame.from_voxels(b)});
  });
  const double step = 1e-5 * norm(model.exterior.half);
  for (const Device::SurfacePoint& p : model.device.surface_points())
    result.push_back({p.position - step * p.normal, p.position + step * p.normal});
  for (int k = -1; k <= 1; ++k)
    for (int j = -1; j <= 1; ++j)
      for (int i = -1; i <= 1; ++i) {
        const Vec3 d{double(i), double(j), double(k)};
        if (norm(d) == 0) continue;
        // A little off the axes, where no four points are on a circle.
        Vec3 direction = d + Vec3{0.031 * j, 0.057 * k, 0.043 * i};
        direction = direction / norm(direction);
        const double reach = 3 * norm(model.exterior.half);
        Vec3 in = model.exterior.centre, out = in + reach * direction;
        for (int n = 0; n < 12; ++n) {
          const Vec3 middle = 0.5 * (in + out);
          (model.exterior.depth(middle) > 0 ? in : out) = middle;
        }
        result.push_back({in, out});
      }
  return result;
}

std::vector<Polyline> edges_of(const Model& model) {
  std::vector<Polyline> edges = model.device.edges();
  if (model.exterior.form != FromLabels::Exterior::box) return edges;
  const Vec3& h = model.exterior.half;
  const auto corner = [&](int c) {
    return model.exterior.centre + Vec3{c & 1 ? h.x : -h.x, c & 2 ? h.y : -h.y, c & 4 ? h.z : -h.z};
  };
  for (int c = 0; c < 8; ++c)
    for (const int bit : {1, 2, 4})
      if (!(c & bit)) edges.push_back({corner(c), corner(c | bit)});
  return edges;
}

/// Faces without a neighbour as triangles that point out of the domain.
void add_boundary(const Tetrahedra& t, const Exterior& exterior, mesh::GlobalMesh& mesh) {
  constexpr int faces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
  struct Face {
    std::array<std::int32_t, 3> sorted, points;
    bool operator<(const Face& o) const { return sorted < o.sorted; }
  };
  std::vector<Face> list;
  for (const auto& c : t.corners)
    for (const auto& f : faces) {
      Face face{{}, {c[f[0]], c[f[1]], c[f[2]]}};
      face.sorted = face.points;
      std::sort(face.sorted.begin(), face.sorted.end());
      list.push_back(face);
    }
  std::sort(list.begin(), list.end());
  // The device is inside; half the domain's radius is beyond no absorbing face.
  const double inside = 0.02 * std::min({exterior.half.x, exterior.half.y, exterior.half.z});
  bool metal = false;
  mesh.surface_names = {"absorbing"};
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i + 1 < list.size() && list[i].sorted == list[i + 1].sorted) {
      ++i;
      continue;
    }
    const auto& [a, b, c] = list[i].points;
    const double depth =
        std::max({exterior.depth(t.points[a]), exterior.depth(t.points[b]), exterior.depth(t.points[c])});
    mesh.triangles.push_back({a, b, c});
    mesh.triangle_group.push_back(depth > inside ? 1 : 0);
    metal = metal || depth > inside;
  }
  if (metal) mesh.surface_names.push_back("metal");
}

double median_inradius(const Tetrahedra& t) {
  std::vector<double> inradius;
  for (const auto& c : t.corners) inradius.push_back(mesh::Tetrahedron::at(t.points, c).shape().inradius);
  const auto middle = inradius.begin() + std::ptrdiff_t(inradius.size() / 2);
  std::nth_element(inradius.begin(), middle, inradius.end());
  return *middle;
}

mesh::GlobalMesh global_mesh(const Tetrahedra& t, const Model& model, const std::string& source) {
  mesh::GlobalMesh mesh;
  mesh.source = source;
  mesh.vertices = t.points;
  const std::size_t tissues = model.table.tissues.size();
  // Tissues in the order of the table, air last, as in the program's own meshes.
  for (std::size_t n = 1; n < tissues; ++n) mesh.volume_names.push_back(model.table.tissues[n].name);
  mesh.volume_names.push_back(model.table.tissues[0].name);
  for (std::size_t e = 0; e < t.corners.size(); ++e) {
    const auto& c = t.corners[e];
    mesh.tetrahedra.push_back({c[0], c[1], c[2], c[3]});
    const int tissue = t.region[e] - 1;
    mesh.tetrahedron_group.push_back(static_cast<std::uint16_t>(tissue == 0 ? tissues - 1 : tissue - 1));
  }
  add_boundary(t, model.exterior, mesh);
  return mesh;
}

/// Refinement; again with other sizes where the number of elements is not about the one that is asked for: curved and
/// thin tissues need more than their sizes do.
Tetrahedra refine_to_number(const FromLabels& s, Model& model, const SmoothLabels& labels, const LabelledDomain& domain,
                            FromLabelsResult& result) {
  constexpr int most = 4;
  constexpr double too_many = 8;  // times what is wanted: surfaces that no size makes coarser
  constexpr double close = 0.07;
  double wanted = double(s.elements);
  for (int attempt = 1;; ++attempt) {
    Stages stages(s.progress);
    result.predicted_elements = std::llround(fit_sizes(s, model, labels, wanted));
    require_memory(result.predicted_elements);
    const SizeField size(model.prepared.frame, labels, model.exterior, model.device, s.refinements, model.size,
                         s.growth);
    stages.done(fmt::format("sizes: about {} tetrahedra", result.predicted_elements));
    RefinementCriteria criteria;
    criteria.about = static_cast<std::size_t>(std::max<std::int64_t>({1, s.elements, result.predicted_elements}));
    criteria.most_elements = static_cast<std::size_t>(too_many * double(criteria.about)) + 100000;
    criteria.size = [&](const Vec3& x) { return size(x); };
    criteria.facet_distance = s.facet_distance;
    criteria.odt_iterations = s.odt_iterations;
    criteria.perturb = s.perturb;
    criteria.exude = s.exude;
    criteria.enough = [&](std::size_t elements) {
      const double ratio = double(elements) / double(s.elements);
      return s.elements == 0 || attempt == most || std::abs(ratio - 1) < close;
    };
    Tetrahedra found = refine(domain, criteria, s.progress);
    if (criteria.enough(found.refined)) return found;
    wanted *= std::pow(double(s.elements) / double(found.refined), 1.2);
  }
}

/// [tissues] m3
std::vector<double> volumes_of(const Tetrahedra& t, std::size_t tissues) {
  std::vector<double> volume(tissues, 0);
  for (std::size_t e = 0; e < t.corners.size(); ++e)
    volume[t.region[e] - 1] += mesh::Tetrahedron::at(t.points, t.corners[e]).signed_volume();
  return volume;
}

/// Throws Error for a tissue without a volume, which is one of the image. volume: [tissues] m3. where: words.
void require_all_tissues(const FromLabels& s, const Model& model, const std::vector<double>& volume,
                         const std::string& where) {
  for (std::size_t t = 1; t < volume.size(); ++t) {
    const std::string& name = model.table.tissues[t].name;
    if (!(volume[t] > 0))
      throw Error(fmt::format(
          "{}: nothing is left {} of tissue '{}', which has {:.3g} cm3 in the image: it needs smaller elements "
          "({}.size, --elements), less smoothing (--smooth, --resolution) or a minimum thickness (layer {} INNER OUTER "
          "THICKNESS)",
          s.image.string(), where, name, 1e6 * model.prepared.image_volumes[t], name, name));
  }
}

ImproveGoal goal_of(const FromLabels& s, const Model& model, const Tetrahedra& tetrahedra) {
  ImproveGoal goal;
  goal.passes = s.passes;
  goal.effort = s.effort;
  goal.slowness.assign(1, 1.0);
  double smallest = model.device.smallest_size();
  for (std::size_t t = 0; t < model.size.size(); ++t) {
    // Dense tissues could have far smaller elements; edges should not become that short.
    constexpr double most = 2;
    goal.slowness.push_back(std::min(most, std::sqrt(model.permittivity[t])));
    smallest = std::min(smallest, model.size[t]);
  }
  // A regular tetrahedron of edge h has an inradius of 0.2 h. Sizes that thin layers do not allow are no goal.
  goal.inradius = std::min(0.14 * smallest, 0.5 * median_inradius(tetrahedra));
  return goal;
}

constexpr double least_volume = 0.8;  // of a tissue's volume in the image; less is a warning

/// The optimiser for the time step, then the volumes of the image.
void optimise(const FromLabels& s, const Model& model, const std::function<int(const Vec3&)>& region,
              Tetrahedra& tetrahedra) {
  Stages stages(s.progress);
  ImproveGoal goal = goal_of(s, model, tetrahedra);
  goal.progress = [&](const std::string& line) { stages.still(line); };
  const ImproveResult improved = improve(tetrahedra, goal, model.exterior, region);
  stages.done(
      fmt::format("improvement: {} of {} bad elements are left (worst {:.3f}, was {:.3f} of the goal); {} moves, {} "
                  "flips, {} collapses, {} splits; {}{:.0f} evaluations per element",
                  improved.bad_after, improved.bad_before, improved.worst_after, improved.worst_before, improved.moves,
                  improved.flips, improved.collapses, improved.splits,
                  improved.ended_by_effort ? "ended by --effort after " : "", improved.effort));
  if (!s.keep_volumes) return;
  VolumeGoal wanted;
  wanted.volume.assign(2, 0);  // outside, air
  const std::vector<double>&image = model.prepared.image_volumes, found = volumes_of(tetrahedra, image.size());
  // A tissue that has lost much of its volume is not restored by growing the rest of it.
  for (std::size_t t = 1; t < image.size(); ++t)
    wanted.volume.push_back(found[t] < least_volume * image[t] ? 0 : image[t]);
  wanted.reach = s.facet_distance;
  const std::int64_t moved = keep_volumes(tetrahedra, wanted, goal, model.exterior);
  stages.done(fmt::format("volumes: {} vertices of surfaces moved", moved));
}

/// Reports the volumes of the tissues, with a warning for each that lost much of its volume.
void report_tissues(const Model& model, const std::vector<double>& volume, FromLabelsResult& result) {
  for (std::size_t t = 0; t < volume.size(); ++t) {
    const std::string& name = model.table.tissues[t].name;
    const double image = model.prepared.image_volumes[t];
    result.tissues.push_back(
        {name, image, volume[t], model.size[t], model.prepared.image_pieces[t], model.permittivity[t]});
    if (t > 0 && volume[t] < least_volume * image)
      result.warnings.push_back(fmt::format(
          "tissue '{}' has {:.0f} % of its volume in the image, {:.3g} of {:.3g} cm3: it needs smaller elements "
          "({}.size, --elements), less smoothing (--smooth, --resolution) or a minimum thickness (layer {} INNER OUTER "
          "THICKNESS)",
          name, 100 * volume[t] / image, 1e6 * volume[t], 1e6 * image, name, name));
  }
}

}  // namespace

double default_elements_per_wavelength(int order) {
  constexpr std::array<double, 6> elements{10, 5, 3.5, 3, 2.5, 2.2};
  return elements.at(static_cast<std::size_t>(order - 1));
}

FromLabelsResult mesh_from_labels(const FromLabels& settings) {
  check(settings);
  FromLabelsResult result;
  Stages stages(settings.progress);
  Model model;
  if (!settings.tissues.empty()) model.table = read_tissue_table(settings.tissues);
  model.prepared = prepare_labels(settings, model.table);
  stages.done(fmt::format("labels: {} x {} x {} voxels", model.prepared.grid.size[0], model.prepared.grid.size[1],
                          model.prepared.grid.size[2]));
  set_media_and_sizes(settings, model);
  std::vector<double> wanted = model.prepared.image_volumes;
  const SmoothLabels labels(model.prepared.grid, wanted, settings.smoothing, settings.island);
  require_all_tissues(settings, model, volumes(labels.grid(), model.size.size()), "after smoothing");
  stages.done("smoothing");

  if (settings.phone) {
    model.device = Device::of(*settings.phone, settings.device_size);
    result.feed = settings.phone->placement.position;
  }
  if (settings.stl) model.device = Device::of(*settings.stl, settings.device_size);
  require_device_in_air(model, labels);
  model.exterior = exterior_around(settings, model);
  LabelledDomain domain;
  domain.region = [&](const Vec3& x) {
    if (model.exterior.depth(x) <= 0 || model.device.inside(x)) return 0;
    return labels.tissue_at(model.to_voxels(x)) + 1;
  };
  domain.edges = edges_of(model);
  domain.crossings = crossings_of(model, labels);
  domain.low = model.exterior.centre - 1.05 * model.exterior.half;
  domain.high = model.exterior.centre + 1.05 * model.exterior.half;
  stages.done("surfaces");
  Tetrahedra tetrahedra = refine_to_number(settings, model, labels, domain, result);
  Stages last(settings.progress);
  int absorbed = 0;
  for (int round = 0, found = 1; round < 5 && found > 0; ++round)  // what is given away may part another region
    absorbed += found = absorb_pieces(tetrahedra, settings.island / 2);
  require_all_tissues(settings, model, volumes_of(tetrahedra, model.size.size()), "in the mesh");
  last.done(fmt::format("pieces removed: {}", absorbed));

  // Bisection leaves points on the device's and the absorbing surface a little beside them.
  const double tolerance = 1e-5 * norm(model.exterior.half);
  for (Vec3& x : tetrahedra.points) x = model.exterior.snapped(model.device.snapped(x, tolerance), tolerance);

  optimise(settings, model, domain.region, tetrahedra);
  const std::vector<double> volume = volumes_of(tetrahedra, model.size.size());
  require_all_tissues(settings, model, volume, "in the mesh");
  result.mesh = global_mesh(tetrahedra, model, settings.image.string());
  report_tissues(model, volume, result);
  return result;
}

}  // namespace dgtd::mesher
