#include "one_sided_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace dgtd::parallel {

namespace {

constexpr std::size_t line = 128;  // bytes; each flag has its own

std::size_t rounded(std::size_t bytes) { return (bytes + line - 1) / line * line; }

/// Places in the area of a rank, for the other rank of a message.
struct Offer {
  std::uint64_t values, half,
      count;  // of a message to be received, bytes: in the first half, to the second, its length
  std::uint64_t flag;
};

bool has(const std::vector<HaloPlan::Message>& messages, int rank) {
  return std::any_of(messages.begin(), messages.end(), [&](const auto& m) { return m.rank == rank; });
}

}  // namespace

// Own flags: `arrived` of the messages to receive, then `consumed` of those to send.
OneSidedPlan::OneSidedPlan(const HaloPlan& plan, std::size_t bytes_of_face, const Communicator& comm)
    : half(rounded(plan.faces * bytes_of_face)), bytes(2 * half + (plan.sends.size() + plan.receives.size()) * line) {
  const std::size_t to_receive = plan.receives.size(), to_send = plan.sends.size();
  const auto own_flag = [&](std::size_t k) { return 2 * half + k * line; };
  std::vector<Offer> of_receives(to_receive), of_sends(to_send), receivers(to_send), senders(to_receive);
  std::vector<MPI_Request> requests;
  requests.reserve(2 * (to_receive + to_send));
  // Messages between the same two ranks are matched in the order of the plan.
  const auto swap = [&](const HaloPlan::Message& m, Offer& mine, Offer& others, int my_tag, int their_tag) {
    MPI_Isend(&mine, sizeof mine, MPI_BYTE, m.rank, my_tag, comm.handle(), &requests.emplace_back());
    MPI_Irecv(&others, sizeof others, MPI_BYTE, m.rank, their_tag, comm.handle(), &requests.emplace_back());
  };
  for (std::size_t k = 0; k < to_receive; ++k) {
    const auto& m = plan.receives[k];
    of_receives[k] = {m.first * bytes_of_face, half, m.count * bytes_of_face, own_flag(k)};
    swap(m, of_receives[k], senders[k], 18, 19);
  }
  for (std::size_t k = 0; k < to_send; ++k) {
    const auto& m = plan.sends[k];
    of_sends[k] = {0, 0, m.count * bytes_of_face, own_flag(to_receive + k)};
    swap(m, of_sends[k], receivers[k], 19, 18);
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);

  for (std::size_t k = 0; k < to_send; ++k) {
    const auto& m = plan.sends[k];
    const Offer& there = receivers[k];
    if (there.count != m.count * bytes_of_face)
      failure = fmt::format("rank {} expects another number of values", m.rank);
    sends.push_back({m.rank,
                     m.first * bytes_of_face,
                     m.count * bytes_of_face,
                     {there.values, there.values + there.half},
                     there.flag,
                     has(plan.receives, m.rank) ? none : own_flag(to_receive + k)});
  }
  for (std::size_t k = 0; k < to_receive; ++k) {
    const int rank = plan.receives[k].rank;
    receives.push_back({rank, own_flag(k), has(plan.sends, rank) ? none : senders[k].flag});
  }
}

}  // namespace dgtd::parallel
