#include "mesh/read/msh_contents.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <limits>
#include <set>

#include "mesh/compact/parallel_algorithms.hpp"
#include "mesh/read/msh_cursor.hpp"

namespace dgtd::mesh {
namespace {

constexpr std::int64_t largest_tag = 100'000'000;  // of entities and groups: more are a damaged file's

class MshReader {
 public:
  MshReader(std::string_view text, const std::string& file) : in_(text, file) {}

  MshContents read() {
    std::set<std::string, std::less<>> seen;
    while (!in_.at_end()) {
      const auto head = in_.line();
      if (head.empty()) continue;
      in_.section.clear();
      if (head.front() != '$') in_.fail(fmt::format("a section is expected, but it has \"{}\"", shown(head)));
      in_.section = shown(head);
      if ((head == "$Entities" || head == "$PartitionedEntities") && !seen.contains("$MeshFormat"))
        in_.fail("it comes before $MeshFormat");
      const auto section = section_of(head);
      if (section == nullptr) {
        in_.skip_to_end();
        continue;
      }
      if (head != "$MeshFormat" && !seen.contains("$MeshFormat")) in_.fail("it comes before $MeshFormat");
      if (!seen.emplace(head == "$ParametricNodes" ? "$Nodes" : head).second) in_.fail("it is given twice");
      if (head == "$Elements" && !seen.contains("$Nodes")) in_.fail("it comes before $Nodes");
      (this->*section)();
      in_.require_end();
    }
    return std::move(contents_);
  }

 private:
  using Section = void (MshReader::*)();

  /// Null for sections that are skipped.
  Section section_of(std::string_view head) const {
    const bool version_4 = contents_.version >= 4;
    if (head == "$MeshFormat") return &MshReader::read_format;
    if (head == "$PhysicalNames") return &MshReader::read_names;
    if (head == "$Nodes") return version_4 ? &MshReader::read_nodes_4 : &MshReader::read_nodes_2;
    if (head == "$Elements") return version_4 ? &MshReader::read_elements_4 : &MshReader::read_elements_2;
    if (head == "$ParametricNodes" && !version_4) return &MshReader::read_nodes_2;
    if ((head == "$Entities" || head == "$PartitionedEntities") && version_4) return &MshReader::read_entities;
    return nullptr;
  }

  void read_format() {
    contents_.version = in_.text_number<double>("the version");
    const auto type = in_.text_number<int>("the encoding"), size = in_.text_number<int>("the size of numbers");
    const double version = contents_.version;
    if (version != 2 && version != 2.1 && version != 2.2 && version != 4.1)
      in_.fail(fmt::format("version {}; allowed are 2.2 and 4.1", version));
    if (type != 0 && type != 1) in_.fail(fmt::format("encoding {}; allowed are 0 (ASCII) and 1 (binary)", type));
    if (size != 8) in_.fail(fmt::format("numbers of {} bytes; allowed are 8", size));
    in_.line();
    if (type == 0) return;
    in_.binary = true;
    const auto one = in_.integer("the number 1");
    in_.swapped = one == 0x01000000;
    if (one != 1 && !in_.swapped) in_.fail("it has no number 1 that shows the order of bytes");
  }

  /// In text in both encodings.
  void read_names() {
    const auto count = in_.text_number<std::int64_t>("a count of names");
    for (auto left = in_.fitting(count, 3, 2, "names"); left > 0; --left) {
      const auto dimension = in_.text_number<int>("a dimension");
      if (dimension < 0 || dimension > 3) in_.fail(fmt::format("dimension {}; allowed are 0 to 3", dimension));
      const auto tag = in_.text_number<int>("a tag");
      const auto line = in_.line();
      const auto first = line.find('"'), last = line.rfind('"');
      if (std::count(line.begin(), line.end(), '"') != 2) in_.fail("a name in quotes is expected");
      if (last > first + 1) contents_.names.try_emplace({dimension, tag}, line.substr(first + 1, last - first - 1));
    }
  }

