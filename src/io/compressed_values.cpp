#include "dgtd/io/compressed_values.hpp"

#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <new>

namespace dgtd::io {

namespace {
// Large enough for zlib's window of 32 KiB, small enough that all threads have blocks.
constexpr std::size_t most_block_bytes = std::size_t{1} << 18;
// The fastest level: zeros and noise, which SAR consists of, gain next to nothing from others.
constexpr int level = 1;
}  // namespace

std::vector<std::byte> compressed_values(std::size_t count, std::size_t value_bytes, const FillBytes& fill) {
  const std::size_t per_block = most_block_bytes / value_bytes, blocks = (count + per_block - 1) / per_block,
                    of_last = count % per_block;
  std::vector<std::vector<std::byte>> packed(blocks);
  std::exception_ptr failure;
#pragma omp parallel
  {
    std::vector<std::byte> plain;
#pragma omp for schedule(dynamic)
    for (std::size_t b = 0; b < blocks; ++b) try {
        const std::size_t first = b * per_block, n = std::min(per_block, count - first);
        plain.resize(n * value_bytes);
        fill(first, n, plain.data());
        uLongf size = compressBound(plain.size());
        packed[b].resize(size);
        if (compress2(reinterpret_cast<Bytef*>(packed[b].data()), &size, reinterpret_cast<const Bytef*>(plain.data()),
                      plain.size(), level) != Z_OK)
          throw std::bad_alloc();  // the only failure that zlib has with a buffer of this size
        packed[b].resize(size);
        packed[b].shrink_to_fit();
      } catch (...) {
#pragma omp critical(compressed_values)
        failure = std::current_exception();
      }
  }
  if (failure) std::rethrow_exception(failure);
  std::vector<std::uint64_t> table{blocks, per_block * value_bytes, of_last * value_bytes};
  std::size_t bytes = (table.size() + blocks) * sizeof(std::uint64_t);
  for (const auto& block : packed) {
    table.push_back(block.size());
    bytes += block.size();
  }
  std::vector<std::byte> all;
  all.reserve(bytes);
  const auto* const head = reinterpret_cast<const std::byte*>(table.data());
  all.insert(all.end(), head, head + table.size() * sizeof(std::uint64_t));
  for (auto& block : packed) {
    all.insert(all.end(), block.begin(), block.end());
    std::vector<std::byte>().swap(block);
  }
  return all;
}

}  // namespace dgtd::io
