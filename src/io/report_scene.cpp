#include "report_scene.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <new>

#include "dgtd/base/units.hpp"
#include "dgtd/io/report.hpp"
#include "dgtd/io/value.hpp"
#include "web_files.hpp"
#include "xml.hpp"

namespace dgtd::io {

namespace {

constexpr int place_steps = 65535;  // of places in the box of the scene
constexpr int value_steps = 254;    // of values on their scale, from 1; 0: no value

/// Box around all that the scene shows, m.
struct SceneBox {
  std::array<double, 3> low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
  void add(int axis, double at) { low[axis] = std::min(low[axis], at), high[axis] = std::max(high[axis], at); }
  void add(const Scene::Point& p) {
    for (int a = 0; a < 3; ++a) add(a, double(p[a]));
  }
  std::uint16_t place(int axis, double at) const {
    const double length = high[axis] - low[axis];
    return static_cast<std::uint16_t>(length > 0 ? std::lround((at - low[axis]) / length * place_steps) : 0);
  }
};

SceneBox box_of(const Scene& scene) {
  SceneBox box;
  for (const auto& s : scene.surfaces)
    for (const auto& p : s.points) box.add(p);
  for (const auto& l : scene.lines)
    for (const auto& s : l.segments) box.add(s[0]), box.add(s[1]);
  for (int a = 0; a < 3 && scene.volume; ++a)
    if (!scene.volume->nodes[a].empty())
      box.add(a, scene.volume->nodes[a].front()), box.add(a, scene.volume->nodes[a].back());
  if (box.low[0] > box.high[0]) box.low = box.high = {0, 0, 0};
  return box;
}

template <class T>
void append_array(std::string& bytes, const T* values,
                  std::size_t count) {  // little endian, as all machines of the program
  bytes.append(reinterpret_cast<const char*>(values), count * sizeof(T));
}

void append_values(std::string& bytes, const std::vector<float>& values, const ColourScale& scale) {
  for (const float v : values) {
    const double place = scale.place(double(v));
    bytes += static_cast<char>(
        std::isfinite(v) && std::isfinite(place)
            ? static_cast<unsigned char>(1 + std::lround(std::clamp(place, 0.0, 1.0) * (value_steps - 1)))
            : 0);
  }
}

std::string arrays_of(const Scene& scene, const SceneBox& box) {
  std::string bytes;
  for (const auto& s : scene.surfaces) {
    std::vector<std::uint16_t> places;
    for (const auto& p : s.points)
      for (int a = 0; a < 3; ++a) places.push_back(box.place(a, double(p[a])));
    append_array(bytes, places.data(), places.size());
    for (const auto& t : s.triangles) append_array(bytes, t.data(), 3);
    for (std::size_t q = 0; q < s.values.size(); ++q) append_values(bytes, s.values[q], scene.quantities[q]);
  }
  if (scene.volume) {
    append_array(bytes, scene.volume->material.data(), scene.volume->material.size());
    for (std::size_t q = 0; q < scene.volume->values.size(); ++q)
      append_values(bytes, scene.volume->values[q], scene.quantities[q]);
  }
  return bytes;
}

std::string deflated(const std::string& bytes) {
  uLongf size = compressBound(bytes.size());
  std::string packed(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                bytes.size(), 6) != Z_OK)
    throw std::bad_alloc();  // the only failure that zlib has with a buffer of this size
  packed.resize(size);
  return packed;
}

std::string packed_arrays(const Scene& scene, const SceneBox& box) { return base64(deflated(arrays_of(scene, box))); }

std::string hex_of(const Scene::Colour& c) { return fmt::format("#{:02x}{:02x}{:02x}", c[0], c[1], c[2]); }

Value value_of(const ColourScale& scale) {
  constexpr int colours = 32;
  Value::List map;
  for (int i = 0; i < colours; ++i) map.emplace_back(hex_of(colour_at(scale.map, (i + 0.5) / colours)));
  return Value::Object{{"title", scale.title},     {"unit", scale.unit},       {"lowest", scale.lowest},
                       {"highest", scale.highest}, {"log", scale.logarithmic}, {"map", std::move(map)}};
}

Value header_of(const Scene& scene, const SceneBox& box) {
  double longest = 0;
  for (int a = 0; a < 3; ++a) longest = std::max({longest, std::abs(box.low[a]), std::abs(box.high[a])});
  const units::Unit unit = units::for_places(longest);
  Value v = Value::Object{{"title", scene.title},
                          {"unit", Value::Object{{"name", unit.name}, {"size", unit.size}}},
                          {"low", Value::list_of(box.low)},
                          {"high", Value::list_of(box.high)}};
  Value::List quantities, materials, surfaces, lines;
  for (const auto& q : scene.quantities) quantities.push_back(value_of(q));
  for (const auto& m : scene.materials)
    materials.push_back(Value::Object{
        {"name", m.name}, {"colour", hex_of(m.colour)}, {"shown", m.is_shown}, {"surface", m.has_surface}});
  for (const auto& s : scene.surfaces)
    surfaces.push_back(Value::Object{{"material", s.material},
                                     {"points", s.points.size()},
                                     {"triangles", s.triangles.size()},
                                     {"quantities", s.values.size()}});
  for (const auto& l : scene.lines) {
    Value::List places;
    for (const auto& segment : l.segments)
      for (const auto& point : segment)
        for (int a = 0; a < 3; ++a) places.emplace_back(std::int64_t{box.place(a, double(point[a]))});
    lines.push_back(Value::Object{
        {"name", l.name}, {"colour", hex_of(l.colour)}, {"shown", l.is_shown}, {"places", std::move(places)}});
  }
  v["quantities"] = std::move(quantities);
  v["materials"] = std::move(materials);
  v["surfaces"] = std::move(surfaces);
  v["lines"] = std::move(lines);
  v["volume"] = Value();
  if (scene.volume) {
    Value::List nodes;
    for (const auto& axis : scene.volume->nodes) nodes.push_back(Value::list_of(axis));
    v["volume"] = Value::Object{{"nodes", std::move(nodes)},
                                {"surfaces", scene.volume->has_surfaces},
                                {"quantities", scene.volume->values.size()}};
  }
  return v;
}

// Without line breaks between the numbers of a list, and without "<", which could end the element.
std::string compact(const std::string& json) {
  std::string text;
  text.reserve(json.size());
  for (std::size_t i = 0; i < json.size(); ++i) {
    if (json[i] == '\n') {
      while (i + 1 < json.size() && json[i + 1] == ' ') ++i;
    } else if (json[i] == '<') {
      text += "\\u003c";
    } else {
      text += json[i];
    }
  }
  return text;
}

}  // namespace

void pack_scenes(std::vector<Section>& sections) {
  for (Section& section : sections)
    for (Block& block : section.blocks)
      if (auto* scene = std::get_if<Scene>(&block)) scene->packed = packed_arrays(*scene, box_of(*scene));
}

std::string html_of(const Scene& scene) {
  const SceneBox box = box_of(scene);
  Value v = header_of(scene, box);
  v["data"] = scene.packed.empty() ? packed_arrays(scene, box) : scene.packed;
  return fmt::format(
      "<div class=\"scene\" hidden>\n<h3>{}</h3>\n<script type=\"application/json\">{}</script>\n<p>{}</p>\n</div>\n",
      xml_escaped(scene.title), compact(json_text(v)), xml_escaped(scene.note));
}

std::string scene_scripts() {
  return fmt::format("<script>\n\"use strict\";\n(() => {{\n{}{}{}{}}})();\n</script>\n", scene_data_js,
                     scene_geometry_js, scene_view_js, scene_controls_js);
}

}  // namespace dgtd::io
