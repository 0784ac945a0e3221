#include "checkpoint_seal.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "binary_file.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/parallel/hash_bytes.hpp"

namespace dgtd::io {

namespace {

using parallel::hash_bytes;

constexpr char form[8] = {'d', 'g', 't', 'd', ' ', 'c', 'p', '1'};
constexpr std::uint64_t most_seal_bytes = std::uint64_t{1} << 24;

struct Head {
  char form[8];
  std::uint64_t seal_bytes, file_bytes, arrays;
  std::uint64_t rest_hash;  // of all bytes but the seal's and the arrays'
};
constexpr std::size_t hash_size = sizeof(std::uint64_t);  // of the seal itself, its last bytes

// Pieces between arrays, in runs of a megabyte, with the place as the seed.
std::uint64_t hash_rest(const BinaryFile& file, std::uint64_t begin, std::uint64_t end,
                        const std::vector<Extent>& arrays) {
  std::uint64_t hash = 0;
  std::vector<char> buffer(parallel::hash_chunk);
  const auto add = [&](std::uint64_t from, std::uint64_t to) {
    while (from < to) {
      const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), to - from));
      file.read(buffer.data(), count, from);
      hash += hash_bytes(buffer.data(), count, from);
      from += count;
    }
  };
  std::uint64_t at = begin;
  for (const Extent& array : arrays) {
    add(at, array.offset);
    at = array.offset + array.bytes;
  }
  add(at, end);
  return hash;
}

[[noreturn]] void damaged(const std::filesystem::path& file, const char* what) {
  throw Error(file.string() + ": " + what);
}

}  // namespace

std::uint64_t seal_bytes(std::size_t arrays) {
  return std::max<std::uint64_t>(4096, std::bit_ceil(sizeof(Head) + arrays * sizeof(Extent) + hash_size));
}

void write_seal(const std::filesystem::path& file, const std::vector<Extent>& arrays) {
  std::vector<char> seal(seal_bytes(arrays.size()), 0);
  Head head{};
  std::memcpy(head.form, form, sizeof form);
  const BinaryFile in(file, BinaryFile::Access::read);
  head.seal_bytes = seal.size(), head.file_bytes = in.size(), head.arrays = arrays.size();
  head.rest_hash = hash_rest(in, seal.size(), head.file_bytes, arrays);
  std::memcpy(seal.data(), &head, sizeof head);
  if (!arrays.empty()) std::memcpy(seal.data() + sizeof head, arrays.data(), arrays.size() * sizeof(Extent));
  const std::uint64_t hash = hash_bytes(seal.data(), seal.size() - hash_size, 0);
  std::memcpy(seal.data() + seal.size() - hash_size, &hash, hash_size);
  BinaryFile(file, BinaryFile::Access::write).write(seal.data(), seal.size(), 0);
}

std::vector<Extent> check_seal(const std::filesystem::path& file) {
  const BinaryFile in(file, BinaryFile::Access::read);
  const std::uint64_t size = in.size();
  Head head{};
  if (size < sizeof head) damaged(file, "is cut off, or no checkpoint");
  in.read(&head, sizeof head, 0);
  if (std::memcmp(head.form, form, sizeof form) != 0) damaged(file, "is no checkpoint, or its first bytes are damaged");
  if (head.seal_bytes < sizeof head + hash_size || head.seal_bytes > most_seal_bytes || head.seal_bytes > size)
    damaged(file, "is damaged in its first bytes, or cut off");
  std::vector<char> seal(head.seal_bytes);
  in.read(seal.data(), seal.size(), 0);
  std::uint64_t hash = 0;
  std::memcpy(&hash, seal.data() + seal.size() - hash_size, hash_size);
  if (hash != hash_bytes(seal.data(), seal.size() - hash_size, 0)) damaged(file, "is damaged in its first bytes");
  if (head.arrays > (head.seal_bytes - sizeof head - hash_size) / sizeof(Extent))
    damaged(file, "is damaged in its first bytes");
  if (head.file_bytes != size) damaged(file, size < head.file_bytes ? "is cut off" : "has bytes behind its end");
  std::vector<Extent> arrays(head.arrays);
  if (!arrays.empty()) std::memcpy(arrays.data(), seal.data() + sizeof head, arrays.size() * sizeof(Extent));
  if (head.rest_hash != hash_rest(in, head.seal_bytes, size, arrays)) damaged(file, "is damaged in its values");
  return arrays;
}

}  // namespace dgtd::io
