#include "dgtd/dg/trace_exchange.hpp"

#include "dgtd/dg/bernstein.hpp"
#include "dgtd/dg/field_layout.hpp"

namespace dgtd::dg {

namespace {

// Volume nodes of a face, for an order known at run time: a row of face_node_table.
const int* face_nodes(int order, int face) {
  static const auto rows = [] {
    std::array<std::array<const int*, 4>, 7> table{};
    static_for<6>([&](auto i) {
      for (int f = 0; f < 4; ++f) table[i + 1][f] = face_node_table<decltype(i)::v + 1>[f].data();
    });
    return table;
  }();
  return rows[order][face];
}

parallel::HaloPlan plan(const mesh::Subdomain& mesh, int order) {
  parallel::HaloPlan p;
  for (const auto& n : mesh.halo_neighbours) p.neighbours.push_back({n.rank, n.first, n.count});
  p.faces = mesh.halo_faces.size();
  p.reals_per_face = 2 * std::size_t(triangle_nodes(order));
  return p;
}

}  // namespace

template <class Real>
void write_ghost(Field<Real>& field, int order, std::uint32_t slot, const Real* trace) {
  const int nodes = tetrahedron_nodes(order), on_face = triangle_nodes(order);
  Real* const block = field.data() + std::size_t{slot / block_lanes} * 3 * nodes * block_lanes + slot % block_lanes;
  const int* const face = face_nodes(order, 3);  // components 1 and 2 are tangential to face 3
  for (int i = 0; i < on_face; ++i) {
    block[std::size_t(face[i]) * block_lanes] = trace[i];
    block[std::size_t(nodes + face[i]) * block_lanes] = trace[on_face + i];
  }
}

template <class Real>
void read_trace(const Field<Real>& field, int order, std::uint32_t slot, int face, Real* trace) {
  const int nodes = tetrahedron_nodes(order), on_face = triangle_nodes(order);
  const Real* const block = field.data() + std::size_t{slot / block_lanes} * 3 * nodes * block_lanes + slot % block_lanes;
  const int* const node = face_nodes(order, face);
  const auto at = [&](int component, int i) { return block[std::size_t(component * nodes + node[i]) * block_lanes]; };
  for (int i = 0; i < on_face; ++i) {
    if (face == 0) {
      trace[i] = at(1, i) - at(0, i);
      trace[on_face + i] = at(2, i) - at(0, i);
    } else {
      trace[i] = at(face_vertices[face][1] - 1, i);
      trace[on_face + i] = at(face_vertices[face][2] - 1, i);
    }
  }
}

template <class Real>
TraceExchange<Real>::TraceExchange(const Discretisation<Real>& d, const parallel::Communicator& comm)
    : d_(d), exchange_(plan(d.mesh, d.order), comm) {}

template <class Real>
void TraceExchange<Real>::start(const Field<Real>& field) {
  const auto& faces = d_.mesh.halo_faces;
  const std::size_t reals = 2 * std::size_t(triangle_nodes(d_.order));
  Real* const to = exchange_.send_buffer();
#pragma omp parallel for schedule(static)
  for (std::ptrdiff_t i = 0; i < static_cast<std::ptrdiff_t>(faces.size()); ++i)
    read_trace(field, d_.order, d_.slot_of_element[faces[i].element], faces[i].face, to + i * reals);
  exchange_.start();
}

template <class Real>
void TraceExchange<Real>::finish(Field<Real>& field) {
  exchange_.finish();
  const auto count = static_cast<std::ptrdiff_t>(d_.mesh.halo_faces.size());
  const std::size_t reals = 2 * std::size_t(triangle_nodes(d_.order));
  const Real* const from = exchange_.receive_buffer();
#pragma omp parallel for schedule(static)
  for (std::ptrdiff_t i = 0; i < count; ++i)
    write_ghost(field, d_.order, d_.first_halo_slot + static_cast<std::uint32_t>(i), from + i * reals);
}

template class TraceExchange<float>;
template class TraceExchange<double>;
template void write_ghost<float>(Field<float>&, int, std::uint32_t, const float*);
template void write_ghost<double>(Field<double>&, int, std::uint32_t, const double*);
template void read_trace<float>(const Field<float>&, int, std::uint32_t, int, float*);
template void read_trace<double>(const Field<double>&, int, std::uint32_t, int, double*);

}  // namespace dgtd::dg
