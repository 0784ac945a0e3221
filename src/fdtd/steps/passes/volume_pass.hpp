#pragma once
// Passes over a volume grid, several steps each: E, H and the layers' sums go from one set of arrays to another, which
// change places.
#include <array>
#include <memory>
#include <optional>
#include <string>

#include "dgtd/base/timers.hpp"
#include "dgtd/fdtd/engine.hpp"
#include "dgtd/parallel/array.hpp"
#include "fdtd/media/half_arithmetic.hpp"

namespace dgtd::fdtd {

/// The arrays that a pass exchanges for its own.
template <class Stored>
struct PassFields {
  parallel::Array<Stored>* field[2];                 // E, H
  parallel::Array<arithmetic_t<Stored>>* psi[2][3];  // of their half steps' layers along each axis
};

template <class Stored>
class VolumePass {
 public:
  virtual ~VolumePass() = default;
  virtual int steps() const = 0;
  /// From step `first_step` on. units: V/m, of E and of H.
  virtual void run(std::int64_t first_step, const std::array<double, 2>& units, const PassFields<Stored>& fields) = 0;
  virtual double bytes() const = 0;
};

/// A pass, or why there is none.
template <class Stored>
struct VolumePassOr {
  std::unique_ptr<VolumePass<Stored>> pass;
  std::string why_not;
};

struct VolumeMargins;

/// Streams of a pass: its own, and the one that exchanges what neighbours need of it.
struct PassStreams {
  void *main, *halo;
};

/// On the current CUDA device. d outlives it; lists: of the sources, with those of the margins;
/// views: of the first ones, which are the block's; fields: as run() gets them. Where the device has no memory for it
/// besides bytes_to_leave, there is none. After run(), later work in the halo's stream follows the tiles next to the
/// blocks below and above. half: for passes over halves, which compute in half precision. timers: stages
/// discretise/passes/...
template <class Stored>
VolumePassOr<Stored> make_cuda_volume_pass(const Discretisation<float>& d, const std::vector<SourceList>& lists,
                                           const std::vector<SourceView<float>>& views, const VolumeMargins& margins,
                                           const std::optional<HalfUnits>& half, const PassFields<Stored>& fields,
                                           double bytes_to_leave, parallel::Memory& memory, const PassStreams& streams,
                                           Timers& timers);

}  // namespace dgtd::fdtd
