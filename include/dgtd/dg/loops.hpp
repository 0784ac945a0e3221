#pragma once
// Bodies of the loops over lists of coefficients and faces, written once for CPU and CUDA
// (parallel::Backend::for_each).
#include <cmath>
#include <variant>

#include "dgtd/base/hash.hpp"
#include "dgtd/dg/port_loops.hpp"
#include "dgtd/dg/split_field.hpp"
#include "dgtd/parallel/array_operations.hpp"
#include "dgtd/parallel/gather.hpp"
#include "dgtd/physics/delayed_waveform.hpp"

namespace dgtd::dg {

/// numbers[i] = values[i], which are a part of the loop itself: a launch brings them to a device.
struct WriteNumbers {
  static constexpr int most = 256;
  double* numbers;
  double values[most];
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const { numbers[i] = values[i]; }
};

/// field[index[i]] += f increment[i]
template <class Real>
struct AddCurrent {
  Real* field;
  const std::uint64_t* index;
  const double* increment;
  LoopNumber f;
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const {
    Real& u = field[index[i]];
    u = static_cast<Real>(u + f * increment[i]);
  }
};

/// A term of a functional of a field: weight[i] field[index[i]].
template <class Real>
struct WeightedCoefficient {
  const Real* field;
  const std::uint64_t* index;
  const double* weight;
  DGTD_HOST_DEVICE double operator()(std::int64_t i) const { return weight[i] * field[index[i]]; }
};

/// values[i] = f(time - delay[i])
struct SampleWaveform {
  physics::WaveformShape shape;
  LoopNumber time;      // s
  const double* delay;  // s
  double* values;
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const { values[i] = physics::value(shape, time - delay[i]); }
};

/// Writes the trace of a plane wave into the ghost slot behind absorbing face i / Nf, node i % Nf, or adds it to what
/// is there.
template <class Real>
struct WriteWave {
  Real* field;
  FieldLayout layout;
  std::uint32_t first_slot;      // of face 0
  const int *entry_a, *entry_b;  // [Nf] FaceTraceEntries of the ghost face
  int face_nodes;                // Nf
  const double* along;           // [faces][2] amplitude along e_a, e_b
  const double* interpolation;   // [Nf][Nf] from values at the points to coefficients
  const double* values;          // [faces][Nf] the waveform at the points
  bool overwrite;
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const {
    const int face = static_cast<int>(i / face_nodes), r = static_cast<int>(i % face_nodes);
    const double* const at_points = values + std::size_t(face) * face_nodes;
    double f = 0;
    for (int j = 0; j < face_nodes; ++j) f += interpolation[r * face_nodes + j] * at_points[j];
    Real* const first = field + layout.first(first_slot + static_cast<std::uint32_t>(face));
    Real& u_a = first[entry_a[r] * layout.stride()];
    Real& u_b = first[entry_b[r] * layout.stride()];
    u_a = (overwrite ? Real(0) : u_a) + static_cast<Real>(along[2 * face] * f);
    u_b = (overwrite ? Real(0) : u_b) + static_cast<Real>(along[2 * face + 1] * f);
  }
};

/// values[i] = weight[i] times the waveform at `time` after the delay delay[i] of a leap-frog scheme with steps of dt
struct SampleDelayed {
  physics::WaveformShape shape;
  LoopNumber time;               // s
  double dt;                     // s
  double start;                  // s, from which the scheme slows the waveform down
  const double *weight, *delay;  // 1, s
  double* values;
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const {
    values[i] = weight[i] * physics::delayed_value(shape, time - start, delay[i] - start, dt);
  }
};

/// values[i] = sum over parts of a number times weight[part][i]
struct ScaleWeights {
  const double* numbers;  // [parts][2], of which the first counts
  int parts;
  std::int64_t count;    // of the values
  const double* weight;  // [parts][count]
  double* values;
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const {
    double sum = 0;
    for (int k = 0; k < parts; ++k) sum += numbers[2 * k] * weight[k * count + i];
    values[i] = sum;
  }
};

/// A face at which a source launches waves as one of the two elements beside it has it, for one half step.
struct SurfaceSide {
  std::uint64_t first;   // the element's first coefficient in a field array
  std::uint32_t values;  // the face's first value of the waveform
  int face;              // of the element
  double change[3];      // V/m times m: change of covariant component k for the lift of a waveform of 1
  double flux[2];        // J/V: half the work in the step per integral of trace component a or b times the waveform
};

/// Adds the lifted trace of an incident wave to the elements beside the surface; i = element Np + node.
template <class Real>
struct AddSurfaceWave {
  Real* field;
  Real* other;                // where the first `other_reals` coefficients are
  std::uint64_t other_reals;  // 0: all are in `field`
  std::size_t stride;         // between an element's coefficients
  int nodes, points;          // Np, points at which the wave is sampled on a face
  const SurfaceSide* sides;
  const std::uint32_t* first_side;  // [elements + 1] of each element
  const double* lift;               // [face 4][Np][points]
  const double* values;             // [faces][points] SampleDelayed, ScaleWeights
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const {
    const std::int64_t element = i / nodes;
    const int node = static_cast<int>(i % nodes);
    double sum[3] = {};
    for (std::uint32_t s = first_side[element]; s < first_side[element + 1]; ++s) {
      const double* const row = lift + std::size_t(sides[s].face * nodes + node) * points;
      double f = 0;
      for (int j = 0; j < points; ++j) f += row[j] * values[sides[s].values + j];
      for (int k = 0; k < 3; ++k) sum[k] += sides[s].change[k] * f;
    }
    const std::uint64_t first = sides[first_side[element]].first;
    Real* const at = (first < other_reals ? other : field) + first;
    for (int k = 0; k < 3; ++k) {
      Real& u = at[std::size_t(k * nodes + node) * stride];
      u = static_cast<Real>(u + sum[k]);
    }
  }
};

/// work[i] += the part of node i % Nf of side i / Nf in half the work of an incident wave in a half step, with the
/// field before it or after it.
template <class Real>
struct AddSurfaceWork {
  const Real* field;
  std::size_t stride;                    // between an element's coefficients
  const int *entry_a, *entry_b, *minus;  // FaceTraceEntries
  int face_nodes, points;                // Nf, points at which the wave is sampled on a face
  const SurfaceSide* sides;
  const double* moments;  // [Nf][points] integrals of B_i times the waveform on a reference triangle
  const double* values;   // [faces][points] SampleDelayed
  double* work;           // [sides][Nf] J
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const {
    const SurfaceSide& side = sides[i / face_nodes];
    const int node = static_cast<int>(i % face_nodes);
    double f = 0;
    for (int j = 0; j < points; ++j) f += moments[node * points + j] * values[side.values + j];
    Real a, b;
    read_trace(field + side.first, stride, entry_a, entry_b, minus, face_nodes, side.face, node, a, b);
    work[i] += (side.flux[0] * a + side.flux[1] * b) * f;
  }
};

/// Both components of a trace at a node, written at once: half as many stores, whole sectors over a link between
/// devices.
template <class Real>
struct alignas(2 * sizeof(Real)) TracePair {
  Real a, b;
};

/// traces[face][Nf][t_a, t_b] of owned elements; i = face Nf + node.
template <class Real>
struct PackTraces {
  SplitField<Real> field;
  FieldLayout layout;
  const std::uint32_t* code;             // [faces] NeighbourCode of the owned element and its face
  const int *entry_a, *entry_b, *minus;  // FaceTraceEntries
  int face_nodes;                        // Nf
  parallel::SendView<Real> traces;
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const {
    const int face = static_cast<int>(i / face_nodes), k = static_cast<int>(i % face_nodes);
    TracePair<Real> trace;
    const std::uint32_t slot = NeighbourCode::slot(code[face]);
    read_trace(field.of(slot) + layout.first(slot), layout.stride(), entry_a, entry_b, minus, face_nodes,
               NeighbourCode::face(code[face]), k, trace.a, trace.b);
    *reinterpret_cast<TracePair<Real>*>(traces.at(2 * i)) = trace;
  }
};

/// The same traces of other ranks into the ghost slots.
template <class Real>
struct UnpackTraces {
  Real* field;
  FieldLayout layout;
  std::uint32_t first_slot;      // of face 0
  const std::uint32_t* place;    // [faces] ghost slots after first_slot; null: face i has place i
  const int *entry_a, *entry_b;  // [Nf] of the ghost face
  int face_nodes;                // Nf
  const Real* traces;
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const {
    const int face = static_cast<int>(i / face_nodes), k = static_cast<int>(i % face_nodes);
    const std::uint32_t at = place == nullptr ? static_cast<std::uint32_t>(face) : place[face];
    Real* const first = field + layout.first(first_slot + at);
    const TracePair<Real> trace = reinterpret_cast<const TracePair<Real>*>(traces)[i];
    first[entry_a[k] * layout.stride()] = trace.a;
    first[entry_b[k] * layout.stride()] = trace.b;
  }
};

/// The traces behind penalised faces into their ghost slots; i = iterations, face i / (32 Nf) 32 + i % 32 and node
/// i / 32 % Nf: neighbouring lanes write neighbouring reals.
template <class Real>
struct CopyTraces {
  Real* field;
  FieldLayout layout;
  std::uint32_t first_slot;  // Discretisation::first_penalised_slot
  std::int64_t faces;
  const std::uint32_t* code;             // [faces] NeighbourCode of the neighbours
  const int *entry_a, *entry_b, *minus;  // FaceTraceEntries
  int face_nodes;                        // Nf
  std::int64_t iterations() const { return (faces + block_lanes - 1) / block_lanes * block_lanes * face_nodes; }
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const {
    const std::int64_t face = i / (block_lanes * face_nodes) * block_lanes + i % block_lanes;
    if (face >= faces) return;
    const int k = static_cast<int>(i / block_lanes % face_nodes), ghost = ghost_face * face_nodes + k;
    const std::uint32_t from = code[face];
    Real a, b;
    read_trace(static_cast<const Real*>(field) + layout.first(NeighbourCode::slot(from)), layout.stride(), entry_a,
               entry_b, minus, face_nodes, NeighbourCode::face(from), k, a, b);
    Real* const to = field + layout.first(first_slot + static_cast<std::uint32_t>(face));
    to[entry_a[ghost] * layout.stride()] = a;
    to[entry_b[ghost] * layout.stride()] = b;
  }
};

/// Bloch's condition: the traces behind Bloch face i / Nf, exp(i phase) times those of the neighbour's two copies, into
/// the ghost slots of the face.
template <class Real>
struct TurnTraces {
  Real* field;
  FieldLayout layout;
  std::uint32_t first_slot;              // Discretisation::first_turned_slot
  const std::uint32_t* code;             // [faces][copy 2] NeighbourCode of the neighbours
  const Real* factor;                    // [faces][2] cos phase, sin phase
  const int *entry_a, *entry_b, *minus;  // FaceTraceEntries
  int face_nodes;                        // Nf
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const {
    const auto face = static_cast<std::size_t>(i / face_nodes);
    const int k = static_cast<int>(i % face_nodes);
    TracePair<Real> trace[2];
    for (int copy = 0; copy < 2; ++copy) {
      const std::uint32_t from = code[2 * face + copy];
      read_trace(static_cast<const Real*>(field) + layout.first(NeighbourCode::slot(from)), layout.stride(), entry_a,
                 entry_b, minus, face_nodes, NeighbourCode::face(from), k, trace[copy].a, trace[copy].b);
    }
    const Real c = factor[2 * face], s = factor[2 * face + 1];
    const int ghost = ghost_face * face_nodes + k;
    Real* const real = field + layout.first(first_slot + static_cast<std::uint32_t>(2 * face));
    Real* const imaginary = field + layout.first(first_slot + static_cast<std::uint32_t>(2 * face + 1));
    real[entry_a[ghost] * layout.stride()] = c * trace[0].a - s * trace[1].a;
    real[entry_b[ghost] * layout.stride()] = c * trace[0].b - s * trace[1].b;
    imaginary[entry_a[ghost] * layout.stride()] = s * trace[0].a + c * trace[1].a;
    imaginary[entry_b[ghost] * layout.stride()] = s * trace[0].b + c * trace[1].b;
  }
};

/// Coefficients in [-1, 1) of both fields, from integers that are independent of the partition (splitmix64);
/// i = coefficient i / lanes % (3 Np) of slot i / (3 Np lanes) lanes + i % lanes.
template <class Real>
struct WriteRandom {
  Real *electric, *magnetic;
  FieldLayout layout;
  const std::int64_t* element_id;  // [slots] global; -1: padding, which stays as it is
  static DGTD_HOST_DEVICE double number(std::uint64_t element, std::uint64_t entry) {
    const std::uint64_t z =
        mixed_bits(element * 0x9e3779b97f4a7c15u + entry * 0xbf58476d1ce4e5b9u + 0x94d049bb133111ebu);
    return static_cast<double>(static_cast<std::int64_t>(z)) * 0x1p-63;
  }
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const {
    const std::int64_t coefficients = std::int64_t{3} * layout.nodes, lanes = layout.lanes;
    const std::int64_t slot = i / (coefficients * lanes) * lanes + i % lanes, entry = i / lanes % coefficients;
    if (element_id[slot] < 0) return;
    const auto id = static_cast<std::uint64_t>(element_id[slot]);
    const std::size_t at = layout.first(static_cast<std::uint32_t>(slot)) + std::size_t(entry) * layout.stride();
    electric[at] = static_cast<Real>(number(id, 2 * std::uint64_t(entry)));
    magnetic[at] = static_cast<Real>(number(id, 2 * std::uint64_t(entry) + 1));
  }
};

/// hash[slot]: of an element's global id and the coefficients of both fields; 0 for padding.
template <class Real>
struct HashElements {
  const Real *electric, *magnetic;
  FieldLayout layout;
  const std::int64_t* element_id;  // [slots] global; -1: padding
  std::uint64_t* hash;             // [slots]
  DGTD_HOST_DEVICE void operator()(std::int64_t slot) const {
    if (element_id[slot] < 0) {
      hash[slot] = 0;
      return;
    }
    const std::size_t first = layout.first(static_cast<std::uint32_t>(slot)), stride = layout.stride();
    Hash h;
    h.add(element_id[slot]);
    for (const Real* const field : {electric + first, magnetic + first})
      for (std::size_t i = 0; i < std::size_t{3} * layout.nodes; ++i)
        h.add(field[i * stride] + Real(0));  // -0 and 0 are one value
    hash[slot] = h.value();
  }
};

/// factors[2 i], factors[2 i + 1] = weight cos(w_i t), weight sin(w_i t)
template <class Real>
struct WritePhases {
  const double* angular;  // w_i, rad/s
  double time, weight;    // t, s
  Real* factors;          // [frequencies][2]
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const {
    factors[2 * i] = static_cast<Real>(weight * ::cos(angular[i] * time));
    factors[2 * i + 1] = static_cast<Real>(weight * ::sin(angular[i] * time));
  }
};

/// Adds coefficient index[i] of a field to Fourier sums at several frequencies: sums[f] += factors[f] field[index[i]].
template <class Real>
struct AddToSums {
  const Real* field;
  const std::uint64_t* index;
  const Real* factors;  // [frequencies][2]
  Real* sums;           // [frequencies][Re, Im][i]; stride: from one frequency to the next, part: from Re to Im
  std::int64_t frequencies, stride, part;
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const {
    const Real u = field[index[i]];
    for (std::int64_t f = 0; f < frequencies; ++f) {
      sums[f * stride + i] += factors[2 * f] * u;
      sums[f * stride + part + i] += factors[2 * f + 1] * u;
    }
  }
};

/// Fourier sums of complex fields a + i b, from A and B, the sums of the two copies of element i / (3 Np): F = A + i B in
/// the place of A, i G = B + i A in the place of B.
template <class Real>
struct JoinCopies {
  Real *real, *imaginary;  // parts of the sums
  FieldLayout layout;
  const std::uint32_t* slot;  // [elements][copy 2]
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const {
    const std::int64_t coefficients = std::int64_t{3} * layout.nodes, element = i / coefficients;
    const std::size_t entry = std::size_t(i % coefficients) * layout.stride();
    const std::size_t first = layout.first(slot[2 * element]) + entry, second = layout.first(slot[2 * element + 1]) + entry;
    const Real a = real[first], b = real[second];
    real[first] = a - imaginary[second];
    real[second] = b - imaginary[first];
    imaginary[first] += b;
    imaginary[second] += a;
  }
};

/// A loop that the solver gives to its executor. A new body is one more type here.
template <class Real>
using Loop =
    std::variant<parallel::CopyReals<Real>, parallel::ScaleReals<Real>, parallel::AddReals<Real>,
                 parallel::AddTwo<Real>, parallel::AddPhasor<Real>, AddCurrent<Real>, SampleWaveform, WriteWave<Real>,
                 WriteNumbers, WriteRandom<Real>, parallel::Gather<Real>, HashElements<Real>, WritePhases<Real>,
                 AddToSums<Real>, SampleDelayed, ScaleWeights, AddSurfaceWave<Real>, AddSurfaceWork<Real>,
                 ReadPort<Real>, MeanOfPort<Real>, StepCircuits, LiftPort<Real>, JoinCopies<Real>>;

/// Whether a body may write coefficients of elements, of which the next exchange sends traces.
template <class Body>
inline constexpr bool writes_elements = true;
template <class Real>
inline constexpr bool writes_elements<parallel::AddPhasor<Real>> = false;
template <>
inline constexpr bool writes_elements<SampleWaveform> = false;
template <>
inline constexpr bool writes_elements<SampleDelayed> = false;
template <>
inline constexpr bool writes_elements<ScaleWeights> = false;
template <>
inline constexpr bool writes_elements<WriteNumbers> = false;
template <class Real>
inline constexpr bool writes_elements<AddSurfaceWork<Real>> = false;
template <class Real>
inline constexpr bool writes_elements<WriteWave<Real>> = false;
template <class Real>
inline constexpr bool writes_elements<HashElements<Real>> = false;
template <class Real>
inline constexpr bool writes_elements<parallel::Gather<Real>> = false;
template <class Real>
inline constexpr bool writes_elements<WritePhases<Real>> = false;
template <class Real>
inline constexpr bool writes_elements<AddToSums<Real>> = false;
template <class Real>
inline constexpr bool writes_elements<ReadPort<Real>> = false;
template <class Real>
inline constexpr bool writes_elements<MeanOfPort<Real>> = false;
template <>
inline constexpr bool writes_elements<StepCircuits> = false;
template <class Real>
inline constexpr bool writes_elements<JoinCopies<Real>> = false;

}  // namespace dgtd::dg
