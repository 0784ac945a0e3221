#include "cpu_trace_exchange.hpp"

namespace dgtd::dg {

template <class Real>
parallel::HaloPlan halo_plan(const Discretisation<Real>& d) {
  parallel::HaloPlan plan;
  for (const auto& n : d.mesh.halo_neighbours) plan.sends.push_back({n.rank, n.first, n.count});
  plan.receives = plan.sends;
  plan.faces = d.mesh.halo_faces.size();
  plan.reals_per_face = 2 * std::size_t(triangle_nodes(d.order));
  return plan;
}

template <class Real>
CpuTraceExchange<Real>::CpuTraceExchange(const Discretisation<Real>& d, const parallel::Communicator& comm)
    : d_(d), entries_(face_trace_entries(d.order)), exchange_(halo_plan(d), comm) {}

template <class Real>
void CpuTraceExchange<Real>::start(const Real* field) {
  const auto& faces = d_.mesh.halo_faces;
  const std::size_t reals = 2 * std::size_t(entries_.face_nodes);
  Real* const to = exchange_.send_buffer();
#pragma omp parallel for schedule(static)
  for (std::ptrdiff_t i = 0; i < static_cast<std::ptrdiff_t>(faces.size()); ++i)
    for (int k = 0; k < entries_.face_nodes; ++k)
      read_trace(field + d_.layout.first(d_.slot_of_element[faces[i].element]), d_.layout.stride(), entries_.a.data(),
                 entries_.b.data(), entries_.minus.data(), entries_.face_nodes, faces[i].face, k, to[i * reals + k],
                 to[i * reals + entries_.face_nodes + k]);
  exchange_.start();
}

template <class Real>
void CpuTraceExchange<Real>::finish(Real* field) {
  exchange_.finish();
  const int nodes = entries_.face_nodes;
  const int* const a = entries_.a.data() + ghost_face * nodes;
  const int* const b = entries_.b.data() + ghost_face * nodes;
  const std::size_t stride = d_.layout.stride();
#pragma omp parallel for schedule(static)
  for (std::ptrdiff_t i = 0; i < static_cast<std::ptrdiff_t>(d_.mesh.halo_faces.size()); ++i) {
    const Real* const trace = exchange_.receive_buffer() + std::size_t(i) * 2 * nodes;
    Real* const first = field + d_.layout.first(d_.first_halo_slot + static_cast<std::uint32_t>(i));
    for (int k = 0; k < nodes; ++k) {
      first[a[k] * stride] = trace[k];
      first[b[k] * stride] = trace[nodes + k];
    }
  }
}

template parallel::HaloPlan halo_plan<float>(const Discretisation<float>&);
template parallel::HaloPlan halo_plan<double>(const Discretisation<double>&);
template class CpuTraceExchange<float>;
template class CpuTraceExchange<double>;

}  // namespace dgtd::dg
