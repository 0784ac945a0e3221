#include "cuda_trace_exchange.hpp"

#include "dgtd/dg/face_trace.hpp"

namespace dgtd::dg {

namespace {

constexpr int threads = 128;

// A thread a face and node: the trace, t_a and then t_b.
template <class Real>
__global__ void pack_kernel(const Real* field, const std::uint32_t* code, int faces, const int* a, const int* b,
                            const int* minus, FieldLayout layout, int face_nodes, Real* traces) {
  const int i = int(blockIdx.x) * threads + int(threadIdx.x), face = i / face_nodes, k = i % face_nodes;
  if (face >= faces) return;
  const Real* const first = field + layout.first(NeighbourCode::slot(code[face]));
  Real* const trace = traces + std::size_t(face) * 2 * face_nodes;
  read_trace(first, layout.stride(), a, b, minus, face_nodes, NeighbourCode::face(code[face]), k, trace[k],
             trace[face_nodes + k]);
}

template <class Real>
__global__ void unpack_kernel(Real* field, std::uint32_t first_slot, int faces, const int* a, const int* b,
                              FieldLayout layout, int face_nodes, const Real* traces) {
  const int i = int(blockIdx.x) * threads + int(threadIdx.x), face = i / face_nodes, k = i % face_nodes;
  if (face >= faces) return;
  Real* const first = field + layout.first(first_slot + std::uint32_t(face));
  const Real* const trace = traces + std::size_t(face) * 2 * face_nodes;
  first[a[ghost_face * face_nodes + k] * layout.stride()] = trace[k];
  first[b[ghost_face * face_nodes + k] * layout.stride()] = trace[face_nodes + k];
}

}  // namespace

template <class Real>
CudaTraceExchange<Real>::CudaTraceExchange(const Discretisation<Real>& d, parallel::Transport transport,
                                           const parallel::Communicator& comm, TraceStreams& streams)
    : streams_(streams),
      layout_(d.layout),
      face_nodes_(triangle_nodes(d.order)),
      faces_(static_cast<int>(d.mesh.halo_faces.size())),
      first_slot_(d.first_halo_slot),
      transport_(parallel::make_transport<Real>(transport, halo_plan(d), comm, streams.halo.get())) {
  std::vector<std::uint32_t> code;
  for (const auto& at : d.mesh.halo_faces)
    code.push_back(NeighbourCode::encode(d.slot_of_element[at.element], at.face));
  code_.upload(code);
  const FaceTraceEntries entries = face_trace_entries(d.order);
  a_.upload(entries.a);
  b_.upload(entries.b);
  minus_.upload(entries.minus);
}

template <class Real>
void CudaTraceExchange<Real>::start(const Real* field) {
  if (faces_ == 0) return;
  streams_.begin_traces();
  pack_kernel<<<grid(), threads, 0, streams_.halo.get()>>>(field, code_.data(), faces_, a_.data(), b_.data(),
                                                           minus_.data(), layout_, face_nodes_,
                                                           static_cast<Real*>(transport_->send_buffer()));
  DGTD_CUDA_CHECK_LAUNCH();
  transport_->start();
}

template <class Real>
void CudaTraceExchange<Real>::finish(Real* field) {
  if (faces_ == 0) return;
  transport_->finish();
  unpack_kernel<<<grid(), threads, 0, streams_.halo.get()>>>(field, first_slot_, faces_, a_.data(), b_.data(), layout_,
                                                             face_nodes_,
                                                             static_cast<const Real*>(transport_->receive_buffer()));
  DGTD_CUDA_CHECK_LAUNCH();
  streams_.halo_elements_wait();
}

template <class Real>
unsigned CudaTraceExchange<Real>::grid() const {
  return static_cast<unsigned>((faces_ * face_nodes_ + threads - 1) / threads);
}

template class CudaTraceExchange<float>;
template class CudaTraceExchange<double>;

}  // namespace dgtd::dg
