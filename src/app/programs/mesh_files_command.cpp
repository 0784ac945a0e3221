// dgtd-mesh info, convert and partition: what is done with a mesh that exists.
#include <algorithm>
#include <filesystem>
#include <numeric>

#include "app/programs/mesh_options.hpp"
#include "app/programs/mesh_report.hpp"
#include "app/programs/mpi_session.hpp"
#include "dgtd/io/vtk_output.hpp"
#include "dgtd/mesh/load.hpp"
#include "dgtd/mesh/partition_summary.hpp"
#include "dgtd/mesh/write_msh.hpp"
#include "dgtd/mesher/tissue_table.hpp"
#include "dgtd/physics/tissue.hpp"

namespace dgtd::app {
namespace {

namespace po = boost::program_options;

/// NAME=VALUE of the option --eps-r.
std::map<std::string, double> permittivities(const std::vector<std::string>& list, const mesh::GlobalMesh& mesh) {
  std::map<std::string, double> result;
  for (const std::string& entry : list) {
    const auto equals = entry.find('=');
    double value = 0;
    std::size_t read = 0;
    try {
      if (equals != std::string::npos) value = std::stod(entry.substr(equals + 1), &read);
    } catch (const std::exception&) {}
    if (equals == std::string::npos || equals + 1 + read != entry.size() || !(value >= 1))
      throw Error(fmt::format("info: --eps-r '{}' must be VOLUME=VALUE with a value of at least 1", entry));
    const std::string name = entry.substr(0, equals);
    if (std::find(mesh.volume_names.begin(), mesh.volume_names.end(), name) == mesh.volume_names.end())
      throw Error(fmt::format("info: --eps-r: the mesh has no volume '{}'", name));
    result[name] = value;
  }
  return result;
}

/// Cells with their material, shape and the step that each allows in vacuum at P2.
void write_vtu(const mesh::GlobalMesh& mesh, const std::filesystem::path& file) {
  const MpiSession mpi;
  const parallel::Communicator comm = mpi.communicator();
  const mesh::Subdomain whole = whole_subdomain(mesh, comm);
  io::TetrahedraFile content;
  content.mesh = &whole;
  content.elements.resize(whole.elements());
  std::iota(content.elements.begin(), content.elements.end(), 0u);
  const io::SharedPoints shared = io::share_points(whole, content.elements);
  content.shared = &shared;
  content.cell = io::columns_of({{"step_allowed_P2_in_vacuum_s"}}, {step_limits(whole, {}, 2, comm)});
  const std::filesystem::path folder = file.string() + ".parts";
  std::filesystem::create_directories(folder);
  io::ResultFiles files(folder);
  io::write_vtu({files, "mesh"}, content, comm);
  std::filesystem::rename(folder / "mesh_0.vtu", file);
  std::filesystem::remove_all(folder);
}

}  // namespace

std::string info_command(const Arguments& arguments) {
  std::string file;
  double unit = 1;
  std::vector<std::string> eps_r;
  po::options_description known;
  known.add_options()("file", po::value(&file)->required())("unit", po::value(&unit))("eps-r",
                                                                                      po::value(&eps_r)->multitoken());
  po::positional_options_description positional;
  positional.add("file", 1);
  parse_options("info", known, arguments, positional);
  const mesh::GlobalMesh mesh = mesh::read_gmsh(file, unit);
  const auto permittivity = permittivities(eps_r, mesh);
  const MpiSession mpi;
  return mesh_report(mesh, {file, permittivity, {}, {}}, mpi.communicator());
}

std::string convert_command(const Arguments& arguments) {
  std::string from, to, version = "4.1";
  double unit = 1;
  po::options_description known;
  known.add_options()("from", po::value(&from)->required())("to", po::value(&to)->required())(
      "version", po::value(&version))("text", po::bool_switch())("unit", po::value(&unit));
  po::positional_options_description positional;
  positional.add("from", 1).add("to", 1);
  const po::variables_map values = parse_options("convert", known, arguments, positional);
  const bool text = values["text"].as<bool>();
  if (version != "4.1" && version != "2.2")
    throw Error(fmt::format("convert: --version '{}': allowed are 4.1 and 2.2", version));
  const std::string ending = std::filesystem::path(to).extension().string();
  if (ending != ".vtu" && ending != ".msh") throw Error(fmt::format("convert: {}: must end in .vtu or .msh", to));
  const mesh::GlobalMesh mesh = mesh::read_gmsh(from, unit);
  if (ending == ".vtu") {
    write_vtu(mesh, to);
  } else {
    using Form = mesh::MshForm;
    mesh::write_msh(
        mesh, to,
        version == "4.1" ? (text ? Form::text_4_1 : Form::binary_4_1) : (text ? Form::text_2_2 : Form::binary_2_2));
  }
  return fmt::format("{}: {} tetrahedra, {} nodes\n", to, mesh.tetrahedra.size(), mesh.vertices.size());
}

std::string partition_command(const Arguments& arguments) {
  std::string file;
  std::vector<int> counts;
  po::options_description known;
  known.add_options()("file", po::value(&file)->required())("parts", po::value(&counts)->multitoken()->required());
  po::positional_options_description positional;
  positional.add("file", 1).add("parts", -1);
  parse_options("partition", known, arguments, positional);
  const mesh::GlobalMesh whole = mesh::read_gmsh(file, 1);
  std::string table = "parts,part,elements,halo_elements,halo_faces,neighbours\n", summary;
  for (const int parts : counts) {
    const auto summaries = mesh::summarise_partition(whole, parts);
    std::int64_t most = 0, halo = 0, largest_halo = 0;
    for (std::size_t p = 0; p < summaries.size(); ++p) {
      table += fmt::format("{},{},{},{},{},{}\n", parts, p, summaries[p].elements, summaries[p].halo_elements,
                           summaries[p].halo_faces, summaries[p].neighbours);
      most = std::max(most, summaries[p].elements);
      halo += summaries[p].halo_faces;
      largest_halo = std::max(largest_halo, summaries[p].halo_faces);
    }
    const double mean = double(whole.tetrahedra.size()) / parts;
    summary += fmt::format(
        "# {} parts: balance {:.4f} (mean over largest elements), edge cut {} faces ({:.2f} % of the elements), "
        "largest halo "
        "{} faces\n",
        parts, mean / double(most), halo / 2, 100 * double(halo) / 2 / double(whole.tetrahedra.size()), largest_halo);
  }
  return table + summary;
}

}  // namespace dgtd::app
