#include "cuda_sources.hpp"

#include <cub/block/block_reduce.cuh>

#include "dgtd/dg/face_trace.hpp"

namespace dgtd::dg {

namespace {

constexpr int threads = 128;
constexpr int measuring_threads = 1024;

unsigned grid(std::size_t n) { return static_cast<unsigned>((n + threads - 1) / threads); }

template <class Real>
__global__ void drive_kernel(Real* field, const std::uint64_t* index, const double* kick, std::size_t n, double f) {
  const std::size_t i = std::size_t(blockIdx.x) * threads + threadIdx.x;
  if (i >= n) return;
  Real& u = field[index[i]];
  u = static_cast<Real>(u + f * kick[i]);
}

// One thread block, so that the sum has one order.
template <class Real>
__global__ void measure_kernel(const Real* field, const std::uint64_t* index, const double* weight, std::size_t n,
                               double factor, double* measured) {
  using Reduce = cub::BlockReduce<double, measuring_threads>;
  __shared__ typename Reduce::TempStorage shared;
  double sum = 0;
  for (std::size_t i = threadIdx.x; i < n; i += measuring_threads) sum += weight[i] * field[index[i]];
  sum = Reduce(shared).Sum(sum);
  if (threadIdx.x == 0) *measured += factor * sum;
}

__global__ void waveform_kernel(const physics::WaveformShape shape, double time, const double* delay, std::size_t n,
                                double* values) {
  const std::size_t i = std::size_t(blockIdx.x) * threads + threadIdx.x;
  if (i < n) values[i] = physics::value(shape, time - delay[i]);
}

template <class Real>
__global__ void write_kernel(Real* field, const double* along, const double* values, const double* interpolation,
                             const int* entry_a, const int* entry_b, int face_nodes, int faces, FieldLayout layout,
                             std::uint32_t first_slot, bool overwrite) {
  const std::size_t i = std::size_t(blockIdx.x) * threads + threadIdx.x;
  if (i >= std::size_t(faces) * face_nodes) return;
  const int face = int(i / face_nodes), r = int(i % face_nodes);
  const double f = incident_coefficient(interpolation, values + std::size_t(face) * face_nodes, face_nodes, r);
  const std::uint32_t slot = first_slot + std::uint32_t(face);
  Real* const first = field + layout.first(slot);
  Real& u_a = first[entry_a[r] * layout.stride()];
  Real& u_b = first[entry_b[r] * layout.stride()];
  u_a = (overwrite ? Real(0) : u_a) + static_cast<Real>(along[2 * face] * f);
  u_b = (overwrite ? Real(0) : u_b) + static_cast<Real>(along[2 * face + 1] * f);
}

std::vector<int> ghost_entries(const std::vector<int>& of_all_faces, int face_nodes) {
  const auto first = of_all_faces.begin() + ghost_face * face_nodes;
  return {first, first + face_nodes};
}

}  // namespace

template <class Real>
void CudaCurrent<Real>::drive(Real* field, double f) {
  if (index_.size() == 0) return;
  drive_kernel<<<grid(index_.size()), threads, 0, streams_.writer()>>>(field, index_.data(), kick_.data(),
                                                                       index_.size(), f);
  DGTD_CUDA_CHECK_LAUNCH();
}

template <class Real>
void CudaCurrent<Real>::measure(const Real* field, double factor) {
  if (index_.size() == 0) return;
  measure_kernel<<<1, measuring_threads, 0, streams_.main.get()>>>(field, index_.data(), weight_.data(), index_.size(),
                                                                   factor, measured_.data());
  DGTD_CUDA_CHECK_LAUNCH();
}

template <class Real>
double CudaCurrent<Real>::measured() const {
  double value = 0;
  DGTD_CUDA_CHECK(cudaMemcpyAsync(&value, measured_.data(), sizeof value, cudaMemcpyDeviceToHost, streams_.main.get()));
  DGTD_CUDA_CHECK(cudaStreamSynchronize(streams_.main.get()));
  return value;
}

template <class Real>
CudaIncidentWriter<Real>::CudaIncidentWriter(const Discretisation<Real>& d, const IncidentWave& wave,
                                             const TraceStreams& streams)
    : streams_(streams),
      shape_(wave.shape),
      order_(d.order),
      face_nodes_(triangle_nodes(d.order)),
      faces_(static_cast<int>(d.absorbing_faces.size())),
      first_slot_(d.first_incident_slot),
      delay_(wave.delay),
      electric_along_(wave.electric_along),
      magnetic_along_(wave.magnetic_along),
      interpolation_(wave.interpolation),
      values_(wave.delay.size()) {
  const FaceTraceEntries entries = face_trace_entries(d.order);
  entry_a_.upload(ghost_entries(entries.a, face_nodes_));
  entry_b_.upload(ghost_entries(entries.b, face_nodes_));
}

template <class Real>
void CudaIncidentWriter<Real>::write(Real* field, const double* along, double time, bool overwrite) {
  if (faces_ == 0) return;
  const std::size_t n = delay_.size();
  waveform_kernel<<<grid(n), threads, 0, streams_.main.get()>>>(shape_, time, delay_.data(), n, values_.data());
  write_kernel<<<grid(n), threads, 0, streams_.main.get()>>>(
      field, along, values_.data(), interpolation_.data(), entry_a_.data(), entry_b_.data(), face_nodes_, faces_,
      FieldLayout{tetrahedron_nodes(order_), block_lanes}, first_slot_, overwrite);
  DGTD_CUDA_CHECK_LAUNCH();
}

template class CudaCurrent<float>;
template class CudaCurrent<double>;
template class CudaIncidentWriter<float>;
template class CudaIncidentWriter<double>;

}  // namespace dgtd::dg
