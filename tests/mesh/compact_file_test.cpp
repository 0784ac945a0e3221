// The compact mesh file: what is written is read, and whatever is not that is noticed.
#include <fstream>

#include "box_as_global_mesh.hpp"
#include "dgtd/mesh/load.hpp"
#include "mesh/compact/compact_file.hpp"
#include "scratch_folder.hpp"
#include "small_meshes.hpp"

namespace dgtd::mesh {
namespace {

const CompactKey key{1234, 5678, 1e-3};

CompactArrays some_mesh() {
  const GlobalMesh mesh = testing::box_as_global_mesh({7, 5, 4}, {1, 1, 1});
  return make_compact(mesh, pair_faces(mesh));
}

void change_byte(const std::filesystem::path& file, std::streamoff at) {
  std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
  stream.seekg(at);
  const char old = static_cast<char>(stream.get());
  stream.seekp(at);
  stream.put(static_cast<char>(old ^ 1));
}

bool all_sound(const CompactFile& file) {
  const std::size_t elements = file.mesh().elements(), vertices = file.mesh().vertices.size();
  return file.sound(CompactFile::vertices, 0, vertices) && file.sound(CompactFile::vertex_id, 0, vertices) &&
         file.sound(CompactFile::element_vertices, 0, elements) && file.sound(CompactFile::element_id, 0, elements) &&
         file.sound(CompactFile::element_group, 0, elements) && file.sound(CompactFile::behind, 0, elements);
}

TEST(CompactFile, KeepsTheMesh) {
  const testing::ScratchFolder folder("compact");
  const CompactArrays arrays = some_mesh();
  const CompactMesh written = arrays.view();
  write_compact(written, key, folder / "m.compact");
  const auto file = CompactFile::open(folder / "m.compact", key);
  ASSERT_TRUE(file);
  EXPECT_TRUE(all_sound(*file));
  const CompactMesh& read = file->mesh();
  const auto equal = [](const auto& a, const auto& b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); };
  EXPECT_TRUE(equal(read.vertices, written.vertices));
  EXPECT_TRUE(equal(read.vertex_id, written.vertex_id));
  EXPECT_TRUE(equal(read.element_vertices, written.element_vertices));
  EXPECT_TRUE(equal(read.element_id, written.element_id));
  EXPECT_TRUE(equal(read.element_group, written.element_group));
  EXPECT_TRUE(equal(read.behind, written.behind));
  EXPECT_EQ(read.volume_names, written.volume_names);
  EXPECT_EQ(read.surface_names, written.surface_names);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder / ""), {}), 1) << "an unfinished file is left";
}

TEST(CompactFile, IsOfOneMeshFileAndUnit) {
  const testing::ScratchFolder folder("compact_key");
  write_compact(some_mesh().view(), key, folder / "m.compact");
  EXPECT_TRUE(CompactFile::open(folder / "m.compact", key));
  EXPECT_FALSE(CompactFile::open(folder / "m.compact", {1235, 5678, 1e-3}));
  EXPECT_FALSE(CompactFile::open(folder / "m.compact", {1234, 5679, 1e-3}));
  EXPECT_FALSE(CompactFile::open(folder / "m.compact", {1234, 5678, 1}));
  EXPECT_FALSE(CompactFile::open(folder / "n.compact", key));
}

TEST(CompactFile, DamageIsNoticed) {
  const testing::ScratchFolder folder("compact_damage");
  const auto path = folder / "m.compact";
  write_compact(some_mesh().view(), key, path);
  const auto bytes = static_cast<std::streamoff>(std::filesystem::file_size(path));
  int noticed_at_open = 0, noticed_by_part = 0, padding = 0;
  for (std::streamoff at = 0; at < bytes; at += at < 600 ? 1 : 97) {
    change_byte(path, at);
    const auto file = CompactFile::open(path, key);
    if (!file) ++noticed_at_open;
    else if (!all_sound(*file)) ++noticed_by_part;
    else ++padding;
    change_byte(path, at);
  }
  EXPECT_TRUE(all_sound(*CompactFile::open(path, key)));
  EXPECT_GT(noticed_at_open, 200);
  EXPECT_GT(noticed_by_part, 300);
  // Between the end of a part and the next page, and behind the header.
  EXPECT_LT(97 * padding, (CompactFile::parts + 2) * 4096 + 97 * 400);

  std::filesystem::resize_file(path, static_cast<std::uintmax_t>(bytes) / 2);
  EXPECT_FALSE(CompactFile::open(path, key));
  std::filesystem::resize_file(path, 0);
  EXPECT_FALSE(CompactFile::open(path, key));
}

TEST(CompactFile, SaysWhyItCannotBeWritten) {
  const testing::ScratchFolder folder("compact_refused");
  std::filesystem::create_directory(folder / "m.compact");
  EXPECT_EQ(testing::message_of([&] { write_compact(some_mesh().view(), key, folder / "m.compact"); }, ExitCode::other),
            (folder / "m.compact").string() + " cannot be written: Is a directory");
  std::filesystem::permissions(folder / "", std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  const auto message =
      testing::message_of([&] { write_compact(some_mesh().view(), key, folder / "n.compact"); }, ExitCode::other);
  std::filesystem::permissions(folder / "", std::filesystem::perms::owner_all);
  EXPECT_EQ(message, (folder / "n.compact").string() + " cannot be written: Permission denied");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder / ""), {}), 1) << "an unfinished file is left";
}

}  // namespace
}  // namespace dgtd::mesh
