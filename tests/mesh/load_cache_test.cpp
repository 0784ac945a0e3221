// load() with the compact file of a mesh: the ranks together hold the same mesh in whatever way they got it.
#include <fstream>
#include <optional>
#include <regex>
#include <set>

#include "dgtd/mesh/load.hpp"
#include "box_as_global_mesh.hpp"
#include "environment_variable.hpp"
#include "global_view.hpp"
#include "msh2.hpp"
#include "scratch_folder.hpp"
#include "small_meshes.hpp"

namespace dgtd::mesh {
namespace {

class CompactCache : public ::testing::Test {
 protected:
  CompactCache() {
    if (comm_.is_root()) {
      folder_.emplace("cache");
      folder_->write("box.msh", testing::msh2(testing::box_as_global_mesh({6, 5, 4}, {1, 0.8, 0.7})));
    }
    source_.file = comm_.broadcast(comm_.is_root() ? (*folder_ / "box.msh").string() : "");
    source_.cache = MeshSource::Cache::beside;
    compact_ = source_.file.string() + ".compact";
  }
  ~CompactCache() override { comm_.barrier(); }

  std::vector<testing::ElementView> loaded(Partitioner partitioner = Partitioner::automatic) {
    comm_.barrier();
    Timers timers;
    const Subdomain mine = load(source_, partitioner, comm_, timers);
    testing::expect_sound(mine);
    EXPECT_EQ(mine.global_elements, 720);
    EXPECT_EQ(mine.volume_names, std::vector<std::string>{"box"});
    EXPECT_LE(comm_.max(static_cast<std::int64_t>(mine.elements())), 1.05 * 720 / comm_.size() + 1);
    converted_ = comm_.max(std::int64_t{timers.seconds("read/parse") > 0}) == 1;
    return testing::global_view(mine, comm_);
  }
  void on_root_only(const std::function<void()>& work) {
    if (comm_.is_root()) work();
    comm_.barrier();
  }
  /// On root.
  static std::set<std::string> files_in(const std::filesystem::path& folder) {
    std::set<std::string> names;
    for (const auto& file : std::filesystem::directory_iterator(folder)) names.insert(file.path().filename().string());
    return names;
  }
  void change_byte(std::streamoff at) {
    on_root_only([&] {
      std::fstream stream(compact_, std::ios::in | std::ios::out | std::ios::binary);
      stream.seekg(at);
      const char old = static_cast<char>(stream.get());
      stream.seekp(at);
      stream.put(static_cast<char>(old ^ 1));
    });
  }

