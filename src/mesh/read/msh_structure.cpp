#include "mesh/read/msh_structure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "dgtd/base/error.hpp"

namespace dgtd::mesh {
namespace {

// Gmsh's number of an element type -> its number of nodes; 0: not known here.
int nodes_of_type(std::int64_t type) {
  constexpr int nodes[] = {0, 2,  3,  4,  4, 8,  6,  5,  3,  6,  9, 10, 27, 18, 14, 1,
                           8, 20, 15, 13, 9, 10, 12, 15, 15, 21, 4, 5,  6,  20, 35, 56};
  return type > 0 && type < static_cast<std::int64_t>(std::size(nodes)) ? nodes[type] : 0;
}

// The start of what the file has, for a message of one line.
std::string shown(std::string_view text) {
  std::string start(text.substr(0, 20));
  for (char& c : start)
    if (c < ' ' || c > '~') c = '?';
  return start;
}

/// Reads words (ASCII) or values (binary) one after the other.
class Reader {
 public:
  Reader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  bool binary = false;
  std::string section;

  [[noreturn]] void fail(const std::string& what) const {
    throw Error(fmt::format("{}: the mesh file is damaged: {}{}", file_, section.empty() ? "" : section + ": ", what));
  }

  bool at_end() const { return at_ >= text_.size(); }
  std::size_t left() const { return text_.size() - at_; }

  /// The rest of the line.
  std::string_view line() {
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    std::string_view found = text_.substr(at_, end - at_);
    at_ = std::min(end + 1, text_.size());
    while (!found.empty() && (found.back() == '\r' || found.back() == ' ')) found.remove_suffix(1);
    return found;
  }
  std::string_view word() {
    while (!at_end() && is_blank(text_[at_])) ++at_;
    const std::size_t first = at_;
    while (!at_end() && !is_blank(text_[at_])) ++at_;
    return text_.substr(first, at_ - first);
  }
  /// A number that is written as text in both encodings.
  template <class T>
  T text_number(const char* what) {
    std::string_view text = word();
    if (text.size() > 1 && text.front() == '+') text.remove_prefix(1);
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
      fail(fmt::format("{} expected, but it has \"{}\" at byte {}", what, shown(text), at_ - text.size()));
    return value;
  }
  /// A number of the file's encoding; Stored is its binary type.
  template <class Stored, class T>
  T number(const char* what) {
    if (!binary) return text_number<T>(what);
    if (left() < sizeof(Stored)) fail(fmt::format("it ends where {} is expected", what));
    Stored value;
    std::memcpy(&value, text_.data() + at_, sizeof value);
    at_ += sizeof value;
    return static_cast<T>(value);
  }
  std::int64_t integer(const char* what) { return number<std::int32_t, std::int64_t>(what); }
  std::int64_t size(const char* what) { return number<std::uint64_t, std::int64_t>(what); }
  double real(const char* what) {
    const double value = number<double, double>(what);
    if (!std::isfinite(value)) fail(fmt::format("{} is {}", what, value));
    return value;
  }
  /// A count of things of so many bytes, or words, each.
  std::int64_t fitting(std::int64_t count, std::int64_t smallest, const char* what) {
    if (count < 0 || count > static_cast<std::int64_t>(left()) / smallest)
      fail(fmt::format("{} {} do not fit into the file", count, what));
    return count;
  }

  /// Behind the line "$EndNAME".
  void skip_to_end() {
    const std::string end = "$End" + section.substr(1);
    const std::size_t found = text_.find(end, at_);
    if (found == std::string_view::npos) fail("it has no end");
    at_ = found + end.size();
    line();
  }
  void require_end() {
    const std::string end = "$End" + section.substr(1);
    const auto found = word();
    if (found != end) fail(fmt::format("{} expected, but it has \"{}\"", end, shown(found)));
    line();
  }
  static bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

