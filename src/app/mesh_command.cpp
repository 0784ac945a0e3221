#include "dgtd/app/mesh_command.hpp"

#include <fmt/format.h>

#include <boost/program_options.hpp>
#include <ostream>

#include "dgtd/base/error.hpp"
#include "dgtd/base/one_line.hpp"
#include "dgtd/mesh/generate.hpp"
#include "dgtd/mesh/load.hpp"
#include "dgtd/mesh/partition_summary.hpp"

namespace dgtd::app {
namespace {

namespace po = boost::program_options;
using Arguments = std::vector<std::string>;

constexpr const char* usage =
    "dgtd-mesh makes tetrahedral meshes (Gmsh MSH 4.1, metres) and shows how a mesh is divided among ranks.\n"
    "\n"
    "  dgtd-mesh head-phone --level m0|m1|m2|m3 -o FILE.msh\n"
    "      A head of four tissues beside a phone: about 58 thousand, 0.81, 1.82 and 7.84 million tetrahedra.\n"
    "      Volume groups skin, skull, csf, brain, air; surface groups absorbing, metal.\n"
    "\n"
    "  dgtd-mesh spheres --radius R1 R2 ... --size H1 H2 ... --name N1 N2 ... -o FILE.msh\n"
    "      Concentric spheres around the origin, innermost first: radii and element sizes in metres, a\n"
    "      volume group a shell; surface group absorbing on the outermost sphere.\n"
    "\n"
    "  dgtd-mesh partition FILE.msh N...\n"
    "      How the mesh is divided among N ranks: a table (CSV) with a row per part: elements, elements and faces\n"
    "      at other parts, neighbouring parts.\n"
    "\n"
    "  dgtd-mesh --help | --version\n";

/// Throws Error for anything that the description does not have, and for what is missing.
/// positional: names of options that are given without their names.
po::variables_map parse(const std::string& program, const po::options_description& known, const Arguments& arguments,
                        const po::positional_options_description& positional = {}) {
  std::string allowed;
  for (const auto& option : known.options()) allowed += " --" + option->long_name();
  try {
    po::variables_map values;
    // Abbreviations are off: a misspelt option must not pass as another one.
    const int style = po::command_line_style::default_style & ~po::command_line_style::allow_guessing;
    po::store(po::command_line_parser(arguments).options(known).positional(positional).style(style).run(), values);
    po::notify(values);
    return values;
  } catch (const po::error& error) { throw Error(fmt::format("{}: {} (options:{})", program, error.what(), allowed)); }
}

std::string describe(const std::string& file, const mesh::MeshSummary& mesh) {
  constexpr double millimetres = 1e3;
  return fmt::format(
      "{}: {} tetrahedra, {} nodes\n"
      "edges {:.4g} / {:.4g} / {:.4g} mm (min / mean / max), inradius at least {:.4g} mm, shape at least {:.2f}\n",
      file, mesh.tetrahedra, mesh.nodes, millimetres * mesh.edge_min, millimetres * mesh.edge_mean,
      millimetres * mesh.edge_max, millimetres * mesh.inradius_min, mesh.shape_min);
}

std::string head_phone(const Arguments& arguments) {
  std::string level, file;
  po::options_description known;
  known.add_options()("level", po::value(&level)->required())("output,o", po::value(&file)->required());
  parse("head-phone", known, arguments);
  return describe(file, mesh::generate_head_phone(level, file));
}

std::string spheres(const Arguments& arguments) {
  mesh::Spheres shells;
  std::string file;
  po::options_description known;
  known.add_options()("radius", po::value(&shells.radii)->multitoken()->required())(
      "size", po::value(&shells.sizes)->multitoken()->required())(
      "name", po::value(&shells.names)->multitoken()->required())("output,o", po::value(&file)->required());
  parse("spheres", known, arguments);
  return describe(file, mesh::generate_spheres(shells, file));
}

std::string partition(const Arguments& arguments) {
  std::string file;
  std::vector<int> counts;
  po::options_description known;
  known.add_options()("file", po::value(&file)->required())("parts", po::value(&counts)->multitoken()->required());
  po::positional_options_description positional;
  positional.add("file", 1).add("parts", -1);
  parse("partition", known, arguments, positional);
  const mesh::GlobalMesh whole = mesh::read_gmsh(file, 1);
  std::string table = "parts,part,elements,halo_elements,halo_faces,neighbours\n";
  for (const int parts : counts) {
    const auto summaries = mesh::summarise_partition(whole, parts);
    for (std::size_t p = 0; p < summaries.size(); ++p)
      table += fmt::format("{},{},{},{},{},{}\n", parts, p, summaries[p].elements, summaries[p].halo_elements,
                           summaries[p].halo_faces, summaries[p].neighbours);
  }
  return table;
}

std::string run(const Arguments& arguments) {
  const std::string command = arguments.empty() ? "" : arguments.front();
  if (command == "--help" || command == "-h") return usage;
  if (command == "--version") return "dgtd-mesh " DGTD_VERSION "\n";
  const Arguments rest(arguments.begin() + (arguments.empty() ? 0 : 1), arguments.end());
  for (const std::string& argument : rest)
    if (argument == "--help" || argument == "-h") return usage;
  if (command == "head-phone") return head_phone(rest);
  if (command == "spheres") return spheres(rest);
  if (command == "partition") return partition(rest);
  const std::string found = command.empty() ? "no command" : "unknown command '" + command + "'";
  throw Error(found + " (allowed: head-phone, spheres, partition, --help, --version)");
}

}  // namespace

int mesh_command(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err) {
  const auto fail = [&err](ExitCode code, const std::string& message) {
    err << "dgtd-mesh: error: " << one_line(message) << "\n";
    return int(code);
  };
  try {
    out << run(arguments) << std::flush;
    if (!out) throw Error(ExitCode::other, "standard output: cannot write");
    return int(ExitCode::success);
  } catch (const Error& error) { return fail(error.code(), error.what()); } catch (const std::bad_alloc&) {
    return fail(ExitCode::out_of_memory, "not enough memory for this mesh");
  } catch (const std::exception& error) { return fail(ExitCode::other, error.what()); }
}

}  // namespace dgtd::app
