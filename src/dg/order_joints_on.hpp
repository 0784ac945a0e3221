#pragma once
// OrderJoints on a back end.
#include <algorithm>
#include <array>

#include "dgtd/dg/face_trace.hpp"
#include "dgtd/dg/face_transfer.hpp"
#include "dgtd/dg/joint_loops.hpp"
#include "dgtd/dg/order_joints.hpp"
#include "dgtd/parallel/array.hpp"
#include "dgtd/parallel/backend.hpp"

namespace dgtd::dg {

template <class Real, class Backend>
class OrderJointsOn final : public OrderJoints<Real> {
  template <class T>
  using Array = parallel::Array<T>;
  using Queue = parallel::Queue;
  using Exchange = typename Backend::template Exchange<Real>;

 public:
  /// d, backends: [parts] discretisations of the parts' meshes, and where their executors work, which may be the same.
  /// All outlive the object; so do their addresses. Collective.
  OrderJointsOn(const OrderParts& parts, const std::vector<const Discretisation<Real>*>& d,
                std::vector<std::shared_ptr<Backend>> backends, const parallel::Communicator& comm)
      : backends_(std::move(backends)) {
    for (std::size_t p = 0; p < d.size(); ++p) {
      const FaceTraceEntries e = face_trace_entries(parts.parts[p].order);
      parts_.push_back({d[p], &parts.parts[p].mesh, e.face_nodes, copy(e.a), copy(e.b), copy(e.minus)});
    }
    for (std::size_t low = 0; low < parts_.size(); ++low)
      for (std::size_t high = low + 1; high < parts_.size(); ++high) {
        const int p = parts.parts[low].order, q = parts.parts[high].order;
        Pair pair{low, high, copy_rounded(face_elevation(p, q)), copy_rounded(face_projection(q, p)), {}};
        for (int level = 0; level <= d.front()->time_levels.finest; ++level)
          pair.of_level.push_back(make_joints(parts, low, high, level, comm));
        has_messages_ = has_messages_ || pair.of_level[0].messages != nullptr;
        if (pair.of_level[0].local_low.count > 0 || pair.of_level[0].messages) pairs_.push_back(std::move(pair));
      }
    for (std::size_t level = 0; level <= static_cast<std::size_t>(d.front()->time_levels.finest); ++level) {
      std::int64_t joints = 0;
      for (const Pair& pair : pairs_)
        joints += pair.of_level[level].local_low.count + (pair.of_level[level].messages ? 1 : 0);
      has_joints_.push_back(comm.max(joints) > 0);
    }
  }

  void exchange(const std::vector<Field<Real>*>& fields) override {
    std::vector<PartField> of_parts;
    for (Field<Real>* const field : fields) {
      Real* const values = field->write();
      of_parts.push_back({{values}, values});
    }
    exchange(of_parts, 0);
  }

  // E's half step of a level reads H in a field, H's reads E in a field of LevelBlocks.
  void exchange_level(const std::vector<LevelStep<Real>>& steps) override {
    std::vector<PartField> of_parts;
    for (const LevelStep<Real>& step : steps) {
      Real* const values = step.source->write();
      of_parts.push_back({step.fields.source(values), values, step.half == HalfStep::magnetic});
    }
    exchange(of_parts, steps.front().level);
  }

  bool has_joints(int level) const override { return has_joints_[static_cast<std::size_t>(level)] != 0; }
  void join() override {
    for (const auto& other : backends_)
      if (other != backends_.front()) backend().follow(*other);
  }
  void fork() override {
    for (const auto& other : backends_)
      if (other != backends_.front()) other->follow(backend());
  }
  double wait_seconds() const override {
    double seconds = 0;
    for (const Pair& pair : pairs_)
      for (const Joints& joints : pair.of_level)
        if (joints.messages) seconds += joints.messages->wait_seconds();
    return seconds;
  }
  double memory_bytes() const override {
    double bytes = 0;
    for (const Pair& pair : pairs_) {
      const double of_messages = 2.0 * 2 * parts_[pair.low].face_nodes * sizeof(Real);  // sent and received
      for (const Joints& joints : pair.of_level) {
        for (const Faces* faces : joints.all()) bytes += faces->bytes();
        bytes += static_cast<double>(joints.remote_low.count + joints.remote_high.count) * of_messages;
      }
    }
    return bytes;
  }

