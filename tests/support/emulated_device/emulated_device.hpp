#pragma once
// A thread block of a CUDA device on one thread of the host, so that kernels' sources run, and are tested, where there
// is no device. Each thread of the block is a fiber, which runs until it waits for others. Which warp goes on is drawn
// at random, and for how long, so that warps come as far apart as barriers let them; and a copy lands at once or as
// late as somebody waits for it. What is right for one order of warps only is found for some seed.
//
// Not emulated: the order in which writes of one thread become visible to others.
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace dgtd::emulation {

inline constexpr int lanes_per_warp = 32;

/// Runs thread() as each of so many threads of block blockIdx.x. Throws std::logic_error where all wait for each other,
/// or a copy is still on its way when all have ended.
void run_block(unsigned block, int threads, unsigned seed, const std::function<void()>& thread);

/// Leaves the thread until the next turn of its warp.
void pause();
/// Something has happened that others may wait for.
void note_progress();
template <class Done>
void wait_until(const Done& done) {
  if (done()) return;
  do pause();
  while (!done());
  note_progress();
}
/// The words that all lanes of the thread's warp bring.
std::array<std::uint32_t, lanes_per_warp> words_of_warp(std::uint32_t own);
void wait_for_block();
/// A copy by the device, at some time; and one by the thread, before it has waited for its copies.
void copy_later(std::function<void()> copy);
void copy_of_thread(std::function<void()> copy);
void wait_for_copies_of_thread();
/// Throws std::logic_error unless the address is a multiple.
void expect_aligned(const void* at, std::size_t multiple);

}  // namespace dgtd::emulation
