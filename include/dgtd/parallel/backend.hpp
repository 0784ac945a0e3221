#pragma once
// Interface of the processor: CPU threads (CpuBackend, cpu_backend.hpp) or the CUDA device of a rank (CudaBackend,
// cuda/parallel/cuda_backend.hpp). A solver is written once as a template over its backend. Methods add launches of
// their special kernels to it, over batches or tiles.
#include <concepts>
#include <cstdint>
#include <memory>

#include "dgtd/parallel/array_operations.hpp"
#include "dgtd/parallel/halo_exchange.hpp"
#include "dgtd/parallel/memory.hpp"

namespace dgtd::parallel {

/// Work in a queue is done in the order of the calls; queues run side by side. On the CPU every call returns when its
/// work is done. main: everything else. halo: packing, exchange and unpacking of halos and the update of what is next
/// to other ranks. side: small batches beside a large one.
enum class Queue { main, halo, side };

template <class B>
concept Backend = requires(B& b, const B& c, Queue queue, std::int64_t n, const CopyReals<float>& body,
                           double (*term)(std::int64_t), double* sum, typename B::Recording& recording, void (*work)(),
                           const HaloPlan& plan) {
  { b.memory() } -> std::same_as<Memory&>;  // of the arrays; its copies to and from the host are in the main queue
  /// body(i) for i from 0 to n - 1, in any order and at the same time.
  c.for_each(queue, n, body);
  /// *sum += factor times the sum of term(i), i from 0 to n - 1, added in one fixed order; sum is in memory().
  c.add_sum(queue, n, term, 1.0, sum);
  /// Notes what the queue was given so far; later work of the first queue follows the last mark of the second.
  c.mark(queue);
  c.wait_for_mark(queue, queue);
  /// Later work of the first queue follows what the second was given so far.
  c.wait_for(queue, queue);
  c.halo_waits();  // wait_for(halo, main)
  c.main_waits();  // wait_for(main, halo)
  c.follow(b);     // later work of the main queue follows what that of another backend was given so far
  /// work(), the same calls of this backend each time: a device records them once and replays them from then on,
  /// until recording.forget(). Numbers that differ are read from memory by the loops (dg::LoopNumber).
  b.repeat(recording, work);
  recording.forget();
  /// Exchange of halos; making one is collective. In queue halo: a loop that writes to send_view(), start(), finish(),
  /// a loop that reads receive_buffer(). send_view() and receive_buffer() are valid for one exchange. wait_seconds().
  { c.template make_exchange<float>(plan) } -> std::same_as<std::unique_ptr<typename B::template Exchange<float>>>;
  /// Bytes per second that a copy moves in memory(), read plus written; measured now.
  { c.copy_bandwidth() } -> std::same_as<double>;
  c.wait();  // returns when all work is done
};

}  // namespace dgtd::parallel
