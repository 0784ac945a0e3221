#include "mesh/partition/balance_stages.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

namespace dgtd::mesh {
namespace {

constexpr double most_of_mean = 1.05;
constexpr std::int64_t least_elements = 16;  // per part, of a stage that METIS balances

class StageBalance {
 public:
  StageBalance(const DualGraph& graph, const StagedWork& work, int parts, std::vector<idx_t>& part)
      : graph_(graph),
        work_(work),
        part_(part),
        stages_(static_cast<std::size_t>(work.stages)),
        load_(stages_, std::vector<std::int64_t>(static_cast<std::size_t>(parts), 0)),
        last_(part.size(), 0) {
    std::vector<std::int64_t> sum(stages_, 0), largest(stages_, 1);
    for (std::size_t e = 0; e < part.size(); ++e)
      for (std::size_t s = 0; s < stages_; ++s) {
        const std::int64_t w = of(e, s);
        if (w == 0) continue;
        last_[e] = s;
        load_[s][owner(e)] += w;
        sum[s] += w;
        largest[s] = std::max(largest[s], w);
      }
    for (std::size_t s = 0; s < stages_; ++s) {
      const double mean = static_cast<double>(sum[s]) / parts, element = static_cast<double>(largest[s]);
      most_.push_back(static_cast<std::int64_t>(std::max(most_of_mean * mean, std::ceil(mean / element) * element)));
    }
  }

  bool is_balanced() const {
    for (std::size_t s = 0; s < stages_; ++s)
      if (*std::max_element(load_[s].begin(), load_[s].end()) > most_[s]) return false;
    return true;
  }

  /// From the last stage to the first: the elements whose last stage it is have no work in those that are done.
  void balance() {
    for (std::size_t s = stages_; s-- > 0;) {
      std::vector<std::size_t> elements;
      for (std::size_t e = 0; e < part_.size(); ++e)
        if (last_[e] == s) elements.push_back(e);
      shed_to_neighbours(s, elements);
      shed_anywhere(s, elements);
    }
  }

  /// Fewer faces between parts, or as many and more even work.
  void refine() {
    constexpr int passes = 20;
    for (int pass = 0; pass < passes; ++pass) {
      bool moved = false;
      for (std::size_t e = 0; e < part_.size(); ++e) {
        Target best{owner(e), 0, 0};
        for_neighbours(e, [&](std::size_t to) {
          if (!fits(e, to)) return;
          const Target target{to, fewer_faces(e, to), more_even(e, to)};
          if (target.faces > best.faces || (target.faces == best.faces && target.evenness > best.evenness)) best = target;
        });
        if (best.part == owner(e)) continue;
        move(e, best.part);
        moved = true;
      }
      if (!moved) return;
    }
  }

 private:
  struct Target {
    std::size_t part;
    std::int64_t faces;  // work of the faces between parts that a move saves
    double evenness;     // by which the squares of the loads become smaller
  };

  std::int64_t of(std::size_t e, std::size_t stage) const { return work_.of_element[e * stages_ + stage]; }
  std::size_t owner(std::size_t e) const { return static_cast<std::size_t>(part_[e]); }

  template <typename Visit>
  void for_neighbours(std::size_t e, const Visit& visit) const {
    for (idx_t i = graph_.first[e]; i < graph_.first[e + 1]; ++i) {
      const std::size_t to = owner(static_cast<std::size_t>(graph_.neighbours[static_cast<std::size_t>(i)]));
      if (to != owner(e)) visit(to);
    }
  }

  void move(std::size_t e, std::size_t to) {
    for (std::size_t s = 0; s <= last_[e]; ++s) {
      load_[s][owner(e)] -= of(e, s);
      load_[s][to] += of(e, s);
    }
    part_[e] = static_cast<idx_t>(to);
  }

  bool fits(std::size_t e, std::size_t to) const {
    for (std::size_t s = 0; s <= last_[e]; ++s)
      if (load_[s][to] + of(e, s) > most_[s]) return false;
    return true;
  }

