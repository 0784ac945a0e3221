#include "app/programs/mesh_command.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <boost/program_options.hpp>
#include <filesystem>
#include <ostream>

#include "app/programs/mesh_options.hpp"
#include "app/programs/mesh_report.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/base/one_line.hpp"
#include "dgtd/base/os_reason.hpp"
#include "dgtd/mesh/blocks.hpp"
#include "dgtd/mesh/generate.hpp"
#include "dgtd/mesh/mesh_comment.hpp"
#include "dgtd/mesh/write_msh.hpp"
#include "dgtd/mesher/from_bodies.hpp"

namespace dgtd::app {
namespace {

namespace po = boost::program_options;

constexpr const char* usage =
    "dgtd-mesh makes tetrahedral meshes (Gmsh MSH 4.1, metres) and shows what a mesh is worth. Lengths are in metres.\n"
    "\n"
    "  dgtd-mesh head-phone --level m0|m1|m2|m3 -o FILE.msh [--second-order]\n"
    "      A head of four tissues beside a phone: about 58 thousand, 0.81, 1.82 and 7.84 million tetrahedra.\n"
    "      Volume groups skin, skull, csf, brain, air; surface groups absorbing, metal.\n"
    "      --second-order: elements at the surfaces of tissues have curved edges (Gmsh type 11).\n"
    "\n"
    "  dgtd-mesh spheres --radius R1 R2 ... --size H1 H2 ... --name N1 N2 ... -o FILE.msh [--refine X Y Z H]\n"
    "                    [--exact-volumes | --second-order]\n"
    "      Concentric spheres around the origin, innermost first: radii and element sizes, a volume group per\n"
    "      shell; surface group absorbing on the outermost sphere. --refine as below. --exact-volumes: polyhedra have\n"
    "      the volumes of their spheres; else their corners are on the spheres, and bodies are too small.\n"
    "      --second-order: elements at the spheres have curved edges (Gmsh type 11).\n"
    "\n"
    "  dgtd-mesh blocks --block NAME X0 Y0 Z0 X1 Y1 Z1 H [--block ...] -o FILE.msh\n"
    "      Boxes along the axes, from a lower to an upper corner, with cells of at most H: layers, gratings, "
    "waveguides.\n"
    "      The first one is the domain; where others overlap the last one counts. Volume groups NAME; surface groups\n"
    "      xmin, xmax, ymin, ymax, zmin, zmax, whose opposite triangles match, as periodic sides need them.\n"
    "\n"
    "  dgtd-mesh from-labels IMAGE -o FILE.msh [options]\n"
    "      The tissues of a labelled image (NIfTI, MetaImage, NRRD) in air, with a device beside them. A volume group\n"
    "      per tissue and air; surface groups absorbing and, with a device, metal. Prints a report as info does.\n"
    "      The image and its tissues:\n"
    "        --tissues FILE      lines NAME = LABELS, NAME.KEY = VALUE (size, thickness, medium, eps_r, sigma),\n"
    "                            layer NAME INNER OUTER THICKNESS, shell NAME OF THICKNESS; else one per label\n"
    "        --unit U            metres per unit of the image's header (0.001)\n"
    "        --resolution H      finer images are reduced to about this spacing (0.001)\n"
    "        --smooth S          standard deviation of the Gaussian that smooths surfaces (0.0012)\n"
    "        --island V          pieces below this volume are removed, m3 (1e-6)\n"
    "      Around them:\n"
    "        --exterior sphere|box, --margin M (a wavelength)\n"
    "        --phone             a metal box, a gap and an antenna above it: --phone-size X Y Z (0.02 0.04 0.1),\n"
    "                            --antenna-size X Y Z (0.003 0.003 0.04), --gap G (0.002)\n"
    "        --stl FILE          a metal body; --stl-unit U (0.001)\n"
    "        --position X Y Z    where the middle of the gap, or the STL file's origin, is in the image's axes\n"
    "        --rotation A B C    by which it is turned before, degrees about x, then y, then z\n"
    "      Element sizes:\n"
    "        --frequency F (1.8e9), --order P (2), --per-wavelength N (10, 5, 3.5, 3, 2.5, 2.2 for P1 to P6)\n"
    "        --elements N        about so many tetrahedra: the sizes but the device's are scaled\n"
    "        --refine X Y Z H    at a point, such as a dipole, at most H there; can be repeated\n"
    "        --device-size H     at a device (0.006; at the antenna no more than its width)\n"
    "        --growth G          of the size, per distance (0.3)\n"
    "        --facet-distance D  of surfaces from the image's, over the element size (0.12)\n"
    "      Optimisation:\n"
    "        --odt N             iterations of CGAL's ODT smoother (0); --no-perturb, --no-exude: without its others\n"
    "        --passes N          of the optimiser for the time step, after them (12)\n"
    "        --effort N          its work at most: evaluations of an element per tetrahedron (4000)\n"
    "        --no-volumes        surfaces are not moved at the end until tissues have the image's volumes\n"
    "\n"
    "  dgtd-mesh info FILE.msh [--unit U] [--eps-r VOLUME=VALUE ...]\n"
    "      Volumes, pieces, edges, shapes, and the time step that the elements allow at P1 to P4 as a histogram.\n"
    "\n"
    "  dgtd-mesh convert FILE.msh TO.vtu|TO.msh [--version 4.1|2.2] [--text] [--unit U]\n"
    "\n"
    "  dgtd-mesh curve FILE.msh -o TO.msh SURFACES [--unit U]\n"
    "      Bends the edges of a mesh of straight ones. Of triangles between two volumes, or on the boundary, whose\n"
    "      vertices are on one of the surfaces, the middles of edges are moved onto it (Gmsh type 11):\n"
    "        --sphere X Y Z R\n"
    "        --cylinder X Y Z AX AY AZ R   through a point of its axis, along it\n"
    "        --step FILE                   all faces of its solids\n"
    "      Each can be repeated. Edges of elements that would be bent too much stay straight.\n"
    "\n"
    "  dgtd-mesh partition FILE.msh N...\n"
    "      How the mesh is divided among N ranks: a table (CSV) with a row per part: elements, elements and faces\n"
    "      at other parts, neighbouring parts; then, as comments, balance and edge cut.\n"
    "\n"
    "  dgtd-mesh --help | --version\n";

std::string describe(const std::string& file, const mesh::MeshSummary& mesh) {
  const MeshUnits& units = mesh_units(mesh.edge_mean);
  return fmt::format(
      "{}: {} tetrahedra, {} nodes\n"
      "edges {:.4g} / {:.4g} / {:.4g} {} (min / mean / max), inradius at least {:.4g} {}, shape at least {:.2f}\n",
      file, mesh.tetrahedra, mesh.nodes, units.of_length * mesh.edge_min, units.of_length * mesh.edge_mean,
      units.of_length * mesh.edge_max, units.length, units.of_length * mesh.inradius_min, units.length, mesh.shape_min);
}

// A mesh file beside the wanted one, which is not there before all steps are done.
struct Unfinished {
  std::string name;
  explicit Unfinished(const std::string& file) : name(fmt::format("{}.{}.msh", file, getpid())) {}
  ~Unfinished() {
    std::error_code ignored;
    std::filesystem::remove(name, ignored);
  }
};

std::string head_phone(const Arguments& arguments) {
  std::string level, file;
  bool second_order = false;
  po::options_description known;
  known.add_options()("level", po::value(&level)->required())("output,o", po::value(&file)->required())(
      "second-order", po::bool_switch(&second_order));
  parse_options("head-phone", known, arguments);
  const bool is_mesh = std::filesystem::path(file).extension() == ".msh";  // else refused as for straight edges
  if (!second_order || !is_mesh) return describe(file, mesh::generate_head_phone(level, file));
  const Unfinished made(file);
  std::string text = describe(file, mesh::generate_head_phone(level, made.name));
  text += mesher::make_head_phone_curved(made.name);
  mesh::append_comment(mesh::curved_head_phone_comment(level), made.name);
  std::filesystem::rename(made.name, file);
  return text;
}

std::string spheres(const Arguments& arguments) {
  mesh::Spheres shells;
  std::string file;
  std::vector<std::string> refine;
  bool second_order = false;
  po::options_description known;
  known.add_options()("radius", po::value(&shells.radii)->multitoken()->required())(
      "size", po::value(&shells.sizes)->multitoken()->required())(
      "name", po::value(&shells.names)->multitoken()->required())("output,o", po::value(&file)->required())(
      "refine", po::value(&refine))("exact-volumes", po::bool_switch(&shells.exact_volumes))(
      "second-order", po::bool_switch(&second_order));
  parse_options("spheres", known, join_numbers(arguments, {"--refine"}));
  shells.refinements = refinements("spheres", refine);
  if (second_order && shells.exact_volumes)
    throw Error("spheres: --second-order and --exact-volumes: elements of second order have their vertices on the spheres");
  std::string text = describe(file, mesh::generate_spheres(shells, file));
  if (second_order) text += mesher::make_spheres_curved(shells, file);
  return text;
}

std::string blocks(const Arguments& arguments) {
  // NAME and numbers of a block as one word, for numbers may be negative.
  Arguments joined;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    joined.push_back(arguments[i]);
    if (arguments[i] != "--block") continue;
    char separator = '=';
    const auto is_option = [](const std::string& word) {
      return word.size() > 1 && word[0] == '-' && word[1] != '.' && (word[1] < '0' || word[1] > '9');
    };
    for (int word = 0; word < 8 && i + 1 < arguments.size() && !is_option(arguments[i + 1]); ++word, separator = ' ')
      joined.back() += separator + arguments[++i];
  }
  std::vector<std::string> texts;
  std::string file;
  po::options_description known;
  known.add_options()("block", po::value(&texts)->required())("output,o", po::value(&file)->required());
  parse_options("blocks", known, joined);
  std::vector<mesh::Block> list;
  for (const std::string& text : texts) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const auto v = numbers("blocks: --block " + text.substr(0, end), text.substr(end), 7);
    list.push_back({text.substr(0, end), {v[0], v[1], v[2]}, {v[3], v[4], v[5]}, v[6]});
  }
  const mesh::GlobalMesh made = mesh::make_blocks(list);
  mesh::write_msh(made, file);
  return fmt::format("{}: {} tetrahedra, {} nodes\n", file, made.tetrahedra.size(), made.vertices.size());
}

