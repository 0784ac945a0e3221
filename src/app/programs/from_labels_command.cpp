// dgtd-mesh from-labels IMAGE -o FILE
#include <ostream>

#include "app/programs/mesh_options.hpp"
#include "app/programs/mesh_report.hpp"
#include "app/programs/mpi_session.hpp"
#include "dgtd/base/peak_memory.hpp"
#include "dgtd/mesh/write_msh.hpp"
#include "dgtd/mesher/from_labels.hpp"

namespace dgtd::app {
namespace {

namespace po = boost::program_options;

/// Values of the command line, as text or lists.
struct Raw {
  std::string image, output, tissues, stl, exterior = "sphere";
  std::string position, rotation, phone_size, antenna_size;  // three numbers
  std::vector<std::string> refine;                           // four numbers each
  double gap = 0.002, stl_unit = 1e-3;
};

void describe(po::options_description& known, mesher::FromLabels& s, Raw& raw) {
  auto add = known.add_options();
  add("image", po::value(&raw.image)->required());
  add("output,o", po::value(&raw.output)->required());
  add("tissues", po::value(&raw.tissues));
  add("unit", po::value(&s.unit));
  add("resolution", po::value(&s.resolution));
  add("smooth", po::value(&s.smoothing));
  add("island", po::value(&s.island));
  add("exterior", po::value(&raw.exterior));
  add("margin", po::value(&s.margin));
  add("phone", po::bool_switch());
  add("phone-size", po::value(&raw.phone_size));
  add("antenna-size", po::value(&raw.antenna_size));
  add("gap", po::value(&raw.gap));
  add("stl", po::value(&raw.stl));
  add("stl-unit", po::value(&raw.stl_unit));
  add("position", po::value(&raw.position));
  add("rotation", po::value(&raw.rotation));
  add("refine", po::value(&raw.refine));
  add("device-size", po::value(&s.device_size));
  add("frequency", po::value(&s.frequency));
  add("order", po::value(&s.order));
  add("per-wavelength", po::value(&s.elements_per_wavelength));
  add("elements", po::value(&s.elements));
  add("growth", po::value(&s.growth));
  add("facet-distance", po::value(&s.facet_distance));
  add("odt", po::value(&s.odt_iterations));
  add("no-perturb", po::bool_switch());
  add("no-exude", po::bool_switch());
  add("passes", po::value(&s.passes));
  add("effort", po::value(&s.effort));
  add("no-volumes", po::bool_switch());
}

Vec3 vector(const char* name, const std::string& text, const Vec3& fallback) {
  if (text.empty()) return fallback;
  const auto v = numbers(std::string("from-labels: --") + name, text, 3);
  return {v[0], v[1], v[2]};
}

mesher::FromLabels settings_of(const Arguments& arguments, Raw& raw) {
  mesher::FromLabels s;
  po::options_description known;
  describe(known, s, raw);
  po::positional_options_description positional;
  positional.add("image", 1);
  const Arguments numbers_joined =
      join_numbers(arguments, {"--position", "--rotation", "--phone-size", "--antenna-size", "--refine"});
  const po::variables_map values = parse_options("from-labels", known, numbers_joined, positional);
  s.perturb = !values["no-perturb"].as<bool>();
  s.exude = !values["no-exude"].as<bool>();
  s.keep_volumes = !values["no-volumes"].as<bool>();
  s.image = raw.image;
  s.tissues = raw.tissues;
  s.refinements = refinements("from-labels", raw.refine);
  if (raw.exterior == "box") s.exterior = mesher::FromLabels::Exterior::box;
  else if (raw.exterior != "sphere")
    throw Error(fmt::format("from-labels: --exterior '{}': allowed are sphere and box", raw.exterior));
  const bool phone = values["phone"].as<bool>();
  if (!phone && raw.stl.empty() && !(raw.position.empty() && raw.rotation.empty()))
    throw Error("from-labels: --position and --rotation are of a device: --phone or --stl FILE");
  if ((phone || !raw.stl.empty()) && raw.position.empty())
    throw Error("from-labels: a device needs --position X Y Z, m");
  const mesher::Placement placement{vector("position", raw.position, {}), vector("rotation", raw.rotation, {})};
  if (phone) {
    mesher::Phone p;
    p.size = vector("phone-size", raw.phone_size, p.size);
    p.antenna_size = vector("antenna-size", raw.antenna_size, p.antenna_size);
    p.gap = raw.gap;
    p.placement = placement;
    s.phone = p;
  }
  if (!raw.stl.empty()) s.stl = mesher::StlDevice{raw.stl, raw.stl_unit, placement};
  return s;
}

}  // namespace

std::string from_labels_command(const Arguments& arguments, std::ostream& out, std::ostream& err) {
  Raw raw;
  mesher::FromLabels settings = settings_of(arguments, raw);
  settings.progress = [&](const std::string& line) { out << line << std::endl; };
  mesh::require_writable_msh(raw.output);
  const MpiSession mpi;
  const mesher::FromLabelsResult result = mesher::mesh_from_labels(settings);
  MeshReportInput input;
  input.name = raw.output;
  for (const mesher::TissueResult& t : result.tissues) {
    input.permittivity[t.name] = t.permittivity;
    if (t.name != "air") input.image_pieces[t.name] = t.image_pieces;
    if (t.name != "air") input.image_volume[t.name] = t.image_volume;
  }
  out << fmt::format("most memory: {:.2f} GB\n\n", peak_memory_bytes() / 1e9) << std::flush;
  for (const std::string& warning : result.warnings) err << "dgtd-mesh: warning: " << warning << std::endl;
  const std::string report = mesh_report(result.mesh, input, mpi.communicator());
  mesh::write_msh(result.mesh, raw.output);
  return report;
}

}  // namespace dgtd::app
