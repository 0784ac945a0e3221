#include "fdtd/steps/passes/volume_cuts.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>

namespace dgtd::fdtd {

namespace {

using Shape = VolumeTileShape;
constexpr int x = 0, y = 1, z = 2;

class Cutter {
 public:
  Cutter(const VolumeTiling& tiling, const GridLayout& layout, const VolumeContents& contents,
         const VolumeSourceLists& sources, int multiprocessors)
      : tiling_(tiling),
        contents_(contents),
        sources_(sources),
        multiprocessors_(multiprocessors),
        steps_(tiling.steps()),
        first_own_(layout.below),
        end_own_(layout.below + layout.cells[z]) {}

  std::vector<VolumeTask> tasks() const {
    const std::vector<int> boundaries = plane_boundaries();
    std::vector<VolumeTask> tasks, of_least_time;
    for (std::size_t k = 0; k + 1 < boundaries.size(); ++k)
      for (int j = 0; j < tiling_.tiles(y); ++j)
        for (int i = 0; i < tiling_.tiles(x); ++i) {
          const VolumeTask column = tiling_.task(i, j, first_own_, end_own_);
          const VolumeTask part = tiling_.task(i, j, boundaries[k], boundaries[k + 1]);
          if (!has_Cb_or_dampers(column)) append(tasks, divided(part, cuts_around_contents(part)));
          else if (k == 0) append(of_least_time, divided_for_least_time(column, boundaries));
        }
    // Neighbours run together, so that they find what they share in the second cache.
    std::stable_sort(of_least_time.begin(), of_least_time.end(),
                     [](const VolumeTask& a, const VolumeTask& b) { return a.first[z] < b.first[z]; });
    append(tasks, of_least_time);
    return last_ones_halved(balanced(tasks));
  }

 private:
  static void append(std::vector<VolumeTask>& tasks, const std::vector<VolumeTask>& others) {
    tasks.insert(tasks.end(), others.begin(), others.end());
  }
  VolumeTileContent content_of(const VolumeTask& task) const {
    const VolumeRegion r = tiling_.region_of(task);
    const auto [first_entry, end_entry] = sources_.planes_in(r);
    return contents_.served(r, first_entry < end_entry, sources_.has_ports(r));
  }
  double time_of(const VolumeTask& task) const {
    return contents_.time_of(content_of(task), tiling_.region_of(task), task.end[z] - task.first[z] + more_planes());
  }
  bool has_Cb_or_dampers(const VolumeTask& column) const {
    const VolumeRegion r = tiling_.region_of(column);
    return contents_.damped(r) || contents_.has_Cb(r);
  }
  // Planes that a task computes beside its own, and the time until its first plane is complete.
  int more_planes() const { return 2 * steps_ + 2; }
  // Own planes of a task whose others, up to a turn of registers, have room too.
  int most_planes(const VolumeTileContent& content) const { return content.most_planes() - 6 * steps_; }

  // Layers along z have planes of their own; the others in parts such that all multiprocessors end together.
  std::vector<int> plane_boundaries() const {
    const int first = first_own_, end = end_own_;
    int below = first, above = end;
    while (below < end && contents_.layered(z, below)) ++below;
    while (above > below && contents_.layered(z, above - 1)) --above;
    if (below > first) below = std::min(below + steps_ + 1, end);
    if (above < end) above = std::max(above - steps_ - 1, below);
    const int planes = above - below, columns = tiling_.tiles(x) * tiling_.tiles(y);
    const int most = most_planes({}), fewest_parts = std::max(1, (planes + most - 1) / most);
    int best = fewest_parts;
    double least = 1e300;
    for (int parts = fewest_parts; parts <= fewest_parts + 64 && planes > 0; ++parts) {
      const double of_part = double(planes) / parts;
      const double waves = std::ceil(double(columns) * parts / multiprocessors_);
      const double cost = waves * (of_part + 2 * steps_ - 1);
      if (cost < 0.999 * least) least = cost, best = parts;
    }
    std::vector<int> boundaries{first};
    if (below > first) boundaries.push_back(below);
    for (int p = 1; p <= best && planes > 0; ++p)
      boundaries.push_back(below + static_cast<int>(std::int64_t(planes) * p / best));
    if (boundaries.back() < end) boundaries.push_back(end);
    return boundaries;
  }

