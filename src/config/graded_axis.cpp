// The ends of intervals cut the axis into segments, each with a largest spacing. Spacing s next to a cell a at distance
// x is at most s = ratio a + (ratio - 1) x, the sum of a geometric series. Segments that this bound does not touch are
// uniform. Then come the others, from the finest neighbourhood outwards, each between cells that are known on one side
// or both:
//   h_k = min(max(w, l_k), u_k),  l_k = max(a q^-k, b q^-(n+1-k)),  u_k = min(limit, a q^k, b q^(n+1-k)),  k = 1..n,
// with neighbours a and b and the ratio q (of a neighbour without cells u has what others leave it). l, u and a
// constant w obey the ratio, and so do their minima and maxima; n is the smallest number with sum(u) >= length and w
// makes the sum the length. Where sum(l) > length (a segment too short for a whole number of cells near a and b) the
// segment is made finer, and all begins again.
#include "graded_axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "dgtd/base/error.hpp"
#include "codec.hpp"

namespace dgtd::config {
namespace {

constexpr double rounding = 1e-9;  // relative
constexpr double exact = 1e-10;    // the same: a uniform grid's spacing stays what it was
constexpr double slack = 0.9;      // of the slope of bounds, for whole numbers of cells
constexpr double infinity = std::numeric_limits<double>::infinity();

// Cells beside the end of a segment.
struct Neighbour {
  double spacing = 0;       // m, of the cell there; 0: the axis ends or the cell is not known yet
  double reach = infinity;  // m, the largest that the segment's cell beside it may be
};

const std::string too_many = fmt::format("refinements make more than {} cells", most_cells);

struct Segment {
  double length, limit;       // m, largest spacing
  int layer = 0;              // absorbing cells at the axis' end that it belongs to
  std::vector<double> cells;  // m; empty: not known yet
};

bool is_same(double a, double b) { return std::abs(a - b) <= exact * b; }

// More than most_cells where there are more, whatever their number.
std::int64_t cells_of(double length, double spacing) {
  if (!(length / spacing <= double(most_cells))) return most_cells + 1;
  return std::max<std::int64_t>(1, std::llround(std::ceil(length / spacing - rounding)));
}

double uniform_spacing(const Segment& s) {
  const double spacing = s.length / static_cast<double>(cells_of(s.length, s.limit));
  return is_same(spacing, s.limit) ? s.limit : spacing;
}

double sum_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double v : values) sum += v;
  return sum;
}

// The bounds l and u of n cells between neighbours a and b. The last `flat` cells have the same bounds (the axis ends
// at b then).
struct Bounds {
  std::vector<double> lower, upper;  // m, [n]
};
Bounds bounds_of(std::int64_t n, double limit, const Neighbour& a, const Neighbour& b, double ratio, int flat) {
  Bounds bounds;
  for (std::int64_t k = 1; k <= n; ++k) {
    const double from_a = std::pow(ratio, static_cast<double>(std::min(k, std::max<std::int64_t>(1, n - flat)) - 1));
    const double from_b = std::pow(ratio, static_cast<double>(n - k));
    bounds.lower.push_back(std::max(a.spacing / (ratio * from_a), b.spacing / (ratio * from_b)));
    bounds.upper.push_back(std::min({limit, a.reach * from_a, b.reach * from_b}));
  }
  return bounds;
}

// Spacings between the bounds with that sum: a constant w where it lies between them.
std::vector<double> clamped(const Bounds& bounds, double length, double limit) {
  const auto with = [&](double w) {
    std::vector<double> cells;
    for (std::size_t k = 0; k < bounds.lower.size(); ++k)
      cells.push_back(std::min(std::max(w, bounds.lower[k]), bounds.upper[k]));
    return cells;
  };
  double low = 0, high = limit;
  for (int i = 0; i < 100; ++i) {
    const double middle = 0.5 * (low + high);
    (sum_of(with(middle)) < length ? low : high) = middle;
  }
  if (is_same(high, limit)) high = limit;
  auto cells = with(high);
  if (const double sum = sum_of(cells); !is_same(sum, length))
    for (double& cell : cells) cell *= length / sum;  // what `rounding` lets pass
  return cells;
}

// The cells of a segment between neighbours a and b; empty: there are none.
std::vector<double> cells_between(double length, double limit, const Neighbour& a, const Neighbour& b, double ratio,
                                  int flat) {
  const auto upper_sum = [&](std::int64_t n) { return sum_of(bounds_of(n, limit, a, b, ratio, flat).upper); };
  const double enough = length * (1 - rounding);
  std::int64_t few = 0, many = cells_of(length, limit);
  while (upper_sum(many) < enough) few = many, many = std::min(2 * many, many + most_cells);
  while (many - few > 1) (upper_sum((few + many) / 2) < enough ? few : many) = (few + many) / 2;
  const Bounds bounds = bounds_of(many, limit, a, b, ratio, flat);
  for (std::size_t k = 0; k < bounds.lower.size(); ++k)
    if (bounds.lower[k] > bounds.upper[k] * (1 + rounding)) return {};
  if (sum_of(bounds.lower) > length * (1 + rounding)) return {};
  return clamped(bounds, length, limit);
}

// The cells next to an absorbing layer, from neighbour a to the axis' end, with the layer.
std::vector<double> cells_with_layer(const Segment& s, const Neighbour& a, double ratio) {
  const double rest = s.length - s.layer * s.limit;  // inside the layer
  std::vector<double> cells;
  const bool fits = rest > -rounding * s.limit &&
                    (rest > rounding * s.limit
                         ? !(cells = cells_between(rest, s.limit, a, {s.limit, s.limit * ratio}, ratio, 0)).empty()
                         : s.limit <= a.reach * (1 + rounding));
  if (!fits) return cells_between(s.length, s.limit, a, {}, ratio, s.layer);
  cells.insert(cells.end(), static_cast<std::size_t>(s.layer), s.limit);
  return cells;
}

