#include "app/programs/mesh_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "dgtd/dg/discretisation.hpp"
#include "dgtd/dg/time_levels.hpp"
#include "dgtd/mesh/load.hpp"
#include "dgtd/mesh/quality.hpp"

namespace dgtd::app {
namespace {

using Kind = mesh::FaceLink::Kind;
constexpr MeshUnits millimetres{"mm", "cm2", "cm3", "m", "ps", 1e3, 1e4, 1e6, 1, 1e12};
constexpr MeshUnits micrometres{"um", "um2", "um3", "um", "fs", 1e6, 1e12, 1e18, 1e6, 1e15};
constexpr MeshUnits nanometres{"nm", "nm2", "nm3", "nm", "as", 1e9, 1e18, 1e27, 1e9, 1e18};

/// Edges and shapes of one volume group's elements, and how many connected pieces they are.
struct GroupMeasures {
  std::int64_t edges = 0;
  std::vector<double> pieces;                                                             // m3, descending
  double edge_min = std::numeric_limits<double>::infinity(), edge_sum = 0, edge_max = 0;  // m
  double inradius_min = edge_min, shape_min = edge_min;                                   // m, 1
};

/// [elements] without the sign: half the elements are negatively oriented.
std::vector<mesh::TetrahedronShape> shapes_of(const mesh::Subdomain& s) {
  std::vector<mesh::TetrahedronShape> shapes(s.elements());
#pragma omp parallel for schedule(static)
  for (std::size_t e = 0; e < shapes.size(); ++e) {
    const auto [inradius, shape] = s.tetrahedron(e).shape();
    shapes[e] = {std::abs(inradius), std::abs(shape)};
  }
  return shapes;
}

void measure_edges(const mesh::Subdomain& s, std::vector<GroupMeasures>& groups) {
  std::vector<std::array<std::uint32_t, 3>> edges;  // group, vertices
  edges.reserve(6 * s.elements());
  for (std::size_t e = 0; e < s.elements(); ++e)
    for (const auto& [a, b] : mesh::edge_corners)
      edges.push_back({s.element_group[e], s.element_vertices[e][a], s.element_vertices[e][b]});
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  for (const auto& [g, a, b] : edges) {
    const double length = norm(s.vertices[a] - s.vertices[b]);
    GroupMeasures& m = groups[g];
    ++m.edges;
    m.edge_sum += length;
    m.edge_min = std::min(m.edge_min, length);
    m.edge_max = std::max(m.edge_max, length);
  }
}

void find_pieces(const mesh::Subdomain& s, std::vector<GroupMeasures>& groups) {
  std::vector<bool> seen(s.elements(), false);
  std::vector<std::uint32_t> stack;
  for (std::size_t start = 0; start < s.elements(); ++start) {
    if (seen[start]) continue;
    double volume = 0;
    seen[start] = true;
    stack.assign(1, static_cast<std::uint32_t>(start));
    while (!stack.empty()) {
      const std::uint32_t e = stack.back();
      stack.pop_back();
      volume += s.tetrahedron(e).volume();
      for (const mesh::FaceLink& link : s.element_faces[e]) {
        if (link.kind != Kind::element || seen[link.index] || s.element_group[link.index] != s.element_group[e])
          continue;
        seen[link.index] = true;
        stack.push_back(link.index);
      }
    }
    groups[s.element_group[start]].pieces.push_back(volume);
  }
  for (GroupMeasures& m : groups) std::sort(m.pieces.rbegin(), m.pieces.rend());
}

/// [groups][groups] area of the faces between volume groups, m2.
std::vector<std::vector<double>> contact_areas(const mesh::Subdomain& s) {
  std::vector<std::vector<double>> area(s.volume_names.size(), std::vector<double>(s.volume_names.size(), 0));
  for (std::size_t e = 0; e < s.elements(); ++e)
    for (int f = 0; f < 4; ++f) {
      const mesh::FaceLink& link = s.element_faces[e][f];
      if (link.kind != Kind::element || s.element_group[link.index] <= s.element_group[e]) continue;
      area[s.element_group[e]][s.element_group[link.index]] += s.tetrahedron(e).face_area(f);
    }
  return area;
}

std::string bar(std::int64_t count, std::int64_t largest) {
  constexpr int width = 40;
  const auto length =
      count == 0 ? 0 : std::max<std::int64_t>(1, std::lround(double(width) * double(count) / double(largest)));
  return std::string(static_cast<std::size_t>(length), '#');
}

/// Areas and volumes of spheres of light's wavelengths have many digits in nm.
std::string number(double value) { return value < 1e7 ? fmt::format("{:.2f}", value) : fmt::format("{:.4g}", value); }

/// The largest ones.
std::string list_of(const std::vector<double>& volumes, const MeshUnits& units) {
  constexpr std::size_t shown = 6;
  std::string text;
  for (std::size_t p = 0; p < std::min(shown, volumes.size()); ++p)
    text += fmt::format(" {:.4g}", units.of_volume * volumes[p]);
  return text + (volumes.size() > shown ? fmt::format(" and {} smaller ones", volumes.size() - shown) : "");
}

std::string volume_table(const mesh::Quality& quality, const std::vector<GroupMeasures>& groups,
                         const MeshReportInput& input, const MeshUnits& units) {
  const bool image = !input.image_volume.empty();
  std::string text =
      fmt::format("\n{:<16} {:>10} {:>10}{} {:>7}  {:>24} {:>12} {:>9}\n", "volume", "tetrahedra", units.volume,
                  image ? fmt::format(" {:>10} {:>8}", std::string("image ") + units.volume, "differ") : "", "pieces",
                  std::string("edges min/mean/max ") + units.length, std::string("inradius ") + units.length, "shape");
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const auto& v = quality.volumes[g];
    const GroupMeasures& m = groups[g];
    text += fmt::format("{:<16} {:>10} {:>10}", v.name, v.elements, number(units.of_volume * v.volume));
    if (image) {
      const auto found = input.image_volume.find(v.name);
      if (found != input.image_volume.end() && found->second > 0)
        text +=
            fmt::format(" {:>10.2f} {:>+7.2f}%", units.of_volume * found->second, 100 * (v.volume / found->second - 1));
      else text += fmt::format(" {:>10} {:>8}", "-", "-");
    }
    text += fmt::format(" {:>7}  {:>24} {:>12.3f} {:>9.2f}\n", m.pieces.size(),
                        fmt::format("{:.2f} / {:.1f} / {:.1f}", units.of_length * m.edge_min,
                                    units.of_length * m.edge_sum / double(m.edges), units.of_length * m.edge_max),
                        units.of_length * m.inradius_min, m.shape_min);
  }
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const auto image = input.image_pieces.find(quality.volumes[g].name);
    const std::size_t in_image = image == input.image_pieces.end() ? 0 : image->second.size();
    if (groups[g].pieces.size() < 2 && in_image < 2) continue;
    text += fmt::format("pieces of {}, {}:", quality.volumes[g].name, units.volume);
    text += list_of(groups[g].pieces, units);
    if (in_image > 0) text += ", in the image:" + list_of(image->second, units);
    text += "\n";
  }
  return text;
}

