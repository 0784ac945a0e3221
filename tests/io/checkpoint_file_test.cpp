// Checkpoint files: the same bytes from any number of ranks, every value back, and damage that is always noticed.
#include "dgtd/io/checkpoint_file.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <numeric>
#include <random>

#include "dgtd/solver/state.hpp"
#include "io/checkpoint_seal.hpp"
#include "io/scratch.hpp"

namespace dgtd::io {
namespace {

using solver::Items, solver::PersistentArray;

/// Items that are scattered over ranks, with places in another order, and a value for each number.
struct Sample {
  Sample(std::int64_t all, bool complete, const parallel::Communicator& comm, int values)
      : items(std::make_shared<Items>()) {
    items->name = complete ? "all" : "some";
    items->end = all;
    items->complete = complete;
    std::vector<std::int64_t> mine;
    for (std::int64_t n = 0; n < all; ++n) {
      if (!complete && n % 7 != 3) continue;
      if ((n / 5 * 2654435761u >> 7) % static_cast<std::uint64_t>(comm.size()) ==
          static_cast<std::uint64_t>(comm.rank()))
        mine.push_back(n);
    }
    std::vector<std::uint64_t> places(mine.size());
    std::iota(places.begin(), places.end(), 0u);
    std::shuffle(places.begin(), places.end(), std::mt19937(7));
    single = parallel::Array<float>(mine.size() * static_cast<std::size_t>(values));
    real = parallel::Array<double>(mine.size());
    for (std::size_t i = 0; i < mine.size(); ++i) {
      items->runs.push_back({mine[i], 1, places[i]});
      for (int v = 0; v < values; ++v)
        single.host_for_writing()[places[i] + static_cast<std::size_t>(v) * mine.size()] =
            static_cast<float>(mine[i]) + 0.25f * static_cast<float>(v);
      real.host_for_writing()[places[i]] = 1 / (1.0 + double(mine[i]));
    }
    offsets = solver::offsets_from(0, mine.size(), static_cast<std::size_t>(values));
  }
  std::vector<PersistentArray> arrays(const std::string& prefix) {
    return {solver::persistent(prefix + "single", items, single, offsets),
            solver::persistent(prefix + "real", items, real, {0})};
  }
  void clear() {
    std::fill_n(single.host_for_writing(), single.size(), -1.0f);
    std::fill_n(real.host_for_writing(), real.size(), -1.0);
  }

  std::shared_ptr<Items> items;
  parallel::Array<float> single;
  parallel::Array<double> real;
  std::vector<std::uint64_t> offsets;
};

struct Samples {
  explicit Samples(const parallel::Communicator& comm, std::int64_t all = 20000)
      : complete(all, true, comm, 30), scattered(all, false, comm, 3) {}
  std::vector<PersistentArray> arrays() {
    auto list = complete.arrays("");
    for (auto& array : scattered.arrays("some/")) list.push_back(std::move(array));
    return list;
  }
  Sample complete, scattered;
};

CheckpointValues some_values() {
  CheckpointValues values;
  values.texts["case"] = "[solver]\norder = 2\n";
  values.texts["."] = "";
  values.numbers["a/b.c%"] = {1.0 / 3, -0.0, 1e300};
  values.numbers["none"] = {};
  return values;
}

/// The same on all ranks of the world. Made by CheckpointFiles::SetUp, since that is collective.
std::filesystem::path& directory() {
  static std::filesystem::path path;
  return path;
}

class CheckpointFiles : public testing::Environment {
  void SetUp() override {
    const parallel::Communicator world;
    directory() = std::filesystem::path(testing::TempDir()) /
                  ("dgtd_checkpoint_" + std::to_string(world.broadcast_value(::getpid())));
    std::filesystem::create_directories(directory());
  }
  void TearDown() override {
    const parallel::Communicator world;
    world.barrier();
    std::error_code ignored;
    std::filesystem::remove_all(directory(), ignored);
  }
};
[[maybe_unused]] const auto* const cleaning = testing::AddGlobalTestEnvironment(new CheckpointFiles);

TEST(CheckpointFile, GivesEveryValueBack) {
  const parallel::Communicator world;
  const auto file = directory() / "values.h5";
  Samples written(world);
  const double bytes = write_checkpoint(file, some_values(), written.arrays(), world);
  EXPECT_EQ(bytes, double(std::filesystem::file_size(file)));
  EXPECT_FALSE(std::filesystem::exists(file.string() + ".tmp"));

  Samples read(world);
  read.complete.clear();
  read.scattered.clear();
  const CheckpointFile checkpoint(file, world);
  EXPECT_EQ(checkpoint.values().texts, some_values().texts);
  EXPECT_EQ(checkpoint.values().numbers, some_values().numbers);
  checkpoint.read(read.arrays());
  for (auto member : {&Samples::complete, &Samples::scattered}) {
    Sample &a = written.*member, &b = read.*member;
    EXPECT_TRUE(std::equal(a.single.host(), a.single.host() + a.single.size(), b.single.host()));
    EXPECT_TRUE(std::equal(a.real.host(), a.real.host() + a.real.size(), b.real.host()));
  }
}

TEST(CheckpointFile, HasTheSameBytesFromAnyNumberOfRanks) {
  const parallel::Communicator world, self(MPI_COMM_SELF);
  const auto file = directory() / "world.h5", alone = directory() / "self.h5";
  Samples of_world(world);
  write_checkpoint(file, some_values(), of_world.arrays(), world);
  if (!world.is_root()) return;
  Samples of_one(self);
  write_checkpoint(alone, some_values(), of_one.arrays(), self);
  EXPECT_EQ(read(file), read(alone));
}

TEST(CheckpointFile, RefusesArraysOfAnotherShape) {
  const parallel::Communicator world;
  const auto file = directory() / "shape.h5";
  Samples written(world);
  write_checkpoint(file, {}, written.arrays(), world);
  const CheckpointFile checkpoint(file, world);
  Samples other(world, 20001);
  EXPECT_THROW(checkpoint.read(other.complete.arrays("")), Error);
  Sample fewer(20000, true, world, 29);
  EXPECT_THROW(checkpoint.read(fewer.arrays("")), Error);
  auto unknown = written.complete.arrays("unknown ");
  EXPECT_THROW(checkpoint.read(unknown), Error);
  for (auto& array : unknown) array.may_be_absent = true;
  checkpoint.read(unknown);
}

// Every byte is covered: one flipped bit anywhere, and any cut, is found.
TEST(CheckpointFile, NoticesEveryDamage) {
  const parallel::Communicator world, self(MPI_COMM_SELF);
  if (!world.is_root()) return;
  const auto file = directory() / "damaged.h5";
  Samples written(self, 3000);
  write_checkpoint(file, some_values(), written.arrays(), self);
  const std::string whole = read(file);
  std::mt19937_64 random(1);
  const auto noticed = [&](const std::string& bytes) {
    std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
    try {
      const CheckpointFile checkpoint(file, self);
    } catch (const DamagedFile&) { return true; }
    return false;
  };
  EXPECT_FALSE(noticed(whole));
  for (int i = 0; i < 100; ++i) {
    std::string bytes = whole;
    const std::size_t at = i < 10 ? static_cast<std::size_t>(i) * 8 : random() % bytes.size();
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << random() % 8));
    EXPECT_TRUE(noticed(bytes)) << "a bit of byte " << at;
  }
  for (int i = 0; i < 100; ++i) {
    const std::size_t size = i == 0 ? 0 : i == 1 ? whole.size() - 1 : random() % whole.size();
    EXPECT_TRUE(noticed(whole.substr(0, size))) << "cut to " << size << " bytes";
  }
  EXPECT_TRUE(noticed(whole + '\0'));
  std::filesystem::remove(file);
  EXPECT_THROW(CheckpointFile(file, self), DamagedFile);
}

