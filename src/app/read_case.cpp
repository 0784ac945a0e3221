#include "dgtd/app/read_case.hpp"

#include "dgtd/app/methods.hpp"
#include "dgtd/parallel/on_root.hpp"

namespace dgtd::app {

config::Case read_case(const std::filesystem::path& file, const std::vector<std::string>& overrides,
                       const parallel::Communicator& comm) {
  config::Case c;
  parallel::on_root(comm, [&] { c = config::read_case(file, overrides, methods()); });
  return comm.is_root() ? c : config::read_case(file, overrides, methods());
}

}  // namespace dgtd::app
