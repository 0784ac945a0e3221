#include "dgtd/mesh/added_layers.hpp"

#include <algorithm>

#include "dgtd/mesh/plate.hpp"

namespace dgtd::mesh {

std::vector<AddedLayers> layers_by_surface(const std::vector<AddedLayers>& layers,
                                           const std::vector<std::string>& surface_names) {
  std::vector<AddedLayers> result;
  for (const AddedLayers& one : layers) {
    if (one.strata == 0) continue;
    if (one.surface != "*") {
      result.push_back(one);
      continue;
    }
    for (const std::string& name : surface_names)
      if (!name.ends_with(plate_suffix) && std::none_of(layers.begin(), layers.end(), [&](const AddedLayers& l) { return l.surface == name; }))
        result.push_back({name, one.strata, one.thickness, one.stratum, one.groups});
  }
  return result;
}

bool is_layer_name(std::string_view name) { return name.ends_with(layer_suffix); }

std::string without_layer_suffix(std::string_view name) {
  if (is_layer_name(name)) name.remove_suffix(layer_suffix.size());
  return std::string(name);
}

}  // namespace dgtd::mesh
