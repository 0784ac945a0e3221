#include "dgtd/dg/discretisation.hpp"

#include <omp.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/dg/element_geometry.hpp"
#include "dgtd/dg/face_trace.hpp"

namespace dgtd::dg {

using Kind = mesh::FaceLink::Kind;

namespace {

std::size_t lane_index(std::uint32_t slot, int entries, int entry) {
  return (std::size_t{slot / block_lanes} * entries + entry) * block_lanes + slot % block_lanes;
}

}  // namespace

template <class Real>
Discretisation<Real>::Discretisation(const mesh::Subdomain& subdomain, std::vector<ElementMaterial> materials,
                                     const std::vector<BoundaryKind>& boundary_kind, int polynomial_order,
                                     bool incident, int field_lanes)
    : mesh(subdomain),
      material(std::move(materials)),
      order(polynomial_order),
      layout{tetrahedron_nodes(polynomial_order), field_lanes} {
  order_elements();
  link_neighbours(boundary_kind, incident);
  fill_metric();
  fill_boundary(boundary_kind);
}

namespace {

constexpr int places = 8;  // of batches in memory

// Order of the batches in memory: interior, then halo; in each, lossless before conductive elements. Those with a
// boundary face, conductive or not, come last and first, so that their extra arrays are contiguous.
int place_in_memory(const ElementTraits& t) {
  return 4 * t.halo + 2 * (t.boundary != t.halo) + (t.conductive && !t.boundary);
}

ElementTraits traits_of(const std::array<mesh::FaceLink, 4>& links, bool conductive) {
  ElementTraits traits;
  for (const auto& link : links) {
    traits.halo |= link.kind == Kind::halo;
    traits.boundary |= link.kind == Kind::boundary;
  }
  traits.conductive = conductive;
  return traits;
}

}  // namespace

// A counting sort by place, which keeps the order of the elements; each thread has a share of them.
template <class Real>
void Discretisation<Real>::order_elements() {
  const auto elements = static_cast<std::int64_t>(mesh.elements());
  const int shares = omp_get_max_threads();
  const auto share = [&](int s) { return elements * s / shares; };
  std::vector<ElementTraits> of_place(places);  // conductive: at least one is
  std::vector<std::array<std::int64_t, places>> count(static_cast<std::size_t>(shares));
  std::vector<std::uint8_t> place(static_cast<std::size_t>(elements));
#pragma omp parallel for schedule(static, 1)
  for (int s = 0; s < shares; ++s) {
    std::array<std::int64_t, places> mine{};
    std::array<ElementTraits, places> traits_here{};
    for (std::int64_t e = share(s); e < share(s + 1); ++e) {
      const ElementTraits traits = traits_of(mesh.element_faces[e], material_of(e).conductivity > 0);
      const int at = place_in_memory(traits);
      place[e] = static_cast<std::uint8_t>(at);
      const bool conductive = traits_here[at].conductive || traits.conductive;
      traits_here[at] = traits;
      traits_here[at].conductive = conductive;
      ++mine[at];
    }
    count[s] = mine;
#pragma omp critical
    for (int p = 0; p < places; ++p) {
      if (mine[p] == 0) continue;
      const bool conductive = of_place[p].conductive || traits_here[p].conductive;
      of_place[p] = traits_here[p];
      of_place[p].conductive = conductive;
    }
  }
  // Where each share's elements of each place go.
  std::vector<std::array<std::int64_t, places>> next(count.size());
  for (int p = 0; p < places; ++p) {
    std::int64_t members = 0;
    for (std::size_t s = 0; s < count.size(); ++s) {
      next[s][p] = owned_blocks * block_lanes + members;
      members += count[s][p];
    }
    if (members == 0) continue;
    const Batch batch{of_place[p], owned_blocks, (members + block_lanes - 1) / block_lanes};
    if (batch.traits.boundary && boundary_blocks == 0) first_boundary_block = batch.first_block;
    if (batch.traits.boundary) boundary_blocks += batch.blocks;
    (batch.traits.halo ? batches.halo : batches.interior).push_back(batch);
    owned_blocks += batch.blocks;
  }
  slot_of_element.resize(static_cast<std::size_t>(elements));
  element_of_slot.resize(owned_blocks * block_lanes, -1);
  group_of_slot.resize(element_of_slot.size());
#pragma omp parallel for schedule(static, 1)
  for (int s = 0; s < shares; ++s)
    for (std::int64_t e = share(s); e < share(s + 1); ++e) {
      const std::int64_t slot = next[s][place[e]]++;
      slot_of_element[e] = static_cast<std::uint32_t>(slot);
      element_of_slot[slot] = e;
      group_of_slot[slot] = mesh.element_group[e];
    }
}

template <class Real>
void Discretisation<Real>::link_neighbours(const std::vector<BoundaryKind>& boundary_kind, bool incident) {
  for (const auto* list : {&batches.interior, &batches.halo})
    for (const Batch& batch : *list) {
      if (!batch.traits.boundary) continue;
      for (std::int64_t slot = batch.first_block * block_lanes; slot < (batch.first_block + batch.blocks) * block_lanes;
           ++slot) {
        const std::int64_t e = element_of_slot[slot];
        for (int f = 0; e >= 0 && f < 4; ++f) {
          const auto& link = mesh.element_faces[e][f];
          if (link.kind == Kind::boundary && boundary_kind[link.index] == BoundaryKind::absorbing)
            absorbing_faces.push_back({static_cast<std::uint32_t>(e), static_cast<std::uint8_t>(f)});
        }
      }
    }
  const std::size_t ghosts = mesh.halo_faces.size() + (incident ? absorbing_faces.size() : 0) + 1;
  const std::size_t first_ghost = element_of_slot.size();
  if (first_ghost + ghosts >= std::size_t{1} << 30)
    throw Error(ExitCode::out_of_memory, "more than 2^30 elements on one rank; use more ranks");
  first_halo_slot = static_cast<std::uint32_t>(first_ghost);
  first_incident_slot = static_cast<std::uint32_t>(first_halo_slot + mesh.halo_faces.size());
  zero_slot = static_cast<std::uint32_t>(first_ghost + ghosts - 1);
  blocks = owned_blocks + static_cast<std::int64_t>((ghosts + block_lanes - 1) / block_lanes);

  neighbour.resize(owned_blocks * 4 * block_lanes);
  external.assign(boundary_blocks * 4 * block_lanes, NeighbourCode::encode(zero_slot, ghost_face));
#pragma omp parallel for schedule(static)
  for (std::uint32_t slot = 0; slot < element_of_slot.size(); ++slot) {
    const std::int64_t e = element_of_slot[slot];
    for (int f = 0; f < 4; ++f) {
      std::uint32_t code = NeighbourCode::encode(slot, f);  // padding, metallic and magnetic faces: the element itself
      if (e >= 0) {
        const auto& link = mesh.element_faces[e][f];
        if (link.kind == Kind::element) code = NeighbourCode::encode(slot_of_element[link.index], link.face);
        if (link.kind == Kind::halo) code = NeighbourCode::encode(first_halo_slot + link.index, ghost_face);
      }
      neighbour[lane_index(slot, 4, f)] = code;
    }
  }
  for (std::size_t i = 0; i < absorbing_faces.size(); ++i) {
    const auto& at = absorbing_faces[i];
    const std::uint32_t slot = slot_of_element[at.element];
    const std::uint32_t code =
        NeighbourCode::encode(incident ? first_incident_slot + static_cast<std::uint32_t>(i) : zero_slot, ghost_face);
    neighbour[lane_index(slot, 4, at.face)] = code;
    external[lane_index(slot - static_cast<std::uint32_t>(first_boundary_block * block_lanes), 4, at.face)] = code;
  }
}

template <class Real>
void Discretisation<Real>::fill_metric() {
  metric.assign(owned_blocks * 6 * block_lanes, Real(0));
#pragma omp parallel for schedule(static)
  for (std::uint32_t slot = 0; slot < element_of_slot.size(); ++slot) {
    if (element_of_slot[slot] < 0) continue;
    const ElementGeometry g(mesh, element_of_slot[slot]);
    for (int i = 0, entry = 0; i < 3; ++i)
      for (int k = i; k < 3; ++k, ++entry)
        metric[lane_index(slot, 6, entry)] = static_cast<Real>(dot(g.edges[i], g.edges[k]) / g.determinant);
  }
}

// Absorbing faces: the damping (w_ext - w)_t of strength y (1/Z when E is updated, Z for H, relative to
// vacuum) enters the contravariant rates, which updateField divides by J, through
//   sign(J) 2 A y (w_ext - w)_t / 2,   w_t = e_a, e_b times the inverse face metric times the trace,
// and the inverse face metric is adj(g) / (2 A)^2. The half is the lift's. H is updated with a negative
// rate, which the sign here undoes.
template <class Real>
void Discretisation<Real>::fill_boundary(const std::vector<BoundaryKind>& boundary_kind) {
  for (auto* half : {&electric, &magnetic}) {
    const bool is_electric = half == &electric;
    half->mirror.assign(boundary_blocks * 4 * block_lanes, Real(1));
    half->admittance.assign(boundary_blocks * 12 * block_lanes, Real(0));
#pragma omp parallel for schedule(static)
    for (std::int64_t s = first_boundary_block * block_lanes;
         s < (first_boundary_block + boundary_blocks) * block_lanes; ++s) {
      const std::int64_t e = element_of_slot[s];
      if (e < 0) continue;
      const auto slot = static_cast<std::uint32_t>(s - first_boundary_block * block_lanes);
      const ElementGeometry geometry(mesh, e);
      const auto& m = material_of(e);
      const double impedance = std::sqrt(m.permeability / m.permittivity);
      for (int f = 0; f < 4; ++f) {
        const auto& link = mesh.element_faces[e][f];
        if (link.kind != Kind::boundary) continue;
        const BoundaryKind kind = boundary_kind[link.index];
        // The mirror belongs to the field that drives: H when E is updated.
        if (kind == (is_electric ? BoundaryKind::magnetic : BoundaryKind::metallic))
          half->mirror[lane_index(slot, 4, f)] = Real(-1);
        if (kind != BoundaryKind::absorbing) continue;
        const FaceGeometry face(geometry, f);
        const double strength = is_electric ? 1 / impedance : -impedance;
        const double scale = strength * (geometry.determinant > 0 ? 1 : -1) / (2 * face.area);
        const double entries[3] = {scale * dot(face.edge_b, face.edge_b), -scale * dot(face.edge_a, face.edge_b),
                                   scale * dot(face.edge_a, face.edge_a)};
        for (int k = 0; k < 3; ++k) half->admittance[lane_index(slot, 12, f * 3 + k)] = static_cast<Real>(entries[k]);
      }
    }
  }
}

template <class Real>
void Discretisation<Real>::set_time_step(double dt) {
  const std::size_t slots = element_of_slot.size();
  for (auto* half : {&electric, &magnetic}) {
    half->rate.assign(slots, Real(0));
    half->decay.assign(slots, Real(1));
  }
  const double length = speed_of_light * dt;
#pragma omp parallel for schedule(static)
  for (std::size_t slot = 0; slot < slots; ++slot) {
    if (element_of_slot[slot] < 0) continue;
    const auto& m = material_of(element_of_slot[slot]);
    const double s = m.conductivity * dt / (2 * m.permittivity * vacuum_permittivity);
    electric.rate[slot] = static_cast<Real>(length / m.permittivity / (1 + s));
    electric.decay[slot] = static_cast<Real>((1 - s) / (1 + s));
    magnetic.rate[slot] = static_cast<Real>(-length / m.permeability);
  }
}

template <class Real>
std::size_t Discretisation<Real>::field_reals() const {
  return std::size_t(blocks) * layout.reals_per_block();
}

template <class Real>
std::size_t Discretisation<Real>::owned_reals() const {
  return std::size_t(owned_blocks) * layout.reals_per_block();
}

template <class Real>
double Discretisation<Real>::memory_bytes() const {
  const double reals = double(metric.size()) + electric.rate.size() * 4.0 + electric.mirror.size() * 2.0 +
                       electric.admittance.size() * 2.0;
  return reals * sizeof(Real) + 4.0 * (neighbour.size() + external.size() + slot_of_element.size()) +
         8.0 * element_of_slot.size();
}

template struct Discretisation<float>;
template struct Discretisation<double>;

}  // namespace dgtd::dg
