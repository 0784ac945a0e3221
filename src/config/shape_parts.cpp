#include "dgtd/config/shape_parts.hpp"

#include <algorithm>

namespace dgtd::config {
namespace {

using Type = Shape::Type;

const Shape& shape_named(const Case& c, const std::string& name) {
  return *std::find_if(c.shapes.begin(), c.shapes.end(), [&](const Shape& s) { return s.name == name; });
}

Shape piece_of(const Shape& wire, Type type) {
  Shape piece;
  piece.name = wire.name, piece.origin = wire.origin, piece.radius = wire.radius;
  piece.type = type;
  return piece;
}

std::vector<Shape> pieces_of_wire(const Shape& wire) {
  constexpr double straight = 1 - 1e-12;
  std::vector<Shape> pieces, corners;
  for (std::size_t i = 0; i + 1 < wire.path.size(); ++i) {
    const Vec3 along = wire.path[i + 1] - wire.path[i];
    Shape& piece = pieces.emplace_back(piece_of(wire, Type::cylinder));
    piece.height = norm(along);
    piece.axis = along / piece.height;
    piece.centre = 0.5 * (wire.path[i] + wire.path[i + 1]);
    if (i == 0 || dot(pieces[i - 1].axis, piece.axis) > straight) continue;
    corners.push_back(piece_of(wire, Type::sphere));
    corners.back().centre = wire.path[i];
  }
  pieces.insert(pieces.end(), corners.begin(), corners.end());
  return pieces;
}

}  // namespace

bool is_operand(const Case& c, const Shape& s) {
  return std::any_of(c.shapes.begin(), c.shapes.end(), [&](const Shape& other) {
    return std::find(other.operands.begin(), other.operands.end(), s.name) != other.operands.end();
  });
}

std::optional<Parts> parts_of(const Case& c, const Shape& s) {
  using geometry::Combination;
  if (s.type == Type::wire) return Parts{Combination::unite, pieces_of_wire(s)};
  Parts parts;
  switch (s.type) {
    case Type::unite: parts.combination = Combination::unite; break;
    case Type::difference: parts.combination = Combination::subtract; break;
    case Type::intersection: parts.combination = Combination::intersect; break;
    default: return {};
  }
  for (const std::string& name : s.operands) parts.shapes.push_back(shape_named(c, name));
  return parts;
}

std::vector<Shape> simple_parts(const Case& c, const Shape& s) {
  const auto parts = parts_of(c, s);
  if (!parts) return {s};
  std::vector<Shape> simple;
  for (const Shape& part : parts->shapes)
    for (Shape& one : simple_parts(c, part)) simple.push_back(std::move(one));
  return simple;
}

}  // namespace dgtd::config