  int read_dimension() {
    const auto dimension = in_.integer("a dimension");
    if (dimension < 0 || dimension > 3) in_.fail(fmt::format("dimension {}; allowed are 0 to 3", dimension));
    return static_cast<int>(dimension);
  }
  std::int64_t entity_tag() {
    const auto tag = in_.integer("an entity's tag");
    if (tag < 0 || tag > largest_tag) in_.fail(fmt::format("entity {}: tags go from 0 to {}", tag, largest_tag));
    return tag;
  }
  double finite() {
    const double value = in_.real("a coordinate");
    if (!std::isfinite(value)) in_.fail(fmt::format("a coordinate is {}", value));
    return value;
  }
  void skip_integers(const char* counted, const char* each, std::int64_t numbers = 1) {
    for (auto left = numbers * in_.fitting(in_.size(counted), numbers, 4, each); left > 0; --left) in_.integer(each);
  }

  /// Entities, and partitions, which are entities of their own with the groups of those that they divide.
  void read_entities() {
    const bool of_partitions = in_.section != "$Entities";
    if (of_partitions) {
      in_.size("a count of partitions");
      skip_integers("a count of ghost entities", "ghost entities", 2);
    }
    std::int64_t count[4];
    for (auto& n : count) n = in_.fitting(in_.size("a count of entities"), 2, 8, "entities");
    std::set<MshEntity> seen;
    for (int d = 0; d < 4; ++d)
      for (std::int64_t n = 0; n < count[d]; ++n) {
        const MshEntity entity{d, entity_tag()};
        if (!seen.insert(entity).second) in_.fail(fmt::format("an entity of dimension {} is given twice", d));
        if (of_partitions) {
          in_.integer("the dimension of a divided entity"), in_.integer("the tag of a divided entity");
          skip_integers("a count of partitions", "partitions");
        }
        for (int i = 0; i < (d == 0 ? 3 : 6); ++i) finite();
        for (auto left = in_.fitting(in_.size("a count of groups"), 1, 4, "groups"); left > 0; --left) {
          const auto group = in_.integer("a group");
          if (group == 0 || group < -largest_tag || group > largest_tag)
            in_.fail(fmt::format("physical group {}", group));
          contents_.groups[entity].push_back(group);
        }
        if (d > 0) skip_integers("a count of bounding entities", "bounding entities");
      }
  }

  /// Counts of blocks and of things, smallest and largest tag.
  struct Head {
    std::int64_t blocks = 0, count = 0, low = std::numeric_limits<std::int64_t>::min(),
                 high = std::numeric_limits<std::int64_t>::max();
    bool allows(std::int64_t tag) const { return tag >= low && tag <= high; }
  };
  Head read_head(std::int64_t numbers, const char* what) {
    Head head;
    head.blocks = in_.fitting(in_.size("a count of blocks"), 4, 5, "blocks");
    head.count = in_.fitting(in_.size("a count"), numbers, 8, what);
    head.low = in_.size("the smallest tag");
    head.high = in_.size("the largest tag");
    return head;
  }
  [[noreturn]] void refuse_tag(const Head& head, const char* what, std::int64_t tag) const {
    in_.fail(fmt::format("{} {}: the section says that tags go from {} to {}", what, tag, head.low, head.high));
  }

  /// So many numbers of 8 bytes: where the file has them, or read one by one.
  const char* integers(std::int64_t count, const char* what) {
    if (in_.is_native()) return in_.bytes(8 * count, what);
    auto& values = contents_.words.emplace_back(static_cast<std::size_t>(count));
    for (auto& value : values) value = in_.size(what);
    return reinterpret_cast<const char*>(values.data());
  }
  const char* reals(std::int64_t count, const char* what) {
    if (in_.is_native()) return in_.bytes(8 * count, what);
    auto& values = contents_.reals.emplace_back(static_cast<std::size_t>(count));
    for (auto& value : values) value = in_.real(what);
    return reinterpret_cast<const char*>(values.data());
  }

