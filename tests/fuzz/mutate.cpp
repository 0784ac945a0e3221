#include "mutate.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace dgtd::fuzz {
namespace {

constexpr std::size_t longest = 1 << 16;  // bytes

constexpr const char* numbers[] = {
    "0",    "-1",    "1",     "2",    "255",  "256",         "4294967295", "4294967296",
    "1e99", "-1e99", "1e-99", "nan",  "-inf", "0x10",        "1e999",      "9223372036854775807",
    "-21",  ".",     "1,2",   "100*", "*",    "99999999999", "0.5 0.5",    "= ="};
constexpr std::int64_t values[] = {0,         1, -1, 2, 127, 128, 255, 256, 32767, 65535, 2147483647, -2147483647 - 1,
                                   4294967295};

class Mutation {
 public:
  Mutation(std::string text, const std::vector<std::string>& corpus, std::mt19937_64& random)
      : text_(std::move(text)), corpus_(corpus), random_(random) {}

  void once() {
    if (text_.empty()) text_ = "x";
    const std::size_t at = below(text_.size());
    switch (below(11)) {
      case 0: text_[at] = static_cast<char>(random_()); break;
      case 1: text_[at] = static_cast<char>(text_[at] ^ (1 << below(8))); break;
      case 2: text_.erase(at, 1 + below(40)); break;
      case 3: text_.insert(at, text_.substr(below(text_.size()), 1 + below(80))); break;
      case 4: text_.resize(at); break;
      case 5: binary_number(at); break;
      case 6: text_.insert(at, 1 + below(20), static_cast<char>(random_())); break;
      case 7: splice(at); break;
      case 8: swap_lines(); break;
      default: word(at);
    }
    if (text_.size() > longest) text_.resize(longest);
  }
  std::string take() { return std::move(text_); }

 private:
  std::size_t below(std::size_t n) { return random_() % std::max<std::size_t>(n, 1); }

  // A number of 1 to 8 bytes, of either order.
  void binary_number(std::size_t at) {
    const std::size_t bytes = std::min(text_.size() - at, std::size_t{1} << below(4));
    std::int64_t value = values[below(std::size(values))];
    if (below(4) == 0) {
      std::memcpy(&value, text_.data() + at, bytes);
      value += static_cast<std::int64_t>(below(64)) - 32;
    }
    std::array<char, 8> stored;
    std::memcpy(stored.data(), &value, sizeof value);
    if (below(4) == 0) std::reverse(stored.begin(), stored.begin() + static_cast<std::ptrdiff_t>(bytes));
    std::memcpy(text_.data() + at, stored.data(), bytes);
  }
  void word(std::size_t at) {
    const auto blank = [](char c) { return c == ' ' || c == '\n' || c == ',' || c == '='; };
    std::size_t first = at, last = at;
    while (first > 0 && !blank(text_[first - 1])) --first;
    while (last < text_.size() && !blank(text_[last])) ++last;
    text_.replace(first, last - first, numbers[below(std::size(numbers))]);
  }
  void splice(std::size_t at) {
    const std::string& other = corpus_[below(corpus_.size())];
    if (other.empty()) return;
    const std::size_t from = below(other.size());
    text_.replace(at, below(100), other.substr(from, 1 + below(200)));
  }
  void swap_lines() {
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin < text_.size();) {
      const std::size_t end = std::min(text_.find('\n', begin), text_.size());
      lines.push_back(text_.substr(begin, end - begin));
      begin = end + 1;
    }
    if (lines.size() < 2) return;
    std::swap(lines[below(lines.size())], lines[below(lines.size())]);
    text_.clear();
    for (const std::string& line : lines) text_ += line + "\n";
  }

  std::string text_;
  const std::vector<std::string>& corpus_;
  std::mt19937_64& random_;
};

}  // namespace

std::string mutate(const std::string& whole, const std::vector<std::string>& corpus, std::mt19937_64& random) {
  Mutation mutation(whole, corpus, random);
  for (std::uint64_t left = 1 + random() % 6; left > 0; --left) mutation.once();
  return mutation.take();
}

}  // namespace dgtd::fuzz
