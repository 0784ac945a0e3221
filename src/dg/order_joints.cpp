#include "dgtd/dg/order_joints.hpp"

#include <algorithm>
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
  const auto rounded = [](const std::vector<double>& matrix) {
    return std::vector<Real>(matrix.begin(), matrix.end());
  };
  for (std::size_t low = 0; low < parts.parts.size(); ++low)
    for (std::size_t high = low + 1; high < parts.parts.size(); ++high) {
      const int p = parts.parts[low].order, q = parts.parts[high].order;
      Pair pair{low, high, rounded(face_elevation(p, q)), rounded(face_projection(q, p)), {}};
      for (int level = 0; level <= d_.front()->time_levels.finest; ++level)
        pair.of_level.push_back(make_joints(parts, low, high, level, comm));
      if (!pair.of_level[0].local.empty() || pair.of_level[0].messages) pairs_.push_back(std::move(pair));
    }
}

template <class Real>
bool OrderJoints<Real>::has_level(const JointSide& side, int level) const {
  const TimeLevels& levels = d_[side.part]->time_levels;
  return level == 0 || levels.of_element[mesh_[side.part]->halo_faces[side.halo_face].element] >= level ||
         levels.of_halo[side.halo_face] >= level;
}

template <class Real>
typename OrderJoints<Real>::Side OrderJoints<Real>::side_of(const JointSide& side, int level) const {
  const Discretisation<Real>& d = *d_[side.part];
  const mesh::HaloFace& at = mesh_[side.part]->halo_faces[side.halo_face];
  Side result{d.slot_of_element[at.element], at.face, d.layout.first(d.first_halo_slot + side.halo_face), 0};
  if (level == 0) return result;
  const LevelBlocks& blocks = d.levels[static_cast<std::size_t>(level)];
  const auto place = std::lower_bound(blocks.halo_faces.begin(), blocks.halo_faces.end(), side.halo_face);
  result.level_ghost =
      d.layout.first(blocks.first_halo_slot + static_cast<std::uint32_t>(place - blocks.halo_faces.begin()));
  return result;
}

template <class Real>
typename OrderJoints<Real>::Joints OrderJoints<Real>::make_joints(const OrderParts& parts, std::size_t low,
                                                                  std::size_t high, int level,
                                                                  const parallel::Communicator& comm) const {
  const int p = parts.parts[low].order, q = parts.parts[high].order;
  Joints joints;
  for (const Joint& joint : parts.joints)
    if (joint.low.part == low && joint.high.part == high && has_level(joint.low, level))
      joints.local.push_back({side_of(joint.low, level), side_of(joint.high, level)});
  parallel::HaloPlan plan;
  for (const RemoteJoint& joint : parts.remote) {
    const bool is_low = joint.mine.part == low && joint.order == q,
               is_high = joint.mine.part == high && joint.order == p;
    if ((!is_low && !is_high) || !has_level(joint.mine, level)) continue;
    if (plan.sends.empty() || plan.sends.back().rank != joint.rank)
      plan.sends.push_back({joint.rank, joints.remote.size(), 0});
    ++plan.sends.back().count;
    joints.remote.push_back(side_of(joint.mine, level));
    joints.is_low.push_back(is_low);
  }
  if (joints.remote.empty()) return joints;
  plan.receives = plan.sends;
  plan.faces = joints.remote.size();
  plan.reals_per_face = 2 * static_cast<std::size_t>(triangle_nodes(p));
  joints.messages = std::make_unique<parallel::HaloExchange<Real>>(std::move(plan), comm);
  return joints;
}

template <class Real>
void OrderJoints<Real>::read_trace_of(std::size_t part, const Side& side, const PartField& field, Real* trace) const {
  const FaceTraceEntries& e = entries_[part];
  const FieldLayout& layout = d_[part]->layout;
  const Real* const first = field.source.of(side.slot) + layout.first(side.slot);
  for (int i = 0; i < e.face_nodes; ++i)
    read_trace(first, layout.stride(), e.a.data(), e.b.data(), e.minus.data(), e.face_nodes, side.face, i, trace[i],
               trace[e.face_nodes + i]);
}

template <class Real>
void OrderJoints<Real>::write_ghost(std::size_t part, const Side& side, const Real* trace,
                                    const PartField& field) const {
  const FaceTraceEntries& e = entries_[part];
  const std::size_t stride = d_[part]->layout.stride();
  Real* const ghost = field.ghosts + side.ghost_in(field.level);
  for (int i = 0; i < e.face_nodes; ++i) {
    const auto entry = static_cast<std::size_t>(ghost_face * e.face_nodes + i);
    ghost[static_cast<std::size_t>(e.a[entry]) * stride] = trace[i];
    ghost[static_cast<std::size_t>(e.b[entry]) * stride] = trace[e.face_nodes + i];
  }
}

