#include "dgtd/base/numpy_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string_view>
#include <type_traits>

#include "dgtd/base/error.hpp"
#include "dgtd/base/one_line.hpp"

namespace dgtd {
namespace {

constexpr std::size_t longest_header = 65536;  // bytes
constexpr std::size_t most_axes = 8;
constexpr char magic[] = "\x93NUMPY";

template <class T>
constexpr bool is_complex = !std::is_floating_point_v<T>;

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& why) {
  throw Error(fmt::format("{}: {}", file.string(), one_line(why)));
}

struct Header {
  std::string type;  // such as "<f4"
  bool fortran = false;
  std::vector<std::size_t> shape;
  std::uint64_t data = 0;  // bytes before the values
};

// The header is a Python dictionary: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }.
class Dictionary {
 public:
  explicit Dictionary(std::string_view text) : text_(text) {}

  /// False where the text is no such dictionary.
  bool parse(Header& header) {
    if (!take("{")) return false;
    int found = 0;
    while (!take("}")) {
      std::string key;
      if (!quoted(key) || !take(":")) return false;
      if (key == "descr" ? quoted(header.type) : key == "fortran_order" ? truth(header.fortran) : false) ++found;
      else if (key == "shape" && tuple(header.shape)) ++found;
      else return false;
      if (!take(",") && peek() != '}') return false;
    }
    return found == 3 && text_.find_first_not_of(" \n") == std::string_view::npos;
  }

