#pragma once
// The backend of CPU threads (OpenMP).
#include "dgtd/parallel/backend.hpp"
#include "dgtd/parallel/copy_bandwidth.hpp"

namespace dgtd::parallel {

class CpuBackend {
 public:
  /// comm: of halo exchanges; outlives the backend.
  explicit CpuBackend(const Communicator& comm) : comm_(comm) {}
  Memory& memory() { return host_memory(); }

  template <class Body>
  void for_each(Queue, std::int64_t n, const Body& body) const {
    if (n <= 0) return;
#pragma omp parallel
    {
      const Body local = body;  // not aliased by what it writes
#pragma omp for schedule(static)
      for (std::int64_t i = 0; i < n; ++i) local(i);
    }
  }
  template <class Body>
  void for_each(std::int64_t n, const Body& body) const {
    for_each(Queue::main, n, body);
  }
  template <class Term>
  void add_sum(Queue, std::int64_t n, const Term& term, double factor, double* sum) const {
    double total = 0;
    for (std::int64_t i = 0; i < n; ++i) total += term(i);
    *sum += factor * total;
  }

  void mark(Queue) const {}
  void wait_for_mark(Queue, Queue) const {}
  void wait_for(Queue, Queue) const {}
  void halo_waits() const {}
  void main_waits() const {}
  void follow(const CpuBackend&) const {}
  void wait() const {}

  struct Recording {
    void forget() {}
  };
  template <class Work>
  void repeat(Recording&, const Work& work) {
    work();
  }

  template <class Real>
  using Exchange = HaloExchange<Real>;
  template <class Real>
  std::unique_ptr<Exchange<Real>> make_exchange(const HaloPlan& plan) const {
    return std::make_unique<Exchange<Real>>(plan, comm_);
  }
  double copy_bandwidth() const { return parallel::copy_bandwidth(comm_.ranks_on_this_host()); }

 private:
  const Communicator& comm_;
};
static_assert(Backend<CpuBackend>);

}  // namespace dgtd::parallel
