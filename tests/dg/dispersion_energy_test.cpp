// The energy with poles, layers and conduction: what a step loses and what the sources give, to rounding.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "dispersion_media.hpp"
#include "random_levels.hpp"

namespace dgtd::dg::test {
namespace {

/// The loss of a step of conduction, of the poles and of layers, J, from the fields and states before and after it:
///   eps0 eps_inf sum over elements of 2 s |E'|^2 + sum over poles (1 - K - C2/2) / C1 |j|^2,
/// of critical points  a ((f - d e / c) |j|^2 + d e^2 / c |P' - c/e E'|^2)  with the quantities of storage_factors, of
/// media whose poles' energy is not known the work on their poles, E' j, and in layers as docs/theory.md, (B2).
struct StepState {
  std::vector<double> electric, kept;
  Eigen::VectorXd nodal_electric, nodal_magnetic;  // V/m, A/m; with layers
};
StepState state_of(const DgSolver<double>& solver) {
  const auto& d = solver.discretisation();
  StepState s;
  s.electric.assign(solver.electric().host(), solver.electric().host() + d.owned_reals());
  const auto& kept = solver.executor().states()[state_of_poles];
  s.kept.assign(kept.host(), kept.host() + kept.size());
  if (d.layer_rates.empty()) return s;
  s.nodal_electric = nodal_field(d, solver.electric());
  s.nodal_magnetic = nodal_field(d, solver.magnetic()) / vacuum_impedance;
  return s;
}
double loss_between(const DgSolver<double>& solver, const StepState& a, const StepState& b, double dt) {
  const auto& d = solver.discretisation();
  Field<double> u(d.field_reals(), solver.executor().memory());
  double total = 0;
  // The energy leaves convolutional layers out.
  const auto has_energy = [&](std::size_t slot) {
    const std::int64_t e = d.element_of_slot[slot];
    return e >= 0 && (d.layer_rates.empty() || d.layer_rates[static_cast<std::size_t>(e)].sections.empty());
  };
  // weight(element's medium) times the integral of the square of value(slot, i)
  const auto add = [&](const auto& value, const auto& weight) {
    double* const to = u.host_for_writing();
    for (std::size_t slot = 0; slot < d.element_of_slot.size(); ++slot)
      for (int i = 0; i < 3 * d.layout.nodes; ++i)
        to[d.layout.first(static_cast<std::uint32_t>(slot)) + i * d.layout.stride()] = value(slot, i);
    const auto square = solver.executor().element_products(u, u);
    for (std::size_t slot = 0; slot < square.size(); ++slot)
      if (has_energy(slot))
        total += vacuum_permittivity * d.material[d.group_of_slot[slot]].permittivity * weight(d.group_of_slot[slot]) *
                 square[slot];
  };
  const auto place = [&](std::size_t slot, int i) {
    return d.layout.first(static_cast<std::uint32_t>(slot)) + i * d.layout.stride();
  };
  const auto mean = [&](std::size_t slot, int i) {
    return 0.5 * (a.electric[place(slot, i)] + b.electric[place(slot, i)]);
  };
  add(mean, [&](std::size_t group) {
    const auto& m = d.material[group];
    return m.conductivity * dt / (m.permittivity * vacuum_permittivity);
  });
  const auto& state = d.states[state_of_poles];
  for_each_pole(d.dispersion.most, d.dispersion.most, [&](auto kind, int q, int first) {
    using Kind = decltype(kind);
    const PoleCounts& most = d.dispersion.most;
    const auto kept = [&](const StepState& s, int number, std::size_t slot, int i) -> double {
      const std::int64_t block = state.first[slot / block_lanes];
      if (block < 0) return 0;
      return s.kept[(block * state.entries + (number * 3 * d.layout.nodes + i)) * block_lanes + slot % block_lanes];
    };
    const auto current = [&](std::size_t slot, int i) {
      return Kind::has_v && !Kind::has_P
                 ? 0.5 * (kept(a, first, slot, i) + kept(b, first, slot, i))
                 : kept(b, first + Kind::has_v, slot, i) - kept(a, first + Kind::has_v, slot, i);
    };
    const auto known = [&](std::size_t group) {
      return most.critical == 0 || d.dispersion.row(group)[energy_known(most)] == 1;
    };
    // ((E' + j)^2 - (E' - j)^2) / 4
    for (const double sign : {1.0, -1.0})
      add([&](std::size_t slot, int i) { return mean(slot, i) + sign * current(slot, i); },
          [&](std::size_t group) { return known(group) ? 0 : sign / 4; });
    if constexpr (Kind::has_C3) {
      struct Rates {
        double c, d, f, e, a;
      };
      const auto rates = [&](std::size_t group) {
        const double* const row = d.dispersion.row(group);
        const double* const pole = row + first_coefficient(q);
        Rates r{0, row[C3_coefficient(most, q)] / 2, 2 / pole[0] - 2 - pole[2] / pole[0], 2 * pole[2] / pole[0], 0};
        r.c = 2 * (pole[1] / pole[0] - r.d), r.a = r.c / (r.c * r.c + r.d * (r.c * r.f - r.d * r.e));
        return r;
      };
      const auto has = [&](std::size_t group) {
        return known(group) && d.dispersion.row(group)[first_coefficient(q)] > 0;
      };
      add(current, [&](std::size_t group) {
        if (!has(group)) return 0.0;
        const Rates r = rates(group);
        return r.a * (r.f - r.d * r.e / r.c);
      });
      add(
          [&](std::size_t slot, int i) {
            const std::size_t group = d.group_of_slot[slot];
            if (d.element_of_slot[slot] < 0 || !has(group)) return 0.0;
            const Rates r = rates(group);
            return 0.5 * (kept(a, first + 1, slot, i) + kept(b, first + 1, slot, i)) - r.c / r.e * mean(slot, i);
          },
          [&](std::size_t group) {
            if (!has(group)) return 0.0;
            const Rates r = rates(group);
            return r.a * r.d * r.e * r.e / r.c;
          });
    } else {
      add(current, [&](std::size_t group) {
        const double* const pole = d.dispersion.row(group) + first_coefficient(q);
        return pole[1] > 0 && known(group) ? (1 - pole[0] - pole[2] / 2) / pole[1] : 0;
      });
    }
  });
  return total;
}

/// Energy that passes from all other elements into convolutional layers in a step, J:
///   dt / 2 integral over the faces between them of n . (E' x H_l + E'_l x H),
/// n from the others into the layer, E' the mean of E before and after the step, H that of the half step between, with
/// the index l those of the layer's elements.
double energy_into_layers(const DgSolver<double>& solver, const StepState& a, const StepState& b, double dt) {
  const auto& d = solver.discretisation();
  const auto quadrature = triangle_quadrature(d.order + 1);
  const auto value = [&](std::size_t e, const Barycentric& l, const auto& coefficient) {
    const auto basis = bernstein_values(d.order, l);
    double u[3] = {};
    for (int k = 0; k < 3; ++k)
      for (int i = 0; i < d.layout.nodes; ++i)
        u[k] += basis[i] * coefficient(d.layout.first(d.slot_of_element[e]) +
                                       static_cast<std::size_t>(k * d.layout.nodes + i) * d.layout.stride());
    return ElementGeometry(d.mesh, e).cartesian(u[0], u[1], u[2]);
  };
  const auto electric = [&](std::size_t i) { return 0.5 * (a.electric[i] + b.electric[i]); };
  const auto magnetic = [&](std::size_t i) { return solver.magnetic().host()[i] / vacuum_impedance; };
  double sum = 0;
  for (std::size_t e = 0; e < d.mesh.elements(); ++e)
    for (int f = 0; f < 4; ++f) {
      const auto& link = d.mesh.element_faces[e][static_cast<std::size_t>(f)];
      if (link.kind != mesh::FaceLink::Kind::element || !d.layer_rates[e].sections.empty() ||
          d.layer_rates[link.index].sections.empty())
        continue;
      const ElementGeometry geometry(d.mesh, e), beyond(d.mesh, link.index);
      const FaceGeometry face(geometry, f);
      for (std::size_t q = 0; q < quadrature.points.size(); ++q) {
        Barycentric l{};
        for (int k = 0; k < 3; ++k) l[face_vertices[f][k]] = quadrature.points[q][k];
        const Barycentric there = beyond.barycentric(geometry.point(l));
        const Vec3 flow = cross(value(e, l, electric), value(link.index, there, magnetic)) +
                          cross(value(link.index, there, electric), value(e, l, magnetic));
        sum += 0.5 * dt * quadrature.weights[q] * 2 * face.area * dot(face.normal, flow);
      }
    }
  return sum;
}

/// A closed box with a dipole in one of the dispersive media.
Problem closed_dispersive_box(double dt, std::vector<physics::Medium> (&media)(double) = dispersive_media) {
  Problem problem{tiny_mesh({3, 3, 3}, 4, 7), media(dt), {pec, pec, pmc, pec, pec, pmc}, {}};
  problem.material.push_back({});  // vacuum
  problem.sources = {dipole_source()};
  problem.sources[0].moment = 1e-3;
  return problem;
}

// W^{n+1} - W^n = - losses - work: W with what poles store, the losses of conduction, poles and layers, the sources' work;
// W has no convolutional layers, and loses what passes into them.
void expect_balance(const Problem& problem, int order, double dt, const TimeLevels& levels, int steps) {
  auto solver = make_solver<double>(problem, order, dt, self(), KernelFusion::fused, levels);
  solver.randomise_fields();
  const double first = solver.energy(), work_before = solver.source_work();
  NodalReference layers(problem.mesh, problem.material, problem.boundary_kind, order, {});
  layers.layers = problem.layers;
  double lost = 0, largest = first;
  StepState before = state_of(solver);
  for (int i = 0; i < steps; ++i) {
    solver.advance(1);
    StepState after = state_of(solver);
    lost += loss_between(solver, before, after, dt);
    if (!problem.layers.empty())
      lost += dt * layers.layer_loss(0.5 * (before.nodal_electric + after.nodal_electric),
                                     0.5 * (before.nodal_magnetic + after.nodal_magnetic));
    if (problem.layers.convolutional) lost += energy_into_layers(solver, before, after, dt);
    before = std::move(after);
    if (i % 50 != 49) continue;
    const double energy = solver.energy();
    largest = std::max(largest, energy);
    ASSERT_NEAR(energy + lost - (solver.source_work() - work_before), first, 1e-12 * largest)
        << "P" << order << ", step " << i + 1;
  }
  EXPECT_GT(lost, 0.1 * first);
}

TEST(PolesEnergy, BalancesWithLossesAndWork) {
  for (const int order : {1, 2}) {
    Problem problem = closed_dispersive_box(1);
    const double dt = stable_step(problem, order, {});
    problem = closed_dispersive_box(dt);
    expect_balance(problem, order, dt, {}, order == 1 ? 1000 : 200);
  }
}

// Layers in two thirds of the elements, of all media, and no source beside: what a source adds to E is not damped in
// its own step.
TEST(PolesEnergy, BalancesInLayers) {
  for (const int order : {1, 2}) {
    Problem problem = closed_dispersive_box(1);
    const double dt = stable_step(problem, order, {});
    problem = closed_dispersive_box(dt);
    problem.sources.clear();
    add_layers(problem, [&](std::size_t e) { return problem.mesh.element_id[e] % 3 != 1; });
    for (auto& layer : problem.layers)
      for (double& rate : layer.magnetic) rate *= 0.1;
    expect_balance(problem, order, dt, {}, order == 1 ? 200 : 50);
  }
}

TEST(PolesEnergy, BalancesWithPolesInAllLevelsOfLocalSteps) {
  Problem problem = closed_dispersive_box(1);
  const auto levels = random_levels(problem.mesh, problem.boundary_kind, 2, 7);
  const double dt = stable_step(problem, 1, levels);
  problem = closed_dispersive_box(dt);
  for (std::size_t l = 0; l < levels.elements.size(); ++l) {
    bool found = false;
    for (std::size_t e = 0; e < problem.mesh.elements(); ++e)
      found |= levels.of_element[e] == l && !problem.material[problem.mesh.element_group[e]].poles.empty();
    EXPECT_TRUE(found) << "level " << l;
  }
  expect_balance(problem, 1, dt, levels, 1000);
}

// One medium has the storage of its critical point in its energy, the other one is without that of its poles.
TEST(CriticalPointsEnergy, BalancesWithPolesInAllLevelsOfLocalSteps) {
  Problem problem = closed_dispersive_box(1);
  const auto levels = random_levels(problem.mesh, problem.boundary_kind, 2, 7);
  const double dt = stable_step(problem, 1, levels);
  problem = closed_dispersive_box(dt, critical_media);
  for (const auto& m : problem.material) EXPECT_NO_THROW(physics::check_critical_points("medium", m));
  const PoleCounts most{1, 1, 1, 2};
  EXPECT_EQ(pole_row<double>(problem.material[0], most, dt)[energy_known(most)], 1);
  EXPECT_EQ(pole_row<double>(problem.material[1], most, dt)[energy_known(most)], 0);
  expect_balance(problem, 1, dt, levels, 300);
}

/// A bar with a wave in the total field of its lower end, a dipole there, dispersive media on both sides of the vacuum
/// at the surface of the total field, and three levels of local steps; the elements of the last cubes, all media, are for
/// layers.
struct Everything {
  Problem problem;
  TimeLevels levels;
  double dt;  // s
  bool in_layer(std::size_t e) const { return ElementGeometry(problem.mesh, e).centre().x > 1.25; }

