#include "dgtd/grid/permittivity_media.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dgtd/base/error.hpp"
#include "dgtd/base/numpy_file.hpp"

namespace dgtd::grid {
namespace {

constexpr double slack = 1e-6;  // of a voxel

// Voxels along an axis that a range of the box covers, in units of voxels from its lower corner; beyond its ends the
// last one.
struct Covered {
  Covered(const PermittivityArray& array, int axis, double low, double high)
      : size(array.size[static_cast<std::size_t>(axis)]),
        from((low - array.low[axis]) * (1 / array.spacing[axis])),
        to((high - array.low[axis]) * (1 / array.spacing[axis])),
        first(clamped(from + slack)),
        last(clamped(to - slack)) {}
  /// Length of a voxel in the range.
  double part(int i) const {
    const double low = i == first ? from : i, high = i == last ? to : i + 1;
    return high - low;
  }
  int clamped(double x) const { return x <= 0 ? 0 : std::min(static_cast<int>(x), size - 1); }
  int size;
  double from, to;
  int first, last;
};

float value_of(const PermittivityArray& a, int component, int i, int j, int k) {
  return a.values[((std::size_t(component) * a.size[0] + std::size_t(i)) * a.size[1] + std::size_t(j)) * a.size[2] +
                  std::size_t(k)];
}

// Whether all values of a box are the same, as in most of a design.
bool is_uniform(const PermittivityArray& a, const Covered (&box)[3]) {
  const float value = value_of(a, 0, box[0].first, box[1].first, box[2].first);
  for (int i = box[0].first; i <= box[0].last; ++i)
    for (int j = box[1].first; j <= box[1].last; ++j)
      for (int k = box[2].first; k <= box[2].last; ++k)
        if (value_of(a, 0, i, j, k) != value) return false;
  return true;
}

// Layers across the component's field are in series, what is beside each other in a layer is parallel:
//   1 / eps = sum_along part / (sum_across part eps).
double average(const PermittivityArray& a, const Vec3& centre, const Vec3& size, int axis) {
  const auto covered = [&](int b) { return Covered(a, b, centre[b] - 0.5 * size[b], centre[b] + 0.5 * size[b]); };
  const Covered box[3] = {covered(0), covered(1), covered(2)};
  if (is_uniform(a, box)) return double(value_of(a, 0, box[0].first, box[1].first, box[2].first));
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  double inverse = 0;
  for (int n = box[axis].first; n <= box[axis].last; ++n) {
    double sum = 0;
    for (int p = box[u].first; p <= box[u].last; ++p)
      for (int q = box[v].first; q <= box[v].last; ++q) {
        int at[3];
        at[axis] = n, at[u] = p, at[v] = q;
        sum += box[u].part(p) * box[v].part(q) * double(value_of(a, 0, at[0], at[1], at[2]));
      }
    inverse += box[axis].part(n) / sum;
  }
  const auto length = [](const Covered& c) { return c.to - c.from; };
  return length(box[axis]) / (inverse * length(box[u]) * length(box[v]));
}

double at_place(const PermittivityArray& a, const Vec3& x, int axis) {
  int at[3];
  for (int b = 0; b < 3; ++b) at[b] = Covered(a, b, x[b], x[b]).first;
  return double(value_of(a, a.components > 1 ? axis : 0, at[0], at[1], at[2]));
}

}  // namespace

float PermittivityArray::least() const { return *std::min_element(values.begin(), values.end()); }

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
  const auto bad = std::find_if(array.values.begin(), array.values.end(), [](float x) { return !(x > 0); });
  if (bad != array.values.end())
    throw Error(fmt::format("{}: value {} of it is {}; relative permittivities must be > 0", file.string(),
                            bad - array.values.begin(), *bad));
  result.values = std::move(array.values);
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

LocalMedium PermittivityMedia::electric(const Vec3& place, const Vec3& centre, const Vec3& size, int axis) const {
  for (auto a = arrays_.rbegin(); a != arrays_.rend(); ++a) {
    const Vec3 high = a->high();
    bool inside = true;
    for (int b = 0; b < 3; ++b)
      inside = inside && place[b] >= a->low[b] - slack * a->spacing[b] && place[b] <= high[b] + slack * a->spacing[b];
    if (!inside) continue;
    const double permittivity =
        averaging_ && a->components == 1 ? average(*a, centre, size, axis) : at_place(*a, place, axis);
    return {0, permittivity, 0};
  }
  return behind_->electric(place, centre, size, axis);
}

}  // namespace dgtd::grid
