// Figures of DgSolver's fields from which errors are estimated (docs/theory.md, "Estimate of the error"), in double
// precision on the host, where the fields are copied.
#include <algorithm>
#include <cmath>
#include <complex>
#include <map>
#include <numeric>
#include <set>

#include "batch_arrays.hpp"
#include "dgtd/dg/degree_parts.hpp"
#include "dgtd/dg/dg_solver.hpp"
#include "dgtd/dg/element_geometry.hpp"
#include "dgtd/dg/face_trace.hpp"
#include "element_work.hpp"

namespace dgtd::dg {

namespace {

using Complex = std::complex<double>;
using FaceKind = mesh::FaceLink::Kind;

std::uint64_t face_key(std::size_t element, int face) { return 4 * std::uint64_t(element) + std::uint64_t(face); }

/// Tangential traces of a complex field, whose imaginary part may be absent.
template <class Real>
class Traces {
 public:
  /// joints: fields whose ghost slots have what is behind the faces between orders; null where there are none.
  Traces(const Discretisation<Real>& d, const std::array<const Real*, 2>& parts, const JointFields<Real>& joints,
         const parallel::Communicator& comm)
      : d_(d), parts_(parts), entries_(face_trace_entries(d.order)) {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (parts_[i] == nullptr) continue;
      exchange(parts_[i], behind_halo_[i], comm);
      if (joints[i] != nullptr) read_joints(joints[i]->host(), behind_halo_[i]);
    }
  }

  /// [component a, b][Nf] of an element at its face.
  void of_element(std::size_t element, int face, Complex* trace) const {
    const std::size_t first = d_.layout.first(d_.slot_of_element[element]);
    for (std::size_t i = 0; i < parts_.size(); ++i)
      if (parts_[i] != nullptr)
        for (int n = 0; n < entries_.face_nodes; ++n) {
          Real a, b;
          read(parts_[i] + first, face, n, a, b);
          set(trace[n], i, a), set(trace[entries_.face_nodes + n], i, b);
        }
  }
  /// The same behind a halo face.
  void behind_halo(std::size_t halo_face, Complex* trace) const {
    const int values = 2 * entries_.face_nodes;
    for (std::size_t i = 0; i < parts_.size(); ++i)
      if (parts_[i] != nullptr)
        for (int n = 0; n < values; ++n) set(trace[n], i, behind_halo_[i][halo_face * values + n]);
  }
  int face_nodes() const { return entries_.face_nodes; }

 private:
  static void set(Complex& to, std::size_t part, double value) { part == 0 ? to.real(value) : to.imag(value); }
  void read(const Real* first, int face, int node, Real& a, Real& b) const {
    read_trace(first, d_.layout.stride(), entries_.a.data(), entries_.b.data(), entries_.minus.data(),
               entries_.face_nodes, face, node, a, b);
  }
  // received: [halo faces][component 2][Nf]
  void exchange(const Real* field, std::vector<Real>& received, const parallel::Communicator& comm) {
    const auto& faces = d_.mesh.halo_faces;
    std::vector<std::uint32_t> all(faces.size());
    std::iota(all.begin(), all.end(), 0u);
    parallel::HaloExchange<Real> halo(halo_plan(d_, all), comm);
    Real* to = halo.send_buffer();
    const int n = entries_.face_nodes;
    for (const mesh::HaloFace& face : faces) {
      const Real* const first = field + d_.layout.first(d_.slot_of_element[face.element]);
      for (int i = 0; i < n; ++i) read(first, face.face, i, to[i], to[n + i]);
      to += 2 * n;
    }
    halo.start();
    halo.finish();
    received.assign(halo.receive_buffer(), halo.receive_buffer() + faces.size() * 2 * static_cast<std::size_t>(n));
  }

