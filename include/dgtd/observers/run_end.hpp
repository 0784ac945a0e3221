#pragma once
// Reason for the end of a run whose fields decide about it.
#include <string>

#include "dgtd/io/summary.hpp"

namespace dgtd::observers {

/// Key `run_end` of both JSON files and a section with a line for the console. word: of time.end; reached: else the run
/// ended at its last step, which is a warning on root. text: "after 12 periods: ..." figures: keys besides `word` and
/// `reason` (the word, or "at_most").
void add_run_end(io::Summary& summary, const std::string& word, bool reached, const std::string& text,
                 io::Value::Object figures);

}  // namespace dgtd::observers
