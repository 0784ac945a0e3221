#pragma once
// Table of the estimated error of each element, element_errors.csv, from which another run on the same mesh chooses
// orders of elements (dgtd CASE --adapt OUTPUT).
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "dgtd/io/result_files.hpp"
#include "dgtd/mesh/subdomain.hpp"
#include "dgtd/parallel/communicator.hpp"
#include "dgtd/solver/error_indicators.hpp"

namespace dgtd::observers {

inline constexpr const char* element_errors_name = "element_errors.csv";

/// Collects the errors of all elements on root, in the order of their global numbers, so that no sum depends on the
/// partition. Of several frequencies an element has the one with its largest share of the error.
class ElementErrors {
 public:
  /// Collective.
  ElementErrors(const mesh::Subdomain& mesh, const parallel::Communicator& comm);
  /// Indicators of one frequency. Collective.
  void add(const solver::FieldIndicators& electric, const solver::FieldIndicators& magnetic,
           const solver::SquaredErrors& errors);
  /// identity: of the mesh. On root.
  void write(io::ResultFiles& files, std::uint64_t identity) const;

 private:
  const mesh::Subdomain& mesh_;
  const parallel::Communicator& comm_;
  std::vector<std::int64_t> element_;          // [values] global elements of the gathered values; root
  std::vector<solver::ElementError> errors_;   // [global elements]; root
};

/// [global elements] the table of a run in this directory. Throws Error where there is none, where it is damaged, or
/// where it is of another mesh.
std::vector<solver::ElementError> read_element_errors(const std::filesystem::path& directory, std::uint64_t identity,
                                                      std::int64_t elements);

}  // namespace dgtd::observers
