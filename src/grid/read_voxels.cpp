#include <vtkBMPReader.h>
#include <vtkDataArray.h>
#include <vtkImageData.h>
#include <vtkMatrix3x3.h>
#include <vtkMatrix4x4.h>
#include <vtkMetaImageReader.h>
#include <vtkNIFTIImageReader.h>
#include <vtkPNGReader.h>
#include <vtkPNMReader.h>
#include <vtkPointData.h>

#include <cmath>
#include <fstream>
#include <type_traits>

#include "dgtd/grid/labelled_volume.hpp"
#include "dgtd/parallel/child_reader.hpp"
#include "meta_image_structure.hpp"
#include "nifti_structure.hpp"
#include "png_structure.hpp"
#include "read_nrrd.hpp"
#include "dgtd/grid/vtk_reading.hpp"

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
    throw Error(fmt::format("{}: has {} values per pixel; a grey picture has one", file.string(),
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

enum class VolumeFormat { none, nifti, meta_image, nrrd };

VolumeFormat volume_format(const std::string& name) {
  if (ends_with(name, ".nii") || ends_with(name, ".nii.gz")) return VolumeFormat::nifti;
  if (ends_with(name, ".mha") || ends_with(name, ".mhd")) return VolumeFormat::meta_image;
  if (ends_with(name, ".nrrd") || ends_with(name, ".nhdr")) return VolumeFormat::nrrd;
  return VolumeFormat::none;
}

// Columns of a matrix that maps lengths of the file along the voxels' axes to the header's axes.
void set_axes(OrientedVoxels& v, const std::array<Vec3, 3>& columns, const std::filesystem::path& file) {
  for (int a = 0; a < 3; ++a) v.axes[a] = columns[a] / norm(columns[a]);
  constexpr double tolerance = 1e-3;  // headers store single precision
  for (int a = 0; a < 3; ++a)
    if (!(std::abs(dot(v.axes[a], v.axes[(a + 1) % 3])) < tolerance) || !(std::abs(norm(columns[a]) - 1) < tolerance))
      throw Error(
          fmt::format("{}: the header's axes must be across each other, with the voxels' own spacing", file.string()));
}

// position: of the centre of the first voxel, in the file's unit.
void set_origin(OrientedVoxels& v, const Vec3& position, double unit) {
  const Vec3& h = v.voxels.spacing;
  v.origin = unit * position - 0.5 * (h.x * v.axes[0] + h.y * v.axes[1] + h.z * v.axes[2]);
}

// oriented: with the header's axes, which must be sound.
OrientedVoxels read_nifti(const std::filesystem::path& file, double unit, bool oriented) {
  require_known_nifti_type(file);
  vtkNew<vtkNIFTIImageReader> reader;
  update(*reader, file, "a NIfTI file", [&] { require_sound_nifti(*reader, file); });
  OrientedVoxels v{voxels_of(*reader->GetOutput(), file, unit, {}), {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {}};
  vtkMatrix4x4* const matrix = reader->GetSFormMatrix() ? reader->GetSFormMatrix() : reader->GetQFormMatrix();
  Vec3 position;
  if (oriented && matrix != nullptr) {
    std::array<Vec3, 3> columns;
    for (int row = 0; row < 3; ++row) {
      for (int a = 0; a < 3; ++a) columns[a][row] = matrix->GetElement(row, a);
      position[row] = matrix->GetElement(row, 3);
    }
    set_axes(v, columns, file);
  }
  set_origin(v, position, unit);
  return v;
}

OrientedVoxels read_nrrd_volume(const std::filesystem::path& file, double unit, bool oriented) {
  NrrdImage image = read_nrrd(file);
  OrientedVoxels v{{}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {}};
  v.voxels.size = image.size;
  for (int a = 0; a < 3; ++a) v.voxels.spacing[a] = unit * norm(image.directions[a]);
  v.voxels.label = std::move(image.label);
  if (!oriented) return v;
  for (Vec3& direction : image.directions) direction = direction / norm(direction);
  set_axes(v, image.directions, file);
  set_origin(v, image.origin, unit);
  return v;
}

template <class Reader>
OrientedVoxels read_image(const std::filesystem::path& file, double unit, bool oriented, const char* kind) {
  if (std::is_same_v<Reader, vtkMetaImageReader>) require_sound_meta_image(file);
  vtkNew<Reader> reader;
  update(*reader, file, kind);
  vtkImageData& image = *reader->GetOutput();
  OrientedVoxels v{voxels_of(image, file, unit, {}), {}, {}};
  if (!oriented) return v;
  const double* const position = image.GetOrigin();
  std::array<Vec3, 3> columns;
  for (int row = 0; row < 3; ++row)
    for (int a = 0; a < 3; ++a) columns[a][row] = image.GetDirectionMatrix()->GetElement(row, a);
  set_axes(v, columns, file);
  set_origin(v, {position[0], position[1], position[2]}, unit);
  return v;
}

OrientedVoxels read_volume(const std::filesystem::path& file, double unit, bool oriented) {
  switch (volume_format(file.string())) {
    case VolumeFormat::nifti: return read_nifti(file, unit, oriented);
    case VolumeFormat::meta_image: return read_image<vtkMetaImageReader>(file, unit, oriented, "a MetaImage file");
    case VolumeFormat::nrrd: return read_nrrd_volume(file, unit, oriented);
    case VolumeFormat::none: break;
  }
  throw Error(fmt::format("{}: a labelled image must be .nii, .nii.gz, .mha, .mhd, .nrrd or .nhdr", file.string()));
}

Voxels read_picture(const std::filesystem::path& file, double unit, const Vec3& corner) {
  const std::string name = file.string();
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
  throw Error(fmt::format("{}: labels must be .nii, .nii.gz, .mha, .mhd, .nrrd, .nhdr, .png, .bmp or .pgm", name));
}

// Size of a file, bytes; of a head whose voxels are in another file, with that file.
double bytes_of(const std::filesystem::path& file) {
  constexpr double unknown = 1e9;  // of several files, or a name that is not found
  std::error_code failure;
  const auto size = static_cast<double>(std::filesystem::file_size(file, failure));
  if (failure) return 0;
  if (file.extension() != ".mhd") return size;
  std::ifstream head(file);
  for (std::string line; std::getline(head, line);)
    if (constexpr std::string_view key = "ElementDataFile"; line.starts_with(key)) {
      const auto first = line.find_first_not_of(" \t=:", key.size());
      if (first == line.npos) continue;
      const std::string name = line.substr(first, line.find_last_not_of(" \t\r") + 1 - first);
      const auto data = static_cast<double>(std::filesystem::file_size(file.parent_path() / name, failure));
      return failure ? unknown : size + data;
    }
  return unknown;
}

// In a child process, unless this program reads the format itself.
template <class Read>
OrientedVoxels read_labels_of(const std::filesystem::path& file, Read read) {
  if (volume_format(file.string()) == VolumeFormat::nrrd) return read();
  OrientedVoxels v;
  parallel::read_in_child(
      file.string(), "VTK", parallel::read_limits(bytes_of(file)),
      [&](parallel::Sender& sender) {
        const OrientedVoxels found = read();
        sender.put(found.voxels.size), sender.put(found.voxels.spacing), sender.put(found.voxels.corner);
        sender.put(found.voxels.label), sender.put(found.voxels.flat);
        sender.put(found.axes), sender.put(found.origin);
      },
      [&](parallel::Receiver& receiver) {
        receiver.take(v.voxels.size), receiver.take(v.voxels.spacing), receiver.take(v.voxels.corner);
        receiver.take(v.voxels.label), receiver.take(v.voxels.flat);
        receiver.take(v.axes), receiver.take(v.origin);
      });
  return v;
}

}  // namespace

OrientedVoxels read_oriented_voxels(const std::filesystem::path& file, double unit) {
  return read_labels_of(file, [&] { return read_volume(file, unit, true); });
}

Voxels read_voxels(const std::filesystem::path& file, double unit, const Vec3& corner) {
  auto oriented = read_labels_of(file, [&] {
    if (volume_format(file.string()) == VolumeFormat::none)
      return OrientedVoxels{read_picture(file, unit, corner), {}, {}};
    OrientedVoxels v = read_volume(file, unit, false);
    v.voxels.corner = corner;
    return v;
  });
  return std::move(oriented.voxels);
}

}  // namespace dgtd::grid