// jump of the higher order E t_low - t_high, of the lower one R t_high - t_low.
template <class Real>
void OrderJoints<Real>::exchange_local(const Pair& pair, const Joints& joints,
                                       const std::vector<PartField>& fields) const {
  const int low_nodes = entries_[pair.low].face_nodes, high_nodes = entries_[pair.high].face_nodes;
  const PartField &low = fields[pair.low], &high = fields[pair.high];
  const auto count = static_cast<std::int64_t>(joints.local.size());
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < count; ++i) {
    const LocalJoint& joint = joints.local[static_cast<std::size_t>(i)];
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
void OrderJoints<Real>::send(const Pair& pair, const Joints& joints, const std::vector<PartField>& fields) const {
  const int low_nodes = entries_[pair.low].face_nodes, high_nodes = entries_[pair.high].face_nodes;
  Real* const buffer = joints.messages->send_buffer();
  const auto count = static_cast<std::int64_t>(joints.remote.size());
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < count; ++i) {
    const auto at = static_cast<std::size_t>(i);
    Real* const message = buffer + at * 2 * static_cast<std::size_t>(low_nodes);
    if (joints.is_low[at]) {
      read_trace_of(pair.low, joints.remote[at], fields[pair.low], message);
      continue;
    }
    TraceBuffer<Real> trace;
    read_trace_of(pair.high, joints.remote[at], fields[pair.high], trace.data());
    transfer(pair.projection, low_nodes, high_nodes, trace.data(), message);
  }
  joints.messages->start();
}

template <class Real>
void OrderJoints<Real>::receive(const Pair& pair, const Joints& joints, const std::vector<PartField>& fields) const {
  const int low_nodes = entries_[pair.low].face_nodes, high_nodes = entries_[pair.high].face_nodes;
  joints.messages->finish();
  const Real* const buffer = joints.messages->receive_buffer();
  const auto count = static_cast<std::int64_t>(joints.remote.size());
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < count; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const Real* const message = buffer + at * 2 * static_cast<std::size_t>(low_nodes);
    if (joints.is_low[at]) {
      write_ghost(pair.low, joints.remote[at], message, fields[pair.low]);
      continue;
    }
    TraceBuffer<Real> trace;
    transfer(pair.elevation, high_nodes, low_nodes, message, trace.data());
    write_ghost(pair.high, joints.remote[at], trace.data(), fields[pair.high]);
  }
}

template <class Real>
void OrderJoints<Real>::exchange(const std::vector<PartField>& fields, int level) {
  const auto at = static_cast<std::size_t>(level);
  for (const Pair& pair : pairs_)
    if (pair.of_level[at].messages) send(pair, pair.of_level[at], fields);
  for (const Pair& pair : pairs_) exchange_local(pair, pair.of_level[at], fields);
  for (const Pair& pair : pairs_)
    if (pair.of_level[at].messages) receive(pair, pair.of_level[at], fields);
}

template <class Real>
void OrderJoints<Real>::exchange(const std::vector<Field<Real>*>& fields) {
  std::vector<PartField> of_parts;
  for (Field<Real>* const field : fields) {
    Real* const values = field->host_for_writing();
    of_parts.push_back({{values}, values});
  }
  exchange(of_parts, 0);
}

// E's half step of a level reads H in a field, H's reads E in a field of LevelBlocks.
template <class Real>
void OrderJoints<Real>::exchange_level(const std::vector<LevelStep<Real>>& steps) {
  std::vector<PartField> of_parts;
  for (const LevelStep<Real>& step : steps) {
    Real* const values = step.source->host_for_writing();
    of_parts.push_back({step.fields.source(values), values, step.half == HalfStep::magnetic});
  }
  exchange(of_parts, steps.front().level);
}

template <class Real>
double OrderJoints<Real>::wait_seconds() const {
  double seconds = 0;
  for (const Pair& pair : pairs_)
    for (const Joints& joints : pair.of_level)
      if (joints.messages) seconds += joints.messages->wait_seconds();
  return seconds;
}

template <class Real>
double OrderJoints<Real>::memory_bytes() const {
  double bytes = 0;
  for (const Pair& pair : pairs_) {
    const double of_messages = 2.0 * 2 * entries_[pair.low].face_nodes * sizeof(Real);  // sent and received
    for (const Joints& joints : pair.of_level)
      bytes += static_cast<double>(joints.local.size() * sizeof(LocalJoint)) +
               static_cast<double>(joints.remote.size()) * (sizeof(Side) + 1 + of_messages);
  }
  return bytes;
}

template class OrderJoints<float>;
template class OrderJoints<double>;

}  // namespace dgtd::dg
