#pragma once
// Work of all ranks that one of them may fail at: all must learn of it, lest the others wait for it.
#include <functional>
#include <string>

#include "dgtd/parallel/communicator.hpp"

namespace dgtd::parallel {

/// Collective. The text of the first rank that has one, on every rank; empty where none has.
std::string first_text(const Communicator& communicator, const std::string& text);

/// Collective. Runs the work, which is not collective; where it throws on any rank, throws the first such rank's Error
/// on every rank.
void together(const Communicator& communicator, const std::function<void()>& work);

}  // namespace dgtd::parallel
