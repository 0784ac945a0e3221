#pragma once
// Halo traces on the device: packed, sent, received and unpacked without the host touching a value.
#include "../parallel/cuda_memory.hpp"
#include "../parallel/cuda_transport.hpp"
#include "trace_streams.hpp"
#include "dgtd/dg/executor.hpp"

namespace dgtd::dg {

template <class Real>
class CudaTraceExchange final : public TraceExchange<Real> {
 public:
  CudaTraceExchange(const Discretisation<Real>& d, parallel::Transport transport, const parallel::Communicator& comm,
                    TraceStreams& streams);
  void start(const Real* field) override;
  void finish(Real* field) override;
  double wait_seconds() const override { return transport_->wait_seconds(); }

 private:
  unsigned grid() const;
  TraceStreams& streams_;
  FieldLayout layout_;
  int face_nodes_, faces_;
  std::uint32_t first_slot_;
  parallel::DeviceArray<std::uint32_t> code_;  // [faces] NeighbourCode of the owned element and its face
  parallel::DeviceArray<int> a_, b_, minus_;   // FaceTraceEntries
  std::unique_ptr<parallel::CudaTransport> transport_;
};

}  // namespace dgtd::dg