  // received: as of exchange()
  void read_joints(const Real* field, std::vector<Real>& received) const {
    const auto n = static_cast<std::size_t>(entries_.face_nodes);
    for (std::size_t face = exchanged_faces(d_.mesh); face < d_.mesh.halo_faces.size(); ++face) {
      const Real* const ghost = field + d_.layout.first(d_.first_halo_slot + static_cast<std::uint32_t>(face));
      Real* const to = received.data() + face * 2 * n;
      for (std::size_t i = 0; i < n; ++i) {
        const std::size_t entry = ghost_face * n + i;
        to[i] = ghost[static_cast<std::size_t>(entries_.a[entry]) * d_.layout.stride()];
        to[n + i] = ghost[static_cast<std::size_t>(entries_.b[entry]) * d_.layout.stride()];
      }
    }
  }

  const Discretisation<Real>& d_;
  std::array<const Real*, 2> parts_;
  FaceTraceEntries entries_;
  std::array<std::vector<Real>, 2> behind_halo_;
};

/// Squared norm of the least field in an element whose tangential trace on a face is (t_a, t_b), with the least
/// extension W of each Cartesian component and none of the normal one:
///   |J| sum over parts of (g_bb t_a . W t_a - 2 g_ab t_a . W t_b + g_aa t_b . W t_b) / (2 A)^2,
/// as |w_t|^2 = g^kl w_k w_l on the face with g_ab = e_a . e_b of its straight edges.
double extension_of(const std::vector<double>& W, int n, const Complex* trace, const FaceGeometry& face, double J) {
  double aa = 0, ab = 0, bb = 0;
  for (int i = 0; i < n; ++i) {
    Complex wa = 0, wb = 0;
    for (int j = 0; j < n; ++j) wa += W[i * n + j] * trace[j], wb += W[i * n + j] * trace[n + j];
    aa += (std::conj(trace[i]) * wa).real();
    ab += (std::conj(trace[i]) * wb).real();
    bb += (std::conj(trace[n + i]) * wb).real();
  }
  const double sum =
      dot(face.edge_b, face.edge_b) * aa - 2 * dot(face.edge_a, face.edge_b) * ab + dot(face.edge_a, face.edge_a) * bb;
  return std::abs(J) * sum / (4 * face.area * face.area);
}

/// [element face keys] factor by which what is behind a face is multiplied.
template <class Real>
std::map<std::uint64_t, Complex> bloch_factors(const Discretisation<Real>& d) {
  std::map<std::uint64_t, Complex> factors;
  for (const BlochFace& face : d.bloch_faces) factors[face_key(face.element, face.face)] = std::polar(1.0, face.phase);
  return factors;
}

/// The part of the jumps of one field.
template <class Real>
void add_jumps(const Discretisation<Real>& d, const Traces<Real>& traces, bool has_imaginary,
               const std::vector<Real>& mirror, const std::set<std::uint64_t>& left_out, std::vector<double>& jump) {
  const int n = traces.face_nodes();
  const std::vector<double> W = least_extension(d.order);
  const auto factors = bloch_factors(d);
#pragma omp parallel for schedule(static)
  for (std::size_t e = 0; e < jump.size(); ++e) {
    const ElementGeometry geometry(d.mesh, e);
    std::vector<Complex> own(2 * static_cast<std::size_t>(n)), other(own.size());
    for (int f = 0; f < 4; ++f) {
      const mesh::FaceLink& link = d.mesh.element_faces[e][f];
      if (left_out.count(face_key(e, f)) > 0) continue;
      traces.of_element(e, f, own.data());
      if (link.kind == FaceKind::element) traces.of_element(link.index, link.face, other.data());
      else if (link.kind == FaceKind::halo) traces.behind_halo(link.index, other.data());
      else {  // a field that changes its sign at a mirror is zero there; an absorbing face has no trace behind it
        const std::uint32_t slot = d.slot_of_element[e];
        if (mirror[lane_index(boundary_slot(d.batches, slot), 4, f)] >= 0) continue;
        for (std::size_t i = 0; i < own.size(); ++i) other[i] = -own[i];
      }
      const auto factor = factors.find(face_key(e, f));
      if (factor != factors.end() && !has_imaginary) continue;
      for (std::size_t i = 0; i < own.size(); ++i)
        own[i] = 0.5 * (own[i] - (factor != factors.end() ? factor->second * other[i] : other[i]));
      jump[e] += extension_of(W, n, own.data(), FaceGeometry(geometry, f), geometry.determinant);
    }
  }
}

template <class Real>
solver::FieldIndicators indicators_of(const Discretisation<Real>& d, const Field<Real>& real,
                                      const Field<Real>* imaginary, const std::vector<Real>& mirror,
                                      const std::set<std::uint64_t>& left_out, const JointFields<Real>& joints,
                                      const parallel::Communicator& comm) {
  std::vector<Real> buffers[2];
  const std::array<const Real*, 2> parts{
      real.piece(0, d.owned_reals(), buffers[0]),
      imaginary != nullptr ? imaginary->piece(0, d.owned_reals(), buffers[1]) : nullptr};
  const std::size_t elements = d.mesh.first_copies();
  const DegreeParts degree_parts(d.order);
  solver::FieldIndicators result{degree_parts.degrees(), {}, std::vector<double>(elements)};
  result.energy.resize(elements * static_cast<std::size_t>(result.degrees));
#pragma omp parallel for schedule(static)
  for (std::size_t e = 0; e < elements; ++e) {
    const std::uint32_t slot = d.slot_of_element[e], lane = slot % block_lanes;
    const LaneMetric metric =
        lane_metric(d.metric.data() + std::size_t(slot / block_lanes) * 6 * block_lanes, static_cast<int>(lane));
    for (const Real* part : parts)
      if (part != nullptr)
        degree_parts.add(part + d.layout.first(slot), d.layout.stride(), metric.inverse,
                         &result.energy[e * static_cast<std::size_t>(result.degrees)]);
  }
  const Traces<Real> traces(d, parts, joints, comm);
  add_jumps(d, traces, imaginary != nullptr, mirror, left_out, result.jump);
  return result;
}

}  // namespace

