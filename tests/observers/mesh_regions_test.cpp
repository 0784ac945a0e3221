// Surfaces and monitors on tetrahedra with sums of their own, on any number of ranks: against integrals of polynomials
// that the elements hold exactly.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/base/hash.hpp"
#include "dgtd/dg/dg_solver.hpp"
#include "dgtd/mesh/load.hpp"
#include "dgtd/observers/mesh_run_spectra.hpp"
#include "dgtd/solver/surface_integrals.hpp"

namespace dgtd::observers {
namespace {

using parallel::Communicator;
using physics::Flux;

constexpr double weight = 2.5, frequency = 1e9, time_step = 1e-11;
constexpr int order = 2;

Vec3 electric(const Vec3& x) { return {1 + x.y * x.z, 2 - x.x * x.x, 0.5 * x.z + x.x * x.y}; }
Vec3 magnetic(const Vec3& x) { return 1e-3 * Vec3{x.y, 1 + x.z * x.z, x.x - x.y}; }

/// A box of 1 x 0.75 x 1.25 m whose inner vertices are moved by up to 0.04 m, or stay.
mesh::Subdomain box_mesh(bool moved, const Communicator& comm) {
  mesh::Subdomain mesh = mesh::make_box({4, 3, 5}, {1, 0.75, 1.25}, comm);
  for (std::size_t v = 0; v < mesh.vertices.size() && moved; ++v) {
    Vec3& x = mesh.vertices[v];
    if (x.x <= 0 || x.x >= 1 || x.y <= 0 || x.y >= 0.75 || x.z <= 0 || x.z >= 1.25) continue;
    for (int a = 0; a < 3; ++a)
      x[a] += 0.08 * (double(mixed_bits(std::uint64_t(3 * mesh.vertex_id[v] + a + 1)) % 1000) / 1000 - 0.5);
  }
  return mesh;
}

std::vector<std::uint32_t> all_elements(const mesh::Subdomain& mesh) {
  std::vector<std::uint32_t> list(mesh.elements());
  std::iota(list.begin(), list.end(), 0u);
  return list;
}

Flux plane(int axis, double at) {
  Flux flux{"p", Flux::Type::plane, {0.45, 0.4, 0.6}, {0.7, 0.55, 0.9}, {frequency}, "a.cfg:1"};
  flux.centre[axis] = at, flux.size[axis] = 0;
  return flux;
}

Flux box() { return {"b", Flux::Type::box, {0.45, 0.4, 0.6}, {0.7, 0.55, 0.9}, {frequency}, "a.cfg:1"}; }

// The integral over the rectangles of a flux of f(x) times the sign of the outward normal, by Gauss's rule of four
// points per edge, exact for the degree seven: of a plane f, of a box f on upper faces minus f on lower ones.
template <class F>
double exact_integral(const Flux& flux, const F& f) {
  constexpr double at[4] = {0.0694318442029737, 0.3300094782075719, 0.6699905217924281, 0.9305681557970263},
                   weights[4] = {0.1739274225687269, 0.3260725774312731, 0.3260725774312731, 0.1739274225687269};
  double sum = 0;
  for (int axis = 0; axis < 3; ++axis) {
    if (flux.type == Flux::Type::plane && flux.size[axis] != 0) continue;
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (const double side : {-0.5, 0.5}) {
      if (flux.type == Flux::Type::plane && side < 0) continue;
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) {
          Vec3 x = flux.centre;
          x[axis] += side * flux.size[axis], x[u] += (at[i] - 0.5) * flux.size[u], x[v] += (at[j] - 0.5) * flux.size[v];
          sum += (side > 0 ? 1 : -1) * weights[i] * weights[j] * flux.size[u] * flux.size[v] * f(x, axis);
        }
    }
  }
  return sum;
}

// The degree of E x H, four, in the plane. Planes that are faces of elements, and the boundary, have one side.
TEST(MeshSurface, IntegratesProductsOfPolynomialsExactly) {
  const Communicator comm;
  const auto f = [](const Vec3& x, int axis) {
    return 1 + x.x * x.x * x.y - 2 * x.z * x.z * x.z * x.x + x.y * x.y * x.y * x.y + axis * x.x * x.y * x.z * x.z;
  };
  for (const bool moved : {false, true}) {
    const auto mesh = box_mesh(moved, comm);
    std::vector<Flux> surfaces{box(),          plane(0, 0.5),  plane(0, 0),    plane(0, 1),   plane(1, 0.25),
                               plane(2, 1.25), plane(0, 0.31), plane(1, 0.47), plane(2, 0.61)};
    for (const Flux& surface : surfaces) {
      double sum = 0, area = 0;
      for (const auto& p : mesh_surface(surface, "flux.p", mesh, all_elements(mesh), order, comm)) {
        sum += p.area * f(p.position, p.axis);
        area += std::abs(p.area);
        EXPECT_GT(*std::min_element(p.barycentric.begin(), p.barycentric.end()), -1e-7);
      }
      const double exact = exact_integral(surface, f);
      EXPECT_NEAR(comm.sum(sum), exact, 1e-12) << moved << surface.centre.x << " " << surface.centre.y;
      const double size = surface.type == Flux::Type::plane
                              ? exact_integral(surface, [](const Vec3&, int) { return 1.0; })
                              : 2 * (0.7 * 0.55 + 0.55 * 0.9 + 0.9 * 0.7);
      EXPECT_NEAR(comm.sum(area), size, 1e-12);
    }
  }
}

// Faces at mirrors are left out: the others are those of the whole box.
TEST(MeshSurface, HasNoFacesAtMirrors) {
  const Communicator comm;
  const auto mesh = box_mesh(true, comm);
  Flux cut = box();
  cut.centre.x = 0.35, cut.size.x = 0.7;
  const Mirrors mirrors{0, 0.7, {}, 0.675, {}, 1.25};
  std::array<double, 6> area{};
  for (const auto& p : mesh_surface(cut, "flux.p", mesh, all_elements(mesh), order, comm, mirrors))
    area[static_cast<std::size_t>(2 * p.axis + (p.area > 0))] += std::abs(p.area);
  const std::array<double, 6> faces{0, 0, 0.7 * 0.9, 0, 0.7 * 0.55, 0.7 * 0.55};
  for (std::size_t face = 0; face < 6; ++face) EXPECT_NEAR(comm.sum(area[face]), faces[face], 1e-12) << face;
}

TEST(MeshSurface, MustBeInTheMesh) {
  const Communicator comm;
  const auto mesh = box_mesh(true, comm);
  const auto message = [&](const Flux& flux) -> std::string {
    try {
      mesh_surface(flux, "flux.p", mesh, all_elements(mesh), order, comm);
    } catch (const Error& error) { return error.what(); }
    return "";
  };
  Flux wide = plane(0, 0.31);
  wide.size.y = 1.1;  // from -0.15 to 0.95 of a mesh from 0 to 0.75
  EXPECT_EQ(message(wide),
            "a.cfg:1: flux.p: 31.8 % of its area at x = 0.31 m are outside of the mesh; it must be in the mesh as a "
            "whole");
  Flux tall = box();
  tall.size.z = 1.4;  // from -0.1 to 1.3 of a mesh from 0 to 1.25
  EXPECT_EQ(message(tall),
            "a.cfg:1: flux.p: 100 % of its face at z = -0.1 m are outside of the mesh; it must be in the mesh as a "
            "whole");
}

/// The polynomials in a solver, and a sample of them.
class MeshRegions : public testing::Test {
 protected:
  Communicator comm_;
  mesh::Subdomain mesh_ = box_mesh(true, comm_);
  std::unique_ptr<dg::DgSolver<double>> solver_;
  std::unique_ptr<MeshRunSpectra> spectra_;

