#include "nvshmem_library.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>

#include "dgtd/base/error.hpp"
#include "kernel_messages.hpp"
#include "loaded_library.hpp"

namespace dgtd::parallel {

const NvshmemLibrary& nvshmem_library() {
  static const NvshmemLibrary loaded = [] {
    NvshmemLibrary l;
    LoadedLibrary library("libnvshmem_host.so.3", {"libnvshmem_host.so.3"});
    library.find(l.get_unique_id, "nvshmemx_get_uniqueid");
    library.find(l.set_unique_id, "nvshmemx_set_attr_uniqueid_args");
    library.find(l.init, "nvshmemx_hostlib_init_attr");
    library.find(l.calloc, "nvshmem_calloc");
    library.find(l.free, "nvshmem_free");
    library.find(l.put_signal, "nvshmemx_putmem_signal_on_stream");
    library.find(l.signal, "nvshmemx_signal_op_on_stream");
    library.find(l.wait_for_signal, "nvshmemx_signal_wait_until_on_stream");
    l.why_not = library.why_not();
    return l;
  }();
  return loaded;
}

std::string why_no_nvshmem(const Communicator& comm) {
  const bool side_by_side = KernelMessages::can_be_used(comm);
  if (!nvshmem_library().why_not.empty()) return nvshmem_library().why_not;
  if (!side_by_side) return "NVSHMEM needs one device per rank";
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  return comm.size() == ranks ? "" : "NVSHMEM needs all ranks of the run";
}

namespace {

void check(int status, const char* call) {
  if (status != 0)
    throw Error(ExitCode::device,
                fmt::format("NVSHMEM: {} failed with code {}; use solver.halo_transport = mpi-host", call, status));
}

// Once per process; its ranks are those of the run.
void start_nvshmem(const Communicator& comm) {
  static const bool started = [&] {
    const NvshmemLibrary& l = nvshmem_library();
    NvshmemUniqueId id;
    if (comm.is_root()) check(l.get_unique_id(&id), "nvshmemx_get_uniqueid");
    id = comm.broadcast_value(id);
    NvshmemInitAttributes attributes;
    check(l.set_unique_id(comm.rank(), comm.size(), &id, &attributes), "nvshmemx_set_attr_uniqueid_args");
    check(l.init(NvshmemLibrary::init_with_unique_id, &attributes), "nvshmemx_hostlib_init_attr");
    return true;
  }();
  (void)started;
}

}  // namespace

SymmetricArea::SymmetricArea(std::size_t bytes, const Communicator& comm) {
  start_nvshmem(comm);
  const auto most = static_cast<std::size_t>(std::max<std::int64_t>(1, comm.max(static_cast<std::int64_t>(bytes))));
  data_ = static_cast<std::byte*>(nvshmem_library().calloc(most, 1));
  if (comm.min(std::int64_t{data_ != nullptr}) == 0)
    throw Error(ExitCode::out_of_memory, fmt::format("NVSHMEM has no {} bytes for halos on the device of a rank; set "
                                                     "NVSHMEM_SYMMETRIC_SIZE, or use solver.halo_transport = nccl",
                                                     most));
}

SymmetricArea::~SymmetricArea() {
  if (std::uncaught_exceptions() == 0) nvshmem_library().free(data_);
}

}  // namespace dgtd::parallel