std::string surface_table(const mesh::Quality& quality, const mesh::Subdomain& s, const MeshUnits& units) {
  std::string text = fmt::format("\n{:<16} {:>10} {:>10}\n", "surface", "triangles", units.area);
  for (const auto& surface : quality.surfaces)
    text += fmt::format("{:<16} {:>10} {:>10}\n", surface.name, surface.faces, number(units.of_area * surface.area));
  const auto contact = contact_areas(s);
  text += fmt::format("\nbetween volumes  {:>9}\n", units.area);
  for (std::size_t a = 0; a < contact.size(); ++a)
    for (std::size_t b = a + 1; b < contact.size(); ++b)
      if (contact[a][b] > 0)
        text += fmt::format("{:<16} {:>9}\n", s.volume_names[a] + " " + s.volume_names[b],
                            number(units.of_area * contact[a][b]));
  return text;
}

std::string shape_histogram(const std::vector<mesh::TetrahedronShape>& shapes) {
  std::array<std::int64_t, 10> count{};
  for (const mesh::TetrahedronShape& s : shapes) ++count[std::min(9, static_cast<int>(10 * s.shape))];
  const std::int64_t largest = *std::max_element(count.begin(), count.end());
  std::string text = "\nshape (1: regular)  tetrahedra\n";
  for (int b = 0; b < 10; ++b)
    text += fmt::format("{:.1f} to {:.1f} {:>18}  {}\n", 0.1 * b, 0.1 * (b + 1), count[b], bar(count[b], largest));
  return text;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// One bin per factor sqrt(2) above the smallest limit, with the volume group that most of its elements belong to.
std::string step_histogram(const mesh::Subdomain& s, const std::vector<double>& limits, int order,
                           const MeshUnits& units) {
  const double smallest = *std::min_element(limits.begin(), limits.end());
  std::vector<std::vector<std::int64_t>> count;  // [bins][groups]
  for (std::size_t e = 0; e < limits.size(); ++e) {
    const auto bin = static_cast<std::size_t>(2 * std::log2(limits[e] / smallest));
    if (bin >= count.size()) count.resize(bin + 1, std::vector<std::int64_t>(s.volume_names.size(), 0));
    ++count[bin][s.element_group[e]];
  }
  std::int64_t largest = 0;
  for (const auto& bin : count) largest = std::max(largest, std::accumulate(bin.begin(), bin.end(), std::int64_t{0}));
  std::string text = fmt::format("\nstep allowed at P{}, {}  tetrahedra\n", order, units.time);
  for (std::size_t b = 0; b < count.size(); ++b) {
    const std::int64_t all = std::accumulate(count[b].begin(), count[b].end(), std::int64_t{0});
    const auto most = std::max_element(count[b].begin(), count[b].end());
    text +=
        fmt::format("{:>9.4g} to {:>9.4g} {:>10}  {:<40}{}\n", units.of_time * smallest * std::pow(2, 0.5 * double(b)),
                    units.of_time * smallest * std::pow(2, 0.5 * double(b + 1)), all, bar(all, largest),
                    all == 0 ? ""
                             : fmt::format("  {:.0f} % {}", 100.0 * double(*most) / double(all),
                                           s.volume_names[std::size_t(most - count[b].begin())]));
  }
  return text;
}

std::string limiting_elements(const mesh::Subdomain& s, const std::vector<double>& limits,
                              const std::vector<mesh::TetrahedronShape>& shapes, const MeshUnits& units) {
  std::vector<std::uint32_t> order(limits.size());
  std::iota(order.begin(), order.end(), 0u);
  const std::size_t shown = std::min<std::size_t>(5, order.size());
  std::partial_sort(order.begin(), order.begin() + std::ptrdiff_t(shown), order.end(),
                    [&](std::uint32_t a, std::uint32_t b) {
                      return limits[a] != limits[b] ? limits[a] < limits[b] : s.element_id[a] < s.element_id[b];
                    });
  std::string text = "\nthe elements that limit it\n";
  for (std::size_t i = 0; i < shown; ++i) {
    const std::uint32_t e = order[i];
    const Vec3 centre = units.of_place * s.tetrahedron(e).centroid();
    text += fmt::format("{:>9.4g} {}  {:<12} centre {:.4f} {:.4f} {:.4f} {}, inradius {:.3f} {}, shape {:.2f}\n",
                        units.of_time * limits[e], units.time, s.volume_names[s.element_group[e]], centre.x, centre.y,
                        centre.z, units.place, units.of_length * shapes[e].inradius, units.length, shapes[e].shape);
  }
  return text;
}

}  // namespace

