#pragma once
// Absorbing layers of elements outside of a mesh (boundaries of type `passive` or `cpml`).
#include <string>
#include <vector>

#include "dgtd/config/case.hpp"
#include "dgtd/dg/discretisation.hpp"
#include "dgtd/mesh/added_layers.hpp"
#include "dgtd/mesh/subdomain.hpp"
#include "dgtd/parallel/communicator.hpp"

namespace dgtd::app {

/// Whether the program adds layers of elements at boundaries of a type.
constexpr bool is_layer(physics::BoundaryKind type) {
  return type == physics::BoundaryKind::passive || type == physics::BoundaryKind::cpml;
}

/// Layers that the mesh of a case gets. Throws Error where sources cannot be outside of layers, and where layers are
/// of two types.
std::vector<mesh::AddedLayers> added_layers(const config::Case& c);

/// Layers of one boundary as they damp.
struct LayerFigures {
  std::string surface;
  std::vector<std::string> groups;  // volume groups of the mesh file that are the layers; empty: added
  bool convolutional = false;
  int strata = 0;
  double thickness = 0;               // m
  double wavelengths = 0;             // thickness at the lowest frequency of the layers
  double per_wavelength = 0;          // cubes as large as the elements, at the highest frequency; 0: unknown
  std::vector<double> reflection;     // [layer_angles] of the strata, largest at the case's frequencies, amplitude
  std::vector<double> with_elements;  // [layer_angles] with what elements add; empty where their size is unknown
};

struct DgLayers {
  dg::LayerRates rates;  // [elements], empty without layers
  std::vector<LayerFigures> figures;
};

/// The layers of a mesh that has got them. materials: [volume groups]. Collective. Throws Error (bad_input).
DgLayers layers_of(const config::Case& c, const mesh::Subdomain& mesh, const std::vector<physics::Medium>& materials,
                   const parallel::Communicator& comm);

/// [elements] 1 in layers.
std::vector<std::uint8_t> layer_elements(const mesh::Subdomain& mesh);

/// Lines of the log and of --dry-run; surfaces with the same layers share one.
std::vector<std::string> text_of(const std::vector<LayerFigures>& layers);

}  // namespace dgtd::app
