#pragma once
// Reading files by VTK, whose complaints become ours.
#include <fmt/format.h>
#include <vtkCallbackCommand.h>
#include <vtkErrorCode.h>
#include <vtkExecutive.h>
#include <vtkLogger.h>
#include <vtkNew.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "dgtd/base/error.hpp"

namespace dgtd::grid {

/// From now on VTK's warnings and errors, of several lines in colours, are not printed. Errors are noticed by
/// observers.
inline void silence_vtk() { vtkLogger::SetStderrVerbosity(vtkLogger::VERBOSITY_OFF); }

/// Throws Error for a picture whose head announces no voxels, or more values than can be in a file of its length,
/// before memory is allocated for them. extent: first and last voxel along x, y, z; components: values per voxel.
inline void require_credible_size(const int* extent, int components, const std::filesystem::path& file,
                                  const char* kind) {
  constexpr double most_per_byte = 1032;  // of deflate
  double voxels = std::max(components, 1);
  for (int a = 0; a < 3; ++a) {
    const double count = double(extent[2 * a + 1]) - extent[2 * a] + 1;
    if (!(count >= 1))
      throw Error(fmt::format("{}: cannot be read as {}: its head announces {} voxels along {}", file.string(), kind,
                              count, "xyz"[a]));
    voxels *= count;
  }
  std::error_code unknown;
  const auto bytes = static_cast<double>(std::filesystem::file_size(file, unknown));
  const bool elsewhere = file.extension() == ".mhd";  // the voxels are in another file
  if (!elsewhere && !unknown && voxels > most_per_byte * bytes)
    throw Error(fmt::format("{}: cannot be read as {}: its head announces {:.0f} voxels, and it has {:.0f} bytes",
                            file.string(), kind, voxels, bytes));
}

/// Reads the file, in a process that may crash. Throws Error where that fails: `kind` is what the file should be, "an
/// STL file". check: called when the head was read and nothing is allocated for the rest; may throw Error.
template <class Reader, class Check>
void update(Reader& reader, const std::filesystem::path& file, const char* kind, Check check) {
  if (!std::ifstream(file)) throw Error(fmt::format("{}: cannot be opened", file.string()));
  silence_vtk();
  bool failed = false;
  if constexpr (requires { reader.CanReadFile(""); }) failed = reader.CanReadFile(file.c_str()) == 0;
  vtkNew<vtkCallbackCommand> note;  // in place of VTK's many lines on standard error
  note->SetClientData(&failed);
  note->SetCallback([](vtkObject*, unsigned long, void* data, void*) { *static_cast<bool*>(data) = true; });
  reader.AddObserver(vtkCommand::ErrorEvent, note);
  reader.GetExecutive()->AddObserver(vtkCommand::ErrorEvent, note);
  reader.SetFileName(file.c_str());
  if constexpr (requires { reader.GetDataExtent(); })
    if (!failed) {
      reader.UpdateInformation();
      check();  // also where VTK has failed: it says why
      if (!failed) require_credible_size(reader.GetDataExtent(), reader.GetNumberOfScalarComponents(), file, kind);
    }
  if (!failed) reader.Update();
  if (failed || reader.GetErrorCode() != vtkErrorCode::NoError)
    throw Error(fmt::format("{}: cannot be read as {}", file.string(), kind));
}

template <class Reader>
void update(Reader& reader, const std::filesystem::path& file, const char* kind) {
  update(reader, file, kind, [] {});
}

}  // namespace dgtd::grid
