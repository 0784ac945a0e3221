#include "dgtd/solver/state.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <stdexcept>

#include "dgtd/base/error.hpp"

namespace dgtd::solver {

namespace {

template <class T>
void put(std::vector<char>& to, const T* values, std::size_t count) {
  const std::size_t before = to.size();
  to.resize(before + count * sizeof(T));
  if (count > 0) std::memcpy(to.data() + before, values, count * sizeof(T));
}

void put_size(std::vector<char>& to, std::size_t size) {
  const auto value = static_cast<std::uint64_t>(size);
  put(to, &value, 1);
}

template <class T>
void take(std::span<const char>& from, T* values, std::size_t count) {
  if (count > 0) std::memcpy(values, from.data(), count * sizeof(T));
  from = from.subspan(count * sizeof(T));
}

std::size_t take_size(std::span<const char>& from) {
  std::uint64_t value = 0;
  take(from, &value, 1);
  return static_cast<std::size_t>(value);
}

}  // namespace

const State::Numbers& State::numbers(const std::string& name) const {
  const auto found = entries_.find(name);
  if (found == entries_.end()) throw Error(ExitCode::other, fmt::format("the saved state has no numbers '{}'", name));
  return found->second.values;
}

std::vector<char> State::bytes() const {
  std::vector<char> result;
  put_size(result, entries_.size());
  for (const auto& [name, entry] : entries_) {
    put_size(result, name.size());
    put(result, name.data(), name.size());
    put_size(result, static_cast<std::size_t>(entry.held));
    put_size(result, entry.values.size());
    put(result, entry.values.data(), entry.values.size());
  }
  return result;
}

State State::of_bytes(std::span<const char>& bytes) {
  State state;
  for (std::size_t n = take_size(bytes); n > 0; --n) {
    std::string name(take_size(bytes), ' ');
    take(bytes, name.data(), name.size());
    const auto held = static_cast<Held>(take_size(bytes));
    Numbers values(take_size(bytes));
    take(bytes, values.data(), values.size());
    state.set_numbers(name, std::move(values), held);
  }
  return state;
}

State gather(const State& mine, const parallel::Communicator& comm) {
  const std::vector<char> all = comm.gather_vectors(mine.bytes());
  std::span<const char> left(all);
  State gathered;
  std::map<std::string, State::Numbers> partial;
  while (!left.empty()) {
    const State of_rank = State::of_bytes(left);
    for (const auto& [name, entry] : of_rank.entries()) {
      State::Numbers& of_all = partial[name];
      if (entry.held == State::Held::partial) of_all.insert(of_all.end(), entry.values.begin(), entry.values.end());
      else if (!gathered.has(name)) gathered.set_numbers(name, entry.values, entry.held);
    }
  }
  for (auto& [name, values] : partial)
    if (!gathered.has(name)) gathered.set_numbers(name, std::move(values), State::Held::gathered);
  if (comm.is_root()) gathered.set_numbers("ranks", {double(comm.size())});
  return gathered;
}

State part_of(const State& gathered, const parallel::Communicator& comm) {
  const double of_ranks = gathered.numbers("ranks").at(0);
  if (!(of_ranks >= 1 && of_ranks <= 1e9)) throw std::out_of_range("ranks");
  const auto ranks = static_cast<std::size_t>(of_ranks);
  State mine;
  for (const auto& [name, entry] : gathered.entries()) {
    if (entry.held != State::Held::gathered) {
      if (name != "ranks") mine.set_numbers(name, entry.values, entry.held);
      continue;
    }
    const std::size_t n = entry.values.size() / ranks;
    if (n * ranks != entry.values.size()) throw std::out_of_range(name);
    State::Numbers values(n, 0.0);
    const bool same_ranks = ranks == static_cast<std::size_t>(comm.size());
    for (std::size_t rank = 0; n > 0 && rank < ranks; ++rank)
      for (std::size_t i = 0; i < n; ++i)
        if (same_ranks ? rank == static_cast<std::size_t>(comm.rank()) : comm.is_root())
          values[i] += entry.values[rank * n + i];
    mine.set_numbers(name, std::move(values), State::Held::partial);
  }
  return mine;
}

}  // namespace dgtd::solver
