#pragma once
// Quality report of a mesh of tetrahedra (text).
#include <map>
#include <string>

#include "dgtd/mesh/global_mesh.hpp"
#include "dgtd/mesh/subdomain.hpp"
#include "dgtd/parallel/communicator.hpp"

namespace dgtd::app {

/// Units in which a mesh's numbers have a few digits before the point. Factors are from SI units.
struct MeshUnits {
  const char *length, *area, *volume, *place, *time;
  double of_length, of_area, of_volume, of_place, of_time;
};

/// Those of a mesh of this mean edge, m: mm (areas and volumes of cm), um or nm.
const MeshUnits& mesh_units(double mean_edge);

struct MeshReportInput {
  std::string name;                                         // of the file
  std::map<std::string, double> permittivity;               // of volume groups; 1 of others
  std::map<std::string, double> image_volume;               // m3, of volume groups, where there is an image
  std::map<std::string, std::vector<double>> image_pieces;  // m3, descending, likewise
};

/// Numbers, volumes, pieces, edges, shapes, contacts of volumes, and the time step that each element allows by itself
/// at P1 to P4 (dg::local_step_limits), with the elements that limit it. Throws Error for a mesh that mesh::check
/// refuses.
std::string mesh_report(const mesh::GlobalMesh& mesh, const MeshReportInput& input, const parallel::Communicator& comm);

/// The whole mesh as one subdomain: comm has one rank.
mesh::Subdomain whole_subdomain(const mesh::GlobalMesh& mesh, const parallel::Communicator& comm);

/// [elements] s, at an order; permittivity: as above.
std::vector<double> step_limits(const mesh::Subdomain& whole, const std::map<std::string, double>& permittivity,
                                int order, const parallel::Communicator& comm);

}  // namespace dgtd::app