class Axis {
 public:
  Axis(const GradedAxis& axis, const std::vector<FineInterval>& intervals) : axis_(axis) { cut(intervals); }

  // Until no segment must be finer.
  std::vector<double> spacings() {
    if (count() == 1) segments_[0].layer = 0;  // nothing to grow from
    for (int i = 0; i < 10000; ++i) {
      for (Segment& s : segments_) s.cells.clear();
      Segment* const tight = fill();
      if (!tight) return joined();
      const std::int64_t n = cells_of(tight->length, tight->limit);
      tight->limit = tight->length / static_cast<double>(n + 1 + n / 5);
      tight->layer = 0;
    }
    throw Error(
        "no spacings obey the ratio and have the faces of the boxes as nodes; move the faces apart or together, or "
        "allow a larger ratio");
  }

 private:
  int count() const { return static_cast<int>(segments_.size()); }

  // The next segment on either side; -1: the axis ends.
  int neighbour(int i, int step) const {
    const int j = i + step;
    if (axis_.periodic) return (j + count()) % count();
    return j < 0 || j == count() ? -1 : j;
  }

  // The neighbour before (step -1) or after a segment, with what others leave it where it has no cells yet.
  Neighbour next_to(int i, int step, double reach) const {
    const int j = neighbour(i, step);
    if (j < 0 || segments_[j].cells.empty()) return {0, reach};
    const double spacing = step > 0 ? segments_[j].cells.front() : segments_[j].cells.back();
    return {spacing, spacing * axis_.ratio};
  }

  void cut(const std::vector<FineInterval>& intervals) {
    double finest = axis_.spacing;
    for (const FineInterval& f : intervals) finest = std::min(finest, f.spacing);
    std::vector<double> faces{0, axis_.length};
    for (const FineInterval& f : intervals)
      for (const double x : {f.lower, f.upper})
        if (x > 0 && x < axis_.length) faces.push_back(x);
    std::sort(faces.begin(), faces.end());
    const auto same = [&](double a, double b) { return b - a < 1e-6 * finest; };
    faces.erase(std::unique(faces.begin(), faces.end(), same), faces.end());
    faces.back() = axis_.length;
    for (std::size_t i = 0; i + 1 < faces.size(); ++i) {
      const double middle = 0.5 * (faces[i] + faces[i + 1]);
      Segment s{faces[i + 1] - faces[i], axis_.spacing, 0, {}};
      for (const FineInterval& f : intervals)
        if (f.lower < middle && middle < f.upper) s.limit = std::min(s.limit, f.spacing);
      if (s.limit == axis_.spacing && i == 0) s.layer = axis_.lower_layer;
      if (s.limit == axis_.spacing && i + 2 == faces.size()) s.layer = axis_.upper_layer;
      segments_.push_back(s);
    }
  }

  // The largest spacings that the other segments leave each at its lower and upper end.
  struct Reach {
    double lower = infinity, upper = infinity;  // m
    double least() const { return std::min(lower, upper); }
  };
  std::vector<Reach> reaches() const {
    std::vector<Reach> reaches(segments_.size());
    for (int i = 0; i < count(); ++i)
      for (const int step : {-1, 1}) {
        const Segment& s = segments_[i];
        double reach = axis_.ratio * (s.layer > 0 ? std::min(s.limit, s.length) : uniform_spacing(s));
        int j = neighbour(i, step);
        for (int n = 1; j >= 0 && n < count(); ++n, j = neighbour(j, step)) {
          double& end = step > 0 ? reaches[j].lower : reaches[j].upper;
          end = std::min(end, reach);
          reach += slack * (axis_.ratio - 1) * segments_[j].length;
        }
      }
    return reaches;
  }

  // The segment that has no cells between its neighbours; null: all have theirs.
  Segment* fill() {
    const auto reach = reaches();
    std::vector<int> later;
    std::int64_t cells = 0;
    for (int i = 0; i < count(); ++i) {
      Segment& s = segments_[i];
      const std::int64_t n = cells_of(s.length, s.limit);
      if ((cells += n) > most_cells) throw Error(too_many);
      if (s.layer == 0 && uniform_spacing(s) <= reach[i].least() * (1 + rounding))
        s.cells.assign(static_cast<std::size_t>(n), uniform_spacing(s));
      else later.push_back(i);
    }
    std::stable_sort(later.begin(), later.end(), [&](int a, int b) { return reach[a].least() < reach[b].least(); });
    for (const int i : later) {
      Segment& s = segments_[i];
      const Neighbour a = next_to(i, -1, reach[i].lower), b = next_to(i, 1, reach[i].upper);
      const bool reversed = s.layer > 0 && i == 0;
      if (s.layer > 0) s.cells = cells_with_layer(s, reversed ? b : a, axis_.ratio);
      else s.cells = cells_between(s.length, s.limit, a, b, axis_.ratio, 0);
      if (reversed) std::reverse(s.cells.begin(), s.cells.end());
      if (s.cells.empty()) return &s;
    }
    return nullptr;
  }

  std::vector<double> joined() const {
    std::vector<double> all;
    for (const Segment& s : segments_) all.insert(all.end(), s.cells.begin(), s.cells.end());
    if (static_cast<std::int64_t>(all.size()) > most_cells) throw Error(too_many);
    return all;
  }

  GradedAxis axis_;
  std::vector<Segment> segments_;  // from the lower end to the upper
};

}  // namespace

std::vector<double> graded_spacings(const GradedAxis& axis, const std::vector<FineInterval>& intervals) {
  return Axis(axis, intervals).spacings();
}

}  // namespace dgtd::config
