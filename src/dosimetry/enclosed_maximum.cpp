#include "enclosed_maximum.hpp"

#include <algorithm>
#include <atomic>
#include <bit>

namespace dgtd::dosimetry {

namespace {

constexpr int most_levels = 32;

// Levels of a box along the three axes as one number; a box that contains nothing has none.
constexpr std::uint16_t no_levels = 0xffff;
std::uint16_t levels_of(const EnclosedBox& box) {
  int levels = 0;
  for (int a = 2; a >= 0; --a) {
    const int length = box.last[a] - box.first[a];
    if (length <= 0) return no_levels;
    levels = levels * most_levels + std::bit_width(static_cast<unsigned>(length)) - 1;
  }
  return static_cast<std::uint16_t>(levels);
}
int level(int levels, int axis) { return levels >> (5 * axis) & (most_levels - 1); }

void raise_to(std::uint32_t& entry, std::uint32_t value) {
  std::atomic_ref<std::uint32_t> shared(entry);
  std::uint32_t present = shared.load(std::memory_order_relaxed);
  while (present < value && !shared.compare_exchange_weak(present, value, std::memory_order_relaxed)) {}
}

class Cover {
 public:
  Cover(const std::array<std::int64_t, 3>& cells, const ValuedBoxes& boxes)
      : cells_(cells), boxes_(boxes), levels_(boxes.box.size()) {
    const auto count = static_cast<std::ptrdiff_t>(boxes.box.size());
    std::vector<char> occurs(most_levels * most_levels * most_levels, 0);
#pragma omp parallel for schedule(static)
    for (std::ptrdiff_t i = 0; i < count; ++i) {
      levels_[i] = levels_of(boxes.box[i]);
      if (levels_[i] != no_levels) std::atomic_ref<char>(occurs[levels_[i]]).store(1, std::memory_order_relaxed);
    }
    for (std::size_t l = 0; l < occurs.size(); ++l)
      if (occurs[l]) combinations_.push_back(static_cast<int>(l));
    for (auto& field : fields_) field.assign(static_cast<std::size_t>(cells[0] * cells[1] * cells[2]), 0);
  }

  std::vector<std::uint32_t> result() {
    fold(2, combinations_);
    return std::move(fields_[2]);
  }

 private:
  // Sets fields_[axis] to the maxima of boxes of these combinations, of length 1 along this axis and those before it.
  void fold(int axis, const std::vector<int>& combinations) {
    bool any = false;
    for (int l = most_levels - 1; l >= 0; --l) {
      if (any) hand_down(axis, std::int64_t{1} << l);
      std::vector<int> mine;
      for (const int c : combinations)
        if (level(c, axis) == l) mine.push_back(c);
      if (mine.empty()) continue;
      if (!any) std::fill(fields_[axis].begin(), fields_[axis].end(), 0);
      any = true;
      if (axis == 0) {
        note(mine.front());
        continue;
      }
      fold(axis - 1, mine);
      raise_all(fields_[axis], fields_[axis - 1]);
    }
  }

  // Boxes of length 2 s along an axis become two of length s.
  void hand_down(int axis, std::int64_t s) {
    std::uint32_t* const field = fields_[axis].data();
    const std::int64_t nx = cells_[0], ny = cells_[1], nz = cells_[2];
    const auto raise_row = [&](std::int64_t to, std::int64_t from) {
      for (std::int64_t i = 0; i < nx; ++i) field[to * nx + i] = std::max(field[to * nx + i], field[from * nx + i]);
    };
#pragma omp parallel for schedule(static)
    for (std::int64_t n = 0; n < (axis == 1 ? nz : ny); ++n) {
      if (axis == 0)
        for (std::int64_t row = n * nz; row < (n + 1) * nz; ++row)
          for (std::int64_t i = nx - 1; i >= s; --i)
            field[row * nx + i] = std::max(field[row * nx + i], field[row * nx + i - s]);
      if (axis == 1)
        for (std::int64_t j = ny - 1; j >= s; --j) raise_row(n * ny + j, n * ny + j - s);
      if (axis == 2)
        for (std::int64_t k = nz - 1; k >= s; --k) raise_row(k * ny + n, (k - s) * ny + n);
    }
  }

  // Values of the boxes of a combination at the lower corners of the eight that cover them.
  void note(int combination) {
    const auto count = static_cast<std::ptrdiff_t>(boxes_.box.size());
#pragma omp parallel for schedule(static)
    for (std::ptrdiff_t b = 0; b < count; ++b) {
      if (levels_[b] != combination) continue;
      const EnclosedBox& box = boxes_.box[b];
      const std::uint32_t value = std::bit_cast<std::uint32_t>(boxes_.value[b]) + 1;
      for (int corner = 0; corner < 8; ++corner) {
        std::int64_t at[3];
        for (int a = 0; a < 3; ++a)
          at[a] = corner >> a & 1 ? box.last[a] - (std::int64_t{1} << level(combination, a)) : box.first[a];
        raise_to(fields_[0][static_cast<std::size_t>((at[2] * cells_[1] + at[1]) * cells_[0] + at[0])], value);
      }
    }
  }

  static void raise_all(std::vector<std::uint32_t>& field, const std::vector<std::uint32_t>& values) {
    const auto count = static_cast<std::ptrdiff_t>(field.size());
#pragma omp parallel for schedule(static)
    for (std::ptrdiff_t i = 0; i < count; ++i) field[i] = std::max(field[i], values[i]);
  }

  std::array<std::int64_t, 3> cells_;
  const ValuedBoxes& boxes_;
  std::vector<std::uint16_t> levels_;                 // [boxes]
  std::vector<int> combinations_;                     // that occur
  std::array<std::vector<std::uint32_t>, 3> fields_;  // [nz][ny][nx] maxima while an axis is handed down
};

}  // namespace

std::vector<std::uint32_t> enclosed_maximum(const std::array<std::int64_t, 3>& cells, const ValuedBoxes& boxes) {
  return Cover(cells, boxes).result();
}

float value_of_entry(std::uint32_t entry) { return std::bit_cast<float>(entry - 1); }

}  // namespace dgtd::dosimetry
