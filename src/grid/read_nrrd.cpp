#include "read_nrrd.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "dgtd/base/error.hpp"
#include "dgtd/base/one_line.hpp"

namespace dgtd::grid {
namespace {

// Fields without their blanks, which are optional in some.
constexpr std::string_view nrrd_fields[] = {"dimension",
                                            "type",
                                            "blocksize",
                                            "encoding",
                                            "endian",
                                            "content",
                                            "oldmin",
                                            "oldmax",
                                            "datafile",
                                            "lineskip",
                                            "byteskip",
                                            "number",
                                            "sampleunits",
                                            "space",
                                            "spacedimension",
                                            "spaceunits",
                                            "spaceorigin",
                                            "spacedirections",
                                            "sizes",
                                            "spacings",
                                            "thicknesses",
                                            "measurementframe",
                                            "axismins",
                                            "axismaxs",
                                            "centers",
                                            "centerings",
                                            "labels",
                                            "units",
                                            "min",
                                            "max",
                                            "kinds"};

enum class NumberType { int8, uint8, int16, uint16, int32, uint32, int64, uint64, real32, real64 };

struct TypeName {
  std::string_view name;
  NumberType type;
};
constexpr TypeName nrrd_types[] = {{"signed char", NumberType::int8},
                                   {"int8", NumberType::int8},
                                   {"int8_t", NumberType::int8},
                                   {"uchar", NumberType::uint8},
                                   {"unsigned char", NumberType::uint8},
                                   {"uint8", NumberType::uint8},
                                   {"uint8_t", NumberType::uint8},
                                   {"short", NumberType::int16},
                                   {"short int", NumberType::int16},
                                   {"signed short", NumberType::int16},
                                   {"signed short int", NumberType::int16},
                                   {"int16", NumberType::int16},
                                   {"int16_t", NumberType::int16},
                                   {"ushort", NumberType::uint16},
                                   {"unsigned short", NumberType::uint16},
                                   {"unsigned short int", NumberType::uint16},
                                   {"uint16", NumberType::uint16},
                                   {"uint16_t", NumberType::uint16},
                                   {"int", NumberType::int32},
                                   {"signed int", NumberType::int32},
                                   {"int32", NumberType::int32},
                                   {"int32_t", NumberType::int32},
                                   {"uint", NumberType::uint32},
                                   {"unsigned int", NumberType::uint32},
                                   {"uint32", NumberType::uint32},
                                   {"uint32_t", NumberType::uint32},
                                   {"longlong", NumberType::int64},
                                   {"long long", NumberType::int64},
                                   {"long long int", NumberType::int64},
                                   {"signed long long", NumberType::int64},
                                   {"signed long long int", NumberType::int64},
                                   {"int64", NumberType::int64},
                                   {"int64_t", NumberType::int64},
                                   {"ulonglong", NumberType::uint64},
                                   {"unsigned long long", NumberType::uint64},
                                   {"unsigned long long int", NumberType::uint64},
                                   {"uint64", NumberType::uint64},
                                   {"uint64_t", NumberType::uint64},
                                   {"float", NumberType::real32},
                                   {"double", NumberType::real64}};

int bytes_of(NumberType type) {
  constexpr int bytes[] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
  return bytes[static_cast<int>(type)];
}

template <class T>
double number_at(const unsigned char* bytes, bool swapped) {
  unsigned char own[sizeof(T)];
  std::memcpy(own, bytes, sizeof(T));
  if (swapped) std::reverse(own, own + sizeof(T));
  T value;
  std::memcpy(&value, own, sizeof(T));
  return static_cast<double>(value);
}

double number_at(NumberType type, const unsigned char* bytes, bool swapped) {
  switch (type) {
    case NumberType::int8: return number_at<std::int8_t>(bytes, false);
    case NumberType::uint8: return number_at<std::uint8_t>(bytes, false);
    case NumberType::int16: return number_at<std::int16_t>(bytes, swapped);
    case NumberType::uint16: return number_at<std::uint16_t>(bytes, swapped);
    case NumberType::int32: return number_at<std::int32_t>(bytes, swapped);
    case NumberType::uint32: return number_at<std::uint32_t>(bytes, swapped);
    case NumberType::int64: return number_at<std::int64_t>(bytes, swapped);
    case NumberType::uint64: return number_at<std::uint64_t>(bytes, swapped);
    case NumberType::real32: return number_at<float>(bytes, swapped);
    case NumberType::real64: break;
  }
  return number_at<double>(bytes, swapped);
}

std::string_view without_blanks_around(std::string_view text) {
  constexpr std::string_view blank = " \t\r";
  const auto first = text.find_first_not_of(blank);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(blank) + 1 - first);
}

/// Numbers with blanks, and where `vectors` also commas and brackets, between them; nothing where there is anything
/// else, or one is not finite.
std::optional<std::vector<double>> numbers_in(std::string_view text, bool vectors) {
  const std::string_view between = vectors ? " \t,()" : " \t";
  std::vector<double> numbers;
  for (std::size_t at = text.find_first_not_of(between); at != text.npos; at = text.find_first_not_of(between, at)) {
    double value = 0;
    const auto read = std::from_chars(text.data() + at, text.data() + text.size(), value);
    if (read.ec != std::errc() || !std::isfinite(value)) return std::nullopt;
    at = static_cast<std::size_t>(read.ptr - text.data());
    if (at < text.size() && between.find(text[at]) == between.npos) return std::nullopt;
    numbers.push_back(value);
  }
  return numbers;
}

/// The head of a file: its fields, checked one by one.
class NrrdHead {
 public:
  explicit NrrdHead(const std::filesystem::path& file) : file_(file) {
    constexpr std::size_t longest = 1 << 20;  // bytes; data may follow the head
    std::ifstream stream(file, std::ios::binary);
    if (!stream) throw Error(fmt::format("{}: cannot be opened", file.string()));
    std::string head(longest, '\0');
    stream.read(head.data(), static_cast<std::streamsize>(longest));
    head.resize(static_cast<std::size_t>(stream.gcount()));
    if (!head.starts_with("NRRD000")) throw Error(fmt::format("{}: cannot be read as an NRRD file", file.string()));
    int line = 0;
    for (std::size_t begin = 0; begin < head.size();) {
      const std::size_t end = std::min(head.find('\n', begin), head.size());
      const auto text = without_blanks_around(std::string_view(head).substr(begin, end - begin));
      begin = end + 1;
      if (text.empty()) {
        ends_ = true;
        bytes_ = begin;
        break;
      }
      if (++line > 1) add(text, line);
    }
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw Error(fmt::format("{}: cannot be read as an NRRD file: {}", file_.string(), what));
  }
  /// Empty: the file does not have the field.
  std::string value(const std::string& field) const {
    const auto found = fields_.find(field);
    return found == fields_.end() ? std::string() : found->second;
  }
  /// Throws Error where the file does not have the field, or it is no one of these. The texts are those of messages.
  [[noreturn]] void refuse(const std::string& field, const char* allowed) const {
    const std::string found = value(field);
    if (found.empty()) fail(fmt::format("it has no field {}; allowed are {}", field, allowed));
    fail(fmt::format("its {} is '{}'; allowed are {}", field, one_line(found), allowed));
  }
  /// Offset of the data in this file, bytes; absent where it has none behind its head.
  std::optional<std::size_t> data_begin() const { return ends_ ? std::optional(bytes_) : std::nullopt; }