 private:
  char peek() {
    while (!text_.empty() && (text_[0] == ' ' || text_[0] == '\n')) text_.remove_prefix(1);
    return text_.empty() ? '\0' : text_[0];
  }
  bool take(std::string_view what) {
    peek();
    if (!text_.starts_with(what)) return false;
    text_.remove_prefix(what.size());
    return true;
  }
  bool quoted(std::string& value) {
    if (!take("'")) return false;
    const auto end = text_.find('\'');
    if (end == std::string_view::npos) return false;
    value = text_.substr(0, end);
    text_.remove_prefix(end + 1);
    return true;
  }
  bool truth(bool& value) {
    value = take("True");
    return value || take("False");
  }
  bool tuple(std::vector<std::size_t>& values) {
    if (!take("(")) return false;
    while (!take(")")) {
      peek();
      std::size_t value = 0;
      const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
      if (error != std::errc() || values.size() == most_axes) return false;
      text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
      values.push_back(value);
      if (!take(",") && peek() != ')') return false;
    }
    return true;
  }
  std::string_view text_;
};

// NEP 1: magic string, version (2 bytes), length of the header (2 bytes, from version 2 on 4), header, values.
Header read_header(std::istream& stream, const std::filesystem::path& file) {
  unsigned char start[12] = {};
  stream.read(reinterpret_cast<char*>(start), 10);
  if (!stream || std::memcmp(start, magic, 6) != 0) refuse(file, "is no NumPy file (.npy)");
  const int version = start[6];
  std::size_t length = start[8] + 256u * start[9];
  if (version > 1) {
    stream.read(reinterpret_cast<char*>(start + 10), 2);
    length += (std::size_t(start[10]) << 16) + (std::size_t(start[11]) << 24);
  }
  if (!stream || version < 1 || version > 3 || length > longest_header) refuse(file, "its NumPy header is damaged");
  std::string text(length, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(length));
  Header header;
  if (!stream || !Dictionary(text).parse(header)) refuse(file, "its NumPy header is damaged");
  header.data = (version > 1 ? 12u : 10u) + length;
  return header;
}

// Bytes of a value, and of one of its real numbers.
struct Type {
  std::size_t bytes = 0, real = 0;
};

template <class T>
Type type_of(const Header& header, const std::filesystem::path& file) {
  if (header.type == "<f4") return {4, 4};
  if (header.type == "<f8") return {8, 8};
  if (is_complex<T> && header.type == "<c8") return {8, 4};
  if (is_complex<T> && header.type == "<c16") return {16, 8};
  refuse(file, fmt::format("its type is {}; it must be float32{} in the byte order of this machine", header.type,
                           is_complex<T> ? ", float64, complex64 or complex128" : " or float64"));
}

template <class T, class Stored>
T value_at(const char* from, bool complex) {
  Stored real, imaginary = 0;
  std::memcpy(&real, from, sizeof real);
  if constexpr (is_complex<T>) {
    if (complex) std::memcpy(&imaginary, from + sizeof real, sizeof imaginary);
    return {static_cast<double>(real), static_cast<double>(imaginary)};
  } else {
    return static_cast<T>(real);
  }
}

bool finite(float x) { return std::isfinite(x); }
bool finite(double x) { return std::isfinite(x); }
bool finite(const std::complex<double>& x) { return std::isfinite(x.real()) && std::isfinite(x.imag()); }

// Without an end in the middle, so that it is a vector loop.
template <class T>
bool all_finite(const T* values, std::size_t count) {
  int others = 0;
  for (std::size_t i = 0; i < count; ++i) others |= finite(values[i]) ? 0 : 1;
  return others == 0;
}

template <class T, class Stored>
void convert(const char* bytes, bool complex, T* to, std::size_t count) {
  const std::size_t size = sizeof(Stored) * (complex ? 2 : 1);
  for (std::size_t i = 0; i < count; ++i) to[i] = value_at<T, Stored>(bytes + i * size, complex);
}

class Descriptor {
 public:
  explicit Descriptor(const std::filesystem::path& file) : number_(::open(file.c_str(), O_RDONLY | O_CLOEXEC)) {}
  Descriptor(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  /// False where the file has fewer bytes or cannot be read.
  bool read(char* to, std::size_t count, std::uint64_t from) const {
    while (count > 0) {
      const ssize_t done = ::pread(number_, to, count, static_cast<off_t>(from));
      if (done < 0 && errno == EINTR) continue;
      if (done <= 0) return false;
      to += done, from += static_cast<std::uint64_t>(done), count -= static_cast<std::size_t>(done);
    }
    return true;
  }

 private:
  int number_;
};

// Pieces of the values, each read and converted by one thread.
template <class T>
void read_values(const std::filesystem::path& file, const Header& header, const Type& type,
                 UninitialisedVector<T>& values) {
  constexpr std::size_t most = 1 << 18;  // values of a piece
  const Descriptor descriptor(file);
  const bool complex = type.bytes != type.real, as_stored = type.bytes == sizeof(T);
  const auto pieces = static_cast<std::int64_t>((values.size() + most - 1) / most);
  int unread = 0, infinite = 0;
#pragma omp parallel if (pieces > 1) reduction(| : unread, infinite)
  {
    std::vector<char> bytes;
#pragma omp for schedule(static)
    for (std::int64_t piece = 0; piece < pieces; ++piece) {
      const std::size_t first = static_cast<std::size_t>(piece) * most, n = std::min(most, values.size() - first);
      T* const to = values.data() + first;
      if (!as_stored) bytes.resize(n * type.bytes);
      char* const stored = as_stored ? reinterpret_cast<char*>(to) : bytes.data();
      if (!descriptor.read(stored, n * type.bytes, header.data + first * type.bytes)) {
        unread = 1;
        continue;
      }
      if (!as_stored && type.real == 4) convert<T, float>(stored, complex, to, n);
      else if (!as_stored) convert<T, double>(stored, complex, to, n);
      if (!all_finite(to, n)) infinite = 1;
    }
  }
  if (unread != 0) refuse(file, "cannot be read");
  if (infinite != 0) refuse(file, "has values that are not finite numbers");
}

// From the first index the fastest to the last one.
template <class T>
UninitialisedVector<T> in_c_order(const UninitialisedVector<T>& values, const std::vector<std::size_t>& shape) {
  UninitialisedVector<T> sorted(values.size());
  std::vector<std::size_t> stride(shape.size()), index(shape.size(), 0);
  std::size_t product = 1, from = 0;
  for (std::size_t a = 0; a < shape.size(); ++a) stride[a] = product, product *= shape[a];
  for (T& to : sorted) {
    to = values[from];
    for (std::size_t a = shape.size(); a-- > 0;) {
      from += stride[a];
      if (++index[a] < shape[a]) break;
      from -= stride[a] * shape[a];
      index[a] = 0;
    }
  }
  return sorted;
}

}  // namespace

std::string text_of_shape(std::span<const std::size_t> shape) { return fmt::format("{}", fmt::join(shape, " x ")); }

template <class T>
NumpyArray<T> read_numpy(const std::filesystem::path& file) {
  std::error_code error;
  const std::uint64_t length = std::filesystem::file_size(file, error);
  std::ifstream stream(file, std::ios::binary);
  if (error || !stream) refuse(file, "cannot be read");
  const Header header = read_header(stream, file);
  const Type type = type_of<T>(header, file);
  std::uint64_t count = 1;
  for (const std::size_t n : header.shape) {
    if (n == 0) refuse(file, fmt::format("its shape is {}: it has no values", text_of_shape(header.shape)));
    if (count > length / n) refuse(file, fmt::format("is too short for its shape, {}", text_of_shape(header.shape)));
    count *= n;
  }
  if (length - header.data != count * type.bytes)
    refuse(file, fmt::format("has {} bytes of values, and its shape, {}, needs {}", length - header.data,
                             text_of_shape(header.shape), count * type.bytes));
  NumpyArray<T> array{header.shape, UninitialisedVector<T>(count)};
  read_values(file, header, type, array.values);
  if (header.fortran && header.shape.size() > 1) array.values = in_c_order(array.values, header.shape);
  return array;
}

// Padded with blanks, so that the values start at a multiple of 64 bytes.
template <class T>
std::string numpy_header(std::span<const std::size_t> shape, bool first_fastest) {
  std::string text =
      fmt::format("{{'descr': '<{}{}', 'fortran_order': {}, 'shape': ({},), }}", is_complex<T> ? 'c' : 'f', sizeof(T),
                  first_fastest ? "True" : "False", fmt::join(shape, ", "));
  text.append(63 - (10 + text.size()) % 64, ' ');
  text += '\n';
  std::string header(magic, 6);
  for (const std::size_t byte : {std::size_t{1}, std::size_t{0}, text.size() % 256, text.size() / 256})
    header += static_cast<char>(byte);
  return header + text;
}

template NumpyArray<float> read_numpy(const std::filesystem::path&);
template NumpyArray<double> read_numpy(const std::filesystem::path&);
template NumpyArray<std::complex<double>> read_numpy(const std::filesystem::path&);
template std::string numpy_header<float>(std::span<const std::size_t>, bool);
template std::string numpy_header<double>(std::span<const std::size_t>, bool);
template std::string numpy_header<std::complex<float>>(std::span<const std::size_t>, bool);
template std::string numpy_header<std::complex<double>>(std::span<const std::size_t>, bool);

}  // namespace dgtd
