#include "dgtd/dg/order_joints.hpp"

#include <array>

#include "dgtd/dg/face_transfer.hpp"

namespace dgtd::dg {

namespace {

// Both components of a trace, [2][Nf].
template <class Real>
using TraceBuffer = std::array<Real, std::size_t{2} * most_face_nodes>;

// to[c][i] = sum_j matrix[i][j] from[c][j], in one order of additions on all ranks.
template <class Real>
void transfer(const std::vector<Real>& matrix, int rows, int columns, const Real* from, Real* to) {
  for (int c = 0; c < 2; ++c)
    for (int i = 0; i < rows; ++i) {
      Real sum = 0;
      for (int j = 0; j < columns; ++j)
        sum += matrix[static_cast<std::size_t>(i * columns + j)] * from[c * columns + j];
      to[c * rows + i] = sum;
    }
}

}  // namespace

template <class Real>
OrderJoints<Real>::OrderJoints(const OrderParts& parts, std::vector<const Discretisation<Real>*> d,
                               const parallel::Communicator& comm)
    : d_(std::move(d)) {
  for (const OrderPart& part : parts.parts) {
    mesh_.push_back(&part.mesh);
    entries_.push_back(face_trace_entries(part.order));
  }
  for (std::size_t low = 0; low < parts.parts.size(); ++low)
    for (std::size_t high = low + 1; high < parts.parts.size(); ++high) {
      Pair pair = make_pair(parts, low, high, comm);
      if (!pair.local.empty() || pair.messages) pairs_.push_back(std::move(pair));
    }
}

template <class Real>
typename OrderJoints<Real>::Side OrderJoints<Real>::side_of(const JointSide& side) const {
  const Discretisation<Real>& d = *d_[side.part];
  const mesh::HaloFace& at = mesh_[side.part]->halo_faces[side.halo_face];
  return {d.layout.first(d.slot_of_element[at.element]), d.layout.first(d.first_halo_slot + side.halo_face), at.face};
}

template <class Real>
typename OrderJoints<Real>::Pair OrderJoints<Real>::make_pair(const OrderParts& parts, std::size_t low,
                                                              std::size_t high,
                                                              const parallel::Communicator& comm) const {
  const int p = parts.parts[low].order, q = parts.parts[high].order;
  const auto rounded = [](const std::vector<double>& matrix) {
    return std::vector<Real>(matrix.begin(), matrix.end());
  };
  Pair pair{low, high, rounded(face_elevation(p, q)), rounded(face_projection(q, p)), {}, {}, {}, nullptr};
  for (const Joint& joint : parts.joints)
    if (joint.low.part == low && joint.high.part == high)
      pair.local.push_back({side_of(joint.low), side_of(joint.high)});
  parallel::HaloPlan plan;
  for (const RemoteJoint& joint : parts.remote) {
    const bool is_low = joint.mine.part == low && joint.order == q,
               is_high = joint.mine.part == high && joint.order == p;
    if (!is_low && !is_high) continue;
    if (plan.sends.empty() || plan.sends.back().rank != joint.rank)
      plan.sends.push_back({joint.rank, pair.remote.size(), 0});
    ++plan.sends.back().count;
    pair.remote.push_back(side_of(joint.mine));
    pair.is_low.push_back(is_low);
  }
  if (pair.remote.empty()) return pair;
  plan.receives = plan.sends;
  plan.faces = pair.remote.size();
  plan.reals_per_face = 2 * static_cast<std::size_t>(triangle_nodes(p));
  pair.messages = std::make_unique<parallel::HaloExchange<Real>>(std::move(plan), comm);
  return pair;
}

template <class Real>
void OrderJoints<Real>::read_trace_of(std::size_t part, const Side& side, const Real* field, Real* trace) const {
  const FaceTraceEntries& e = entries_[part];
  for (int i = 0; i < e.face_nodes; ++i)
    read_trace(field + side.element, d_[part]->layout.stride(), e.a.data(), e.b.data(), e.minus.data(), e.face_nodes,
               side.face, i, trace[i], trace[e.face_nodes + i]);
}

template <class Real>
void OrderJoints<Real>::write_ghost(std::size_t part, const Side& side, const Real* trace, Real* field) const {
  const FaceTraceEntries& e = entries_[part];
  const std::size_t stride = d_[part]->layout.stride();
  for (int i = 0; i < e.face_nodes; ++i) {
    const auto entry = static_cast<std::size_t>(ghost_face * e.face_nodes + i);
    field[side.ghost + static_cast<std::size_t>(e.a[entry]) * stride] = trace[i];
    field[side.ghost + static_cast<std::size_t>(e.b[entry]) * stride] = trace[e.face_nodes + i];
  }
}

// jump of the higher order E t_low - t_high, of the lower one R t_high - t_low.
template <class Real>
void OrderJoints<Real>::exchange_local(const Pair& pair, const std::vector<Field<Real>*>& fields) const {
  const int low_nodes = entries_[pair.low].face_nodes, high_nodes = entries_[pair.high].face_nodes;
  Real* const low = fields[pair.low]->host_for_writing();
  Real* const high = fields[pair.high]->host_for_writing();
  const auto count = static_cast<std::int64_t>(pair.local.size());
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < count; ++i) {
    const LocalJoint& joint = pair.local[static_cast<std::size_t>(i)];
    TraceBuffer<Real> of_low, of_high, result;
    read_trace_of(pair.low, joint.low, low, of_low.data());
    read_trace_of(pair.high, joint.high, high, of_high.data());
    transfer(pair.elevation, high_nodes, low_nodes, of_low.data(), result.data());
    write_ghost(pair.high, joint.high, result.data(), high);
    transfer(pair.projection, low_nodes, high_nodes, of_high.data(), result.data());
    write_ghost(pair.low, joint.low, result.data(), low);
  }
}

