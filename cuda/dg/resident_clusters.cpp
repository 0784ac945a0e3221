#include "resident_clusters.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "dgtd/base/log.hpp"
#include "dgtd/dg/bernstein.hpp"
#include "dgtd/mesh/clusters.hpp"
#include "element_work.hpp"

namespace dgtd::dg {

namespace {

constexpr int lanes = block_lanes;
int blocks_of(std::int64_t elements) { return static_cast<int>((elements + lanes - 1) / lanes); }

/// Faces of the rank's slots.
template <class Real>
class Faces {
 public:
  explicit Faces(const Discretisation<Real>& d) : d_(d), has_boundary_(d.element_of_slot.size(), false) {
    for (const auto* list : {&d.batches.interior, &d.batches.halo})
      for (const Batch& batch : *list)
        if (batch.traits.boundary)
          std::fill_n(has_boundary_.begin() + batch.first_block * lanes, batch.blocks * lanes, true);
  }
  std::uint32_t code(std::uint32_t slot, int face) const {
    return d_.neighbour[(std::size_t(slot / lanes) * 4 + std::size_t(face)) * lanes + slot % lanes];
  }
  /// Whether an element is behind the face, another one or itself.
  bool is_element(std::uint32_t slot, int face) const {
    return NeighbourCode::slot(code(slot, face)) < d_.element_of_slot.size();
  }
  /// The halo face, -1: it is not one.
  std::int64_t halo_face(std::uint32_t slot, int face) const {
    const std::int64_t i = std::int64_t{NeighbourCode::slot(code(slot, face))} - d_.first_halo_slot;
    return i >= 0 && i < static_cast<std::int64_t>(d_.mesh.halo_faces.size()) ? i : -1;
  }
  bool has_boundary(std::uint32_t slot) const { return has_boundary_[slot]; }

 private:
  const Discretisation<Real>& d_;
  std::vector<bool> has_boundary_;  // [slots] in a batch with the data of boundary faces
};

/// By METIS: [elements of `slots`] cluster.
template <class Real>
std::vector<std::int32_t> clusters_by_metis(const Discretisation<Real>& d, const Faces<Real>& faces,
                                            const std::vector<std::uint32_t>& slots, int clusters) {
  std::vector<std::int32_t> place(d.element_of_slot.size(), -1);
  for (std::size_t i = 0; i < slots.size(); ++i) place[slots[i]] = static_cast<std::int32_t>(i);
  std::vector<std::int32_t> first{0}, neighbours;
  for (const std::uint32_t s : slots) {
    for (int f = 0; f < 4; ++f) {
      if (!faces.is_element(s, f)) continue;
      const std::uint32_t other = NeighbourCode::slot(faces.code(s, f));
      if (other != s) neighbours.push_back(place[other]);
    }
    first.push_back(static_cast<std::int32_t>(neighbours.size()));
  }
  // The largest cluster determines the pace, so whole blocks are not exceeded; with less than 0.2 % of room METIS finds
  // bad clusters.
  const auto elements = static_cast<double>(slots.size());
  const double room =
      double(blocks_of(static_cast<std::int64_t>(elements) / clusters + 1)) * lanes * clusters / elements - 1;
  return mesh::make_clusters(first, neighbours, clusters, std::clamp(room - 0.001, 0.002, 0.015));
}

/// [slots] cluster, -1: padding. Along the curve: equal parts of it.
template <class Real>
std::vector<std::int32_t> clusters_of_slots(const Discretisation<Real>& d, const Faces<Real>& faces, int clusters,
                                            ClusterBy by) {
  std::vector<std::uint32_t> slots;
  for (std::uint32_t s = 0; s < d.element_of_slot.size(); ++s)
    if (d.element_of_slot[s] >= 0) slots.push_back(s);
  std::vector<std::int32_t> cluster(slots.size());
  if (by == ClusterBy::metis) {
    cluster = clusters_by_metis(d, faces, slots, clusters);
  } else {
    std::sort(slots.begin(), slots.end(),
              [&](std::uint32_t a, std::uint32_t b) { return d.element_of_slot[a] < d.element_of_slot[b]; });
    for (std::size_t i = 0; i < slots.size(); ++i)
      cluster[i] = static_cast<std::int32_t>(i * static_cast<std::size_t>(clusters) / slots.size());
  }
  std::vector<std::int32_t> of_slot(d.element_of_slot.size(), -1);
  for (std::size_t i = 0; i < slots.size(); ++i) of_slot[slots[i]] = cluster[i];
  return of_slot;
}

/// Clusters in three steps: elements, ghosts, codes.
template <class Real>
class Clusters {
 public:
  Clusters(const Discretisation<Real>& d, int clusters, ClusterBy by, const parallel::Communicator& comm)
      : d_(d), faces_(d), comm_(comm), neighbour_of_face_(d.mesh.halo_faces.size()) {
    for (std::size_t k = 0; k < d.mesh.halo_neighbours.size(); ++k) {
      const auto& n = d.mesh.halo_neighbours[k];
      std::fill_n(neighbour_of_face_.begin() + n.first, n.count, static_cast<std::int32_t>(k) + 1);
    }
    c_.clusters = std::clamp(blocks_of(static_cast<std::int64_t>(d.slot_of_element.size())), 1, clusters);
    cluster_ = clusters_of_slots(d, faces_, c_.clusters, by);
    members_.resize(static_cast<std::size_t>(c_.clusters));
    for (std::uint32_t s = 0; s < cluster_.size(); ++s)
      if (cluster_[s] >= 0) members_[static_cast<std::size_t>(cluster_[s])].emplace_back(order_in_cluster(s), s);
  }
  ResidentClusters make() {
    place_elements();
    find_ghosts();
    write_codes();
    return std::move(c_);
  }

