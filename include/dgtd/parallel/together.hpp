#pragma once
// Work of all ranks that one of them may fail at: all must learn of it, lest the others wait for it.
#include <functional>

#include "dgtd/parallel/communicator.hpp"

namespace dgtd::parallel {

/// Collective. Runs the work, which is not collective; where it throws on any rank, throws the first such rank's Error
/// on every rank.
void together(const Communicator& communicator, const std::function<void()>& work);

}  // namespace dgtd::parallel
