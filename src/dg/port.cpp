#include "dgtd/dg/port.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "dgtd/dg/element_geometry.hpp"
#include "dgtd/dg/reference_element.hpp"
#include "curved_metric.hpp"
#include "guide_plane.hpp"
#include "port_error.hpp"
#include "port_faces.hpp"

namespace dgtd::dg {

std::vector<double> lift_of_constant(int order) {
  const int nodes = tetrahedron_nodes(order), n = triangle_nodes(order);
  const auto inverse_mass = inverse(mass_matrix(order), nodes);
  const FaceTraceEntries entries = face_trace_entries(order);
  const double integral = 0.5 / n;  // of each polynomial of the basis
  std::vector<double> lift(std::size_t{4} * nodes);
  for (int f = 0; f < 4; ++f)
    for (int i = 0; i < nodes; ++i)
      for (int j = 0; j < n; ++j)
        lift[f * nodes + i] += inverse_mass[i * nodes + entries.a[f * n + j] % nodes] * integral;
  return lift;
}

double lumped_port_bytes(const mesh::Subdomain& mesh, const physics::Port& port, int order) {
  const double of_sides = (sizeof(PortSide) + 2 * sizeof(double)) * double(faces_of_port(mesh, port).size());
  return of_sides + 4.0 * tetrahedron_nodes(order) * sizeof(double) + 12.0 * triangle_nodes(order) * sizeof(int) +
         sizeof(PortState) + sizeof(PortCircuit) + (1 + 3.0 * most_steps_at_once) * sizeof(double);
}

std::vector<std::uint8_t> port_elements(const mesh::Subdomain& mesh, const std::vector<physics::Port>& ports) {
  std::vector<std::uint8_t> has(mesh.elements());
  for (const physics::Port& port : ports) {
    if (port.is_lumped()) {
      for (const PortFace& f : faces_of_port(mesh, port)) has[f.element] = 1;
      continue;
    }
    const GuidePlane plane(port);
    for (std::size_t e = 0; e < mesh.elements(); ++e) {
      int in_plane = 0;  // vertices
      for (int v = 0; v < 4; ++v) in_plane += plane.has(mesh.vertex(e, v)) ? 1 : 0;
      if (in_plane == 3) has[e] = 1;
    }
  }
  return has;
}

namespace {

// response: of the element's medium, V/m per A/m^2. gain: the change of the port's voltage per current, V/A, which the
// side has a part in.
template <class Real>
PortSide port_side(const Discretisation<Real>& d, const PortFace& f, const Vec3& direction, double width,
                   double response, double& gain) {
  const ElementGeometry element(d.mesh, f.element);
  const FaceGeometry face(element, f.face);
  // The part of l in the face is along_a e_a + along_b e_b, so that l . E = along_a t_a + along_b t_b.
  const double aa = dot(face.edge_a, face.edge_a), ab = dot(face.edge_a, face.edge_b),
               bb = dot(face.edge_b, face.edge_b), la = dot(direction, face.edge_a), lb = dot(direction, face.edge_b);
  const double divisor = aa * bb - ab * ab;
  const double along_a = (la * bb - lb * ab) / divisor, along_b = (lb * aa - la * ab) / divisor;
  const Vec3 l = along_a * face.edge_a + along_b * face.edge_b;
  // A current density j l on the face, A/m, raises E by response 2 A / |J| j l times the reference element's lift of 1,
  // which is (p + 1)(p + 3) on the face.
  const double density = f.share / width;  // j of 1 A
  const double of_lift = response * 2 * f.area / std::abs(element.determinant) * density;
  PortSide side{};
  side.first = d.layout.first(d.slot_of_element[f.element]);
  side.face = f.face;
  side.weight[0] = density * f.area / triangle_nodes(d.order) * along_a;
  side.weight[1] = density * f.area / triangle_nodes(d.order) * along_b;
  const std::array<double, 3> covariant = covariant_direction(d, d.slot_of_element[f.element], element, l);
  for (std::size_t k = 0; k < 3; ++k) side.change[k] = of_lift * covariant[k];
  // Along an edge of the face; l . e_a and l . e_b, from which those of elements with the mean of a metric differ.
  const auto along_edge = [&](int from, int to) {
    const auto at = [&](int vertex) { return vertex == 0 ? 0.0 : covariant[static_cast<std::size_t>(vertex - 1)]; };
    return at(to) - at(from);
  };
  const auto& corner = face_vertices[f.face];
  const double of_l = along_a * along_edge(corner[0], corner[1]) + along_b * along_edge(corner[0], corner[2]);
  gain = density * f.area * of_l * of_lift * (d.order + 1) * (d.order + 3);
  return side;
}

template <class Real>
PortSheet port_sheet(const Discretisation<Real>& d, const physics::Port& port, const CurrentResponse& response,
                     double dt, const parallel::Communicator& comm) {
  auto faces = faces_of_port(d.mesh, port);
  const double width = checked_width(d, port, faces, comm);
  const auto number_of = [&](const PortFace& f) { return 4 * d.mesh.element_id[f.element] + f.face; };
  std::sort(faces.begin(), faces.end(),
            [&](const PortFace& f, const PortFace& g) { return number_of(f) < number_of(g); });
  PortSheet sheet;
  std::vector<double> gains;  // [sides] V/A
  for (const PortFace& f : faces) {
    sheet.number.push_back(number_of(f));
    sheet.sides.push_back(
        port_side(d, f, port.direction, width, response(d.material_of(f.element)), gains.emplace_back()));
  }
  sheet.sum = std::make_shared<const PortSum>(sheet.number, comm);
  if (!faces.empty()) sheet.circuit = physics::circuit_step(port, 1, 0.5 * sheet.sum->of(gains), dt);
  return sheet;
}

}  // namespace

template <class Real>
std::vector<PortSheet> port_sheets(const Discretisation<Real>& d, const std::vector<physics::Port>& ports,
                                   const CurrentResponse& response, double dt, const parallel::Communicator& comm) {
  std::vector<PortSheet> sheets;
  std::map<std::int64_t, std::size_t> port_of;  // of elements
  for (std::size_t p = 0; p < ports.size(); ++p) {
    sheets.push_back(port_sheet(d, ports[p], response, dt, comm));
    // The currents of two faces of an element would act on each other within a step.
    std::int64_t other = -1;
    for (const std::int64_t number : sheets.back().number)
      if (const auto [at, is_new] = port_of.try_emplace(number / 4, p); !is_new)
        other = std::max(other, static_cast<std::int64_t>(at->second));
    if (other = comm.max(other); other == static_cast<std::int64_t>(p))
      refuse_port(ports[p],
                  "an element of the mesh has two faces in it; there must be one at most, in smaller elements");
    if (other >= 0)
      refuse_port(ports[p],
                  fmt::format("an element of the mesh has a face in it and another one in port.{}; there must "
                              "be an element between two ports, or smaller ones",
                              ports[static_cast<std::size_t>(other)].name));
  }
  return sheets;
}

template <class Real>
PortsOn<Real>::PortsOn(const Discretisation<Real>& d, Executor<Real>& executor, const std::vector<PortSheet>& sheets,
                       double dt)
    : executor_(executor),
      first_side_{0},
      stride_(d.layout.stride()),
      nodes_(d.layout.nodes),
      face_nodes_(triangle_nodes(d.order)),
      dt_(dt) {
  std::vector<PortSide> sides;
  for (const PortSheet& sheet : sheets) {
    for (PortSide side : sheet.sides) {
      side.port = static_cast<int>(sums_.size());
      sides.push_back(side);
    }
    sums_.push_back(sheet.sum);
    first_side_.push_back(sides.size());
  }
  std::vector<PortCircuit> circuits;
  for (std::size_t p = 0; p < sheets.size(); ++p) {
    if (sheets[p].sides.empty()) continue;
    PortCircuit& c = circuits.emplace_back();
    c.circuit = sheets[p].circuit;
    c.port = static_cast<int>(p);
    c.first = static_cast<std::int64_t>(sums_[p]->is_shared() ? sides.size() + p : first_side_[p]);
    c.parts = static_cast<std::int64_t>(sums_[p]->is_shared() ? 1 : sheets[p].sides.size());
  }
  auto& memory = executor.memory();
  const FaceTraceEntries entries = face_trace_entries(d.order);
  sides_ = {sides, memory};
  lift_ = {lift_of_constant(d.order), memory};
  entry_a_ = {entries.a, memory};
  entry_b_ = {entries.b, memory};
  minus_ = {entries.minus, memory};
  before_ = parallel::Array<double>(sides.size(), memory);
  mean_ = parallel::Array<double>(sides.size() + sheets.size(), memory);
  circuits_ = {circuits, memory};
  state_ = parallel::Array<PortState>(sheets.size(), memory);
  record_ = parallel::Array<double>(3 * most_steps_at_once * sheets.size(), memory);
}

template <class Real>
PortTraces<Real> PortsOn<Real>::traces(const Field<Real>& electric) const {
  return {electric.read(), stride_, entry_a_.read(), entry_b_.read(), minus_.read(), face_nodes_, sides_.read()};
}

template <class Real>
void PortsOn<Real>::take_fields(const Field<Real>& electric) {
  if (size() > 0) executor_.for_each(size(), ReadPort<Real>{traces(electric), before_.write()});
}

template <class Real>
bool PortsOn<Real>::has_messages() const {
  return std::any_of(sums_.begin(), sums_.end(), [](const auto& sum) { return sum->is_shared(); });
}

// The loop of the circuits itself adds the parts of a port on one rank, without the host.
template <class Real>
void PortsOn<Real>::add_means_of_all_ranks() {
  for (std::size_t p = 0; p < sums_.size(); ++p) {
    const std::size_t first = first_side_[p], count = first_side_[p + 1] - first;
    if (count == 0 || !sums_[p]->is_shared()) continue;
    const double sum = sums_[p]->of(mean_.part(first, count));
    executor_.for_each(1, WriteNumbers{mean_.write() + size() + p, {sum}});
  }
}

template <class Real>
void PortsOn<Real>::apply(Field<Real>& electric, const double* sources, int step) {
  if (size() == 0) return;
  executor_.for_each(size(), MeanOfPort<Real>{traces(electric), before_.read(), mean_.write()});
  add_means_of_all_ranks();
  double* const record = record_.write() + std::size_t{3} * sums_.size() * static_cast<std::size_t>(step);
  executor_.for_each(static_cast<std::int64_t>(circuits_.size()),
                     StepCircuits{circuits_.read(), mean_.read(), state_.write(), record, sources, dt_});
  Real* const field = electric.write();
  executor_.for_each(size(),
                     LiftPort<Real>{traces(electric), field, nodes_, lift_.read(), state_.read(), before_.write()});
}

template <class Real>
std::vector<double> PortsOn<Real>::take_records(int steps) const {
  const std::size_t ports = sums_.size();
  std::vector<double> records(3 * ports * static_cast<std::size_t>(steps));
  if (std::none_of(sums_.begin(), sums_.end(), [](const auto& sum) { return sum->is_first(); })) return records;
  records = record_.part(0, records.size());
  for (std::size_t i = 0; i < records.size(); ++i)
    if (!sums_[i / 3 % ports]->is_first()) records[i] = 0;
  return records;
}

template <class Real>
std::vector<double> PortsOn<Real>::work() const {
  std::vector<double> work(sums_.size());
  const auto state = state_.part(0, sums_.size());
  for (std::size_t p = 0; p < work.size(); ++p)
    if (sums_[p]->is_first()) work[p] = state[p].work;
  return work;
}

template <class Real>
std::vector<double> PortsOn<Real>::circuit_numbers(std::size_t port) const {
  if (!sums_[port]->is_first()) return std::vector<double>(3);
  const PortState state = state_.part(port, 1).front();
  return {state.first, state.second, state.work};
}

template <class Real>
void PortsOn<Real>::set_circuit(std::size_t port, const std::vector<double>& numbers) {
  PortState& state = state_.host_for_writing()[port];
  state.first = numbers.at(0), state.second = numbers.at(1), state.work = numbers.at(2);
}

template <class Real>
double PortsOn<Real>::memory_bytes() const {
  return sides_.bytes() + lift_.bytes() + before_.bytes() + mean_.bytes() + circuits_.bytes() + state_.bytes() +
         record_.bytes();
}

template std::vector<PortSheet> port_sheets(const Discretisation<float>&, const std::vector<physics::Port>&,
                                            const CurrentResponse&, double, const parallel::Communicator&);
template std::vector<PortSheet> port_sheets(const Discretisation<double>&, const std::vector<physics::Port>&,
                                            const CurrentResponse&, double, const parallel::Communicator&);
template class PortsOn<float>;
template class PortsOn<double>;

}  // namespace dgtd::dg