  // The ends of a part, and cuts that leave planes with sources or several media apart from the others, whose kernel
  // is faster.
  std::vector<int> cuts_around_contents(const VolumeTask& part) const {
    const VolumeRegion r = tiling_.region_of(part);
    std::vector<int> cuts{part.first[z], part.end[z]};
    for (const auto& [first, end] : {sources_.planes_in(r), contents_.planes_with(VolumeContents::own_media, r)})
      if (first < end) cuts.push_back(first - steps_), cuts.push_back(end + steps_);
    std::sort(cuts.begin(), cuts.end());
    return cuts;
  }
  static std::vector<VolumeTask> divided(const VolumeTask& part, const std::vector<int>& cuts) {
    constexpr int fewest = 4;  // a task computes 2 steps - 1 planes besides its own
    std::vector<VolumeTask> tasks;
    int from = part.first[z];
    for (const int cut : cuts) {
      if (cut - from < fewest || (part.end[z] - cut < fewest && cut != part.end[z])) continue;
      if (cut > part.end[z]) break;
      tasks.push_back(part);
      tasks.back().first[z] = from;
      tasks.back().end[z] = from = cut;
    }
    if (from < part.end[z]) {
      tasks.push_back(part);
      tasks.back().first[z] = from;
    }
    return tasks;
  }

  // Cuts of a column among those above, such that the sum of the tasks' times is least: the least time of all planes
  // below a cut is that of those below an earlier one and of the task between the two.
  std::vector<VolumeTask> divided_for_least_time(const VolumeTask& column, const std::vector<int>& boundaries) const {
    std::vector<int> cuts = cuts_around_contents(column);
    cuts.insert(cuts.end(), boundaries.begin(), boundaries.end());
    std::sort(cuts.begin(), cuts.end());
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    std::erase_if(cuts, [&](int cut) { return cut < column.first[z] || cut > column.end[z]; });
    constexpr double never = 1e300;
    std::vector<double> least(cuts.size(), never);
    std::vector<std::size_t> before(cuts.size(), 0);
    least[0] = 0;
    for (std::size_t to = 1; to < cuts.size(); ++to)
      for (std::size_t from = 0; from < to; ++from) {
        VolumeTask task = column;
        task.first[z] = cuts[from], task.end[z] = cuts[to];
        const int planes = cuts[to] - cuts[from];
        const VolumeTileContent content = content_of(task);
        if (planes > most_planes(content)) continue;
        const double time = least[from] + time_of(task);
        if (time < least[to]) least[to] = time, before[to] = from;
      }
    std::vector<int> chosen;
    for (std::size_t at = cuts.size() - 1; at > 0; at = before[at]) chosen.push_back(cuts[at]);
    std::vector<VolumeTask> tasks;
    for (int from = column.first[z]; !chosen.empty(); from = tasks.back().end[z], chosen.pop_back()) {
      tasks.push_back(column);
      tasks.back().first[z] = from, tasks.back().end[z] = chosen.back();
    }
    return tasks;
  }

  // Tasks that take longer than an even share of all work are divided along z, as far as that pays.
  std::vector<VolumeTask> balanced(const std::vector<VolumeTask>& tasks) const {
    std::vector<double> of_task;
    for (const VolumeTask& task : tasks) of_task.push_back(time_of(task));
    const double share = std::accumulate(of_task.begin(), of_task.end(), 0.0) / multiprocessors_;
    std::vector<VolumeTask> parts;
    for (std::size_t n = 0; n < tasks.size(); ++n) {
      const int planes = tasks[n].end[z] - tasks[n].first[z];
      const double of_plane = of_task[n] / (planes + more_planes());
      int count = 1;
      while (of_plane * (planes / count + more_planes()) > share && planes / (count + 1) >= 2 * steps_) ++count;
      append(parts, in_parts(tasks[n], count));
    }
    return parts;
  }
  static std::vector<VolumeTask> in_parts(const VolumeTask& task, int count) {
    std::vector<VolumeTask> parts(static_cast<std::size_t>(count), task);
    const int first = task.first[z], planes = task.end[z] - first;
    for (int part = 0; part < count; ++part) {
      parts[static_cast<std::size_t>(part)].first[z] = first + planes * part / count;
      parts[static_cast<std::size_t>(part)].end[z] = first + planes * (part + 1) / count;
    }
    return parts;
  }

