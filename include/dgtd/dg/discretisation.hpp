#pragma once
// The discrete problem of one rank: elements in batches and blocks, their neighbours, metric
// and material, in the arrays that the kernels read.
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "dgtd/dg/batch.hpp"
#include "dgtd/dg/dispersion.hpp"
#include "dgtd/dg/level_blocks.hpp"
#include "dgtd/dg/time_levels.hpp"
#include "dgtd/mesh/curved_elements.hpp"
#include "dgtd/mesh/subdomain.hpp"
#include "dgtd/parallel/array.hpp"
#include "dgtd/physics/boundary.hpp"
#include "dgtd/physics/medium.hpp"
#include "dgtd/solver/half_step.hpp"

namespace dgtd::dg {

/// Coefficients of a field (FieldLayout): covariant components of E or Z0 H, V/m times m.
template <class Real>
using Field = parallel::Array<Real>;

using solver::HalfStep, solver::KernelFusion;

/// A face on the absorbing boundary.
struct AbsorbingFace {
  std::uint32_t element;  // local element
  std::uint8_t face;
};

/// A face between sides where Bloch's condition u(x + L) = exp(i phi) u(x) holds. The mesh has two copies of each
/// element, for the real and the imaginary part, which the condition turns into one another.
struct BlochFace {
  std::uint32_t element;  // local, a first copy
  std::uint8_t face;
  double phase;  // the trace behind the face is exp(i phase) times that of the neighbour
};

/// One half step's arrays; see batch.hpp for shapes and units.
template <class Real>
struct HalfStepArrays {
  std::vector<Real> Ca, Cb;  // Da, Db of H
  std::vector<Real> mirror, admittance;
  std::vector<Real> damping;  // of passive layers
};

/// A section of a convolutional layer: its factor is s = 1 + rate / (alpha + d/dt) (kernels/cpml.hpp).
struct LayerSection {
  Vec3 normal;         // unit vector
  double rate, alpha;  // 1/s
};

/// Damping of the fields of an element by an absorbing layer: as a passive or as a convolutional one, or not.
struct LayerRate {
  std::array<double, 6> magnetic{};  // 1/s, symmetric, in the order xx, xy, xz, yy, yz, zz: conduction of H over mu
  std::vector<LayerSection> sections = {};  // convolutional: at most most_sections, whose normals are orthogonal
  double loss = 0;                          // convolutional: 1/s, of H over mu in all directions
  double electric_factor = 1;               // the rates of E over eps_inf are so many times as large
  bool is_zero() const { return magnetic[0] + magnetic[3] + magnetic[5] == 0 && sections.empty(); }
};

/// [elements]; empty: no layers. convolutional: those of any rank are.
struct LayerRates : std::vector<LayerRate> {
  bool convolutional = false;
};

/// Terms of the operator that Executor::apply applies.
struct OperatorTerms {
  double length = 1;       // m: c0 times the time that the operator is multiplied by
  bool conduction = true;  // whether it has the conduction current
  bool operator==(const OperatorTerms&) const = default;
};

/// Numbers that some elements keep from step to step beside E and H: currents of poles, fields of layers. The executor
/// allocates them, zero at first, counts them in its memory and gives them to the kernels of E's half step; checkpoints
/// contain them.
template <class Real>
struct ElementState {
  std::string name;                  // in checkpoints
  int entries = 0;                   // reals per element
  bool (*of)(const ElementTraits&);  // whether the elements of a batch have it
  int coefficients = 0;              // reals per element that belong to its update
  /// Coefficient k of an element in a medium for a time step, s; null without coefficients.
  double (*coefficient)(const physics::Medium&, double dt, int k) = nullptr;
  std::int64_t blocks = 0;               // array: [block][entry][lane 32], one block after the other of those batches
  std::vector<std::int64_t> first = {};  // [block of the rank] its block in the array, -1: none
  std::vector<Real> values_of_coefficients = {};  // [block][coefficient][lane 32], for the last time step that was set
};

template <class Real>
struct Discretisation {
  const mesh::Subdomain& mesh;
  std::vector<physics::Medium> material;  // [volume groups]
  int order;
  FieldLayout layout;
  TimeLevels time_levels;

  Batches batches;
  std::vector<LevelBlocks> levels;             // [L + 1] of local time steps; entry 0 is not used
  std::int64_t owned_blocks = 0, blocks = 0;   // blocks: with ghosts
  std::vector<std::uint32_t> slot_of_element;  // [elements]
  std::vector<std::int64_t> element_of_slot;   // [owned slots] local element, -1 for padding
  std::vector<std::uint16_t> group_of_slot;    // [owned slots] volume group; padding: 0
  std::uint32_t first_halo_slot = 0;           // ghost slot of halo face i: first_halo_slot + i
  std::uint32_t first_incident_slot = 0;       // of absorbing face i, where there is an incident field
  std::uint32_t first_turned_slot = 0;         // of Bloch face i and copy k: first_turned_slot + 2 i + k
  std::uint32_t first_penalised_slot = 0;      // of penalised face i between elements: first_penalised_slot + i
  std::uint32_t zero_slot = 0;                 // always zero
  std::vector<AbsorbingFace> absorbing_faces;
  std::vector<BlochFace> bloch_faces;
  std::vector<std::uint32_t> turned_code;  // [Bloch faces][copy 2] NeighbourCode of what is behind them
  std::vector<Real> turned_factor;         // [Bloch faces][2] cos phase, sin phase

