#pragma once
// Levels of local time steps.
#include <cstdint>
#include <vector>

namespace dgtd::dg {

/// Levels of local time steps: an element of level l takes 2^l steps while level 0 takes one.
struct TimeLevels {
  int finest = 0;                        // L; 0: all elements take the same steps, and the lists are empty
  std::vector<std::uint8_t> of_element;  // [elements] 0 to L
  std::vector<std::uint8_t> of_halo;     // [halo faces] of the element beyond the face
  std::vector<std::uint8_t> reach;       // [elements] the highest level among the element and its face neighbours
  std::vector<std::int64_t> elements;    // [L + 1] elements on each level, of all ranks
  double gain = 1;                       // predicted: updates of global steps over updates of local steps
};

}  // namespace dgtd::dg
