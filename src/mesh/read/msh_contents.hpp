#pragma once
// The content of an MSH file, checked, by the numbers of the file.
#include <compare>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mesh/read/msh_node_numbers.hpp"

namespace dgtd::mesh {

/// A type of elements (Gmsh reference manual, sec. "MSH file format").
struct MshType {
  int nodes, dimension;
  const char* name;
};

/// Null for types other than 1 to 31.
const MshType* msh_type(std::int64_t type);

struct MshKind {
  MshEntity entity;
  std::int64_t type;
  auto operator<=>(const MshKind&) const = default;
};

/// Elements of one kind that follow each other.
struct MshElements {
  std::int64_t count, nodes;  // nodes per element
  const char* words;          // [count][1 + nodes] 8 bytes, not aligned: number of the element, numbers of nodes

  std::int64_t number(std::int64_t element) const { return word((1 + nodes) * element); }
  std::int64_t node(std::int64_t element, std::int64_t node) const { return word((1 + nodes) * element + 1 + node); }

 private:
  std::int64_t word(std::int64_t index) const {
    std::int64_t value;
    std::memcpy(&value, words + 8 * index, sizeof value);
    return value;
  }
};

struct MshContents {
  double version = 0;
  std::map<MshEntity, std::string> names;  // of physical groups, by dimension and tag
  std::map<MshEntity, std::vector<std::int64_t>>
      groups;  // of entities: tags of physical groups; a sign is an orientation
  std::vector<MshNodes> nodes;
  MshNodeNumbers numbers;
  std::map<MshKind, std::vector<MshElements>> elements;  // MSH 4: in the order of the file; MSH 2: of their numbers

  std::vector<std::vector<std::int64_t>>
      words;  // that nodes and elements point to, where they are not the file's bytes
  std::vector<std::vector<double>> reals;
};

/// Reads MSH 2.0 to 2.2 and 4.1, ASCII and binary in either order of bytes: sections that begin and end, counts that
/// fit into the file, finite coordinates, nodes that are given once, and elements of nodes that exist. Sections that
/// dgtd does not use are skipped. text: the file, which must outlive the content; file: its name for messages. Throws
/// Error (bad_input) that names file, section and what is wrong.
MshContents read_msh_contents(std::string_view text, const std::string& file);

}  // namespace dgtd::mesh
