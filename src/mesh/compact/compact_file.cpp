#include "mesh/compact/compact_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <type_traits>

#include "dgtd/base/error.hpp"
#include "dgtd/base/os_reason.hpp"
#include "dgtd/parallel/hash_bytes.hpp"

namespace dgtd::mesh {
namespace {

using parallel::hash_bytes, parallel::hash_chunk;

constexpr std::size_t page = 4096;

struct Extent {
  std::uint64_t offset, bytes;
};

struct Header {
  char form[16];  // "dgtd mesh"
  std::uint32_t version, byte_order;
  CompactKey key;
  std::uint64_t elements, vertices;
  Extent part[CompactFile::parts];
  Extent checksums;  // 8 bytes per MiB of each part, part after part
  std::uint64_t checksums_hash;
  std::uint64_t hash;  // of all before it
};
static_assert(std::is_trivially_copyable_v<Header> && sizeof(Header) <= page);
constexpr std::size_t hashed = offsetof(Header, hash);
constexpr char form[16] = "dgtd mesh";
constexpr std::uint32_t version = 2, byte_order = 0x01020304;

std::size_t chunks(const Extent& extent) { return (extent.bytes + hash_chunk - 1) / hash_chunk; }

constexpr std::size_t entry_bytes[CompactFile::parts] = {sizeof(Vec3), 4, 16, 4, 2, 16, 4, sizeof(CurvedElement), 1};
static_assert(sizeof(Vec3) == 24 && sizeof(CurvedElement) == 160);

std::uint64_t chunk_hash(const char* bytes, std::size_t count, std::size_t chunk) {
  const std::size_t first = chunk * hash_chunk;
  return hash_bytes(bytes + first, std::min(hash_chunk, count - first), chunk);
}

const Header& header_of(const MappedFile& file) { return *reinterpret_cast<const Header*>(file.data()); }

bool sound_header(const MappedFile& file, const CompactKey& key) {
  if (file.size() < page) return false;
  const Header& header = header_of(file);
  if (std::memcmp(header.form, form, sizeof form) != 0 || header.version != version ||
      header.byte_order != byte_order || !(header.key == key) || header.hash != hash_bytes(&header, hashed, version))
    return false;
  const auto inside = [&](const Extent& e) { return e.offset <= file.size() && e.bytes <= file.size() - e.offset; };
  return std::all_of(std::begin(header.part), std::end(header.part), inside) && inside(header.checksums) &&
         header.checksums_hash == hash_bytes(file.data() + header.checksums.offset, header.checksums.bytes, version);
}

template <class T>
std::span<const T> array(const MappedFile& file, CompactFile::Part part) {
  const Extent& extent = header_of(file).part[part];
  return {reinterpret_cast<const T*>(file.data() + extent.offset), extent.bytes / sizeof(T)};
}

std::string joined(const CompactMesh& mesh) {
  std::string text;
  for (const auto* list : {&mesh.volume_names, &mesh.surface_names}) {
    text.append(std::to_string(list->size())).push_back('\0');
    for (const std::string& name : *list) text.append(name).push_back('\0');
  }
  const auto add_number = [&](auto number) { text.append(std::to_string(number)).push_back('\0'); };
  if (!mesh.inner_surfaces.empty()) add_number(mesh.inner_surfaces.size());
  for (const InnerSurface& surface : mesh.inner_surfaces) {
    text.append(surface.name).push_back('\0');
    add_number(surface.faces.size());
    for (const auto& face : surface.faces)
      for (const std::int64_t v : face) add_number(v);
  }
  return text;
}

/// A file under a name of its own until it is complete.
class Unfinished {
 public:
  explicit Unfinished(const std::filesystem::path& file) : final_(file) {
    using std::filesystem::perms;
    // Where nobody may write, root does not either.
    std::error_code unknown;
    const auto allowed = std::filesystem::status(std::filesystem::absolute(file).parent_path(), unknown).permissions();
    if ((allowed & (perms::owner_write | perms::group_write | perms::others_write)) == perms::none) {
      errno = EACCES;
      fail();
    }
    char host[256] = {};
    gethostname(host, sizeof host - 1);
    name_ = file.string() + fmt::format(".{}.{}", host, getpid());
    descriptor_ = ::open(name_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (descriptor_ < 0) fail();
  }
  ~Unfinished() {
    if (descriptor_ >= 0) close(descriptor_);
    if (!name_.empty()) unlink(name_.c_str());
  }
  Unfinished(const Unfinished&) = delete;
  Unfinished& operator=(const Unfinished&) = delete;

  /// Returns whether all bytes were written. Threads may call it at once.
  bool write(const void* bytes, std::size_t count, std::size_t offset) const {
    const char* at = static_cast<const char*>(bytes);
    while (count > 0) {
      const ssize_t done = pwrite(descriptor_, at, std::min(count, 16 * hash_chunk), static_cast<off_t>(offset));
      if (done < 0 && errno == EINTR) continue;
      if (done <= 0) return false;
      at += done;
      count -= static_cast<std::size_t>(done);
      offset += static_cast<std::size_t>(done);
    }
    return true;
  }
  void finish() {
    const int status = close(descriptor_);
    descriptor_ = -1;
    if (status != 0 || rename(name_.c_str(), final_.c_str()) != 0) fail();
    name_.clear();
  }
  [[noreturn]] void fail() const {
    throw Error(ExitCode::other, fmt::format("{} cannot be written: {}", final_.string(), os_reason(errno)));
  }

 private:
  std::filesystem::path final_;
  std::string name_;
  int descriptor_ = -1;
};

}  // namespace

std::optional<CompactFile> CompactFile::open(const std::filesystem::path& path, const CompactKey& key) {
  CompactFile file{MappedFile(path)};
  if (!sound_header(file.file_, key)) return {};
  CompactMesh& mesh = file.mesh_;
  mesh.vertices = array<Vec3>(file.file_, vertices);
  mesh.vertex_id = array<std::uint32_t>(file.file_, vertex_id);
  mesh.element_vertices = array<std::array<std::uint32_t, 4>>(file.file_, element_vertices);
  mesh.element_id = array<std::uint32_t>(file.file_, element_id);
  mesh.element_group = array<std::uint16_t>(file.file_, element_group);
  mesh.behind = array<std::array<std::uint32_t, 4>>(file.file_, behind);
  mesh.curved = array<std::uint32_t>(file.file_, curved);
  mesh.curvature = array<CurvedElement>(file.file_, curvature);
  if (mesh.curved.size() != mesh.curvature.size() || !file.read_names()) return {};
  return file;
}

bool CompactFile::read_names() {
  const auto text = array<char>(file_, names);
  if (!sound(names, 0, text.size())) return false;
  auto at = text.begin();
  const auto next = [&] {
    const auto end = std::find(at, text.end(), '\0');
    std::string word(at, end);
    at = end == text.end() ? end : end + 1;
    return word;
  };
  for (auto* list : {&mesh_.volume_names, &mesh_.surface_names}) {
    list->resize(std::stoul(next()));
    for (std::string& name : *list) name = next();
  }
  if (at != text.end()) mesh_.inner_surfaces.resize(std::stoul(next()));
  for (InnerSurface& surface : mesh_.inner_surfaces) {
    surface.name = next();
    surface.faces.resize(std::stoul(next()));
    for (auto& face : surface.faces)
      for (std::int64_t& v : face) v = std::stoll(next());
  }
  return true;
}

bool CompactFile::sound(Part part, std::size_t first, std::size_t last) const {
  if (first >= last) return true;
  const Header& header = header_of(file_);
  const Extent& extent = header.part[part];
  std::size_t before = 0;  // checksums of the parts before
  for (int p = 0; p < part; ++p) before += chunks(header.part[p]);
  const auto from = static_cast<std::int64_t>(first * entry_bytes[part] / hash_chunk),
             to = static_cast<std::int64_t>((last * entry_bytes[part] - 1) / hash_chunk) + 1;
  const char* const checksums = file_.data() + header.checksums.offset + 8 * before;
  bool same = true;
#pragma omp parallel for schedule(dynamic, 4) reduction(&& : same) if (to - from > 8)
  for (std::int64_t c = from; c < to; ++c) {
    const auto chunk = static_cast<std::size_t>(c);
    std::uint64_t expected;
    std::memcpy(&expected, checksums + 8 * chunk, sizeof expected);
    same = chunk_hash(file_.data() + extent.offset, extent.bytes, chunk) == expected && same;
  }
  return same;
}

void write_compact(const CompactMesh& mesh, const CompactKey& key, const std::filesystem::path& path) {
  const std::string text = joined(mesh);
  const std::array<const void*, CompactFile::parts> data = {mesh.vertices.data(),
                                                            mesh.vertex_id.data(),
                                                            mesh.element_vertices.data(),
                                                            mesh.element_id.data(),
                                                            mesh.element_group.data(),
                                                            mesh.behind.data(),
                                                            mesh.curved.data(),
                                                            mesh.curvature.data(),
                                                            text.data()};
  const std::size_t entries[CompactFile::parts] = {mesh.vertices.size(), mesh.vertices.size(), mesh.elements(),
                                                   mesh.elements(),      mesh.elements(),      mesh.elements(),
                                                   mesh.curved.size(),   mesh.curved.size(),   text.size()};
  Header header{};
  std::memcpy(header.form, form, sizeof form);
  header.version = version;
  header.byte_order = byte_order;
  header.key = key;
  header.elements = mesh.elements();
  header.vertices = mesh.vertices.size();
  std::size_t end = page;
  const auto place = [&](std::size_t bytes) {
    const Extent extent{end, bytes};
    end += (bytes + page - 1) / page * page;
    return extent;
  };
  struct Chunk {
    int part;
    std::size_t number;
  };
  std::vector<Chunk> all;
  for (int p = 0; p < CompactFile::parts; ++p) {
    header.part[p] = place(entries[p] * entry_bytes[p]);
    for (std::size_t c = 0; c < chunks(header.part[p]); ++c) all.push_back({p, c});
  }
  header.checksums = place(8 * all.size());

  Unfinished file(path);
  std::vector<std::uint64_t> checksums(all.size());
  bool written = true;
#pragma omp parallel for schedule(dynamic, 4) reduction(&& : written) if (all.size() > 8)
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Extent& extent = header.part[all[i].part];
    const char* const bytes = static_cast<const char*>(data[static_cast<std::size_t>(all[i].part)]);
    const std::size_t first = all[i].number * hash_chunk;
    checksums[i] = chunk_hash(bytes, extent.bytes, all[i].number);
    written = file.write(bytes + first, std::min(hash_chunk, extent.bytes - first), extent.offset + first) && written;
  }
  header.checksums_hash = hash_bytes(checksums.data(), 8 * checksums.size(), version);
  header.hash = hash_bytes(&header, hashed, version);
  char first_page[page] = {};
  std::memcpy(first_page, &header, sizeof header);
  if (!written || !file.write(checksums.data(), 8 * checksums.size(), header.checksums.offset) ||
      !file.write(first_page, page, 0))
    file.fail();
  file.finish();
}

}  // namespace dgtd::mesh
