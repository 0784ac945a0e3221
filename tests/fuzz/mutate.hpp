#pragma once
// Damages files, the same way for the same number.
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace dgtd::fuzz {

/// One to six things that happen to files: bits, bytes, numbers and words change, a part is lost, doubled or comes from
/// another file, lines change places, the end is lost.
std::string mutate(const std::string& whole, const std::vector<std::string>& corpus, std::mt19937_64& random);

}  // namespace dgtd::fuzz