  void read_nodes_2() {
    const bool parametric = in_.section == "$ParametricNodes";
    auto count = in_.text_number<std::int64_t>("a count of nodes");
    if (in_.binary) in_.line();
    count = in_.fitting(count, 4, 7, "nodes");
    auto& numbers = contents_.words.emplace_back(static_cast<std::size_t>(count));
    auto& coordinates = contents_.reals.emplace_back(static_cast<std::size_t>(3 * count));
    for (std::size_t n = 0; n < numbers.size(); ++n) {
      numbers[n] = in_.integer("a node's number");
      for (std::size_t axis = 0; axis < 3; ++axis) coordinates[3 * n + axis] = in_.real("a coordinate");
      if (!parametric) continue;
      const int dimension = read_dimension();
      entity_tag();
      for (int p = 0; p < dimension % 3; ++p) in_.real("a parameter");  // one on curves, two on surfaces
    }
    add_nodes({{},
               count,
               3,
               reinterpret_cast<const char*>(numbers.data()),
               reinterpret_cast<const char*>(coordinates.data())},
              {});
    number_nodes();
  }

  void read_nodes_4() {
    const Head head = read_head(4, "nodes");
    std::int64_t sum = 0;
    for (std::int64_t b = 0; b < head.blocks; ++b) {
      MshNodes block{};
      block.entity.dimension = read_dimension();
      block.entity.tag = entity_tag();
      const auto parametric = in_.integer("0 or 1");
      if (parametric != 0 && parametric != 1) in_.fail(fmt::format("parametric is {}; allowed are 0, 1", parametric));
      block.reals = 3 + parametric * block.entity.dimension;
      block.count = in_.fitting(in_.size("a count of nodes"), 1 + block.reals, 8, "nodes");
      sum += block.count;
      if (block.count == 0) continue;
      block.numbers = integers(block.count, "a tag");
      block.coordinates = reals(block.count * block.reals, "a coordinate");
      add_nodes(block, head);
    }
    if (sum != head.count) in_.fail(fmt::format("its blocks have {} nodes, and it says {}", sum, head.count));
    number_nodes();
  }

  void add_nodes(const MshNodes& block, const Head& head) {
    const auto is_finite = [&](std::int64_t n) {
      const Vec3 x = block.position(n);
      return std::isfinite(x.x) && std::isfinite(x.y) && std::isfinite(x.z);
    };
    const auto bad =
        lowest(block.count, [&](std::int64_t n) { return !head.allows(block.number(n)) || !is_finite(n); });
    if (bad < block.count) {
      if (!head.allows(block.number(bad))) refuse_tag(head, "node", block.number(bad));
      in_.fail(fmt::format("a coordinate of node {} is not finite", block.number(bad)));
    }
    contents_.nodes.push_back(block);
  }
  void number_nodes() {
    if (const std::string wrong = contents_.numbers.set(contents_.nodes); !wrong.empty()) in_.fail(wrong);
  }

  const MshType& read_type(std::int64_t& type) {
    type = in_.integer("an element's type");
    if (const MshType* const known = msh_type(type)) return *known;
    in_.fail(
        fmt::format("elements of type {}; allowed are triangles (types 2, 9, 21) and tetrahedra (types 4, 11, 29) of "
                    "first to third order",
                    type));
  }

  bool is_sound(const MshElements& block, std::int64_t element, const Head& head) const {
    if (!head.allows(block.number(element))) return false;
    for (std::int64_t n = 0; n < block.nodes; ++n)
      if (!contents_.numbers.contains(block.node(element, n))) return false;
    return true;
  }
  [[noreturn]] void refuse(const MshElements& block, std::int64_t element, const Head& head) const {
    const std::int64_t number = block.number(element);
    if (!head.allows(number)) refuse_tag(head, "element", number);
    std::int64_t n = 0;
    while (contents_.numbers.contains(block.node(element, n))) ++n;
    in_.fail(fmt::format("element {} has the node {}, which is not given", number, block.node(element, n)));
  }

