#pragma once
// The voxels on which SAR was averaged as one VTK file, for ParaView and for dgtd-sar.
#include <cstdint>
#include <filesystem>

#include "dgtd/io/results.hpp"

namespace dgtd::io {

/// sar.vti where the voxels are cubes of one size, else sar.vtr. suffix: of the name, such as "_900MHz".
std::string voxel_file_name(bool are_cubes, const std::string& suffix = {});

/// Name of the local SAR: that of cells is their mean, that of voxels on tetrahedra is sampled at their centres.
inline const char* voxel_sar_name(bool is_sampled) {
  return is_sampled ? "SAR_at_voxel_centre_W_per_kg" : "SAR_W_per_kg";
}

/// Writes the file: cell arrays density_kg_per_m3, the local SAR, tissue (index into the field data
/// tissue_names; -1: background), and per mass SAR_1g_W_per_kg and SAR_1g_status (dosimetry::VoxelStatus), all
/// compressed: most voxels are outside the tissues. On root only. Returns its bytes. Throws Error.
std::int64_t write_voxels(const std::filesystem::path& file, const AveragedVoxels& voxels);

/// Contents of such a file.
FileContents voxel_contents(const AveragedVoxels& voxels);

/// Bytes of such a file before compression, without its head, of so many voxels and masses.
double most_voxel_file_bytes(double voxels, std::size_t masses);

}  // namespace dgtd::io
