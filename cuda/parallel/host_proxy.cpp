#include "host_proxy.hpp"

#include <cassert>
#include <chrono>
#include <exception>

#include "dgtd/base/error.hpp"
#include "dgtd/parallel/threads.hpp"

namespace dgtd::parallel {

namespace {

unsigned read_word(unsigned* word) { return std::atomic_ref(*word).load(std::memory_order_acquire); }
void write_word(unsigned* word, unsigned value) { std::atomic_ref(*word).store(value, std::memory_order_release); }

}  // namespace

HostProxy::Halo::Halo(const HaloPlan& plan, std::size_t bytes_of_face, int tag, MPI_Comm comm)
    : send_(2 * plan.faces * bytes_of_face), receive_(2 * plan.faces * bytes_of_face), words_(2 * line) {
  const auto size = [&](const HaloPlan::Message& m) {
    if (m.count * bytes_of_face > 0x7fffffff)
      throw Error(ExitCode::device, "halo exchange: more than 2^31 bytes with one rank; use more ranks");
    return static_cast<int>(m.count * bytes_of_face);
  };
  for (const std::size_t half : {0, 1}) {
    const auto at = [&](const MappedHostArray<std::byte>& buffer, const HaloPlan::Message& m) {
      return buffer.data() + (half * plan.faces + m.first) * bytes_of_face;
    };
    for (const auto& m : plan.sends)
      MPI_Send_init(at(send_, m), size(m), MPI_BYTE, m.rank, tag, comm, &sends_[half].emplace_back());
    for (const auto& m : plan.receives)
      MPI_Recv_init(at(receive_, m), size(m), MPI_BYTE, m.rank, tag, comm, &receives_[half].emplace_back());
  }
}

// The messages of the next exchange, which nobody will send, are being received.
HostProxy::Halo::~Halo() {
  for (const int half : {0, 1}) {
    for (auto* requests : {&sends_[half], &receives_[half]})
      for (MPI_Request& request : *requests) {
        int done = 0;
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (done == 0) MPI_Cancel(&request), MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Request_free(&request);
      }
  }
}

void HostProxy::Halo::start() {
  if (!receives_[1].empty()) MPI_Startall(static_cast<int>(receives_[1].size()), receives_[1].data());
}

bool HostProxy::Halo::progress() {
  bool has_done = false;
  const auto count = static_cast<int>(sends_[0].size());
  if (count == 0) return false;
  if (read_word(sent()) != sent_) {
    ++sent_;
    auto &sends = sends_[sent_ % 2], &receives = receives_[(sent_ + 1) % 2];
    MPI_Waitall(count, sends.data(), MPI_STATUSES_IGNORE);  // of exchange sent_ - 2, which have arrived
    MPI_Startall(count, sends.data());
    MPI_Startall(static_cast<int>(receives.size()), receives.data());
    has_done = true;
  }
  if (arrived_ > sent_) return has_done;
  auto& receives = receives_[(arrived_ + 1) % 2];
  int all = 0;
  MPI_Testall(static_cast<int>(receives.size()), receives.data(), &all, MPI_STATUSES_IGNORE);
  if (all == 0) return has_done;
  write_word(arrived(), ++arrived_);
  return true;
}

bool HostProxy::can_be_used() {
  int level = MPI_THREAD_SINGLE;
  MPI_Query_thread(&level);
  return level == MPI_THREAD_MULTIPLE;
}

// A communicator of its own: no other message has its tags.
HostProxy::HostProxy(const Communicator& comm) { MPI_Comm_dup(comm.handle(), &comm_); }

HostProxy::~HostProxy() {
  ends_ = true;
  if (thread_.joinable()) thread_.join();
  if (std::uncaught_exceptions() > 0) {  // other ranks may have ended, so that no message ends any more
    for (auto& halo : halos_) (void)halo.release();
    return;
  }
  halos_.clear();
  MPI_Comm_free(&comm_);
}

HostProxy::Halo& HostProxy::add(const HaloPlan& plan, std::size_t bytes_of_face) {
  assert(!thread_.joinable());
  return *halos_.emplace_back(std::make_unique<Halo>(plan, bytes_of_face, static_cast<int>(halos_.size()), comm_));
}

void HostProxy::start() {
  if (thread_.joinable()) return;
  for (const auto& halo : halos_) halo->start();
  thread_ = std::thread([this] { run(); });
}

// Between the exchanges of one run there are microseconds; where there are milliseconds nobody waits. The thread looks
// all the time beside the rank's first one, with which it would take turns of milliseconds on one core.
void HostProxy::run() {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds idle(2);
  constexpr std::chrono::microseconds nap(50);
  leave_binding();
  auto last = Clock::now();
  while (!ends_.load(std::memory_order_relaxed)) {
    bool has_done = false;
    for (const auto& halo : halos_) has_done = halo->progress() || has_done;
    const auto now = Clock::now();
    if (has_done) last = now;
    else if (now - last > idle) std::this_thread::sleep_for(nap);
  }
}

}  // namespace dgtd::parallel
