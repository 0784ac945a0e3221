#include "dgtd/dg/port_sum.hpp"

#include <algorithm>

namespace dgtd::dg {

PortSum::PortSum(const std::vector<std::int64_t>& number, const parallel::Communicator& comm) {
  std::vector<std::int64_t> counts(static_cast<std::size_t>(comm.size()));  // [ranks] sides
  const auto rank = static_cast<std::size_t>(comm.rank());
  counts[rank] = static_cast<std::int64_t>(number.size());
  counts = comm.sum(std::move(counts));
  std::vector<std::int64_t> all;  // [sides of all ranks] numbers
  std::int64_t ranks = 0;         // that have sides
  for (std::size_t r = 0; r < counts.size(); ++r) {
    if (r == rank) all.insert(all.end(), number.begin(), number.end());
    else all.insert(all.end(), static_cast<std::size_t>(counts[r]), 0);
    is_first_ = is_first_ || (r == rank && counts[r] > 0 && ranks == 0);
    ranks += counts[r] > 0;
  }
  all = comm.sum(std::move(all));
  std::sort(all.begin(), all.end());
  sides_ = all.size();
  for (const std::int64_t n : number)
    place_.push_back(static_cast<std::size_t>(std::lower_bound(all.begin(), all.end(), n) - all.begin()));
  is_shared_ = ranks > 1;
  if (is_shared_) MPI_Comm_split(comm.handle(), number.empty() ? MPI_UNDEFINED : 0, comm.rank(), &handle_);
}

PortSum::~PortSum() {
  if (handle_ != MPI_COMM_NULL) MPI_Comm_free(&handle_);
}

// A part is a sum of itself and zeros of other ranks, which is exact in any order.
double PortSum::of(const std::vector<double>& parts) const {
  std::vector<double> all(sides_);
  for (std::size_t i = 0; i < parts.size(); ++i) all[place_[i]] = parts[i];
  if (handle_ != MPI_COMM_NULL) all = parallel::Communicator(handle_).sum(std::move(all));
  double sum = 0;
  for (const double part : all) sum += part;
  return sum;
}

}  // namespace dgtd::dg
