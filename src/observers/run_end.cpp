#include "dgtd/observers/run_end.hpp"

#include <fmt/format.h>

#include "dgtd/base/log.hpp"

namespace dgtd::observers {

void add_run_end(io::Summary& summary, const std::string& word, bool reached, const std::string& text,
                 io::Value::Object figures) {
  io::Value::Object keys{{"word", word}, {"reason", reached ? word : "at_most"}};
  keys.insert(keys.end(), figures.begin(), figures.end());
  summary.keys["run_end"] = summary.report["run_end"] = std::move(keys);
  const std::string line =
      reached ? fmt::format("the run is {} {}", word, text)
              : fmt::format("time.at_most is reached before the run is {}, {}; a longer time.at_most", word, text);
  if (!reached) log::warn("{}", line);
  summary.sections.push_back(
      {io::Chapter::accuracy, "End of the run", {io::Note{line + "."}}, reached ? line : std::string()});
}

}  // namespace dgtd::observers