 private:
  // A field, a comment or a key of the user, NAME:=VALUE.
  void add(std::string_view text, int line) {
    if (text.front() == '#') return;
    const std::size_t colon = text.find(':');
    if (colon != text.npos && text.substr(colon, 2) == ":=") return;
    std::string name(text.substr(0, std::min(colon, text.size())));
    std::erase(name, ' ');
    const bool known = std::find(std::begin(nrrd_fields), std::end(nrrd_fields), name) != std::end(nrrd_fields);
    if (colon == text.npos || !known)
      fail(fmt::format("line {}, '{}', is none of its fields", line, one_line(text).substr(0, 60)));
    const auto value = without_blanks_around(text.substr(colon + 1));
    if (value.empty()) fail(fmt::format("its field {} has no value", name));
    if (!fields_.emplace(name, value).second) fail(fmt::format("it has the field {} twice", name));
  }

  std::filesystem::path file_;
  std::map<std::string, std::string> fields_;
  std::size_t bytes_ = 0;
  bool ends_ = false;
};

NumberType type_of(const NrrdHead& head) {
  const std::string name = head.value("type");
  const auto* const found =
      std::find_if(std::begin(nrrd_types), std::end(nrrd_types), [&](const TypeName& t) { return t.name == name; });
  if (found == std::end(nrrd_types)) head.refuse("type", "whole numbers of 8 to 64 bits, float and double");
  return found->type;
}

void set_size(const NrrdHead& head, NrrdImage& image) {
  constexpr double most = 1 << 30;
  if (head.value("dimension") != "3") head.refuse("dimension", "3 axes, with one value per voxel");
  const auto sizes = numbers_in(head.value("sizes"), false);
  const auto is_size = [&](double n) { return n >= 1 && n <= most && n == std::floor(n); };
  if (!sizes || sizes->size() != 3 || !std::all_of(sizes->begin(), sizes->end(), is_size))
    head.refuse("sizes", "three whole numbers from 1 to 2^30");
  for (std::size_t a = 0; a < 3; ++a) image.size[a] = static_cast<int>((*sizes)[a]);
}

void set_places(const NrrdHead& head, NrrdImage& image) {
  const auto space = head.value("space");
  if (space.find("time") != space.npos) head.refuse("space", "spaces without time");
  if (const auto d = head.value("spacedimension"); !d.empty() && d != "3") head.refuse("spacedimension", "3");
  const std::string spacings = head.value("spacings"), directions = head.value("spacedirections");
  if (!spacings.empty() && !directions.empty()) head.fail("it has both spacings and space directions");
  if (!spacings.empty()) {
    const auto h = numbers_in(spacings, false);
    if (!h || h->size() != 3 || !std::all_of(h->begin(), h->end(), [](double x) { return x != 0; }))
      head.refuse("spacings", "three numbers that are not 0");
    for (std::size_t a = 0; a < 3; ++a) image.directions[a] = std::abs((*h)[a]) * image.directions[a];
  }
  if (!directions.empty()) {
    const auto d = numbers_in(directions, true);
    if (!d || d->size() != 9) head.refuse("spacedirections", "three vectors (x,y,z)");
    for (std::size_t a = 0; a < 3; ++a) {
      image.directions[a] = {(*d)[3 * a], (*d)[3 * a + 1], (*d)[3 * a + 2]};
      if (const double length = norm(image.directions[a]); !(length > 0) || !std::isfinite(length))
        head.refuse("spacedirections", "three vectors (x,y,z) of a finite length that is not 0");
    }
  }
  if (const auto origin = head.value("spaceorigin"); !origin.empty()) {
    const auto x = numbers_in(origin, true);
    if (!x || x->size() != 3) head.refuse("spaceorigin", "one vector (x,y,z)");
    image.origin = {(*x)[0], (*x)[1], (*x)[2]};
  }
}

/// Bytes of a file from a place on, as they are or inflated.
class NrrdData {
 public:
  NrrdData(const std::filesystem::path& file, std::size_t begin, bool packed) {
    const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) throw Error(fmt::format("{}: cannot be opened", file.string()));
    lseek(descriptor, static_cast<off_t>(begin), SEEK_SET);
    if (packed) {
      packed_.reset(gzdopen(descriptor, "rb"));
      if (packed_ && gzdirect(packed_.get()) == 0) return;
      if (!packed_) close(descriptor);
      throw Error(fmt::format("{}: its data are not packed by gzip", file.string()));
    }
    raw_.reset(fdopen(descriptor, "rb"));
  }
  /// Number of bytes that were read; less than `count` at the end and where the packing is damaged.
  std::size_t read(unsigned char* to, std::size_t count) {
    if (raw_) return std::fread(to, 1, count, raw_.get());
    const int done = gzread(packed_.get(), to, static_cast<unsigned>(count));
    return done < 0 ? 0 : static_cast<std::size_t>(done);
  }
  /// Whether the packing is whole, behind what was read.
  bool is_whole() {
    if (raw_) return true;
    std::vector<unsigned char> more(1 << 16);
    int failure = Z_OK;
    while (gzread(packed_.get(), more.data(), static_cast<unsigned>(more.size())) > 0) {}
    gzerror(packed_.get(), &failure);
    return failure == Z_OK || failure == Z_STREAM_END;
  }

