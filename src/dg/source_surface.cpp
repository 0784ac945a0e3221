#include "dgtd/dg/source_surface.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "dgtd/mesh/beyond_halo.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/dg/element_geometry.hpp"

namespace dgtd::dg {

using Kind = mesh::FaceLink::Kind;

namespace {

[[noreturn]] void refuse(const SurfaceOwner& owner, const std::string& why) {
  throw Error(fmt::format("{}: {}", owner.where, why));
}

// The lossless media on both sides of the surface, which must be one where `one` is set. Collective.
template <class Real>
void find_medium(const Discretisation<Real>& d, const SurfaceOwner& owner, bool one, SourceSurface& surface,
                 const parallel::Communicator& comm) {
  std::vector<double> beside(d.material.size(), 0.0);
  for (const auto& side : surface.sides) beside[d.mesh.element_group[side.element]] = 1;
  beside = comm.max(std::move(beside));
  const bool is_region = !owner.region.empty();
  const std::string faces =
      is_region ? fmt::format("the faces between {} and their outside", owner.region) : "the faces at its plane";
  const std::string needed =
      is_region ? "; they must be inside of one lossless material, a layer of its elements away from others"
      : one     ? "; waves are launched in one lossless material"
                : "; waves are launched in lossless materials";
  const physics::Medium* first = nullptr;
  for (std::size_t g = 0; g < beside.size(); ++g) {
    if (beside[g] == 0) continue;
    const physics::Medium& m = d.material[g];
    const std::string& name = d.mesh.volume_names[g];
    if (!m.is_lossless())
      refuse(owner, fmt::format("{} touch '{}', which has {}{}", faces, name,
                                 m.poles.empty() ? fmt::format("sigma = {} S/m", m.conductivity) : "poles", needed));
    if (one && first != nullptr && (first->permittivity != m.permittivity || first->permeability != m.permeability))
      refuse(owner, fmt::format("{} touch '{}' and '{}', which differ{}", faces, surface.medium_name, name, needed));
    if (first == nullptr) first = &m, surface.medium = m, surface.medium_name = name;
  }
}

// [elements] whether an element has an absorbing face or is in a layer.
template <class Real>
std::vector<std::uint8_t> absorbing_or_in_layer(const Discretisation<Real>& d) {
  std::vector<std::uint8_t> is(d.mesh.elements());
  for (const auto& face : d.absorbing_faces) is[face.element] = 1;
  for (std::size_t e = 0; e < is.size(); ++e) is[e] = is[e] || d.is_in_layer(e);
  return is;
}

// Throws where the surface or its total field has absorbing elements. Collective.
template <class Real>
void check_absorbing_faces(const Discretisation<Real>& d, const SurfaceOwner& owner, const SourceSurface& surface,
                           const parallel::Communicator& comm) {
  constexpr auto none = std::numeric_limits<std::int64_t>::max();
  std::vector<bool> reached(d.mesh.elements());
  for (std::size_t e = 0; e < surface.in_total.size(); ++e) reached[e] = surface.in_total[e] != 0;
  for (const auto& side : surface.sides) reached[side.element] = true;
  const auto absorbs = absorbing_or_in_layer(d);
  std::int64_t id = none;
  Vec3 at;
  for (std::size_t e = 0; e < reached.size(); ++e)
    if (reached[e] && absorbs[e] && d.mesh.element_id[e] < id)
      id = d.mesh.element_id[e], at = ElementGeometry(d.mesh, e).centre();
  const std::int64_t lowest = comm.min(id);
  if (lowest == none) return;
  constexpr double nowhere = std::numeric_limits<double>::lowest();
  const auto place = comm.max(id == lowest ? std::vector<double>{at.x, at.y, at.z} : std::vector(3, nowhere));
  const bool is_region = !owner.region.empty();
  refuse(owner, fmt::format("{} the elements of the absorbing boundary{}, near {:.6g} {:.6g} {:.6g} m; {}",
                            is_region ? owner.region + " reach" : "its plane reaches",
                            d.layer_rates.empty() ? "" : " or its layers", place[0], place[1], place[2],
                            is_region ? "at least one layer of elements must be between"
                                      : "it must end an element before them"));
}

// The faces between elements of which in_total differs; is_part: whether a face of an element belongs to the surface.
// Collective.
template <class Real, class IsPart>
void find_sides(const Discretisation<Real>& d, const std::vector<std::uint8_t>& in_total, const IsPart& is_part,
                SourceSurface& surface, const parallel::Communicator& comm) {
  const auto beyond = beyond_halo(d.mesh, in_total, comm);
  for (std::size_t e = 0; e < in_total.size(); ++e)
    for (int f = 0; f < 4; ++f) {
      const mesh::FaceLink& link = d.mesh.element_faces[e][f];
      if (link.kind == Kind::boundary) continue;
      const bool other = (link.kind == Kind::halo ? beyond : in_total)[link.index];
      if (other == bool(in_total[e]) || !is_part(e, f)) continue;
      surface.sides.push_back({static_cast<std::uint32_t>(e), static_cast<std::uint8_t>(f), !other});
      surface.faces += !other;
    }
  surface.faces = comm.sum(surface.faces);
}

}  // namespace

SurfaceOwner owner_of(const physics::Source& source) {
  std::string region;
  if (source.type == physics::Source::Type::plane_wave)
    region = source.total_field.empty()
                 ? "box_min and box_max"
                 : fmt::format("the elements of total_field = {}", fmt::join(source.total_field, ", "));
  return {fmt::format("{}: source.{}", source.origin, source.name), region};
}

namespace {

// [volume groups] whether a group is one of the source's total field. Throws Error for a name that the mesh has not.
std::vector<bool> groups_of(const mesh::Subdomain& mesh, const physics::Source& source) {
  std::vector<bool> in(mesh.volume_names.size());
  for (const std::string& name : source.total_field) {
    const auto at = std::find(mesh.volume_names.begin(), mesh.volume_names.end(), name);
    if (at == mesh.volume_names.end())
      throw Error(fmt::format("{}: source.{}: total_field: the mesh has no volume group '{}'; it has {}", source.origin,
                              source.name, name, fmt::join(mesh.volume_names, ", ")));
    in[static_cast<std::size_t>(at - mesh.volume_names.begin())] = true;
  }
  return in;
}

// [elements] whether an element has the total field.
std::vector<std::uint8_t> in_total_field(const mesh::Subdomain& mesh, const physics::Source& source) {
  const std::vector<bool> groups = groups_of(mesh, source);
  std::vector<std::uint8_t> in(mesh.elements());
  for (std::size_t e = 0; e < in.size(); ++e) {
    bool inside = true;
    if (source.box_min) {
      const Vec3 centre = ElementGeometry(mesh, e).centre();
      for (int a = 0; a < 3; ++a)
        inside = inside && centre[a] >= (*source.box_min)[a] && centre[a] <= (*source.box_max)[a];
    } else {
      inside = groups[mesh.element_group[e]];
    }
    in[e] = inside;
  }
  return in;
}

}  // namespace

template <class Real>
SourceSurface total_field_surface(const Discretisation<Real>& d, const physics::Source& source,
                                      const parallel::Communicator& comm) {
  SourceSurface surface;
  surface.in_total = in_total_field(d.mesh, source);
  for (const std::uint8_t inside : surface.in_total) surface.elements += inside;
  surface.elements = comm.sum(surface.elements);
  find_sides(d, surface.in_total, [](std::size_t, int) { return true; }, surface, comm);
  find_medium(d, owner_of(source), true, surface, comm);
  check_absorbing_faces(d, owner_of(source), surface, comm);
  return surface;
}

template <class Real>
SourceSurface plane_surface(const Discretisation<Real>& d, const SurfaceOwner& owner, const PlaneRequest& request,
                            const parallel::Communicator& comm) {
  const auto [axis, plane, downwards] = request.plane;
  std::vector<std::uint8_t> ahead(d.mesh.elements());
  for (std::size_t e = 0; e < ahead.size(); ++e)
    ahead[e] = (ElementGeometry(d.mesh, e).centre()[axis] > plane) != downwards;
  const auto absorbs = absorbing_or_in_layer(d), absorbs_beyond = beyond_halo(d.mesh, absorbs, comm);
  SourceSurface surface;
  const auto is_part = [&, axis = axis, plane = plane](std::size_t e, int f) {
    const ElementGeometry element(d.mesh, e);
    const FaceGeometry face(element, f);
    std::array<Vec3, 3> corners;
    Vec3 centre;
    double off = 0;
    for (int i = 0; i < 3; ++i) {
      corners[i] = element.vertices[face_vertices[f][i]];
      centre += (1.0 / 3) * corners[i];
      off = std::max(off, std::abs(corners[i][axis] - plane));
    }
    // Elements on both sides of a plane meet near it, or at the two ends of a period.
    const double longest = std::max({norm(face.edge_a), norm(face.edge_b), norm(face.edge_b - face.edge_a)});
    if (std::abs(centre[axis] - plane) > 2 * longest || !request.has(corners)) return false;
    const mesh::FaceLink& link = d.mesh.element_faces[e][f];
    const bool at_layer = absorbs[e] || (link.kind == Kind::halo ? absorbs_beyond : absorbs)[link.index];
    if (at_layer && request.may_leave_out && request.may_leave_out(centre)) return false;
    surface.off_plane = std::max(surface.off_plane, off);
    return true;
  };
  find_sides(d, ahead, is_part, surface, comm);
  surface.off_plane = comm.max(surface.off_plane);
  find_medium(d, owner, request.one_medium, surface, comm);
  check_absorbing_faces(d, owner, surface, comm);
  return surface;
}

template SourceSurface total_field_surface(const Discretisation<float>&, const physics::Source&,
                                           const parallel::Communicator&);
template SourceSurface total_field_surface(const Discretisation<double>&, const physics::Source&,
                                           const parallel::Communicator&);
template SourceSurface plane_surface(const Discretisation<float>&, const SurfaceOwner&, const PlaneRequest&,
                                     const parallel::Communicator&);
template SourceSurface plane_surface(const Discretisation<double>&, const SurfaceOwner&, const PlaneRequest&,
                                     const parallel::Communicator&);

}  // namespace dgtd::dg
