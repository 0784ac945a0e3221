#include "cgal_mesher.hpp"

#define CGAL_MESH_3_NO_DEPRECATED_SURFACE_INDEX
#define CGAL_MESH_3_NO_DEPRECATED_C3T3_ITERATORS
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Labeled_mesh_domain_3.h>
#include <CGAL/Mesh_complex_3_in_triangulation_3.h>
#include <CGAL/Mesh_criteria_3.h>
#include <CGAL/Mesh_3/min_dihedral_angle.h>
#include <CGAL/Mesh_domain_with_polyline_features_3.h>
#include <CGAL/Mesh_triangulation_3.h>
#include <CGAL/exude_mesh_3.h>
#include <CGAL/make_mesh_3.h>
#include <CGAL/odt_optimize_mesh_3.h>
#include <CGAL/perturb_mesh_3.h>
#include <fmt/format.h>

#include <algorithm>

#include "dgtd/base/error.hpp"

namespace dgtd::mesher {
namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Point = Kernel::Point_3;
using Domain = CGAL::Mesh_domain_with_polyline_features_3<CGAL::Labeled_mesh_domain_3<Kernel>>;
using Triangulation = CGAL::Mesh_triangulation_3<Domain>::type;
using Complex = CGAL::Mesh_complex_3_in_triangulation_3<Triangulation, Domain::Corner_index, Domain::Curve_index>;
using Criteria = CGAL::Mesh_criteria_3<Triangulation>;
namespace parameters = CGAL::parameters;

Vec3 vector_of(const Point& p) { return {p.x(), p.y(), p.z()}; }
Point point_of(const Vec3& p) { return {p.x, p.y, p.z}; }

/// Size function that CGAL's criteria call very often, so that a refinement can be watched and ended there.
struct Asked {
  const std::function<double(const Vec3&)>& size;
  std::function<void()> watch;
  std::uint32_t calls = 0;
  double operator()(const Vec3& x) {
    constexpr std::uint32_t every = 1 << 12;
    if (++calls % every == 0) watch();
    return size(x);
  }
};

/// A share of the element size, as CGAL's sizing fields are.
struct Share {
  using FT = Kernel::FT;
  using Point_3 = Point;
  Asked* size;
  double factor;
  FT operator()(const Point& p, int, const Domain::Index&) const { return factor * (*size)(vector_of(p)); }
};

/// First points on the surfaces, without which refinement would miss small pieces: not in the protecting ball of an
/// edge.
void insert_first_points(Complex& complex, const Domain& domain, const LabelledDomain& labelled) {
  Triangulation& t = complex.triangulation();
  const auto intersection = domain.construct_intersection_object();
  const auto weighted = t.geom_traits().construct_weighted_point_3_object();
  std::vector<std::pair<Point, double>> balls;  // centre, squared radius
  for (auto v = t.finite_vertices_begin(); v != t.finite_vertices_end(); ++v)
    balls.emplace_back(t.point(v).point(), t.point(v).weight());
  for (const auto& [a, b] : labelled.crossings) {
    const Domain::Intersection found = intersection(Kernel::Segment_3(point_of(a), point_of(b)));
    if (std::get<2>(found) == 0) continue;
    const Point& p = std::get<0>(found);
    bool in_ball = false;
    for (const auto& [centre, squared] : balls) in_ball = in_ball || CGAL::squared_distance(p, centre) <= squared;
    if (in_ball) continue;
    const Triangulation::Vertex_handle v = t.insert(weighted(p));
    if (v == Triangulation::Vertex_handle()) continue;
    complex.set_dimension(v, 2);
    complex.set_index(v, std::get<1>(found));
  }
}

/// The share of the elements that have a dihedral angle below `angle` (degrees), about which perturbation and exudation
/// go.
double share_of_slivers(const Complex& complex, double angle) {
  std::size_t slivers = 0, all = 0;
  for (auto cell = complex.cells_in_complex_begin(); cell != complex.cells_in_complex_end(); ++cell, ++all)
    slivers += CGAL::Mesh_3::minimum_dihedral_angle(complex.triangulation().tetrahedron(cell)) < angle;
  return double(slivers) / double(std::max<std::size_t>(1, all));
}

Tetrahedra extract(const Complex& complex) {
  Tetrahedra result;
  const Triangulation& t = complex.triangulation();
  CGAL::Unique_hash_map<Triangulation::Vertex_handle, std::int32_t> index(-1);
  for (auto cell = complex.cells_in_complex_begin(); cell != complex.cells_in_complex_end(); ++cell) {
    std::array<std::int32_t, 4> corners;
    for (int c = 0; c < 4; ++c) {
      std::int32_t& i = index[cell->vertex(c)];
      if (i < 0) {
        i = static_cast<std::int32_t>(result.points.size());
        result.points.push_back(vector_of(t.point(cell->vertex(c)).point()));
      }
      corners[c] = i;
    }
    result.corners.push_back(corners);
    result.region.push_back(static_cast<std::uint8_t>(complex.subdomain_index(cell)));
  }
  return result;
}

// CGAL's optimisers, of the complex of so many tetrahedra after the refinement.
void optimise(Complex& complex, Domain& domain, const RefinementCriteria& criteria, std::size_t refined,
              Stages& stages) {
  if (criteria.odt_iterations > 0) {
    CGAL::odt_optimize_mesh_3(complex, domain, parameters::max_iteration_number = criteria.odt_iterations,
                              parameters::do_freeze = true);
    stages.done("ODT");
  }
  // Both try many places or weights for the vertices of each sliver, which takes hours where surfaces are finer than
  // the elements, and in vain. A limit of their time would make meshes depend on the machine.
  constexpr double sliver_angle = 12, most_slivers = 0.1, most_beside_fine_surfaces = 0.01;
  constexpr std::size_t finer = 10;  // times the elements that the sizes make
  const double slivers = share_of_slivers(complex, sliver_angle);
  const std::string found = fmt::format("{:.1f} % slivers", 100 * slivers);
  const bool fine_surfaces = criteria.about > 0 && refined > finer * criteria.about;
  if (slivers > (fine_surfaces ? most_beside_fine_surfaces : most_slivers)) {
    stages.done(fmt::format("perturbation and exudation left out, {}: surfaces are finer than the elements", found));
  } else {
    if (criteria.perturb) {
      CGAL::perturb_mesh_3(complex, domain, parameters::sliver_bound = sliver_angle);
      stages.done("perturbation, " + found);
    }
    if (criteria.exude) {
      CGAL::exude_mesh_3(complex, parameters::sliver_bound = sliver_angle);
      stages.done("exudation");
    }
  }
}

}  // namespace