  MeshRegions() {
    auto d = std::make_unique<dg::Discretisation<double>>(
        mesh_, std::vector<physics::Medium>(mesh_.volume_names.size()),
        std::vector<physics::BoundaryKind>(6, physics::BoundaryKind::pec), order, false, dg::cpu_field_lanes);
    auto executor = dg::make_cpu_executor(*d, solver::KernelFusion::fused, comm_);
    solver_ = std::make_unique<dg::DgSolver<double>>(std::move(d), std::move(executor), time_step,
                                                     std::vector<physics::Source>{}, mesh_.volume_names, comm_);
    solver_->set_fields(electric, magnetic);
    spectra_ = std::make_unique<MeshRunSpectra>(
        MeshRunSpectra::Domain{*solver_, *solver_, mesh_, order, 2e9, comm_},
        [this](double bytes, const std::string& name) { checked_ += name, bytes_ += bytes; });
  }

  std::string checked_;
  double bytes_ = 0;
};

// E at t = 0 and H half a step before: E^ = w E, H^ = w H exp(-i omega dt / 2), so
//   2 Re (E^ x conj H^) = 2 w^2 cos(omega dt / 2) E x H.
TEST_F(MeshRegions, FluxesAreExactIntegrals) {
  const double before = solver_->memory_bytes();
  const auto of_box = spectra_->add_region(box()), of_plane = spectra_->add_region(plane(2, 0.61));
  EXPECT_EQ(checked_, "bp");
  EXPECT_NEAR(solver_->memory_bytes() - before, bytes_, 100);
  EXPECT_EQ(spectra_->sampling_interval(of_box), 12);  // eight samples per period
  for (const auto region : {of_box, of_plane}) spectra_->accumulate(region, weight);
  const auto poynting = [](const Vec3& x, int axis) { return cross(electric(x), magnetic(x))[axis]; };
  const double factor = 2 * weight * weight * std::cos(pi * frequency * time_step);
  for (const auto& [region, flux] : {std::pair{of_box, box()}, {of_plane, plane(2, 0.61)}})
    EXPECT_NEAR(solver::flux(*spectra_, region, comm_).at(0), factor * exact_integral(flux, poynting), 1e-14);
}

// H lags: exp(-i omega dt / 2), of the pairs and of a monitor's cells.
TEST_F(MeshRegions, SumsHaveTheFieldsAtTheirTimes) {
  physics::Monitor monitor;
  monitor.name = "m", monitor.centre = {0.5, 0.4, 0.6}, monitor.size = {0.4, 0.4, 0.6}, monitor.spacing = 0.1;
  monitor.frequencies = {0.5e9, frequency};
  const auto of_plane = spectra_->add_region(plane(1, 0.47)), of_monitor = spectra_->add_region(monitor);
  for (const auto region : {of_plane, of_monitor}) spectra_->accumulate(region, weight);
  const double phase = pi * frequency * time_step, c = weight * std::cos(phase), s = -weight * std::sin(phase);

  const auto& pairs = spectra_->samples(of_plane).pairs;
  const std::size_t n = pairs.area.size();
  std::vector<double> real(n), imag(n);
  const auto sums = spectra_->sums(of_plane, 0);
  sums.electric(0, n, real.data(), imag.data());
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_NEAR(real[i], weight * electric(pairs.position[i])[pairs.electric_axis[i]], 1e-11);
    EXPECT_EQ(imag[i], 0);
  }
  sums.magnetic(0, n, real.data(), imag.data());
  for (std::size_t i = 0; i < n; ++i) {
    const double h = vacuum_impedance * magnetic(pairs.position[i])[pairs.magnetic_axis[i]];
    EXPECT_NEAR(real[i], c * h, 1e-11);
    EXPECT_NEAR(imag[i], s * h, 1e-11);
  }

