#pragma once
// The loops of mass averaging as bodies, for CPU threads and devices.
#include "dgtd/dosimetry/kernels/averaging_cube.hpp"

namespace dgtd::dosimetry {

/// Voxels, by their numbers in the box of a table, that are averaged one after the other, each with the cube before it
/// as the guess, `together` in one call of a body.
struct VoxelList {
  SumTable table;
  const std::uint32_t* voxel;  // [count]
  const float* density;        // [count] kg/m^3
  std::int64_t count;
  double mass;  // kg, of the cubes
  int together;

  std::int64_t calls() const { return (count + together - 1) / together; }
  DGTD_HOST_DEVICE void numbers(std::int64_t i, int at[3]) const {
    const std::uint32_t v = voxel[i], nx = table.cells[0], ny = table.cells[1];
    at[0] = static_cast<int>(v % nx);
    at[1] = static_cast<int>(v / nx % ny);
    at[2] = static_cast<int>(v / nx / ny);
  }
};

/// Determines which voxels of a list are valid, and their cubes.
struct CentreCubes {
  VoxelList list;
  std::uint8_t* valid;    // [count]
  float *sar, *side;      // [count] W/kg, m
  EnclosedBox* enclosed;  // [count] empty where not valid

  DGTD_HOST_DEVICE void operator()(std::int64_t call) const {
    Guess guess;
    const std::int64_t first = call * list.together, last = first + list.together;
    for (std::int64_t i = first; i < last && i < list.count; ++i) {
      int at[3];
      list.numbers(i, at);
      const Placement p = Placement::of(list.table, at, Orientation::centred);
      const Cube cube = expand_from(list.table, p, at, list.mass, list.density[i], guess);
      EnclosedBox box{};
      valid[i] = cube.found && is_valid(list.table, p, cube, box);
      sar[i] = valid[i] ? static_cast<float>(cube.sums.power / cube.sums.mass) : 0;
      side[i] = valid[i] ? static_cast<float>(2 * cube.half) : 0;
      enclosed[i] = valid[i] ? box : EnclosedBox{};
    }
  }
};

/// Determines the SAR of unused voxels: the largest one of the cubes that have the voxel on a face and are at most 5 %
/// larger than the smallest of them.
struct FaceCubes {
  VoxelList list;
  Orientation* orientation;  // [count] none: no cube has the mass
  float *sar, *side;         // [count] W/kg, m

  DGTD_HOST_DEVICE void operator()(std::int64_t call) const {
    constexpr int faces = 6;
    constexpr double most_larger = 1.05, rounding = 1e-9;
    Guess guess[faces];
    const std::int64_t first = call * list.together, last = first + list.together;
    for (std::int64_t i = first; i < last && i < list.count; ++i) {
      int at[3];
      list.numbers(i, at);
      double half[faces], mean[faces], smallest = HUGE_VAL;  // m, W/kg, m^3 (an eighth of a volume)
      for (int f = 0; f < faces; ++f) {
        const Placement p = Placement::of(list.table, at, static_cast<Orientation>(f + 1));
        const Cube cube = expand_from(list.table, p, at, list.mass, list.density[i], guess[f]);
        half[f] = cube.found ? cube.half : 0;
        mean[f] = cube.found ? cube.sums.power / cube.sums.mass : 0;
        if (cube.found) smallest = fmin(smallest, cube.half * cube.half * cube.half);
      }
      int best = -1;
      for (int f = 0; f < faces; ++f) {
        if (half[f] == 0 || half[f] * half[f] * half[f] > (most_larger + rounding) * smallest) continue;
        if (best < 0 || mean[f] > (1 + rounding) * mean[best]) best = f;  // of equal ones the first
      }
      orientation[i] = static_cast<Orientation>(best + 1);
      sar[i] = best < 0 ? 0 : static_cast<float>(mean[best]);
      side[i] = best < 0 ? 0 : static_cast<float>(2 * half[best]);
    }
  }
};

// The largest value of all boxes that contain a voxel (enclosed_maximum.hpp).

/// Levels of a box along the three axes as one number: the largest l with 2^l <= length. A box that contains nothing
/// has none.
inline constexpr int most_levels = 32;
inline constexpr std::uint16_t no_levels = 0xffff;
DGTD_HOST_DEVICE int level(int levels, int axis) { return levels >> (5 * axis) & (most_levels - 1); }

struct LevelsOfBoxes {
  const EnclosedBox* box;
  std::uint16_t* levels;  // [boxes]
  std::uint8_t* occurs;   // [combinations of levels] set to 1

