#pragma once
// Specific absorption rate averaged over cubes of a given mass, by IEC/IEEE 62704-1:2017, 6.2.2. The rules, and where
// sources differ, are in docs/theory.md, "Mass-averaged SAR".
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dgtd/base/vec3.hpp"
#include "dgtd/dosimetry/voxel_grid.hpp"

namespace dgtd::dosimetry {

/// The state of a voxel after averaging; the numbers are those of the status arrays in files.
enum class VoxelStatus : std::uint8_t {
  background = 0,  // density 0
  valid = 1,       // a cube centred on the voxel has the mass, little background and tissue at all its faces
  used = 2,        // not valid, but wholly inside the cube of a valid voxel
  unused = 3,      // neither: the voxel is centred on a face of its cube
  no_cube = 4      // no such cube has the mass, because the body is too light: the voxel has no averaged SAR
};
inline constexpr int voxel_states = 5;

/// Placement of a voxel's cube: centred on the voxel, or with the voxel at the centre of this face. As in the
/// reference results of the standard.
enum class Orientation : std::uint8_t {
  none = 0,  // background, used voxels, and those without a cube
  lower_x = 1,
  upper_x = 2,
  lower_y = 3,
  upper_y = 4,
  lower_z = 5,
  upper_z = 6,
  centred = 7
};
/// "centred", "voxel on the lower x face" and so on.
std::string_view name_of(Orientation orientation);

/// Averages over one mass; [voxels] as in the VoxelGrid.
struct AveragedSar {
  double mass_kg = 0;
  std::vector<float> sar;                // W/kg; 0 where there is none
  std::vector<VoxelStatus> status;       // of each voxel
  std::vector<Orientation> orientation;  // of each voxel's own cube
  std::vector<float> side;               // m, of each voxel's own cube; 0 where there is none
};

/// A largest averaged SAR and its cube.
struct PeakAverage {
  double sar = 0;                                // W/kg
  Vec3 at;                                       // m, centre of the voxel
  VoxelStatus status = VoxelStatus::background;  // of that voxel
  Orientation orientation = Orientation::none;   // of the cube; none: of a used voxel, whose cube is another's
  double side = 0;                               // m, of the cube; 0: of a used voxel
  Vec3 lower, upper;                             // m, corners of the cube; equal: of a used voxel
  std::string tissue;                            // of the voxel; empty where tissues have no names
};

/// The averages over one mass in few numbers, at the same power as the local SAR that was averaged.
struct MassAverage {
  double mass_kg = 0;
  std::optional<PeakAverage> peak;                     // of all voxels; absent: no voxel has an average
  std::vector<PeakAverage> of_tissues;                 // the largest value in the voxels of each tissue that has one
  std::array<std::int64_t, voxel_states> voxels_in{};  // number of voxels in each state
  double tissue_kg = 0;                                // mass of all tissue voxels
};

/// Processor of the averages. automatic: a CUDA device where there is one with enough memory, else CPU threads.
enum class Processor { automatic, cpu, cuda };

/// Averages local SAR over cubes of each of these masses, kg. The result does not depend on the processor and its
/// threads. Needs 44 bytes per voxel of the box around the tissue, and up to 51 more per tissue voxel, besides the
/// result. Throws Error: bad_input for a mass that is not positive and for more than 4e9 voxels, device for a device
/// that is asked for and missing.
std::vector<AveragedSar> average_sar(const VoxelGrid& voxels, const std::vector<double>& masses,
                                     Processor processor = Processor::cpu);

/// The peaks of averages. Among equal values the first voxel counts. A used voxel can be the peak of its tissue only.
MassAverage peaks(const VoxelGrid& voxels, const AveragedSar& averages);

}  // namespace dgtd::dosimetry