 private:
  bool is_remote(std::uint32_t s, int f) const {
    return faces_.halo_face(s, f) >= 0 ||
           (faces_.is_element(s, f) && cluster_[NeighbourCode::slot(faces_.code(s, f))] != cluster_[s]);
  }
  /// Numbers of other ranks at the halo faces; of(slot, face): that of this one.
  template <class Of>
  std::vector<std::int32_t> of_others(const Of& of) const {
    std::vector<std::int32_t> mine;
    for (const mesh::HaloFace& face : d_.mesh.halo_faces)
      mine.push_back(of(d_.slot_of_element[face.element], int(face.face)));
    std::vector<std::uint32_t> all(mine.size());
    std::iota(all.begin(), all.end(), 0u);
    return parallel::exchange_face_values(halo_plan(d_, all), mine, comm_);
  }
  /// 0, 1: with a face to another cluster; 1, 2: with boundary faces; 3: others.
  int order_in_cluster(std::uint32_t s) const {
    bool surface = false;
    for (int f = 0; f < 4; ++f) surface = surface || is_remote(s, f);
    return surface ? (faces_.has_boundary(s) ? 1 : 0) : faces_.has_boundary(s) ? 2 : 3;
  }

  void place_elements() {
    local_.assign(cluster_.size(), 0);
    c_.first_block = {0};
    for (auto& list : members_) {
      std::sort(list.begin(), list.end());
      const int blocks = blocks_of(static_cast<std::int64_t>(list.size()));
      c_.slot.resize(c_.slot.size() + std::size_t(blocks) * lanes, ResidentClusters::no_slot);
      std::int64_t surface = 0;
      std::vector<bool> boundary(static_cast<std::size_t>(blocks), false);
      for (std::uint32_t i = 0; i < list.size(); ++i) {
        const auto [order, slot] = list[i];
        local_[slot] = i;
        c_.slot[std::size_t(c_.first_block.back()) * lanes + i] = slot;
        surface += order < 2 ? 1 : 0;
        if (order == 1 || order == 2) boundary[i / lanes] = true;
      }
      for (const bool has : boundary) c_.boundary_block.push_back(has ? c_.boundary_blocks++ : -1);
      c_.surface_blocks.push_back(blocks_of(surface));
      c_.first_block.push_back(c_.first_block.back() + blocks);
      c_.most_blocks = std::max(c_.most_blocks, blocks);
    }
  }

