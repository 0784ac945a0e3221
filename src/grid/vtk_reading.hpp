#pragma once
// Reading files by VTK, whose complaints become ours.
#include <fmt/format.h>
#include <vtkCallbackCommand.h>
#include <vtkErrorCode.h>
#include <vtkExecutive.h>
#include <vtkNew.h>

#include <filesystem>
#include <fstream>

#include "dgtd/base/crash_guard.hpp"
#include "dgtd/base/error.hpp"

namespace dgtd::grid {

/// Reads the file. Throws Error where that fails: `kind` is what the file should be, "an STL file".
template <class Reader>
void update(Reader& reader, const std::filesystem::path& file, const char* kind) {
  if (!std::ifstream(file)) throw Error(fmt::format("{}: cannot be opened", file.string()));
  const CrashGuard guard(crash_message(file.string(), "VTK"));
  bool failed = false;
  if constexpr (requires { reader.CanReadFile(""); }) failed = reader.CanReadFile(file.c_str()) == 0;
  vtkNew<vtkCallbackCommand> note;  // in place of VTK's many lines on standard error
  note->SetClientData(&failed);
  note->SetCallback([](vtkObject*, unsigned long, void* data, void*) { *static_cast<bool*>(data) = true; });
  reader.AddObserver(vtkCommand::ErrorEvent, note);
  reader.GetExecutive()->AddObserver(vtkCommand::ErrorEvent, note);
  reader.SetFileName(file.c_str());
  if (!failed) reader.Update();
  if (failed || reader.GetErrorCode() != vtkErrorCode::NoError)
    throw Error(fmt::format("{}: cannot be read as {}", file.string(), kind));
}

}  // namespace dgtd::grid
