#pragma once
#include <string>
#include <vector>

namespace dgtd::io {

/// Text as XML and HTML want it, in attributes too.
std::string xml_escaped(const std::string& text);

/// The field data of a VTK file: one array of strings.
std::string string_array(const std::string& name, const std::vector<std::string>& strings);

}  // namespace dgtd::io
