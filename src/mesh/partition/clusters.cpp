#include "dgtd/mesh/clusters.hpp"

#include <fmt/format.h>
#include <metis.h>

#include <algorithm>

#include "dgtd/base/error.hpp"

namespace dgtd::mesh {

std::vector<std::int32_t> make_clusters(const std::vector<std::int32_t>& first,
                                        const std::vector<std::int32_t>& neighbours, int clusters, double slack) {
  const auto elements = first.size() - 1;
  if (clusters == 1) return std::vector<std::int32_t>(elements, 0);
  std::vector<idx_t> part(elements, 0), begin(first.begin(), first.end()), others(neighbours.begin(), neighbours.end());
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
  options[METIS_OPTION_UFACTOR] = std::max(1, static_cast<int>(1000 * slack));
  idx_t vertices = static_cast<idx_t>(elements), constraints = 1, wanted = clusters, cut = 0;
  const int status = METIS_PartGraphKway(&vertices, &constraints, begin.data(), others.data(), nullptr, nullptr,
                                         nullptr, &wanted, nullptr, nullptr, options, &cut, part.data());
  if (status == METIS_ERROR_MEMORY) throw Error(ExitCode::out_of_memory, "clusters of elements: METIS is out of memory");
  if (status != METIS_OK)
    throw Error(ExitCode::other, fmt::format("clusters of elements: METIS failed with code {}", status));
  return {part.begin(), part.end()};
}

}  // namespace dgtd::mesh
