#pragma once
// From a case's [mesh] section to this rank's subdomain.
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "dgtd/base/timers.hpp"
#include "dgtd/mesh/element_work.hpp"
#include "dgtd/mesh/mesh_source.hpp"
#include "dgtd/mesh/global_mesh.hpp"
#include "dgtd/mesh/subdomain.hpp"
#include "dgtd/parallel/communicator.hpp"

namespace dgtd::mesh {

/// Reads MSH 2.2 or 4.1, ASCII or binary; coordinates times unit. Elements are in the order of Gmsh's entities, then of
/// the file (MSH 4.1) or of their numbers (MSH 2.2), vertices in that of the nodes' numbers.
/// Throws Error for a missing or damaged file, one without tetrahedra or without physical groups.
GlobalMesh read_gmsh(const std::filesystem::path& file, double unit);

/// Throws Error naming the first offending entity: flat or degenerate elements, non-conforming
/// faces, boundary faces in no or several surface groups, named triangles inside the domain,
/// elements without a volume group, parts that are not connected.
void check(const GlobalMesh& mesh);

/// METIS k-way on the dual graph: the rank of each element. Deterministic. One part: all zero.
std::vector<int> partition(const GlobalMesh& mesh, int parts);

/// Splits a mesh that root holds; other ranks pass an empty one. Elements along a Hilbert curve.
Subdomain distribute(GlobalMesh&& mesh, const std::vector<int>& part, const parallel::Communicator& comm);

/// Uniform box of cells x cells x cells cubes, six tetrahedra each, made rank by rank without
/// communication and in blocks: volume group "box", surface groups xmin xmax ymin ymax zmin zmax. layers: more cells
/// outside of these sides, in group "box (layer)"; the box stays between the origin and size. A layer of thickness 0
/// has cells as high as the box's; their height is also the mean edge of `AddedLayers::stratum`. periodic: axes whose two sides are one; elements are neighbours across them.
Subdomain make_box(const std::array<std::int64_t, 3>& cells, const Vec3& size, const parallel::Communicator& comm,
                   const std::vector<AddedLayers>& layers = {}, const std::array<bool, 3>& periodic = {});

/// The mesh of a case: made, or read and checked, or taken from its compact file (src/dg/notes.md), and shared
/// among the ranks. Throws Error like the functions above. Collective. Adds the stages `read`, `partition` and
/// `distribute` and parts of `read` (src/dg/notes.md). work: if given, ranks of a mesh of a file have the same
/// work in each stage instead of the same number of elements; a box is cut into blocks of cubes all the same. labels:
/// if given, those of the estimate for the elements of the part, [elements]; nothing where none was made.
Subdomain load(const MeshSource& mesh, Partitioner partitioner, const parallel::Communicator& comm, Timers& timers,
               const WorkEstimate& work = {}, std::optional<std::vector<std::uint8_t>>* labels = nullptr);
Subdomain load(const MeshSource& mesh, const parallel::Communicator& comm);

/// The rank of each element, [elements], with which load() divides a mesh of a file among that many ranks. whole: the
/// mesh as load() returns it on one rank; source: for messages; work: its estimate there. Throws Error for more parts
/// than elements, and where METIS fails.
std::vector<int> owners(const Subdomain& whole, Partitioner partitioner, int parts, const std::string& source,
                        const ElementWork& work = {});

}  // namespace dgtd::mesh