const MeshUnits& mesh_units(double mean_edge) {
  return mean_edge >= 1e-4 ? millimetres : mean_edge >= 1e-6 ? micrometres : nanometres;
}

mesh::Subdomain whole_subdomain(const mesh::GlobalMesh& mesh, const parallel::Communicator& comm) {
  return mesh::distribute(mesh::GlobalMesh(mesh), std::vector<int>(mesh.tetrahedra.size(), 0), comm);
}

std::vector<double> step_limits(const mesh::Subdomain& whole, const std::map<std::string, double>& permittivity,
                                int order, const parallel::Communicator& comm) {
  std::vector<physics::Medium> material;
  for (const std::string& name : whole.volume_names) {
    const auto found = permittivity.find(name);
    material.push_back({.permittivity = found == permittivity.end() ? 1 : found->second});
  }
  return dg::local_step_limits(whole, material, order, comm);
}

std::string mesh_report(const mesh::GlobalMesh& mesh, const MeshReportInput& input,
                        const parallel::Communicator& comm) {
  mesh::check(mesh);
  const mesh::Subdomain s = whole_subdomain(mesh, comm);
  const mesh::Quality quality = mesh::measure_quality(s, comm);
  const std::vector<mesh::TetrahedronShape> shapes = shapes_of(s);
  std::vector<GroupMeasures> groups(s.volume_names.size());
  for (std::size_t e = 0; e < s.elements(); ++e) {
    GroupMeasures& m = groups[s.element_group[e]];
    m.inradius_min = std::min(m.inradius_min, shapes[e].inradius);
    m.shape_min = std::min(m.shape_min, shapes[e].shape);
  }
  measure_edges(s, groups);
  find_pieces(s, groups);
  const MeshUnits& units = mesh_units(quality.edge_mean);
  std::string text = fmt::format(
      "{}: {} tetrahedra, {} nodes\n"
      "edges {:.4g} / {:.4g} / {:.4g} {} (min / mean / max), inradius at least {:.4g} {}, shape at least {:.2f}\n",
      input.name, quality.elements, quality.vertices, units.of_length * quality.edge_min,
      units.of_length * quality.edge_mean, units.of_length * quality.edge_max, units.length,
      units.of_length * quality.inradius_min, units.length, quality.shape_min);
  text += volume_table(quality, groups, input, units) + surface_table(quality, s, units) + shape_histogram(shapes);

  text += fmt::format("\ntime step that each element allows by itself ({})\n{:<6} {:>12} {:>12} {:>16}\n",
                      input.permittivity.empty() ? "in vacuum" : "in the tissues", "order",
                      std::string("smallest ") + units.time, std::string("median ") + units.time, "median/smallest");
  constexpr int orders = 4, shown = 2;
  std::vector<double> of_shown;
  for (int order = 1; order <= orders; ++order) {
    std::vector<double> limits = step_limits(s, input.permittivity, order, comm);
    const double smallest = *std::min_element(limits.begin(), limits.end()), middle = median(limits);
    text += fmt::format("P{:<5} {:>12.4g} {:>12.4g} {:>16.1f}\n", order, units.of_time * smallest,
                        units.of_time * middle, middle / smallest);
    if (order == shown) of_shown = std::move(limits);
  }
  return text + step_histogram(s, of_shown, shown, units) + limiting_elements(s, of_shown, shapes, units);
}

}  // namespace dgtd::app
