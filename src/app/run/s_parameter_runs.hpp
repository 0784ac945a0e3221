#pragma once
// The scattering matrix of the runs of a case with [sparameters].
#include "dgtd/config/case.hpp"
#include "dgtd/io/result_files.hpp"
#include "dgtd/io/section.hpp"
#include "dgtd/io/value.hpp"

namespace dgtd::app {

struct MatrixResults {
  io::Section section;
  io::Value value;  // of summary.json
};

/// Reads port_NAME.csv of all runs and writes sparameters.csv and CASE.sNp into the folder of the files. Warns of a
/// matrix that is not reciprocal or passive. On root. Throws Error.
MatrixResults write_matrix(const config::Case& c, io::ResultFiles& files);

}  // namespace dgtd::app
