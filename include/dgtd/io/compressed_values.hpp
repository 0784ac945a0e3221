#pragma once
// Values in blocks that zlib compresses, as VTK's vtkZLibDataCompressor reads them in appended data: a table of UInt64
// with the number of blocks, the bytes of a block, those of the last block if it is shorter (else 0) and the compressed
// bytes of each block; then the blocks.
#include <cstddef>
#include <cstring>
#include <functional>
#include <vector>

namespace dgtd::io {

/// Sets the values first, ..., first + count - 1 of an array at `to`. Called by several threads.
using FillBytes = std::function<void(std::size_t first, std::size_t count, std::byte* to)>;

/// Table and blocks of `count` values of `value_bytes` each, compressed by all threads. The bytes do not depend on the
/// number of threads.
std::vector<std::byte> compressed_values(std::size_t count, std::size_t value_bytes, const FillBytes& fill);

/// The same for values of type T: value(i) of the i-th.
template <class T, class Value>
std::vector<std::byte> compressed_values(std::size_t count, const Value& value) {
  return compressed_values(count, sizeof(T), [&](std::size_t first, std::size_t n, std::byte* to) {
    for (std::size_t i = 0; i < n; ++i) {
      const T v = static_cast<T>(value(first + i));
      std::memcpy(to + i * sizeof(T), &v, sizeof(T));
    }
  });
}

}  // namespace dgtd::io