  void read_elements_4() {
    const Head head = read_head(2, "elements");
    std::int64_t sum = 0;
    for (std::int64_t b = 0; b < head.blocks; ++b) {
      MshKind kind{};
      kind.entity.dimension = read_dimension();
      kind.entity.tag = entity_tag();
      const MshType& type = read_type(kind.type);
      if (type.dimension != kind.entity.dimension)
        in_.fail(fmt::format("elements of type {} ({}) in an entity of dimension {}", kind.type, type.name,
                             kind.entity.dimension));
      MshElements block{0, type.nodes, nullptr};
      block.count = in_.fitting(in_.size("a count of elements"), 1 + block.nodes, 8, "elements");
      sum += block.count;
      if (block.count == 0) continue;
      const std::int64_t words = block.count * (1 + block.nodes);
      if (in_.is_native()) {
        block.words = in_.bytes(8 * words, "an element");
        const auto bad = lowest(block.count, [&](std::int64_t e) { return !is_sound(block, e, head); });
        if (bad < block.count) refuse(block, bad, head);
      } else {  // each is checked before the next one is read, so that messages tell where numbers are missing
        auto& values = contents_.words.emplace_back(static_cast<std::size_t>(words));
        block.words = reinterpret_cast<const char*>(values.data());
        std::size_t next = 0;
        for (std::int64_t e = 0; e < block.count; ++e) {
          values[next++] = in_.size("a tag");
          for (std::int64_t n = 0; n < block.nodes; ++n) values[next++] = in_.size("a node");
          if (!is_sound(block, e, head)) refuse(block, e, head);
        }
      }
      contents_.elements[kind].push_back(block);
    }
    if (sum != head.count) in_.fail(fmt::format("its blocks have {} elements, and it says {}", sum, head.count));
  }

  /// Elements of MSH 2, which has them in any order.
  struct Kind2 {
    std::vector<std::int64_t> words;  // as those of MshElements
    bool ascending = true;
  };

  void read_elements_2() {
    const auto count = in_.text_number<std::int64_t>("a count of elements");
    if (in_.binary) in_.line();
    in_.fitting(count, in_.binary ? 2 : 3, 4, "elements");
    for (std::int64_t e = 0; e < count;) {
      std::int64_t number = 0, kind = 0, here = 1;
      if (!in_.binary) number = in_.integer("an element's number");
      const MshType& type = read_type(kind);
      if (in_.binary) here = in_.fitting(in_.integer("a count of elements"), 1, 4, "elements");
      const auto tags = in_.fitting(in_.integer("a count of tags"), 1, 4, "tags");
      if (here < 1 || here > count - e) in_.fail(fmt::format("a block of {} elements, with {} left", here, count - e));
      for (std::int64_t n = 0; n < here; ++n) {
        if (in_.binary) number = in_.integer("an element's number");
        read_element_2(number, kind, type, tags);
      }
      e += here;
    }
    for (auto& [kind, list] : kinds_) {
      const std::int64_t nodes = msh_type(kind.type)->nodes;
      if (!list.ascending) sort_by_number(list.words, static_cast<std::size_t>(1 + nodes));
      const auto& words = contents_.words.emplace_back(std::move(list.words));
      contents_.elements[kind].push_back(
          {static_cast<std::int64_t>(words.size()) / (1 + nodes), nodes, reinterpret_cast<const char*>(words.data())});
    }
    for (const auto& [entity, groups] : groups_) contents_.groups[entity].assign(groups.begin(), groups.end());
  }

