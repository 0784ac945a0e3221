#pragma once
// The compact mesh file: a CompactMesh as plain arrays, so that each rank maps the file and reads its part in threads.
//
//   bytes 0 to 4095   header: form and version, the key, numbers and places of the arrays, its own checksum
//   from 4096 on      the arrays of CompactMesh in the order of Part, each on a page of its own, then the names of
//                     groups (volumes, surfaces; each ends with a zero byte) and, where there are any, inner surfaces
//                     (their number; of each its name, the number of its faces and their vertices, in the same way),
//                     then a checksum per MiB of each part
//
// Numbers are little-endian as in memory. A file is written under another name and renamed: who reads the old one keeps
// it, and half a file is never read.
#include <cstdint>
#include <filesystem>
#include <optional>

#include "mesh/compact/compact_mesh.hpp"
#include "mesh/compact/mapped_file.hpp"

namespace dgtd::mesh {

/// Key of the mesh of which a compact file was made.
struct CompactKey {
  std::uint64_t bytes = 0, hash = 0;  // of the mesh file; the hash is also that of the layers where there are any
  double unit = 1;                    // m per length unit of the mesh file
  bool operator==(const CompactKey&) const = default;
};

class CompactFile {
 public:
  enum Part { vertices, vertex_id, element_vertices, element_id, element_group, behind, curved, curvature, names, parts };

  /// Nothing if there is no such file, or one of another key or version, or a damaged header.
  static std::optional<CompactFile> open(const std::filesystem::path& file, const CompactKey& key);

  const CompactMesh& mesh() const { return mesh_; }
  /// Whether the entries [first, last) of an array are those that were written; reads them.
  bool sound(Part part, std::size_t first, std::size_t last) const;

 private:
  explicit CompactFile(MappedFile&& file) : file_(std::move(file)) {}
  bool read_names();

  MappedFile file_;
  CompactMesh mesh_;
};

/// Throws Error (other) if the file cannot be written, and leaves nothing then.
void write_compact(const CompactMesh& mesh, const CompactKey& key, const std::filesystem::path& file);

}  // namespace dgtd::mesh