  // Ghosts of a cluster in an order that both sides of a face share, by the other cluster and then by the face, so that
  // neighbouring threads send to neighbouring places. Those of other ranks, whose messages take the longest, are first.
  void find_ghosts() {
    const std::vector<std::int32_t> cluster_of_others =
        of_others([&](std::uint32_t slot, int) { return cluster_[slot]; });
    ghost_of_.assign(cluster_.size() * 4, -1);
    c_.first_ghost_block = {0};
    for (const auto& members : members_) {
      // other rank, other cluster, lower and higher face of the pair or halo face, own face
      std::vector<std::array<std::int64_t, 5>> list;
      for (const auto& [order, s] : members)
        for (int f = 0; order < 2 && f < 4; ++f) {
          if (!is_remote(s, f)) continue;
          const std::int64_t own = std::int64_t{s} * 4 + f, other = faces_.code(s, f), halo = faces_.halo_face(s, f);
          if (halo >= 0) {
            const auto i = static_cast<std::size_t>(halo);
            list.push_back({neighbour_of_face_[i], cluster_of_others[i], halo, halo, own});
          } else {
            constexpr std::int64_t last = std::int64_t{1} << GhostPlace::bits;
            list.push_back(
                {last, cluster_[static_cast<std::size_t>(other / 4)], std::min(own, other), std::max(own, other), own});
          }
        }
      std::sort(list.begin(), list.end());
      for (std::size_t g = 0; g < list.size(); ++g)
        ghost_of_[static_cast<std::size_t>(list[g][4])] = static_cast<std::int32_t>(g);
      const auto ghosts = static_cast<std::int32_t>(list.size());
      c_.ghosts.push_back(ghosts);
      c_.most_ghosts = std::max(c_.most_ghosts, ghosts);
      const int blocks = blocks_of(ghosts + 1);
      c_.most_ghost_blocks = std::max(c_.most_ghost_blocks, blocks);
      c_.first_ghost_block.push_back(c_.first_ghost_block.back() + blocks);
    }
  }

  void write_codes() {
    place_of_others_ = of_others([&](std::uint32_t slot, int f) { return ghost_place(slot, f); });
    c_.own.assign(std::size_t(c_.first_ghost_block.back()) * lanes, 0);
    c_.partner.assign(c_.own.size(), 0);
    c_.code.resize(c_.slot.size() * 4);
    for (std::size_t k = 0; k < members_.size(); ++k) {
      const std::size_t first = std::size_t(c_.first_block[k]) * lanes,
                        end = std::size_t(c_.first_block[k + 1]) * lanes;
      for (std::size_t i = first; i < end; ++i)
        for (int f = 0; f < 4; ++f)
          c_.code[(i / lanes * 4 + std::size_t(f)) * lanes + i % lanes] =
              code_of(k, c_.slot[i], static_cast<std::uint32_t>(i - first), f);
    }
  }

  /// The code of a face of the slot s at `place` in cluster k; notes what a ghost's face sends.
  std::uint32_t code_of(std::size_t k, std::uint32_t s, std::uint32_t place, int f) {
    const int nodes = d_.layout.nodes, face_nodes = triangle_nodes(d_.order);
    const std::uint32_t itself = ResidentCode::of_element(place, f, nodes);
    if (s == ResidentClusters::no_slot) return itself;
    const std::int64_t halo = faces_.halo_face(s, f);
    const std::uint32_t other = faces_.code(s, f);
    if (!is_remote(s, f) && !faces_.is_element(s, f))
      return ResidentCode::of_ghost(static_cast<std::uint32_t>(c_.ghosts[k]), face_nodes);
    if (!is_remote(s, f))
      return ResidentCode::of_element(local_[NeighbourCode::slot(other)], NeighbourCode::face(other), nodes);
    const auto here = static_cast<std::size_t>(ghost_place(s, f)), i = static_cast<std::size_t>(halo);
    c_.own[here] = itself;
    c_.partner[here] =
        halo >= 0
            ? GhostPlace::of(std::uint32_t(neighbour_of_face_[i]), std::uint32_t(place_of_others_[i]))
            : GhostPlace::of(0, std::uint32_t(ghost_place(NeighbourCode::slot(other), NeighbourCode::face(other))));
    return ResidentCode::of_ghost(static_cast<std::uint32_t>(ghost_of_[std::size_t(s) * 4 + std::size_t(f)]),
                                  face_nodes);
  }
  /// Among the ghosts of all clusters, of a remote face.
  std::int32_t ghost_place(std::uint32_t s, int f) const {
    return c_.first_ghost_block[static_cast<std::size_t>(cluster_[s])] * lanes +
           ghost_of_[std::size_t(s) * 4 + std::size_t(f)];
  }

