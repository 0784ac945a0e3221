#include "dgtd/grid/permittivity_media.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dgtd/base/error.hpp"
#include "dgtd/base/numpy_file.hpp"
#include "permittivity_box.hpp"

namespace dgtd::grid {
namespace {

constexpr double slack = 1e-6;  // of a voxel

}  // namespace

float PermittivityArray::least() const {
  float least = values.front();
  const auto count = static_cast<std::int64_t>(values.size());
#pragma omp parallel for schedule(static) reduction(min : least) if (count > 100000)
  for (std::int64_t i = 0; i < count; ++i) {
    const float value = values[static_cast<std::size_t>(i)];
    least = value < least ? value : least;
  }
  return least;
}

PermittivityArray read_permittivity(const std::filesystem::path& file, const Vec3& spacing, const Vec3& centre) {
  NumpyArray<float> array = read_numpy<float>(file);
  const auto& shape = array.shape;
  const std::size_t axes = shape.size();
  if (axes != 3 && !(axes == 4 && shape[0] == 3))
    throw Error(
        fmt::format("{}: its shape is {}; it must be x x y x z, or 3 x x x y x z with values per component of E",
                    file.string(), text_of_shape(shape)));
  PermittivityArray result;
  result.components = axes == 4 ? 3 : 1;
  result.spacing = spacing;
  for (int a = 0; a < 3; ++a) {
    const std::size_t n = shape[axes - 3 + static_cast<std::size_t>(a)];
    if (n > 1 << 20)
      throw Error(fmt::format("{}: its shape is {}; at most {} values are allowed along an axis", file.string(),
                              text_of_shape(shape), 1 << 20));
    result.size[static_cast<std::size_t>(a)] = static_cast<int>(n);
    result.low[a] = centre[a] - 0.5 * double(n) * spacing[a];
  }
  result.values = std::move(array.values);
  if (!(result.least() > 0)) {
    const auto bad = std::find_if(result.values.begin(), result.values.end(), [](float x) { return !(x > 0); });
    throw Error(fmt::format("{}: value {} of it is {}; relative permittivities must be > 0", file.string(),
                            bad - result.values.begin(), *bad));
  }
  return result;
}

PermittivityMedia::PermittivityMedia(std::unique_ptr<Media> behind, std::vector<PermittivityArray> arrays,
                                     bool averaging)
    : behind_(std::move(behind)), arrays_(std::move(arrays)), averaging_(averaging) {}

int PermittivityMedia::filling(const Vec3& centre, const Vec3& size) const {
  for (const PermittivityArray& a : arrays_) {
    const Vec3 high = a.high();
    bool apart = false;
    for (int b = 0; b < 3; ++b) {
      const double reach = 0.5 * size[b] + slack * a.spacing[b];
      apart = apart || centre[b] - reach > high[b] || centre[b] + reach < a.low[b];
    }
    if (!apart) return -1;
  }
  return behind_->filling(centre, size);
}

PermittivityMedia::Front PermittivityMedia::front_of(const ComponentBox& box) const {
  for (auto a = arrays_.rbegin(); a != arrays_.rend(); ++a) {
    const Vec3 high = a->high();
    ComponentRange part;
    for (int b = 0; b < 3; ++b) {
      const auto axis = static_cast<std::size_t>(b);
      const double reach = slack * a->spacing[b], from = a->low[b] - reach, to = high[b] + reach;
      const double *const begin = box.place[axis], *const end = begin + box.count[axis];
      part.first[axis] = static_cast<int>(std::lower_bound(begin, end, from) - begin);
      part.end[axis] = static_cast<int>(std::upper_bound(begin, end, to) - begin);
    }
    if (!part.empty()) return {&*a, part};
  }
  return {};
}

const PermittivityArray* PermittivityMedia::array_of(const ComponentBox& box) const {
  const Front front = front_of(box);
  return front.array != nullptr && front.part.first == std::array{0, 0, 0} && front.part.end == box.count ? front.array
                                                                                                          : nullptr;
}

bool PermittivityMedia::permittivities(const ComponentBox& box, double* to) const {
  const PermittivityArray* const array = array_of(box);
  if (array == nullptr) return false;
  if (averages(*array)) average_permittivities(*array, box, to);
  else permittivities_at_places(*array, box, to);
  return true;
}

double PermittivityMedia::common_permittivity(const ComponentBox& box) const {
  const PermittivityArray* const array = array_of(box);
  return array == nullptr ? 0 : common_value(*array, box, averages(*array));
}

LocalMedium PermittivityMedia::electric(const Vec3& place, const Vec3& centre, const Vec3& size, int axis) const {
  const ComponentBox box{
      axis, {1, 1, 1}, {&place.x, &place.y, &place.z}, {&centre.x, &centre.y, &centre.z}, {&size.x, &size.y, &size.z}};
  double permittivity = 0;
  if (permittivities(box, &permittivity)) return {0, permittivity, 0};
  return behind_->electric(place, centre, size, axis);
}

}  // namespace dgtd::grid
