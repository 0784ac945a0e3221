#include "checkpoint_slabs.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "dgtd/base/error.hpp"

namespace dgtd::io {

namespace {

constexpr std::int64_t chunk_bytes = std::int64_t{1} << 20;
constexpr std::int64_t chunk_multiple = 1024;                // items, so that chunks are whole pages of 4096 bytes
constexpr std::int64_t round_bytes = std::int64_t{1} << 30;  // that one rank sends or receives at most

std::int64_t chunks_per_round(int ranks) { return std::clamp<std::int64_t>(round_bytes / chunk_bytes / ranks, 1, 16); }

/// Bytes for each rank, one after the other.
struct Messages {
  std::vector<char> bytes;
  std::vector<int> counts;  // [ranks]

  std::vector<int> places() const {
    std::vector<int> first(counts.size(), 0);
    std::partial_sum(counts.begin(), counts.end() - 1, first.begin() + 1);
    return first;
  }
};

Messages exchange(const Messages& out, const parallel::Communicator& comm) {
  Messages in;
  in.counts.resize(out.counts.size());
  MPI_Alltoall(out.counts.data(), 1, MPI_INT, in.counts.data(), 1, MPI_INT, comm.handle());
  in.bytes.resize(std::accumulate(in.counts.begin(), in.counts.end(), std::size_t{0}));
  const auto from = out.places(), to = in.places();
  MPI_Alltoallv(out.bytes.data(), out.counts.data(), from.data(), MPI_BYTE, in.bytes.data(), in.counts.data(),
                to.data(), MPI_BYTE, comm.handle());
  return in;
}

template <class T>
std::vector<T> values_of(const std::vector<char>& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

// Numbers in the order of ranks: counts[r] of them for rank r.
std::vector<std::int64_t> exchange_numbers(const std::vector<std::int64_t>& numbers,
                                           const std::vector<std::int64_t>& counts, std::vector<std::int64_t>* received,
                                           const parallel::Communicator& comm) {
  Messages out;
  out.bytes.resize(numbers.size() * sizeof(std::int64_t));
  if (!numbers.empty()) std::memcpy(out.bytes.data(), numbers.data(), out.bytes.size());
  for (const std::int64_t n : counts) out.counts.push_back(static_cast<int>(n * std::int64_t{sizeof(std::int64_t)}));
  const Messages in = exchange(out, comm);
  if (received != nullptr)
    for (const int n : in.counts) received->push_back(n / std::int64_t{sizeof(std::int64_t)});
  return values_of<std::int64_t>(in.bytes);
}

// The items of a rank inside a window: runs with `number` counted from the window's beginning.
std::vector<solver::ItemRun> inside(const std::vector<solver::ItemRun>& runs, const Window& window) {
  std::vector<solver::ItemRun> parts;
  auto run = std::lower_bound(runs.begin(), runs.end(), window.first,
                              [](const auto& r, std::int64_t first) { return r.number + r.count <= first; });
  for (; run != runs.end() && run->number < window.end; ++run) {
    const std::int64_t first = std::max(run->number, window.first),
                       end = std::min(run->number + run->count, window.end);
    parts.push_back({first - window.first, end - first, run->place + static_cast<std::uint64_t>(first - run->number)});
  }
  return parts;
}

// [parts] how many items are before each.
std::vector<std::int64_t> items_before(const std::vector<solver::ItemRun>& parts) {
  std::vector<std::int64_t> before(parts.size() + 1, 0);
  for (std::size_t i = 0; i < parts.size(); ++i) before[i + 1] = before[i] + parts[i].count;
  return before;
}

// copy(word of the array, word of the packed values) for all values of the parts; packed: one item after the other, the
// first one of part i at item first(i).
template <class Word, class First, class Copy>
void for_values(const std::vector<solver::ItemRun>& parts, const std::vector<std::uint64_t>& offsets, First first,
                Copy copy) {
  const auto count = static_cast<std::ptrdiff_t>(parts.size());
#pragma omp parallel for schedule(static) if (count > 64)
  for (std::ptrdiff_t p = 0; p < count; ++p) {
    const solver::ItemRun& part = parts[static_cast<std::size_t>(p)];
    auto packed = static_cast<std::size_t>(first(static_cast<std::size_t>(p))) * offsets.size();
    for (std::int64_t i = 0; i < part.count; ++i)
      for (const std::uint64_t offset : offsets) copy(part.place + static_cast<std::uint64_t>(i) + offset, packed++);
  }
}

template <class First>
void pack(const solver::PersistentArray& array, const std::vector<solver::ItemRun>& parts, First first, char* to) {
  const auto with = [&]<class Word>(Word) {
    const auto* const values = static_cast<const Word*>(array.read());
    for_values<Word>(parts, array.offsets, first, [=](std::uint64_t at, std::size_t packed) {
      std::memcpy(to + packed * sizeof(Word), values + at, sizeof(Word));
    });
  };
  array.value_bytes == 4 ? with(std::uint32_t{}) : with(std::uint64_t{});
}

template <class First>
void unpack(const solver::PersistentArray& array, const std::vector<solver::ItemRun>& parts, First first,
            const char* from) {
  const auto with = [&]<class Word>(Word) {
    auto* const values = static_cast<Word*>(array.write());
    for_values<Word>(parts, array.offsets, first, [=](std::uint64_t at, std::size_t packed) {
      std::memcpy(values + at, from + packed * sizeof(Word), sizeof(Word));
    });
  };
  array.value_bytes == 4 ? with(std::uint32_t{}) : with(std::uint64_t{});
}

// A message: number of parts, position and count of each, and with values those.
void put_parts(const std::vector<solver::ItemRun>& parts, std::vector<char>& to) {
  std::vector<std::int64_t> head{static_cast<std::int64_t>(parts.size())};
  for (const auto& part : parts) head.insert(head.end(), {part.number, part.count});
  const auto* const bytes = reinterpret_cast<const char*>(head.data());
  to.insert(to.end(), bytes, bytes + head.size() * sizeof(std::int64_t));
}

std::vector<solver::ItemRun> take_parts(const char*& from) {
  const auto next = [&] {
    std::int64_t value = 0;
    std::memcpy(&value, from, sizeof value);
    from += sizeof value;
    return value;
  };
  std::vector<solver::ItemRun> parts(static_cast<std::size_t>(next()));
  for (auto& part : parts) part.number = next(), part.count = next();
  return parts;
}

}  // namespace

std::int64_t Slabs::chunk_items() const {
  const std::int64_t fit = chunk_bytes / static_cast<std::int64_t>(item_bytes) / chunk_multiple * chunk_multiple;
  return std::max(fit, chunk_multiple);
}

std::int64_t Slabs::first_item(std::int64_t chunk) const { return std::min(items, chunk * chunk_items()); }

std::vector<Window> windows_of(const Slabs& slabs, std::int64_t round, int ranks) {
  const std::int64_t most = chunks_per_round(ranks);
  std::vector<Window> windows;
  for (int rank = 0; rank < ranks; ++rank) {
    const std::int64_t begin = slabs.first_chunk(rank, ranks), end = slabs.first_chunk(rank + 1, ranks);
    const std::int64_t first = std::min(end, begin + round * most);
    windows.push_back({slabs.first_item(first), slabs.first_item(std::min(end, first + most))});
  }
  return windows;
}

std::int64_t rounds_of(const Slabs& slabs, int ranks) {
  const std::int64_t largest = (slabs.chunks() + ranks - 1) / ranks, most = chunks_per_round(ranks);
  return (largest + most - 1) / most;
}

Placement place_items(const solver::Items& items, const parallel::Communicator& comm) {
  if (items.complete) return {items.runs, items.end, {}};
  Placement placement;
  std::vector<std::uint64_t> places;
  for (const auto& run : items.runs)
    for (std::int64_t i = 0; i < run.count; ++i) {
      placement.numbers.push_back(run.number + i);
      places.push_back(run.place + static_cast<std::uint64_t>(i));
    }
  // Numbers are sent to the rank of their range, which counts them in order.
  const auto ranks = static_cast<std::int64_t>(comm.size());
  const std::int64_t range = (items.end + ranks - 1) / ranks;
  std::vector<std::int64_t> counts(static_cast<std::size_t>(ranks), 0), received;
  for (const std::int64_t number : placement.numbers) ++counts[static_cast<std::size_t>(number / range)];
  const auto here = exchange_numbers(placement.numbers, counts, &received, comm);
  std::vector<std::int64_t> sorted = here;
  std::sort(sorted.begin(), sorted.end());
  if (comm.sum(std::int64_t{std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()}) > 0)
    throw Error(ExitCode::other, "checkpoint: two items of '" + items.name + "' have the same number");
  const auto mine = static_cast<std::int64_t>(here.size());
  std::int64_t before = 0;
  MPI_Exscan(&mine, &before, 1, MPI_INT64_T, MPI_SUM, comm.handle());
  if (comm.is_root()) before = 0;
  std::vector<std::int64_t> positions;
  for (const std::int64_t number : here)
    positions.push_back(before + (std::lower_bound(sorted.begin(), sorted.end(), number) - sorted.begin()));
  positions = exchange_numbers(positions, received, nullptr, comm);
  solver::Items joined;
  for (std::size_t i = 0; i < positions.size(); ++i) joined.add(positions[i], places[i]);
  placement.runs = std::move(joined.runs);
  placement.stored = comm.sum(mine);
  return placement;
}

Placement find_items(const solver::Items& items, const std::vector<std::int64_t>& slab, std::int64_t first,
                     const parallel::Communicator& comm) {
  const auto ranks = static_cast<std::size_t>(comm.size());
  const std::int64_t none = -1, mine = slab.empty() ? none : slab.front();
  std::vector<std::int64_t> firsts(ranks);  // the first number of each slab
  MPI_Allgather(&mine, 1, MPI_INT64_T, firsts.data(), 1, MPI_INT64_T, comm.handle());
  std::vector<std::size_t> filled;  // ranks whose slabs are not empty
  for (std::size_t rank = 0; rank < ranks; ++rank)
    if (firsts[rank] != none) filled.push_back(rank);
  std::vector<std::int64_t> numbers, counts(ranks, 0), received;
  std::vector<std::uint64_t> places;
  std::size_t home = 0;  // of `filled`
  for (const auto& run : items.runs)
    for (std::int64_t number = run.number; number < run.number + run.count && !filled.empty(); ++number) {
      while (home + 1 < filled.size() && firsts[filled[home + 1]] <= number) ++home;
      ++counts[filled[home]];
      numbers.push_back(number);
      places.push_back(run.place + static_cast<std::uint64_t>(number - run.number));
    }
  const auto asked = exchange_numbers(numbers, counts, &received, comm);
  std::vector<std::int64_t> positions;
  for (const std::int64_t number : asked) {
    const auto found = std::lower_bound(slab.begin(), slab.end(), number);
    positions.push_back(found != slab.end() && *found == number ? first + (found - slab.begin()) : none);
  }
  positions = exchange_numbers(positions, received, nullptr, comm);
  solver::Items joined;
  for (std::size_t i = 0; i < positions.size(); ++i)
    if (positions[i] != none) joined.add(positions[i], places[i]);
  Placement placement;
  placement.runs = std::move(joined.runs);
  placement.stored = comm.sum(static_cast<std::int64_t>(slab.size()));
  return placement;
}

void collect(const solver::PersistentArray& array, const Placement& placement, const std::vector<Window>& windows,
             std::vector<char>& window, const parallel::Communicator& comm) {
  const std::size_t item = array.offsets.size() * array.value_bytes;
  const Window& my_window = windows[static_cast<std::size_t>(comm.rank())];
  window.resize(static_cast<std::size_t>(my_window.items()) * item);
  Messages out;
  std::int64_t filled = 0;
  for (int rank = 0; rank < comm.size(); ++rank) {
    const auto parts = inside(placement.runs, windows[static_cast<std::size_t>(rank)]);
    const std::size_t begin = out.bytes.size();
    const auto before = items_before(parts);
    if (rank == comm.rank()) {
      pack(
          array, parts, [&](std::size_t p) { return parts[p].number; }, window.data());
      filled += before.back();
    } else if (!parts.empty()) {
      put_parts(parts, out.bytes);
      const std::size_t at = out.bytes.size();
      out.bytes.resize(at + static_cast<std::size_t>(before.back()) * item);
      pack(
          array, parts, [&](std::size_t p) { return before[p]; }, out.bytes.data() + at);
    }
    out.counts.push_back(static_cast<int>(out.bytes.size() - begin));
  }
  const Messages in = exchange(out, comm);
  const char* at = in.bytes.data();
  for (const int count : in.counts) {
    if (count == 0) continue;
    for (const auto& part : take_parts(at)) {
      const std::size_t bytes = static_cast<std::size_t>(part.count) * item;
      std::memcpy(window.data() + static_cast<std::size_t>(part.number) * item, at, bytes);
      at += bytes;
      filled += part.count;
    }
  }
  if (comm.sum(std::int64_t{filled != my_window.items()}) > 0)
    throw Error(ExitCode::other, "checkpoint: items of '" + array.items->name + "' are on no rank, or on two");
}

void distribute(const solver::PersistentArray& array, const Placement& placement, const std::vector<Window>& windows,
                const std::vector<char>& window, const parallel::Communicator& comm) {
  const std::size_t item = array.offsets.size() * array.value_bytes;
  // Each rank tells the others which of their items it has, and they answer with the values.
  Messages requests;
  std::vector<std::vector<solver::ItemRun>> wanted;  // [ranks]
  for (int rank = 0; rank < comm.size(); ++rank) {
    wanted.push_back(inside(placement.runs, windows[static_cast<std::size_t>(rank)]));
    const std::size_t begin = requests.bytes.size();
    if (rank != comm.rank() && !wanted.back().empty()) put_parts(wanted.back(), requests.bytes);
    requests.counts.push_back(static_cast<int>(requests.bytes.size() - begin));
  }
  const Messages asked = exchange(requests, comm);
  Messages answers;
  const char* at = asked.bytes.data();
  for (const int count : asked.counts) {
    const std::size_t begin = answers.bytes.size();
    if (count > 0)
      for (const auto& part : take_parts(at)) {
        const char* const from = window.data() + static_cast<std::size_t>(part.number) * item;
        answers.bytes.insert(answers.bytes.end(), from, from + static_cast<std::size_t>(part.count) * item);
      }
    answers.counts.push_back(static_cast<int>(answers.bytes.size() - begin));
  }
  const Messages values = exchange(answers, comm);
  const auto places = values.places();
  for (int rank = 0; rank < comm.size(); ++rank) {
    const auto& parts = wanted[static_cast<std::size_t>(rank)];
    const auto before = items_before(parts);
    if (rank == comm.rank())
      unpack(
          array, parts, [&](std::size_t p) { return parts[p].number; }, window.data());
    else
      unpack(
          array, parts, [&](std::size_t p) { return before[p]; },
          values.bytes.data() + places[static_cast<std::size_t>(rank)]);
  }
}

}  // namespace dgtd::io