 private:
  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
};

/// Tags that nodes have. Sorted, unless they are dense.
class Tags {
 public:
  void add(std::int64_t tag) { list_.push_back(tag); }
  void finish(const Reader& reader) {
    std::sort(list_.begin(), list_.end());
    if (!list_.empty() && list_.front() < 1) reader.fail(fmt::format("node {}: tags must be positive", list_.front()));
    const auto twice = std::adjacent_find(list_.begin(), list_.end());
    if (twice != list_.end()) reader.fail(fmt::format("node {} is given twice", *twice));
    dense_ = !list_.empty() && list_.back() <= 4 * static_cast<std::int64_t>(list_.size()) + 1000;
    if (!dense_) return;
    exists_.assign(static_cast<std::size_t>(list_.back()) + 1, 0);
    for (const auto tag : list_) exists_[static_cast<std::size_t>(tag)] = 1;
  }
  bool contains(std::int64_t tag) const {
    if (!dense_) return std::binary_search(list_.begin(), list_.end(), tag);
    return tag > 0 && tag < static_cast<std::int64_t>(exists_.size()) && exists_[static_cast<std::size_t>(tag)];
  }

 private:
  std::vector<std::int64_t> list_;
  std::vector<char> exists_;
  bool dense_ = false;
};

class MeshFile {
 public:
  MeshFile(std::string_view text, const std::string& file) : in_(text, file) {}

  void check() {
    while (!in_.at_end()) {
      const auto head = in_.line();
      if (head.empty()) continue;
      in_.section.clear();
      if (head.front() != '$') in_.fail(fmt::format("a section is expected, but it has \"{}\"", shown(head)));
      in_.section = head;
      if (head == "$MeshFormat") {
        read_format();
        if (foreign_) return;
      } else if (head == "$Nodes") {
        version_4() ? read_nodes_4() : read_nodes_2();
        nodes_.finish(in_);
        have_nodes_ = true;
        in_.require_end();
      } else if (head == "$Elements") {
        if (!have_nodes_ && !parametric_) in_.fail("it comes before $Nodes");
        version_4() ? read_elements_4() : read_elements_2();
        in_.require_end();
      } else if (head == "$Entities" && version_4()) {
        read_entities();
        in_.require_end();
      } else if (head == "$PhysicalNames") {
        read_names();
        in_.require_end();
      } else {
        parametric_ = parametric_ || head == "$ParametricNodes";
        in_.skip_to_end();
      }
    }
  }

 private:
  bool version_4() const { return version_ >= 4; }

  void read_format() {
    version_ = in_.text_number<double>("the version");
    const auto type = in_.text_number<int>("the encoding"), size = in_.text_number<int>("the size of numbers");
    if (version_ != 2 && version_ != 2.1 && version_ != 2.2 && version_ != 4.1)
      in_.fail(fmt::format("version {}; allowed are 2.2 and 4.1", version_));
    if (type != 0 && type != 1) in_.fail(fmt::format("encoding {}; allowed are 0 (ASCII) and 1 (binary)", type));
    if (size != 8) in_.fail(fmt::format("numbers of {} bytes; allowed are 8", size));
    in_.line();
    if (type == 1) {
      in_.binary = true;
      const auto one = in_.integer("the number 1");
      foreign_ = one == 0x01000000;  // Gmsh turns its bytes
      if (one != 1 && !foreign_) in_.fail("it has no number 1 that shows the order of bytes");
    }
    in_.require_end();
  }

  void read_names() {
    const auto count = in_.fitting(in_.text_number<std::int64_t>("a count of names"), 5, "names");
    for (std::int64_t n = 0; n < count; ++n) {
      const auto dimension = in_.text_number<int>("a dimension");
      if (dimension < 0 || dimension > 3) in_.fail(fmt::format("dimension {}; allowed are 0 to 3", dimension));
      in_.text_number<int>("a tag");
      const auto name = in_.line();
      if (std::count(name.begin(), name.end(), '"') != 2) in_.fail(fmt::format("a name in quotes is expected"));
    }
  }

  void read_position() {
    for (int a = 0; a < 3; ++a) in_.real("a coordinate");
  }

  std::int64_t entity_tag() {
    const auto tag = in_.integer("an entity's tag");
    if (tag < 0 || tag > largest_tag) in_.fail(fmt::format("entity {}: tags go from 0 to {}", tag, largest_tag));
    return tag;
  }

