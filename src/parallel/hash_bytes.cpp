#include "dgtd/parallel/hash_bytes.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <vector>

#include "dgtd/base/error.hpp"

namespace dgtd::parallel {
namespace {

constexpr std::uint64_t secret[4] = {0xa0761d6478bd642fu, 0xe7037ed1a0b428dbu, 0x8ebc6af09c88c6e3u,
                                     0x589965cc75374cc3u};

std::uint64_t fold(std::uint64_t a, std::uint64_t b) {
  const auto product = static_cast<unsigned __int128>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

std::uint64_t word(const char* at) {
  std::uint64_t value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

}  // namespace

std::uint64_t hash_bytes(const void* bytes, std::size_t count, std::uint64_t seed) {
  const char* at = static_cast<const char*>(bytes);
  std::uint64_t lane[4];  // four independent chains: a multiplication takes longer than starting the next one
  for (int i = 0; i < 4; ++i) lane[i] = fold(seed ^ secret[i], secret[(i + 1) % 4] + static_cast<std::uint64_t>(i));
  const auto take = [&](const char* block) {
    for (int i = 0; i < 4; ++i)
      lane[i] = fold(word(block + 16 * i) ^ secret[i], word(block + 16 * i + 8) ^ lane[i]) + lane[i];
  };
  std::size_t left = count;
  for (; left >= 64; left -= 64, at += 64) take(at);
  char last[64] = {};
  std::memcpy(last, at, left);
  take(last);
  return fold(fold(lane[0] ^ secret[0], lane[1] ^ count), fold(lane[2] ^ secret[1], lane[3] ^ secret[2]) ^ secret[3]);
}

std::uint64_t hash_chunks(const void* bytes, std::size_t count) {
  const auto chunks = static_cast<std::ptrdiff_t>((count + hash_chunk - 1) / hash_chunk);
  std::uint64_t sum = 0;
#pragma omp parallel for schedule(dynamic, 4) reduction(+ : sum) if (chunks > 8)
  for (std::ptrdiff_t c = 0; c < chunks; ++c) {
    const std::size_t first = static_cast<std::size_t>(c) * hash_chunk;
    sum += hash_bytes(static_cast<const char*>(bytes) + first, std::min(hash_chunk, count - first),
                      static_cast<std::uint64_t>(c));
  }
  return sum;
}

std::uint64_t hash_file(const std::filesystem::path& file) {
  std::error_code error;
  const std::uint64_t size = std::filesystem::file_size(file, error);
  const auto chunks = static_cast<std::ptrdiff_t>((size + hash_chunk - 1) / hash_chunk);
  std::uint64_t sum = 0;
  int unread = error ? 1 : 0;
#pragma omp parallel reduction(+ : sum) reduction(| : unread) if (chunks > 1)
  {
    std::ifstream stream(file, std::ios::binary);
    std::vector<char> bytes(hash_chunk);
#pragma omp for schedule(static)
    for (std::ptrdiff_t c = 0; c < chunks; ++c) {
      const std::uint64_t first = static_cast<std::uint64_t>(c) * hash_chunk, n = std::min(hash_chunk, size - first);
      stream.seekg(static_cast<std::streamoff>(first));
      stream.read(bytes.data(), static_cast<std::streamsize>(n));
      if (!stream) unread = 1;
      else sum += hash_bytes(bytes.data(), n, static_cast<std::uint64_t>(c));
    }
  }
  if (unread != 0) throw Error(file.string() + ": cannot be read");
  return sum;
}

}  // namespace dgtd::parallel
