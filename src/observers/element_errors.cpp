#include "dgtd/observers/element_errors.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <fstream>

#include "dgtd/base/error.hpp"

namespace dgtd::observers {

ElementErrors::ElementErrors(const mesh::Subdomain& mesh, const parallel::Communicator& comm)
    : mesh_(mesh), comm_(comm) {
  const auto own = static_cast<std::ptrdiff_t>(mesh.first_copies());
  element_ = comm.gather_vectors(std::vector<std::int64_t>(mesh.element_id.begin(), mesh.element_id.begin() + own));
  errors_.resize(element_.size());
}

void ElementErrors::add(const solver::FieldIndicators& electric, const solver::FieldIndicators& magnetic,
                        const solver::SquaredErrors& errors) {
  std::vector<double> values;  // [elements] squared error, squared norm, decay, order
  for (std::size_t e = 0; e < electric.elements(); ++e)
    for (const double v :
         {errors.electric[e] + errors.magnetic[e], electric.squared_norm(e) + magnetic.squared_norm(e),
          std::sqrt(solver::squared_decay(electric, magnetic, e)), double(electric.order_of(e))})
      values.push_back(v);
  const std::vector<double> all = comm_.gather_vectors(values);
  std::vector<double> norm2(element_.size());
  for (std::size_t i = 0; i < element_.size(); ++i) norm2[static_cast<std::size_t>(element_[i])] = all[4 * i + 1];
  double whole = 0;
  for (const double n : norm2) whole += n;
  if (whole <= 0) return;
  for (std::size_t i = 0; i < element_.size(); ++i) {
    solver::ElementError& to = errors_[static_cast<std::size_t>(element_[i])];
    const auto error = static_cast<float>(std::sqrt(all[4 * i] / whole));
    if (to.order > 0 && error <= to.error) continue;
    to = {static_cast<std::uint8_t>(all[4 * i + 3]), error, static_cast<float>(all[4 * i + 2])};
  }
}

// The last line is that of a whole file.
void ElementErrors::write(io::ResultFiles& files, std::uint64_t identity) const {
  std::string text = "element,order,error,decay\n";
  for (std::size_t e = 0; e < errors_.size(); ++e)
    text += fmt::format("{},{},{:.6g},{:.4g}\n", e, errors_[e].order, errors_[e].error, errors_[e].decay);
  files.write_table(element_errors_name, {"element"}, text + fmt::format("# mesh {:016x}\n", identity));
}

std::vector<solver::ElementError> read_element_errors(const std::filesystem::path& directory, std::uint64_t identity,
                                                      std::int64_t elements) {
  const std::filesystem::path file = directory / element_errors_name;
  std::ifstream stream(file);
  if (!stream)
    throw Error(fmt::format("--adapt: {}: cannot be read; a run with output.error = on writes it", file.string()));
  std::string line;
  std::getline(stream, line);
  std::vector<solver::ElementError> errors;
  while (std::getline(stream, line) && !line.starts_with("#")) {
    unsigned long long element = 0;
    unsigned order = 0;
    float error = 0, decay = 0;
    if (std::sscanf(line.c_str(), "%llu,%u,%f,%f", &element, &order, &error, &decay) != 4 ||
        element != errors.size() || order < 1 || order > 6 || !(error >= 0) || !(decay >= 0))
      throw Error(fmt::format("--adapt: {}: line {} is not element,order,error,decay", file.string(), errors.size() + 2));
    errors.push_back({static_cast<std::uint8_t>(order), error, decay});
  }
  if (!line.starts_with("# mesh "))
    throw Error(fmt::format("--adapt: {}: its last line, with the mesh, is missing", file.string()));
  if (line != fmt::format("# mesh {:016x}", identity) || static_cast<std::int64_t>(errors.size()) != elements)
    throw Error(fmt::format("--adapt: {} is of another mesh ({} elements) than that of this case ({} elements)",
                            file.string(), errors.size(), elements));
  return errors;
}

}  // namespace dgtd::observers
