#include "xml.hpp"

#include <fmt/format.h>

namespace dgtd::io {

std::string xml_escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      default: result += c;
    }
  }
  return result;
}

std::string string_array(const std::string& name, const std::vector<std::string>& strings) {
  if (strings.empty()) return {};
  std::string codes;
  for (const std::string& text : strings) {
    for (const char c : text) codes += fmt::format("{} ", static_cast<int>(static_cast<unsigned char>(c)));
    codes += "0 ";
  }
  return fmt::format(
      "      <Array type=\"String\" Name=\"{}\" NumberOfTuples=\"{}\" format=\"ascii\">\n        {}\n      </Array>\n",
      xml_escaped(name), strings.size(), codes);
}

std::string field_data(const std::string& arrays) {
  return arrays.empty() ? arrays : "    <FieldData>\n" + arrays + "    </FieldData>\n";
}

}  // namespace dgtd::io
