#include "dgtd/io/voxel_file.hpp"

#include <fmt/format.h>

#include "column_writer.hpp"
#include "dgtd/dosimetry/peak_table.hpp"
#include "xml.hpp"

namespace dgtd::io {

namespace {

/// The layout of a file and the numbers of its arrays.
struct VoxelLayout {
  struct OfMass {
    std::size_t sar, status;
  };
  AppendedLayout file;
  std::size_t density, sar, tissue = 0;
  std::vector<OfMass> masses;
  std::array<std::size_t, 3> nodes{};

  VoxelLayout(const AveragedVoxels& v, bool uniform) : file(uniform ? "ImageData" : "RectilinearGrid") {
    const auto& grid = v.grid;
    const std::string extent = fmt::format("0 {} 0 {} 0 {}", grid.cells(0), grid.cells(1), grid.cells(2));
    if (uniform) {
      const double width = (grid.nodes[0].back() - grid.nodes[0].front()) / double(grid.cells(0));
      file.text(fmt::format("  <ImageData WholeExtent=\"{}\" Origin=\"{} {} {}\" Spacing=\"{} {} {}\">\n", extent,
                            grid.nodes[0].front(), grid.nodes[1].front(), grid.nodes[2].front(), width, width, width));
    } else file.text(fmt::format("  <RectilinearGrid WholeExtent=\"{}\">\n", extent));
    file.text(field_data((grid.tissue.empty() ? "" : string_array("tissue_names", grid.tissue_names)) +
                         string_array("conventions", v.conventions)));
    file.text(fmt::format("    <Piece Extent=\"{}\">\n      <CellData>\n", extent));
    const std::int64_t cells = grid.cells();
    density = file.array("density_kg_per_m3", Kind::float32, 1, cells);
    sar = file.array(voxel_sar_name(v.is_sampled), Kind::float32, 1, cells);
    if (!grid.tissue.empty()) tissue = file.array("tissue", Kind::int32, 1, cells);
    for (const auto& average : v.averages) {
      const std::string name = "SAR_" + dosimetry::mass_text(average.mass_kg);
      masses.push_back({file.array(name + "_W_per_kg", Kind::float32, 1, cells),
                        file.array(name + "_status", Kind::uint8, 1, cells)});
    }
    file.text("      </CellData>\n");
    if (!uniform) {
      file.text("      <Coordinates>\n");
      for (int a = 0; a < 3; ++a) nodes[a] = file.array("", Kind::float64, 1, grid.cells(a) + 1);
      file.text("      </Coordinates>\n");
    }
    file.text(fmt::format("    </Piece>\n  </{}>\n", uniform ? "ImageData" : "RectilinearGrid"));
  }
};

// In parts, so that little waits in memory.
template <class T, class Value>
void write_array(AppendedFile& file, std::size_t array, std::size_t size, const Value& value) {
  constexpr std::size_t values_per_run = std::size_t{1} << 22;
  AppendedFile::runs(size, values_per_run, [&](std::size_t first, std::size_t count) {
    file.write<T>(array, first, count, [&, first](std::size_t i) { return value(first + i); });
  });
}
template <class T, class V>
void write_array(AppendedFile& file, std::size_t array, const std::vector<V>& values) {
  write_array<T>(file, array, values.size(), [&](std::size_t i) { return values[i]; });
}

}  // namespace

std::string voxel_file_name(bool are_cubes) { return are_cubes ? "sar.vti" : "sar.vtr"; }

std::int64_t write_voxels(const std::filesystem::path& path, const AveragedVoxels& voxels) {
  const bool uniform = voxels.grid.is_uniform();
  const VoxelLayout layout(voxels, uniform);
  AppendedFile file(path, layout.file);
  write_array<float>(file, layout.density, voxels.grid.density);
  write_array<float>(file, layout.sar, voxels.grid.sar);
  if (!voxels.grid.tissue.empty()) {
    const auto tissue_of = [&](std::size_t v) {
      return voxels.grid.density[v] > 0 ? static_cast<std::int32_t>(voxels.grid.tissue[v]) : -1;
    };
    write_array<std::int32_t>(file, layout.tissue, voxels.grid.tissue.size(), tissue_of);
  }
  for (std::size_t m = 0; m < layout.masses.size(); ++m) {
    const auto& average = voxels.averages[m];
    write_array<float>(file, layout.masses[m].sar, average.sar);
    write_array<std::uint8_t>(file, layout.masses[m].status, average.status);
  }
  if (!uniform)
    for (int a = 0; a < 3; ++a) write_array<double>(file, layout.nodes[a], voxels.grid.nodes[a]);
  file.close();
  return layout.file.bytes();
}

double voxel_file_bytes(double voxels, std::size_t masses) {
  constexpr double of_grid = 12, of_mass = 5;  // bytes per voxel
  return voxels * (of_grid + of_mass * double(masses));
}

}  // namespace dgtd::io
