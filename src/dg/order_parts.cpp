#include "dgtd/dg/order_parts.hpp"
#include "dgtd/mesh/beyond_halo.hpp"

#include <algorithm>
#include <map>

namespace dgtd::dg {

namespace {

using mesh::FaceLink;

constexpr int highest_degree = 6;

// Elements, vertices, groups and curvature of a part; faces have no links yet.
mesh::Subdomain elements_of(const mesh::Subdomain& whole, const std::vector<std::uint32_t>& elements) {
  mesh::Subdomain part;
  part.volume_names = whole.volume_names, part.surface_names = whole.surface_names;
  part.global_elements = whole.global_elements, part.global_vertices = whole.global_vertices;
  constexpr std::uint32_t none = ~std::uint32_t{0};
  std::vector<std::uint32_t> place(whole.vertices.size(), none);
  for (const std::uint32_t e : elements) {
    std::array<std::uint32_t, 4> corners{};
    for (std::size_t v = 0; v < 4; ++v) {
      const std::uint32_t vertex = whole.element_vertices[e][v];
      if (place[vertex] == none) {
        place[vertex] = static_cast<std::uint32_t>(part.vertices.size());
        part.vertices.push_back(whole.vertices[vertex]);
        part.vertex_id.push_back(whole.vertex_id[vertex]);
      }
      corners[v] = place[vertex];
    }
    if (const mesh::CurvedElement* const curved = whole.curved_element(e)) {
      part.curved.push_back(static_cast<std::uint32_t>(part.element_id.size()));
      part.curvature.push_back(*curved);
    }
    part.element_vertices.push_back(corners);
    part.element_id.push_back(whole.element_id[e]);
    part.element_group.push_back(whole.element_group[e]);
  }
  part.element_faces.resize(elements.size());
  return part;
}

class PartLinks {
 public:
  PartLinks(const mesh::Subdomain& whole, const std::vector<int>& order_of_element, OrderParts& result,
            const parallel::Communicator& comm)
      : whole_(whole), order_(order_of_element), beyond_(beyond_halo(whole, order_of_element, comm)), result_(result) {}

  void link() {
    for (std::size_t e = 0; e < whole_.elements(); ++e)
      for (std::size_t f = 0; f < 4; ++f) {
        FaceLink link = whole_.element_faces[e][f];
        if (link.kind == FaceLink::Kind::element) link.index = result_.place_in_part[link.index];
        link_of(e, f) = link;
      }
    link_to_other_ranks();
    link_joints();
    link_remote_joints();
  }

 private:
  FaceLink& link_of(std::size_t e, std::size_t f) {
    return result_.parts[result_.part_of_element[e]].mesh.element_faces[result_.place_in_part[e]][f];
  }
  // Makes a face of an element the next halo face of its part.
  JointSide add_halo_face(std::size_t e, std::uint8_t face, std::uint8_t face_beyond) {
    const std::uint32_t part = result_.part_of_element[e];
    auto& halo = result_.parts[part].mesh.halo_faces;
    const auto place = static_cast<std::uint32_t>(halo.size());
    halo.push_back({result_.place_in_part[e], face});
    link_of(e, face) = {FaceLink::Kind::halo, face_beyond, place};
    return {part, place};
  }
  // body(rank, halo face of the whole mesh)
  template <class Body>
  void for_each_halo_face(const Body& body) const {
    for (const mesh::HaloNeighbour& n : whole_.halo_neighbours)
      for (std::uint32_t i = n.first; i < n.first + n.count; ++i) body(n.rank, i);
  }
  std::uint8_t face_beyond(std::uint32_t halo_face) const {
    const mesh::HaloFace& at = whole_.halo_faces[halo_face];
    return whole_.element_faces[at.element][at.face].face;
  }

