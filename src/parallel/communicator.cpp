#include "dgtd/parallel/communicator.hpp"

#include <algorithm>

#include "dgtd/base/error.hpp"

namespace dgtd::parallel {

namespace {

void check(int code, const char* call) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(code, text, &length);
  throw Error(ExitCode::device, std::string(call) + " failed: " + std::string(text, length));
}

template <class T>
T reduce(T value, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  T result{};
  check(MPI_Allreduce(&value, &result, 1, type, op, comm), "MPI_Allreduce");
  return result;
}

template <class T>
std::vector<T> reduce(std::vector<T> values, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  check(MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), type, op, comm), "MPI_Allreduce");
  return values;
}

}  // namespace

Communicator::Communicator(MPI_Comm comm) : comm_(comm) {
  check(MPI_Comm_rank(comm_, &rank_), "MPI_Comm_rank");
  check(MPI_Comm_size(comm_, &size_), "MPI_Comm_size");
}

Communicator::Place Communicator::place_on_host() const {
  if (place_in_whole_) return *place_in_whole_;
  MPI_Comm host;
  check(MPI_Comm_split_type(comm_, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host), "MPI_Comm_split_type");
  Place place{0, 1};
  MPI_Comm_rank(host, &place.rank);
  MPI_Comm_size(host, &place.ranks);
  MPI_Comm_free(&host);
  return place;
}

int Communicator::ranks_on_this_host() const { return place_on_host().ranks; }
int Communicator::rank_on_this_host() const { return place_on_host().rank; }
bool Communicator::is_on_one_host() const { return Communicator(comm_).place_on_host().ranks == size_; }

CommunicatorPart::CommunicatorPart(const Communicator& whole, int parts)
    : number_(static_cast<int>(std::int64_t(whole.rank()) * parts / whole.size())) {
  const Communicator::Place place = whole.place_on_host();
  check(MPI_Comm_split(whole.handle(), number_, whole.rank(), &handle_), "MPI_Comm_split");
  comm_ = Communicator(handle_);
  comm_.place_in_whole_ = place;
}

void Communicator::barrier() const { check(MPI_Barrier(comm_), "MPI_Barrier"); }
double Communicator::sum(double v) const { return reduce(v, MPI_DOUBLE, MPI_SUM, comm_); }
double Communicator::max(double v) const { return reduce(v, MPI_DOUBLE, MPI_MAX, comm_); }
double Communicator::min(double v) const { return reduce(v, MPI_DOUBLE, MPI_MIN, comm_); }
std::int64_t Communicator::sum(std::int64_t v) const { return reduce(v, MPI_INT64_T, MPI_SUM, comm_); }
std::int64_t Communicator::max(std::int64_t v) const { return reduce(v, MPI_INT64_T, MPI_MAX, comm_); }
std::int64_t Communicator::min(std::int64_t v) const { return reduce(v, MPI_INT64_T, MPI_MIN, comm_); }
std::uint64_t Communicator::sum(std::uint64_t v) const { return reduce(v, MPI_UINT64_T, MPI_SUM, comm_); }
std::vector<double> Communicator::sum(std::vector<double> v) const {
  return reduce(std::move(v), MPI_DOUBLE, MPI_SUM, comm_);
}
std::vector<std::int64_t> Communicator::sum(std::vector<std::int64_t> v) const {
  return reduce(std::move(v), MPI_INT64_T, MPI_SUM, comm_);
}
std::vector<double> Communicator::max(std::vector<double> v) const {
  return reduce(std::move(v), MPI_DOUBLE, MPI_MAX, comm_);
}

std::string Communicator::broadcast(std::string text) const {
  const auto size = broadcast_value(static_cast<std::uint64_t>(text.size()));
  text.resize(size);
  check(MPI_Bcast(text.data(), static_cast<int>(size), MPI_CHAR, 0, comm_), "MPI_Bcast");
  return text;
}

std::vector<double> Communicator::gather(double value) const { return gather_vectors(std::vector<double>{value}); }

// Root receives rank by rank, so that no count has to fit into 32 bits altogether.
void Communicator::gather_bytes(const void* mine, std::size_t bytes, std::vector<char>& all) const {
  constexpr std::size_t piece = std::size_t{1} << 30;
  const auto send = [&](const char* data, std::size_t size) {
    for (std::size_t at = 0; at < size; at += piece)
      check(MPI_Send(data + at, static_cast<int>(std::min(piece, size - at)), MPI_BYTE, 0, 71, comm_), "MPI_Send");
  };
  const auto size = static_cast<std::uint64_t>(bytes);
  if (!is_root()) {
    check(MPI_Send(&size, 1, MPI_UINT64_T, 0, 70, comm_), "MPI_Send");
    send(static_cast<const char*>(mine), bytes);
    return;
  }
  all.assign(static_cast<const char*>(mine), static_cast<const char*>(mine) + bytes);
  for (int from = 1; from < size_; ++from) {
    std::uint64_t more = 0;
    check(MPI_Recv(&more, 1, MPI_UINT64_T, from, 70, comm_, MPI_STATUS_IGNORE), "MPI_Recv");
    const std::size_t start = all.size();
    all.resize(start + more);
    for (std::size_t at = 0; at < more; at += piece)
      check(MPI_Recv(all.data() + start + at, static_cast<int>(std::min<std::size_t>(piece, more - at)), MPI_BYTE, from,
                     71, comm_, MPI_STATUS_IGNORE),
            "MPI_Recv");
  }
}

}  // namespace dgtd::parallel
