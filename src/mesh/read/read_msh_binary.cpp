#include "mesh/read/read_msh_binary.hpp"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cmath>
#include <cstring>
#include <map>
#include <string_view>
#include <vector>

#include "mesh/compact/mapped_file.hpp"
#include "mesh/compact/parallel_algorithms.hpp"

namespace dgtd::mesh {
namespace {

struct Unusual {};  // thrown, and caught in read_msh_binary

void require(bool usual) {
  if (!usual) throw Unusual();
}

/// Moves through the file. All counts are checked against what is left of it.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  bool at_end() const { return at_ == text_.size(); }
  std::string_view line() {
    const std::size_t end = text_.find('\n', at_);
    require(end != std::string_view::npos);
    const auto found = text_.substr(at_, end - at_);
    at_ = end + 1;
    return found;
  }
  void expect(std::string_view text) { require(line() == text); }
  template <class T>
  T value() {
    T value;
    std::memcpy(&value, take(sizeof value), sizeof value);
    return value;
  }
  std::int64_t integer() { return value<std::int32_t>(); }
  /// A number of things of so many bytes each, which fit into what is left.
  std::int64_t count(std::size_t bytes) {
    const auto count = value<std::uint64_t>();
    require(count <= (text_.size() - at_) / bytes);
    return static_cast<std::int64_t>(count);
  }
  const char* take(std::size_t bytes) {
    require(bytes <= text_.size() - at_);
    const char* const found = text_.data() + at_;
    at_ += bytes;
    return found;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

std::uint64_t word(const char* at, std::int64_t index) {
  std::uint64_t value;
  std::memcpy(&value, at + 8 * index, sizeof value);
  return value;
}
double real(const char* at, std::int64_t index) {
  double value;
  std::memcpy(&value, at + 8 * index, sizeof value);
  return value;
}

constexpr std::int64_t largest_tag = 100'000'000;  // of entities and groups

struct NodeBlock {
  std::int64_t count;
  const char *tags, *coordinates;  // [count] 8 bytes; [count][3] double
};
struct ElementBlock {
  int dimension, nodes;  // nodes per element
  std::int64_t entity, count;
  const char* words;  // [count][1 + nodes] 8 bytes: tag, nodes
};
struct NodeTags {
  std::uint64_t low = 0, high = 0;
};

class File {
 public:
  File(std::string_view text, double unit) : in_(text), unit_(unit) {}

  GlobalMesh read() {
    in_.expect("$MeshFormat");
    in_.expect("4.1 1 8");
    require(in_.integer() == 1);
    in_.expect("");
    in_.expect("$EndMeshFormat");
    std::string_view section = in_.line();
    if (section == "$PhysicalNames") {
      read_names();
      section = in_.line();
    }
    require(section == "$Entities");
    read_entities();
    in_.expect("$Nodes");
    read_nodes();
    in_.expect("$Elements");
    read_elements();
    if (!in_.at_end()) skip_comments();
    require(in_.at_end());

    mark_nodes();
    collect_volumes();
    collect_surfaces();
    number_vertices();
    return std::move(mesh_);
  }

 private:
  using Key = std::pair<int, std::int64_t>;  // dimension, tag

  static std::int64_t number(std::string_view& text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    require(error == std::errc());
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
  }

  void skip_comments() {
    in_.expect("$Comments");
    while (in_.line() != "$EndComments") {}
  }

  void read_names() {
    std::string_view line = in_.line();
    const std::int64_t count = number(line);
    require(line.empty() && count >= 0);
    for (std::int64_t n = 0; n < count; ++n) {
      line = in_.line();
      const auto dimension = number(line);
      require(dimension >= 0 && dimension <= 3 && line.starts_with(' '));
      line.remove_prefix(1);
      const auto tag = number(line);
      require(line.size() >= 4 && line.starts_with(" \"") && line.ends_with('"'));
      const auto name = line.substr(2, line.size() - 3);
      require(name.find('"') == std::string_view::npos);
      require(names_.emplace(Key{static_cast<int>(dimension), tag}, name).second);
    }
    in_.expect("$EndPhysicalNames");
  }

  std::int64_t entity_tag() {
    const auto tag = in_.integer();
    require(tag >= 0 && tag <= largest_tag);
    return tag;
  }

  void read_entities() {
    std::int64_t counts[4];
    for (auto& count : counts) count = in_.count(16);
    for (int dimension = 0; dimension < 4; ++dimension)
      for (std::int64_t n = 0; n < counts[dimension]; ++n) {
        const Key key{dimension, entity_tag()};
        for (int i = 0; i < (dimension == 0 ? 3 : 6); ++i) require(std::isfinite(in_.value<double>()));
        std::vector<std::int64_t> groups;
        for (auto left = in_.count(4); left > 0; --left) {
          groups.push_back(std::abs(in_.integer()));  // the sign is an orientation
          require(groups.back() > 0 && groups.back() <= largest_tag);
        }
        if (dimension > 0) in_.take(4 * static_cast<std::size_t>(in_.count(4)));
        require(groups_.emplace(key, std::move(groups)).second);
      }
    in_.expect("");
    in_.expect("$EndEntities");
  }

  struct Head {
    std::int64_t blocks, count;
    std::uint64_t low, high;  // tags
  };
  Head read_head(std::size_t bytes) {
    Head head{};
    head.blocks = in_.count(20);
    head.count = in_.count(bytes);
    head.low = in_.value<std::uint64_t>();
    head.high = in_.value<std::uint64_t>();
    return head;
  }

  void read_nodes() {
    const Head head = read_head(32);
    std::int64_t sum = 0;
    for (std::int64_t b = 0; b < head.blocks; ++b) {
      const auto dimension = static_cast<int>(in_.integer());
      require(groups_.contains({dimension, entity_tag()}) && in_.integer() == 0);  // 1: with parameters
      const std::int64_t count = in_.count(32);
      const char* const tags = in_.take(8 * static_cast<std::size_t>(count));
      node_blocks_.push_back({count, tags, in_.take(24 * static_cast<std::size_t>(count))});
      sum += count;
    }
    require(sum == head.count && head.low >= 1 && sum > 0);
    // Others are renumbered by Gmsh.
    require(head.high <= 4 * static_cast<std::uint64_t>(sum) + 1000);
    node_tags_ = {head.low, head.high};
    in_.expect("");
    in_.expect("$EndNodes");
  }

  void read_elements() {
    const Head head = read_head(16);
    std::int64_t sum = 0;
    for (std::int64_t b = 0; b < head.blocks; ++b) {
      ElementBlock block{};
      block.dimension = static_cast<int>(in_.integer());
      block.entity = entity_tag();
      require(groups_.contains({block.dimension, block.entity}));
      constexpr std::int64_t affine[4] = {15, 1, 2, 4};  // Gmsh's numbers of point, line, triangle, tetrahedron
      require(in_.integer() == affine[block.dimension]);
      block.nodes = block.dimension + 1;
      block.count = in_.count(16);
      block.words = in_.take(static_cast<std::size_t>(block.count) * 8 * static_cast<std::size_t>(1 + block.nodes));
      sum += block.count;
      require(lowest(block.count, [&](std::int64_t e) {
                const auto tag = word(block.words, e * (1 + block.nodes));
                return tag < head.low || tag > head.high;
              }) == block.count);
      element_blocks_.push_back(block);
    }
    require(sum == head.count);
    in_.expect("");
    in_.expect("$EndElements");
    // Gmsh lists entities by their tags, and the elements of each in the order of the file.
    std::stable_sort(element_blocks_.begin(), element_blocks_.end(),
                     [](const auto& a, const auto& b) { return a.entity < b.entity; });
  }

  enum : unsigned char { absent, present, used };

  /// state_: which nodes exist and which ones volumes and named surfaces use.
  void mark_nodes() {
    state_.assign(node_tags_.high + 1, absent);
    bool sound = true;
    for (const NodeBlock& block : node_blocks_) {
#pragma omp parallel for schedule(static) reduction(&& : sound) if (block.count > few_iterations)
      for (std::int64_t n = 0; n < block.count; ++n) {
        const auto tag = word(block.tags, n);
        if (tag < node_tags_.low || tag > node_tags_.high) {
          sound = false;
        } else {
          const bool twice = std::atomic_ref(state_[tag]).exchange(present, std::memory_order_relaxed) != absent;
          sound = sound && !twice;
        }
        for (int axis = 0; axis < 3; ++axis) sound = sound && std::isfinite(real(block.coordinates, 3 * n + axis));
      }
    }
    require(sound);
    for (const ElementBlock& block : element_blocks_) {
      const bool enters = is_used(block);
#pragma omp parallel for schedule(static) reduction(&& : sound) if (block.count > few_iterations)
      for (std::int64_t e = 0; e < block.count; ++e)
        for (int c = 1; c <= block.nodes; ++c) {
          const auto tag = word(block.words, e * (1 + block.nodes) + c);
          if (tag > node_tags_.high || std::atomic_ref(state_[tag]).load(std::memory_order_relaxed) == absent)
            sound = false;
          else if (enters) std::atomic_ref(state_[tag]).store(used, std::memory_order_relaxed);
        }
    }
    require(sound);
  }

  bool is_used(const ElementBlock& block) const {
    return block.dimension == 3 || (block.dimension == 2 && !groups_.at({2, block.entity}).empty());
  }

  /// The index of a group in a list of names, which it enters when it is first met.
  std::uint16_t group(int dimension, std::int64_t tag, std::vector<std::int64_t>& tags,
                      std::vector<std::string>& names) const {
    const auto known = std::find(tags.begin(), tags.end(), tag);
    if (known != tags.end()) return static_cast<std::uint16_t>(known - tags.begin());
    const auto given = names_.find({dimension, tag});
    const std::string name = given != names_.end() ? std::string(given->second) : std::to_string(tag);
    require(std::find(names.begin(), names.end(), name) == names.end() && names.size() < no_group);
    tags.push_back(tag);
    names.push_back(name);
    return static_cast<std::uint16_t>(names.size() - 1);
  }

  template <std::size_t N>
  static void append(const ElementBlock& block, std::vector<std::array<std::int64_t, N>>& elements) {
    const auto first = elements.size();
    elements.resize(first + static_cast<std::size_t>(block.count));
#pragma omp parallel for schedule(static) if (block.count > few_iterations)
    for (std::int64_t e = 0; e < block.count; ++e)
      for (std::size_t c = 0; c < N; ++c)
        elements[first + static_cast<std::size_t>(e)][c] = static_cast<std::int64_t>(
            word(block.words, e * static_cast<std::int64_t>(N + 1) + static_cast<std::int64_t>(c + 1)));
  }

  void collect_volumes() {
    std::size_t count = 0;
    for (const ElementBlock& block : element_blocks_)
      if (block.dimension == 3) count += static_cast<std::size_t>(block.count);
    require(count > 0);
    mesh_.tetrahedra.reserve(count);
    mesh_.tetrahedron_group.reserve(count);
    std::vector<std::int64_t> tags;
    for (const ElementBlock& block : element_blocks_) {
      if (block.dimension != 3 || block.count == 0) continue;
      const auto& groups = groups_.at({3, block.entity});
      require(groups.size() <= 1);
      const std::uint16_t index = groups.empty() ? no_group : group(3, groups[0], tags, mesh_.volume_names);
      append(block, mesh_.tetrahedra);
      mesh_.tetrahedron_group.resize(mesh_.tetrahedra.size(), index);
    }
    require(!mesh_.volume_names.empty());
  }

  void collect_surfaces() {
    std::vector<std::int64_t> tags;
    for (auto block = element_blocks_.begin(); block != element_blocks_.end();) {
      auto last = block;  // behind the blocks of this entity's tag
      while (last != element_blocks_.end() && last->entity == block->entity) ++last;
      const auto groups = groups_.find({2, block->entity});
      if (groups != groups_.end() &&
          std::any_of(block, last, [](const ElementBlock& b) { return b.dimension == 2 && b.count > 0; })) {
        std::vector<std::uint16_t> indices;
        for (const std::int64_t tag : groups->second) indices.push_back(group(2, tag, tags, mesh_.surface_names));
        std::sort(indices.begin(), indices.end());
        indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
        for (const std::uint16_t index : indices)
          for (auto part = block; part != last; ++part) {
            if (part->dimension != 2) continue;
            append(*part, mesh_.triangles);
            mesh_.triangle_group.resize(mesh_.triangles.size(), index);
          }
      }
      block = last;
    }
  }

  /// Vertices are the nodes that are used, in the order of their tags.
  void number_vertices() {
    std::vector<std::int64_t> index(state_.size());  // [node tags] vertex
    std::int64_t vertices = 0;
    for (std::size_t tag = 0; tag < state_.size(); ++tag)
      if (state_[tag] == used) index[tag] = vertices++;
    mesh_.vertices.resize(static_cast<std::size_t>(vertices));
    for (const NodeBlock& block : node_blocks_) {
#pragma omp parallel for schedule(static) if (block.count > few_iterations)
      for (std::int64_t n = 0; n < block.count; ++n) {
        const auto tag = word(block.tags, n);
        if (state_[tag] == used)
          mesh_.vertices[static_cast<std::size_t>(index[tag])] =
              unit_ * Vec3{real(block.coordinates, 3 * n), real(block.coordinates, 3 * n + 1),
                           real(block.coordinates, 3 * n + 2)};
      }
    }
    const auto renumber = [&](auto& elements) {
#pragma omp parallel for schedule(static)
      for (std::size_t e = 0; e < elements.size(); ++e)
        for (std::int64_t& corner : elements[e]) corner = index[static_cast<std::size_t>(corner)];
    };
    renumber(mesh_.tetrahedra);
    renumber(mesh_.triangles);
  }

  Cursor in_;
  double unit_;
  std::map<Key, std::string_view> names_;            // of physical groups
  std::map<Key, std::vector<std::int64_t>> groups_;  // of entities: tags of their physical groups
  std::vector<NodeBlock> node_blocks_;
  std::vector<ElementBlock> element_blocks_;
  NodeTags node_tags_;
  std::vector<unsigned char> state_;  // [node tags] absent, present, used
  GlobalMesh mesh_;
};

}  // namespace

std::optional<GlobalMesh> read_msh_binary(const std::filesystem::path& file, double unit) {
  const MappedFile mapped(file);
  if (mapped.size() == 0) return {};
  try {
    GlobalMesh mesh = File(mapped.text(), unit).read();
    mesh.source = file.filename().string();
    return mesh;
  } catch (const Unusual&) { return {}; }
}

}  // namespace dgtd::mesh
