#pragma once
// Whether the head of a NIfTI file describes labelled voxels, before memory is allocated for them.
#include <filesystem>

class vtkNIFTIImageReader;

namespace dgtd::grid {

/// NIfTI-1.1 (nifti1.h), NIfTI-2, compressed or not, field datatype: numbers of a real type, one per voxel. Before VTK
/// reads the head: it looks for other types beyond the end of its table. Throws Error (bad_input) that names the file
/// and the field.
void require_known_nifti_type(const std::filesystem::path& file);

/// Field dim: one to seven dimensions of positive sizes. reader: after UpdateInformation. Throws likewise.
void require_sound_nifti(vtkNIFTIImageReader& reader, const std::filesystem::path& file);

}  // namespace dgtd::grid
