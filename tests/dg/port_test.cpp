// Lumped ports on tetrahedra.
#include <gtest/gtest.h>

#include <complex>

#include "dgtd/dg/level_time_step.hpp"
#include "dgtd/dg/time_step.hpp"
#include "bent_mesh.hpp"
#include "port_problem.hpp"
#include "random_levels.hpp"
#include "support/built_orders.hpp"
#include "support/error_message.hpp"
#include "support/port_reference.hpp"

namespace dgtd::dg::test {
namespace {

using Complex = std::complex<double>;
using physics::impedance_of;
using physics::Port;
using physics::spectrum;

const parallel::Communicator& self() {
  static const parallel::Communicator comm(MPI_COMM_SELF);
  return comm;
}

double port_time_step(const PortProblem& p, int order) {
  Discretisation<double> d(p.fields.mesh, p.fields.material, p.fields.boundary_kind, order, false, cpu_field_lanes, {},
                           {}, {}, p.fields.curved, p.fields.upwind);
  return 0.9 * stability_limit(d, *make_cpu_executor(d, KernelFusion::fused, self()), self()).time_step;
}

/// A step of level 0 whose bounds are below 0.985, s.
double stable_level_step(const PortProblem& p, int order, const TimeLevels& levels) {
  Discretisation<double> d(p.fields.mesh, p.fields.material, p.fields.boundary_kind, order, false, cpu_field_lanes,
                           levels);
  const auto executor = make_cpu_executor(d, KernelFusion::fused, self());
  LevelTimeStep<double> step(d, *executor, self());
  double dt = step.time_step(0.955);
  for (int i = 0; i < 200 && step.bounds(dt).largest() >= 0.985; ++i) dt *= 0.95;
  return dt;
}

class PortOrders : public testing::TestWithParam<int> {
 protected:
  int order() const { return GetParam(); }
};

// The lift of a constant on a face is a constant there, (p + 1)(p + 3) |J| / (2 A) over |J| / (2 A) (Warburton,
// Hesthaven 2003, Comput. Methods Appl. Mech. Eng. 192, 2765: the constant of the trace inequality, of which the
// constant on a face is the extremal).
TEST_P(PortOrders, ConstantsAreLiftedToConstants) {
  const int n = triangle_nodes(order()), nodes = tetrahedron_nodes(order());
  const std::vector<double> lift = lift_of_constant(order());
  const FaceTraceEntries entries = face_trace_entries(order());
  const double expected = (order() + 1) * (order() + 3);
  for (int face = 0; face < 4; ++face)
    for (int i = 0; i < n; ++i)
      EXPECT_NEAR(lift[static_cast<std::size_t>(face * nodes + entries.a[face * n + i] % nodes)], expected,
                  1e-9 * expected)
          << face << " " << i;
}

INSTANTIATE_TEST_SUITE_P(Built, PortOrders, testing::ValuesIn(built_orders({1, 2, 3, 4, 5, 6})));

/// Largest difference of the reflection at the feed of a line of 30 mm with such a load, over frequencies.
struct LineErrors {
  double reflection = 0, load = 0, balance = 0;  // the last two: of the load's impedance; of the powers of both ports
  double left = 0;                               // energy at the end over the work of both ports
  double time_step = 0;                          // s
};

constexpr double line_seconds = 8e-9;

LineErrors line_errors(const Port& load, int across, int order) {
  const int along = 15 * across;
  PortProblem p = line_between_plates(across, along, self());
  Port feed = port_across("feed", 0);
  feed.impedance = 200, feed.excite = 2;
  p.ports = {feed, load};
  p.ports[1].centre.z = along * plate_distance / across;
  const double dt = port_time_step(p, order), z = vacuum_impedance, length = p.ports[1].centre.z;
  auto solver = make_port_solver(p, order, dt, self());
  solver.advance(static_cast<std::int64_t>(std::ceil(line_seconds / dt)));
  const solver::PortRecord at_feed = solver.port_record(0), at_load = solver.port_record(1);
  LineErrors errors;
  errors.time_step = dt;
  errors.left = solver.energy() / solver.work().gross;
  for (const double frequency : {0.4e9, 1.1e9, 2e9, 3.3e9, 5e9}) {
    const auto of = [&](const std::vector<double>& record) { return spectrum(record, frequency, dt); };
    const Complex expected = impedance_of(load, frequency), end = -of(at_load.voltage) / of(at_load.current);
    // Z_in = Z (Z_L + i Z tan k l) / (Z + i Z_L tan k l)
    const Complex turn{0, std::tan(2 * pi * frequency / speed_of_light * length)};
    const Complex in = z * (expected + z * turn) / (z + expected * turn),
                  seen = of(at_feed.voltage) / of(at_feed.current);
    const auto reflection = [&](Complex impedance) { return (impedance - z) / (impedance + z); };
    errors.reflection = std::max(errors.reflection, std::abs(reflection(seen) - reflection(in)));
    errors.load = std::max(errors.load, std::abs(end - expected) / std::abs(expected));
    const double supplied = std::real(of(at_feed.voltage) * std::conj(of(at_feed.current))),
                 taken = -std::real(of(at_load.voltage) * std::conj(of(at_load.current)));
    errors.balance = std::max(errors.balance, std::abs(supplied - taken) / (std::norm(of(at_feed.voltage)) / z));
  }
  return errors;
}

// 30 elements per wavelength at 5 GHz. The scheme's own error is of second order in the time step, which is
// proportional to the elements: (omega dt)^2 / 12 of reactances in the circuit, whose sum may be half of its terms.
//
// Spurious modes of the centered flux, slow and of no voltage, are not damped by a uniform current (docs/theory.md,
// "Lumped ports"); what they have at the end is of the order 2p. Were all of it in one mode at the frequency of a row,
// the powers of the ports would differ there by the run's length times the bandwidth of the energy left over the energy
// supplied, and 5 GHz, the upper end of the band, has 1/4 of the largest power.
TEST(PortLine, EndsAsTheCircuitDoes) {
  Port resistor = port_across("load", 0), series = resistor, parallel = resistor;
  resistor.impedance = 100;
  series.resistance = 80, series.inductance = 8e-9, series.capacitance = 0.4e-12;
  parallel.circuit = Port::Circuit::parallel;
  parallel.resistance = 400, parallel.inductance = 10e-9, parallel.capacitance = 0.3e-12;
  for (const Port& load : {resistor, series, parallel}) {
    const LineErrors coarse = line_errors(load, 1, 1), fine = line_errors(load, 2, 1), p2 = line_errors(load, 1, 2);
    EXPECT_LT(coarse.reflection, 7e-4);
    EXPECT_LT(fine.reflection, 7e-4 / 4);  // second order
    EXPECT_LT(p2.reflection, 1e-4);
    EXPECT_LT(coarse.left, 4e-5);
    EXPECT_LT(fine.left, coarse.left / 2.8);
    EXPECT_LT(p2.left, 1e-8);
    for (const LineErrors& e : {coarse, fine, p2}) {
      const double phase = 2 * pi * 5e9 * e.time_step;
      EXPECT_LT(e.load, &load == &resistor ? 1e-12 : 2 * phase * phase / 12);
      EXPECT_LT(e.balance, 4 * line_seconds * load.waveform.bandwidth * e.left);
    }
  }
}

// A port between elements sees both halves of a line in parallel, which end in resistors of its impedance. H jumps
// there by the port's current, which a penalty of jumps must leave alone: it would be a resistor of upwind Z / 2.
TEST(PortLine, IsFedInItsMiddle) {
  for (const double upwind : {0.0, 0.1}) {
    PortProblem p = line_between_plates(2, 12, self(), 6);
    Port left = port_across("left", 0), middle = port_across("middle", 6e-3), right = port_across("right", 12e-3);
    left.impedance = right.impedance = vacuum_impedance;
    middle.impedance = 200, middle.excite = 2;
    p.ports = {left, middle, right};
    p.fields.upwind = upwind;
    const double dt = port_time_step(p, 2);
    auto solver = make_port_solver(p, 2, dt, self());
    solver.advance(static_cast<std::int64_t>(std::ceil(3e-9 / dt)));
    const solver::PortRecord record = solver.port_record(1);
    for (const double frequency : {1e9, 3e9, 5e9}) {
      const Complex seen = spectrum(record.voltage, frequency, dt) / spectrum(record.current, frequency, dt);
      EXPECT_LT(std::abs(seen - 0.5 * vacuum_impedance), 2e-4 * vacuum_impedance) << frequency << seen << upwind;
    }
  }
}

// The same port as a load: voltage and current are those of its resistor, of which each side has a half.
TEST(PortLine, HasALoadInItsMiddle) {
  PortProblem p = line_between_plates(2, 6, self(), 3);
  p.ports = {port_across("feed", 0), port_across("load", 3e-3)};
  p.ports[0].excite = 2;
  p.ports[1].impedance = 150;
  auto solver = make_port_solver(p, 2, port_time_step(p, 2), self());
  solver.advance(1000);
  const solver::PortRecord load = solver.port_record(1);
  double largest = 0, defect = 0;
  for (std::size_t n = 0; n < load.voltage.size(); ++n) {
    largest = std::max(largest, std::abs(load.voltage[n]));
    defect = std::max(defect, std::abs(load.voltage[n] + 150 * load.current[n]));
  }
  EXPECT_GT(largest, 0.05);
  EXPECT_LT(defect, 1e-12 * largest);
}

/// Difference of the energy less the work of ports from the energy at the start, over their sum.
double imbalance(DgSolver<double>& solver) {
  solver.randomise_fields();
  const double before = solver.energy();
  double largest = 0;
  for (int i = 0; i < 10; ++i) {
    solver.advance(60);
    largest = std::max(
        largest, std::abs(solver.energy() - solver.work().done - before) / (before + std::abs(solver.work().done)));
  }
  return largest;
}

// The discrete energies balance: what a circuit supplies to the fields is what they gain, to rounding errors, whatever
// R, L and C are, at the largest time step of the scheme without ports; on a wall and between elements.
TEST(PortEnergy, BalancesForAnyCircuit) {
  for (const auto circuit : {Port::Circuit::series, Port::Circuit::parallel})
    for (const double r : {1e-6, 50.0, 1e9})
      for (const double l : {0.0, 1e-18, 1.0})
        for (const double capacitance : {0.0, 1e-21, 1.0}) {
          PortProblem p = line_between_plates(1, 4, self(), 2);
          p.ports = {port_across("load", 0), port_across("middle", 4e-3)};
          for (Port& port : p.ports) {
            port.circuit = circuit;
            port.resistance = r;
            if (l > 0) port.inductance = l;
            if (capacitance > 0) port.capacitance = capacitance;
          }
          auto solver = make_port_solver(p, 2, port_time_step(p, 2), self());
          EXPECT_LT(imbalance(solver), 1e-11) << r << " " << l << " " << capacitance;
          const solver::SourceWork work = solver.work();
          EXPECT_LT(work.done, 0) << r << " " << l << " " << capacitance;
        }
}

// A measurement of some minutes: energy never grows beyond that of the start.
TEST(PortEnergy, DISABLED_BalancesOverAMillionSteps) {
  double balance = 0, growth = 0;
  for (const auto circuit : {Port::Circuit::series, Port::Circuit::parallel})
    for (const double r : {1e-6, 1e9})
      for (const double l : {1e-18, 1.0})
        for (const double capacitance : {1e-21, 1.0}) {
          PortProblem p = line_between_plates(1, 4, self(), 2);
          p.ports = {port_across("load", 0), port_across("middle", 4e-3)};
          for (Port& port : p.ports)
            port.circuit = circuit, port.resistance = r, port.inductance = l, port.capacitance = capacitance;
          auto solver = make_port_solver(p, 2, port_time_step(p, 2), self());
          solver.randomise_fields();
          const double before = solver.energy();
          for (int n = 0; n < 20; ++n) {
            solver.advance(50000);
            const double energy = solver.energy();
            balance = std::max(balance, std::abs(energy - solver.work().done - before) / before);
            growth = std::max(growth, energy / before - 1);
          }
          EXPECT_LT(balance, 1e-9) << r << " " << l << " " << capacitance;
          EXPECT_LT(growth, 1e-9) << r << " " << l << " " << capacitance;
        }
  std::printf("largest imbalance %.2g, growth %.2g of the energy at the start\n", balance, growth);
}

// The port's record is that work: voltage times current, though E on its faces, which differ in size, is random.
TEST(PortEnergy, BalancesWithItsSource) {
  PortProblem p = line_between_plates(2, 8, self(), 4);
  p.ports = {port_across("feed", 4e-3)};
  p.ports[0].excite = 1e3;
  auto solver = make_port_solver(p, 2, port_time_step(p, 2), self());
  EXPECT_LT(imbalance(solver), 1e-11);
  const solver::PortRecord& record = solver.port_record(0);
  double work = 0;
  for (std::size_t n = 0; n < record.power.size(); ++n) {
    EXPECT_EQ(record.power[n], record.voltage[n] * record.current[n]);
    work += record.power[n] * solver.time_step();
  }
  EXPECT_NEAR(work, solver.work().done, 1e-12 * std::abs(work));
}

// With bent edges, in the mean of whose metric the fields have their energy.
TEST(PortEnergy, BalancesBesideCurvedElements) {
  PortProblem p = line_between_plates(1, 4, self(), 2);
  bend(p.fields, 0.05);
  p.fields.curved = mesh::CurvedElements::mean;
  p.ports = {port_across("load", 0), port_across("middle", 4e-3)};
  auto solver = make_port_solver(p, 2, 0.8 * port_time_step(p, 2), self());
  EXPECT_LT(imbalance(solver), 1e-11);
  EXPECT_LT(solver.work().done, 0);
}

// With conduction in the elements beside the port: W^{n+1} - W^n = work - dt E' M_sigma E', E' the mean of both E.
TEST(PortEnergy, BalancesBesideConduction) {
  PortProblem p = line_between_plates(1, 4, self(), 2);
  p.fields.material[0].conductivity = 3;  // S/m: sigma dt / (2 eps) of about 0.1
  p.ports = {port_across("feed", 4e-3)};
  p.ports[0].excite = 1e3;
  auto solver = make_port_solver(p, 2, port_time_step(p, 2), self());
  solver.randomise_fields();
  const auto& d = solver.discretisation();
  const double start = solver.energy();
  double lost = 0;
  for (int n = 0; n < 100; ++n) {
    Field<double> mean(solver.electric().size(), solver.executor().memory());
    std::copy_n(solver.electric().host(), mean.size(), mean.host_for_writing());
    solver.advance(1);
    for (std::size_t i = 0; i < mean.size(); ++i)
      mean.host_for_writing()[i] = 0.5 * (mean.host()[i] + solver.electric().host()[i]);
    const auto squares = solver.executor().element_products(mean, mean);
    for (std::size_t slot = 0; slot < squares.size(); ++slot)
      if (d.element_of_slot[slot] >= 0) lost += 3 * squares[slot] * solver.time_step();
    const double work = solver.work().done;
    ASSERT_NEAR(solver.energy(), start + work - lost, 1e-11 * (start + std::abs(work))) << n;
  }
  EXPECT_GT(lost, 0.1 * start);
}

// Elements of the port on any level of local time steps, which runs do not have: it would be stable.
TEST(PortEnergy, BalancesWithLocalSteps) {
  PortProblem p = line_between_plates(2, 6, self(), 3);
  p.ports = {port_across("feed", 0), port_across("middle", 3e-3)};
  p.ports[0].excite = 1;
  const auto levels = random_levels(p.fields.mesh, p.fields.boundary_kind, 3, 2);
  std::vector<int> on_level(4);  // faces of the port between elements
  for (std::size_t e = 0; e < p.fields.mesh.elements(); ++e)
    for (int f = 0; f < 4; ++f) {
      const ElementGeometry element(p.fields.mesh, e);
      bool inside = true;
      for (int v = 0; v < 4; ++v) inside = inside && (v == f || std::abs(element.vertices[v].z - 3e-3) < 1e-9);
      if (inside) ++on_level[static_cast<std::size_t>(levels.of_element[e])];
    }
  for (const int level : {0, 1, 2}) EXPECT_GT(on_level[static_cast<std::size_t>(level)], 0) << level;
  auto solver = make_port_solver(p, 2, stable_level_step(p, 2, levels), self(), levels);
  EXPECT_LT(imbalance(solver), 1e-11);
}

// The numbers of the circuit are a part of the state: a run that goes on from it has the bits of the whole one.
TEST(PortState, IsKept) {
  PortProblem p = line_between_plates(1, 4, self(), 2);
  p.ports = {port_across("feed", 0), port_across("middle", 4e-3)};
  p.ports[0].excite = 1e3;
  for (Port& port : p.ports) port.inductance = 1e-9, port.capacitance = 1e-12;
  const double dt = port_time_step(p, 2);
  auto whole = make_port_solver(p, 2, dt, self()), next = make_port_solver(p, 2, dt, self());
  whole.randomise_fields();
  whole.advance(37);
  next.load(whole.save());
  ASSERT_EQ(whole.persistent_arrays().size(), 2u);  // E and Z0 H
  std::copy_n(whole.electric().host(), whole.electric().size(), next.electric().host_for_writing());
  std::copy_n(whole.magnetic().host(), whole.magnetic().size(), next.magnetic().host_for_writing());
  whole.advance(21);
  next.advance(21);
  EXPECT_EQ(next.fields_hash(), whole.fields_hash());
  EXPECT_EQ(next.work().done, whole.work().done);
  EXPECT_EQ(next.port_record(1).voltage, whole.port_record(1).voltage);
}

// Both elements of a face between elements, the one of a face on a side.
TEST(PortElements, HaveTheFacesOfPorts) {
  const PortProblem p = line_between_plates(2, 6, self(), 3);
  const auto has = port_elements(p.fields.mesh, {port_across("feed", 0), port_across("middle", 3e-3)});
  ASSERT_EQ(has.size(), p.fields.mesh.elements());
  EXPECT_EQ(std::count(has.begin(), has.end(), 1), 8 + 2 * 8);
  for (std::size_t e = 0; e < has.size(); ++e) {
    int at_feed = 0, at_middle = 0;
    for (int v = 0; v < 4; ++v) {
      at_feed += p.fields.mesh.vertex(e, v).z == 0;
      at_middle += std::abs(p.fields.mesh.vertex(e, v).z - 3e-3) < 1e-12;
    }
    EXPECT_EQ(has[e], at_feed == 3 || at_middle == 3) << e;
  }
}

// Both elements of each face in the plane of a port across a guide, and none elsewhere.
TEST(PortElements, HaveFacesInThePlanesOfGuides) {
  const PortProblem p = line_between_plates(2, 6, self(), 3);
  physics::Port guide = port_across("guide", 3e-3);
  guide.type = physics::Port::Type::waveguide;
  guide.direction = {0, 0, 1};
  const auto has = port_elements(p.fields.mesh, {guide});
  EXPECT_EQ(std::count(has.begin(), has.end(), 1), 2 * 8);
  for (std::size_t e = 0; e < has.size(); ++e) {
    int in_plane = 0;
    for (int v = 0; v < 4; ++v) in_plane += std::abs(p.fields.mesh.vertex(e, v).z - 3e-3) < 1e-12;
    EXPECT_EQ(has[e], in_plane == 3) << e;
  }
}

TEST(PortErrors, NameWhatTheMeshDoesNotHave) {
  const auto of = [&](const auto& change) {
    PortProblem p = line_between_plates(2, 6, self());
    p.ports = {port_across("load", 3e-3)};
    change(p);
    return message([&] { (void)make_port_solver(p, 1, 1e-13, self()); });
  };
  EXPECT_EQ(
      of([](PortProblem& p) {
        p.ports[0].size = {0, 2e-3, 0};
      }),
      "line.cfg:9: port.load: size: on tetrahedra a port is a rectangle of faces: of its size along z and x, across "
      "its direction, one must be 0 and the other the width");
  EXPECT_EQ(
      of([](PortProblem& p) {
        p.ports[0].size = {2e-3, 0, 0};
      }),
      "line.cfg:9: port.load: size: along y, its direction, it must be the distance between the conductors, and it "
      "is 0");
  EXPECT_EQ(
      of([](PortProblem& p) { p.ports[0].centre.z = 2.5e-3; }),
      "line.cfg:9: port.load: the mesh has no face between elements in its rectangle of centre and size; such faces "
      "must fill it");
  EXPECT_EQ(of([](PortProblem& p) {
              p.ports[0].centre.z = 0;
              p.ports[0].centre.x = 0.75e-3, p.ports[0].size.x = 1.5e-3;
            }),
            "line.cfg:9: port.load: faces of the mesh fill 66.67 % of its rectangle of centre and size; they must fill "
            "all of it, and both sides of it must be in the mesh or one of type pmc");
  const std::string allowed = "; it must be inside of media without poles, or on a boundary of type pmc";
  EXPECT_EQ(
      of([](PortProblem& p) { p.ports[0].centre.z = 0, p.fields.boundary_kind[4] = physics::BoundaryKind::pec; }),
      "line.cfg:9: port.load: a face of its rectangle, near 0.000666667 0.000333333 0 m, is on a boundary that is not "
      "of type pmc" +
          allowed);
  EXPECT_EQ(of([](PortProblem& p) { p.ports[0].centre.z = 0, bend(p.fields, 0.05); }),
            "line.cfg:9: port.load: a face of its rectangle, near 0.000666667 0.000333333 0 m, is of an element with a "
            "metric at each point (mesh.curved = full); mesh.curved = mean or off fits");
  EXPECT_EQ(
      of([](PortProblem& p) {
        p.ports[0].centre.z = 0;
        p.fields.material[0].poles = {{physics::Pole::Type::lorentz, 2e10, 3e10, 0, 0}};
      }),
      "line.cfg:9: port.load: a face of its rectangle, near 0.000666667 0.000333333 0 m, is in a dispersive medium" +
          allowed);
  EXPECT_EQ(
      of([](PortProblem& p) {
        p.ports[0].centre.z = 0;
        add_layers(p.fields, [](std::size_t) { return true; });
      }),
      "line.cfg:9: port.load: a face of its rectangle, near 0.000666667 0.000333333 0 m, is in an absorbing layer" +
          allowed);
  EXPECT_EQ(
      of([](PortProblem& p) {
        p.ports[0].centre.z = 0;
        p.ports.push_back(port_across("other", 3e-3));
        p.ports[1].centre.x = 2e-3, p.ports[1].size = {0, 2e-3, 6e-3};
      }),
      "line.cfg:9: port.other: an element of the mesh has a face in it and another one in port.load; there must be "
      "an element between two ports, or smaller ones");
}

}  // namespace
}  // namespace dgtd::dg::test
