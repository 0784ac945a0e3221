#pragma once
// Halo traces on the CPU: packed into host buffers, exchanged by non-blocking MPI.
#include "dgtd/dg/executor.hpp"
#include "dgtd/dg/face_trace.hpp"

namespace dgtd::dg {

template <class Real>
class CpuTraceExchange final : public TraceExchange<Real> {
 public:
  CpuTraceExchange(const Discretisation<Real>& d, const parallel::Communicator& comm);
  void start(const Real* field) override;
  void finish(Real* field) override;
  double wait_seconds() const override { return exchange_.wait_seconds(); }

 private:
  const Discretisation<Real>& d_;
  FaceTraceEntries entries_;
  parallel::HaloExchange<Real> exchange_;
};

}  // namespace dgtd::dg
