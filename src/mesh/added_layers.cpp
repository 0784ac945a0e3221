#include "dgtd/mesh/added_layers.hpp"

namespace dgtd::mesh {

bool is_layer_name(std::string_view name) { return name.ends_with(layer_suffix); }

std::string without_layer_suffix(std::string_view name) {
  if (is_layer_name(name)) name.remove_suffix(layer_suffix.size());
  return std::string(name);
}

}  // namespace dgtd::mesh
