#pragma once
// Waves launched from a face of nodes by equivalent currents: the total field lies on one of its sides, the scattered
// field on the other (Taflove, Hagness 2005, sec. 5.6). What the differences across the face lack is added to E on the
// face (electric current) and to H half a cell outside (magnetic current).
#include <array>
#include <limits>
#include <unordered_map>
#include <utility>

#include "dgtd/base/constants.hpp"
#include "dgtd/fdtd/sources.hpp"
#include "dgtd/physics/gaussian_beam.hpp"
#include "fdtd/discretisation/axis.hpp"

namespace dgtd::fdtd {

using IncidentWave = physics::WaveAtPoint;

/// A face across an axis, with the total field above its node or (upper) below.
struct Face {
  int axis;
  std::int64_t node;
  bool upper;
  std::array<std::int64_t, 3> first, last;  // nodes around it along the other axes
};

/// Entries of faces, in lists without an index twice. A face by itself has none twice, so that those of the first one
/// need not be looked up.
class EntryLists {
 public:
  void start_face() {
    counted_.resize(lists.size(), 0);
    for (std::size_t l = 0; l < lists.size(); ++l)
      for (; counted_[l] < lists[l].size(); ++counted_[l]) ++times_[lists[l][counted_[l]].index];
  }
  void add(std::uint64_t index, double weight, double delay) {
    if (weight == 0) return;
    const auto before = times_.empty() ? times_.end() : times_.find(index);
    const std::size_t list = before == times_.end() ? 0 : before->second;
    if (lists.size() <= list) lists.emplace_back();
    lists[list].push_back({index, weight, delay});
  }
  std::vector<std::vector<SourceEntry>> lists;

 private:
  std::unordered_map<std::uint64_t, std::size_t> times_;  // of earlier faces
  std::vector<std::size_t> counted_;                      // [list] entries that are in times_
};

/// Currents that launch a wave: electric currents (additions to E) and magnetic ones (to H).
struct EquivalentCurrents {
  EntryLists electric, magnetic;

  /// power_bound: as in DiscreteSource.
  DiscreteSource lists(const physics::WaveformShape& shape,
                       double power_bound = std::numeric_limits<double>::infinity()) && {
    DiscreteSource made{{}, power_bound};
    for (auto& entries : electric.lists) made.lists.push_back({HalfStep::electric, shape, std::move(entries)});
    for (auto& entries : magnetic.lists) made.lists.push_back({HalfStep::magnetic, shape, std::move(entries)});
    return made;
  }
  DiscreteSource lists(const physics::Source& source, double power_bound = std::numeric_limits<double>::infinity()) && {
    return std::move(*this).lists(physics::shape_of(source.waveform), power_bound);
  }
};

/// The cell in the middle of a plane of nodes.
inline std::array<std::int64_t, 3> middle_cell(const grid::Setup& setup, int axis, std::int64_t node) {
  std::array<std::int64_t, 3> cell;
  for (int a = 0; a < 3; ++a) cell[a] = a == axis ? node : setup.grid.cells(a) / 2;
  return cell;
}

/// The whole of a face launches the wave.
inline constexpr auto whole_face = [](int, std::int64_t, int, std::int64_t) { return 1.0; };

/// Cb of E in the background (kernels/update_field.hpp), m.
template <class Real>
auto background_Cb(const grid::Setup& setup, const Discretisation<Real>& d) {
  return [Cb = speed_of_light * d.time_step / setup.materials.front().permittivity](int, int, int, int) { return Cb; };
}

/// incident(x): an IncidentWave at a point. share(w, iw, u, iu): of the face's cell around the place between nodes iw
/// and iw + 1 of axis w and on node iu of axis u, what launches (0 to 1). Of two_sided faces E alone is driven, so that
/// waves leave both ways. Cb(component, i, j, k): of E at a cell of the block, m.
template <class Real, class Incident, class Share, class CbAt>
void add_face(const grid::Setup& setup, const Discretisation<Real>& d, const Face& face, bool two_sided,
              const Incident& incident, const Share& share, const CbAt& Cb, EquivalentCurrents& currents) {
  currents.electric.start_face();
  currents.magnetic.start_face();
  const int b = face.axis, a = (b + 2) % 3, c = (b + 1) % 3;
  const GlobalAxis axis = make_axis(setup, b);
  const double magnetic_Db = speed_of_light * d.time_step / setup.materials.front().permeability;
  const double sign = face.upper ? 1 : -1;
  const std::int64_t outside = face.upper ? face.node : face.node - 1;  // index of H on the scattered side
  // E_a with H_c and E_c with H_a stand at the same place of the face: u on a node, w between nodes.
  for (const auto& [w, u] : {std::pair{a, c}, std::pair{c, a}}) {
    const int e = w, h = u;  // E along w, H along u
    // curl_a += d_b F_c, curl_c -= d_b F_a
    const double turn = e == a ? 1 : -1;
    for (std::int64_t iw = face.first[w]; iw < face.last[w]; ++iw)
      for (std::int64_t iu = face.first[u]; iu <= face.last[u]; ++iu) {
        int at[3];
        at[w] = static_cast<int>(iw - d.block.first[w]), at[u] = static_cast<int>(iu - d.block.first[u]);
        if (at[w] < 0 || at[w] >= d.layout.cells[w] || at[u] < 0 || at[u] >= d.layout.cells[u]) continue;
        const double part = share(w, iw, u, iu);
        if (part == 0) continue;
        const auto here = [&](std::int64_t g) {
          return g >= d.block.first[b] && g < d.block.first[b] + d.layout.cells[b];
        };
        const auto entry = [&](int component) {
          return static_cast<std::uint64_t>(component * d.layout.reals + d.layout.index(at[0], at[1], at[2]));
        };
        if (here(face.node)) {
          // The difference across the face takes a scattered H for a total one.
          at[b] = static_cast<int>(face.node - d.block.first[b]);
          if (!d.is_zero(true, e, at[0], at[1], at[2])) {
            Vec3 x = d.position(true, e, at[0], at[1], at[2]);
            const int below = at[b] + (face.upper ? 1 : 0);  // centres count from index -1
            if (!two_sided) x[b] = d.centres[b][below];
            const IncidentWave wave = incident(x);
            currents.electric.add(
                entry(e),
                part * sign * turn * Cb(e, at[0], at[1], at[2]) * axis.electric_inverse[face.node] * wave.magnetic[h],
                wave.delay - wave.magnetic_lead[h]);
          }
        }
        if (here(outside) && !two_sided) {
          at[b] = static_cast<int>(outside - d.block.first[b]);
          if (d.is_zero(false, h, at[0], at[1], at[2])) continue;
          Vec3 x = d.position(false, h, at[0], at[1], at[2]);
          x[b] = d.nodes[b][at[b] + (face.upper ? 1 : 2)];
          const IncidentWave wave = incident(x);
          // H along h gains -Db curl_h; of d_b E_e the coefficient is the opposite of that of d_b H_h in curl_e.
          currents.magnetic.add(entry(h),
                                part * sign * turn * magnetic_Db * axis.magnetic_inverse[outside] * wave.electric[e],
                                wave.delay - wave.electric_lead[e]);
        }
      }
  }
}

}  // namespace dgtd::fdtd
