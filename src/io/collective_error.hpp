#pragma once
// Errors that one rank meets and all ranks must learn of, lest the others wait for it.
#include <functional>

#include "dgtd/parallel/communicator.hpp"

namespace dgtd::io {

/// Collective. Runs the work; where it throws an Error on any rank, throws the first such rank's
/// Error on every rank.
void together(const parallel::Communicator& communicator, const std::function<void()>& work);

}  // namespace dgtd::io
