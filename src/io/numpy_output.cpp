#include "dgtd/io/numpy_output.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <complex>
#include <fstream>
#include <vector>

#include "dgtd/base/error.hpp"
#include "dgtd/base/os_reason.hpp"
#include "dgtd/base/numpy_file.hpp"
#include "dgtd/parallel/together.hpp"

namespace dgtd::io {
namespace {

void check(const std::ostream& stream, const std::filesystem::path& file) {
  if (!stream) throw Error(ExitCode::other, fmt::format("{}: cannot write: {}", file.string(), os_reason(errno)));
}

// A row along x of the part.
std::vector<float> row_of(std::span<const float> values, std::span<const float> imaginary, std::size_t first,
                          std::size_t count) {
  std::vector<float> row;
  if (imaginary.empty()) {
    row.assign(values.begin() + static_cast<std::ptrdiff_t>(first),
               values.begin() + static_cast<std::ptrdiff_t>(first + count));
    return row;
  }
  for (std::size_t i = first; i < first + count; ++i) row.push_back(values[i]), row.push_back(imaginary[i]);
  return row;
}

}  // namespace

// The first index, the component, is the fastest, then x, y and z: the order of the values.
std::int64_t write_numpy(const std::filesystem::path& file, const CellPart& part, std::span<const float> values,
                         std::span<const float> imaginary, const parallel::Communicator& comm) {
  std::vector<std::size_t> shape{3};
  for (const std::int64_t n : part.whole) shape.push_back(static_cast<std::size_t>(n));
  const bool complex = comm.max(imaginary.empty() ? 0.0 : 1.0) > 0;
  const std::string header =
      complex ? numpy_header<std::complex<float>>(shape, true) : numpy_header<float>(shape, true);
  std::filesystem::path temporary = file;
  temporary += ".tmp";
  std::int64_t bytes = 0;
  parallel::together(comm, [&] {
    if (!comm.is_root()) return;
    std::ofstream stream(temporary, std::ios::binary | std::ios::trunc);
    stream.write(header.data(), static_cast<std::streamsize>(header.size()));
    stream.flush();
    check(stream, file);
    bytes += static_cast<std::int64_t>(header.size());
  });
  parallel::together(comm, [&] {
    if (part.empty()) return;
    std::fstream stream(temporary, std::ios::binary | std::ios::in | std::ios::out);
    const std::size_t row = 3 * static_cast<std::size_t>(part.count[0]);
    const std::int64_t cell = 3 * static_cast<std::int64_t>(sizeof(float)) * (complex ? 2 : 1);
    std::size_t n = 0;
    for (std::int64_t k = 0; k < part.count[2]; ++k)
      for (std::int64_t j = 0; j < part.count[1]; ++j, n += row) {
        const std::vector<float> numbers = row_of(values, imaginary, n, row);
        const std::int64_t place =
            ((part.first[2] + k) * part.whole[1] + part.first[1] + j) * part.whole[0] + part.first[0];
        stream.seekp(static_cast<std::streamoff>(header.size()) + place * cell);
        stream.write(reinterpret_cast<const char*>(numbers.data()),
                     static_cast<std::streamsize>(numbers.size() * sizeof(float)));
        bytes += static_cast<std::int64_t>(numbers.size() * sizeof(float));
      }
    stream.flush();
    check(stream, file);
  });
  parallel::together(comm, [&] {
    if (comm.is_root()) std::filesystem::rename(temporary, file);
  });
  return bytes;
}

}  // namespace dgtd::io
