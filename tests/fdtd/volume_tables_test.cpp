// Tiles of passes over a volume grid: each cell is stored once, and each source reaches the tiles that compute its
// cell.
#include "fdtd/steps/passes/volume_cuts.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "fdtd/pass_problems.hpp"

namespace dgtd::fdtd {
namespace {

constexpr int steps = 4;

std::unique_ptr<Discretisation<float>> discretisation(const GridProblem& p) {
  return std::make_unique<Discretisation<float>>(p.setup, *p.media(), p.time_step(), 0, 1);
}

GridProblem box(int nx, int ny, int nz) {
  GridProblem p;
  p.setup.grid = uniform_grid(nx, ny, nz, 0.01);
  p.setup.sides.fill(physics::BoundaryKind::cpml);
  p.setup.layer_cells = 8;
  p.setup.materials = {physics::Medium{}, physics::Medium{4, 1, 0.01, 0, {}}};
  p.bodies = {{.type = grid::Shape::Type::sphere,
               .centre = {0.005 * nx, 0.005 * ny, 0.005 * nz},
               .radius = 0.1,
               .material = 1}};
  return p;
}

TEST(VolumeTables, EachCellIsStoredOnce) {
  for (const auto& [nx, ny, nz, row_groups] : {std::array{133, 61, 47, 1},
                                               {59, 20, 31, 1},
                                               {200, 110, 80, 1},
                                               {80, 45, 1500, 1},
                                               {133, 97, 47, 2},
                                               {200, 110, 80, 2},
                                               {80, 90, 1500, 2}}) {
    SCOPED_TRACE(nx);
    const auto d = discretisation(box(nx, ny, nz));
    const int tiles_at_once = nz > 1000 ? 1 : 132;  // one: as few tasks as may be
    const VolumeTables t = volume_tables(
        *d, {}, steps, tiles_at_once,
        row_groups == 2 ? std::optional(units_of_half_arithmetic(*d, parallel::Communicator(MPI_COMM_SELF)))
                        : std::nullopt);
    ASSERT_EQ(t.why_not, nx == 59 ? "absorbing layers thicker than 14 cells, or a grid narrower than a tile between "
                                    "them"
                                  : "");
    if (!t.why_not.empty()) continue;
    std::vector<int> stored(static_cast<std::size_t>(nx) * ny * nz, 0);
    bool mixed = false;
    for (const auto& group : t.groups)
      for (const VolumeTask& task : group.tasks) {
        mixed = mixed || group.content.media != TileMedia::common;
        EXPECT_LE(task.end[2] - task.first[2] + 4 * steps + 1, VolumeTileShape::most_planes);
        // Cells that a tile computes beside its own are in it, except at the ends of the grid.
        for (int a = 0; a < 2; ++a) {
          const int from = a == 0 ? task.x : task.y,
                    size = a == 0 ? VolumeTileShape::columns : row_groups * VolumeTileShape::rows_of_group;
          EXPECT_TRUE(task.first[a] == 0 || task.first[a] - steps >= from);
          EXPECT_TRUE(task.end[a] == d->layout.cells[a] || task.end[a] + steps <= from + size);
          EXPECT_LE(task.end[a], from + size);
        }
        for (int k = task.first[2]; k < task.end[2]; ++k)
          for (int j = task.first[1]; j < task.end[1]; ++j)
            for (int i = task.first[0]; i < task.end[0]; ++i)
              ++stored[(static_cast<std::size_t>(k) * ny + static_cast<std::size_t>(j)) * nx +
                       static_cast<std::size_t>(i)];
      }
    EXPECT_TRUE(mixed);
    EXPECT_EQ(std::count(stored.begin(), stored.end(), 1), std::ptrdiff_t(stored.size()));
  }
}

// Tasks without losses read Cb where classes are many, and these are there for all planes that they compute.
TEST(VolumeTables, CbOfFreeFormMedia) {
  std::mt19937 random(3);
  int tasks_with[3] = {0, 0, 0};  // common media, classes, Cb
  for (int trial = 0; trial < 8; ++trial) {
    SCOPED_TRACE(trial);
    const auto d = discretisation(random_free_form_problem(random, 20, 80));
    const VolumeTables t = volume_tables(*d, {}, steps, 132);
    if (!t.why_not.empty()) continue;
    ASSERT_GT(t.classes.size(), most_gathered_classes);
    std::vector<int> stored(static_cast<std::size_t>(d->layout.cells[2]), 0);
    bool gathers = false;
    for (const auto& group : t.groups)
      for (const VolumeTask& task : group.tasks) {
        const auto media = group.content.media;
        ++tasks_with[media == TileMedia::common ? 0 : media == TileMedia::Cb ? 2 : 1];
        for (int k = task.first[2]; k < task.end[2]; ++k)
          stored[static_cast<std::size_t>(k)] += (task.end[0] - task.first[0]) * (task.end[1] - task.first[1]);
        EXPECT_LE(task.end[2] - task.first[2] + 3 * steps, group.content.most_planes());
        const int first[3] = {std::max(task.first[0] - steps, 0), std::max(task.first[1] - steps, 0),
                              std::max(task.first[2] - steps, 0)};
        for (int c = 0; c < 3; ++c)
          for (int k = first[2]; k < std::min(task.end[2] + steps, d->layout.cells[2]); ++k)
            for (int j = first[1]; j < std::min(task.end[1] + steps, d->layout.cells[1]); ++j)
              for (int i = first[0]; i < std::min(task.end[0] + steps, d->layout.cells[0]); ++i) {
                const auto number = t.class_of[c][static_cast<std::size_t>(d->layout.index(i, j, k))];
                if (number == 0) continue;
                ASSERT_NE(media, TileMedia::common);
                if (media != TileMedia::Cb) gathers = true;
                if (media != TileMedia::Cb) continue;
                ASSERT_EQ(t.classes[number].Ca, 1);
                ASSERT_GE(k, t.Cb_planes[0]);
                ASSERT_LT(k, t.Cb_planes[1]);
              }
      }
    for (const int cells : stored) EXPECT_EQ(cells, d->layout.cells[0] * d->layout.cells[1]);
    EXPECT_TRUE(t.gathers_classes || !gathers);
  }
  for (const int tasks : tasks_with) EXPECT_GT(tasks, 10);
}

// A tile keeps the table of classes where it has room for it, in single precision and without sources and dampers.
TEST(VolumeTables, FewClasses) {
  const auto media_of_tiles = [](const GridProblem& p, bool is_half) {
    const auto d = discretisation(p);
    std::optional<HalfUnits> half;
    if (is_half) half = units_of_half_arithmetic(*d, parallel::Communicator(MPI_COMM_SELF));
    const VolumeTables t = volume_tables(*d, {}, steps, 132, half);
    EXPECT_EQ(t.why_not, "");
    std::map<TileMedia, int> tasks;
    for (const auto& group : t.groups) tasks[group.content.media] += int(group.tasks.size());
    return tasks;
  };
  GridProblem p = problem_of_many_classes();
  auto tasks = media_of_tiles(p, false);
  EXPECT_GT(tasks[TileMedia::classes], 0);
  EXPECT_GT(tasks[TileMedia::Cb], 0);
  EXPECT_EQ(tasks[TileMedia::few_classes], 0);
  p.arrays[0].values.assign(p.arrays[0].values.size(), 2.f);
  tasks = media_of_tiles(p, false);
  EXPECT_GT(tasks[TileMedia::few_classes], 0);
  EXPECT_EQ(tasks[TileMedia::classes], 0);
  EXPECT_EQ(tasks[TileMedia::Cb], 0);
  tasks = media_of_tiles(p, true);
  EXPECT_EQ(tasks[TileMedia::few_classes], 0);
  EXPECT_GT(tasks[TileMedia::classes], 0);
}

// Sums of layers along z and Cb share a place in a tile whose kernel serves both; warps may be iterations apart
// (VolumeContents::use_Cb).
TEST(VolumeTables, PlanesThatDifferAreApart) {
  std::mt19937 random(11);
  int tasks_by_plane = 0, other_tasks = 0;  // with Cb, in layers along z
  for (int trial = 0; trial < 60; ++trial) {
    SCOPED_TRACE(trial);
    GridProblem p = random_free_form_problem(random, 40, 80);
    p.sources.clear();
    for (std::size_t side = 0; side < 6; ++side) p.setup.sides[side] = side < 4 ? Kind::adiabatic : Kind::cpml;
    // Media count by tiles of eight planes: the least distances appear where a design begins in the first planes of
    // one.
    for (double& spacing : p.setup.grid.spacing[2]) spacing = 0.01;
    if (trial % 3 > 0) p.bodies.clear();
    p.setup.layer_cells = 8 + int(random() % 5);
    p.arrays[0].low.z = 0.16 + 0.01 * double(random() % 3);
    const auto d = discretisation(p);
    const VolumeTables t = volume_tables(*d, {}, steps, 132);
    ASSERT_EQ(t.why_not, "");
    for (const auto& group : t.groups) {
      const bool Cb_in_layers = group.content.media == TileMedia::Cb && group.content.layers == 4;
      (group.content.by_plane ? tasks_by_plane : other_tasks) += Cb_in_layers ? int(group.tasks.size()) : 0;
      if (!group.content.by_plane) continue;
      EXPECT_TRUE(Cb_in_layers);
      for (int k = 0; k < d->layout.cells[2]; ++k) {
        const auto plane = static_cast<std::size_t>(k);
        if (t.along_z[0].c[plane] == 0 && t.along_z[1].c[plane] == 0) continue;
        EXPECT_TRUE(k < t.Cb_planes[0] - steps - 3 || k >= t.Cb_planes[1] + steps + 1) << k;
      }
    }
  }
  EXPECT_GT(tasks_by_plane, 10);
  EXPECT_GT(other_tasks, 10);
}

TEST(VolumeTables, SourcesReachAllTilesThatComputeTheirCells) {
  const auto d = discretisation(box(133, 61, 47));
  const std::array<std::array<int, 3>, 4> cells{{{10, 12, 20}, {56, 16, 23}, {57, 17, 24}, {120, 50, 30}}};
  SourceList list{HalfStep::electric, {}};
  for (const auto& [i, j, k] : cells)
    list.entries.push_back({static_cast<std::uint64_t>(d->layout.reals + d->layout.index(i, j, k)), 1, 0});
  const VolumeTables t = volume_tables(*d, {list}, steps, 132);
  ASSERT_EQ(t.why_not, "");
  for (std::size_t e = 0; e < cells.size(); ++e)
    for (const auto& group : t.groups)
      for (const VolumeTask& task : group.tasks) {
        bool near = true;  // in a cell that the task stores, or so near that it matters
        for (int a = 0; a < 3; ++a)
          near = near && cells[e][static_cast<std::size_t>(a)] >= task.first[a] - steps &&
                 cells[e][static_cast<std::size_t>(a)] < task.end[a] + steps - 1;
        if (!near) continue;
        ASSERT_GE(task.sources, 0);
        int found = 0;
        const int first_plane = std::max(task.first[2] - steps, 0), k = cells[e][2];
        for (int warp = 0; warp < VolumeTileShape::warps; ++warp) {
          const auto n = static_cast<std::size_t>(task.sources + (k - first_plane) * 2 * VolumeTileShape::warps + warp);
          for (int number = t.source_begin[n]; number < t.source_begin[n + 1]; ++number) {
            const VolumeSourceTerm& term = t.source_terms[static_cast<std::size_t>(number)];
            for (int lane = 0, at = term.first; lane < 32; ++lane) {
              if (!(term.lanes >> lane & 1)) continue;
              if (t.sources.entry_at[static_cast<std::size_t>(at)] == static_cast<int>(e)) {
                ++found;
                bool stored = true;
                for (int a = 0; a < 3; ++a) {
                  const int cell = cells[e][static_cast<std::size_t>(a)];
                  stored = stored && cell >= task.first[a] && cell < task.end[a];
                }
                EXPECT_EQ(t.sources.stored_at[e] == at, stored);
                EXPECT_EQ(term.place / 4, 1);  // along y
                EXPECT_EQ(task.y + warp * 2 + term.place / 2 % 2, cells[e][1]);
                EXPECT_EQ(task.x + lane * 2 + term.place % 2, cells[e][0]);
              }
              ++at;
            }
          }
        }
        EXPECT_EQ(found, 1);
      }
}

// The same of a port's edges: those near tiles' sides have several places, in lists of a third field.
TEST(VolumeTables, PortsReachAllTilesThatComputeTheirEdges) {
  const auto d = discretisation(box(133, 61, 47));
  std::vector<std::uint64_t> edges;
  for (int i = 40; i < 70; ++i)
    edges.push_back(static_cast<std::uint64_t>(2 * d->layout.reals + d->layout.index(i, 17, 24)));
  const VolumeTables t = volume_tables(*d, {}, steps, 132, {}, {}, edges);
  ASSERT_EQ(t.why_not, "");
  EXPECT_GT(t.ports.entry_at.size(), edges.size());
  EXPECT_TRUE(t.sources.entry_at.empty());
  std::vector<int> places(edges.size(), 0);
  for (const auto& group : t.groups)
    for (const VolumeTask& task : group.tasks) {
      if (!group.content.ports) continue;
      ASSERT_GE(task.sources, 0);
      const int first_plane = std::max(task.first[2] - steps, 0);
      for (int warp = 0; warp < VolumeTileShape::warps; ++warp) {
        const auto n =
            static_cast<std::size_t>(task.sources + ((24 - first_plane) * 3 + 2) * VolumeTileShape::warps + warp);
        for (int number = t.source_begin[n]; number < t.source_begin[n + 1]; ++number) {
          const VolumeSourceTerm& term = t.source_terms[static_cast<std::size_t>(number)];
          for (int lane = 0, at = term.first; lane < 32; ++lane) {
            if (!(term.lanes >> lane & 1)) continue;
            const auto edge = static_cast<std::size_t>(t.ports.entry_at[static_cast<std::size_t>(at)]);
            const int column = 40 + static_cast<int>(edge);
            ++places[edge];
            EXPECT_EQ(term.place / 4, 2);  // along z
            EXPECT_EQ(task.y + warp * 2 + term.place / 2 % 2, 17);
            EXPECT_EQ(task.x + lane * 2 + term.place % 2, column);
            bool stored = column >= task.first[0] && column < task.end[0] && 17 >= task.first[1] && 17 < task.end[1] &&
                          24 >= task.first[2] && 24 < task.end[2];
            EXPECT_EQ(t.ports.stored_at[edge] == at, stored);
            ++at;
          }
        }
      }
    }
  EXPECT_EQ(std::accumulate(places.begin(), places.end(), std::size_t{0}), t.ports.entry_at.size());
  for (std::size_t n = 0; n < edges.size(); ++n) {
    EXPECT_GE(places[n], 1);
    EXPECT_GE(t.ports.stored_at[n], 0);
  }
}

// Three ranks one above the other: each stores its own planes once, and has of its neighbours' what they have.
TEST(VolumeTables, PlanesOfOtherRanks) {
  GridProblem p = box(133, 61, 80);
  p.setup.grid.spacing[2][30] = 0.009;
  p.bodies.push_back(
      {.type = grid::Shape::Type::box, .centre = {0.7, 0.3, 0.26}, .size = {0.4, 0.2, 0.05}, .material = 1});
  p.setup.margin = steps;
  const grid::SceneMedia media(grid::Scene(p.bodies, 0), p.setup.materials, p.averaging);
  std::vector<std::unique_ptr<Discretisation<float>>> ranks;
  for (int rank = 0; rank < 3; ++rank)
    ranks.push_back(std::make_unique<Discretisation<float>>(p.setup, media, 1e-11, rank, 3));
  for (std::size_t rank = 0; rank < 3; ++rank) {
    const Discretisation<float>& d = *ranks[rank];
    const int below = rank > 0 ? steps : 0, above = rank < 2 ? steps : 0, own = d.layout.cells[2];
    ASSERT_EQ(d.layout.below, below);
    ASSERT_EQ(d.layout.above, above);
    VolumeMargins margins;
    const int last = rank > 0 ? ranks[rank - 1]->layout.cells[2] : 0;
    if (rank > 0) margins.below = planes_of_block(*ranks[rank - 1], {}, last - steps, steps);
    if (rank < 2) margins.above = planes_of_block(*ranks[rank + 1], {}, 0, steps);
    const VolumeTables t = volume_tables(d, {}, steps, 132, {}, margins);
    ASSERT_EQ(t.why_not, "");
    std::vector<int> stored(static_cast<std::size_t>(below + own + above), 0);
    for (const auto& group : t.groups)
      for (const VolumeTask& task : group.tasks) {
        const bool needed =
            (below > 0 && task.first[2] < below + steps) || (above > 0 && task.end[2] > below + own - steps);
        EXPECT_EQ(group.next_to_cut, needed);
        for (int k = task.first[2]; k < task.end[2]; ++k)
          stored[static_cast<std::size_t>(k)] += (task.end[0] - task.first[0]) * (task.end[1] - task.first[1]);
      }
    for (int k = 0; k < below + own + above; ++k)
      EXPECT_EQ(stored[static_cast<std::size_t>(k)], k < below || k >= below + own ? 0 : 133 * 61);
    const auto medium = [&](int c, int i, int j, int k) {  // of a plane of this rank or a neighbour's
      if (t.class_of[c].empty()) return t.classes[0].Cb;
      return t.classes[t.class_of[c][static_cast<std::size_t>(d.layout.index(i, j, k))]].Cb;
    };
    const auto compare = [&](const Discretisation<float>& owner, int there, int here) {
      for (int f = 0; f < 2; ++f)
        EXPECT_EQ(t.along_z[f].inverse_distance[static_cast<std::size_t>(below + here)],
                  (f == 0 ? owner.electric : owner.magnetic).axis[2].inverse_distance[static_cast<std::size_t>(there)]);
      for (int c = 0; c < 3; ++c)
        for (int j = 0; j < 61; j += 3)
          for (int i = 0; i < 133; ++i)
            ASSERT_EQ(medium(c, i, j, here), static_cast<float>(owner.electric_Cb(c, i, j, there)));
    };
    for (int k = 0; k < below; ++k) compare(*ranks[rank - 1], last - steps + k, k - steps);
    for (int k = 0; k < above; ++k) compare(*ranks[rank + 1], k, own + k);
  }
}

TEST(VolumeTables, BoundariesOfTiles) {
  EXPECT_EQ(tile_boundaries(59, 56, 59, 8), (std::vector<int>{0, 59}));
  EXPECT_EQ(tile_boundaries(60, 56, 59, 8), (std::vector<int>{0, 24, 60}));
  for (int n = 1; n < 700; ++n) {
    const std::vector<int> b = tile_boundaries(n, 56, 59, 8);
    EXPECT_EQ(b.front(), 0);
    EXPECT_EQ(b.back(), n);
    for (std::size_t i = 1; i < b.size(); ++i) {
      EXPECT_GT(b[i], b[i - 1]) << n;
      EXPECT_LE(b[i] - b[i - 1], i + 1 == b.size() ? 59 : 56) << n;
      EXPECT_TRUE(b[i] % 8 == 0 || i + 1 == b.size());
    }
  }
}

}  // namespace
}  // namespace dgtd::fdtd
