#include "app/programs/sar_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options.hpp>
#include <new>
#include <ostream>

#include "app/programs/sar_files.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/base/os_reason.hpp"
#include "dgtd/base/timer.hpp"
#include "dgtd/dosimetry/peak_table.hpp"

namespace dgtd::app {
namespace {

namespace po = boost::program_options;
using Arguments = std::vector<std::string>;

constexpr const char* usage =
    "dgtd-sar averages specific absorption rates (SAR) over cubes of a mass, by IEC/IEEE 62704-1.\n"
    "\n"
    "  dgtd-sar IN --mass 1 10 [-o OUT] [--unit METRES] [--backend auto|cpu|cuda]\n"
    "\n"
    "  IN       VTK ImageData (.vti) or RectilinearGrid (.vtr) with cell arrays `density` in kg/m^3 (0: background)\n"
    "           and `sar` in W/kg, or density_kg_per_m3 and SAR_W_per_kg or\n"
    "           SAR_at_voxel_centre_W_per_kg as in sar.vti of a run; SAR may be anything where the density is 0\n"
    "  --mass   masses in g\n"
    "  -o       the same grid and arrays (.vti or .vtr as IN), and for each mass, here 1 g,\n"
    "             SAR_1g_W_per_kg    averaged SAR, 0 where there is none\n"
    "             SAR_1g_status      0 background, 1 valid, 2 used, 3 unused, 4 no cube has the mass\n"
    "             SAR_1g_orientation cube of the voxel: 7 centred, 1 to 6 voxel on its face -x +x -y +y -z +z, 0 none\n"
    "             SAR_1g_side_m      side of that cube, 0 where there is none\n"
    "  --unit   metres per length unit of IN (0.001 for mm); 1 if not given\n"
    "  --backend what averages; auto: a CUDA device where there is one with enough memory, else CPU threads\n"
    "\n"
    "  It prints the largest averages, with place, side and orientation of their cubes. OMP_NUM_THREADS: threads.\n"
    "\n"
    "  dgtd-sar --help | --version\n";

struct Options {
  std::string input, output;
  std::vector<double> masses;  // g
  double unit = 1;             // m
  dosimetry::Processor processor = dosimetry::Processor::automatic;
};

dosimetry::Processor processor_of(const std::string& name) {
  if (name == "auto") return dosimetry::Processor::automatic;
  if (name == "cpu") return dosimetry::Processor::cpu;
  if (name == "cuda") return dosimetry::Processor::cuda;
  throw Error(fmt::format("--backend {}: allowed are auto, cpu, cuda", name));
}

// Throws Error for anything that the description does not have, and for what is missing.
Options parse(const Arguments& arguments) {
  Options options;
  std::string backend = "auto";
  po::options_description known;
  known.add_options()("input", po::value(&options.input)->required())(
      "mass", po::value(&options.masses)->multitoken()->required())("output,o", po::value(&options.output))(
      "unit", po::value(&options.unit))("backend", po::value(&backend));
  try {
    po::positional_options_description positional;
    positional.add("input", 1);
    po::variables_map values;
    // Abbreviations are off: a misspelt option must not pass as another one.
    const int style = po::command_line_style::default_style & ~po::command_line_style::allow_guessing;
    po::store(po::command_line_parser(arguments).options(known).positional(positional).style(style).run(), values);
    po::notify(values);
  } catch (const po::error& error) {
    throw Error(
        fmt::format("{} (usage: dgtd-sar IN --mass GRAMS... [-o OUT] [--unit METRES] [--backend NAME])", error.what()));
  }
  options.processor = processor_of(backend);
  for (std::size_t i = 0; i < options.masses.size(); ++i) {
    if (!(options.masses[i] > 0)) throw Error(fmt::format("--mass {}: must be positive, in g", options.masses[i]));
    for (std::size_t j = 0; j < i; ++j)
      if (options.masses[i] == options.masses[j])
        throw Error(fmt::format("--mass {} {}: each mass once", options.masses[j], options.masses[i]));
  }
  if (!(options.unit > 0)) throw Error(fmt::format("--unit {}: must be positive, in m", options.unit));
  return options;
}

std::string describe(const std::string& file, const dosimetry::VoxelGrid& voxels) {
  const auto tissue =
      std::count_if(voxels.density.begin(), voxels.density.end(), [](float density) { return density > 0; });
  const auto length = [&](int a) { return 1e3 * (voxels.nodes[a].back() - voxels.nodes[a].front()); };
  return fmt::format("{}: {} x {} x {} voxels in {:.4g} x {:.4g} x {:.4g} mm, {} of tissue with {:.6g} g\n", file,
                     voxels.cells(0), voxels.cells(1), voxels.cells(2), length(0), length(1), length(2), tissue,
                     voxels.tissue_mass() * 1e3);
}

void average(const Options& options, std::ostream& out) {
  SarFile file = read_sar_file(options.input, options.unit);
  if (!options.output.empty()) check_ending(file, options.output);
  out << describe(options.input, file.voxels);
  std::vector<double> masses;  // kg
  for (const double mass : options.masses) masses.push_back(1e-3 * mass);
  const Timer timer;
  std::vector<dosimetry::MassAverage> averages;
  for (const auto& average : dosimetry::average_sar(file.voxels, masses, options.processor)) {
    averages.push_back(dosimetry::peaks(file.voxels, average));
    add_average(file, average);
  }
  out << dosimetry::format_peaks(averages) << fmt::format("\naveraged in {:.2f} s\n", timer.seconds());
  if (!options.output.empty()) write_sar_file(file, options.output);
}

// The exit code of success, where everything has been printed.
int end(std::ostream& out) {
  if (!out.flush()) throw Error(ExitCode::other, "standard output: cannot write");
  return int(ExitCode::success);
}

}  // namespace

int sar_command(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err) {
  const auto fail = [&err](ExitCode code, const std::string& message) {
    err << "dgtd-sar: error: " << message << "\n";
    return int(code);
  };
  try {
    for (const std::string& argument : arguments) {
      if (argument == "--help" || argument == "-h") out << usage;
      else if (argument == "--version") out << "dgtd-sar " DGTD_VERSION "\n";
      else continue;
      return end(out);
    }
    average(parse(arguments), out);
    return end(out);
  } catch (const Error& error) { return fail(error.code(), error.what()); } catch (const std::bad_alloc&) {
    return fail(ExitCode::out_of_memory, "not enough memory for this grid");
  } catch (const std::exception& error) {
    const Error failure = error_of(error);
    return fail(failure.code(), failure.what());
  }
}

}  // namespace dgtd::app