  const Discretisation<Real>& d_;
  Faces<Real> faces_;
  const parallel::Communicator& comm_;
  ResidentClusters c_;
  std::vector<std::int32_t> neighbour_of_face_;                      // [halo faces] GhostPlace
  std::vector<std::int32_t> place_of_others_;                        // [halo faces] their ghost there
  std::vector<std::int32_t> cluster_;                                // [slots] as clusters_of_slots
  std::vector<std::vector<std::pair<int, std::uint32_t>>> members_;  // [clusters] order_in_cluster, slot
  std::vector<std::uint32_t> local_;                                 // [slots] place in the cluster
  std::vector<std::int32_t> ghost_of_;                               // [slot][face 4] in the cluster, -1: none
};

}  // namespace

std::size_t ResidentClusters::shared_bytes(int order, std::size_t real_bytes) const {
  const auto nodes = static_cast<std::size_t>(tetrahedron_nodes(order));
  const auto face_nodes = static_cast<std::size_t>(triangle_nodes(order));
  return (2 * std::size_t(most_blocks) * 3 * nodes + std::size_t(most_ghost_blocks) * 2 * face_nodes) * lanes *
         real_bytes;
}

void log_clusters(const ResidentClusters& c, std::size_t bytes_of_cluster) {
  log::info("fields stay in shared memory from step to step: {} clusters of at most {} elements, {:.0f} KB each",
            c.clusters, c.most_blocks * block_lanes, double(bytes_of_cluster) / 1024);
}

template <class Real>
ResidentClusters make_resident_clusters(const Discretisation<Real>& d, int clusters, ClusterBy by,
                                        const parallel::Communicator& comm) {
  return Clusters<Real>(d, clusters, by, comm).make();
}

template <class Real>
std::vector<Real> in_clusters(const ResidentClusters& c, const std::vector<Real>& values, int entries, Real otherwise) {
  std::vector<Real> result(c.slot.size() * std::size_t(entries), otherwise);
  for (std::size_t i = 0; i < c.slot.size(); ++i)
    for (std::size_t k = 0; c.slot[i] != ResidentClusters::no_slot && k < std::size_t(entries); ++k)
      result[(i / lanes * std::size_t(entries) + k) * lanes + i % lanes] =
          values[(c.slot[i] / lanes * std::size_t(entries) + k) * lanes + c.slot[i] % lanes];
  return result;
}

template <class Real>
std::vector<Real> boundary_in_clusters(const ResidentClusters& c, const Discretisation<Real>& d,
                                       const std::vector<Real>& values, int entries, Real otherwise) {
  std::vector<std::int64_t> block_of(static_cast<std::size_t>(d.owned_blocks), -1);  // in the data of the rank
  for (const auto* list : {&d.batches.interior, &d.batches.halo})
    for (const Batch& batch : *list)
      for (std::int64_t b = 0; batch.traits.boundary && b < batch.blocks; ++b)
        block_of[static_cast<std::size_t>(batch.first_block + b)] = batch.first_block + b - batch.first_boundary_block;
  std::vector<Real> result(std::size_t(c.boundary_blocks) * std::size_t(entries) * lanes, otherwise);
  for (std::size_t i = 0; i < c.slot.size(); ++i) {
    const std::int32_t to = c.boundary_block[i / lanes];
    if (to < 0 || c.slot[i] == ResidentClusters::no_slot) continue;
    const std::int64_t from = block_of[c.slot[i] / lanes];
    for (std::size_t k = 0; from >= 0 && k < std::size_t(entries); ++k)
      result[(std::size_t(to) * std::size_t(entries) + k) * lanes + i % lanes] =
          values[(std::size_t(from) * std::size_t(entries) + k) * lanes + c.slot[i] % lanes];
  }
  return result;
}

template ResidentClusters make_resident_clusters<float>(const Discretisation<float>&, int, ClusterBy,
                                                        const parallel::Communicator&);
template std::vector<float> in_clusters<float>(const ResidentClusters&, const std::vector<float>&, int, float);
template std::vector<float> boundary_in_clusters<float>(const ResidentClusters&, const Discretisation<float>&,
                                                        const std::vector<float>&, int, float);

}  // namespace dgtd::dg