 private:
  struct CloseRaw {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  struct ClosePacked {
    void operator()(gzFile file) const { gzclose(file); }
  };
  std::unique_ptr<std::FILE, CloseRaw> raw_;
  std::unique_ptr<gzFile_s, ClosePacked> packed_;
};

/// The file that has the voxels, and where they begin in it.
std::pair<std::filesystem::path, std::size_t> place_of_data(const NrrdHead& head, const std::filesystem::path& file) {
  for (const char* const skip : {"lineskip", "byteskip"})
    if (const auto n = head.value(skip); !n.empty() && n != "0") head.refuse(skip, "0");
  const std::string name = head.value("datafile");
  if (name.empty()) {
    if (!head.data_begin()) head.fail("no empty line ends its head, and it has no field data file");
    return {file, *head.data_begin()};
  }
  if (name.starts_with("LIST") || name.find('%') != name.npos) head.refuse("datafile", "names of one file");
  return {file.parent_path() / name, 0};
}

void read_labels(NrrdData& data, const std::filesystem::path& file, NumberType type, bool swapped, NrrdImage& image) {
  constexpr std::size_t values_together = 1 << 16;
  const auto width = static_cast<std::size_t>(bytes_of(type));
  std::vector<unsigned char> bytes(values_together * width);
  for (std::size_t v = 0; v < image.label.size();) {
    const std::size_t count = std::min(values_together, image.label.size() - v);
    if (const std::size_t read = data.read(bytes.data(), count * width); read != count * width)
      throw Error(fmt::format("{}: cannot be read as an NRRD file: its data end, or are damaged, after {} of {} voxels",
                              file.string(), v + read / width, image.label.size()));
    for (std::size_t i = 0; i < count; ++i, ++v) {
      const double value = number_at(type, bytes.data() + i * width, swapped);
      if (!(value >= 0 && value <= 255 && value == std::floor(value)))
        throw Error(
            fmt::format("{}: voxel {} is {}: labels must be whole numbers from 0 to 255", file.string(), v, value));
      image.label[v] = static_cast<std::uint8_t>(value);
    }
  }
  if (!data.is_whole())
    throw Error(fmt::format("{}: cannot be read as an NRRD file: its packed data are damaged", file.string()));
}

}  // namespace

