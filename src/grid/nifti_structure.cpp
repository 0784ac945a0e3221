#include "nifti_structure.hpp"

#include <fmt/format.h>
#include <vtkNIFTIImageHeader.h>
#include <vtkNIFTIImageReader.h>

#include <algorithm>
#include <iterator>

#include "dgtd/base/error.hpp"

namespace dgtd::grid {

void require_sound_nifti(vtkNIFTIImageReader& reader, const std::filesystem::path& file) {
  // Integers of 8, 16, 32 and 64 bits and reals of 32 and 64: one number each.
  constexpr int types[] = {2, 4, 8, 16, 64, 256, 512, 768, 1024, 1280};
  constexpr int most = 7, time = 4;  // dimensions; of several times VTK reads the first
  vtkNIFTIImageHeader& head = *reader.GetNIFTIHeader();
  const auto fail = [&](const std::string& what) {
    throw Error(fmt::format("{}: cannot be read as a NIfTI file: {}", file.string(), what));
  };
  const auto dimensions = head.GetDim(0);
  if (dimensions < 1 || dimensions > most)
    fail(fmt::format("its head announces {} dimensions; 1 to {} are allowed", dimensions, most));
  for (int i = 1; i <= dimensions; ++i)
    if (head.GetDim(i) < 1) fail(fmt::format("its head announces {} voxels along dimension {}", head.GetDim(i), i));
  const int type = head.GetDataType();
  if (std::find(std::begin(types), std::end(types), type) == std::end(types))
    fail(fmt::format("its data type {} is none with one number a voxel", type));
  for (int i = time + 1; i <= dimensions; ++i)
    if (head.GetDim(i) > 1) throw Error(fmt::format("{}: has no volume with one value a voxel", file.string()));
}

}  // namespace dgtd::grid
