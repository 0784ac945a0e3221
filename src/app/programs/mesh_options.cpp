#include "app/programs/mesh_options.hpp"

#include <algorithm>
#include <cstdlib>
#include <sstream>

namespace dgtd::app {
namespace {

bool is_number(const std::string& word) {
  char* end = nullptr;
  std::strtod(word.c_str(), &end);
  return !word.empty() && end == word.c_str() + word.size();
}

}  // namespace

Arguments join_numbers(const Arguments& arguments, const std::vector<std::string>& names) {
  Arguments joined;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    joined.push_back(arguments[i]);
    const bool numbers = std::find(names.begin(), names.end(), arguments[i]) != names.end();
    for (char separator = '='; numbers && i + 1 < arguments.size() && is_number(arguments[i + 1]); separator = ' ')
      joined.back() += separator + arguments[++i];
  }
  return joined;
}

std::vector<double> numbers(const std::string& option, const std::string& text, std::size_t count) {
  static const char* const words[] = {"no", "one", "two", "three", "four", "five", "six", "seven"};
  std::istringstream stream(text);
  std::vector<double> values;
  for (std::string word; stream >> word;)
    if (is_number(word)) values.push_back(std::stod(word));
  if (values.size() != count) throw Error(fmt::format("{} has {} numbers, not '{}'", option, words[count], text));
  return values;
}

std::vector<mesh::Refinement> refinements(const std::string& program, const std::vector<std::string>& texts) {
  std::vector<mesh::Refinement> result;
  for (const std::string& text : texts) {
    const auto v = numbers(program + ": --refine", text, 4);
    result.push_back({{v[0], v[1], v[2]}, v[3]});
  }
  return result;
}

}  // namespace dgtd::app
