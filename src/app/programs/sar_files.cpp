#include "app/programs/sar_files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkFloatArray.h>
#include <vtkImageData.h>
#include <vtkMatrix3x3.h>
#include <vtkNew.h>
#include <vtkRectilinearGrid.h>
#include <vtkUnsignedCharArray.h>
#include <vtkXMLImageDataReader.h>
#include <vtkXMLImageDataWriter.h>
#include <vtkXMLRectilinearGridReader.h>
#include <vtkXMLRectilinearGridWriter.h>

#include <algorithm>

#include "dgtd/base/error.hpp"
#include "dgtd/dosimetry/peak_table.hpp"
#include "dgtd/grid/vtk_reading.hpp"
#include "dgtd/io/voxel_file.hpp"
#include "dgtd/parallel/child_reader.hpp"

namespace dgtd::app {

namespace {

namespace fs = std::filesystem;

// The first of these cell arrays that the file has.
vtkDataArray* cell_array(vtkDataSet& data, const std::vector<const char*>& names, const std::string& file) {
  vtkCellData* const cells = data.GetCellData();
  for (const char* name : names)
    if (vtkDataArray* array = cells->GetArray(name)) {
      if (array->GetNumberOfComponents() == 1) return array;
      throw Error(fmt::format("{}: cell array '{}' has {} components; it must have one", file, name,
                              array->GetNumberOfComponents()));
    }
  std::vector<std::string> present;
  for (int i = 0; i < cells->GetNumberOfArrays(); ++i)
    if (const char* name = cells->GetArrayName(i)) present.emplace_back(name);
  throw Error(fmt::format("{}: no cell array '{}' ({} is accepted too); it has {}", file, names[0],
                          fmt::join(names.begin() + 1, names.end(), ", "),
                          present.empty() ? "none" : fmt::format("{}", fmt::join(present, ", "))));
}

std::vector<float> values_of(vtkDataArray& array) {
  const vtkIdType count = array.GetNumberOfTuples();
  std::vector<float> values(static_cast<std::size_t>(count));
#pragma omp parallel for schedule(static)
  for (vtkIdType i = 0; i < count; ++i)
    values[static_cast<std::size_t>(i)] = static_cast<float>(array.GetComponent(i, 0));
  return values;
}

void set_nodes(const vtkImageData& constant, double unit, dosimetry::VoxelGrid& voxels, const std::string& file) {
  auto& image = const_cast<vtkImageData&>(constant);  // VTK's getters
  if (!image.GetDirectionMatrix()->IsIdentity())
    throw Error(fmt::format("{}: the image is rotated; allowed are axes along x, y and z", file));
  int extent[6];
  image.GetExtent(extent);
  for (int a = 0; a < 3; ++a)
    for (int i = extent[2 * a]; i <= extent[2 * a + 1]; ++i)
      voxels.nodes[a].push_back(unit * (image.GetOrigin()[a] + i * image.GetSpacing()[a]));
}

void set_nodes(vtkRectilinearGrid& grid, double unit, dosimetry::VoxelGrid& voxels) {
  vtkDataArray* const axes[3] = {grid.GetXCoordinates(), grid.GetYCoordinates(), grid.GetZCoordinates()};
  for (int a = 0; a < 3; ++a)
    for (vtkIdType i = 0; i < axes[a]->GetNumberOfTuples(); ++i)
      voxels.nodes[a].push_back(unit * axes[a]->GetComponent(i, 0));
}

// First in a child process, which may crash and whose messages nobody sees.
template <class Reader>
vtkSmartPointer<vtkDataSet> read(const fs::path& file, const char* kind) {
  const auto read_whole = [&] {
    vtkNew<Reader> reader;
    grid::update(*reader, file, kind);
    return vtkSmartPointer<vtkDataSet>(reader->GetOutput());
  };
  std::error_code unreadable;
  const auto bytes = static_cast<double>(fs::file_size(file, unreadable));
  parallel::read_in_child(
      file.string(), "VTK", parallel::read_limits(unreadable ? 0 : bytes),
      [&](parallel::Sender& sender) {
        (void)read_whole();
        sender.put(true);
      },
      [](parallel::Receiver& receiver) {
        bool whole = false;
        receiver.take(whole);
      });
  return read_whole();
}

template <class Writer>
bool write(vtkDataSet& data, const fs::path& file) {
  vtkNew<Writer> writer;
  writer->SetInputData(&data);
  writer->SetFileName(file.c_str());
  writer->SetDataModeToAppended();
  writer->EncodeAppendedDataOff();
  writer->SetCompressorTypeToNone();
  writer->SetHeaderTypeToUInt64();
  bool failed = false;
  vtkNew<vtkCallbackCommand> note;  // in place of VTK's many lines on standard error
  note->SetClientData(&failed);
  note->SetCallback([](vtkObject*, unsigned long, void* data, void*) { *static_cast<bool*>(data) = true; });
  writer->AddObserver(vtkCommand::ErrorEvent, note);
  writer->GetExecutive()->AddObserver(vtkCommand::ErrorEvent, note);
  return writer->Write() == 1 && !failed && writer->GetErrorCode() == vtkErrorCode::NoError;
}

template <class Array, class Value>
void add(vtkDataSet& data, const std::string& name, std::size_t count, const Value& value) {
  vtkNew<Array> array;
  array->SetName(name.c_str());
  array->SetNumberOfTuples(static_cast<vtkIdType>(count));
  auto* const values = array->GetPointer(0);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < count; ++i) values[i] = value(i);
  data.GetCellData()->AddArray(array);
}

// Outside of the body SAR = power / density is no number in many programs' files.
void ignore_background(dosimetry::VoxelGrid& voxels) {
  const std::size_t count = std::min(voxels.sar.size(), voxels.density.size());
  for (std::size_t v = 0; v < count; ++v)
    if (voxels.density[v] == 0) voxels.sar[v] = 0;
}

const char* ending_of(const SarFile& sar) { return vtkImageData::SafeDownCast(sar.data) ? ".vti" : ".vtr"; }

}  // namespace