  /// Tags are the physical and elementary entity, the count of partitions, and partitions.
  void read_element_2(std::int64_t number, std::int64_t type_number, const MshType& type, std::int64_t tags) {
    MshKind kind{{type.dimension, 0}, type_number};
    std::int64_t group = 0;
    for (std::int64_t t = 0; t < tags; ++t) {
      const auto tag = in_.integer("a tag");
      if (tag < -largest_tag || tag > largest_tag || (t == 1 && tag < 0))
        in_.fail(fmt::format("element {}: tag {}", number, tag));
      if (t == 0) group = tag;
      if (t == 1) kind.entity.tag = tag;
      if (t == 2 && (tag < 0 || tag > tags - 3))
        in_.fail(fmt::format("element {}: {} partitions in {} tags", number, tag, tags));
    }
    if (list_ == nullptr || kind != kind_ || group != group_) {
      list_ = &kinds_[kind];
      kind_ = kind;
      group_ = group;
      if (group != 0) groups_[kind.entity].insert(group);
    }
    auto& words = list_->words;
    const auto stride = static_cast<std::size_t>(1 + type.nodes);
    list_->ascending = list_->ascending && (words.empty() || words[words.size() - stride] < number);
    words.push_back(number);
    for (int n = 0; n < type.nodes; ++n) words.push_back(in_.integer("a node"));
    const MshElements last{1, type.nodes, reinterpret_cast<const char*>(&words[words.size() - stride])};
    if (!is_sound(last, 0, {})) refuse(last, 0, {});
  }

  static void sort_by_number(std::vector<std::int64_t>& words, std::size_t stride) {
    std::vector<std::pair<std::int64_t, std::size_t>> order(words.size() / stride);  // number, place
    for (std::size_t e = 0; e < order.size(); ++e) order[e] = {words[e * stride], e};
    parallel_sort(order);
    std::vector<std::int64_t> sorted;
    sorted.reserve(words.size());
    for (const auto& [number, e] : order) {
      const auto first = words.begin() + static_cast<std::ptrdiff_t>(e * stride);
      sorted.insert(sorted.end(), first, first + static_cast<std::ptrdiff_t>(stride));
    }
    words = std::move(sorted);
  }

  MshCursor in_;
  MshContents contents_;
  std::map<MshKind, Kind2> kinds_;                      // of MSH 2
  std::map<MshEntity, std::set<std::int64_t>> groups_;  // of MSH 2
  // The kind of the last element of MSH 2, which most of the next ones have, too.
  Kind2* list_ = nullptr;
  MshKind kind_{};
  std::int64_t group_ = 0;
};

}  // namespace

const MshType* msh_type(std::int64_t type) {
  static constexpr MshType types[] = {
      {2, 1, "Line 2"},          {3, 2, "Triangle 3"},      {4, 2, "Quadrilateral 4"}, {4, 3, "Tetrahedron 4"},
      {8, 3, "Hexahedron 8"},    {6, 3, "Prism 6"},         {5, 3, "Pyramid 5"},       {3, 1, "Line 3"},
      {6, 2, "Triangle 6"},      {9, 2, "Quadrilateral 9"}, {10, 3, "Tetrahedron 10"}, {27, 3, "Hexahedron 27"},
      {18, 3, "Prism 18"},       {14, 3, "Pyramid 14"},     {1, 0, "Point"},           {8, 2, "Quadrilateral 8"},
      {20, 3, "Hexahedron 20"},  {15, 3, "Prism 15"},       {13, 3, "Pyramid 13"},     {9, 2, "Triangle 9"},
      {10, 2, "Triangle 10"},    {12, 2, "Triangle 12"},    {15, 2, "Triangle 15"},    {15, 2, "Triangle 15I"},
      {21, 2, "Triangle 21"},    {4, 1, "Line 4"},          {5, 1, "Line 5"},          {6, 1, "Line 6"},
      {20, 3, "Tetrahedron 20"}, {35, 3, "Tetrahedron 35"}, {56, 3, "Tetrahedron 56"}};
  return type >= 1 && type <= static_cast<std::int64_t>(std::size(types)) ? &types[type - 1] : nullptr;
}

MshContents read_msh_contents(std::string_view text, const std::string& file) { return MshReader(text, file).read(); }

}  // namespace dgtd::mesh