Tetrahedra refine(const LabelledDomain& labelled, const RefinementCriteria& criteria, const Stages::Print& print) {
  Stages stages(print);
  const CGAL::Bbox_3 box(labelled.low.x, labelled.low.y, labelled.low.z, labelled.high.x, labelled.high.y,
                         labelled.high.z);
  constexpr double surface_error = 1e-6;  // of half the box's diagonal
  Domain domain(
      parameters::function = [&](const Point& p) { return labelled.region(vector_of(p)); },
      parameters::bounding_object = box, parameters::relative_error_bound = surface_error);
  std::vector<std::vector<Point>> edges;
  for (const auto& line : labelled.edges) {
    edges.emplace_back();
    for (const Vec3& p : line) edges.back().push_back(point_of(p));
  }
  domain.add_features(edges.begin(), edges.end());

  // A regular tetrahedron of edge h has a circumradius of 0.61 h, its faces one of 0.58 h. The bounds are above that:
  // the elements that refinement leaves are smaller than it allows.
  constexpr double facet_radius = 0.75, cell_radius = 0.80, edge_length = 0.9;
  constexpr double smallest_facet_angle = 25, radius_over_edge = 2;
  Complex complex;
  Asked size{criteria.size, [&] {
               constexpr double per_vertex = 5.7;  // elements
               const double elements = per_vertex * double(complex.triangulation().number_of_vertices());
               if (elements > double(criteria.most_elements))
                 throw Error(fmt::format(
                     "from-labels: the surfaces between tissues need more than {} tetrahedra, of which about {} are "
                     "wanted: more --elements, smoother surfaces (--smooth) or thinner parts removed "
                     "(NAME.thickness, --island)",
                     criteria.most_elements, criteria.about));
               stages.still(fmt::format("refinement: about {:.0f} of {} tetrahedra, {:.0f} %", elements, criteria.about,
                                        std::min(99.0, 100 * elements / double(criteria.about))));
             }};
  const Criteria refinement(
      parameters::edge_size = Share{&size, edge_length}, parameters::facet_angle = smallest_facet_angle,
      parameters::facet_size = Share{&size, facet_radius},
      parameters::facet_distance = Share{&size, criteria.facet_distance},
      parameters::cell_radius_edge_ratio = radius_over_edge, parameters::cell_size = Share{&size, cell_radius});
  if (!labelled.edges.empty()) CGAL::Mesh_3::internal::init_c3t3_with_features(complex, domain, refinement);
  stages.done(fmt::format("edges: {} points", complex.triangulation().number_of_vertices()));
  insert_first_points(complex, domain, labelled);
  stages.done(fmt::format("first points: {}", complex.triangulation().number_of_vertices()));
  CGAL::refine_mesh_3(complex, domain, refinement, parameters::no_perturb(), parameters::no_exude(),
                      parameters::no_odt(), parameters::no_lloyd());
  const std::size_t refined = complex.number_of_cells_in_complex();
  stages.done(fmt::format("refinement: {} tetrahedra", refined));
  if (!criteria.enough(refined)) {
    Tetrahedra rejected;
    rejected.refined = refined;
    return rejected;
  }
  optimise(complex, domain, criteria, refined, stages);
  Tetrahedra result = extract(complex);
  result.refined = refined;
  return result;
}

}  // namespace dgtd::mesher