// As somebody may make it: HDF5 1.10 crashes where the storage of a text is said to be in its header and of no bytes.
TEST(CheckpointFile, ThatIsDamagedAndSealedAgainIsNoticed) {
  const parallel::Communicator world, self(MPI_COMM_SELF);
  const auto file = directory() / ("sealed_" + std::to_string(world.rank()) + ".h5");
  Samples written(self, 3000);
  write_checkpoint(file, some_values(), written.arrays(), self);
  const auto extents = check_seal(file);
  std::string bytes = read(file);
  // Message 8 of 24 bytes: layout, version 3, contiguous.
  const std::size_t layout = bytes.find({"\x08\x00\x18\x00\x00\x00\x00\x00\x03\x01", 10});
  ASSERT_NE(layout, std::string::npos);
  bytes.replace(layout + 8, 4, {"\x04\x00\x00\x00", 4});
  std::ofstream(file, std::ios::binary) << bytes;
  write_seal(file, extents);
  EXPECT_EQ(check_seal(file).size(), extents.size());  // the seal is that of the damaged file
  try {
    const CheckpointFile damaged(file, self);
    FAIL();
  } catch (const DamagedFile& error) {
    EXPECT_EQ(error.what(), file.string() + ": the HDF5 library crashed while reading it; the file is damaged");
  }
}

TEST(CheckpointFile, ThatCannotBeWrittenLeavesTheOldOne) {
  const parallel::Communicator world;
  const auto file = directory() / "kept.h5";
  Samples written(world, 3000);
  write_checkpoint(file, some_values(), written.arrays(), world);
  world.barrier();
  if (world.is_root()) std::filesystem::create_directory(file.string() + ".tmp");  // in the way
  world.barrier();
  EXPECT_THROW(write_checkpoint(file, {}, written.arrays(), world), Error);
  const CheckpointFile checkpoint(file, world);
  EXPECT_EQ(checkpoint.values().texts, some_values().texts);
}

TEST(State, IsSharedAsItIsHeld) {
  const parallel::Communicator world;
  const double rank = world.rank();
  solver::State state;
  state.set_numbers("same", {4, 5});
  state.set_numbers("sum", {rank, 1}, solver::State::Held::partial);
  if (world.rank() == world.size() - 1) state.set_numbers("owner", {7}, solver::State::Held::by_owner);
  const solver::State gathered = solver::gather(state, world);
  std::vector<char> bytes = gathered.bytes();
  const std::string text = world.broadcast(std::string(bytes.begin(), bytes.end()));
  std::span<const char> left(text);
  const solver::State on_all = solver::State::of_bytes(left);

  const solver::State mine = solver::part_of(on_all, world);
  EXPECT_EQ(mine.numbers("same"), (solver::State::Numbers{4, 5}));
  EXPECT_EQ(mine.numbers("sum"), (solver::State::Numbers{rank, 1}));
  EXPECT_EQ(mine.numbers("owner"), (solver::State::Numbers{7}));

  // One rank after several: it has the sums.
  const solver::State alone = solver::part_of(on_all, parallel::Communicator(MPI_COMM_SELF));
  const double n = world.size();
  EXPECT_EQ(alone.numbers("sum"), (solver::State::Numbers{n * (n - 1) / 2, n}));
}

}  // namespace
}  // namespace dgtd::io
