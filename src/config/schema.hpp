#pragma once
// Which sections and keys a case file may have, and the member of the case that each key sets.
#include <string>
#include <string_view>
#include <vector>

#include "ini_scan.hpp"
#include "rules.hpp"

namespace dgtd::config {

struct Key {
  std::string section, key;
  Rule rule;

  std::string name() const { return section + "." + key; }
};
using Schema = std::vector<Key>;

/// "material.grey matter" is of the kind "material" and has the name "grey matter".
std::string_view kind_of(std::string_view section);
std::string_view name_in(std::string_view section);

/// Throws for the first section that does not exist or whose name is missing or ill-formed.
void check_sections(const IniTable& table);

/// Adds a material, shape, refinement, boundary, source, probe, flux, monitor and far field to the case for each such
/// section of the table.
void add_named(Case& c, const IniTable& table);

/// The keys of the fixed sections and of each named one. Refers to members of the case, whose
/// lists must keep their lengths while the schema is in use.
Schema make_schema(Case& c);

/// Throws for the first key that does not exist, with the one that was probably meant.
void check_keys(const IniTable& table, const Schema& schema);

}  // namespace dgtd::config
