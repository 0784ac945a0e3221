#pragma once
// Labels in NRRD files (https://teem.sourceforge.net/nrrd/format.html). VTK's reader takes unknown encodings for raw
// and short first axes for components, and mirrors some spaces.
#include <array>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "dgtd/base/vec3.hpp"

namespace dgtd::grid {

/// Lengths are in the file's unit.
struct NrrdImage {
  std::array<int, 3> size{};
  std::array<Vec3, 3> directions{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};  // from a voxel to the next one along each axis
  Vec3 origin;                                                        // centre of the first voxel
  std::vector<std::uint8_t> label;                                    // [voxels], x fastest
};

/// A .nrrd file, or a .nhdr file with its data file: three axes, any type of one number, encoding raw or gzip. Throws
/// Error (bad_input) that names the file and the field for anything else, for fields that NRRD does not have, for data
/// that are too short, and for values that are no whole numbers from 0 to 255.
NrrdImage read_nrrd(const std::filesystem::path& file);

}  // namespace dgtd::grid