 private:
  /// A part of the mesh and the coefficients of its traces.
  struct Part {
    const Discretisation<Real>* d;
    const mesh::Subdomain* mesh;
    int face_nodes;               // Nf
    Array<int> entry_a, entry_b;  // [face 4][Nf] FaceTraceEntries
    Array<int> minus;             // [Nf]
  };
  /// Faces of elements of a part.
  struct Faces {
    std::int64_t count = 0;
    Array<std::uint32_t> code;         // [count] NeighbourCode of the element and its face
    Array<std::uint32_t> ghost;        // [count] ghost slot in a field
    Array<std::uint32_t> level_ghost;  // [count] in a field of LevelBlocks; empty at level 0
    Array<std::uint32_t> place;        // [count] in the messages; empty without
    double bytes() const { return code.bytes() + ghost.bytes() + level_ghost.bytes() + place.bytes(); }
  };
  /// Joints that are exchanged at once.
  struct Joints {
    Faces local_low, local_high;         // the two sides of joints of this rank
    Faces remote_low, remote_high;       // this rank's sides of joints with others
    std::unique_ptr<Exchange> messages;  // null where no rank has such
    std::array<const Faces*, 4> all() const { return {&local_low, &local_high, &remote_low, &remote_high}; }
  };
  /// Faces between two orders, of two parts of this rank and of each of them with other ranks.
  struct Pair {
    std::size_t low = 0, high = 0;      // parts
    Array<Real> elevation, projection;  // [Nf(high)][Nf(low)], [Nf(low)][Nf(high)]
    std::vector<Joints> of_level;       // [L + 1] those of level 0 are all
  };
  /// Arrays of a part to read and write.
  struct PartField {
    SplitField<Real> source;
    Real* ghosts;        // of the array whose ghost slots are written
    bool level = false;  // a field of LevelBlocks
  };
  /// Sides of joints with their places in the messages.
  struct SideList {
    std::vector<std::uint32_t> halo_face, place;
    void add(const JointSide& side) { halo_face.push_back(side.halo_face); }
    void add(const JointSide& side, std::size_t at) {
      add(side);
      place.push_back(static_cast<std::uint32_t>(at));
    }
  };

  // That of the first part, where the exchange is done.
  Backend& backend() const { return *backends_.front(); }

  template <class T>
  Array<T> copy(const std::vector<T>& values) const {
    return {values, backend().memory()};
  }
  Array<Real> copy_rounded(const std::vector<double>& matrix) const {
    return copy(std::vector<Real>(matrix.begin(), matrix.end()));
  }

  bool has_level(const JointSide& side, int level) const {
    const Part& part = parts_[side.part];
    const TimeLevels& levels = part.d->time_levels;
    return level == 0 || levels.of_element[part.mesh->halo_faces[side.halo_face].element] >= level ||
           levels.of_halo[side.halo_face] >= level;
  }

  Faces make_faces(std::size_t part, const SideList& sides, int level) const {
    const Discretisation<Real>& d = *parts_[part].d;
    std::vector<std::uint32_t> code, ghost, level_ghost;
    for (const std::uint32_t halo_face : sides.halo_face) {
      const mesh::HaloFace& at = parts_[part].mesh->halo_faces[halo_face];
      code.push_back(NeighbourCode::encode(d.slot_of_element[at.element], at.face));
      ghost.push_back(d.first_halo_slot + halo_face);
      if (level == 0) continue;
      const LevelBlocks& blocks = d.levels[static_cast<std::size_t>(level)];
      const auto place = std::lower_bound(blocks.halo_faces.begin(), blocks.halo_faces.end(), halo_face);
      level_ghost.push_back(blocks.first_halo_slot + static_cast<std::uint32_t>(place - blocks.halo_faces.begin()));
    }
    return {static_cast<std::int64_t>(code.size()), copy(code), copy(ghost), copy(level_ghost), copy(sides.place)};
  }

  Joints make_joints(const OrderParts& parts, std::size_t low, std::size_t high, int level,
                     const parallel::Communicator& comm) const {
    const int p = parts.parts[low].order, q = parts.parts[high].order;
    SideList local_low, local_high, remote_low, remote_high;
    for (const Joint& joint : parts.joints)
      if (joint.low.part == low && joint.high.part == high && has_level(joint.low, level)) {
        local_low.add(joint.low);
        local_high.add(joint.high);
      }
    parallel::HaloPlan plan;
    for (const RemoteJoint& joint : parts.remote) {
      const bool is_low = joint.mine.part == low && joint.order == q,
                 is_high = joint.mine.part == high && joint.order == p;
      if ((!is_low && !is_high) || !has_level(joint.mine, level)) continue;
      if (plan.sends.empty() || plan.sends.back().rank != joint.rank) plan.sends.push_back({joint.rank, plan.faces, 0});
      ++plan.sends.back().count;
      (is_low ? remote_low : remote_high).add(joint.mine, plan.faces++);
    }
    plan.receives = plan.sends;
    plan.reals_per_face = 2 * static_cast<std::size_t>(triangle_nodes(p));
    Joints joints{make_faces(low, local_low, level), make_faces(high, local_high, level),
                  make_faces(low, remote_low, level), make_faces(high, remote_high, level), nullptr};
    if (comm.max(static_cast<std::int64_t>(plan.faces)) > 0)
      joints.messages = backend().template make_exchange<Real>(plan);
    return joints;
  }

