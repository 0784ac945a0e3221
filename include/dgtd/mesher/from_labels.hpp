#pragma once
// A tetrahedral mesh of a labelled image (a segmented head), with a device beside it.
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "dgtd/base/vec3.hpp"
#include "dgtd/mesh/generate.hpp"
#include "dgtd/mesh/global_mesh.hpp"
#include "dgtd/mesher/tissue_table.hpp"

namespace dgtd::mesher {

/// Position of a device: its own origin goes to `position`, after it has been turned about x, then y, then z.
struct Placement {
  Vec3 position;  // m, in the axes of the image's header
  Vec3 angles;    // degrees, about x, y, z
};

/// A metal box below a gap and a metal antenna above it; the origin is the middle of the gap, the antenna is along +z.
struct Phone {
  Vec3 size{0.020, 0.040, 0.100};          // m, of the box
  Vec3 antenna_size{0.003, 0.003, 0.040};  // m
  double gap = 0.002;                      // m
  Placement placement;
};

/// A metal body from an STL file.
struct StlDevice {
  std::filesystem::path file;
  double unit = 1e-3;  // m per unit of the file
  Placement placement;
};

struct FromLabels {
  std::filesystem::path image;
  double unit = 1e-3;             // m per unit of the image's header
  std::filesystem::path tissues;  // TissueTable; empty: one tissue per label
  double resolution = 1e-3;       // m; finer images are reduced by whole factors up to it
  double smoothing = 1.2e-3;      // m, standard deviation of the Gaussian
  double island = 1e-6;           // m3; smaller pieces are removed
  enum class Exterior { sphere, box } exterior = Exterior::sphere;
  double margin = 0;  // m, from the tissues to the absorbing surface; 0: a wavelength in air
  std::optional<Phone> phone;
  std::optional<StlDevice> stl;
  std::vector<mesh::Refinement> refinements = {};  // their sizes grow by `growth` and are not scaled
  double device_size = 0.006;                      // m, element size at a device
  double frequency = 1.8e9;                        // Hz
  int order = 2;                                   // of the method, for the elements per wavelength
  double elements_per_wavelength = 0;              // 0: default_elements_per_wavelength(order)
  std::int64_t elements = 0;     // about so many tetrahedra: sizes but those of a device are scaled; 0: as they are
  double growth = 0.3;           // of the element size, per distance
  double facet_distance = 0.12;  // of surfaces from the image's, as a share of the element size
  int odt_iterations = 0;        // of CGAL's ODT smoother before the other optimisers
  bool perturb = true, exude = true;  // CGAL's optimisers
  int passes = 12;                    // of the optimiser for the time step
  double effort = 4000;               // its work at most: evaluations of an element's quality, per element
  bool keep_volumes = true;           // surfaces are moved at the end until volumes are the image's
  /// Receives a line about each stage when it ends, and about a long one every ten seconds.
  std::function<void(const std::string&)> progress = {};
};

/// 10, 5, 3.5, 3, ... for order 1, 2, 3, 4, ...
double default_elements_per_wavelength(int order);

/// Volumes of a tissue in the image and in the mesh, and its element size.
struct TissueResult {
  std::string name;
  double image_volume = 0;           // m3, in the image; of a shell and its tissue, as they are split
  double mesh_volume = 0;            // m3
  double size = 0;                   // m, largest element size that was asked for
  std::vector<double> image_pieces;  // m3, descending: connected pieces in the image, of `resolution`, above `island`
  double permittivity = 1;           // relative, for the bound of the time step
};

struct FromLabelsResult {
  mesh::GlobalMesh mesh;              // groups: tissues, air; absorbing and, with a device, metal
  std::vector<TissueResult> tissues;  // air first; its image_volume is that of the cavities
  std::int64_t predicted_elements = 0;
  Vec3 feed;                          // m, of a phone
  std::vector<std::string> warnings;  // tissues that lost more than a fifth of their volume
};

/// Throws Error for files and values that do not fit, for a request that is too large for this machine's memory (before
/// it starts), for a device that is in a tissue or beyond the absorbing surface, and for a tissue of which nothing is
/// left.
FromLabelsResult mesh_from_labels(const FromLabels& settings);

}  // namespace dgtd::mesher