SarFile read_sar_file(const fs::path& file, double unit) {
  SarFile sar;
  const std::string name = file.string(), ending = file.extension().string();
  if (ending == ".vti") sar.data = read<vtkXMLImageDataReader>(file, "VTK ImageData (.vti)");
  else if (ending == ".vtr") sar.data = read<vtkXMLRectilinearGridReader>(file, "a VTK RectilinearGrid (.vtr)");
  else
    throw Error(fmt::format("{}: ends in '{}'; allowed are .vti (ImageData) and .vtr (RectilinearGrid)", name, ending));
  if (auto* image = vtkImageData::SafeDownCast(sar.data)) set_nodes(*image, unit, sar.voxels, name);
  else set_nodes(*vtkRectilinearGrid::SafeDownCast(sar.data), unit, sar.voxels);
  sar.voxels.density = values_of(*cell_array(*sar.data, {"density", "density_kg_per_m3"}, name));
  sar.voxels.sar =
      values_of(*cell_array(*sar.data, {"sar", io::voxel_sar_name(false), io::voxel_sar_name(true)}, name));
  ignore_background(sar.voxels);
  check(sar.voxels, name);
  if (std::none_of(sar.voxels.density.begin(), sar.voxels.density.end(), [](float density) { return density > 0; }))
    throw Error(fmt::format("{}: the density is 0 in all voxels, so there is no tissue to average over", name));
  return sar;
}

void add_average(SarFile& file, const dosimetry::AveragedSar& average) {
  const std::string name = "SAR_" + dosimetry::mass_text(average.mass_kg);
  const std::size_t count = average.sar.size();
  add<vtkFloatArray>(*file.data, name + "_W_per_kg", count, [&](std::size_t i) { return average.sar[i]; });
  add<vtkUnsignedCharArray>(*file.data, name + "_status", count,
                            [&](std::size_t i) { return static_cast<unsigned char>(average.status[i]); });
  add<vtkUnsignedCharArray>(*file.data, name + "_orientation", count,
                            [&](std::size_t i) { return static_cast<unsigned char>(average.orientation[i]); });
  add<vtkFloatArray>(*file.data, name + "_side_m", count, [&](std::size_t i) { return average.side[i]; });
}

void check_ending(const SarFile& sar, const fs::path& file) {
  if (file.extension() == ending_of(sar)) return;
  throw Error(fmt::format("--output = {}: must end in {}, as the input", file.string(), ending_of(sar)));
}

// Beside the file and renamed, so that an input of the same name is whole until the output is.
void write_sar_file(const SarFile& sar, const fs::path& file) {
  const fs::path beside = file.string() + ".part";
  const bool written = vtkImageData::SafeDownCast(sar.data) ? write<vtkXMLImageDataWriter>(*sar.data, beside)
                                                            : write<vtkXMLRectilinearGridWriter>(*sar.data, beside);
  std::error_code failed;
  if (written) fs::rename(beside, file, failed);
  if (written && !failed) return;
  std::error_code ignored;
  fs::remove(beside, ignored);
  throw Error(ExitCode::other, fmt::format("{}: cannot be written", file.string()));
}

}  // namespace dgtd::app
