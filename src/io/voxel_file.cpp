#include "dgtd/io/voxel_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "dgtd/dosimetry/peak_table.hpp"
#include "dgtd/io/appended_file.hpp"
#include "dgtd/io/compressed_values.hpp"
#include "xml.hpp"

namespace dgtd::io {

namespace {

/// An array of the file.
struct PackedArray {
  std::string name;
  Kind kind;
  std::function<std::vector<std::byte>()> pack;  // compressed_values.hpp
  std::vector<std::byte> bytes = {};             // when it is packed
};

template <class V>
auto packed(const std::vector<V>& values) {
  return [&values] { return compressed_values<V>(values.size(), [&](std::size_t i) { return values[i]; }); };
}

std::vector<PackedArray> cell_arrays(const AveragedVoxels& v) {
  const auto& grid = v.grid;
  std::vector<PackedArray> arrays{{"density_kg_per_m3", Kind::float32, packed(grid.density)},
                                  {voxel_sar_name(v.is_sampled), Kind::float32, packed(grid.sar)}};
  if (!grid.tissue.empty())
    arrays.push_back({"tissue", Kind::int32, [&grid] {
                        return compressed_values<std::int32_t>(grid.tissue.size(), [&](std::size_t n) {
                          return grid.density[n] > 0 ? static_cast<std::int32_t>(grid.tissue[n]) : -1;
                        });
                      }});
  for (const auto& average : v.averages) {
    const std::string name = "SAR_" + dosimetry::mass_text(average.mass_kg);
    arrays.push_back({name + "_W_per_kg", Kind::float32, packed(average.sar)});
    arrays.push_back({name + "_status", Kind::uint8, [&average] {
                        return compressed_values<std::uint8_t>(average.status.size(), [&](std::size_t n) {
                          return static_cast<std::uint8_t>(average.status[n]);
                        });
                      }});
  }
  return arrays;
}

// In parts, so that little waits in memory.
void write_array(BackgroundFile& file, std::int64_t offset, const std::vector<std::byte>& bytes) {
  constexpr std::size_t part = std::size_t{1} << 23;
  for (std::size_t first = 0; first < bytes.size(); first += part)
    file.write(offset + static_cast<std::int64_t>(first),
               {reinterpret_cast<const char*>(bytes.data()) + first, std::min(part, bytes.size() - first)});
}

void declare(AppendedLayout& file, std::vector<PackedArray>& arrays) {
  for (PackedArray& a : arrays) {
    a.bytes = a.pack();
    file.compressed_array(a.name, a.kind, 1, static_cast<std::int64_t>(a.bytes.size()));
  }
}

}  // namespace

std::string voxel_file_name(bool are_cubes, const std::string& suffix) {
  return "sar" + suffix + (are_cubes ? ".vti" : ".vtr");
}

FileContents voxel_contents(const AveragedVoxels& voxels) {
  std::vector<Column> columns;
  for (const PackedArray& array : cell_arrays(voxels)) columns.push_back({array.name});
  return contents_in_space(std::move(columns));
}

std::int64_t write_voxels(const std::filesystem::path& path, const AveragedVoxels& v) {
  const auto& grid = v.grid;
  const bool uniform = grid.is_uniform();
  const char* const type = uniform ? "ImageData" : "RectilinearGrid";
  auto arrays = cell_arrays(v);
  AppendedLayout layout(type, Storage::zlib);
  const std::string extent = fmt::format("0 {} 0 {} 0 {}", grid.cells(0), grid.cells(1), grid.cells(2));
  std::string origin;
  if (uniform) {
    const double width = (grid.nodes[0].back() - grid.nodes[0].front()) / double(grid.cells(0));
    origin = fmt::format(" Origin=\"{} {} {}\" Spacing=\"{} {} {}\"", grid.nodes[0].front(), grid.nodes[1].front(),
                         grid.nodes[2].front(), width, width, width);
  }
  layout.text(fmt::format("  <{} WholeExtent=\"{}\"{}>\n", type, extent, origin));
  layout.text(field_data((grid.tissue.empty() ? "" : string_array("tissue_names", grid.tissue_names)) +
                         string_array("conventions", v.conventions)));
  layout.text(fmt::format("    <Piece Extent=\"{}\">\n      <CellData>\n", extent));
  declare(layout, arrays);
  layout.text("      </CellData>\n");
  if (!uniform) {
    std::vector<PackedArray> nodes;
    for (int a = 0; a < 3; ++a) nodes.push_back({"", Kind::float64, packed(grid.nodes[a])});
    layout.text("      <Coordinates>\n");
    declare(layout, nodes);
    layout.text("      </Coordinates>\n");
    for (auto& array : nodes) arrays.push_back(std::move(array));
  }
  layout.text(fmt::format("    </Piece>\n  </{}>\n", type));

  BackgroundFile file(path);
  file.write(0, layout.head());
  for (std::size_t a = 0; a < arrays.size(); ++a) write_array(file, layout.place(a), arrays[a].bytes);
  file.write(layout.bytes() - static_cast<std::int64_t>(layout.tail().size()), layout.tail());
  file.close();
  return layout.bytes();
}

double most_voxel_file_bytes(double voxels, std::size_t masses) {
  constexpr double of_grid = 12, of_mass = 5;  // bytes per voxel
  return voxels * (of_grid + of_mass * double(masses));
}

}  // namespace dgtd::io
