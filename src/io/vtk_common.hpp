#pragma once
// What all VTK files share.
#include <vtkDataSetAttributes.h>
#include <vtkXMLWriter.h>

#include <filesystem>

#include "dgtd/io/vtk_output.hpp"
#include "xml.hpp"

namespace dgtd::io {

/// places: points or cells.
void add_array(vtkDataSetAttributes& attributes, const Array& array, std::size_t places);

/// Appended, compressed; the writer has its input. Throws Error that names the file.
void write_with(vtkXMLWriter& writer, const std::filesystem::path& file);

}  // namespace dgtd::io
