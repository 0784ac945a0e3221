#pragma once
// Named faces between elements, such as those of a port, which are no boundary.
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace dgtd::mesh {

struct InnerSurface {
  std::string name;                                // surface group of the mesh file
  std::vector<std::array<std::int64_t, 3>> faces;  // global vertices, ascending; the faces, too

  bool operator==(const InnerSurface&) const = default;
};

}  // namespace dgtd::mesh
