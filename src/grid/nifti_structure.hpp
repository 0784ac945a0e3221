#pragma once
// Whether the head of a NIfTI file describes labelled voxels, before memory is allocated for them.
#include <filesystem>

class vtkNIFTIImageReader;

namespace dgtd::grid {

/// NIfTI-1.1 (nifti1.h), fields dim and datatype: one to seven dimensions of positive sizes, numbers of a real type,
/// one number per voxel. reader: after UpdateInformation. Throws Error (bad_input) that names the file and the field.
void require_sound_nifti(vtkNIFTIImageReader& reader, const std::filesystem::path& file);

}  // namespace dgtd::grid
