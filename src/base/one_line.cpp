#include "dgtd/base/one_line.hpp"

namespace dgtd {

std::string one_line(std::string_view text) {
  constexpr std::size_t most = 1000, kept = 480;  // bytes; of the beginning and of the end
  std::string line(text);
  if (text.size() > most) {
    line = text.substr(0, kept);
    line += " [" + std::to_string(text.size() - 2 * kept) + " bytes] ";
    line += text.substr(text.size() - kept);
  }
  for (char& c : line)
    if ((c >= 0 && c < ' ') || c == 127) c = '?';
  return line;
}

}  // namespace dgtd
