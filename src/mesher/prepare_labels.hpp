#pragma once
// From an image's labels to a grid of tissues that can be meshed.
#include "dgtd/grid/labelled_volume.hpp"
#include "dgtd/mesher/from_labels.hpp"
#include "label_grid.hpp"

namespace dgtd::mesher {

struct PreparedLabels {
  grid::OrientedVoxels frame;                     // its voxels are empty: axes and origin alone
  LabelGrid grid;                                 // with a border of air, at about the resolution that is asked for
  std::vector<double> image_volumes;              // [tissues] m3, in the image; air: inside the other tissues' surfaces
  std::vector<std::vector<double>> image_pieces;  // [tissues] m3, descending, those above the island's volume
};

/// Throws Error for a label without a tissue, for tissues that the image does not have, and for an image without any.
PreparedLabels prepare_labels(const FromLabels& settings, TissueTable& table);

}  // namespace dgtd::mesher
