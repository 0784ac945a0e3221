#pragma once
// XML files of VTK with appended arrays: a head of text that names each array and its place, then the arrays. Raw ones
// are as in memory, each after its length in bytes, so that the size of a file is known before its values are;
// compressed ones (compressed_values.hpp) have a table of their blocks in place of the length.
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace dgtd::io {

enum class Kind { float32, float64, int32, int64, uint8 };
std::int64_t bytes_of(Kind kind);
/// As VTK's files name it, such as Float32.
std::string_view vtk_name(Kind kind);

enum class Storage { raw, zlib };

/// The head of a file and the places of its arrays.
class AppendedLayout {
 public:
  /// type: of the data set, such as UnstructuredGrid. storage: of all arrays.
  explicit AppendedLayout(std::string_view type, Storage storage = Storage::raw);

  /// Adds lines between the declarations of arrays.
  void text(std::string_view lines) { head_ += lines; }
  /// Declares an array of `values` numbers and returns its number, in the order of calls. An empty name is left out.
  std::size_t array(std::string_view name, Kind kind, int components, std::int64_t values);
  /// The same for a compressed array that takes `bytes` with its table.
  std::size_t compressed_array(std::string_view name, Kind kind, int components, std::int64_t bytes);

  /// Offset of an array's first value (compressed: of its table) in the file, after every text() and array().
  std::int64_t place(std::size_t array) const;
  /// Size of the whole file, bytes.
  std::int64_t bytes() const;

  std::string head() const;
  static std::string_view tail();
  /// Lengths in bytes, [arrays].
  const std::vector<std::int64_t>& lengths() const { return lengths_; }

 private:
  std::size_t declare(std::string_view name, Kind kind, int components, std::int64_t bytes);

  std::string type_, head_;
  std::int64_t length_bytes_;  // before each array
  std::vector<std::int64_t> lengths_;
  std::int64_t data_bytes_ = 0;  // with the lengths
};

/// A file that threads of its own write at given offsets while the caller computes the next values. It has its name
/// only when it is whole: until close() it is FILE.tmp.
class BackgroundFile {
 public:
  /// Values on their way to the file; the memory is used again.
  struct Block {
    std::unique_ptr<std::byte[]> data;
    std::size_t capacity = 0, size = 0;
  };

  /// Throws Error.
  explicit BackgroundFile(std::filesystem::path file);
  /// Without close() before, nothing is left of the file; an older one of its name stays.
  ~BackgroundFile();
  BackgroundFile(const BackgroundFile&) = delete;
  BackgroundFile& operator=(const BackgroundFile&) = delete;

  /// Memory for so many bytes. Waits while most_bytes_waiting are not yet written. Throws the Error of a failed write.
  Block block(std::size_t bytes);
  /// Writes the block at an offset, later.
  void write(std::int64_t offset, Block block);
  /// The same for values that the caller keeps.
  void write(std::int64_t offset, std::string_view bytes);
  /// Returns when all is written. Throws Error that names the file and the reason.
  void close();

  static constexpr std::size_t most_bytes_waiting = std::size_t{64} << 20;
  /// A file system that writes to one file at a time loses nothing by the second thread; others gain.
  static constexpr int threads = 2;

 private:
  struct Waiting {
    std::int64_t offset;
    Block block;
  };
  void run();
  void write_now(std::int64_t offset, const std::byte* data, std::size_t size);
  void finish_threads();
  void throw_failure();

  std::filesystem::path path_, unfinished_;
  int file_ = -1;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Waiting> waiting_;
  std::vector<Block> free_;
  std::size_t bytes_in_use_ = 0;  // of blocks that are filled or wait
  bool closing_ = false;
  int failure_ = 0;  // errno of the first write that failed
  std::vector<std::thread> workers_;
};

}  // namespace dgtd::io
