// Where the mesh of a case with a generator is kept.
#include "mesh/generate/generate_missing.hpp"

#include <gtest/gtest.h>

#include "dgtd/base/error.hpp"
#include "dgtd/mesh/load.hpp"
#include "environment_variable.hpp"
#include "scratch_folder.hpp"

namespace dgtd::mesh {
namespace {

using Variable = testing::EnvironmentVariable;

MeshSource head_phone(const std::filesystem::path& file) {
  MeshSource wanted;
  wanted.generator = MeshSource::Generator::head_phone;
  wanted.file = file;
  return wanted;
}

TEST(GeneratedMesh, IsMadeInTheFolderThatTheCaseNames) {
  const testing::ScratchFolder folder("missing");
  const Variable cache("XDG_CACHE_HOME", (folder / "cache").string());
  EXPECT_EQ(generated_mesh(head_phone(folder / "new/a.msh")), folder / "new/a.msh");
  EXPECT_GT(std::filesystem::file_size(folder / "new/a.msh"), 1'000'000u);
  EXPECT_FALSE(std::filesystem::exists(folder / "cache"));
}

// A regular file in place of the folder: not even root can write there.
TEST(GeneratedMesh, BelongsToTheUserWhereTheFolderIsReadOnly) {
  const testing::ScratchFolder folder("read_only");
  folder.write("meshes", "");
  const Variable cache("XDG_CACHE_HOME", (folder / "cache").string());
  const auto wanted = head_phone(folder / "meshes/generated/m0.msh");
  // An earlier run's mesh is used as it is.
  std::filesystem::create_directories(folder / "cache/dgtd");
  folder.write("cache/dgtd/head_phone_m0.msh", "a mesh");
  EXPECT_EQ(generated_mesh(wanted), folder / "cache/dgtd/head_phone_m0.msh");
  EXPECT_EQ(std::filesystem::file_size(folder / "cache/dgtd/head_phone_m0.msh"), 6u);
  std::filesystem::remove(folder / "cache/dgtd/head_phone_m0.msh");
  EXPECT_EQ(generated_mesh(wanted), folder / "cache/dgtd/head_phone_m0.msh");
  EXPECT_GT(std::filesystem::file_size(folder / "cache/dgtd/head_phone_m0.msh"), 1'000'000u);
}

std::string refusal(const MeshSource& wanted) {
  try {
    generated_mesh(wanted);
  } catch (const Error& error) { return error.what(); }
  return "none";
}

TEST(GeneratedMesh, IsOfTheLevelOfTheCase) {
  const testing::ScratchFolder folder("level");
  const auto file = folder / "head_phone_m0.msh";
  auto wanted = head_phone(file);
  wanted.level = "m1";
  EXPECT_EQ(refusal(wanted),
            "mesh: " + file.string() +
                " is the name of level m0, and the case has mesh.level = m1; name another mesh.file or "
                "leave it out");
  EXPECT_FALSE(std::filesystem::exists(file));
  wanted.level = "m0";
  EXPECT_EQ(generated_mesh(wanted), file);
  EXPECT_EQ(generated_mesh(wanted), file);
  wanted.level = "m1";
  EXPECT_EQ(refusal(wanted), "mesh: " + file.string() +
                                 " has the mesh of \"dgtd-mesh head-phone --level m0\", and the case has mesh.level = "
                                 "m1; name another mesh.file or leave it out");
  // The comment does not disturb readers.
  EXPECT_GT(read_gmsh(file, 1).tetrahedra.size(), 10'000u);
}

TEST(GeneratedMesh, NamesBothPlacesWhereNeitherCanBeWritten) {
  const testing::ScratchFolder folder("nowhere");
  folder.write("file", "");
  const Variable cache("XDG_CACHE_HOME", (folder / "file").string());
  try {
    generated_mesh(head_phone(folder / "file/m0.msh"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()), "mesh: neither " + (folder / "file/m0.msh").string() + " nor " +
                                             (folder / "file/dgtd/head_phone_m0.msh").string() +
                                             " can be written; --set mesh.file=FILE says where the mesh is kept");
  }
}

TEST(UserMeshes, AreInTheCacheOfTheUser) {
  const Variable cache("XDG_CACHE_HOME", "/some/cache");
  EXPECT_EQ(user_meshes(), "/some/cache/dgtd");
  const Variable relative("XDG_CACHE_HOME", "cache"), home("HOME", "/home/someone");  // not a valid cache folder
  EXPECT_EQ(user_meshes(), "/home/someone/.cache/dgtd");
}

}  // namespace
}  // namespace dgtd::mesh
