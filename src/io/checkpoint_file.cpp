#include "dgtd/io/checkpoint_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <system_error>
#include <utility>

#include "binary_file.hpp"
#include "checkpoint_layout.hpp"
#include "checkpoint_seal.hpp"
#include "checkpoint_slabs.hpp"
#include "dgtd/parallel/together.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/base/os_reason.hpp"
#include "dgtd/parallel/child_reader.hpp"
#include "dgtd/parallel/hash_bytes.hpp"

namespace dgtd::io {

namespace {

using parallel::together;

constexpr const char* items_prefix = "items of ";  // of the array that lists numbers

Slabs slabs_of(const StoredArray& array) {
  return {array.items, static_cast<std::size_t>(array.values) * array.value_bytes};
}

std::int64_t all_chunks(const std::vector<StoredArray>& arrays) {
  std::int64_t chunks = 0;
  for (const auto& array : arrays) chunks += slabs_of(array).chunks();
  return chunks;
}

std::int64_t items_here(const solver::Items& items) {
  std::int64_t count = 0;
  for (const auto& run : items.runs) count += run.count;
  return count;
}

std::uint64_t checksum(const char* chunk, std::size_t bytes, std::int64_t number) {
  return parallel::hash_bytes(chunk, bytes, static_cast<std::uint64_t>(number));
}

/// Chunks of a window: body(index in the window, number in the array, first byte in the window, bytes), by threads.
template <class Body>
void for_chunks(const Slabs& slabs, const Window& window, Body body) {
  const std::int64_t of_chunk = slabs.chunk_items(), count = (window.items() + of_chunk - 1) / of_chunk;
#pragma omp parallel for schedule(dynamic) if (count > 1)
  for (std::int64_t c = 0; c < count; ++c) {
    const std::int64_t first = c * of_chunk, items = std::min(of_chunk, window.items() - first);
    body(static_cast<std::size_t>(c), window.first / of_chunk + c, static_cast<std::size_t>(first) * slabs.item_bytes,
         static_cast<std::size_t>(items) * slabs.item_bytes);
  }
}

/// An array to be written: the solver's, or the numbers of its items.
struct Source {
  StoredArray stored;
  solver::PersistentArray array;
  std::shared_ptr<const Placement> placement;
};

// Ranks that list other arrays would wait for each other.
void check_same_list(const std::vector<solver::PersistentArray>& arrays, const parallel::Communicator& comm) {
  std::uint64_t hash = arrays.size();
  for (const auto& array : arrays)
    hash = parallel::hash_bytes(array.name.data(), array.name.size(), hash + array.offsets.size());
  const auto number = static_cast<std::int64_t>(hash >> 1);
  if (comm.max(number) != comm.min(number))
    throw Error(ExitCode::other, "checkpoint: ranks have different lists of arrays");
}

std::vector<Source> sources_of(const std::vector<solver::PersistentArray>& arrays, const parallel::Communicator& comm) {
  check_same_list(arrays, comm);
  std::vector<Source> sources;
  std::map<const solver::Items*, std::shared_ptr<const Placement>> placed;
  std::set<std::string> listed_names;
  for (const auto& array : arrays) {
    auto& placement = placed[array.items.get()];
    if (!placement) {
      placement = std::make_shared<const Placement>(place_items(*array.items, comm));
      if (!array.items->complete && placement->stored > 0 && listed_names.insert(array.items->name).second) {
        // The numbers as an array with one item after the other.
        auto listed = std::make_shared<Placement>(*placement);
        std::uint64_t place = 0;
        for (auto& run : listed->runs) {
          run.place = place;
          place += static_cast<std::uint64_t>(run.count);
        }
        StoredArray stored{items_prefix + array.items->name, listed->stored, 1, 8, true, 0};
        solver::PersistentArray numbers{stored.name,
                                        array.items,
                                        {0},
                                        8,
                                        [listed]() -> const void* { return listed->numbers.data(); },
                                        [] { return nullptr; },
                                        [] {},
                                        false};
        sources.push_back({stored, std::move(numbers), listed});
      }
    }
    const auto values = static_cast<std::int64_t>(array.offsets.size());
    if (placement->stored == 0 || values == 0) continue;
    Source source{StoredArray(), array, placement};
    source.stored.name = array.name;
    source.stored.items = placement->stored, source.stored.values = values;
    source.stored.value_bytes = array.value_bytes;
    sources.push_back(std::move(source));
  }
  return sources;
}

/// Checksums of this rank's chunks of an array, in their order.
std::vector<std::uint64_t> write_array(const BinaryFile* file, const Source& source,
                                       const parallel::Communicator& comm) {
  const Slabs slabs = slabs_of(source.stored);
  std::vector<std::uint64_t> sums;
  std::vector<char> buffer;
  for (std::int64_t round = 0; round < rounds_of(slabs, comm.size()); ++round) {
    const auto windows = windows_of(slabs, round, comm.size());
    const Window& mine = windows[static_cast<std::size_t>(comm.rank())];
    collect(source.array, *source.placement, windows, buffer, comm);
    together(comm, [&] {
      const std::size_t before = sums.size();
      sums.resize(before + static_cast<std::size_t>((mine.items() + slabs.chunk_items() - 1) / slabs.chunk_items()));
      int failures = 0;
      std::string failure;
      for_chunks(slabs, mine, [&](std::size_t c, std::int64_t number, std::size_t first, std::size_t bytes) {
        sums[before + c] = checksum(buffer.data() + first, bytes, number);
        const std::uint64_t at =
            source.stored.offset + static_cast<std::uint64_t>(mine.first) * slabs.item_bytes + first;
        try {
          file->write(buffer.data() + first, bytes, at);
        } catch (const Error& error) {
#pragma omp critical
          if (failures++ == 0) failure = error.what();
        }
      });
      if (failures > 0) throw Error(ExitCode::other, failure);
    });
  }
  source.array.release();
  return sums;
}

void write_all(const std::filesystem::path& file, CheckpointLayout& layout, std::vector<Source>& sources,
               const parallel::Communicator& comm) {
  for (const auto& source : sources) layout.arrays.push_back(source.stored);
  const std::int64_t chunks = all_chunks(layout.arrays);
  layout.checksums = {"checksums", chunks, 1, 8, true, 0};
  std::vector<std::uint64_t> offsets(sources.size() + 1);
  together(comm, [&] {
    if (!comm.is_root()) return;
    create_layout(file, seal_bytes(sources.size()), layout);
    for (std::size_t i = 0; i < sources.size(); ++i)
      offsets[i] = std::find_if(layout.arrays.begin(), layout.arrays.end(), [&](const auto& a) {
                     return a.name == sources[i].stored.name;
                   })->offset;
    offsets.back() = layout.checksums.offset;
  });
  MPI_Bcast(offsets.data(), static_cast<int>(offsets.size()), MPI_UINT64_T, 0, comm.handle());
  for (std::size_t i = 0; i < sources.size(); ++i) sources[i].stored.offset = offsets[i];
  std::sort(sources.begin(), sources.end(),
            [](const auto& a, const auto& b) { return a.stored.offset < b.stored.offset; });

  std::unique_ptr<const BinaryFile> out;
  together(comm, [&] { out = std::make_unique<const BinaryFile>(file, BinaryFile::Access::write); });
  std::vector<std::uint64_t> sums;  // on root
  for (const auto& source : sources) {
    const auto of_array = comm.gather_vectors(write_array(out.get(), source, comm));
    sums.insert(sums.end(), of_array.begin(), of_array.end());
  }
  together(comm, [&] { out->sync(); });
  comm.barrier();
  together(comm, [&] {
    if (!comm.is_root()) return;
    out->write(sums.data(), sums.size() * sizeof(std::uint64_t), offsets.back());
    std::vector<Extent> extents;
    for (const auto& array : layout.arrays) extents.push_back({array.offset, array.bytes()});
    write_seal(file, extents);
    out->sync();
  });
}

}  // namespace

double write_checkpoint(const std::filesystem::path& file, const CheckpointValues& values,
                        const std::vector<solver::PersistentArray>& arrays, const parallel::Communicator& comm) {
  std::filesystem::path temporary = file;
  temporary += ".tmp";
  double bytes = 0;
  try {
    auto sources = sources_of(arrays, comm);
    CheckpointLayout layout;
    if (comm.is_root()) layout.values = values;
    write_all(temporary, layout, sources, comm);
    together(comm, [&] {
      if (!comm.is_root()) return;
      bytes = double(std::filesystem::file_size(temporary));
      std::error_code failure;
      std::filesystem::rename(temporary, file, failure);
      if (failure)
        throw Error(ExitCode::other, fmt::format("{}: cannot write: {}", file.string(), os_reason(failure.value())));
      sync_directory(file.parent_path());
    });
  } catch (const Error&) {
    std::error_code ignored;
    if (comm.is_root()) std::filesystem::remove(temporary, ignored);
    throw;
  }
  return comm.broadcast_value(bytes);
}

struct CheckpointFile::Contents {
  CheckpointLayout layout;               // on all ranks
  std::vector<std::uint64_t> checksums;  // [chunks of all arrays]
  std::unique_ptr<const BinaryFile> file;

