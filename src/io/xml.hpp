#pragma once
#include <string>

namespace dgtd::io {

/// Text as XML and HTML want it, in attributes too.
std::string xml_escaped(const std::string& text);

}  // namespace dgtd::io
