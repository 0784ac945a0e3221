// Modes of ports across guides against formulas.
#include <gtest/gtest.h>

#include <cmath>

#include "bent_mesh.hpp"
#include "comparison.hpp"
#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/dg/element_geometry.hpp"
#include "dgtd/dg/guide_port.hpp"
#include "dgtd/mesh/load.hpp"
#include "support/error_message.hpp"

namespace dgtd::dg::test {
namespace {

constexpr double radius = 12e-3;  // m

// A square prism of cubes whose vertices are moved so that its cross-section is a polygon in a circle, with its walls of
// metal.
Problem round_guide(int across, const parallel::Communicator& comm) {
  Problem p{mesh::make_box({across, across, 4}, {2, 2, 8.0 / across}, comm), {{1, 1, 0}}, {}, {}};
  for (const std::string& side : p.mesh.surface_names)
    p.boundary_kind.push_back(side[0] == 'z' ? physics::BoundaryKind::silver_muller : physics::BoundaryKind::pec);
  for (Vec3& v : p.mesh.vertices) {
    const double x = v.x - 1, y = v.y - 1;
    v = radius * Vec3{x * std::sqrt(1 - y * y / 2), y * std::sqrt(1 - x * x / 2), v.z};
  }
  return p;
}

physics::Port port_in_circle(physics::GuideMode mode, int across) {
  physics::Port port;
  port.name = "round", port.origin = "guide.cfg:9";
  port.type = physics::Port::Type::waveguide, port.section = physics::Port::Section::circle;
  port.mode = mode;
  port.centre = {0, 0, 2 * radius * 2 / across};
  port.size = {2 * radius, 2 * radius, 0};
  port.direction = {0, 0, 1};
  port.frequencies = {2e10};
  port.excite = 1;
  port.waveform.frequency = 2e10, port.waveform.bandwidth = 1e9;
  return port;
}

// The area of a polygon in a circle of radius R with N sides is that of a circle of the radius R (1 - (2 pi / N)^2 / 12).
// The cut-off of that circle is the polygon's to a higher order of 1 / N.
TEST(GuidePortModes, OfACircleHaveTheCutOffOfItsZeros) {
  const parallel::Communicator comm;
  constexpr int across = 8;
  const Problem p = round_guide(across, comm);
  const Discretisation<double> d(p.mesh, p.material, p.boundary_kind, 2, false, cpu_field_lanes);
  double area = 0;
  using Kind = physics::GuideMode::Kind;
  const std::pair<physics::GuideMode, double> zeros[] = {
      {{Kind::te, 1, 1}, 1.8411837813}, {{Kind::tm, 0, 1}, 2.4048255577}, {{Kind::te, 2, 1}, 3.0542369282}};
  for (const auto& [mode, zero] : zeros) {
    const GuidePort port = make_guide_port(d, port_in_circle(mode, across), 1e-16, comm);
    if (area == 0)
      for (const auto& side : port.launches.at(0).surface.sides)
        if (side.ahead) area += FaceGeometry(ElementGeometry(p.mesh, side.element), side.face).area;
    const double exact = zero * speed_of_light / (2 * pi * std::sqrt(area / pi));
    EXPECT_NEAR(port.mode.cut_off.value() / exact, 1, 2e-3) << zero;
  }
  EXPECT_NEAR(area / (pi * radius * radius), 1, 0.02);
}

// The first mode of a guide of metal with a slab across it, from the bottom to the top: E is along the height and does not
// vary along it, E'' + (k^2 eps - beta^2) E = 0 across, even about the middle.
double index_with_slab(double frequency, double wide, double slab, double permittivity) {
  const double k = 2 * pi * frequency / speed_of_light;
  double low = 1e-3, high = std::sqrt(permittivity) * (1 - 1e-9);  // of the index
  for (int i = 0; i < 100; ++i) {
    const double n = 0.5 * (low + high), inside = k * std::sqrt(permittivity - n * n), outside = k * k * (1 - n * n),
                 beside = 0.5 * (wide - slab), q = std::sqrt(std::abs(outside)),
                 around = outside > 0 ? q / std::tan(q * beside) : q / std::tanh(q * beside);
    const bool above = 0.5 * inside * slab < 0.5 * pi && inside * std::tan(0.5 * inside * slab) < around;
    (above ? high : low) = n;
  }
  return low;
}

// Cells have an error of (2 pi / 64)^2 / 12 = 8e-4 of the transverse wave numbers' squares, which are below k^2 eps.
TEST(GuidePortModes, OfASlabInMetalAreThoseOfItsEquation) {
  const parallel::Communicator comm;
  constexpr double wide = 24e-3, high = 10e-3, frequency = 10e9;
  Problem p{mesh::make_box({6, 2, 4}, {wide, high, 16e-3}, comm), {{1, 1, 0}, {4, 1, 0}}, {}, {}};
  for (const std::string& side : p.mesh.surface_names)
    p.boundary_kind.push_back(side[0] == 'z' ? physics::BoundaryKind::silver_muller : physics::BoundaryKind::pec);
  p.mesh.volume_names = {"vacuum", "glass"};
  for (std::size_t e = 0; e < p.mesh.elements(); ++e)
    p.mesh.element_group[e] = std::abs(ElementGeometry(p.mesh, e).centre().x - 0.5 * wide) < 4e-3 ? 1 : 0;
  const Discretisation<double> d(p.mesh, p.material, p.boundary_kind, 2, false, cpu_field_lanes);
  physics::Port port;
  port.name = "slab", port.origin = "guide.cfg:9", port.type = physics::Port::Type::mode;
  port.centre = {0.5 * wide, 0.5 * high, 8e-3}, port.size = {wide, high, 0}, port.direction = {0, 0, 1};
  port.frequencies = {9e9, frequency};
  const GuidePort made = make_guide_port(d, port, 2e-12, comm);
  for (std::size_t f = 0; f < 2; ++f) {
    const double k = 2 * pi * port.frequencies[f] / speed_of_light,
                 index = index_with_slab(port.frequencies[f], wide, 8e-3, 4);
    EXPECT_NEAR(made.mode.waves[f].phase_constant / k, index, 3e-4 * index) << f;
    // E is along the height, H across: Z = k / beta Z0.
    EXPECT_NEAR(made.mode.waves[f].impedance, vacuum_impedance / index, 1e-3 * vacuum_impedance / index) << f;
    EXPECT_GT(made.mode.plane.frequencies[f], port.frequencies[f]);
  }
  port.modes = {2}, port.frequencies = {frequency};  // odd about the middle; below its cut-off at 9 GHz
  EXPECT_LT(make_guide_port(d, port, 2e-12, comm).mode.waves[0].phase_constant, made.mode.waves[1].phase_constant);
}

// A plane's fields in a steady state have the frequency of the steps: Z_TE = mu W / beta of W = 2/dt sin(omega dt / 2).
TEST(GuidePortModes, OfSteadyFieldsAreThoseOfTheSteps) {
  const parallel::Communicator comm;
  constexpr double frequency = 1e10, dt = 5e-12, width = 20e-3, height = 12e-3;  // 20 steps to a period
  Problem p{mesh::make_box({3, 3, 4}, {width, height, width}, comm), {{1, 1, 0}}, {}, {}};
  p.boundary_kind.assign(p.mesh.surface_names.size(), physics::BoundaryKind::pec);
  const Discretisation<double> d(p.mesh, p.material, p.boundary_kind, 2, false, cpu_field_lanes);
  physics::Port port;
  port.name = "port", port.origin = "guide.cfg:9";
  port.centre = {0.5 * width, 0.5 * height, 0.5 * width}, port.size = {width, height, 0}, port.direction = {0, 0, 1};
  port.frequencies = {frequency}, port.excite = 1;
  port.waveform.frequency = frequency, port.waveform.type = physics::Waveform::Type::sine;
  const auto beta_at = [&](double w) { return std::sqrt(std::pow(w / speed_of_light, 2) - std::pow(pi / width, 2)); };
  const double omega = 2 * pi * frequency, of_steps = 2 / dt * std::sin(0.5 * omega * dt);
  using Type = physics::Port::Type;
  for (const auto& [type, within] : {std::pair{Type::waveguide, 1e-5}, std::pair{Type::mode, 1e-3}}) {
    port.type = type, port.mode = {physics::GuideMode::Kind::te, 1, 0};
    const solver::PortMode mode = make_guide_port(d, port, dt, comm).mode;
    const solver::ModeWave steady = mode.wave_of_steps(frequency);
    for (const auto& [wave, w] : {std::pair{mode.waves[0], omega}, std::pair{steady, of_steps}}) {
      EXPECT_NEAR(wave.phase_constant / beta_at(w), 1, within) << w;
      EXPECT_NEAR(wave.impedance / (vacuum_permeability * w / beta_at(w)), 1, within) << w;
    }
    EXPECT_GT(steady.impedance / mode.waves[0].impedance, 1 + 5e-3);
  }
}

constexpr double bent_width = 20e-3, bent_height = 12e-3, bent_plane = 0.5 * bent_width;  // m

// A box of curved elements; those at a plane across it have edges in it that are curved, or straight.
Problem bent_guide(bool straight_in_plane, const parallel::Communicator& comm) {
  Problem p{mesh::make_box({3, 3, 4}, {bent_width, bent_height, bent_width}, comm), {{1, 1, 0}}, {}, {}};
  p.boundary_kind.assign(p.mesh.surface_names.size(), physics::BoundaryKind::pec);
  bend(p, 0.02);
  for (std::size_t c = 0; c < p.mesh.curved.size(); ++c)
    for (std::size_t i = 0; i < 6; ++i) {
      const auto [a, b] = mesh::edge_corners[i];
      const auto in_plane = [&](int corner) {
        return std::abs(p.mesh.vertex(p.mesh.curved[c], corner).z - bent_plane) < 1e-9;
      };
      if (!in_plane(a) || !in_plane(b)) continue;
      Vec3& of_edge = p.mesh.curvature[c].bend[i];
      if (straight_in_plane) of_edge = {};
      of_edge.z = 0;
    }
  return p;
}

physics::Port port_in_bent_guide(physics::Port::Type type) {
  physics::Port port;
  port.name = "bent", port.origin = "guide.cfg:9";
  port.type = type, port.mode = {physics::GuideMode::Kind::te, 1, 0};
  port.centre = {0.5 * bent_width, 0.5 * bent_height, bent_plane};
  port.size = {bent_width, bent_height, 0}, port.direction = {0, 0, 1};
  port.frequencies = {3e10}, port.excite = 1;
  port.waveform.frequency = 3e10, port.waveform.bandwidth = 2e10;
  return port;
}

std::unique_ptr<Discretisation<double>> bent_discretisation(const Problem& p, int order) {
  return std::make_unique<Discretisation<double>>(p.mesh, p.material, p.boundary_kind, order, false, cpu_field_lanes,
                                                  TimeLevels{}, LayerRates{}, std::vector<BlochFace>{}, p.curved);
}

// The wave that a port launches at curved elements has the work that their energy gains, to rounding: its change has the
// metric at each point, and its work the trace along the curved edges. Computed modes need faces with straight edges.
TEST(GuidePortModes, AreLaunchedAtCurvedElementsWithTheirWork) {
  const parallel::Communicator comm;
  using Type = physics::Port::Type;
  for (const auto& [type, order] : {std::pair{Type::waveguide, 1}, std::pair{Type::waveguide, 2}, std::pair{Type::mode, 2}}) {
    const Problem p = bent_guide(type == Type::mode, comm);
    auto d = bent_discretisation(p, order);
    auto executor = make_cpu_executor(*d, KernelFusion::fused, comm);
    DgSolver<double> solver(std::move(d), std::move(executor), 4e-13, {}, p.mesh.volume_names, comm, {},
                            {port_in_bent_guide(type)});
    double largest = 0;
    for (int steps = 0; steps < 6; ++steps) {
      solver.advance(40);
      const double energy = solver.energy();
      largest = std::max(largest, energy);
      EXPECT_NEAR(energy, solver.work().done, 1e-10 * largest) << order << " " << steps;
    }
    EXPECT_GT(largest, 1e-16) << order;
  }
}

TEST(GuidePortModes, OfComputedModesNeedStraightEdgesInTheirPlane) {
  const parallel::Communicator comm;
  const Problem p = bent_guide(false, comm);
  const auto d = bent_discretisation(p, 1);
  EXPECT_EQ(message([&] { make_guide_port(*d, port_in_bent_guide(physics::Port::Type::mode), 4e-13, comm); }),
            "guide.cfg:9: port.bent: faces in its plane have curved edges, and type = mode needs straight ones; "
            "mesh.curved = off makes them so");
}

}  // namespace
}  // namespace dgtd::dg::test
