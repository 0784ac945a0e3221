#include "dgtd/base/nearest_name.hpp"

#include <algorithm>

namespace dgtd {

int edit_distance(std::string_view a, std::string_view b) {
  // Optimal string alignment: row i holds the distances of a's first i characters to each beginning
  // of b; a swap refers to the row before the last.
  std::vector<int> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int replace = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replace, last[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

std::optional<std::string> nearest_name(std::string_view word, const std::vector<std::string>& candidates) {
  constexpr std::size_t longest = 200;  // nobody's misspelling
  std::optional<std::string> nearest;
  if (word.size() > longest) return nearest;
  int best = 1 + static_cast<int>(word.size()) / 4;
  for (const std::string& candidate : candidates) {
    const int distance = edit_distance(word, candidate);
    if (nearest ? distance < best : distance <= best) {
      nearest = candidate;
      best = distance;
    }
  }
  return nearest;
}

}  // namespace dgtd
