#include "dgtd/dg/discretisation.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <numeric>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/dg/element_geometry.hpp"
#include "dgtd/dg/face_trace.hpp"
#include "dgtd/dg/reference_element.hpp"
#include "batch_arrays.hpp"

namespace dgtd::dg {

using Kind = mesh::FaceLink::Kind;

template <class Real>
Discretisation<Real>::Discretisation(const mesh::Subdomain& subdomain, std::vector<physics::Medium> materials,
                                     const std::vector<physics::BoundaryKind>& boundary_kind, int polynomial_order,
                                     bool incident, int field_lanes, TimeLevels local_levels, LayerRates layers,
                                     std::vector<BlochFace> bloch, mesh::CurvedElements curved_elements,
                                     double upwind_part)
    : mesh(subdomain),
      material(std::move(materials)),
      order(polynomial_order),
      layout{tetrahedron_nodes(polynomial_order), field_lanes},
      time_levels(std::move(local_levels)),
      bloch_faces(std::move(bloch)),
      upwind(upwind_part),
      layer_rates(std::move(layers)),
      curved(curved_elements) {
  assert(upwind == 0 || (time_levels.finest == 0 && bloch_faces.empty()));
  order_elements();
  link_neighbours(boundary_kind, incident);
  link_penalised_faces();
  link_bloch_faces();
  link_levels();
  fill_metric();
  fill_curved_metric();
  fill_boundary(boundary_kind);
  add_poles();
  add_cpml();
}

namespace {

// Groups of elements in memory, from the finest level to the coarsest; see level_blocks.hpp. The last one is the rest
// of level 0, and without local time steps the only one.
int groups_of(const TimeLevels& levels) { return 2 * levels.finest + 1; }
int group_of(const TimeLevels& levels, std::size_t e) {
  if (levels.finest == 0) return 0;
  return 2 * (levels.finest - levels.of_element[e]) - (levels.reach[e] > levels.of_element[e]);
}

// late: updated after the exchange of traces, whether or not a neighbour is on another rank. penalised: with a penalty
// of its jumps, which elements with boundary faces have.
ElementTraits traits_of(const std::array<mesh::FaceLink, 4>& links, const physics::Medium& material,
                        const LayerRate* layer, bool late, bool curved, bool penalised) {
  ElementTraits traits;
  traits.halo = late;
  traits.curved = curved;
  traits.boundary = penalised;
  for (const auto& link : links) {
    traits.halo |= link.kind == Kind::halo;
    traits.boundary |= link.kind == Kind::boundary;
  }
  if (material.conductivity > 0) traits.medium = MediumKind::conductive;
  if (!material.poles.empty()) traits.medium = MediumKind::dispersive;
  if (layer == nullptr || layer->is_zero()) return traits;
  const bool poles = !material.poles.empty();
  if (layer->sections.empty()) traits.medium = poles ? MediumKind::dispersive_layer : MediumKind::layer;
  else if (layer->sections.size() == 1) traits.medium = poles ? MediumKind::dispersive_cpml : MediumKind::cpml;
  else traits.medium = poles ? MediumKind::dispersive_cpml_corner : MediumKind::cpml_corner;
  return traits;
}

// all: the traits of the elements of a batch so far.
void join(ElementTraits& all, ElementTraits traits) {
  traits.medium = std::max(all.medium, traits.medium);
  all = traits;
}

}  // namespace

template <class Real>
void Discretisation<Real>::add_batch(ElementTraits traits, std::int64_t members) {
  if (members == 0) return;
  Batch batch{traits,
              owned_blocks,
              (members + block_lanes - 1) / block_lanes,
              owned_blocks - boundary_blocks,
              owned_blocks - layer_blocks,
              section_blocks};
  if (traits.boundary) boundary_blocks += batch.blocks;
  if (is_passive_layer(traits.medium)) layer_blocks += batch.blocks;
  if (is_cpml(traits.medium)) section_blocks += batch.blocks * sections_of(traits.medium);
  if (traits.curved) curved_blocks += batch.blocks;
  (traits.halo ? batches.halo : batches.interior).push_back(batch);
  owned_blocks += batch.blocks;
}

template <class Real>
std::vector<std::int64_t> Discretisation<Real>::global_ids() const {
  std::vector<std::int64_t> ids(element_of_slot.size());
#pragma omp parallel for schedule(static)
  for (std::size_t s = 0; s < ids.size(); ++s)
    ids[s] = element_of_slot[s] < 0 ? -1 : mesh.element_id[static_cast<std::size_t>(element_of_slot[s])];
  return ids;
}

// A counting sort by place, which keeps the order of the elements; each thread has a share of them.
template <class Real>
void Discretisation<Real>::order_elements() {
  const auto elements = static_cast<std::int64_t>(mesh.elements());
  const int shares = omp_get_max_threads();
  const auto share = [&](int s) { return elements * s / shares; };
  const int last_group = groups_of(time_levels) - 1;
  const auto places = static_cast<std::size_t>(groups_of(time_levels)) * memory_places;
  std::vector<bool> late(static_cast<std::size_t>(elements));
  for (const BlochFace& face : bloch_faces)
    for (const std::size_t copy : {std::size_t{0}, mesh.first_copies()}) late[face.element + copy] = true;
  std::vector<ElementTraits> of_place(places);
  std::vector<std::vector<std::int64_t>> count(static_cast<std::size_t>(shares));
  std::vector<std::uint16_t> place(static_cast<std::size_t>(elements));
#pragma omp parallel for schedule(static, 1)
  for (int s = 0; s < shares; ++s) {
    std::vector<std::int64_t> mine(places);
    std::vector<ElementTraits> traits_here(places);
    for (std::int64_t e = share(s); e < share(s + 1); ++e) {
      const ElementTraits traits =
          traits_of(mesh.element_faces[e], material_of(e), layer_rates.empty() ? nullptr : &layer_rates[e], late[e],
                    is_curved(static_cast<std::size_t>(e)), upwind > 0);
      const int group = group_of(time_levels, e);
      const ElementTraits batch = batch_traits(traits, group < last_group);
      const int at = memory_places * group + memory_order(batch);
      place[e] = static_cast<std::uint16_t>(at);
      join(traits_here[at], {batch.halo, batch.boundary, traits.medium, batch.curved});
      ++mine[at];
    }
#pragma omp critical
    for (std::size_t p = 0; p < places; ++p)
      if (mine[p] > 0) join(of_place[p], traits_here[p]);
    count[s] = std::move(mine);
  }
  // Where each share's elements of each place go.
  std::vector<std::vector<std::int64_t>> next(count.size(), std::vector<std::int64_t>(places));
  levels.resize(time_levels.finest + 1);
  for (std::size_t p = 0; p < places; ++p) {
    std::int64_t members = 0;
    for (std::size_t s = 0; s < count.size(); ++s) {
      next[s][p] = owned_blocks * block_lanes + members;
      members += count[s][p];
    }
    add_batch(of_place[p], members);
    // The group of the elements of level l alone, 2 (L - l), ends P_l; the one after it ends N(P_l).
    const int group = static_cast<int>(p) / memory_places;
    if (static_cast<int>(p) % memory_places != memory_places - 1 || group == last_group) continue;
    if (group % 2 == 0) levels[time_levels.finest - group / 2].own = owned_blocks;
    else levels[time_levels.finest - group / 2].reach = owned_blocks;
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
void Discretisation<Real>::link_neighbours(const std::vector<physics::BoundaryKind>& boundary_kind, bool incident) {
  for (const auto* list : {&batches.interior, &batches.halo})
    for (const Batch& batch : *list) {
      if (!batch.traits.boundary) continue;
      for (std::int64_t slot = batch.first_block * block_lanes; slot < (batch.first_block + batch.blocks) * block_lanes;
           ++slot) {
        const std::int64_t e = element_of_slot[slot];
        for (int f = 0; e >= 0 && f < 4; ++f) {
          const auto& link = mesh.element_faces[e][f];
          if (link.kind == Kind::boundary && boundary_kind[link.index] == physics::BoundaryKind::silver_muller)
            absorbing_faces.push_back({static_cast<std::uint32_t>(e), static_cast<std::uint8_t>(f)});
        }
      }
    }
  std::size_t penalised = 0;
  for (std::size_t e = 0; upwind > 0 && e < mesh.elements(); ++e)
    for (const auto& link : mesh.element_faces[e]) penalised += link.kind == Kind::element;
  const std::size_t ghosts =
      mesh.halo_faces.size() + (incident ? absorbing_faces.size() : 0) + 2 * bloch_faces.size() + penalised + 1;
  const std::size_t first_ghost = element_of_slot.size();
  if (first_ghost + ghosts >= std::size_t{1} << 30)
    throw Error(ExitCode::out_of_memory, "more than 2^30 elements and ghosts on one rank; use more ranks");
  first_halo_slot = static_cast<std::uint32_t>(first_ghost);
  first_incident_slot = static_cast<std::uint32_t>(first_halo_slot + mesh.halo_faces.size());
  zero_slot = static_cast<std::uint32_t>(first_ghost + ghosts - 1);
  first_turned_slot = static_cast<std::uint32_t>(zero_slot - 2 * bloch_faces.size());
  first_penalised_slot = static_cast<std::uint32_t>(first_turned_slot - penalised);
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
    external[lane_index(boundary_slot(batches, slot), 4, at.face)] = code;
  }
}

// Traces behind penalised faces: of elements of this rank the executor copies them into ghost slots of their own before
// a half step changes them, those of neighbouring lanes into neighbouring slots; those of other ranks are in the
// halo's.
template <class Real>
void Discretisation<Real>::link_penalised_faces() {
  if (upwind == 0) return;
  std::uint32_t ghost = first_penalised_slot;
  for (const auto* list : {&batches.interior, &batches.halo})
    for (const Batch& batch : *list)
      for (std::int64_t block = batch.first_block; block < batch.first_block + batch.blocks; ++block)
        for (int entry = 0; entry < 4 * block_lanes; ++entry) {
          const auto slot = static_cast<std::uint32_t>(block * block_lanes + entry % block_lanes);
          const std::int64_t e = element_of_slot[slot];
          if (e < 0) continue;
          const int f = entry / block_lanes;
          const Kind kind = mesh.element_faces[static_cast<std::size_t>(e)][f].kind;
          if (kind == Kind::boundary) continue;
          std::uint32_t code = neighbour[lane_index(slot, 4, f)];
          if (kind == Kind::element) {
            penalised_code.push_back(code);
            code = NeighbourCode::encode(ghost++, ghost_face);
          }
          const auto of_boundary = slot - static_cast<std::uint32_t>(batch.first_boundary_block * block_lanes);
          external[lane_index(of_boundary, 4, f)] = code;
        }
}

// Between elements with a Bloch face and their neighbours are ghost slots, of which the executor writes the traces.
template <class Real>
void Discretisation<Real>::link_bloch_faces() {
  assert(bloch_faces.empty() || mesh.copies == 2);
  std::uint32_t ghost = first_turned_slot;
  for (const BlochFace& face : bloch_faces) {
    for (const std::size_t copy : {std::size_t{0}, mesh.first_copies()}) {
      std::uint32_t& code = neighbour[lane_index(slot_of_element[face.element + copy], 4, face.face)];
      turned_code.push_back(code);
      code = NeighbourCode::encode(ghost++, ghost_face);
    }
    turned_factor.push_back(static_cast<Real>(std::cos(face.phase)));
    turned_factor.push_back(static_cast<Real>(std::sin(face.phase)));
  }
}

// The neighbours of N(P_l) in a field that is zero outside P_l.
template <class Real>
void Discretisation<Real>::link_levels() {
  const TimeLevels& t = time_levels;
  for (const AbsorbingFace& face : absorbing_faces)  // the half steps of levels have no damping
    if (t.finest > 0 && t.reach[face.element] > 0)
      throw Error(
          ExitCode::unstable,
          fmt::format("local time steps: element {} has an absorbing face and is within reach of level {}; such "
                      "elements and their face neighbours are allowed on level 0 only",
                      mesh.element_id[face.element], t.reach[face.element]));
  for (const BlochFace& face : bloch_faces)  // the fields of levels have no ghost slots for rotated traces
    if (t.finest > 0 && t.reach[face.element] > 0)
      throw Error(
          ExitCode::unstable,
          fmt::format("local time steps: element {} is at a side of type bloch and within reach of level {}; such "
                      "elements and their face neighbours are allowed on level 0 only",
                      mesh.element_id[face.element], t.reach[face.element]));
  for (std::size_t e = 0; e < mesh.elements() && t.finest > 0; ++e)
    if (is_in_layer(e) && t.reach[e] > 0)
      throw Error(ExitCode::unstable,
                  fmt::format("local time steps: element {} of an absorbing layer is within reach of level {}; such "
                              "elements and their face neighbours are allowed on level 0 only",
                              mesh.element_id[e], t.reach[e]));
  for (int l = 1; l <= t.finest; ++l) {
    LevelBlocks& level = levels[l];
    std::vector<std::uint32_t> ghost_of_face(mesh.halo_faces.size());
    level.first_halo_slot = static_cast<std::uint32_t>(level.reach * block_lanes);
    for (std::uint32_t i = 0; i < mesh.halo_faces.size(); ++i) {
      if (t.of_halo[i] < l && t.of_element[mesh.halo_faces[i].element] < l) continue;
      ghost_of_face[i] = level.first_halo_slot + static_cast<std::uint32_t>(level.halo_faces.size());
      level.halo_faces.push_back(i);
    }
    level.zero_slot = level.first_halo_slot + static_cast<std::uint32_t>(level.halo_faces.size());
    level.blocks = level.zero_slot / block_lanes + 1;
    level.neighbour.resize(static_cast<std::size_t>(level.reach) * 4 * block_lanes);
#pragma omp parallel for schedule(static)
    for (std::uint32_t slot = 0; slot < level.first_halo_slot; ++slot)
      for (int f = 0; f < 4; ++f) {
        std::uint32_t code = neighbour[lane_index(slot, 4, f)];
        const std::uint32_t other = NeighbourCode::slot(code);
        const std::int64_t e = element_of_slot[slot];
        const bool halo = e >= 0 && mesh.element_faces[e][f].kind == Kind::halo;
        if (halo) {
          const std::uint32_t i = mesh.element_faces[e][f].index;
          code = NeighbourCode::encode(t.of_halo[i] >= l ? ghost_of_face[i] : level.zero_slot, ghost_face);
        } else if (other >= level.own * block_lanes) {
          code = NeighbourCode::encode(level.zero_slot, ghost_face);
        }
        level.neighbour[lane_index(slot, 4, f)] = code;
      }
  }
}

namespace {

// The mean of G over the reference element (volume 1/6).
std::array<double, 6> mean_metric(const ElementGeometry& g, const Quadrature& rule) {
  std::array<double, 6> mean{};
  for (std::size_t q = 0; q < rule.points.size(); ++q) {
    const auto G = metric_of(g.at(rule.points[q]));
    for (int entry = 0; entry < 6; ++entry) mean[entry] += 6 * rule.weights[q] * G[entry];
  }
  return mean;
}

}  // namespace

template <class Real>
void Discretisation<Real>::fill_metric() {
  const Quadrature rule = tetrahedron_quadrature(order + 3);
  metric.assign(owned_blocks * 6 * block_lanes, Real(0));
#pragma omp parallel for schedule(static)
  for (std::uint32_t slot = 0; slot < element_of_slot.size(); ++slot) {
    if (element_of_slot[slot] < 0) continue;
    const ElementGeometry g(mesh, element_of_slot[slot]);
    const std::array<double, 6> G = g.curved == nullptr ? metric_of(g) : mean_metric(g, rule);
    for (int entry = 0; entry < 6; ++entry) metric[lane_index(slot, 6, entry)] = static_cast<Real>(G[entry]);
  }
}

// Absorbing faces: the damping (w_ext - w)_t of strength y (1/Z when E is updated, Z for H, relative to
// vacuum) enters the contravariant rates, which updateField divides by J, through
//   sign(J) 2 A y (w_ext - w)_t / 2,   w_t = e_a, e_b times the inverse face metric times the trace,
// and the inverse face metric is adj(g) / (2 A)^2. The half is the lift's. H is updated with a negative
// rate, which the sign here undoes. Faces between elements have `upwind` times that of vacuum, on both sides alike, so
// that the penalty is symmetric whatever the media.
template <class Real>
void Discretisation<Real>::fill_boundary(const std::vector<physics::BoundaryKind>& boundary_kind) {
  std::vector<std::int64_t> of_boundary(boundary_blocks * block_lanes);  // the slot, by its place in the arrays
  for (const auto* list : {&batches.interior, &batches.halo})
    for (const Batch& batch : *list)
      if (batch.traits.boundary)
        std::iota(of_boundary.begin() + (batch.first_block - batch.first_boundary_block) * block_lanes,
                  of_boundary.begin() + (batch.first_block - batch.first_boundary_block + batch.blocks) * block_lanes,
                  batch.first_block * block_lanes);
  for (auto* half : {&electric, &magnetic}) {
    const bool is_electric = half == &electric;
    half->mirror.assign(boundary_blocks * 4 * block_lanes, Real(1));
    half->admittance.assign(boundary_blocks * 12 * block_lanes, Real(0));
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < of_boundary.size(); ++i) {
      const std::int64_t e = element_of_slot[of_boundary[i]];
      if (e < 0) continue;
      const auto slot = static_cast<std::uint32_t>(i);
      const ElementGeometry geometry(mesh, e);
      const auto& m = material_of(e);
      const double impedance = std::sqrt(m.permeability / m.permittivity);
      for (int f = 0; f < 4; ++f) {
        const auto& link = mesh.element_faces[e][f];
        double strength = is_electric ? upwind : -upwind;
        if (link.kind == Kind::boundary) {
          const physics::BoundaryKind kind = boundary_kind[link.index];
          // The mirror belongs to the field that drives: H when E is updated.
          if (kind == (is_electric ? physics::BoundaryKind::pmc : physics::BoundaryKind::pec))
            half->mirror[lane_index(slot, 4, f)] = Real(-1);
          if (kind != physics::BoundaryKind::silver_muller) continue;
          strength = is_electric ? 1 / impedance : -impedance;
        }
        if (strength == 0) continue;
        const FaceGeometry face(geometry, f);
        const double scale = strength * (geometry.determinant > 0 ? 1 : -1) / (2 * face.area);
        const double entries[3] = {scale * dot(face.edge_b, face.edge_b), -scale * dot(face.edge_a, face.edge_b),
                                   scale * dot(face.edge_a, face.edge_a)};
        for (int k = 0; k < 3; ++k) half->admittance[lane_index(slot, 12, f * 3 + k)] = static_cast<Real>(entries[k]);
      }
    }
  }
}

template <class Real>
void Discretisation<Real>::add_state(ElementState<Real> state) {
  state.first.assign(static_cast<std::size_t>(owned_blocks), -1);
  for (const auto* list : {&batches.interior, &batches.halo})
    for (const Batch& batch : *list)
      for (std::int64_t b = 0; state.of(batch.traits) && b < batch.blocks; ++b)
        state.first[batch.first_block + b] = state.blocks++;
  state.values_of_coefficients.resize(static_cast<std::size_t>(state.blocks) * state.coefficients * block_lanes);
  states.push_back(std::move(state));
}

// All media have the places of the poles of any: what an element keeps has one size, on all ranks.
template <class Real>
void Discretisation<Real>::add_poles() {
  PoleCounts& most = dispersion.most;
  std::vector<PoleCounts> of_group;
  const auto raise = [](PoleCounts& to, const PoleCounts& from) {
    to = {std::max(to.lorentz, from.lorentz), std::max(to.drude, from.drude), std::max(to.debye, from.debye),
          std::max(to.critical, from.critical)};
  };
  for (const auto& m : material) raise(most, of_group.emplace_back(count_poles(m)));
  if (most.poles() == 0) return;
  assert(states.size() == state_of_poles);
  add_state({"currents and polarisations of poles", 3 * layout.nodes * most.kept(),
             [](const ElementTraits& traits) { return has_poles(traits.medium); }});
  const auto& state = states[state_of_poles];
  dispersion.counts.resize(static_cast<std::size_t>(state.blocks));
  for (std::size_t slot = 0; slot < element_of_slot.size(); ++slot)
    if (const std::int64_t block = state.first[slot / block_lanes]; block >= 0 && element_of_slot[slot] >= 0)
      raise(dispersion.counts[static_cast<std::size_t>(block)], of_group[group_of_slot[slot]]);
}

template <class Real>
void Discretisation<Real>::add_cpml() {
  if (!layer_rates.convolutional) return;
  const int reals = 2 * 3 * layout.nodes;  // E and H
  cpml_inputs = static_cast<int>(states.size());
  add_state(
      {"inputs of convolutional layers", reals, [](const ElementTraits& traits) { return is_cpml(traits.medium); }});
  cpml_outputs = static_cast<int>(states.size());
  add_state({"inner sections of convolutional layers", (most_sections - 1) * reals,
             [](const ElementTraits& traits) { return is_cpml_corner(traits.medium); }});
}

template <class Real>
bool Discretisation<Real>::has_own_kernel(const ElementTraits& batch, HalfStepWork work) const {
  return dg::has_own_kernel(batch.medium, work) ||
         (work == HalfStepWork::layers_and_states &&
          std::any_of(states.begin(), states.end(), [&](const auto& state) { return state.of(batch); }));
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
  const double reals = double(metric.size()) + double(curved_metric.size()) + electric.Cb.size() * 4.0 + electric.mirror.size() * 2.0 +
                       electric.admittance.size() * 2.0 + electric.damping.size() * 2.0 + double(cpml_numbers.size());
  double of_levels = 0;
  for (const auto& level : levels) of_levels += level.neighbour.size() + level.halo_faces.size();
  return (reals + double(turned_factor.size())) * sizeof(Real) +
         4.0 * (of_levels + curved_block.size() + turned_code.size() + penalised_code.size() + neighbour.size() +
                external.size() + slot_of_element.size()) +
         8.0 * element_of_slot.size();
}

template <class Real>
double Discretisation<Real>::pole_bytes() const {
  double kept = 0;
  for (const PoleCounts& counts : dispersion.counts) kept += counts.kept();
  return 2 * kept * 3 * layout.nodes * block_lanes * sizeof(Real);
}

template struct Discretisation<float>;
template struct Discretisation<double>;

}  // namespace dgtd::dg