std::string run(const Arguments& arguments, std::ostream& out, std::ostream& err) {
  const std::string command = arguments.empty() ? "" : arguments.front();
  if (command == "--help" || command == "-h") return usage;
  if (command == "--version") return "dgtd-mesh " DGTD_VERSION "\n";
  const Arguments rest(arguments.begin() + (arguments.empty() ? 0 : 1), arguments.end());
  for (const std::string& argument : rest)
    if (argument == "--help" || argument == "-h") return usage;
  if (command == "head-phone") return head_phone(rest);
  if (command == "spheres") return spheres(rest);
  if (command == "blocks") return blocks(rest);
  if (command == "from-labels") return from_labels_command(rest, out, err);
  if (command == "info") return info_command(rest);
  if (command == "convert") return convert_command(rest);
  if (command == "curve") return curve_command(rest);
  if (command == "partition") return partition_command(rest);
  const std::string found = command.empty() ? "no command" : "unknown command '" + command + "'";
  throw Error(
      found +
      " (allowed: head-phone, spheres, blocks, from-labels, info, convert, curve, partition, --help, --version)");
}

}  // namespace

int mesh_command(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err) {
  const auto fail = [&err](ExitCode code, const std::string& message) {
    err << "dgtd-mesh: error: " << one_line(message) << "\n";
    return int(code);
  };
  try {
    out << run(arguments, out, err) << std::flush;
    if (!out) throw Error(ExitCode::other, "standard output: cannot write");
    return int(ExitCode::success);
  } catch (const Error& error) { return fail(error.code(), error.what()); } catch (const std::bad_alloc&) {
    return fail(ExitCode::out_of_memory, "not enough memory for this mesh");
  } catch (const std::exception& error) {
    const Error failure = error_of(error);
    return fail(failure.code(), failure.what());
  }
}

}  // namespace dgtd::app