  ElementTraces<Real> traces_of(std::size_t part, const Faces& faces, const PartField& field) const {
    const Part& p = parts_[part];
    return {field.source,     p.d->layout,    faces.code.read(), p.entry_a.read(),
            p.entry_b.read(), p.minus.read(), p.face_nodes};
  }
  GhostTraces<Real> ghosts_of(std::size_t part, const Faces& faces, const PartField& field) const {
    const Part& p = parts_[part];
    const int first = ghost_face * p.face_nodes;
    return {field.ghosts,
            p.d->layout,
            (field.level ? faces.level_ghost : faces.ghost).read(),
            p.entry_a.read() + first,
            p.entry_b.read() + first,
            p.face_nodes};
  }
  template <class From, class To>
  void transfer(Queue queue, const Faces& faces, const From& from, const Real* matrix, const To& to) const {
    backend().for_each(queue, faces.count * to.face_nodes, TransferTraces<Real, From, To>{from, to, matrix});
  }

  // jump of the higher order E t_low - t_high, of the lower one R t_high - t_low.
  void exchange_local(const std::vector<PartField>& fields, std::size_t level) const {
    LocalTransfers<Real> transfers;
    const auto launch = [&] {
      backend().for_each(Queue::main, transfers.size(), transfers);
      transfers.count = 0;
    };
    for (const Pair& pair : pairs_) {
      const Joints& joints = pair.of_level[level];
      const auto add = [&](std::size_t from, const Faces& of_from, const Array<Real>& matrix, std::size_t to,
                           const Faces& of_to) {
        transfers.add({traces_of(from, of_from, fields[from]), ghosts_of(to, of_to, fields[to]), matrix.read()},
                      of_to.count);
      };
      if (joints.local_low.count == 0) continue;
      if (transfers.count + 2 > LocalTransfers<Real>::most) launch();
      add(pair.low, joints.local_low, pair.elevation, pair.high, joints.local_high);
      add(pair.high, joints.local_high, pair.projection, pair.low, joints.local_low);
    }
    launch();
  }

  void send(const Pair& pair, const Joints& joints, const std::vector<PartField>& fields) const {
    const parallel::SendView<Real> view = joints.messages->send_view();
    const auto sent = [&](const Faces& faces) {
      return SentTraces<Real>{view, faces.place.read(), parts_[pair.low].face_nodes};
    };
    transfer(Queue::halo, joints.remote_low, traces_of(pair.low, joints.remote_low, fields[pair.low]), nullptr,
             sent(joints.remote_low));
    transfer(Queue::halo, joints.remote_high, traces_of(pair.high, joints.remote_high, fields[pair.high]),
             pair.projection.read(), sent(joints.remote_high));
    joints.messages->start();
  }

  void receive(const Pair& pair, const Joints& joints, const std::vector<PartField>& fields) const {
    joints.messages->finish();
    const auto received = [&](const Faces& faces) {
      return ReceivedTraces<Real>{joints.messages->receive_buffer(), faces.place.read(), parts_[pair.low].face_nodes};
    };
    transfer(Queue::halo, joints.remote_low, received(joints.remote_low), nullptr,
             ghosts_of(pair.low, joints.remote_low, fields[pair.low]));
    transfer(Queue::halo, joints.remote_high, received(joints.remote_high), pair.elevation.read(),
             ghosts_of(pair.high, joints.remote_high, fields[pair.high]));
  }

  void exchange(const std::vector<PartField>& fields, int level) {
    const auto at = static_cast<std::size_t>(level);
    join();
    if (has_messages_) backend().halo_waits();
    for (const Pair& pair : pairs_)
      if (pair.of_level[at].messages) send(pair, pair.of_level[at], fields);
    exchange_local(fields, at);
    for (const Pair& pair : pairs_)
      if (pair.of_level[at].messages) receive(pair, pair.of_level[at], fields);
    if (has_messages_) backend().main_waits();
    fork();
  }

  std::vector<std::shared_ptr<Backend>> backends_;  // [parts] their memory outlives the arrays
  std::vector<Part> parts_;
  std::vector<Pair> pairs_;
  std::vector<std::uint8_t> has_joints_;  // [L + 1]
  bool has_messages_ = false;
};

}  // namespace dgtd::dg
