#include "app/problems/read_case.hpp"

#include "app/problems/find_case.hpp"
#include "app/problems/methods.hpp"
#include "dgtd/parallel/root_or_throw.hpp"

namespace dgtd::app {

config::Case read_case(const std::string& name, const std::vector<std::string>& overrides,
                       const parallel::Communicator& comm) {
  config::Case c;
  CaseLocation found;
  const auto read = [&] { c = config::read_case(found.file, overrides, methods(), found.results); };
  parallel::root_or_throw(comm, [&] {
    found = find_case(name);
    read();
  });
  found.file = comm.broadcast(found.file.string());
  found.results = comm.broadcast(found.results.string());
  if (!comm.is_root()) read();
  return c;
}

}  // namespace dgtd::app
