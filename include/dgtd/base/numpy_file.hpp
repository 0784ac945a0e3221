#pragma once
// Arrays in NumPy's .npy files (format versions 1 to 3): profiles of sheets, permittivities of cells, fields in boxes.
#include <complex>
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "dgtd/base/uninitialised.hpp"

namespace dgtd {

/// Values in C order: the last index is the fastest.
template <class T>
struct NumpyArray {
  std::vector<std::size_t> shape;
  UninitialisedVector<T> values;  // [product of shape]
};

/// By all threads. Reads float32, float64 and, where T is complex, complex64 and complex128, in either order of the
/// axes in memory. T: float, double or std::complex<double>. Throws Error (bad_input) that names the file: it cannot be
/// read, its header is damaged, its type is another one, it has no value or one that is not finite, its length is not
/// that of its shape. No more memory is taken than the file is long (times the size of T over that of its type).
template <class T>
NumpyArray<T> read_numpy(const std::filesystem::path& file);

/// "40 x 20"
std::string text_of_shape(std::span<const std::size_t> shape);

/// The header of an array of this shape; T: float, double or a std::complex of them. The values follow it, the last
/// index the fastest, or (first_fastest) the first one.
template <class T>
std::string numpy_header(std::span<const std::size_t> shape, bool first_fastest = false);

/// Whether a file is one of these by its name, which ends in .npy.
inline bool is_numpy_file(const std::filesystem::path& file) { return file.extension() == ".npy"; }

}  // namespace dgtd
