#pragma once
// Files of generated meshes: whole or absent, with a comment at their end by which they are recognised.
#include <filesystem>
#include <string>

namespace dgtd::mesh {

/// A file beside the one of that name until it is whole, so that nobody reads half a mesh, and a failure leaves none.
class UnfinishedMesh {
 public:
  explicit UnfinishedMesh(const std::filesystem::path& file);
  ~UnfinishedMesh();
  UnfinishedMesh(const UnfinishedMesh&) = delete;
  UnfinishedMesh& operator=(const UnfinishedMesh&) = delete;

  const std::filesystem::path& name() const { return name_; }
  /// Adds a section with one line of text, where there is one, and gives the file its name. Gmsh does not tell whether
  /// all was written: the end shows it.
  void finish(const std::string& comment) const;

 private:
  std::filesystem::path file_, name_;
};

/// Throws Error unless a .msh file can be written there.
void check_writable(const std::filesystem::path& file);

/// The comment at the end of a mesh file; empty: there is none.
std::string comment_of(const std::filesystem::path& file);

}  // namespace dgtd::mesh
