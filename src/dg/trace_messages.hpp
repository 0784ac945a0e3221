#pragma once
// The executor's exchange of traces between ranks in the halo queue, and the traces behind Bloch faces.
#include <memory>
#include <vector>

#include "dgtd/dg/executor.hpp"
#include "dgtd/parallel/array.hpp"
#include "dgtd/parallel/backend.hpp"
#include "element_work.hpp"

namespace dgtd::dg {

template <class Real, class Backend>
class TraceMessages {
  template <class T>
  using Array = parallel::Array<T>;
  using Queue = parallel::Queue;

 public:
  using Exchange = typename Backend::template Exchange<Real>;

  /// d and backend outlive it.
  TraceMessages(const Discretisation<Real>& d, Backend& backend)
      : d_(d), backend_(backend), face_nodes_(triangle_nodes(d.order)) {
    parallel::Memory& memory = backend.memory();
    const FaceTraceEntries entries = face_trace_entries(d.order);
    entry_a_ = {entries.a, memory};
    entry_b_ = {entries.b, memory};
    minus_ = {entries.minus, memory};
    turned_code_ = Array<std::uint32_t>::view(d.turned_code, memory);
    turned_factor_ = Array<Real>::view(d.turned_factor, memory);
    penalised_code_ = Array<std::uint32_t>::view(d.penalised_code, memory);
  }

  double bytes() const { return turned_code_.bytes() + turned_factor_.bytes() + penalised_code_.bytes(); }

  /// NeighbourCode of the owned element and its face, of each of these halo faces, in the executor's memory.
  Array<std::uint32_t> codes(const std::vector<std::uint32_t>& halo_faces) const {
    std::vector<std::uint32_t> code;
    for (const std::uint32_t i : halo_faces) {
      const auto& at = d_.mesh.halo_faces[i];
      code.push_back(NeighbourCode::encode(d_.slot_of_element[at.element], at.face));
    }
    return {code, backend_.memory()};
  }
  std::unique_ptr<Exchange> make_exchange(const std::vector<std::uint32_t>& halo_faces) const {
    return backend_.template make_exchange<Real>(halo_plan(d_, halo_faces));
  }

  /// The main queue has updated elements that the next exchange reads.
  void main_wrote_elements() { elements_written_ = true; }

  /// The traces of a half step are those of elements that the halo queue has updated itself: their exchange begins
  /// while the main queue still updates the interior, unless that has written such elements. Only the update of
  /// elements next to other ranks waits for it. code: [faces] codes().
  void start(Exchange& exchange, const Array<std::uint32_t>& code, const SplitField<Real>& field) {
    backend_.mark(Queue::main);
    if (elements_written_) backend_.wait_for_mark(Queue::halo, Queue::main);
    elements_written_ = false;
    backend_.for_each(Queue::halo, static_cast<std::int64_t>(code.size()) * face_nodes_,
                      PackTraces<Real>{field, d_.layout, code.read(), entry_a_.read(), entry_b_.read(), minus_.read(),
                                       face_nodes_, exchange.send_view()});
    exchange.start();
  }
  /// place: [faces] index of the halo face, null: its place in the list.
  void finish(Exchange& exchange, std::int64_t faces, Real* field, std::uint32_t first_slot,
              const std::uint32_t* place) {
    exchange.finish();
    const int ghost = ghost_face * face_nodes_;
    backend_.for_each(Queue::halo, faces * face_nodes_,
                      UnpackTraces<Real>{field, d_.layout, first_slot, place, entry_a_.read() + ghost,
                                         entry_b_.read() + ghost, face_nodes_, exchange.receive_buffer()});
    backend_.wait_for_mark(Queue::halo, Queue::main);
  }

  /// Writes the ghosts behind Bloch faces: the traces of the other side, turned by the phase.
  void turn(Queue queue, Real* field) {
    const auto faces = static_cast<std::int64_t>(d_.bloch_faces.size());
    if (faces > 0)
      backend_.for_each(
          queue, faces * face_nodes_,
          TurnTraces<Real>{field, d_.layout, d_.first_turned_slot, turned_code_.read(), turned_factor_.read(),
                           entry_a_.read(), entry_b_.read(), minus_.read(), face_nodes_});
  }

  /// Writes the ghosts behind penalised faces between elements of this rank.
  void copy_behind_penalised(Real* field) {
    const CopyTraces<Real> copy{field,
                                d_.layout,
                                d_.first_penalised_slot,
                                static_cast<std::int64_t>(d_.penalised_code.size()),
                                penalised_code_.read(),
                                entry_a_.read(),
                                entry_b_.read(),
                                minus_.read(),
                                face_nodes_};
    backend_.for_each(Queue::main, copy.iterations(), copy);
  }

  /// The same exchange inside of a launch, number `exchange` of the elements.
  TraceExchange inside(int exchange, const Array<std::uint32_t>& code, std::uint32_t first_slot, std::int64_t ghosts,
                       const std::uint32_t* face_of_ghost = nullptr) const {
    return {exchange,      code.read(), entry_a_.read(),       entry_b_.read(),
            minus_.read(), first_slot,  std::uint32_t(ghosts), face_of_ghost};
  }

 private:
  const Discretisation<Real>& d_;
  Backend& backend_;
  int face_nodes_;
  Array<int> entry_a_, entry_b_, minus_;  // FaceTraceEntries
  Array<std::uint32_t> turned_code_;      // Discretisation, as the next two
  Array<Real> turned_factor_;
  Array<std::uint32_t> penalised_code_;
  bool elements_written_ = true;  // by the main queue since the last exchange
};

}  // namespace dgtd::dg
