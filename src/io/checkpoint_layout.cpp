#include "checkpoint_layout.hpp"

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <charconv>

#include "dgtd/base/error.hpp"

namespace dgtd::io {

namespace {

constexpr const char* texts_group = "/texts/";
constexpr const char* numbers_group = "/numbers/";
constexpr const char* arrays_group = "/arrays/";
constexpr const char* checksums_name = "/checksums";

[[noreturn]] void fail(const std::string& what) { throw Error(ExitCode::other, "HDF5: cannot " + what); }

/// An identifier of HDF5, which is closed by the function that belongs to its kind.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t), const std::string& what) : id_(id), close_(close) {
    if (id_ < 0) fail(what);
  }
  ~Handle() { close_(id_); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  operator hid_t() const { return id_; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

void check(herr_t status, const std::string& what) {
  if (status < 0) fail(what);
}

// A path of HDF5 has its own meaning of '/' and '.'.
std::string escaped(const std::string& name) {
  std::string text;
  for (const char c : name)
    text += c == '/' || c == '.' || c == '%' ? fmt::format("%{:02x}", int(c)) : std::string(1, c);
  return text;
}

std::string unescaped(const std::string& text) {
  std::string name;
  for (std::size_t i = 0; i < text.size(); ++i) {
    int code = 0;
    if (text[i] != '%' || i + 2 >= text.size() ||
        std::from_chars(&text[i + 1], &text[i + 3], code, 16).ptr != &text[i + 3]) {
      name += text[i];
      continue;
    }
    name += static_cast<char>(code);
    i += 2;
  }
  return name;
}

hid_t type_of(const StoredArray& array) {
  if (array.is_integer) return H5T_STD_I64LE;
  return array.value_bytes == 4 ? H5T_IEEE_F32LE : H5T_IEEE_F64LE;
}

class Writer {
 public:
  Writer(const std::filesystem::path& file, std::uint64_t room)
      : access_(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "create a property list"),
        creation_(H5Pcreate(H5P_FILE_CREATE), H5Pclose, "create a property list"),
        links_(H5Pcreate(H5P_LINK_CREATE), H5Pclose, "create a property list"),
        early_(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "create a property list"),
        plain_(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "create a property list"),
        file_(((void)prepare(room), H5Fcreate(file.c_str(), H5F_ACC_TRUNC, creation_, access_)), H5Fclose,
              "create " + file.string()) {}

  void text(const std::string& name, const std::string& value) {
    const Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "create a type");
    check(H5Tset_size(type, value.size() + 1), "set a size");
    const Handle space(H5Screate(H5S_SCALAR), H5Sclose, "create a space");
    const Handle set = dataset(texts_group + escaped(name), type, space, plain_);
    check(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value.c_str()), "write " + name);
  }
  void numbers(const std::string& name, const std::vector<double>& values) {
    const hsize_t size = values.size();
    const Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose, "create a space");
    const Handle set = dataset(numbers_group + escaped(name), H5T_IEEE_F64LE, space, plain_);
    if (size > 0)
      check(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), "write " + name);
  }
  std::uint64_t array(const std::string& path, const StoredArray& array) {
    const hsize_t sizes[2] = {static_cast<hsize_t>(array.items), static_cast<hsize_t>(array.values)};
    const Handle space(H5Screate_simple(array.values == 1 ? 1 : 2, sizes, nullptr), H5Sclose, "create a space");
    const Handle set = dataset(path, type_of(array), space, early_);
    const haddr_t offset = H5Dget_offset(set);
    if (offset == HADDR_UNDEF) fail("place " + path);
    return offset;
  }

 private:
  int prepare(std::uint64_t room) {
    constexpr hsize_t page = 4096;
    check(H5Pset_userblock(creation_, room), "leave room");
    check(H5Pset_alignment(access_, page, page), "align");
    check(H5Pset_create_intermediate_group(links_, 1), "create groups");
    for (const hid_t list : {hid_t(early_), hid_t(plain_)})
      check(H5Pset_obj_track_times(list, false), "leave out times");
    check(H5Pset_alloc_time(early_, H5D_ALLOC_TIME_EARLY), "allocate");
    check(H5Pset_fill_time(early_, H5D_FILL_TIME_NEVER), "leave arrays unwritten");
    return 0;
  }
  Handle dataset(const std::string& path, hid_t type, hid_t space, hid_t properties) {
    return {H5Dcreate2(file_, path.c_str(), type, space, links_, properties, H5P_DEFAULT), H5Dclose, "create " + path};
  }

  Handle access_, creation_, links_, early_, plain_, file_;
};