  const StoredArray* find(const std::string& name) const {
    const auto found =
        std::find_if(layout.arrays.begin(), layout.arrays.end(), [&](const auto& array) { return array.name == name; });
    return found == layout.arrays.end() ? nullptr : &*found;
  }
  std::int64_t first_checksum(const StoredArray& array) const {
    std::int64_t first = 0;
    for (const auto* a = layout.arrays.data(); a != &array; ++a) first += slabs_of(*a).chunks();
    return first;
  }

  /// Reads this rank's window and compares its checksums. Throws Error.
  void read_window(const StoredArray& array, const Window& window, std::vector<char>& buffer,
                   const std::filesystem::path& path) const {
    const Slabs slabs = slabs_of(array);
    buffer.resize(static_cast<std::size_t>(window.items()) * slabs.item_bytes);
    const std::int64_t before = first_checksum(array);
    int failures = 0;
    for_chunks(slabs, window, [&](std::size_t, std::int64_t number, std::size_t first, std::size_t bytes) {
      bool good = false;
      try {
        file->read(buffer.data() + first, bytes,
                   array.offset + static_cast<std::uint64_t>(window.first) * slabs.item_bytes + first);
        good = checksum(buffer.data() + first, bytes, number) == checksums[static_cast<std::size_t>(before + number)];
      } catch (const Error&) {}
      if (good) return;
#pragma omp atomic
      ++failures;
    });
    if (failures > 0) throw Error(fmt::format("{}: is damaged in array '{}'", path.string(), array.name));
  }
};

namespace {

// HDF5 reads in a process that may crash. arrays: which HDF5 does not read. On root.
CheckpointLayout read_by_hdf5(const std::filesystem::path& file, const std::vector<Extent>& arrays) {
  auto bytes = static_cast<double>(std::filesystem::file_size(file));
  for (const Extent& array : arrays) bytes -= static_cast<double>(array.bytes);
  std::string packed;
  parallel::read_in_child(
      file.string(), "HDF5", parallel::read_limits(std::max(bytes, 0.0)),
      [&](parallel::Sender& sender) { sender.put(pack(read_layout(file))); },
      [&](parallel::Receiver& receiver) { receiver.take(packed); });
  return unpack(packed);
}

// Small values from root to all ranks.
void broadcast(CheckpointLayout& layout, const parallel::Communicator& comm) {
  layout = unpack(comm.broadcast(comm.is_root() ? pack(layout) : std::string()));
}

}  // namespace

CheckpointFile::CheckpointFile(std::filesystem::path file, const parallel::Communicator& comm)
    : path_(std::move(file)), comm_(comm), contents_(std::make_unique<Contents>()) {
  try {
    open();
  } catch (const Error& error) { throw DamagedFile(error.what()); }
}

void CheckpointFile::open() {
  const parallel::Communicator& comm = comm_;
  CheckpointLayout& layout = contents_->layout;
  auto& checksums = contents_->checksums;
  together(comm, [&] {
    contents_->file = std::make_unique<const BinaryFile>(path_, BinaryFile::Access::read);
    if (!comm.is_root()) return;
    const auto extents = check_seal(path_);
    layout = read_by_hdf5(path_, extents);
    const auto same = [](const StoredArray& array, const Extent& extent) {
      return array.offset == extent.offset && array.bytes() == extent.bytes;
    };
    if (!std::equal(layout.arrays.begin(), layout.arrays.end(), extents.begin(), extents.end(), same) ||
        all_chunks(layout.arrays) != layout.checksums.items)
      throw Error(path_.string() + ": its arrays are not those of a checkpoint");
    checksums.resize(static_cast<std::size_t>(layout.checksums.items));
    if (!checksums.empty())
      contents_->file->read(checksums.data(), checksums.size() * sizeof(std::uint64_t), layout.checksums.offset);
  });
  broadcast(layout, comm);
  checksums.resize(static_cast<std::size_t>(all_chunks(layout.arrays)));
  MPI_Bcast(checksums.data(), static_cast<int>(checksums.size()), MPI_UINT64_T, 0, comm.handle());
  std::vector<char> buffer;
  together(comm, [&] {
    for (const auto& array : layout.arrays)
      for (std::int64_t round = 0; round < rounds_of(slabs_of(array), comm.size()); ++round)
        contents_->read_window(array,
                               windows_of(slabs_of(array), round, comm.size())[static_cast<std::size_t>(comm.rank())],
                               buffer, path_);
  });
}

CheckpointFile::~CheckpointFile() = default;
CheckpointFile::CheckpointFile(CheckpointFile&&) noexcept = default;

const CheckpointValues& CheckpointFile::values() const { return contents_->layout.values; }
bool CheckpointFile::has(const std::string& array) const { return contents_->find(array) != nullptr; }

void CheckpointFile::read(const std::vector<solver::PersistentArray>& arrays) const {
  check_same_list(arrays, comm_);
  std::map<const solver::Items*, Placement> placed;
  std::vector<char> buffer;
  const int ranks = comm_.size();
  const auto mine = [&](const std::vector<Window>& windows) { return windows[static_cast<std::size_t>(comm_.rank())]; };
  const auto placement_of = [&](const solver::Items& items) -> const Placement& {
    if (const auto found = placed.find(&items); found != placed.end()) return found->second;
    Placement& placement = placed[&items];
    if (items.complete) return placement = place_items(items, comm_);
    const StoredArray* const listed = contents_->find(items_prefix + items.name);
    std::vector<std::int64_t> slab;
    std::int64_t first = 0;
    if (listed != nullptr) {
      const Slabs slabs = slabs_of(*listed);
      first = slabs.first_item(slabs.first_chunk(comm_.rank(), ranks));
      for (std::int64_t round = 0; round < rounds_of(slabs, ranks); ++round) {
        together(comm_, [&] { contents_->read_window(*listed, mine(windows_of(slabs, round, ranks)), buffer, path_); });
        const std::size_t before = slab.size(), count = buffer.size() / sizeof(std::int64_t);
        slab.resize(before + count);
        if (count > 0) std::memcpy(slab.data() + before, buffer.data(), buffer.size());
      }
    }
    return placement = find_items(items, slab, first, comm_);
  };
  for (const auto& array : arrays) {
    const StoredArray* const stored = contents_->find(array.name);
    const auto values = static_cast<std::int64_t>(array.offsets.size());
    const auto fail = [&](std::int64_t items) {
      throw Error(fmt::format("{}: has no array '{}' of {} items, {} values and {} bytes per value", path_.string(),
                              array.name, items, values, array.value_bytes));
    };
    if (stored == nullptr) {
      const std::int64_t items = comm_.sum(items_here(*array.items));
      if (items > 0 && values > 0 && !array.may_be_absent) fail(items);
      continue;
    }
    const Placement& placement = placement_of(*array.items);
    if (stored->items != placement.stored || stored->values != values || stored->value_bytes != array.value_bytes)
      fail(placement.stored);
    const Slabs slabs = slabs_of(*stored);
    for (std::int64_t round = 0; round < rounds_of(slabs, ranks); ++round) {
      const auto windows = windows_of(slabs, round, ranks);
      together(comm_, [&] { contents_->read_window(*stored, mine(windows), buffer, path_); });
      distribute(array, placement, windows, buffer, comm_);
    }
    array.release();
  }
}

}  // namespace dgtd::io