  // Long tasks whose planes differ leave multiprocessors idle in their last wave. So many of them are divided in two
  // that all end earliest, and these begin last.
  std::vector<VolumeTask> last_ones_halved(const std::vector<VolumeTask>& tasks) const {
    std::vector<std::size_t> long_ones;
    std::vector<double> of_task, of_half;
    for (std::size_t n = 0; n < tasks.size(); ++n) {
      of_task.push_back(time_of(tasks[n]));
      if (content_of(tasks[n]).by_plane && tasks[n].end[z] - tasks[n].first[z] >= 4 * steps_) long_ones.push_back(n);
    }
    if (long_ones.empty()) return tasks;
    std::stable_partition(long_ones.begin(), long_ones.end(),
                          [&](std::size_t n) { return content_of(tasks[n]).damped; });  // which begin first
    for (const std::size_t n : long_ones) of_half.push_back(time_of(in_parts(tasks[n], 2)[0]));
    std::size_t best = 0;
    double least = 1e300;
    const std::size_t tries = 64, stride = std::max<std::size_t>(1, long_ones.size() / tries);
    for (std::size_t halved = 0; halved <= long_ones.size(); halved += stride) {
      std::vector<double> times = of_task;
      for (std::size_t n = long_ones.size() - halved; n < long_ones.size(); ++n) {
        times[long_ones[n]] = of_half[n];
        times.push_back(of_half[n]);
      }
      if (const double end = end_of(times); end < 0.995 * least) least = end, best = halved;
    }
    std::vector<bool> is_halved(tasks.size(), false);
    for (std::size_t n = long_ones.size() - best; n < long_ones.size(); ++n) is_halved[long_ones[n]] = true;
    std::vector<VolumeTask> all, halves;
    for (std::size_t n = 0; n < tasks.size(); ++n)
      append(is_halved[n] ? halves : all, in_parts(tasks[n], is_halved[n] ? 2 : 1));
    append(all, halves);
    return all;
  }
  // When tasks end of which the longest begin first.
  double end_of(std::vector<double> times) const {
    std::sort(times.begin(), times.end(), std::greater<>());
    std::priority_queue<double, std::vector<double>, std::greater<>> free_at;
    for (int n = 0; n < multiprocessors_; ++n) free_at.push(0);
    double last = 0;
    for (const double time : times) {
      const double end = free_at.top() + time;
      free_at.pop();
      free_at.push(end);
      last = std::max(last, end);
    }
    return last;
  }

  const VolumeTiling& tiling_;
  const VolumeContents& contents_;
  const VolumeSourceLists& sources_;
  const int multiprocessors_, steps_;
  const int first_own_, end_own_;  // of the block's own planes
};

}  // namespace

std::vector<int> tile_boundaries(int n, int most, int most_at_end, int unit) {
  // Inner boundaries are multiples of the unit, so that tiles beside them have no more than whole units.
  const int inner = most / unit * unit, first = most_at_end / unit * unit;
  if (n <= most_at_end) return {0, n};
  int tiles = 2;
  while (first + (tiles - 2) * inner + most_at_end < n) ++tiles;
  std::vector<int> boundaries{0};
  for (int i = 1; i < tiles; ++i) {
    const int even = static_cast<int>(std::int64_t(n) * i / tiles) / unit * unit;
    const int tiles_above = tiles - i;
    const int least = (n - most_at_end - (tiles_above - 1) * inner + unit - 1) / unit * unit;
    const int greatest = boundaries.back() + (i == 1 ? first : inner);
    boundaries.push_back(std::clamp(even, std::min(least, greatest), greatest));
  }
  boundaries.push_back(n);
  return boundaries;
}

VolumeTiling::VolumeTiling(const GridLayout& layout, int steps, int row_groups) : layout_(layout), steps_(steps) {
  const int rows = row_groups * Shape::rows_of_group;
  boundaries_[x] = tile_boundaries(layout.cells[x], Shape::columns - 2 * steps, Shape::columns - steps - 1, 8);
  boundaries_[y] = tile_boundaries(layout.cells[y], rows - 2 * steps, rows - steps, 2);
}

// Along x tiles begin before the grid's end, so that what they read and write begins at whole sectors of memory.
int VolumeTiling::start(int axis, int n) const {
  const int first = boundaries_[axis][static_cast<std::size_t>(n)] - steps_;
  return axis == x ? first : std::max(first, 0);
}

VolumeTask VolumeTiling::task(int tile_x, int tile_y, int first, int end) const {
  VolumeTask task{start(x, tile_x), start(y, tile_y), {0, 0, first}, {0, 0, end}, -1, {0, 0}};
  for (const auto& [axis, n] : {std::pair(x, tile_x), std::pair(y, tile_y)}) {
    task.first[axis] = boundaries_[axis][static_cast<std::size_t>(n)];
    task.end[axis] = boundaries_[axis][static_cast<std::size_t>(n) + 1];
  }
  return task;
}

VolumeRegion VolumeTiling::region_of(const VolumeTask& task) const {
  const int planes = layout_.below + layout_.cells[z] + layout_.above;
  VolumeRegion r{};
  for (int a = 0; a < 3; ++a) {
    r.first[a] = std::max(task.first[a] - steps_, 0);
    r.end[a] = std::min(task.end[a] + steps_, a == z ? planes : layout_.cells[a]);
  }
  return r;
}

std::vector<VolumeTask> volume_tasks(const VolumeTiling& tiling, const GridLayout& layout,
                                     const VolumeContents& contents, const VolumeSourceLists& sources,
                                     int multiprocessors) {
  return Cutter(tiling, layout, contents, sources, multiprocessors).tasks();
}

}  // namespace dgtd::fdtd
