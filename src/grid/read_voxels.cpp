#include <vtkBMPReader.h>
#include <vtkDataArray.h>
#include <vtkImageData.h>
#include <vtkMetaImageReader.h>
#include <vtkNIFTIImageReader.h>
#include <vtkPNGReader.h>
#include <vtkPNMReader.h>
#include <vtkPointData.h>

#include <cmath>

#include "dgtd/grid/labelled_volume.hpp"
#include "png_structure.hpp"
#include "vtk_reading.hpp"

namespace dgtd::grid {
namespace {

// The image's one array as labels.
Voxels voxels_of(vtkImageData& image, const std::filesystem::path& file, double unit, const Vec3& corner) {
  Voxels v;
  image.GetDimensions(v.size.data());
  const double* const spacing = image.GetSpacing();
  v.corner = corner;
  for (int a = 0; a < 3; ++a) v.spacing[a] = unit * std::abs(spacing[a]);
  const vtkIdType count = image.GetNumberOfPoints();
  vtkDataArray* const values = image.GetPointData()->GetScalars();
  if (values == nullptr || count == 0 || values->GetNumberOfComponents() != 1 || values->GetNumberOfTuples() != count)
    throw Error(fmt::format("{}: has no volume with one value a voxel", file.string()));
  v.label.resize(static_cast<std::size_t>(count));
  if (values->GetDataType() == VTK_UNSIGNED_CHAR) {
    std::copy_n(static_cast<const std::uint8_t*>(values->GetVoidPointer(0)), count, v.label.begin());
    return v;
  }
  for (vtkIdType i = 0; i < count; ++i) {
    const double value = values->GetTuple1(i);
    if (!(value >= 0 && value <= 255 && value == std::floor(value)))
      throw Error(
          fmt::format("{}: voxel {} is {}: labels must be whole numbers from 0 to 255", file.string(), i, value));
    v.label[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(value);
  }
  return v;
}

// VTK turns pictures so that their lowest row comes first. (A normal BMP has a palette, of greys here.)
Voxels voxels_of_picture(vtkImageData& image, const std::filesystem::path& file, double unit, Vec3 corner) {
  constexpr double beyond = 1e9;  // m
  if (vtkDataArray* const values = image.GetPointData()->GetScalars();
      values != nullptr && values->GetNumberOfComponents() != 1)
    throw Error(fmt::format("{}: has {} values a pixel; a grey picture has one", file.string(),
                            values->GetNumberOfComponents()));
  image.SetSpacing(1, 1, 1);
  Voxels v = voxels_of(image, file, unit, corner);
  v.flat = true;
  v.spacing.z = 2 * beyond;
  v.corner.z = -beyond;
  return v;
}

bool ends_with(const std::string& text, std::string_view end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

}  // namespace

Voxels read_voxels(const std::filesystem::path& file, double unit, const Vec3& corner) {
  const std::string name = file.string();
  if (ends_with(name, ".nii") || ends_with(name, ".nii.gz")) {
    vtkNew<vtkNIFTIImageReader> reader;
    update(*reader, file, "a NIfTI file");
    return voxels_of(*reader->GetOutput(), file, unit, corner);
  }
  if (ends_with(name, ".mha") || ends_with(name, ".mhd")) {
    vtkNew<vtkMetaImageReader> reader;
    update(*reader, file, "a MetaImage file");
    return voxels_of(*reader->GetOutput(), file, unit, corner);
  }
  if (ends_with(name, ".png")) {
    require_whole_png(file);
    vtkNew<vtkPNGReader> reader;
    update(*reader, file, "a PNG picture");
    return voxels_of_picture(*reader->GetOutput(), file, unit, corner);
  }
  if (ends_with(name, ".bmp")) {
    vtkNew<vtkBMPReader> reader;
    reader->Allow8BitBMPOn();
    update(*reader, file, "a BMP picture");
    return voxels_of_picture(*reader->GetOutput(), file, unit, corner);
  }
  if (ends_with(name, ".pgm")) {
    vtkNew<vtkPNMReader> reader;
    update(*reader, file, "a PGM picture");
    return voxels_of_picture(*reader->GetOutput(), file, unit, corner);
  }
  throw Error(fmt::format("{}: labels must be .nii, .nii.gz, .mha, .mhd, .png, .bmp or .pgm", name));
}

}  // namespace dgtd::grid
