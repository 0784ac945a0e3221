#include "targets.hpp"

#include <set>

#include "checkpoint_target.hpp"
#include "app/problems/initial_fields.hpp"
#include "app/problems/methods.hpp"
#include "dgtd/config/case.hpp"
#include "dgtd/geometry/layout.hpp"
#include "dgtd/grid/extruded.hpp"
#include "dgtd/grid/labelled_volume.hpp"
#include "dgtd/grid/permittivity_media.hpp"
#include "dgtd/grid/solid.hpp"
#include "dgtd/mesh/load.hpp"
#include "dgtd/mesh/step_file.hpp"
#include "dgtd/physics/field_profile.hpp"
#include "dgtd/physics/sheet_profile.hpp"

namespace dgtd::fuzz {
namespace {

namespace fs = std::filesystem;

void read_case(const fs::path& file) {
  const auto c = config::read_case(file, {}, app::methods());
  config::resolved_text(c);
}

void read_mesh(const fs::path& file) { mesh::check(mesh::read_gmsh(file, 1)); }

void read_surface(const fs::path& file) { grid::read_stl(file, 1e-3, {}); }

void read_labels(const fs::path& file) {
  auto voxels = grid::read_voxels(file, 1e-3, {});
  const grid::LabelledVolume volume(std::move(voxels), {{0, 0}});
}

void read_nrrd(const fs::path& file) {
  grid::read_oriented_voxels(file, 1e-3);
  read_labels(file);
}

// The layers of the file's boundaries, of which at least one has to be sound.
void read_layout(const fs::path& file) {
  const auto layout = geometry::read_gdsii(file);
  std::set<geometry::Layer> layers;
  for (const auto& [name, cell] : layout.cells)
    for (const auto& boundary : cell.boundaries) layers.insert(boundary.layer);
  if (layers.empty()) layers.insert({1, 0});
  for (const auto& layer : layers) {
    const auto polygons = geometry::layer_polygons(layout, "", layer);
    for (const double angle : {1.5707963267948966, 1.4})
      grid::make_extruded(geometry::extrude(polygons, 0, 20e-9, angle))->inside({0, 0, 0});
  }
}

void read_solids(const fs::path& file) {
  for (const auto& solid : mesh::read_step(file, "")) mesh::surface_sizes(solid, 0.3);
}

void read_profile(const fs::path& file) { physics::read_sheet_profile(file, 1e9).at(0.1, 0.1); }

void read_field_profile(const fs::path& file) { physics::read_field_profile(file).between(0, 1.2, 0.7); }

void read_permittivity(const fs::path& file) { grid::read_permittivity(file, {1, 1, 1}, {}).least(); }

void read_field(const fs::path& file) {
  const grid::CartesianGrid grid{
      {std::vector<double>(3, 1.0), std::vector<double>(2, 1.0), std::vector<double>(1, 1.0)}, {}};
  app::read_node_values(file, grid, 2);
}

constexpr Target list[] = {
    {"case", ".cfg", read_case},
    {"mesh", ".msh", read_mesh},
    {"surface", ".stl", read_surface},
    {"layout", ".gds", read_layout},
    {"step", ".step", read_solids, nullptr, 50},  // Gmsh may take 46 s of processor time, in 490 s
    {"nifti", ".nii", read_labels},
    {"metaimage", ".mha", read_labels},
    {"nrrd", ".nrrd", read_nrrd},
    {"picture", ".png", read_labels},
    {"profile", ".txt", read_profile},
    {"field", ".txt", read_field},
    {"field_profile", ".npy", read_field_profile},
    {"permittivity", ".npy", read_permittivity},
    {"checkpoint", ".h5", read_checkpoint, write_checkpoints}};

}  // namespace

std::span<const Target> targets() { return list; }

}  // namespace dgtd::fuzz
