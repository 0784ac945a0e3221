#include "dgtd/io/time_series.hpp"

#include <fmt/format.h>

#include "dgtd/io/text_files.hpp"
#include "xml.hpp"

namespace dgtd::io {

void TimeSeries::add(double time_s, const std::filesystem::path& pvtu_file) {
  snapshots_.emplace_back(time_s, pvtu_file.lexically_relative(file_.parent_path()).generic_string());
  std::string text =
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
      "  <Collection>\n";
  for (const auto& [time, file] : snapshots_)
    text += fmt::format("    <DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", time, xml_escaped(file));
  write_text(file_, text + "  </Collection>\n</VTKFile>\n");
}

}  // namespace dgtd::io