  // Faces between elements of one order: both ranks keep their sequence.
  void link_to_other_ranks() {
    for_each_halo_face([&](int rank, std::uint32_t i) {
      const mesh::HaloFace& at = whole_.halo_faces[i];
      if (beyond_[i] != order_[at.element]) return;
      const JointSide side = add_halo_face(at.element, at.face, face_beyond(i));
      auto& neighbours = result_.parts[side.part].mesh.halo_neighbours;
      if (neighbours.empty() || neighbours.back().rank != rank) neighbours.push_back({rank, side.halo_face, 0});
      ++neighbours.back().count;
    });
  }
  void link_joints() {
    for (std::size_t e = 0; e < whole_.elements(); ++e)
      for (std::size_t f = 0; f < 4; ++f) {
        const FaceLink& link = whole_.element_faces[e][f];
        if (link.kind != FaceLink::Kind::element || order_[link.index] <= order_[e]) continue;
        const auto face = static_cast<std::uint8_t>(f);
        const JointSide low = add_halo_face(e, face, link.face);
        result_.joints.push_back({low, add_halo_face(link.index, link.face, face)});
      }
  }
  void link_remote_joints() {
    for_each_halo_face([&](int rank, std::uint32_t i) {
      const mesh::HaloFace& at = whole_.halo_faces[i];
      if (beyond_[i] == order_[at.element]) return;
      result_.remote.push_back({add_halo_face(at.element, at.face, face_beyond(i)), rank, beyond_[i]});
    });
  }

  const mesh::Subdomain& whole_;
  const std::vector<int>& order_;
  std::vector<int> beyond_;  // [halo faces of the whole mesh] order of the element there
  OrderParts& result_;
};

}  // namespace

std::vector<int> orders_in_use(const std::vector<int>& order_of_element, const parallel::Communicator& comm) {
  std::vector<double> used(highest_degree + 1, 0.0);
  for (const int order : order_of_element) used[static_cast<std::size_t>(order)] = 1;
  used = comm.max(std::move(used));
  std::vector<int> orders;
  for (int p = 0; p <= highest_degree; ++p)
    if (used[static_cast<std::size_t>(p)] > 0) orders.push_back(p);
  return orders;
}

OrderParts parts_by_order(const mesh::Subdomain& mesh, const std::vector<int>& order_of_element,
                          const parallel::Communicator& comm) {
  OrderParts result;
  for (const int order : orders_in_use(order_of_element, comm)) result.parts.push_back({order, {}, {}});
  result.part_of_element.resize(mesh.elements());
  result.place_in_part.resize(mesh.elements());
  std::map<int, std::uint32_t> part_of_order;
  for (std::size_t p = 0; p < result.parts.size(); ++p)
    part_of_order[result.parts[p].order] = static_cast<std::uint32_t>(p);
  for (std::size_t e = 0; e < mesh.elements(); ++e) {
    const std::uint32_t part = part_of_order.at(order_of_element[e]);
    auto& elements = result.parts[part].elements;
    result.part_of_element[e] = part;
    result.place_in_part[e] = static_cast<std::uint32_t>(elements.size());
    elements.push_back(static_cast<std::uint32_t>(e));
  }
  for (OrderPart& part : result.parts) part.mesh = elements_of(mesh, part.elements);
  PartLinks(mesh, order_of_element, result, comm).link();
  return result;
}

TimeLevels levels_of_part(const TimeLevels& levels, const mesh::Subdomain& whole, const OrderPart& part,
                          const parallel::Communicator& comm) {
  TimeLevels result = levels;
  if (levels.finest == 0) return result;
  result.of_element.clear(), result.of_halo.clear(), result.reach.clear();
  result.elements.assign(levels.elements.size(), 0);
  double updates = 0;
  for (const std::uint32_t e : part.elements) {
    result.of_element.push_back(levels.of_element[e]);
    result.reach.push_back(levels.reach[e]);
    ++result.elements[levels.of_element[e]];
    updates += half_updates(levels, e) / 2;
  }
  for (const mesh::HaloFace& at : part.mesh.halo_faces) {
    const FaceLink& link = whole.element_faces[part.elements[at.element]][at.face];
    result.of_halo.push_back(link.kind == FaceLink::Kind::halo ? levels.of_halo[link.index]
                                                               : levels.of_element[link.index]);
  }
  result.elements = comm.sum(std::move(result.elements));
  const auto count = static_cast<double>(comm.sum(static_cast<std::int64_t>(part.elements.size())));
  result.updates = comm.sum(updates) / count;
  return result;
}

}  // namespace dgtd::dg