  DGTD_HOST_DEVICE void operator()(std::int64_t i) const {
    int combination = 0;
    for (int a = 2; a >= 0; --a) {
      const int length = box[i].last[a] - box[i].first[a];
      if (length <= 0) {
        levels[i] = no_levels;
        return;
      }
      int l = 0;
      while (length >> (l + 1) > 0) ++l;
      combination = combination * most_levels + l;
    }
    levels[i] = static_cast<std::uint16_t>(combination);
#if defined(__CUDA_ARCH__)
    occurs[combination] = 1;
#else
    __atomic_store_n(&occurs[combination], std::uint8_t{1}, __ATOMIC_RELAXED);
#endif
  }
};

/// An entry of a field of maxima: 1 + the bits of a value that is not negative, which order as the values do; 0: none.
DGTD_HOST_DEVICE std::uint32_t entry_of(float value) {
#if defined(__CUDA_ARCH__)
  return __float_as_uint(value) + 1;
#else
  return __builtin_bit_cast(std::uint32_t, value) + 1;
#endif
}

DGTD_HOST_DEVICE void raise_to(std::uint32_t* entry, std::uint32_t value) {
#if defined(__CUDA_ARCH__)
  atomicMax(entry, value);
#else
  std::uint32_t present = __atomic_load_n(entry, __ATOMIC_RELAXED);
  while (present < value &&
         !__atomic_compare_exchange_n(entry, &present, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
#endif
}

/// Values of the boxes of a combination of levels at the lower corners of the eight dyadic boxes that cover each.
struct NoteBoxes {
  const EnclosedBox* box;
  const float* value;
  const std::uint16_t* levels;  // [boxes]
  std::uint16_t combination;
  std::int64_t nx, ny;
  std::uint32_t* field;  // [nz][ny][nx]

  DGTD_HOST_DEVICE void operator()(std::int64_t b) const {
    if (levels[b] != combination) return;
    for (int corner = 0; corner < 8; ++corner) {
      std::int64_t at[3];
      for (int a = 0; a < 3; ++a)
        at[a] = corner >> a & 1 ? box[b].last[a] - (std::int64_t{1} << level(combination, a)) : box[b].first[a];
      raise_to(field + (at[2] * ny + at[1]) * nx + at[0], entry_of(value[b]));
    }
  }
};

/// Boxes of length 2 s along an axis become two of length s, in place. A call does `width` lines that are neighbours
/// along x.
struct HandDown {
  std::uint32_t* field;
  std::int64_t length, stride, s;      // of the axis
  std::int64_t width, bundles, block;  // bundles of lines follow each other in blocks

  DGTD_HOST_DEVICE void operator()(std::int64_t n) const {
    const std::int64_t begin = n / bundles * block + n % bundles * width;
    for (std::int64_t at = length - 1; at >= s; --at) {
      std::uint32_t* const to = field + begin + at * stride;
      const std::uint32_t* const from = to - s * stride;
      for (std::int64_t i = 0; i < width; ++i) to[i] = to[i] > from[i] ? to[i] : from[i];
    }
  }
};

struct RaiseAll {
  std::uint32_t* to;
  const std::uint32_t* from;
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const { to[i] = to[i] > from[i] ? to[i] : from[i]; }
};

struct Clear {
  std::uint32_t* field;
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const { field[i] = 0; }
};

/// Entries of a field at some voxels.
struct TakeEntries {
  const std::uint32_t* field;
  const std::uint32_t* voxel;
  std::uint32_t* entry;
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const { entry[i] = field[voxel[i]]; }
};

}  // namespace dgtd::dosimetry