  std::int64_t fewer_faces(std::size_t e, std::size_t to) const {
    std::int64_t fewer = 0;
    for (auto i = static_cast<std::size_t>(graph_.first[e]); i < static_cast<std::size_t>(graph_.first[e + 1]); ++i) {
      const std::size_t there = owner(static_cast<std::size_t>(graph_.neighbours[i]));
      const std::int64_t face = graph_.face_work.empty() ? 1 : graph_.face_work[i];
      if (there == to) fewer += face;
      else if (there == owner(e)) fewer -= face;
    }
    return fewer;
  }

  double more_even(std::size_t e, std::size_t to) const {
    double even = 0;
    for (std::size_t s = 0; s <= last_[e]; ++s)
      even += static_cast<double>((load_[s][owner(e)] - load_[s][to] - of(e, s)) * of(e, s));
    return even;
  }

  // Work flows from part to part, first through elements whose move costs no faces.
  void shed_to_neighbours(std::size_t s, const std::vector<std::size_t>& elements) {
    constexpr int passes = 60, free_passes = 3;
    for (int pass = 0; pass < passes; ++pass) {
      bool moved = false;
      for (const std::size_t e : elements) {
        const std::int64_t here = load_[s][owner(e)];
        if (here <= most_[s]) continue;
        Target best{owner(e), std::numeric_limits<std::int64_t>::min(), 0};
        for_neighbours(e, [&](std::size_t to) {
          if (load_[s][to] + of(e, s) >= here) return;
          const Target target{to, fewer_faces(e, to), -static_cast<double>(load_[s][to])};
          if (target.faces > best.faces || (target.faces == best.faces && target.evenness > best.evenness)) best = target;
        });
        if (best.part == owner(e) || (best.faces < 0 && pass < free_passes)) continue;
        move(e, best.part);
        moved = true;
      }
      if (!moved && pass >= free_passes) return;
    }
  }

  // Sends the excess that remains to the part with the least work, wherever that is.
  void shed_anywhere(std::size_t s, const std::vector<std::size_t>& elements) {
    const auto most = [&] { return std::max_element(load_[s].begin(), load_[s].end()); };
    for (auto from = most(); *from > most_[s]; from = most()) {
      const auto to = std::min_element(load_[s].begin(), load_[s].end());
      const auto source = static_cast<std::size_t>(from - load_[s].begin());
      const auto target = static_cast<std::size_t>(to - load_[s].begin());
      std::size_t best = part_.size();
      for (const std::size_t e : elements)
        if (owner(e) == source && *to + of(e, s) < *from &&
            (best == part_.size() || fewer_faces(e, target) > fewer_faces(best, target)))
          best = e;
      if (best == part_.size()) return;
      move(best, target);
    }
  }

  const DualGraph& graph_;
  const StagedWork& work_;
  std::vector<idx_t>& part_;
  std::size_t stages_;
  std::vector<std::vector<std::int64_t>> load_;  // [stages][parts] work
  std::vector<std::int64_t> most_;               // [stages] that a part may have
  std::vector<std::size_t> last_;                // [elements] last stage with work
};

}  // namespace

StagedWork merged_stages(const StagedWork& work, int parts) {
  const auto stages = static_cast<std::size_t>(work.stages);
  std::vector<std::int64_t> elements(stages, 0);
  for (std::size_t i = 0; i < work.of_element.size(); ++i) elements[i % stages] += work.of_element[i] > 0;
  std::size_t kept = 1;
  while (kept < stages && elements[kept] >= least_elements * parts) ++kept;
  StagedWork merged{static_cast<int>(kept), std::vector<idx_t>(work.of_element.size() / stages * kept, 0)};
  for (std::size_t i = 0; i < work.of_element.size(); ++i)
    merged.of_element[i / stages * kept + std::min(i % stages, kept - 1)] += work.of_element[i];
  return merged;
}

void balance_stages(const DualGraph& graph, const StagedWork& work, int parts, std::vector<idx_t>& part) {
  StageBalance stages(graph, work, parts, part);
  if (stages.is_balanced()) return;
  stages.balance();
  stages.refine();
}

}  // namespace dgtd::mesh
