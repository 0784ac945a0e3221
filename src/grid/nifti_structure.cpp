#include "nifti_structure.hpp"

#include <fmt/format.h>
#include <vtkNIFTIImageHeader.h>
#include <vtkNIFTIImageReader.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <memory>

#include "dgtd/base/error.hpp"

namespace dgtd::grid {

namespace {

[[noreturn]] void fail(const std::filesystem::path& file, const std::string& what) {
  throw Error(fmt::format("{}: cannot be read as a NIfTI file: {}", file.string(), what));
}

}  // namespace

void require_known_nifti_type(const std::filesystem::path& file) {
  // Integers of 8, 16, 32 and 64 bits and reals of 32 and 64: one number each.
  constexpr int types[] = {2, 4, 8, 16, 64, 256, 512, 768, 1024, 1280};
  // The first field is the size of the head, which tells its version and the order of bytes.
  constexpr std::uint32_t bytes_of_version_1 = 348, bytes_of_version_2 = 540;
  constexpr std::size_t type_in_version_1 = 70, type_in_version_2 = 12;
  std::array<unsigned char, type_in_version_1 + 2> head{};
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> in(gzopen(file.c_str(), "rb"), gzclose);
  if (!in || gzread(in.get(), head.data(), head.size()) != int(head.size())) return;  // which VTK reports
  for (const bool swapped : {false, true}) {
    const auto value = [&](std::size_t at, std::size_t bytes) {
      std::uint32_t number = 0;
      for (std::size_t i = 0; i < bytes; ++i)
        number |= std::uint32_t{head[at + i]} << (8 * (swapped ? bytes - 1 - i : i));
      return number;
    };
    const std::uint32_t size = value(0, 4);
    if (size != bytes_of_version_1 && size != bytes_of_version_2) continue;
    const auto type = static_cast<int>(value(size == bytes_of_version_1 ? type_in_version_1 : type_in_version_2, 2));
    if (std::find(std::begin(types), std::end(types), type) == std::end(types))
      fail(file, fmt::format("its data type {} is none with one number a voxel", type));
  }
}

void require_sound_nifti(vtkNIFTIImageReader& reader, const std::filesystem::path& file) {
  constexpr int most = 7, time = 4;  // dimensions; of several times VTK reads the first
  vtkNIFTIImageHeader& head = *reader.GetNIFTIHeader();
  const auto dimensions = head.GetDim(0);
  if (dimensions < 1 || dimensions > most)
    fail(file, fmt::format("its head announces {} dimensions; 1 to {} are allowed", dimensions, most));
  for (int i = 1; i <= dimensions; ++i)
    if (head.GetDim(i) < 1)
      fail(file, fmt::format("its head announces {} voxels along dimension {}", head.GetDim(i), i));
  for (int i = time + 1; i <= dimensions; ++i)
    if (head.GetDim(i) > 1) throw Error(fmt::format("{}: has no volume with one value a voxel", file.string()));
}

}  // namespace dgtd::grid
