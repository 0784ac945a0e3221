#pragma once
// Bodies of a case as pictures: in three dimensions, and in cuts.
#include "app/problems/problem.hpp"
#include "dgtd/io/section.hpp"

namespace dgtd::app {

/// Sections of the domain on root: a view in three dimensions and three cuts through the middle of the bodies; of a
/// plane one picture; of a line none. Collective.
std::vector<io::Section> preview_views(const config::Case& c, const Problem& problem,
                                       const parallel::Communicator& comm);

}  // namespace dgtd::app
