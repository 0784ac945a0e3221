// PNG images in memory, by VTK's writer, and their text form.
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPNGWriter.h>
#include <vtkUnsignedCharArray.h>

#include <cstring>

#include "dgtd/base/error.hpp"
#include "dgtd/io/raster.hpp"

namespace dgtd::io {

// VTK counts rows from the bottom.
std::string png_of(int width, int height, std::span<const std::uint8_t> rgba) {
  vtkNew<vtkImageData> image;
  image->SetDimensions(width, height, 1);
  image->AllocateScalars(VTK_UNSIGNED_CHAR, 4);
  const std::size_t row = std::size_t{4} * static_cast<std::size_t>(width);
  for (int y = 0; y < height; ++y)
    std::memcpy(image->GetScalarPointer(0, height - 1 - y, 0), rgba.data() + row * static_cast<std::size_t>(y), row);
  vtkNew<vtkPNGWriter> writer;
  writer->WriteToMemoryOn();
  writer->SetInputData(image);
  writer->Write();
  vtkUnsignedCharArray* const bytes = writer->GetResult();
  if (bytes == nullptr || bytes->GetNumberOfValues() == 0)
    throw Error(ExitCode::other, "report.html: a picture could not be compressed");
  return {reinterpret_cast<const char*>(bytes->GetPointer(0)), static_cast<std::size_t>(bytes->GetNumberOfValues())};
}

std::string base64(std::string_view bytes) {
  constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t left = bytes.size() - i;
    std::uint32_t group = 0;
    for (std::size_t b = 0; b < 3; ++b) group = group << 8 | (b < left ? static_cast<unsigned char>(bytes[i + b]) : 0u);
    for (std::size_t d = 0; d < 4; ++d) text += d <= left ? digits[group >> (18 - 6 * d) & 63] : '=';
  }
  return text;
}

}  // namespace dgtd::io
