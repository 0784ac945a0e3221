#include "mesh/generate/unfinished_mesh.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string_view>

#include "dgtd/base/error.hpp"
#include "dgtd/mesh/mesh_comment.hpp"

namespace dgtd::mesh {

namespace {
// The section of a mesh file that says what it is.
constexpr std::string_view comment_head = "$Comments\n", comment_tail = "\n$EndComments\n";

// Whether the comment is in the file.
bool has_appended(const std::string& comment, const std::filesystem::path& file) {
  std::ofstream stream(file, std::ios::binary | std::ios::app);
  stream << comment_head << comment << comment_tail;
  stream.close();
  return !stream.fail();
}

[[noreturn]] void refuse_full_disk(const std::filesystem::path& file) {
  throw Error(
      ExitCode::other,
      file.string() + ": cannot be written: the disk may be full, or the limit of file sizes (ulimit -f) reached");
}
}  // namespace

void append_comment(const std::string& comment, const std::filesystem::path& file) {
  if (!has_appended(comment, file)) refuse_full_disk(file);
}

UnfinishedMesh::UnfinishedMesh(const std::filesystem::path& file)
    : file_(file), name_(file.string() + "." + std::to_string(getpid()) + ".msh") {}

UnfinishedMesh::~UnfinishedMesh() {
  std::error_code ignored;
  std::filesystem::remove(name_, ignored);
}

void UnfinishedMesh::finish(const std::string& comment) const {
  constexpr std::string_view end = "$EndElements\n";
  std::ifstream stream(name_, std::ios::binary);
  std::string last(end.size(), ' ');
  stream.seekg(-static_cast<std::streamoff>(end.size()), std::ios::end);
  stream.read(last.data(), static_cast<std::streamsize>(last.size()));
  bool whole = stream && last == end;
  if (whole && !comment.empty()) whole = has_appended(comment, name_);
  std::error_code failure;
  if (whole) std::filesystem::rename(name_, file_, failure);
  if (!whole || failure) refuse_full_disk(file_);
}

void check_writable(const std::filesystem::path& file) {
  if (file.extension() != ".msh") throw Error(file.string() + ": a mesh file's name must end in .msh");
  if (std::filesystem::is_directory(file)) throw Error(file.string() + ": is a directory");
  const UnfinishedMesh trial(file);
  if (!std::ofstream(trial.name())) throw Error(file.string() + ": cannot be written");
}

std::string comment_of(const std::filesystem::path& file) {
  constexpr std::streamoff longest = 256;
  std::ifstream stream(file, std::ios::binary | std::ios::ate);
  const std::streamoff size = stream ? static_cast<std::streamoff>(stream.tellg()) : 0;
  std::string end(static_cast<std::size_t>(std::min(size, longest)), ' ');
  stream.seekg(size - static_cast<std::streamoff>(end.size()));
  stream.read(end.data(), static_cast<std::streamsize>(end.size()));
  const auto head = end.rfind(comment_head);
  if (!stream || head == std::string::npos || !end.ends_with(comment_tail)) return {};
  const auto first = head + comment_head.size();
  return end.substr(first, end.size() - comment_tail.size() - first);
}

}  // namespace dgtd::mesh
