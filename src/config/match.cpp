// Sections of the case against the physical groups of the mesh.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "complete.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/config/case.hpp"
#include "dgtd/mesh/plate.hpp"

namespace dgtd::config {
namespace {

struct Words {
  std::string_view section, group;  // "material", "volume"
};

template <class Item>
int index_of(const std::vector<Item>& items, std::string_view name) {
  for (std::size_t i = 0; i < items.size(); ++i)
    if (items[i].name == name) return static_cast<int>(i);
  return -1;
}

// A plate has the section of its name alone.
std::string_view section_of(std::string_view group) {
  if (group.ends_with(mesh::plate_suffix)) group.remove_suffix(mesh::plate_suffix.size());
  return group;
}

bool contains(const std::vector<std::string>& groups, const std::string& name) {
  return std::any_of(groups.begin(), groups.end(),
                     [&](const std::string& group) { return section_of(group) == name; });
}

template <class Item>
void check_sections_exist(const std::vector<Item>& items, const std::vector<std::string>& groups, Words words) {
  for (const Item& item : items)
    if (item.name != "*" && !contains(groups, item.name))
      throw Error(fmt::format("{}: [{}.{}]: the mesh has no {} group '{}'; it has {}", item.origin, words.section,
                              item.name, words.group, item.name,
                              groups.empty() ? "none" : fmt::format("{}", fmt::join(groups, ", "))));
}

template <class Item>
std::vector<int> match(const std::vector<Item>& items, const std::vector<std::string>& groups, Words words,
                       bool all_used) {
  if (all_used) check_sections_exist(items, groups, words);
  std::vector<int> chosen;
  for (const std::string& group : groups) {
    const int named = index_of(items, section_of(group));
    chosen.push_back(named >= 0 ? named : index_of(items, "*"));
    if (chosen.back() < 0)
      throw Error(fmt::format("mesh {} group '{}' has no [{}.{}] section (and there is no [{}.*])", words.group, group,
                              words.section, group, words.section));
  }
  return chosen;
}

template <class Item>
bool is_whole_box(const std::vector<Item>& items, const std::vector<std::string>& groups) {
  return items.size() == 1 && !contains(groups, items.front().name);
}

template <class Item>
std::vector<int> match_case(const Case& c, const std::vector<Item>& items, const std::vector<std::string>& groups,
                            Words words) {
  if (c.mesh.generator == Mesh::Generator::box && is_whole_box(items, groups))
    return std::vector<int>(groups.size(), 0);
  // A material may be that of holes, or of nothing.
  const bool of_shapes = c.mesh.generator == Mesh::Generator::shapes && words.section == "material";
  return match(items, groups, words, !of_shapes);
}

template <class Item>
void add_default(std::vector<Item>& items, const std::vector<std::string>& groups) {
  const bool all_named =
      std::all_of(groups.begin(), groups.end(), [&](const std::string& group) { return index_of(items, group) >= 0; });
  if (is_whole_box(items, groups) || all_named || index_of(items, "*") >= 0) return;
  Item& item = items.emplace_back();
  item.name = std::string("*");
  item.origin = std::string("default of mesh.generator = box");
}

}  // namespace

void complete_box(Case& c) {
  add_default(c.materials, {"box"});
  add_default(c.boundaries, {"xmin", "xmax", "ymin", "ymax", "zmin", "zmax"});
}

std::vector<int> match_materials(const Case& c, const std::vector<std::string>& volume_names) {
  return match_case(c, c.materials, volume_names, {"material", "volume"});
}

std::vector<int> match_boundaries(const Case& c, const std::vector<std::string>& surface_names) {
  const std::vector<int> chosen = match_case(c, c.boundaries, surface_names, {"boundary", "surface"});
  for (std::size_t group = 0; group < surface_names.size(); ++group) {
    const Boundary& b = c.boundaries[static_cast<std::size_t>(chosen[group])];
    if (surface_names[group].ends_with(mesh::plate_suffix) && b.type != Boundary::Type::pec)
      throw Error(fmt::format("{}: [boundary.{}]: surface group '{}' is a plate, whose type is pec", b.origin, b.name,
                              surface_names[group]));
  }
  return chosen;
}

}  // namespace dgtd::config
