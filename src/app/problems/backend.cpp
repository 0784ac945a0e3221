#include "app/problems/backend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dgtd/base/error.hpp"
#include "dgtd/base/peak_memory.hpp"
#include "dgtd/dg/kernel_table.hpp"

namespace dgtd::app {

const char* Backend::transport_name() const {
  return parallel::name_of(transport == config::Transport::automatic ? parallel::measured_transport() : transport);
}

namespace {

void check_orders(const config::Case& c) {
  dg::check_order(c.solver.order_of_mesh());
  for (const config::Material& m : c.materials)
    if (m.order && *m.order > dg::highest_order())
      throw Error(fmt::format("{}: material.{}.order = {}: this program was built for orders up to {}; build with "
                              "-DDGTD_MAX_ORDER=6 or scripts/build.sh",
                              m.origin, m.name, *m.order, dg::highest_order()));
}

}  // namespace

Backend choose_backend(const config::Case& c, const parallel::Communicator& comm) {
  Backend backend;
  const solver::Method& method = c.solver.method;
  if (method.has.tetrahedra) check_orders(c);
  if (c.solver.backend == config::Backend::cpu || !method.has.on_cuda) {
    backend.reason = "as asked";
  } else {
    backend.device = parallel::find_cuda_device(comm);
    // A thread's device is the first one until it chooses another: grids make its context beside other set-up.
    if (method.has.tetrahedra || comm.size() > 1 || backend.device.index > 0) make_current(backend.device);
    backend.cuda = backend.device.found;
    if (!backend.cuda && !method.has.on_cpu)
      throw Error(ExitCode::device, fmt::format("solver.method = {}: {}; allowed here is {}", method.name,
                                                backend.device.why_not, solver::base_name(method.name)));
    if (!backend.cuda && c.solver.backend == config::Backend::cuda)
      throw Error(ExitCode::device,
                  fmt::format("solver.backend = cuda: {}; allowed here are cpu, auto", backend.device.why_not));
    backend.reason = backend.cuda ? fmt::format("device {} of {}, {}", backend.device.index, backend.device.count,
                                                backend.device.name)
                                  : backend.device.why_not;
  }
  if (backend.cuda)
    backend.transport = parallel::choose_transport(c.solver.halo_transport, comm, backend.transport_reason);
  if (!backend.cuda && c.solver.halo_transport != config::Transport::automatic &&
      c.solver.halo_transport != config::Transport::mpi_host)
    throw Error(ExitCode::device,
                "solver.halo_transport: the CPU backend has mpi-host only; allowed are mpi-host, auto");
  return backend;
}

// Too large is refused before anything is allocated.
void check_device_memory(double needed, const Backend& backend, const parallel::Communicator& comm, const char* hint) {
  const double most = comm.max(needed), free = comm.min(parallel::free_device_bytes(backend.device));
  if (most <= free) return;
  throw Error(
      ExitCode::out_of_memory,
      fmt::format(
          "a rank needs {:.2f} GB on its device, which has {:.2f} GB free for it: use {} ranks on as many devices, {}",
          most / 1e9, free / 1e9, static_cast<int>(std::ceil(1.05 * most / free * comm.size())), hint));
}

void check_host_memory(double needed, const parallel::Communicator& comm, const char* hint) {
  const double most = comm.max(needed);
  const double share = comm.min(std::min(host_memory_limit() / comm.ranks_on_this_host(), process_memory_limit()));
  if (most <= share) return;
  throw Error(
      ExitCode::out_of_memory,
      fmt::format("a rank needs {:.2f} GB, and its share of its host's memory is {:.2f} GB: use {:.0f} hosts in "
                  "place of each, {}",
                  most / 1e9, share / 1e9, std::ceil(1.05 * most / share), hint));
}

}  // namespace dgtd::app
