#pragma once
// The messages of a halo exchange between ranks (HaloPlan, constant), and the exchange over host memory
// with non-blocking MPI: start(), computation that needs no halo, finish().
#include <cstddef>
#include <cstdint>
#include <vector>

#include "dgtd/base/timer.hpp"
#include "dgtd/parallel/communicator.hpp"
#include "dgtd/parallel/send_view.hpp"

namespace dgtd::parallel {

struct HaloPlan {
  struct Message {
    int rank;
    std::size_t first, count;  // faces [first, first + count) of the halo list, the same order on both sides
  };
  std::vector<Message> sends, receives;
  std::size_t faces = 0;           // of the longer of the two lists
  std::size_t reals_per_face = 0;  // of a trace
};

/// Numbers of the other ranks for the faces of a plan, which sends where it receives: [faces], as `mine`. For set-ups:
/// waits.
std::vector<std::int32_t> exchange_face_values(const HaloPlan& plan, const std::vector<std::int32_t>& mine,
                                               const Communicator& comm);

template <class Real>
class HaloExchange {
 public:
  HaloExchange(HaloPlan plan, const Communicator& comm);
  /// With buffers of the caller, [faces][reals_per_face] each: pinned, or on a device if MPI is CUDA-aware.
  HaloExchange(HaloPlan plan, Real* send, Real* receive, const Communicator& comm);
  ~HaloExchange();
  HaloExchange(const HaloExchange&) = delete;
  HaloExchange& operator=(const HaloExchange&) = delete;

  /// [faces][reals_per_face] traces to send; fill before start(), leave alone until finish().
  Real* send_buffer() { return send_at_; }
  /// The same for packing loops: to be called once before each start().
  SendView<Real> send_view() { return {send_at_}; }
  /// [faces][reals_per_face] traces of the other side; valid after finish().
  const Real* receive_buffer() const { return receive_at_; }

  void start();
  void finish();

  /// Seconds spent waiting in finish() so far.
  double wait_seconds() const { return wait_seconds_; }

 private:
  void prepare();
  HaloPlan plan_;
  const Communicator& comm_;
  std::vector<Real> send_, receive_;  // empty where the caller has buffers
  Real *send_at_, *receive_at_;
  std::vector<MPI_Request> requests_;
  double wait_seconds_ = 0;
};

}  // namespace dgtd::parallel