  explicit Everything(int order) : problem{closed_dispersive_box(1)} {
    const auto make = [&](double times) {
      problem = closed_dispersive_box(times);
      problem.mesh = tiny_mesh({5, 2, 2}, 3, 7);
      problem.mesh.volume_names.push_back("vacuum");
      for (std::size_t e = 0; e < problem.mesh.elements(); ++e)
        if (std::abs(ElementGeometry(problem.mesh, e).centre().x - 0.7) < 0.25) problem.mesh.element_group[e] = 3;
      physics::Source wave;
      wave.type = physics::Source::Type::plane_wave;
      wave.position = {0.7, 0, 0};
      wave.direction = {-0.6, 0.48, 0.64};
      wave.polarisation = {0.8, 0.36, 0.48};
      wave.box_min = Vec3{-9, -9, -9}, wave.box_max = Vec3{0.7, 9, 9};
      wave.waveform = {physics::Waveform::Type::modulated_gaussian, 1.5e9, 2, 1.5e9};
      problem.sources.push_back(wave);
    };
    make(1);
    std::vector<std::uint8_t> of_layers;
    std::vector<double> limits;
    for (std::size_t e = 0; e < problem.mesh.elements(); ++e) {
      const double x = ElementGeometry(problem.mesh, e).centre().x;
      of_layers.push_back(in_layer(e));
      limits.push_back(x < 0.35 ? 0.25 : x < 0.55 ? 0.5 : 1);
    }
    levels = assign_time_levels(problem.mesh, limits, of_layers, 8, self());
    dt = stable_step(problem, order, levels);
    make(dt);
  }
};

// Poles, conduction, layers, a total field, a dipole and three levels of local steps at once.
TEST(EnergyOfEverything, BalancesWithPassiveLayers) {
  for (const int order : {1, 2}) {
    Everything all(order);
    ASSERT_EQ(all.levels.finest, 2);
    add_layers(all.problem, [&](std::size_t e) { return all.in_layer(e); });
    expect_balance(all.problem, order, all.dt, all.levels, order == 1 ? 500 : 200);
  }
}

TEST(EnergyOfEverything, BalancesWithWhatPassesIntoConvolutionalLayers) {
  for (const int order : {1, 2}) {
    Everything all(order);
    add_cpml(all.problem, [&](std::size_t e) { return all.in_layer(e); });
    expect_balance(all.problem, order, all.dt, all.levels, order == 1 ? 500 : 200);
  }
}

// Lossless poles of any plasma frequency, at 0.99 of the step without them, which is known to 0.5 %: W is constant.
TEST(PolesEnergy, IsConservedAtTheLimitForAnyPlasmaFrequency) {
  for (const double plasma : {0.1, 1.0, 10.0, 100.0}) {
    Problem problem = closed_dispersive_box(1);
    problem.sources.clear();
    const double dt = 0.99 / 0.95 * stable_step(problem, 1, {});
    for (auto& m : problem.material) m.conductivity = 0, m.poles.clear();
    problem.material[1].poles = {drude(plasma / dt, 0)};
    problem.material[2].poles = {drude(plasma / dt, 0), lorentz(plasma / dt, 2 / dt, 0)};
    auto solver = make_solver<double>(problem, 1, dt, self());
    fill_at_random(solver);
    const double first = solver.energy();
    for (int i = 0; i < 10; ++i) {
      solver.advance(100);
      ASSERT_NEAR(solver.energy(), first, 1e-12 * first) << "omega_p dt " << plasma << ", step " << 100 * (i + 1);
    }
  }
}

}  // namespace
}  // namespace dgtd::dg::test
