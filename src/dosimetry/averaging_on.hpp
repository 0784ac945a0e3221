#pragma once
// Mass averaging over a backend: memory(), for_each(n, body), for_uneven(n, body) for bodies of uneven work,
// row_width(nx): voxels of a row that one call of a body takes, and voxels_together for VoxelList.
#include <bit>

#include "enclosed_maximum.hpp"
#include "sum_table.hpp"

namespace dgtd::dosimetry {

template <class B>
class AveragingOn {
 public:
  AveragingOn(B& backend, const VoxelGrid& voxels)
      : backend_(backend), voxels_(voxels), box_(tissue_box(voxels)), sums_(voxels, box_, backend.memory()) {
    tissue_ = tissue_voxels(voxels, box_);
    tissue_here_ = parallel::Array<std::uint32_t>::view(tissue_, backend.memory());
    density_ = densities(tissue_);
    density_here_ = parallel::Array<float>::view(density_, backend.memory());
  }

  AveragedSar average(double mass) {
    const auto count = static_cast<std::size_t>(voxels_.cells());
    AveragedSar result{mass, std::vector<float>(count), std::vector<VoxelStatus>(count, VoxelStatus::background),
                       std::vector<Orientation>(count, Orientation::none), std::vector<float>(count)};
    if (tissue_.empty()) return result;
    const auto unused = valid_and_used(mass, result);
    centre_on_faces(mass, unused, result);
    return result;
  }

 private:
  template <class T>
  parallel::Array<T> array(std::size_t size) {
    return parallel::Array<T>(size, backend_.memory());
  }
  std::size_t voxel(std::uint32_t local) const {
    const auto nx = static_cast<std::uint32_t>(box_.cells(0)), ny = static_cast<std::uint32_t>(box_.cells(1));
    return static_cast<std::size_t>(
        ((box_.first[2] + local / nx / ny) * voxels_.cells(1) + box_.first[1] + local / nx % ny) * voxels_.cells(0) +
        box_.first[0] + local % nx);
  }
  std::vector<float> densities(const std::vector<std::uint32_t>& list) const {
    std::vector<float> density(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) density[i] = voxels_.density[voxel(list[i])];
    return density;
  }

  // Sets valid and used voxels; returns the others.
  std::vector<std::uint32_t> valid_and_used(double mass, AveragedSar& result) {
    const std::size_t n = tissue_.size();
    auto valid = array<std::uint8_t>(n);
    auto sar = array<float>(n), side = array<float>(n);
    auto entries = array<std::uint32_t>(n);
    {
      auto enclosed = array<EnclosedBox>(n);
      const VoxelList list{sums_.table(), tissue_here_.read(), density_here_.read(), static_cast<std::int64_t>(n),
                           mass,          B::voxels_together};
      backend_.for_uneven(list.calls(), CentreCubes{list, valid.write(), sar.write(), side.write(), enclosed.write()});
      const EnclosedMaximum<B> largest(backend_, {box_.cells(0), box_.cells(1), box_.cells(2)}, enclosed.read(),
                                       sar.read(), list.count);
      backend_.for_each(list.count, TakeEntries{largest.entries(), tissue_here_.read(), entries.write()});
      backend_.wait();
    }
    const std::uint8_t* const is_valid = valid.host();
    const float *const own = sar.host(), *const edge = side.host();
    const std::uint32_t* const entry = entries.host();
    const auto count = static_cast<std::ptrdiff_t>(n);
#pragma omp parallel for schedule(static)
    for (std::ptrdiff_t i = 0; i < count; ++i) {
      const std::size_t v = voxel(tissue_[i]);
      result.status[v] = is_valid[i] ? VoxelStatus::valid : entry[i] != 0 ? VoxelStatus::used : VoxelStatus::unused;
      result.sar[v] = is_valid[i] ? own[i] : entry[i] != 0 ? std::bit_cast<float>(entry[i] - 1) : 0;
      result.orientation[v] = is_valid[i] ? Orientation::centred : Orientation::none;
      result.side[v] = edge[i];
    }
    std::vector<std::uint32_t> unused;
    for (std::size_t i = 0; i < n; ++i)
      if (!is_valid[i] && entry[i] == 0) unused.push_back(tissue_[i]);
    return unused;
  }

  void centre_on_faces(double mass, const std::vector<std::uint32_t>& unused, AveragedSar& result) {
    const std::size_t n = unused.size();
    const auto density = densities(unused);
    const auto here = parallel::Array<std::uint32_t>::view(unused, backend_.memory());
    const auto density_here = parallel::Array<float>::view(density, backend_.memory());
    auto orientation = array<Orientation>(n);
    auto sar = array<float>(n), side = array<float>(n);
    const VoxelList list{sums_.table(), here.read(),       density_here.read(), static_cast<std::int64_t>(n),
                         mass,          B::voxels_together};
    backend_.for_uneven(list.calls(), FaceCubes{list, orientation.write(), sar.write(), side.write()});
    backend_.wait();
    const Orientation* const face = orientation.host();
    const float *const own = sar.host(), *const edge = side.host();
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t v = voxel(unused[i]);
      if (face[i] == Orientation::none) result.status[v] = VoxelStatus::no_cube;
      result.sar[v] = own[i];
      result.orientation[v] = face[i];
      result.side[v] = edge[i];
    }
  }

  B& backend_;
  const VoxelGrid& voxels_;
  TissueBox box_;
  BoxSums sums_;
  std::vector<std::uint32_t> tissue_;           // numbers in the box
  std::vector<float> density_;                  // of them, kg/m^3
  parallel::Array<std::uint32_t> tissue_here_;  // in the backend's memory
  parallel::Array<float> density_here_;
};

template <class B>
std::vector<AveragedSar> average_on(B& backend, const VoxelGrid& voxels, const std::vector<double>& masses) {
  AveragingOn<B> averaging(backend, voxels);
  std::vector<AveragedSar> averages;
  for (const double mass : masses) averages.push_back(averaging.average(mass));
  return averages;
}

}  // namespace dgtd::dosimetry