template <class Real>
void OrderJoints<Real>::send(Pair& pair, const std::vector<Field<Real>*>& fields) const {
  const int low_nodes = entries_[pair.low].face_nodes, high_nodes = entries_[pair.high].face_nodes;
  const Real* const low = fields[pair.low]->host();
  const Real* const high = fields[pair.high]->host();
  Real* const buffer = pair.messages->send_buffer();
  const auto count = static_cast<std::int64_t>(pair.remote.size());
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < count; ++i) {
    const auto at = static_cast<std::size_t>(i);
    Real* const message = buffer + at * 2 * static_cast<std::size_t>(low_nodes);
    if (pair.is_low[at]) {
      read_trace_of(pair.low, pair.remote[at], low, message);
      continue;
    }
    TraceBuffer<Real> trace;
    read_trace_of(pair.high, pair.remote[at], high, trace.data());
    transfer(pair.projection, low_nodes, high_nodes, trace.data(), message);
  }
  pair.messages->start();
}

template <class Real>
void OrderJoints<Real>::receive(Pair& pair, const std::vector<Field<Real>*>& fields) const {
  const int low_nodes = entries_[pair.low].face_nodes, high_nodes = entries_[pair.high].face_nodes;
  Real* const low = fields[pair.low]->host_for_writing();
  Real* const high = fields[pair.high]->host_for_writing();
  pair.messages->finish();
  const Real* const buffer = pair.messages->receive_buffer();
  const auto count = static_cast<std::int64_t>(pair.remote.size());
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < count; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const Real* const message = buffer + at * 2 * static_cast<std::size_t>(low_nodes);
    if (pair.is_low[at]) {
      write_ghost(pair.low, pair.remote[at], message, low);
      continue;
    }
    TraceBuffer<Real> trace;
    transfer(pair.elevation, high_nodes, low_nodes, message, trace.data());
    write_ghost(pair.high, pair.remote[at], trace.data(), high);
  }
}

template <class Real>
void OrderJoints<Real>::exchange(const std::vector<Field<Real>*>& fields) {
  for (Pair& pair : pairs_)
    if (pair.messages) send(pair, fields);
  for (const Pair& pair : pairs_) exchange_local(pair, fields);
  for (Pair& pair : pairs_)
    if (pair.messages) receive(pair, fields);
}

template <class Real>
double OrderJoints<Real>::wait_seconds() const {
  double seconds = 0;
  for (const Pair& pair : pairs_)
    if (pair.messages) seconds += pair.messages->wait_seconds();
  return seconds;
}

template <class Real>
double OrderJoints<Real>::memory_bytes() const {
  double bytes = 0;
  for (const Pair& pair : pairs_) {
    const double of_messages = 2.0 * 2 * entries_[pair.low].face_nodes * sizeof(Real);  // sent and received
    bytes += static_cast<double>(pair.local.size() * sizeof(LocalJoint)) +
             static_cast<double>(pair.remote.size()) * (sizeof(Side) + 1 + of_messages);
  }
  return bytes;
}

template class OrderJoints<float>;
template class OrderJoints<double>;

}  // namespace dgtd::dg
