#pragma once
// Passes over a volume grid, several steps each: E, H and the layers' sums go from one set of arrays to another, which
// change places.
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dgtd/base/timers.hpp"
#include "dgtd/fdtd/engine.hpp"
#include "dgtd/fdtd/kernels/port_view.hpp"
#include "dgtd/fdtd/kernels/source_view.hpp"
#include "dgtd/parallel/array.hpp"
#include "fdtd/media/half_arithmetic.hpp"

namespace dgtd::fdtd {

/// The arrays that a pass exchanges for its own.
template <class Stored>
struct PassFields {
  parallel::Array<Stored>* field[2];                 // E, H
  parallel::Array<arithmetic_t<Stored>>* psi[2][3];  // of their half steps' layers along each axis
};

/// The start of a pass.
struct PassStart {
  std::int64_t step;            // the first one
  std::int64_t record;          // the number of that step among those that ports record
  std::array<double, 2> units;  // V/m, of E and of H
};

template <class Stored>
class VolumePass {
 public:
  virtual ~VolumePass() = default;
  virtual int steps() const = 0;
  virtual void run(const PassStart& start, const PassFields<Stored>& fields) = 0;
  virtual double bytes() const = 0;
};

/// A pass, or why there is none.
template <class Stored>
struct VolumePassOr {
  std::unique_ptr<VolumePass<Stored>> pass;
  std::string why_not;
};

struct VolumeMargins;

/// A lumped port of this rank in a pass.
struct PassPort {
  std::vector<PortEdge> edges;  // in the order of the view
  PortView<float> view;
};
/// All that changes fields in a pass besides the half steps.
struct PassTerms {
  std::vector<SourceList> lists;         // of the sources, with those of the margins
  std::vector<SourceView<float>> views;  // of the first ones, which are the block's
  std::vector<PassPort> ports;

  std::vector<std::uint64_t> indices_of_ports() const {
    std::vector<std::uint64_t> indices;
    for (const PassPort& port : ports)
      for (const PortEdge& edge : port.edges) indices.push_back(edge.index);
    return indices;
  }
};

/// Streams of a pass: its own, and the one that exchanges what neighbours need of it.
struct PassStreams {
  void *main, *halo;
};

/// On the current CUDA device. d outlives it; fields: as run() gets them. Where the device has no memory for it besides
/// bytes_to_leave, there is none. After run(), later work in the halo's stream follows the tiles next to the blocks
/// below and above. half: for passes over halves, which compute in half precision. timers: stages
/// discretise/passes/...
template <class Stored>
VolumePassOr<Stored> make_cuda_volume_pass(const Discretisation<float>& d, const PassTerms& terms,
                                           const VolumeMargins& margins, const std::optional<HalfUnits>& half,
                                           const PassFields<Stored>& fields, double bytes_to_leave,
                                           parallel::Memory& memory, const PassStreams& streams, Timers& timers);

}  // namespace dgtd::fdtd
