// The device's algorithm for lines on the CPU, thread after thread.
#include <cassert>
#include <cstring>
#include <memory>

#include "tiles_on.hpp"

namespace dgtd::reproductions {

namespace {

template <class Thread>
struct HostBlock {
  std::vector<Thread> threads = std::vector<Thread>(line_threads);
  template <class F>
  void each(const F& f) {
    for (int n = 0; n < line_threads; ++n) f(threads[static_cast<std::size_t>(n)], n);
  }
  template <class F>
  bool any(const F& f) {
    bool yes = false;
    for (int n = 0; n < line_threads; ++n) yes = f(threads[static_cast<std::size_t>(n)], n) || yes;
    return yes;
  }
  void wait_for([[maybe_unused]] const int* progress, [[maybe_unused]] int chunks) { assert(*progress >= chunks); }
  void publish(int* progress, int chunks) { *progress = chunks; }
};

class HostTiles {
 public:
  explicit HostTiles(int most_tiles) : most_tiles_(most_tiles) {}
  parallel::Memory& memory() { return parallel::host_memory(); }
  int most_tiles() const { return most_tiles_; }
  void zero(void* at, std::size_t bytes) { std::memset(at, 0, bytes); }

  // Chunk by chunk, tiles in the order in which they wait for each other.
  template <class Real, int cells>
  void launch(const LineTilesView<Real>& view, std::size_t reals, bool upward) {
    using Blocking = LineTileTemporalBlocking<Real, cells, line_threads>;
    struct Running {
      std::vector<Real> shared;
      HostBlock<typename Blocking::Thread> block;
      Blocking blocking;
      Running(const LineTilesView<Real>& v, int n, std::size_t size) : shared(size), blocking(v, n, shared.data()) {
        blocking.begin(block);
      }
    };
    std::vector<std::unique_ptr<Running>> running;
    for (int n = 0; n < view.tile_count; ++n) running.push_back(std::make_unique<Running>(view, n, reals));
    if (!upward) std::reverse(running.begin(), running.end());
    for (std::int64_t c = 0; c * view.chunk < view.steps; ++c)
      for (auto& r : running) r->blocking.chunk(r->block, c);
    for (auto& r : running) r->blocking.finish(r->block);
  }

 private:
  int most_tiles_;
};

}  // namespace

template <class Real>
LineResult<Real> solve_line_in_tiles(const LineProblem<Real>& problem, int most_tiles) {
  HostTiles backend(most_tiles);
  return LineOnTiles<Real, HostTiles>(problem, backend).solve();
}

template LineResult<float> solve_line_in_tiles(const LineProblem<float>&, int);
template LineResult<double> solve_line_in_tiles(const LineProblem<double>&, int);

}  // namespace dgtd::reproductions
