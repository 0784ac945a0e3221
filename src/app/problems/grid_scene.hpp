#pragma once
// The grid of a case and its media, and what problems on grids have in common.
#include <memory>

#include "app/problems/problem.hpp"
#include "dgtd/grid/grid_solver.hpp"
#include "dgtd/grid/media.hpp"
#include "dgtd/grid/setup.hpp"
#include "dgtd/grid/solid.hpp"

namespace dgtd::app {

struct GridScene {
  grid::Setup setup;
  std::vector<config::Material> materials;  // the background first
  std::unique_ptr<grid::Media> media;       // which of them are where
  struct Place {
    int material;
    grid::Bounds bounds;
  };
  std::vector<Place> bodies;  // where bodies of which material are
  bool is_closed() const;     // no absorbing side
};

/// Throws Error (bad_input) where there are more ranks.
void check_one_rank(const ProblemRequest& request);

/// Reads the files of shapes (stage `read`). Throws Error (bad_input) for impossible media and shapes.
GridScene make_grid_scene(const config::Case& c, Timers& timers);

/// Sets what does not depend on the method: description, figures, initial fields, writer; takes the solver.
void complete_grid_problem(Problem& problem, std::unique_ptr<grid::GridSolver> solver, const GridScene& scene,
                           const ProblemRequest& request);

}  // namespace dgtd::app
