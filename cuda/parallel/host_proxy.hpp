#pragma once
// A thread of the host that sends and receives the messages of kernels (kernel_messages.hpp) by MPI, between any hosts:
// the kernels neither end nor are launched for a message.
//
// Exchange n = 1, 2, ... of a halo uses half n % 2 of its buffers, which are memory of the host that the device maps:
//   the kernel stores its packets in the send buffer; its last thread block stores n in the word `sent`
//   the proxy sees n, sends the messages and starts to receive those of n + 1
//   the messages of n are there: the proxy stores n in the word `arrived`, for which the kernel waits.
// The half of n + 1 is free then: the kernel of n has begun, so that of n - 1, which read it, has ended. A send buffer
// is written again by the kernel of n + 2, after the neighbours' messages n + 1, which they made from the message n.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "cuda_check.hpp"
#include "dgtd/parallel/halo_exchange.hpp"

namespace dgtd::parallel {

/// Memory of the host, zeroed, that devices reach directly.
template <class T>
class MappedHostArray {
 public:
  explicit MappedHostArray(std::size_t size) {
    if (size == 0) return;
    DGTD_CUDA_CHECK(cudaHostAlloc(reinterpret_cast<void**>(&data_), size * sizeof(T), cudaHostAllocMapped));
    std::fill_n(reinterpret_cast<char*>(data_), size * sizeof(T), char(0));
  }
  ~MappedHostArray() { (void)cudaFreeHost(data_); }
  MappedHostArray(const MappedHostArray&) = delete;
  MappedHostArray& operator=(const MappedHostArray&) = delete;
  T* data() const { return data_; }

 private:
  T* data_ = nullptr;
};

class HostProxy {
 public:
  /// Whether MPI permits calls of several threads at a time, as start_mpi() asks for.
  static bool can_be_used();
  /// Collective.
  explicit HostProxy(const Communicator& comm);
  /// Collective, unless an error has been thrown.
  ~HostProxy();
  HostProxy(const HostProxy&) = delete;
  HostProxy& operator=(const HostProxy&) = delete;

  /// The buffers and words of a halo.
  class Halo {
   public:
    Halo(const HaloPlan& plan, std::size_t bytes_of_face, int tag, MPI_Comm comm);
    ~Halo();
    Halo(const Halo&) = delete;
    Halo& operator=(const Halo&) = delete;
    std::byte* send_buffer() const { return send_.data(); }        // [half 2][faces][bytes of a face]
    std::byte* receive_buffer() const { return receive_.data(); }  // the same
    unsigned* sent() const { return words_.data(); }
    unsigned* arrived() const { return words_.data() + line; }

   private:
    friend class HostProxy;
    static constexpr std::size_t line = 32;  // words, so that each of the two has a cache line of its own
    void start();
    bool progress();  // whether there was anything to do

    MappedHostArray<std::byte> send_, receive_;
    MappedHostArray<unsigned> words_;
    std::vector<MPI_Request> sends_[2], receives_[2];
    unsigned sent_ = 0, arrived_ = 0;  // exchanges
  };

  /// The same on all ranks, before start(). sends of the plan: its receives.
  Halo& add(const HaloPlan& plan, std::size_t bytes_of_face);
  /// Starts the thread, once.
  void start();

 private:
  void run();

  MPI_Comm comm_ = MPI_COMM_NULL;
  std::vector<std::unique_ptr<Halo>> halos_;
  std::atomic<bool> ends_ = false;
  std::thread thread_;
};

}  // namespace dgtd::parallel
