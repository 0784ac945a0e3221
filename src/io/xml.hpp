#pragma once
#include <string>
#include <vector>

namespace dgtd::io {

/// Text with the characters escaped that XML and HTML reserve, for attributes too.
std::string xml_escaped(const std::string& text);

/// An array of strings in the field data of a VTK file; empty without strings.
std::string string_array(const std::string& name, const std::vector<std::string>& strings);
/// The field data of a VTK file; empty without arrays. A file has one of them.
std::string field_data(const std::string& arrays);

}  // namespace dgtd::io