  void read_entities() {
    std::int64_t count[4];
    for (auto& n : count) n = in_.fitting(in_.size("a count of entities"), in_.binary ? 16 : 4, "entities");
    std::vector<std::int64_t> of_dimension[4];
    for (int d = 0; d < 4; ++d) {
      for (std::int64_t n = 0; n < count[d]; ++n) {
        of_dimension[d].push_back(entity_tag());
        for (int i = 0; i < (d == 0 ? 3 : 6); ++i) in_.real("a coordinate");
        const auto groups = in_.fitting(in_.size("a count of groups"), in_.binary ? 4 : 2, "groups");
        for (std::int64_t g = 0; g < groups; ++g) {
          const auto group = in_.integer("a group");
          if (group == 0 || std::abs(group) > largest_tag) in_.fail(fmt::format("physical group {}", group));
        }
        if (d == 0) continue;
        const auto bounds = in_.fitting(in_.size("a count of bounding entities"), in_.binary ? 4 : 2, "entities");
        for (std::int64_t b = 0; b < bounds; ++b) in_.integer("a bounding entity");
      }
      std::sort(of_dimension[d].begin(), of_dimension[d].end());
      if (std::adjacent_find(of_dimension[d].begin(), of_dimension[d].end()) != of_dimension[d].end())
        in_.fail(fmt::format("an entity of dimension {} is given twice", d));
    }
  }

  void read_nodes_2() {
    const auto count = in_.text_number<std::int64_t>("a count of nodes");
    if (in_.binary) in_.line();
    in_.fitting(count, in_.binary ? 28 : 8, "nodes");
    for (std::int64_t n = 0; n < count; ++n) {
      nodes_.add(in_.integer("a node's number"));
      read_position();
    }
  }

  // Counts of blocks and of things, smallest and largest tag.
  struct Head {
    std::int64_t blocks, count, low, high;
  };
  Head read_head(const char* what, std::int64_t bytes) {
    Head head{};
    head.blocks = in_.fitting(in_.size("a count of blocks"), in_.binary ? 20 : 8, "blocks");
    head.count = in_.fitting(in_.size("a count"), bytes, what);
    head.low = in_.size("the smallest tag");
    head.high = in_.size("the largest tag");
    return head;
  }
  std::int64_t read_tag(const Head& head, const char* what) {
    const auto tag = in_.size("a tag");
    if (tag < head.low || tag > head.high)
      in_.fail(fmt::format("{} {}: the section says that tags go from {} to {}", what, tag, head.low, head.high));
    return tag;
  }
  std::int64_t read_dimension() {
    const auto dimension = in_.integer("a dimension");
    if (dimension < 0 || dimension > 3) in_.fail(fmt::format("dimension {}; allowed are 0 to 3", dimension));
    return dimension;
  }

  void read_nodes_4() {
    const Head head = read_head("nodes", in_.binary ? 32 : 8);
    std::int64_t sum = 0;
    for (std::int64_t b = 0; b < head.blocks; ++b) {
      const auto dimension = read_dimension();
      entity_tag();
      const auto parametric = in_.integer("0 or 1");
      if (parametric != 0 && parametric != 1) in_.fail(fmt::format("parametric is {}; allowed are 0, 1", parametric));
      const auto count = in_.fitting(in_.size("a count of nodes"), in_.binary ? 32 : 8, "nodes");
      sum += count;
      for (std::int64_t n = 0; n < count; ++n) nodes_.add(read_tag(head, "node"));
      for (std::int64_t n = 0; n < count; ++n) {
        read_position();
        for (std::int64_t p = 0; p < parametric * dimension; ++p) in_.real("a parameter");
      }
    }
    if (sum != head.count) in_.fail(fmt::format("its blocks have {} nodes, and it says {}", sum, head.count));
  }

  int read_type() {
    type_ = in_.integer("an element's type");
    if (const int nodes = nodes_of_type(type_)) return nodes;
    in_.fail(fmt::format("elements of type {}; allowed are triangles (types 2, 9, 21) and tetrahedra (types 4, 11, 29) of "
                         "first to third order", type_));
  }

  // Gmsh reads one type of triangles and of tetrahedra per surface and volume, or beyond the ends of its tables.
  void add_type(std::int64_t entity, std::int64_t type) {
    const bool volume = type == 4 || type == 11 || type == 29;
    const int order = type == 2 || type == 4 ? 1 : type == 9 || type == 11 ? 2 : type == 21 || type == 29 ? 3 : 0;
    if (order == 0) return;
    const auto [known, is_new] = order_.try_emplace({volume ? 3 : 2, entity}, order);
    if (is_new || known->second == order) return;
    constexpr const char* names[] = {"first", "second", "third"};
    const auto [low, high] = std::minmax(order, known->second);
    in_.fail(fmt::format("{} {} has {} of {} and of {} order; it must have one kind", volume ? "volume" : "surface", entity,
                         volume ? "tetrahedra" : "triangles", names[low - 1], names[high - 1]));
  }

