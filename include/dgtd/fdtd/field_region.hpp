#pragma once
// The region of a field monitor: a box of cells or a plane of nodes. Which components are its samples on a rank's
// block, and the fields at the centres of cells (on a plane: of its faces) from their sums.
#include <array>
#include <vector>

#include "dgtd/fdtd/engine.hpp"
#include "dgtd/fdtd/power.hpp"
#include "dgtd/physics/monitors.hpp"

namespace dgtd::fdtd {

struct FieldRegion {
  NodeBox nodes;    // of a plane the same first and last along the normal
  int normal = -1;  // of a plane
};

/// The region on the nodes nearest to the monitor's, cut off where it reaches beyond the grid. Throws Error (bad_input)
/// where nothing is left, where a plane is not inside the grid, or where a part of a periodic axis reaches its upper
/// end.
FieldRegion field_region(const grid::CartesianGrid& grid, const std::array<bool, 3>& periodic,
                         const physics::Monitor& monitor);

/// Components of a region that a block owns: a box of global indices for each, empty ones where the two do not meet.
struct SampleRanges {
  struct Range {
    std::int64_t first = 0, end = 0;
  };
  std::array<std::array<Range, 3>, 3> electric, magnetic;  // [component][axis]

  /// visit(component, i, j, k) of all, i fastest.
  template <class Visit>
  static void for_each(const std::array<std::array<Range, 3>, 3>& field, Visit visit) {
    for (int c = 0; c < 3; ++c)
      for (std::int64_t k = field[c][2].first; k < field[c][2].end; ++k)
        for (std::int64_t j = field[c][1].first; j < field[c][1].end; ++j)
          for (std::int64_t i = field[c][0].first; i < field[c][0].end; ++i) visit(c, i, j, k);
  }
  static std::size_t count(const std::array<std::array<Range, 3>, 3>& field);
};
/// first, cells: of the block. A field that the monitor does not keep has no samples.
SampleRanges sample_ranges(const FieldRegion& region, const std::array<std::int64_t, 3>& first,
                           const std::array<int, 3>& cells, bool electric, bool magnetic);

/// The samples of this rank in the order of SampleRanges::for_each: components as they are, but that H in a plane,
/// which stands half a cell beside it, is the mean of both sides.
template <class Real>
SpectrumSamples region_samples(const Discretisation<Real>& d, const FieldRegion& region, const SampleRanges& ranges);

/// shown: this rank's cells without the layer of an upper magnetic wall. A plane belongs to the cells below it.
solver::RegionCells region_cells(const grid::CartesianGrid& grid, const FieldRegion& region, const grid::Block& shown);

/// One field of a region at the centres, from its components at this rank's samples. real, imag: [samples], imag of a
/// complex field; periodic axes turn by bloch_phase. Collective.
template <class Real>
std::array<std::vector<float>, 2> region_centres(const Discretisation<Real>& d, const FieldRegion& region,
                                                 const SampleRanges& ranges, const solver::RegionCells& cells,
                                                 bool electric, const double* real, const double* imag,
                                                 const std::array<double, 3>& bloch_phase,
                                                 const parallel::Communicator& comm);

}  // namespace dgtd::fdtd