  EXPECT_FALSE(spectra_->are_phasors());
  EXPECT_NEAR(spectra_->coverage(of_monitor).inside, 1, 1e-12);
  const auto cells = spectra_->sums(of_monitor, 1);
  if (!comm_.is_root()) return;
  const std::size_t count = 4 * 4 * 6;
  std::vector<double> e(3 * count), e_imag(3 * count), h(3 * count), h_imag(3 * count);
  cells.electric(0, count, e.data(), e_imag.data());
  cells.magnetic(0, count, h.data(), h_imag.data());
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 x{0.35 + 0.1 * double(i % 4), 0.25 + 0.1 * double(i / 4 % 4), 0.35 + 0.1 * double(i / 16)};
    for (int a = 0; a < 3; ++a) {
      EXPECT_NEAR(e[3 * i + a], weight * electric(x)[a], 1e-11);
      EXPECT_NEAR(h[3 * i + a], c * magnetic(x)[a], 1e-14);
      EXPECT_NEAR(h_imag[3 * i + a], s * magnetic(x)[a], 1e-14);
    }
  }
}

// With the same frequencies and weights they have the bits of the sums of the whole domain.
TEST_F(MeshRegions, SumsAreThoseOfTheDomain) {
  using Quantity = solver::Quantity;
  std::vector<std::uint32_t> some;
  const auto all = solver_->stored_order();
  for (std::size_t i = 0; i < all.size(); i += 3) some.push_back(all[i]);
  const auto sums = solver_->add_sums(some, {0.5e9, frequency});
  solver_->start_dft({2 * pi * 0.5e9, 2 * pi * frequency});
  for (int step = 0; step < 5; ++step) {
    solver_->advance(1);
    solver_->accumulate_dft(weight);
    solver_->accumulate_sums(sums, weight);
  }
  const std::vector<std::array<double, 4>> points{{0.1, 0.2, 0.3, 0.4}, {1, 0, 0, 0}};
  for (const auto field : {Quantity::Field::electric, Quantity::Field::magnetic})
    for (const auto part : {Quantity::Part::real, Quantity::Part::imaginary})
      for (const std::size_t f : {std::size_t{0}, std::size_t{1}}) {
        std::vector<double> own(6 * some.size()), domain(6 * some.size());
        solver_->sample_sums(sums, {field, part, f}, points, own.data());
        solver_->sample({field, part, f}, points, some, domain.data());
        EXPECT_EQ(own, domain);
      }
}

// A second sample after a step adds to the first one, at the times of then.
TEST_F(MeshRegions, SamplesAddUp) {
  const auto region = spectra_->add_region(plane(0, 0.31));
  const auto& pairs = spectra_->samples(region).pairs;
  const std::size_t n = pairs.area.size();
  std::vector<double> first(n), second(n), imag(n), both(n), both_imag(n);
  spectra_->accumulate(region, weight);
  spectra_->sums(region, 0).electric(0, n, first.data(), imag.data());
  solver_->advance(1);
  spectra_->accumulate(region, weight);
  spectra_->sums(region, 0).electric(0, n, both.data(), both_imag.data());
  const auto alone = spectra_->add_region(plane(0, 0.31));
  spectra_->accumulate(alone, weight);
  spectra_->sums(alone, 0).electric(0, n, second.data(), imag.data());
  const double phase = 2 * pi * frequency * time_step;
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_NEAR(both[i], first[i] + second[i], 1e-12);
    EXPECT_NEAR(imag[i], std::tan(phase) * second[i], 1e-12);
    EXPECT_EQ(both_imag[i], imag[i]);
  }
}

}  // namespace
}  // namespace dgtd::observers
