#pragma once
// MSH 4.1, binary, without an object for every element: the form that dgtd-mesh and Gmsh write.
#include <filesystem>
#include <optional>

#include "dgtd/mesh/global_mesh.hpp"

namespace dgtd::mesh {

/// The mesh that read_gmsh() describes, coordinates times unit, read by all threads. Nothing for every other format,
/// and for every file in which anything is unusual or wrong: the reader of all formats then decides what it is, with
/// its messages.
std::optional<GlobalMesh> read_msh_binary(const std::filesystem::path& file, double unit);

}  // namespace dgtd::mesh
