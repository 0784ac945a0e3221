#pragma once
// Where the observers of a run put their results: files in the directory, keys of summary.json, sections of report.html
// and arrays of the last field file.
#include <filesystem>
#include <vector>

#include "dgtd/io/summary.hpp"
#include "dgtd/io/vtk_output.hpp"
#include "dgtd/parallel/communicator.hpp"

namespace dgtd::io {

struct Results {
  std::filesystem::path directory;
  const parallel::Communicator& comm;
  Summary summary;                 // counts on root alone
  std::vector<Array> cell_arrays;  // of this rank's elements or cells, for the last field file
};

}  // namespace dgtd::io
