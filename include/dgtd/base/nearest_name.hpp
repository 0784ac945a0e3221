#pragma once
// Suggestions for misspelt names: "did you mean solver.order?".
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dgtd {

/// Edits that turn a into b: insert, delete, replace a character, swap two neighbours.
int edit_distance(std::string_view a, std::string_view b);

/// The candidate that word most probably stands for, the first of several equally near; nothing
/// where even the nearest differs in more than one character in four, plus one.
std::optional<std::string> nearest_name(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace dgtd
