#include "prepare_labels.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "dgtd/base/error.hpp"

namespace dgtd::mesher {
namespace {

/// Voxels [low, high) along each axis.
struct Range {
  std::array<int, 3> low, high;
};

std::vector<int> labels_of(const grid::Voxels& voxels) {
  std::array<bool, 256> found{};
  for (const std::uint8_t label : voxels.label) found[label] = true;
  std::vector<int> labels;
  for (int l = 0; l < 256; ++l)
    if (found[l]) labels.push_back(l);
  return labels;
}

// Labels become indices of tissues.
void map_labels(grid::Voxels& voxels, const std::vector<int>& labels, const TissueTable& table,
                const std::string& image) {
  std::array<int, 256> tissue;
  tissue.fill(-1);
  for (std::size_t t = 0; t < table.tissues.size(); ++t)
    for (const int label : table.tissues[t].labels) {
      tissue[label] = static_cast<int>(t);
      if (t > 0 && std::find(labels.begin(), labels.end(), label) == labels.end())
        throw Error(fmt::format("{}: there is no label {} of tissue '{}'; the labels are {}", image, label,
                                table.tissues[t].name, fmt::join(labels, ", ")));
    }
  for (const int label : labels)
    if (tissue[label] < 0) throw Error(fmt::format("{}: label {} has no tissue in {}", image, label, table.source));
#pragma omp parallel for schedule(static)
  for (std::size_t v = 0; v < voxels.label.size(); ++v)
    voxels.label[v] = static_cast<std::uint8_t>(tissue[voxels.label[v]]);
}

Range range_of_tissues(const grid::Voxels& voxels, const std::string& image) {
  Range r{voxels.size, {0, 0, 0}};
  std::size_t v = 0;
  for (int k = 0; k < voxels.size[2]; ++k)
    for (int j = 0; j < voxels.size[1]; ++j)
      for (int i = 0; i < voxels.size[0]; ++i, ++v)
        if (voxels.label[v] != 0) {
          const int at[3] = {i, j, k};
          for (int a = 0; a < 3; ++a) {
            r.low[a] = std::min(r.low[a], at[a]);
            r.high[a] = std::max(r.high[a], at[a] + 1);
          }
        }
  if (r.high[0] == 0) throw Error(fmt::format("{}: there is no tissue in the image", image));
  return r;
}

/// The most frequent tissue of every factor[0] x factor[1] x factor[2] voxels; the air around them has `border` voxels.
LabelGrid reduce(const grid::Voxels& voxels, const Range& range, const std::array<int, 3>& factor, int border,
                 std::size_t tissues) {
  LabelGrid grid;
  for (int a = 0; a < 3; ++a) {
    const int inner = (range.high[a] - range.low[a] + factor[a] - 1) / factor[a];
    grid.size[a] = inner + 2 * border;
    grid.spacing[a] = factor[a] * voxels.spacing[a];
    grid.corner[a] = range.low[a] * voxels.spacing[a] - border * grid.spacing[a];
  }
  grid.tissue.assign(std::size_t(grid.size[0]) * grid.size[1] * grid.size[2], 0);
#pragma omp parallel for schedule(static)
  for (int k = border; k < grid.size[2] - border; ++k)
    for (int j = border; j < grid.size[1] - border; ++j)
      for (int i = border; i < grid.size[0] - border; ++i) {
        std::array<int, 32> count{};
        const int first[3] = {range.low[0] + (i - border) * factor[0], range.low[1] + (j - border) * factor[1],
                              range.low[2] + (k - border) * factor[2]};
        for (int c = first[2]; c < first[2] + factor[2]; ++c)
          for (int b = first[1]; b < first[1] + factor[1]; ++b)
            for (int a = first[0]; a < first[0] + factor[0]; ++a)
              ++count[a < voxels.size[0] && b < voxels.size[1] && c < voxels.size[2]
                          ? voxels.label[(std::size_t(c) * voxels.size[1] + b) * voxels.size[0] + a]
                          : 0];
        grid.tissue[grid.at(i, j, k)] = static_cast<std::uint8_t>(
            std::max_element(count.begin(), count.begin() + static_cast<std::ptrdiff_t>(tissues)) - count.begin());
      }
  return grid;
}

std::vector<double> count_volumes(const grid::Voxels& voxels, std::size_t tissues) {
  std::vector<std::int64_t> count(tissues, 0);
  for (const std::uint8_t t : voxels.label) ++count[t];
  std::vector<double> result;
  for (const std::int64_t c : count)
    result.push_back(double(c) * voxels.spacing.x * voxels.spacing.y * voxels.spacing.z);
  return result;
}

double volume_of_cavities(const LabelGrid& grid) {
  const Pieces pieces = find_pieces(grid);
  std::int64_t voxels = 0;
  for (std::size_t p = 1; p < pieces.tissue.size(); ++p)
    if (pieces.tissue[p] == 0) voxels += pieces.voxels[p];
  return double(voxels) * grid.voxel_volume();
}

std::vector<std::vector<double>> volumes_of_pieces(const LabelGrid& grid, std::size_t tissues, double least) {
  const Pieces pieces = find_pieces(grid);
  std::vector<std::vector<double>> result(tissues);
  for (std::size_t p = 0; p < pieces.tissue.size(); ++p)
    if (const double volume = double(pieces.voxels[p]) * grid.voxel_volume(); volume >= least)
      result[pieces.tissue[p]].push_back(volume);
  for (auto& list : result) std::sort(list.rbegin(), list.rend());
  return result;
}

// smoothing: m, which a tube must survive.
void apply_rules(LabelGrid& grid, const TissueTable& table, double island, double smoothing) {
  remove_islands(grid, island);
  const LabelGrid before = grid;
  for (std::size_t t = 0; t < table.tissues.size(); ++t)
    if (table.tissues[t].thickness > 0) remove_thin_parts(grid, static_cast<int>(t), table.tissues[t].thickness);
  for (const LayerRule& layer : table.layers)
    keep_apart(grid, table.find(layer.of), table.find(layer.inner), table.find(layer.outer), layer.thickness);
  for (std::size_t t = 1; t < table.tissues.size(); ++t)
    if (table.tissues[t].thickness > 0)
      reconnect(grid, before, static_cast<int>(t), std::max(table.tissues[t].thickness, 5 * smoothing), island);
  for (const ShellRule& shell : table.shells)
    split_shell(grid, table.find(shell.name), table.find(shell.of), shell.thickness);
  remove_islands(grid, island);
}

}  // namespace

PreparedLabels prepare_labels(const FromLabels& settings, TissueTable& table) {
  PreparedLabels result{grid::read_oriented_voxels(settings.image, settings.unit), {}, {}, {}};
  grid::Voxels voxels = std::move(result.frame.voxels);
  const std::string image = settings.image.string();
  const std::vector<int> labels = labels_of(voxels);
  if (settings.tissues.empty()) table = default_tissue_table(labels);
  map_labels(voxels, labels, table, image);
  const std::size_t tissues = table.tissues.size();
  result.image_volumes = count_volumes(voxels, tissues);
  std::array<int, 3> factor;
  for (int a = 0; a < 3; ++a)
    factor[a] = std::max(1, static_cast<int>(std::floor(settings.resolution / voxels.spacing[a] * 1.001)));
  const Range range = range_of_tissues(voxels, image);
  const double coarsest =
      std::max({factor[0] * voxels.spacing.x, factor[1] * voxels.spacing.y, factor[2] * voxels.spacing.z});
  const int border = 3 + static_cast<int>(std::ceil(3.5 * settings.smoothing / coarsest));
  result.grid = reduce(voxels, range, factor, border, tissues);
  result.image_volumes[0] = volume_of_cavities(result.grid);
  result.image_pieces = volumes_of_pieces(result.grid, tissues, settings.island);
  apply_rules(result.grid, table, settings.island, settings.smoothing);

  // The volume that a shell takes from its tissue is known from the grid alone.
  const std::vector<double> of_grid = volumes(result.grid, tissues);
  for (const ShellRule& shell : table.shells) {
    result.image_volumes[table.find(shell.name)] += of_grid[table.find(shell.name)];
    result.image_volumes[table.find(shell.of)] -= of_grid[table.find(shell.name)];
  }
  for (std::size_t t = 1; t < tissues; ++t)
    if (of_grid[t] == 0)
      throw Error(fmt::format("{}: nothing is left of tissue '{}' after smoothing and the rules of {}", image,
                              table.tissues[t].name, table.source));
  return result;
}

}  // namespace dgtd::mesher
