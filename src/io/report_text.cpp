#include "report_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace dgtd::io {

std::string count(std::int64_t value) {
  std::string text = fmt::format("{}", value);
  for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > 0; at -= 3) text.insert(at, "&#8239;");
  return text;
}

std::string number(double value) {
  if (!std::isfinite(value)) return absent;
  if (value >= 1e4 && value < 1e12) return count(std::llround(value));
  return fmt::format("{:.4g}", value);
}
std::string number(const std::optional<double>& value) { return value ? number(*value) : absent; }

std::string percent(double fraction) {
  return std::isfinite(fraction) ? fmt::format("{:.2f} %", 100 * fraction) : absent;
}
std::string percent(const std::optional<double>& fraction) { return fraction ? percent(*fraction) : absent; }

std::string entry(const std::string& name, const std::string& value) {
  return fmt::format("<dt>{}</dt><dd>{}</dd>\n", name, value);
}

std::string list(const std::string& entries) { return "<dl>\n" + entries + "</dl>\n"; }

std::string section(const std::string& title, const std::string& body) {
  return fmt::format("<section>\n<h2>{}</h2>\n{}</section>\n", title, body);
}

std::string table(const std::vector<std::string>& heads, const std::string& rows) {
  std::string text = "<div class=\"scroll\"><table>\n<tr>";
  for (const std::string& head : heads)
    text += head.starts_with('<') ? fmt::format("<th class=\"text\">{}</th>", head.substr(1))
                                  : fmt::format("<th>{}</th>", head);
  return text + "</tr>\n" + rows + "</table></div>\n";
}

std::string bar_cell(double share) {
  const double percent = std::isfinite(share) ? std::clamp(100 * share, 0.0, 100.0) : 0.0;
  return fmt::format("<td class=\"bar\"><i style=\"width:{:.1f}%\"></i></td>", percent);
}

}  // namespace dgtd::io