// The mirror of a boundary belongs to the field that drives: that of E is in the half step of H.
template <class Real>
solver::FieldIndicators DgSolver<Real>::error_indicators(solver::Quantity::Field field,
                                                         std::optional<std::size_t> frequency) const {
  return error_indicators(field, frequency, JointFields<Real>{});
}

template <class Real>
solver::FieldIndicators DgSolver<Real>::error_indicators(solver::Quantity::Field field,
                                                         std::optional<std::size_t> frequency,
                                                         const JointFields<Real>& joints) const {
  const bool is_electric = field == solver::Quantity::Field::electric;
  const std::vector<Real>& mirror = (is_electric ? d_->magnetic : d_->electric).mirror;
  std::set<std::uint64_t> left_out;
  for (const auto& face : sources_.source_faces())
    if (!face.magnetic_only || !is_electric) left_out.insert(face_key(face.element, face.face));
  if (!frequency)
    return indicators_of<Real>(*d_, is_electric ? electric_ : magnetic_, nullptr, mirror, left_out, joints, comm_);
  return with_phasor(*frequency, [&](const Phasor<Real>& p) {
    return is_electric ? indicators_of(*d_, p.electric_real, &p.electric_imag, mirror, left_out, joints, comm_)
                       : indicators_of(*d_, p.magnetic_real, &p.magnetic_imag, mirror, left_out, joints, comm_);
  });
}

// Two fields where they are copied from a device, traces behind halo faces with the buffers of their exchange, the
// figures.
template <class Real>
double DgSolver<Real>::error_indicator_bytes() const {
  const double copies = executor_->memory().is_host() ? 0 : 2.0 * double(d_->owned_reals()) * sizeof(Real);
  const double halo = 8.0 * triangle_nodes(d_->order) * double(d_->mesh.halo_faces.size()) * sizeof(Real);
  return copies + halo + double(d_->mesh.first_copies()) * (d_->order + 2) * sizeof(double);
}

template class DgSolver<float>;
template class DgSolver<double>;

}  // namespace dgtd::dg
