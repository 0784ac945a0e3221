#pragma once
// Tiles that began together stay together, so that what neighbours share is still in the second cache. Only speed
// depends on it: a tile that begins late runs freely, and nobody waits long.
#include "volume_numbers.hpp"

namespace dgtd::fdtd {

/// Pace of a tile, for its first warp, which counts the planes that the tile has reached and waits for the others of
/// its wave.
class VolumePace {
 public:
  __device__ __forceinline__ VolumePace(const VolumeView& v, int lane)
      : v_(v), lane_(lane), first_counter_(kept_in_register(blockIdx.x / v.pace_wave * (1 + v.pace_planes))) {}

  __device__ __forceinline__ void begin() {
    unsigned* const counters = of_wave();
    counts_ = __shfl_sync(~0u, seen(counters + 1 + slack), 0) == 0;
    if (counts_ && lane_ == 0) atomicAdd(counters, 1u);
  }
  /// Long before keep(): the counters lie in the second cache.
  __device__ __forceinline__ void look(int it) {
    if (!counts_ || it < slack) return;
    came_ = seen(of_wave() + 1 + it - slack);
    began_ = seen(of_wave());
  }
  __device__ __forceinline__ void keep(int it) {
    constexpr int most_tries = 48;
    if (!counts_) return;
    unsigned* const counters = of_wave();
    if (lane_ == 0) atomicAdd(counters + 1 + it, 1u);
    if (it < slack) return;
    bool behind = came_ < began_;
#pragma unroll 1
    for (int tries = 0; tries < most_tries && __shfl_sync(~0u, behind, 0); ++tries)
      behind = seen(counters + 1 + it - slack) < began_;
  }
  /// By the first thread: planes that this tile does not have, but others do.
  __device__ __forceinline__ void end(int iterations) {
    if (!counts_) return;
    for (int i = iterations; i < int(v_.pace_planes); ++i) atomicAdd(of_wave() + 1 + i, 1u);
  }

 private:
  static constexpr int slack = 2;  // planes that a tile may be ahead
  __device__ __forceinline__ unsigned* of_wave() const { return v_.pace + first_counter_; }
  static __device__ __forceinline__ unsigned seen(const unsigned* counter) {
    return *reinterpret_cast<const volatile unsigned*>(counter);
  }

  const VolumeView& v_;
  const int lane_;
  const unsigned first_counter_;   // of the wave; kept, since it takes a division
  unsigned came_ = 0, began_ = 0;  // tiles of the wave, as of look()
  bool counts_ = false;            // began with the others
};

}  // namespace dgtd::fdtd
