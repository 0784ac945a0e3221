#pragma once
// Barriers and copies of a device (cuda/parallel/tensor_copy.hpp) on the host.
#include <cstring>
#include <stdexcept>

#include "cuda.h"

namespace dgtd::parallel {

struct SharedBarrier {
  std::uint64_t phase : 1, expected : 15, missing : 16, missing_bytes : 32;

  void start(int arrivals) {
    phase = 0, missing_bytes = 0;
    expected = missing = static_cast<unsigned>(arrivals) & 0x7fff;
  }
  void arrive() {
    if (missing == 0) throw std::logic_error("more threads arrive at a barrier than it expects");
    --missing;
    end_phase_if_complete();
  }
  void arrive_if(bool here) {
    if (here) arrive();
  }
  void arrive_and_expect(std::uint32_t bytes) {
    missing_bytes += bytes;
    arrive();
  }
  void come(std::uint32_t bytes) {
    missing_bytes -= bytes;
    end_phase_if_complete();
  }
  void wait(std::uint32_t parity) {
    emulation::wait_until([&] { return phase != parity; });
  }

 private:
  void end_phase_if_complete() {
    if (missing > 0 || missing_bytes > 0) return;
    phase ^= 1;
    missing = expected;
    emulation::note_progress();
  }
};
static_assert(sizeof(SharedBarrier) == 8);

inline void publish_barriers() {}

inline void copy_box(void* to, const CUtensorMap& map, SharedBarrier& barrier, int x, int y, int z, int c) {
  emulation::expect_aligned(to, 128);
  if (static_cast<std::int64_t>(x) * map.bytes_of_number % 16 != 0)
    throw std::logic_error("a box that does not begin at a multiple of 16 bytes");
  emulation::copy_later([=, &map, &barrier] {
    auto* at = static_cast<unsigned char*>(to);
    const int first[4] = {x, y, z, c};
    std::int64_t place[4];
    std::uint32_t bytes = 0;
    for (place[3] = 0; place[3] < map.box[3]; ++place[3])
      for (place[2] = 0; place[2] < map.box[2]; ++place[2])
        for (place[1] = 0; place[1] < map.box[1]; ++place[1])
          for (place[0] = 0; place[0] < map.box[0]; ++place[0]) {
            bool inside = true;
            std::int64_t offset = 0;
            for (int a = 0; a < 4; ++a) {
              const std::int64_t n = first[a] + place[a];
              inside = inside && n >= 0 && n < map.size[a];
              offset += n * map.stride[a];
            }
            const auto count = static_cast<std::size_t>(map.bytes_of_number);
            if (inside) std::memcpy(at, map.data + offset, count);
            else std::memset(at, 0, count);
            at += count, bytes += static_cast<std::uint32_t>(count);
          }
    barrier.come(bytes);
  });
}

template <int bytes>
void copy_bytes(void* to, const void* from) {
  emulation::expect_aligned(to, bytes);
  emulation::expect_aligned(from, bytes);
  emulation::copy_of_thread([=] { std::memcpy(to, from, bytes); });
}
template <int bytes>
void copy_bytes_if(bool here, void* to, const void* from) {
  emulation::expect_aligned(to, bytes);
  emulation::copy_of_thread([=] {
    if (here) std::memcpy(to, from, bytes);
    else std::memset(to, 0, bytes);
  });
}
inline void wait_for_copies() { emulation::wait_for_copies_of_thread(); }
inline void prefetch_if(bool, const void*) {}
inline float2 load_if(bool here, const float* from) {
  if (!here) return {0, 0};
  emulation::expect_aligned(from, 8);
  return {from[0], from[1]};
}
inline void store_if(bool here, void* at, std::uint32_t word) {
  if (here) std::memcpy(at, &word, sizeof word);
}
inline void store_if(bool here, void* at, std::uint32_t first, std::uint32_t second) {
  if (here)
    emulation::expect_aligned(at, 8), store_if(true, at, first), store_if(true, static_cast<char*>(at) + 4, second);
}
inline void store_shared_if(bool here, void* at, std::uint32_t first, std::uint32_t second) {
  store_if(here, at, first, second);
}

}  // namespace dgtd::parallel