  parallel::Communicator comm_;
  std::optional<testing::ScratchFolder> folder_;  // root
  MeshSource source_;
  std::filesystem::path compact_;
  bool converted_ = false;  // by the last load
};

TEST_F(CompactCache, IsMadeOnceAndUsedByEveryPartitioner) {
  const auto first = loaded();
  EXPECT_TRUE(converted_);
  EXPECT_TRUE(std::filesystem::exists(compact_));
  for (const auto partitioner : {Partitioner::automatic, Partitioner::metis, Partitioner::curve}) {
    EXPECT_EQ(loaded(partitioner), first);
    EXPECT_FALSE(converted_);
  }
}

TEST_F(CompactCache, FollowsTheMeshFile) {
  const auto first = loaded();
  on_root_only([&] {
    GlobalMesh mesh = testing::box_as_global_mesh({6, 5, 4}, {1, 0.8, 0.7});
    mesh.vertices.back().x += 0.01;
    folder_->write("box.msh", testing::msh2(mesh));
  });
  const auto second = loaded();
  EXPECT_TRUE(converted_);
  if (comm_.is_root()) { EXPECT_NE(first, second); }
  source_.unit = 1e-3;
  loaded();
  EXPECT_TRUE(converted_);
  loaded();
  EXPECT_FALSE(converted_);
}

TEST_F(CompactCache, IsMadeAnewWhereItIsDamaged) {
  const auto first = loaded();
  for (const std::streamoff at : {100, 4096 + 1000, 4096 + 8192 + 300, 20'000}) {
    change_byte(at);
    EXPECT_EQ(loaded(), first) << at;
    EXPECT_EQ(loaded(), first) << at;
    EXPECT_FALSE(converted_);
  }
}

TEST_F(CompactCache, IsNotNeeded) {
  on_root_only([&] { std::filesystem::create_directory(compact_); });  // in its place
  const auto first = loaded();
  EXPECT_TRUE(converted_);
  EXPECT_EQ(loaded(Partitioner::curve), first);
  EXPECT_TRUE(converted_);
  on_root_only([&] { std::filesystem::remove(compact_); });
  EXPECT_EQ(loaded(), first);
}

// By default nothing is written beside a mesh file, which may be in somebody else's folder. Files of one name in two
// folders have a compact file each.
TEST_F(CompactCache, IsInTheUsersFolderByDefault) {
  source_.cache = MeshSource::Cache::user;
  const std::filesystem::path folder = source_.file.parent_path();
  const testing::EnvironmentVariable cache("XDG_CACHE_HOME", (folder / "cache").string());
  const auto first = loaded();
  EXPECT_TRUE(converted_);
  EXPECT_EQ(loaded(), first);
  EXPECT_FALSE(converted_);
  if (comm_.is_root()) {
    EXPECT_EQ(files_in(folder), (std::set<std::string>{"box.msh", "cache"}));
    const auto kept = files_in(folder / "cache/dgtd");
    ASSERT_EQ(kept.size(), 1u);
    EXPECT_TRUE(std::regex_match(*kept.begin(), std::regex("box\\.msh\\.[0-9a-f]{16}\\.compact"))) << *kept.begin();
  }
  on_root_only([&] {
    std::filesystem::create_directory(folder / "other");
    std::filesystem::copy_file(source_.file, folder / "other/box.msh");
  });
  const MeshSource before = source_;
  source_.file = folder / "other/box.msh";
  loaded();
  EXPECT_TRUE(converted_);
  source_ = before;
  loaded();
  EXPECT_FALSE(converted_);
  if (comm_.is_root()) { EXPECT_EQ(files_in(folder / "cache/dgtd").size(), 2u); }
}

TEST_F(CompactCache, IsNotMadeWhereItIsOffOrCannotBe) {
  const testing::EnvironmentVariable cache("XDG_CACHE_HOME", "/dev/null");  // not a folder, for root neither
  const auto folder = source_.file.parent_path();
  const auto first = loaded();
  on_root_only([&] { std::filesystem::remove(compact_); });
  for (const auto kind : {MeshSource::Cache::user, MeshSource::Cache::off})
    for (int run = 0; run < 2; ++run) {
      source_.cache = kind;
      EXPECT_EQ(loaded(), first);
      EXPECT_TRUE(converted_);
      if (comm_.is_root()) { EXPECT_EQ(files_in(folder), (std::set<std::string>{"box.msh"})); }
    }
}

// A mesh with layers has a compact file of its own, and that of the mesh without them stays.
TEST_F(CompactCache, IsOfOneMeshWithItsLayers) {
  const auto without = loaded();
  const auto with = [&](const std::vector<AddedLayers>& layers) {
    source_.layers = layers;
    comm_.barrier();
    Timers timers;
    const Subdomain mine = load(source_, Partitioner::automatic, comm_, timers);
    testing::expect_sound(mine);
    converted_ = comm_.max(std::int64_t{timers.seconds("read/parse") > 0}) == 1;
    return testing::global_view(mine, comm_);
  };
  const auto two = with({{"xmax", 2, 0.1}}), three = with({{"xmax", 3, 0.1}}), thicker = with({{"xmax", 3, 0.2}});
  EXPECT_TRUE(converted_);
  if (comm_.is_root()) {
    EXPECT_EQ(two.size(), 720u + 2 * 6 * 5 * 4);
    EXPECT_EQ(three.size(), 720u + 3 * 6 * 5 * 4);
    EXPECT_NE(three, thicker);
    EXPECT_EQ(files_in(source_.file.parent_path()).size(), 5u);  // the mesh and its four compact files
  }
  EXPECT_EQ(with({{"xmax", 2, 0.1}}), two);
  EXPECT_FALSE(converted_);
  EXPECT_EQ(with({{"xmax", 3, 0.2}}), thicker);
  EXPECT_FALSE(converted_);
  source_.layers.clear();
  EXPECT_EQ(loaded(), without);
  EXPECT_FALSE(converted_);
}

TEST_F(CompactCache, IsInTheUsersFolderWithItsLayers) {
  source_.cache = MeshSource::Cache::user;
  const std::filesystem::path folder = source_.file.parent_path();
  const testing::EnvironmentVariable cache("XDG_CACHE_HOME", (folder / "cache").string());
  loaded();
  source_.layers = {{"xmax", 2, 0.1}};
  EXPECT_EQ(load(source_, comm_).global_elements, 720 + 2 * 6 * 5 * 4);
  comm_.barrier();
  if (comm_.is_root()) { EXPECT_EQ(files_in(folder / "cache/dgtd").size(), 2u); }
}

TEST_F(CompactCache, HasNoMeshThatIsWrong) {
  on_root_only([&] {
    GlobalMesh mesh = testing::box_as_global_mesh({6, 5, 4}, {1, 0.8, 0.7});
    mesh.triangles.pop_back();
    mesh.triangle_group.pop_back();
    folder_->write("box.msh", testing::msh2(mesh));
  });
  EXPECT_NE(testing::message_of([&] { load(source_, comm_); }).find("is in no surface group"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(compact_));
}

TEST_F(CompactCache, MoreRanksThanElementsAreRefused) {
  on_root_only([&] { folder_->write("box.msh", testing::msh2(testing::two_tetrahedra())); });
  for (const auto partitioner : {Partitioner::metis, Partitioner::curve}) {
    if (comm_.size() <= 2) continue;
    Timers timers;
    EXPECT_EQ(testing::message_of([&] { load(source_, partitioner, comm_, timers); }),
              fmt::format("box.msh: {} ranks for 2 elements; allowed are 1 to 2", comm_.size()));
  }
}

}  // namespace
}  // namespace dgtd::mesh
