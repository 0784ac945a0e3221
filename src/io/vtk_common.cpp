#include "vtk_common.hpp"

#include <fmt/format.h>
#include <vtkErrorCode.h>
#include <vtkFloatArray.h>
#include <vtkNew.h>
#include <vtkObject.h>

#include <cassert>
#include <cerrno>
#include <cstring>

#include "dgtd/base/error.hpp"

namespace dgtd::io {

namespace {

std::string reason(unsigned long code) {
  if (code == vtkErrorCode::OutOfDiskSpaceError) return std::strerror(ENOSPC);
  if (code < vtkErrorCode::FirstVTKErrorCode) return std::strerror(static_cast<int>(code));
  return fmt::format("VTK error {}", code);
}

}  // namespace

// VTK reads the caller's values where they stand (and takes no ownership of them).
void add_array(vtkDataSetAttributes& attributes, const Array& array, [[maybe_unused]] std::size_t places) {
  assert(array.values.size() == places * array.components);
  vtkNew<vtkFloatArray> values;
  values->SetName(array.name.c_str());
  values->SetNumberOfComponents(array.components);
  values->SetArray(const_cast<float*>(array.values.data()), static_cast<vtkIdType>(array.values.size()), 1);
  attributes.AddArray(values);
}

void write_with(vtkXMLWriter& writer, const std::filesystem::path& file) {
  writer.SetFileName(file.c_str());
  writer.SetDataModeToAppended();
  writer.EncodeAppendedDataOff();
  writer.SetHeaderTypeToUInt64();
  writer.SetCompressorTypeToZLib();
  writer.SetCompressionLevel(1);  // mantissas hardly compress: higher levels only take time
  const int warnings = vtkObject::GetGlobalWarningDisplay();
  vtkObject::GlobalWarningDisplayOff();  // the Error below says it, once and in one line
  const bool written = writer.Write() != 0 && writer.GetErrorCode() == vtkErrorCode::NoError;
  vtkObject::SetGlobalWarningDisplay(warnings);
  if (!written)
    throw Error(ExitCode::other, fmt::format("{}: cannot write: {}", file.string(), reason(writer.GetErrorCode())));
}

}  // namespace dgtd::io
