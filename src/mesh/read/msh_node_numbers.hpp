#pragma once
// Which nodes a file has: numbers of nodes to places in tables, which are the numbers themselves where these are dense.
#include <algorithm>
#include <compare>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "dgtd/base/vec3.hpp"

namespace dgtd::mesh {

/// A point, curve, surface or volume of the geometry.
struct MshEntity {
  int dimension;
  std::int64_t tag;
  auto operator<=>(const MshEntity&) const = default;
};

/// Nodes that follow each other in the file.
struct MshNodes {
  MshEntity entity;  // MSH 4: that has the nodes
  std::int64_t count;
  std::int64_t reals;       // per node: coordinates, then parameters on its entity
  const char* numbers;      // [count] 8 bytes, not aligned
  const char* coordinates;  // [count][reals] double, not aligned

  std::int64_t number(std::int64_t node) const {
    std::int64_t value;
    std::memcpy(&value, numbers + 8 * node, sizeof value);
    return value;
  }
  /// In the file's unit.
  Vec3 position(std::int64_t node) const {
    double values[3];
    std::memcpy(values, coordinates + 8 * reals * node, sizeof values);
    return {values[0], values[1], values[2]};
  }
};

class MshNodeNumbers {
 public:
  /// Returns what is wrong: a number that is not positive or is given twice. Empty: nothing is.
  std::string set(const std::vector<MshNodes>& nodes);

  bool contains(std::int64_t number) const {
    if (!are_dense()) return std::binary_search(sorted_.begin(), sorted_.end(), number);
    return static_cast<std::size_t>(number) < exists_.size() && exists_[static_cast<std::size_t>(number)] != 0;
  }
  /// Whether the places are the numbers.
  bool are_dense() const { return sorted_.empty(); }
  /// From 0 to places() - 1, ascending with the numbers. The node must exist.
  std::size_t place(std::int64_t number) const {
    if (are_dense()) return static_cast<std::size_t>(number);
    return static_cast<std::size_t>(std::lower_bound(sorted_.begin(), sorted_.end(), number) - sorted_.begin());
  }
  std::int64_t number(std::size_t place) const {
    return are_dense() ? static_cast<std::int64_t>(place) : sorted_[place];
  }
  std::size_t places() const { return are_dense() ? exists_.size() : sorted_.size(); }
  std::int64_t count() const { return count_; }
  std::int64_t highest() const { return highest_; }

  /// Whether a table of all numbers up to the highest one would be mostly empty.
  static bool are_far_apart(std::int64_t count, std::int64_t highest) { return highest > 4 * count + 1000; }

 private:
  std::int64_t count_ = 0, highest_ = 0;
  std::vector<unsigned char> exists_;  // [0 to highest], unless numbers are far apart
  std::vector<std::int64_t> sorted_;   // [count], where they are
};

}  // namespace dgtd::mesh
