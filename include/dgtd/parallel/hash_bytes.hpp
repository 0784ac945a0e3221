#pragma once
// A fast 64-bit hash, for noticing that bytes have changed; not for security.
#include <cstddef>
#include <cstdint>
#include <filesystem>

namespace dgtd::parallel {

inline constexpr std::size_t hash_chunk = std::size_t{1} << 20;  // bytes

/// Hash of one range of memory. Multiplication of 64 by 64 bits and exclusive or of the halves, as in wyhash.
std::uint64_t hash_bytes(const void* bytes, std::size_t count, std::uint64_t seed);

/// Hash of a large range of memory, by all threads: the hashes of its chunks with their numbers as seeds, added. The
/// same for any number of threads.
std::uint64_t hash_chunks(const void* bytes, std::size_t count);
/// hash_chunks() of a file's bytes, which all threads read. Throws Error where it cannot be read.
std::uint64_t hash_file(const std::filesystem::path& file);

}  // namespace dgtd::parallel
