#include "mesh/generate/solid_edges.hpp"

#include <gmsh.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace dgtd::mesh {
namespace {

// Model units (domains are 100 long): far above Open CASCADE's tolerance of 1e-7, far below what is meshed.
constexpr double probe_length = 1e-3;

Vec3 point_on(int curve, double at) {
  std::vector<double> x;
  gmsh::model::getValue(1, curve, {at}, x);
  return {x[0], x[1], x[2]};
}

// Its sign is the same all over a face, and may be either.
Vec3 normal_at(int curve, double at, int face) {
  std::vector<double> place, n;
  gmsh::model::reparametrizeOnSurface(1, curve, {at}, face, place);
  gmsh::model::getNormal(face, place, n);
  return {n[0], n[1], n[2]};
}

struct Sample {
  EdgeSegment segment;
  Vec3 middle;                    // on the curve
  std::array<Vec3, 2> normals{};  // there, of both faces
};

// A curve between two faces.
struct Candidate {
  std::vector<Sample> samples;
  std::size_t crossest = 0;         // the sample at which the faces are most nearly perpendicular
  std::array<bool, 4> is_filled{};  // the wedges between the faces there: see bisector_of
};

// The planes of the two faces divide space into four wedges. Returns the direction into one of them: into the one that
// the solid fills at a convex edge where the outward normals are the faces' own ones, of which those named are reversed
// (wedge & 1: the first one, wedge & 2: the second one).
Vec3 bisector_of(const Sample& s, std::size_t wedge) {
  const Vec3 sum = (wedge & 1 ? 1.0 : -1.0) * s.normals[0] + (wedge & 2 ? 1.0 : -1.0) * s.normals[1];
  return sum / norm(sum);
}

std::vector<double> parameters_of(int curve, double deviation) {
  constexpr std::size_t least_pieces = 8, most_pieces = 256;
  std::vector<double> low, high;
  std::string type;
  gmsh::model::getParametrizationBounds(1, curve, low, high);
  gmsh::model::getType(1, curve, type);
  const auto divided = [&](std::size_t pieces) {
    std::vector<double> at;
    for (std::size_t i = 0; i <= pieces; ++i) at.push_back(low[0] + (high[0] - low[0]) * double(i) / double(pieces));
    return at;
  };
  if (type == "Line") return divided(1);
  std::size_t pieces = least_pieces;
  const auto is_coarse = [&](const std::vector<double>& at) {
    for (std::size_t i = 0; i + 1 < at.size(); ++i) {
      const Vec3 chord_middle = 0.5 * (point_on(curve, at[i]) + point_on(curve, at[i + 1]));
      if (norm(point_on(curve, 0.5 * (at[i] + at[i + 1])) - chord_middle) > deviation) return true;
    }
    return false;
  };
  while (pieces < most_pieces && is_coarse(divided(pieces))) pieces *= 2;
  return divided(pieces);
}

double cross_of(const Sample& s) { return norm(cross(s.normals[0], s.normals[1])); }

// Nothing of a curve whose faces have the same plane all along, or which is a point.
std::optional<Candidate> candidate_at(int curve, int one, int other, double deviation) {
  constexpr double tangential = 0.02;
  Candidate c;
  const std::vector<double> at = parameters_of(curve, deviation);
  for (std::size_t i = 0; i + 1 < at.size(); ++i) {
    const double middle = 0.5 * (at[i] + at[i + 1]);
    c.samples.push_back({{point_on(curve, at[i]), point_on(curve, at[i + 1])},
                         point_on(curve, middle),
                         {normal_at(curve, middle, one), normal_at(curve, middle, other)}});
    if (norm(c.samples.back().segment.to - c.samples.back().segment.from) < probe_length) return std::nullopt;
    if (cross_of(c.samples.back()) > cross_of(c.samples[c.crossest])) c.crossest = i;
  }
  if (cross_of(c.samples[c.crossest]) < tangential) return std::nullopt;
  return c;
}

// Short lines in the wedges: what they have in common with the solids shows which ones are inside. Normals alone do not
// tell, since a face between two volumes has the normal of either. All lines at once: one Boolean operation is what
// takes time. The model is not synchronised, so nothing of it is in the mesh.
void fill_wedges(std::vector<Candidate>& candidates, const std::vector<int>& solids) {
  gmsh::vectorpair lines, volumes, inside;
  std::vector<gmsh::vectorpair> pieces_of;
  std::vector<bool*> is_filled;
  for (const int solid : solids) volumes.emplace_back(3, solid);
  for (Candidate& c : candidates)
    for (std::size_t wedge = 0; wedge < 4; ++wedge) {
      const Sample& s = c.samples[c.crossest];
      const Vec3 along = probe_length * bisector_of(s, wedge);
      const auto add_point = [](const Vec3& x) { return gmsh::model::occ::addPoint(x.x, x.y, x.z); };
      lines.emplace_back(1, gmsh::model::occ::addLine(add_point(s.middle + 0.5 * along), add_point(s.middle + along)));
      is_filled.push_back(&c.is_filled[wedge]);
    }
  gmsh::model::occ::intersect(lines, volumes, inside, pieces_of, -1, true, false);
  for (std::size_t i = 0; i < lines.size(); ++i) *is_filled[i] = !pieces_of[i].empty();
  gmsh::model::occ::remove(inside, true);
}

// Along a curve the sides of faces do not change, so that one wedge is the solid's at all samples.
void add_sharp_parts(const Candidate& c, double least_turn, std::vector<EdgeSegment>& edges) {
  if (std::count(c.is_filled.begin(), c.is_filled.end(), true) != 1) return;
  const bool is_same_sign = c.is_filled[0] || c.is_filled[3];
  for (const Sample& s : c.samples) {
    const double cosine = (is_same_sign ? 1 : -1) * dot(s.normals[0], s.normals[1]);
    if (std::acos(std::clamp(cosine, -1.0, 1.0)) > least_turn) edges.push_back(s.segment);
  }
}

}  // namespace

std::vector<EdgeSegment> convex_edges(const std::vector<int>& solids, const SolidFaces& faces, double least_turn,
                                      double deviation) {
  std::set<int> curves;
  for (const int face : faces.searched) {
    gmsh::vectorpair around;
    gmsh::model::getBoundary({{2, face}}, around, false, false, false);
    for (const auto& [dimension, tag] : around) curves.insert(tag);
  }
  std::vector<Candidate> candidates;
  for (const int curve : curves) {
    std::vector<int> at_curve, ends, walls;
    gmsh::model::getAdjacencies(1, curve, at_curve, ends);
    for (const int face : at_curve)
      if (faces.walls.contains(face)) walls.push_back(face);
    if (walls.size() != 2) continue;  // a seam, a side of the domain, or solids that touch at a curve
    if (auto c = candidate_at(curve, walls[0], walls[1], deviation)) candidates.push_back(std::move(*c));
  }
  std::vector<EdgeSegment> edges;
  if (candidates.empty()) return edges;
  fill_wedges(candidates, solids);
  for (const Candidate& c : candidates) add_sharp_parts(c, least_turn, edges);
  return edges;
}

}  // namespace dgtd::mesh
