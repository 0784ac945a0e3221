#include "dgtd/parallel/halo_exchange.hpp"

#include "dgtd/base/error.hpp"
#include "dgtd/base/half.hpp"

namespace dgtd::parallel {

namespace {
void check(int code, const char* call) {
  if (code != MPI_SUCCESS) throw Error(ExitCode::device, std::string("halo exchange: ") + call + " failed");
}
}  // namespace

std::vector<std::int32_t> exchange_face_values(const HaloPlan& plan, const std::vector<std::int32_t>& mine,
                                               const Communicator& comm) {
  std::vector<std::int32_t> others(mine.size());
  std::vector<MPI_Request> requests;
  requests.reserve(plan.receives.size() + plan.sends.size());
  for (const auto& m : plan.receives)
    check(MPI_Irecv(others.data() + m.first, static_cast<int>(m.count), MPI_INT32_T, m.rank, 16, comm.handle(),
                    &requests.emplace_back()),
          "MPI_Irecv");
  for (const auto& m : plan.sends)
    check(MPI_Isend(mine.data() + m.first, static_cast<int>(m.count), MPI_INT32_T, m.rank, 16, comm.handle(),
                    &requests.emplace_back()),
          "MPI_Isend");
  check(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
  return others;
}

template <class Real>
HaloExchange<Real>::HaloExchange(HaloPlan plan, const Communicator& comm)
    : plan_(std::move(plan)),
      comm_(comm),
      send_(plan_.faces * plan_.reals_per_face),
      receive_(send_.size()),
      send_at_(send_.data()),
      receive_at_(receive_.data()) {
  prepare();
}

template <class Real>
HaloExchange<Real>::HaloExchange(HaloPlan plan, Real* send, Real* receive, const Communicator& comm)
    : plan_(std::move(plan)), comm_(comm), send_at_(send), receive_at_(receive) {
  prepare();
}

// Persistent requests: the messages are the same in every step.
template <class Real>
void HaloExchange<Real>::prepare() {
  const MPI_Datatype type = sizeof(Real) == 2 ? MPI_UINT16_T : sizeof(Real) == 4 ? MPI_FLOAT : MPI_DOUBLE;
  const auto size = [&](const HaloPlan::Message& m) {
    const std::size_t reals = m.count * plan_.reals_per_face;
    if (reals > 0x7fffffff)
      throw Error(ExitCode::device, "halo exchange: more than 2^31 values with one rank; use more ranks");
    return static_cast<int>(reals);
  };
  for (const auto& m : plan_.receives) {
    requests_.emplace_back();
    check(MPI_Recv_init(receive_at_ + m.first * plan_.reals_per_face, size(m), type, m.rank, 17, comm_.handle(),
                        &requests_.back()),
          "MPI_Recv_init");
  }
  for (const auto& m : plan_.sends) {
    requests_.emplace_back();
    check(MPI_Send_init(send_at_ + m.first * plan_.reals_per_face, size(m), type, m.rank, 17, comm_.handle(),
                        &requests_.back()),
          "MPI_Send_init");
  }
}

template <class Real>
HaloExchange<Real>::~HaloExchange() {
  for (auto& request : requests_) MPI_Request_free(&request);
}

template <class Real>
void HaloExchange<Real>::start() {
  if (!requests_.empty()) check(MPI_Startall(static_cast<int>(requests_.size()), requests_.data()), "MPI_Startall");
}

template <class Real>
void HaloExchange<Real>::finish() {
  if (requests_.empty()) return;
  const Timer timer;
  check(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
  wait_seconds_ += timer.seconds();
}

template class HaloExchange<Half>;
template class HaloExchange<float>;
template class HaloExchange<double>;

}  // namespace dgtd::parallel
