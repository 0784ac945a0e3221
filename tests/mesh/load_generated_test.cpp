// load() of a mesh that has to be generated first.
#include <optional>

#include "dgtd/mesh/load.hpp"
#include "global_view.hpp"
#include "scratch_folder.hpp"
#include "small_meshes.hpp"

namespace dgtd::mesh {
namespace {

/// A folder of root's, which all ranks see.
class HeadPhoneGenerator : public ::testing::Test {
 protected:
  HeadPhoneGenerator() {
    if (comm_.is_root()) folder_.emplace("load");
    wanted_.generator = mesh::MeshSource::Generator::head_phone;
    wanted_.file = comm_.broadcast(comm_.is_root() ? (*folder_ / "new/head.msh").string() : "");
  }
  int files_beside() const {
    const auto files = std::filesystem::directory_iterator(wanted_.file.parent_path());
    return static_cast<int>(std::distance(begin(files), end(files)));
  }
  parallel::Communicator comm_;
  std::optional<testing::ScratchFolder> folder_;  // root
  mesh::MeshSource wanted_;
};

TEST_F(HeadPhoneGenerator, WritesTheFileOnceAndReadsItAfterwards) {
  const Subdomain made = load(wanted_, comm_);
  testing::expect_sound(made);
  const auto written = std::filesystem::last_write_time(wanted_.file);
  EXPECT_EQ(files_beside(), 2);  // the mesh and its compact file
  const Subdomain read = load(wanted_, comm_);
  EXPECT_EQ(std::filesystem::last_write_time(wanted_.file), written);
  EXPECT_EQ(made.element_id, read.element_id);
  EXPECT_EQ(made.vertices, read.vertices);
  comm_.barrier();  // before root's folder goes
}

TEST_F(HeadPhoneGenerator, FailsOnAllRanksAndLeavesNothing) {
  wanted_.level = "m9";
  EXPECT_NE(testing::message_of([&] { load(wanted_, comm_); }).find("m9"), std::string::npos);
  EXPECT_EQ(files_beside(), 0);
  comm_.barrier();
}

}  // namespace
}  // namespace dgtd::mesh