NrrdImage read_nrrd(const std::filesystem::path& file) {
  const NrrdHead head(file);
  std::string encoding = head.value("encoding");
  std::transform(encoding.begin(), encoding.end(), encoding.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  const bool packed = encoding == "gzip" || encoding == "gz";
  if (!packed && encoding != "raw") head.refuse("encoding", "raw and gzip");
  NrrdImage image;
  set_size(head, image);
  set_places(head, image);
  const NumberType type = type_of(head);
  const std::string endian = head.value("endian");
  if (endian != "little" && endian != "big" && (!endian.empty() || bytes_of(type) > 1))
    head.refuse("endian", "little and big");
  const bool swapped = (endian == "big") == (std::endian::native == std::endian::little);

  const auto [data_file, begin] = place_of_data(head, file);
  std::error_code absent;
  const auto size = std::filesystem::file_size(data_file, absent);
  if (absent) throw Error(fmt::format("{}: its data file {} cannot be opened", file.string(), data_file.string()));
  constexpr double most_per_byte = 1032;  // of deflate
  const double voxels = double(image.size[0]) * image.size[1] * image.size[2];
  const double most = double(size - std::min<std::uintmax_t>(size, begin)) * (packed ? most_per_byte : 1);
  if (voxels * bytes_of(type) > most)
    head.fail(fmt::format("its head announces {:.0f} voxels of {} bytes, and its data have {:.0f} bytes{}", voxels,
                          bytes_of(type), double(size) - double(begin), packed ? ", packed" : ""));
  image.label.resize(static_cast<std::size_t>(voxels));
  NrrdData data(data_file, begin, packed);
  read_labels(data, file, type, swapped, image);
  return image;
}

}  // namespace dgtd::grid