  double upwind = 0;                          // part of the upwind flux in the jumps between elements, 0 to 1
  std::vector<std::uint32_t> penalised_code;  // [penalised faces] NeighbourCode of what is behind them

  std::vector<std::uint32_t> neighbour;  // [block][face 4][lane]
  std::vector<Real> metric;              // [block][6][lane]; of curved elements the mean
  std::vector<std::int32_t> curved_block;  // [block] place in curved_metric, -1: straight elements; empty without curved ones
  std::vector<Real> curved_metric;         // [curved block][terms][6][lane] (kernels/curved.hpp)
  std::int64_t curved_blocks = 0;
  std::int64_t uneven_elements = 0;  // of this rank: curved, but with the mean metric, since the other is not positive
  std::vector<std::uint32_t> external;   // [boundary block][face 4][lane]
  std::int64_t boundary_blocks = 0, layer_blocks = 0, section_blocks = 0;
  LayerRates layer_rates;
  mesh::CurvedElements curved;
  HalfStepArrays<Real> electric, magnetic;
  std::vector<Real> level_Cb;  // [block of P_1][lane] m: c0 dt / eps_r, of the local time steps' inner half steps
  std::vector<ElementState<Real>> states;
  std::vector<Real> cpml_numbers;           // [section block][cpml_numbers][lane], of convolutional layers
  int cpml_inputs = -1, cpml_outputs = -1;  // places in `states` of what they keep; -1: no rank has them
  Dispersion<Real> dispersion;              // with poles states[state_of_poles] is what they keep

  /// boundary_kind: of each surface group. incident: absorbing faces get slots for an external field.
  /// field_lanes: cpu_field_lanes or cuda_field_lanes, those of the executor. levels: of local time steps.
  /// layers: on level 0 and out of reach of others; else throws Error. bloch: with a mesh of two copies whose levels
  /// are the same; on level 0 and out of reach of others as well. curved: `full` up to highest_curved_order. upwind:
  /// above 0 with neither local time steps nor Bloch faces; all elements are then of batches with boundary faces
  /// (docs/theory.md, "Penalty of jumps").
  Discretisation(const mesh::Subdomain& mesh, std::vector<physics::Medium> material,
                 const std::vector<physics::BoundaryKind>& boundary_kind, int order, bool incident, int field_lanes,
                 TimeLevels levels = {}, LayerRates layers = {}, std::vector<BlochFace> bloch = {},
                 mesh::CurvedElements curved = mesh::CurvedElements::mean, double upwind = 0);

  /// Fills Ca, Cb, level_Cb, the numbers of layers, the table of poles and coefficients of states for a time step, s.
  void set_time_step(double dt);
  /// Ca and Cb with which a half step computes terms.length / c0 times the derivative in time (Executor::apply).
  HalfStepArrays<Real> operator_coefficients(HalfStep half, const OperatorTerms& terms) const;
  /// Declares a state by its name, entries, of and coefficients. Before the executor is made.
  void add_state(ElementState<Real> state);
  /// Whether a batch has a kernel of its own in such a half step: for a state of its elements, or as a layer.
  bool has_own_kernel(const ElementTraits& batch, HalfStepWork work) const;
  /// Whether the metric of an element is that of each point. Elements of layers have the mean.
  bool is_curved(std::size_t element) const;
  bool is_in_layer(std::size_t element) const { return !layer_rates.empty() && !layer_rates[element].is_zero(); }

  /// [owned slots] global ids of the elements, -1 for padding.
  std::vector<std::int64_t> global_ids() const;
  /// Level l's blocks, 1 <= l <= L; beyond them: none.
  std::int64_t reach_of_level(int level) const { return level <= time_levels.finest ? levels[level].reach : 0; }
  const physics::Medium& material_of(std::size_t element) const { return material[mesh.element_group[element]]; }
  std::size_t field_reals() const;  // of one field array, ghosts included
  std::size_t owned_reals() const;  // of those, of owned slots: the first ones
  double memory_bytes() const;
  double pole_bytes() const;  // of what poles keep, read and written in a step

 private:
  void order_elements();
  void add_batch(ElementTraits traits, std::int64_t members);
  void link_neighbours(const std::vector<physics::BoundaryKind>& boundary_kind, bool incident);
  void link_penalised_faces();
  void link_bloch_faces();
  void link_levels();
  void fill_metric();
  void fill_curved_metric();
  void fill_boundary(const std::vector<physics::BoundaryKind>& boundary_kind);
  void add_poles();
  void add_cpml();
  void fill_damping(double dt);
  void fill_cpml(double dt);
};

}  // namespace dgtd::dg