StoredArray stored(hid_t set, const std::string& name) {
  const Handle space(H5Dget_space(set), H5Sclose, "read a space"), type(H5Dget_type(set), H5Tclose, "read a type");
  hsize_t sizes[2] = {0, 1};
  const int axes = H5Sget_simple_extent_ndims(space);
  if (axes < 1 || axes > 2 || H5Sget_simple_extent_dims(space, sizes, nullptr) < 0) fail("read the shape of " + name);
  StoredArray array;
  array.name = name;
  array.items = static_cast<std::int64_t>(sizes[0]), array.values = static_cast<std::int64_t>(sizes[1]);
  array.value_bytes = H5Tget_size(type);
  array.is_integer = H5Tget_class(type) == H5T_INTEGER;
  array.offset = H5Dget_offset(set);
  return array;
}

// Calls visit(name, dataset) for the datasets of a group.
template <class Visit>
void for_datasets(hid_t file, const char* group, Visit visit) {
  if (H5Lexists(file, group, H5P_DEFAULT) <= 0) return;
  const Handle in(H5Gopen2(file, group, H5P_DEFAULT), H5Gclose, std::string("read group ") + group);
  H5G_info_t info{};
  check(H5Gget_info(in, &info), "read a group");
  for (hsize_t i = 0; i < info.nlinks; ++i) {
    const auto size = H5Lget_name_by_idx(in, ".", H5_INDEX_NAME, H5_ITER_INC, i, nullptr, 0, H5P_DEFAULT);
    if (size < 0) fail("read a name");
    std::string name(static_cast<std::size_t>(size) + 1, ' ');
    H5Lget_name_by_idx(in, ".", H5_INDEX_NAME, H5_ITER_INC, i, name.data(), name.size(), H5P_DEFAULT);
    name.pop_back();
    const Handle set(H5Dopen2(in, name.c_str(), H5P_DEFAULT), H5Dclose, "read " + name);
    visit(unescaped(name), set);
  }
}

// most: bytes that the file has; a seal that somebody has made does not protect from sizes beyond them.
std::string read_text(hid_t set, std::uint64_t most) {
  const Handle type(H5Dget_type(set), H5Tclose, "read a type"), space(H5Dget_space(set), H5Sclose, "read a space");
  const std::size_t size = H5Tget_size(type);
  if (size == 0 || size > most || H5Sget_simple_extent_npoints(space) != 1) fail("read a text");
  std::string text(size, ' ');
  check(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()), "read a text");
  text.pop_back();
  return text;
}

std::vector<double> read_numbers(hid_t set, std::uint64_t most) {
  const Handle space(H5Dget_space(set), H5Sclose, "read a space");
  const auto count = H5Sget_simple_extent_npoints(space);
  if (count < 0 || static_cast<std::uint64_t>(count) > most) fail("read numbers");
  std::vector<double> values(static_cast<std::size_t>(count));
  if (!values.empty())
    check(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), "read numbers");
  return values;
}

void sort_by_offset(std::vector<StoredArray>& arrays) {
  std::sort(arrays.begin(), arrays.end(), [](const auto& a, const auto& b) { return a.offset < b.offset; });
}

void be_silent() { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }

}  // namespace

void create_layout(const std::filesystem::path& file, std::uint64_t room, CheckpointLayout& layout) {
  be_silent();
  Writer writer(file, room);
  for (const auto& [name, value] : layout.values.texts) writer.text(name, value);
  for (const auto& [name, values] : layout.values.numbers) writer.numbers(name, values);
  for (auto& array : layout.arrays) array.offset = writer.array(arrays_group + escaped(array.name), array);
  if (layout.checksums.items > 0) layout.checksums.offset = writer.array(checksums_name, layout.checksums);
  sort_by_offset(layout.arrays);  // HDF5 puts small ones where there is room
}

CheckpointLayout read_layout(const std::filesystem::path& file) {
  be_silent();
  const Handle in(H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, "read " + file.string());
  CheckpointLayout layout;
  const std::uint64_t most = std::filesystem::file_size(file);
  for_datasets(in, "/texts", [&](const auto& name, hid_t set) { layout.values.texts[name] = read_text(set, most); });
  for_datasets(in, "/numbers",
               [&](const auto& name, hid_t set) { layout.values.numbers[name] = read_numbers(set, most); });
  for_datasets(in, "/arrays", [&](const auto& name, hid_t set) { layout.arrays.push_back(stored(set, name)); });
  sort_by_offset(layout.arrays);
  if (H5Lexists(in, checksums_name, H5P_DEFAULT) > 0) {
    const Handle set(H5Dopen2(in, checksums_name, H5P_DEFAULT), H5Dclose, "read checksums");
    layout.checksums = stored(set, checksums_name);
  }
  return layout;
}

}  // namespace dgtd::io
