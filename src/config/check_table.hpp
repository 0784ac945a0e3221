#pragma once
// The sections and keys of a case file against the table of keys.
#include "key.hpp"

namespace dgtd::config {

/// Throws for the first section that does not exist or whose name is missing or ill-formed.
void check_sections(const IniTable& table);

/// Throws for the first key that does not exist, with the one that was probably meant.
void check_keys(const IniTable& table);

/// Whether there is a [domain], which methods on tetrahedra and on grids take alike.
bool has_domain(const IniTable& table);

/// Throws for the first section, key or value that the case's method does not have and another has.
void check_method(const IniTable& table, const Context& context);

/// The methods that have something, as a sentence names them for a method that has not. A reproduction is named only
/// where the method whose scheme it uses is not.
struct Owners {
  std::string phrase;  // "method fdtd3d", "the fdtd methods"
  std::string names;   // the same without "method"
  bool several;
};
Owners owners_of(const std::function<bool(const Capabilities&)>& has, const Context& context);

/// Those of the choices that a method has.
std::vector<std::string_view> choices_of(const std::vector<Choice>& choices, const Capabilities& c);

}  // namespace dgtd::config