  void check_node(std::int64_t element, std::int64_t node) const {
    if (!parametric_ && !nodes_.contains(node))
      in_.fail(fmt::format("element {} has the node {}, which is not given", element, node));
  }

  void read_element_2(int nodes, std::int64_t tags) {
    const auto number = in_.integer("an element's number");
    read_tags_and_nodes(number, nodes, tags);
  }
  // Physical and elementary entity, count of partitions, partitions.
  void read_tags_and_nodes(std::int64_t number, int nodes, std::int64_t tags) {
    for (std::int64_t t = 0; t < tags; ++t) {
      const auto tag = in_.integer("a tag");
      if (std::abs(tag) > largest_tag || (t == 1 && tag < 0)) in_.fail(fmt::format("element {}: tag {}", number, tag));
      if (t == 1) add_type(tag, type_);
      if (t == 2 && (tag < 0 || tag > tags - 3))
        in_.fail(fmt::format("element {}: {} partitions in {} tags", number, tag, tags));
    }
    for (int n = 0; n < nodes; ++n) check_node(number, in_.integer("a node"));
  }

  void read_elements_2() {
    const auto count = in_.text_number<std::int64_t>("a count of elements");
    if (in_.binary) in_.line();
    in_.fitting(count, in_.binary ? 8 : 6, "elements");
    for (std::int64_t e = 0; e < count;) {
      if (!in_.binary) {
        const auto number = in_.integer("an element's number");
        const int nodes = read_type();
        read_tags_and_nodes(number, nodes, in_.fitting(in_.integer("a count of tags"), 2, "tags"));
        ++e;
        continue;
      }
      const int nodes = read_type();
      const auto here = in_.fitting(in_.integer("a count of elements"), 4, "elements"),
                 tags = in_.fitting(in_.integer("a count of tags"), 4, "tags");
      if (here < 1 || here > count - e) in_.fail(fmt::format("a block of {} elements, with {} left", here, count - e));
      for (std::int64_t n = 0; n < here; ++n) read_element_2(nodes, tags);
      e += here;
    }
  }

  void read_elements_4() {
    const Head head = read_head("elements", in_.binary ? 16 : 4);
    std::int64_t sum = 0;
    for (std::int64_t b = 0; b < head.blocks; ++b) {
      read_dimension();
      const auto entity = entity_tag();
      const int nodes = read_type();
      const auto count = in_.fitting(in_.size("a count of elements"), in_.binary ? 16 : 4, "elements");
      sum += count;
      if (count > 0) add_type(entity, type_);
      for (std::int64_t e = 0; e < count; ++e) {
        const auto tag = read_tag(head, "element");
        for (int n = 0; n < nodes; ++n) check_node(tag, in_.size("a node"));
      }
    }
    if (sum != head.count) in_.fail(fmt::format("its blocks have {} elements, and it says {}", sum, head.count));
  }

  static constexpr std::int64_t largest_tag = 100'000'000;  // of entities and groups: Gmsh keeps tables of them

  Reader in_;
  double version_ = 0;
  std::int64_t type_ = 0;                                               // of the elements that are being read
  std::map<std::pair<int, std::int64_t>, int> order_;                   // of the elements of surfaces and volumes
  bool foreign_ = false, have_nodes_ = false, parametric_ = false;
  Tags nodes_;
};

}  // namespace

void require_sound_msh(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary | std::ios::ate);
  const std::streamoff size = stream ? static_cast<std::streamoff>(stream.tellg()) : -1;
  std::string text(size > 0 ? static_cast<std::size_t>(size) : 0, '\0');
  stream.seekg(0);
  if (size < 0 || !stream.read(text.data(), size))
    throw Error(fmt::format("mesh file {} cannot be read", file.string()));
  MeshFile(text, file.filename().string()).check();
}

}  // namespace dgtd::mesh
