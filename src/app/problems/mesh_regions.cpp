#include "app/problems/mesh_regions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/problems/exact_mesh_sphere.hpp"
#include "app/problems/far_field_images.hpp"
#include "app/problems/incident_spectrum.hpp"
#include "app/problems/order_planes.hpp"
#include "app/problems/output_selection.hpp"
#include "app/problems/physics_checks.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/base/log.hpp"
#include "dgtd/base/peak_memory.hpp"
#include "dgtd/observers/box_snapshots.hpp"
#include "dgtd/observers/far_fields.hpp"
#include "dgtd/observers/mesh_run_spectra.hpp"
#include "dgtd/observers/mesh_spectra.hpp"
#include "dgtd/observers/ports.hpp"
#include "dgtd/physics/sampling.hpp"

namespace dgtd::app {

namespace {

// The memory of a region's sums, with that of [dft] which is allocated later. Throws Error (out_of_memory). Collective.
observers::MeshRunSpectra::CheckMemory memory_check(const ProblemRequest& request, double of_dft) {
  return [&backend = request.backend, &comm = request.comm, of_dft](double bytes, const std::string& region) {
    const auto hint = fmt::format("fewer frequencies or a smaller region in {}", region);
    if (backend.cuda) check_device_memory(bytes + of_dft, backend, comm, hint.c_str());
    else check_host_memory(resident_memory().now + bytes + of_dft, comm, hint.c_str());
  };
}

// Warns of a monitor or snapshot of which less than half is in the mesh. Returns the bytes of this rank while it is
// written. Throws Error where it has no value at all, or too many. Collective.
double check_coverage(const char* kind, const Origin& origin, const std::string& name,
                      const observers::MeshCells::Coverage& coverage, const parallel::Communicator& comm) {
  constexpr double buffers = 100e6;  // of columns that are computed while others are written
  if (coverage.inside == 0)
    throw Error(fmt::format("{}: {}.{}: none of its {:.0f} cells has its centre in the mesh", origin, kind, name,
                            coverage.cells));
  if (coverage.inside < 0.5)
    log::warn(
        "{}: {}.{}: about {:.2g} % of its {:.0f} cells are outside of the mesh, where its file has zeros; a smaller {} "
        "is enough",
        origin, kind, name, 100 * (1 - coverage.inside), coverage.cells, kind);
  const double bytes = coverage.bytes + std::min(buffers, coverage.bytes);
  check_host_memory(bytes, comm, fmt::format("a larger {}.{}.spacing or a smaller {}", kind, name, kind).c_str());
  return bytes;
}

// spectra: without regions.
template <class Spectra>
void add_monitors(Problem& problem, const ProblemRequest& request, const std::vector<physics::Monitor>& monitors,
                  std::unique_ptr<Spectra> spectra) {
  if (monitors.empty()) return;
  add_field_monitors(
      problem, std::make_unique<observers::FieldMonitors>(monitors, *spectra, file_precision(request.c), request.comm));
  for (std::size_t i = 0; i < monitors.size(); ++i)
    problem.sampling_bytes =
        std::max(problem.sampling_bytes,
                 check_coverage("monitor", monitors[i].origin, monitors[i].name, spectra->coverage(i), request.comm));
  problem.spectra.push_back(std::move(spectra));
}

// Snapshots of boxes.
void add_snapshots(Problem& problem, const ProblemRequest& request, const DgProblem& made,
                   const mesh::Subdomain& mesh) {
  const config::Case& c = request.c;
  const solver::ElementSolver& solver = *made.solver;
  if (c.snapshots.empty()) return;
  const auto make = [&](const physics::Snapshot& s) {
    auto cells = std::make_unique<observers::MeshBoxCells>(s, solver, mesh, made.highest_order, request.comm);
    // While it is written: two instants of a phasor, and the columns of all fields.
    const double floats = request.comm.is_root() ? 24.0 * double(s.fields.size()) * (s.phasor ? 2 : 1) : 0;
    auto coverage = cells->coverage();
    coverage.bytes += floats * coverage.cells;
    problem.sampling_bytes =
        std::max(problem.sampling_bytes, check_coverage("snapshot", s.origin, s.name, coverage, request.comm));
    return cells;
  };
  auto snapshots =
      std::make_unique<observers::BoxSnapshots>(c.snapshots, c.time.frequency.value_or(0), solver.time_step(), make,
                                                request.files, file_precision(c), request.comm);
  if (request.steps == 0) snapshots->check_times(problem.plan.steps);  // else the run is short on purpose
  problem.observers.push_back(std::move(snapshots));
}

bool is_inside(const Vec3& x, const physics::FarField& f) {
  for (int a = 0; a < 3; ++a)
    if (std::abs(x[a] - f.centre[a]) > 0.5 * f.size[a]) return false;
  return true;
}

bool are_alike(const physics::Medium& a, const physics::Medium& b) {
  return a.permittivity == b.permittivity && a.permeability == b.permeability && a.conductivity == b.conductivity &&
         a.poles == b.poles;
}

// [volume groups] 1: of those on a surface. Collective. Throws Error (bad_input) where it is not in the mesh.
std::vector<double> groups_on(const physics::Flux& surface, const std::string& section, const ProblemRequest& request,
                              const mesh::Subdomain& mesh, const DgProblem& made,
                              const observers::Mirrors& mirrors = {}) {
  std::vector<double> cut(made.group_material.size(), 0.0);
  for (const auto& p : observers::mesh_surface(surface, section, mesh, made.solver->stored_order(), made.highest_order,
                                               request.comm, mirrors))
    cut[mesh.element_group[p.element]] = 1;
  return request.comm.max(std::move(cut));
}

// Far fields are those of sources in a homogeneous, lossless medium, which the box must be in with all its faces.
// Returns the medium. Collective. Throws Error (bad_input).
physics::Medium exterior_of(const physics::FarField& f, const ProblemRequest& request, const mesh::Subdomain& mesh,
                            const DgProblem& made, const observers::Mirrors& mirrors) {
  const std::string section = "far_field." + f.name;
  const physics::Flux box{f.name, physics::Flux::Type::box, f.centre, f.size, f.frequencies, f.origin};
  const auto& media = made.group_material;
  const std::vector<double> cut = groups_on(box, section, request, mesh, made, mirrors);
  const auto first = static_cast<std::size_t>(std::find(cut.begin(), cut.end(), 1.0) - cut.begin());
  for (std::size_t g = 0; g < cut.size(); ++g) {
    if (cut[g] == 0) continue;
    if (!media[g].is_lossless())
      throw Error(fmt::format(
          "{}: {}: far fields need a medium without losses and poles on all faces of the box, and '{}' is on one",
          f.origin, section, mesh.volume_names[g]));
    if (!are_alike(media[g], media[first]))
      throw Error(fmt::format(
          "{}: {}: far fields need one medium on all faces of the box, and '{}' and '{}', which are on it, differ",
          f.origin, section, mesh.volume_names[first], mesh.volume_names[g]));
  }
  return media[first];
}

// Warns of what the box leaves outside although it emits or scatters. Collective.
void check_outside(const physics::FarField& f, const physics::Medium& exterior, const ProblemRequest& request,
                   const mesh::Subdomain& mesh, const DgProblem& made) {
  check_dipoles_of_far_field(request.c, f);
  std::vector<double> outside(made.group_material.size(), 0.0);
  for (std::size_t e = 0; e < mesh.elements(); ++e)
    if (!is_inside(mesh.tetrahedron(e).centroid(), f)) outside[mesh.element_group[e]] = 1;
  outside = request.comm.max(std::move(outside));
  for (std::size_t g = 0; g < outside.size(); ++g)
    if (outside[g] != 0 && !are_alike(made.group_material[g], exterior))
      log::warn("{}: far_field.{}: a part of '{}' is outside of the box: what it scatters is not in the far field",
                f.origin, f.name, mesh.volume_names[g]);
}

// Regions reach from side to side along periodic axes where they are larger than the mesh, as on grids.
template <class Region>
std::vector<Region> within_periods(std::vector<Region> regions, const std::array<bool, 3>& periodic,
                                   const std::array<Vec3, 2>& box) {
  for (Region& r : regions)
    for (int a = 0; a < 3; ++a) {
      if (!periodic[static_cast<std::size_t>(a)] || r.size[a] == 0) continue;
      const double low = std::max(box[0][a], r.centre[a] - 0.5 * r.size[a]),
                   high = std::min(box[1][a], r.centre[a] + 0.5 * r.size[a]);
      if (low < high) r.centre[a] = 0.5 * (low + high), r.size[a] = high - low;
    }
  return regions;
}

// The planes that are resolved into orders. Collective.
std::vector<observers::OrderPlane> orders_in_mesh(const std::vector<physics::Flux>& fluxes, const Problem& problem,
                                                  const ProblemRequest& request, const mesh::Subdomain& mesh,
                                                  const DgProblem& made) {
  const Vec3 lengths = problem.box[1] - problem.box[0];
  const Periods periods{3, request.c.mesh.periodic, problem.box,
                        config::bloch_phases(request.c, {lengths.x, lengths.y, lengths.z})};
  return order_planes(fluxes, periods, [&](const physics::Flux& flux) -> const physics::Medium* {
    const physics::Medium* first = nullptr;
    const auto on_plane = groups_on(flux, "flux." + flux.name, request, mesh, made);
    for (std::size_t g = 0; g < on_plane.size(); ++g) {
      if (on_plane[g] == 0) continue;
      if (first != nullptr && !are_alike(*first, made.group_material[g])) return nullptr;
      first = &made.group_material[g];
    }
    return first;
  });
}

// Sides at the ends of the mesh whose faces are all mirrors.
struct MeshMirrors {
  observers::Mirrors places;                   // pec and pmc
  std::array<bool, 6> electric{}, magnetic{};  // whether a face of the side is one
};

// Collective.
MeshMirrors mirrors_of(const config::Case& c, const mesh::Subdomain& mesh, const std::array<Vec3, 2>& box,
                       const parallel::Communicator& comm) {
  const double tolerance = 1e-9 * norm(box[1] - box[0]);
  std::vector<double> with_electric(6, 0.0), with_magnetic(6, 0.0), with_other(6, 0.0);
  const auto boundary = config::match_boundaries(c, mesh.surface_names);
  for (std::size_t e = 0; e < mesh.elements(); ++e)
    for (int f = 0; f < 4; ++f) {
      const mesh::FaceLink& link = mesh.element_faces[e][static_cast<std::size_t>(f)];
      for (std::size_t side = 0; side < 6; ++side) {
        const int axis = static_cast<int>(side / 2);
        bool in_side = true;
        for (int v = 0; v < 4; ++v)
          in_side = in_side && (v == f || std::abs(mesh.vertex(e, v)[axis] - box[side % 2][axis]) <= tolerance);
        if (!in_side) continue;
        const bool is_boundary = link.kind == mesh::FaceLink::Kind::boundary;
        const auto kind = is_boundary ? c.boundaries[static_cast<std::size_t>(boundary[link.index])].type
                                      : physics::BoundaryKind::periodic;
        (kind == physics::BoundaryKind::pec   ? with_electric
         : kind == physics::BoundaryKind::pmc ? with_magnetic
                                              : with_other)[side] = 1;
      }
    }
  for (auto* faces : {&with_electric, &with_magnetic, &with_other}) *faces = comm.max(std::move(*faces));
  MeshMirrors mirrors;
  for (std::size_t side = 0; side < 6; ++side) {
    mirrors.electric[side] = with_electric[side] > 0, mirrors.magnetic[side] = with_magnetic[side] > 0;
    if ((mirrors.electric[side] || mirrors.magnetic[side]) && with_other[side] == 0)
      mirrors.places[side] = box[side % 2][static_cast<int>(side / 2)];
  }
  return mirrors;
}

// Lets a region end at the mirrors that it reaches. reach(side, beyond): called for each of these, with how far the
// region goes beyond it, m.
template <class Region, class Reach>
void end_at_mirrors(Region& region, const observers::Mirrors& mirrors, double tolerance, const Reach& reach) {
  for (int a = 0; a < 3; ++a) {
    if (region.size[a] == 0) continue;
    std::array<double, 2> ends{region.centre[a] - 0.5 * region.size[a], region.centre[a] + 0.5 * region.size[a]};
    for (const std::size_t upper : {0, 1}) {
      const std::size_t side = 2 * static_cast<std::size_t>(a) + upper;
      if (!mirrors[side]) continue;
      const double beyond = (upper ? 1 : -1) * (ends[upper] - *mirrors[side]);
      if (beyond < -tolerance) continue;
      reach(side, beyond);
      ends[upper] = *mirrors[side];
    }
    if (ends[0] + tolerance >= ends[1]) continue;  // outside of the mesh, which is an error of its own
    region.centre[a] = 0.5 * (ends[0] + ends[1]), region.size[a] = ends[1] - ends[0];
  }
}

std::string name_of_side(std::size_t side) {
  return fmt::format("{}{}", "xyz"[side / 2], side % 2 == 1 ? "max" : "min");
}

// The box of a far field, which ends at the mirrors that it reaches, and their images. Throws Error (bad_input).
struct BoxWithImages {
  physics::FarField far;
  std::vector<solver::ImagePlane> images;
};
BoxWithImages with_images(physics::FarField far, const MeshMirrors& mirrors, double tolerance) {
  ReachedMirrors reached;
  end_at_mirrors(far, mirrors.places, tolerance, [&](std::size_t side, double) {
    if (mirrors.electric[side] && mirrors.magnetic[side])
      throw Error(
          fmt::format("{}: far_field.{}: the box ends at faces of type pec and of type pmc at {}; its images need one "
                      "type",
                      far.origin, far.name, name_of_side(side)));
    reached[side] = {static_cast<int>(side / 2), *mirrors.places[side], mirrors.electric[side]};
  });
  return {far, far_field_images(far, reached)};
}

// Surfaces end at the mirrors that they reach, as on grids: a box has no face there, where nothing flows.
std::vector<physics::Flux> within_mirrors(std::vector<physics::Flux> fluxes, const observers::Mirrors& mirrors,
                                          double tolerance) {
  for (physics::Flux& flux : fluxes) {
    const bool is_box = flux.type == physics::Flux::Type::box;
    std::vector<std::string> reached;
    end_at_mirrors(flux, mirrors, tolerance, [&](std::size_t side, double beyond) {
      if (is_box || beyond > tolerance) reached.push_back(name_of_side(side));
    });
    tell_mirrors("flux." + flux.name, reached, is_box);
  }
  return fluxes;
}

}  // namespace

void add_mesh_regions(Problem& problem, const ProblemRequest& request, const mesh::Subdomain& mesh,
                      const DgProblem& made) {
  const config::Case& c = request.c;
  const parallel::Communicator& comm = request.comm;
  const solver::ElementSolver& solver = *made.solver;
  double highest = 0;  // Hz
  for (const auto& w : config::waveforms(c)) highest = std::max(highest, physics::highest_frequency(w));
  const MeshMirrors mirrors =
      c.fluxes.empty() && c.far_fields.empty() ? MeshMirrors() : mirrors_of(c, mesh, problem.box, comm);
  const double tolerance = 1e-9 * norm(problem.box[1] - problem.box[0]);
  const auto run_spectra = [&] {
    const double of_dft = solver.loop_bytes(problem.plan.fourier.frequencies.size());
    return std::make_unique<observers::MeshRunSpectra>(
        observers::MeshRunSpectra::Domain{solver, *made.sums, mesh, made.highest_order, highest, comm, mirrors.places},
        memory_check(request, of_dft));
  };
  const bool from_vacuum = problem.exterior.permittivity == 1 && problem.exterior.permeability == 1;
  const auto incident = incident_spectrum(c, solver, from_vacuum);
  auto surfaces = run_spectra();
  if (!c.fluxes.empty()) {
    auto in_mesh = within_mirrors(within_periods(c.fluxes, c.mesh.periodic, problem.box), mirrors.places, tolerance);
    auto planes = orders_in_mesh(in_mesh, problem, request, mesh, made);
    auto fluxes = std::make_unique<observers::Fluxes>(std::move(in_mesh), *surfaces, incident, comm, 3,
                                                      c.output.reference);
    fluxes->resolve_orders(std::move(planes));
    fluxes->compare_with(exact_mesh_sphere(c, mesh, made, comm));
    problem.observers.push_back(std::move(fluxes));
  }
  std::unique_ptr<observers::Ports> ports;
  if (!c.ports.empty())
    ports = std::make_unique<observers::Ports>(c.ports, *made.ports, *surfaces, problem.plan.time_step);
  for (const physics::FarField& given : c.far_fields) {
    const auto [f, images] = with_images(given, mirrors, tolerance);
    const physics::Medium exterior = exterior_of(f, request, mesh, made, mirrors.places);
    check_outside(f, exterior, request, mesh, made);
    auto far = std::make_unique<observers::FarFields>(f, observers::FarSurroundings{exterior, images}, *surfaces,
                                                      incident, c.output.report_pictures);
    far->driven_by(antenna_spectrum(c, f, made.ports, solver.time_step(), ports.get(), comm));
    problem.observers.push_back(std::move(far));
  }
  if (ports) {
    problem.port_records = made.ports;
    problem.port_spectra = surfaces.get();
    problem.observers.push_back(std::move(ports));
  }
  problem.spectra.push_back(std::move(surfaces));
  add_snapshots(problem, request, made, mesh);

  std::vector<physics::Monitor> own, of_dft;
  for (const auto& m : within_periods(c.monitors, c.mesh.periodic, problem.box))
    (has_own_sums(c, m) ? own : of_dft).push_back(m);
  add_monitors(problem, request, own, run_spectra());
  if (!problem.plan.fourier.frequencies.empty())  // else the run is shorter than a period
    add_monitors(problem, request, of_dft,
                 std::make_unique<observers::MeshSpectra>(solver, mesh, made.highest_order, problem.plan.fourier, comm));
}

}  // namespace dgtd::app
