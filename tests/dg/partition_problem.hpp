#pragma once
// Problems whose fields must not depend on the number of ranks: with what has state or terms of its own in elements.
#include "bent_mesh.hpp"
#include "box_problem.hpp"
#include "dgtd/dg/level_time_step.hpp"
#include "graded_problem.hpp"

namespace dgtd::dg::test {

enum class Steps { global, local };
enum class Media { simple, dispersive, layers, dispersive_layers, cpml, curved };

struct PartitionProblem {
  Problem problem;
  TimeLevels levels;  // without local steps none
};

inline PartitionProblem partition_problem(const parallel::Communicator& comm, bool with_wave, Steps steps, Media media) {
  const bool local = steps == Steps::local;
  PartitionProblem made{local ? graded_bar(comm, with_wave) : box(comm, with_wave), {}};
  auto& [problem, levels] = made;
  if (media == Media::dispersive || media == Media::dispersive_layers || media == Media::cpml)
    problem.material[1].poles = {{physics::Pole::Type::lorentz, 4e9, 3e9, 1e8, 0},
                                 {physics::Pole::Type::debye, 2, 0, 0, 1e-10},
                                 {physics::Pole::Type::critical_point, 0.5, 4e9, 3e9, 0, -0.1}};
  if (media == Media::curved) bend(problem, 0.05);
  if (local) levels = graded_levels(problem, comm);
  const auto has_layer = [&](std::size_t e) { return !local || levels.reach[e] == 0; };
  if (media == Media::layers || media == Media::dispersive_layers) add_layers(problem, has_layer);
  if (media == Media::cpml) add_cpml(problem, has_layer);
  return made;
}

}  // namespace dgtd::dg::test
