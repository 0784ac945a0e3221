#include "emulated_device.hpp"

#include <boost/context/fiber.hpp>
#include <boost/context/pooled_fixedsize_stack.hpp>
#include <exception>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "cuda.h"

thread_local dgtd::emulation::Index3 threadIdx, blockIdx;

namespace dgtd::emulation {

namespace {

using boost::context::fiber;
constexpr std::size_t stack_bytes = 256 << 10;

struct Warp {
  std::array<std::uint32_t, lanes_per_warp> words[2];  // of an even, odd meeting
  int arrived = 0;
  unsigned meetings = 0;
  bool waits = false;  // since its last turn nothing has happened
};
struct Thread {
  fiber self, scheduler;
  bool ended = false;
  std::exception_ptr failure;
  std::vector<std::function<void()>> copies;
};

class Block {
 public:
  Block(int threads, unsigned seed) : threads_(static_cast<std::size_t>(threads)), random_(seed) {
    warps_.resize(threads_.size() / lanes_per_warp);
  }
  void run(const std::function<void()>& thread) {
    boost::context::pooled_fixedsize_stack stacks(stack_bytes, 64);
    for (Thread& t : threads_)
      t.self = fiber(std::allocator_arg, stacks, [&thread, &t](fiber&& scheduler) {
        t.scheduler = std::move(scheduler);
        try {
          thread();
        } catch (const boost::context::detail::forced_unwind&) { throw; } catch (...) {
          t.failure = std::current_exception();
        }
        t.ended = true;
        return std::move(t.scheduler);
      });
    std::vector<std::size_t> ready;
    for (;;) {
      ready.clear();
      bool all_ended = true;
      for (std::size_t w = 0; w < warps_.size(); ++w) {
        if (threads_[w * lanes_per_warp].ended) continue;
        all_ended = false;
        if (!warps_[w].waits) ready.push_back(w);
      }
      if (all_ended) break;
      if (!copies_.empty() && (ready.empty() || random_() % 8 == 0)) land_one();
      else if (ready.empty()) throw std::logic_error("the threads of a block wait for each other");
      else turn(chosen(ready));
    }
    if (!copies_.empty()) throw std::logic_error("a copy is on its way when the block has ended");
  }

  Thread& current() { return threads_[threadIdx.x]; }
  Warp& current_warp() { return warps_[threadIdx.x / lanes_per_warp]; }
  void note_progress() {
    progressed_ = true;
    for (Warp& w : warps_) w.waits = false;
  }
  bool at_once() { return random_() % 2 == 0; }

  std::vector<std::function<void()>> copies_;
  int arrived_ = 0;
  unsigned meetings_ = 0;
  int threads() const { return static_cast<int>(threads_.size()); }

 private:
  enum class Order { random, lowest_first, highest_first };  // of warps: the latter bring them farthest apart
  std::size_t chosen(const std::vector<std::size_t>& ready) {
    if (turns_left_-- == 0) {
      turns_left_ = static_cast<int>(random_() % 1000);
      order_ = std::array{Order::random, Order::lowest_first, Order::highest_first}[random_() % 3];
    }
    if (order_ == Order::lowest_first) return ready.front();
    if (order_ == Order::highest_first) return ready.back();
    return ready[random_() % ready.size()];
  }
  void turn(std::size_t warp) {
    for (int left = 1 << random_() % 8; left > 0; --left) {
      progressed_ = false;
      for (std::size_t n = warp * lanes_per_warp; n < (warp + 1) * lanes_per_warp; ++n) {
        Thread& t = threads_[n];
        if (t.ended) continue;
        threadIdx.x = static_cast<unsigned>(n);
        t.self = std::move(t.self).resume();
        if (t.failure) std::rethrow_exception(t.failure);
        if (t.ended) note_progress();
      }
      if (!progressed_) {
        warps_[warp].waits = true;
        return;
      }
    }
  }
  void land_one() {
    std::swap(copies_[random_() % copies_.size()], copies_.back());
    const auto copy = std::move(copies_.back());
    copies_.pop_back();
    copy();
    note_progress();
  }

  std::vector<Thread> threads_;
  std::vector<Warp> warps_;
  std::mt19937 random_;
  Order order_ = Order::random;
  int turns_left_ = 0;
  bool progressed_ = false;
};

thread_local Block* block_of_thread = nullptr;

}  // namespace

void run_block(unsigned block, int threads, unsigned seed, const std::function<void()>& thread) {
  Block b(threads, seed);
  blockIdx.x = block;
  block_of_thread = &b;
  b.run(thread);
  block_of_thread = nullptr;
}

void pause() {
  Thread& t = block_of_thread->current();
  t.scheduler = std::move(t.scheduler).resume();
}
void note_progress() { block_of_thread->note_progress(); }

std::array<std::uint32_t, lanes_per_warp> words_of_warp(std::uint32_t own) {
  Warp& w = block_of_thread->current_warp();
  const unsigned meeting = w.meetings;
  auto& words = w.words[meeting % 2];
  words[threadIdx.x % lanes_per_warp] = own;
  if (++w.arrived == lanes_per_warp) {
    w.arrived = 0;
    ++w.meetings;
    note_progress();
  }
  wait_until([&] { return w.meetings != meeting; });
  return words;
}
void wait_for_block() {
  Block& b = *block_of_thread;
  const unsigned meeting = b.meetings_;
  if (++b.arrived_ == b.threads()) {
    b.arrived_ = 0;
    ++b.meetings_;
    note_progress();
  }
  wait_until([&] { return b.meetings_ != meeting; });
}

void copy_later(std::function<void()> copy) {
  if (block_of_thread->at_once()) copy(), note_progress();
  else block_of_thread->copies_.push_back(std::move(copy));
}
void copy_of_thread(std::function<void()> copy) {
  if (block_of_thread->at_once()) copy();
  else block_of_thread->current().copies.push_back(std::move(copy));
}
void wait_for_copies_of_thread() {
  auto& copies = block_of_thread->current().copies;
  for (const auto& copy : copies) copy();
  copies.clear();
}

void expect_aligned(const void* at, std::size_t multiple) {
  if (reinterpret_cast<std::uintptr_t>(at) % multiple != 0)
    throw std::logic_error("an address that is no multiple of " + std::to_string(multiple));
}

}  // namespace dgtd::emulation
