#include "exchange_seconds.hpp"

#include <algorithm>

#include "cuda_launch.hpp"
#include "cuda_memory.hpp"
#include "dgtd/base/timer.hpp"
#include "dgtd/parallel/array.hpp"
#include "dgtd/parallel/array_operations.hpp"

namespace dgtd::parallel {

namespace {

template <class Real>
struct Fill {
  SendView<Real> values;
  std::int64_t first;
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const { *values.at(first + i) = Real(arithmetic_t<Real>(i)); }
};

}  // namespace

template <class Real>
double exchange_seconds(CudaTransport<Real>& transport, const HaloPlan& plan, const Communicator& comm,
                        cudaStream_t stream) {
  constexpr int exchanges = 10, series = 3;
  const std::size_t reals = plan.reals_per_face;
  CudaMemory memory(stream);
  Array<Real> unpacked(plan.faces * reals, memory);
  const auto exchange = [&] {
    if (!plan.sends.empty()) {
      const SendView<Real> view = transport.send_view();
      for (const auto& m : plan.sends)
        launch_each(static_cast<std::int64_t>(m.count * reals), Fill<Real>{view, std::int64_t(m.first * reals)},
                    stream);
    }
    transport.start();
    transport.finish();
    for (const auto& m : plan.receives)
      launch_each(static_cast<std::int64_t>(m.count * reals),
                  CopyReals<Real>{transport.receive_buffer() + m.first * reals, unpacked.write() + m.first * reals},
                  stream);
  };
  for (int i = 0; i < 3; ++i) exchange();
  double best = 1e30;
  for (int s = 0; s < series; ++s) {
    DGTD_CUDA_CHECK(cudaStreamSynchronize(stream));
    comm.barrier();
    const Timer timer;
    for (int i = 0; i < exchanges; ++i) exchange();
    DGTD_CUDA_CHECK(cudaStreamSynchronize(stream));
    best = std::min(best, comm.max(timer.seconds()) / exchanges);
  }
  return best;
}

template double exchange_seconds(CudaTransport<Half>&, const HaloPlan&, const Communicator&, cudaStream_t);
template double exchange_seconds(CudaTransport<float>&, const HaloPlan&, const Communicator&, cudaStream_t);
template double exchange_seconds(CudaTransport<double>&, const HaloPlan&, const Communicator&, cudaStream_t);

}  // namespace dgtd::parallel
