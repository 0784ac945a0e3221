#include "schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "dgtd/base/error.hpp"
#include "dgtd/base/nearest_name.hpp"
#include "fdtd_rules.hpp"

namespace dgtd::config {
namespace {

struct Kind {
  std::string_view name;
  bool named;
};
constexpr Kind kinds[] = {
    {"solver", false}, {"mesh", false},    {"grid", false},    {"time", false},  {"material", true}, {"shape", true},
    {"refine", true},  {"boundary", true}, {"initial", false}, {"source", true}, {"probe", true},    {"flux", true},
    {"monitor", true}, {"far", true},      {"dft", false},     {"sar", false},   {"output", false}};

// Planned, and so perhaps tried, but not in this version. An empty value stands for every value.
struct Absent {
  std::string_view kind, key, value, message;
};
constexpr Absent absent[] = {
    {"sar", "mass", "", "this version has no mass-averaged SAR"},
};

[[noreturn]] void unknown_section(const Section& section) {
  std::vector<std::string> names, labels;
  for (const Kind& kind : kinds) {
    names.emplace_back(kind.name);
    labels.push_back(fmt::format("[{}{}]", kind.name, kind.named ? ".NAME" : ""));
  }
  const std::string begin = fmt::format("{}: unknown section [{}]; ", section.origin, section.name);
  const auto nearest = nearest_name(kind_of(section.name), names);
  if (!nearest) throw Error(fmt::format("{}the sections are {}", begin, fmt::join(labels, " ")));
  const bool named =
      std::find_if(std::begin(kinds), std::end(kinds), [&](const Kind& k) { return k.name == *nearest; })->named;
  const std::string_view name = name_in(section.name);
  throw Error(fmt::format("{}did you mean [{}{}]?", begin, *nearest,
                          !named         ? ""
                          : name.empty() ? ".NAME"
                                         : fmt::format(".{}", name)));
}

bool is_physical_name(std::string_view name, bool star_allowed) {
  if (name == "*") return star_allowed;
  if (name.empty() || name.front() == ' ' || name.back() == ' ') return false;
  return std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return c >= 0x80 || std::isalnum(c) || c == '_' || c == '-' || c == '.' || c == ' ';  // UTF-8 letters pass
  });
}

void check_name(const Section& section) {
  const std::string_view kind = kind_of(section.name), name = name_in(section.name);
  if (name.empty())
    throw Error(fmt::format("{}: section [{}] needs a name: [{}.NAME]", section.origin, section.name, kind));
  const bool star_allowed = kind == "material" || kind == "boundary";
  if (!is_physical_name(name, star_allowed))
    throw Error(fmt::format("{}: section [{}]: NAME must be letters, digits, _ - . and blanks inside{}", section.origin,
                            section.name, star_allowed ? ", or *" : ""));
}

// Collects the keys of one section.
class Keys {
 public:
  Keys(Schema& schema, std::string section) : schema_(schema), section_(std::move(section)) {}
  Keys& add(std::string key, Rule rule) {
    schema_.push_back({section_, std::move(key), std::move(rule)});
    return *this;
  }

 private:
  Schema& schema_;
  std::string section_;
};

// Numbers along x, y and z: of grids with fewer axes the first ones will do, and others stand for a place in the
// middle of what they do not have, or for a length that reaches beyond it.
class Axes {
 public:
  explicit Axes(const Case& c) : given_(dimensions(c.solver.method)) {}
  Rule place(Vec3& target) const { return completed(three_numbers(target, Sign::any), given_, "0"); }
  Rule place(std::optional<Vec3>& target) const { return completed(three_numbers(target, Sign::any), given_, "0"); }
  Rule length(Vec3& target, Sign sign) const { return completed(three_numbers(target, sign), given_, "1e9"); }
  Rule spacing(Vec3& target) const {
    return given_ == 1 ? completed(three_numbers(target, Sign::positive), 1, "1")
                       : completed(one_or_three_numbers(target, Sign::positive), given_, "1");
  }
  Rule cells(std::array<std::int64_t, 3>& target) const {
    return completed(three_integers(target, 1, most_cells), given_, "1");
  }

 private:
  int given_;
};

void add_fixed_keys(Schema& schema, Case& c, const std::filesystem::path& base) {
  const Axes axes(c);
  Keys(schema, "solver")
      .add("method", choice(c.solver.method, method_names))
      .add("order", integer(c.solver.order, 1, 6))
      .add("polarisation", choice(c.solver.polarisation, polarisation_names))
      .add("variant", choice(c.solver.variant, variant_names))
      .add("precision", choice(c.solver.precision, precision_names))
      .add("backend", choice(c.solver.backend, backend_names))
      .add("kernels", choice(c.solver.kernels, kernels_names))
      .add("stencil", choice(c.solver.stencil, stencil_names))
      .add("potential", choice(c.solver.potential, potential_names))
      .add("block_timesteps", integer(c.solver.block_timesteps, 0, 256))
      .add("block_size", integer(c.solver.block_size, 32, 1024))
      .add("comm", choice(c.solver.comm, transport_names))
      .add("courant", share(c.solver.courant))
      .add("threads", integer(c.solver.threads, 0, 4096))
      .add("subdomains", integer(c.solver.subdomains, 1, 100000))
      .add("reflections", integer(c.solver.reflections, 0, 10000))
      .add("window", number(c.solver.window, Sign::positive))
      .add("rest", number(c.solver.rest, Sign::not_negative));
  Keys(schema, "mesh")
      .add("file", path_from(base, c.mesh.file))
      .add("unit", number(c.mesh.unit, Sign::positive))
      .add("generator", choice(c.mesh.generator, generator_names))
      .add("level", choice(c.mesh.level, level_names))
      .add("cells", three_integers(c.mesh.cells, 1))
      .add("size", three_numbers(c.mesh.size, Sign::positive));
  Keys(schema, "grid")
      .add("cells", axes.cells(c.grid.cells))
      .add("spacing", axes.spacing(c.grid.spacing))
      .add("spacings_x", spacing_list(c.grid.spacings[0]))
      .add("spacings_y", spacing_list(c.grid.spacings[1]))
      .add("spacings_z", spacing_list(c.grid.spacings[2]))
      .add("origin", axes.place(c.grid.origin))
      .add("ratio", above_one(c.grid.ratio))
      .add("pml", integer(c.grid.pml, 1, 100))
      .add("background", any_text(c.grid.background))
      .add("subpixel", choice(c.grid.subpixel, switch_names));
  Keys(schema, "time")
      .add("end", number(c.time.end, Sign::positive))
      .add("periods", number(c.time.periods, Sign::positive))
      .add("steps", integer(c.time.steps, 1))
      .add("frequency", number(c.time.frequency, Sign::positive));
  Keys(schema, "initial")
      .add("type", choice(c.initial.type, initial_names))
      .add("mode", completed(three_integers(c.initial.mode, 0, 1000), dimensions(c.solver.method), "0"))
      .add("Ex", any_text(c.initial.electric[0]))
      .add("Ey", any_text(c.initial.electric[1]))
      .add("Ez", any_text(c.initial.electric[2]))
      .add("Hx", any_text(c.initial.magnetic[0]))
      .add("Hy", any_text(c.initial.magnetic[1]))
      .add("Hz", any_text(c.initial.magnetic[2]))
      .add("file", path_from(base, c.initial.file));
  Keys(schema, "dft")
      .add("frequencies", numbers(c.dft.frequencies, Sign::positive))
      .add("window", choice(c.dft.window, window_names));
  Keys(schema, "sar")
      .add("normalise", choice(c.sar.normalise, normalise_names))
      .add("power", number(c.sar.power, Sign::positive));
  Keys(schema, "output")
      .add("directory", path_from(base, c.output.directory))
      .add("fields", words_or_none(c.output.fields, {"E", "H", "SAR"}))
      .add("every", integer(c.output.every, 0))
      .add("monitor", integer(c.output.monitor, 0));
}

void add_named_keys(Schema& schema, Case& c, const std::filesystem::path& base) {
  const Axes axes(c);
  for (Material& m : c.materials)
    Keys(schema, "material." + m.name)
        .add("eps_r", number(m.eps_r, Sign::positive))
        .add("mu_r", number(m.mu_r, Sign::positive))
        .add("sigma", number(m.sigma, Sign::not_negative))
        .add("sigma_m", number(m.sigma_m, Sign::not_negative))
        .add("poles", pole_list(m.poles))
        .add("conductor", choice(m.perfect_conductor, conductor_names))
        .add("density", number(m.density, Sign::positive))
        .add("tissue", any_text(m.tissue))
        .add("debye_poles", integer(m.debye_poles, 1, 5))
        .add("fit_band", band(m.fit_band));
  for (Shape& s : c.shapes)
    Keys(schema, "shape." + s.name)
        .add("type", choice(s.type, shape_names))
        .add("material", any_text(s.material))
        .add("priority", integer(s.priority, -1000000, 1000000))
        .add("centre", axes.place(s.centre))
        .add("size", axes.length(s.size, Sign::positive))
        .add("radius", number(s.radius, Sign::positive))
        .add("radii", axes.length(s.radii, Sign::positive))
        .add("axis", axes.place(s.axis))
        .add("height", number(s.height, Sign::positive))
        .add("points", point_list(s.points))
        .add("file", path_from(base, s.file))
        .add("unit", number(s.unit, Sign::positive))
        .add("position", axes.place(s.position))
        .add("labels", label_list(s.labels));
  for (Refinement& r : c.refinements)
    Keys(schema, "refine." + r.name)
        .add("centre", axes.place(r.centre))
        .add("size", axes.length(r.size, Sign::positive))
        .add("spacing", axes.spacing(r.spacing));
  for (Boundary& b : c.boundaries)
    Keys(schema, "boundary." + b.name)
        .add("type", choice(b.type, boundary_names))
        .add("phase", number(b.phase, Sign::any))
        .add("k", number(b.k, Sign::any));
  for (Source& s : c.sources)
    Keys(schema, "source." + s.name)
        .add("type", choice(s.type, source_names))
        .add("position", axes.place(s.position))
        .add("direction", axes.place(s.direction))
        .add("polarisation", axes.place(s.polarisation))
        .add("moment", number(s.moment, Sign::any))
        .add("radius", number(s.radius, Sign::not_negative))
        .add("amplitude", number(s.amplitude, Sign::any))
        .add("box_min", axes.place(s.box_min))
        .add("box_max", axes.place(s.box_max))
        .add("length", number(s.length, Sign::positive))
        .add("centre", axes.place(s.centre))
        .add("size", axes.length(s.size, Sign::not_negative))
        .add("profile", path_from(base, s.profile))
        .add("waist", number(s.waist, Sign::positive))
        .add("focus", axes.place(s.focus))
        .add("plane", number(s.plane, Sign::any))
        .add("frequency", number(s.waveform.frequency, Sign::positive))
        .add("waveform", choice(s.waveform.type, waveform_names))
        .add("ramp", number(s.waveform.ramp_periods, Sign::positive))
        .add("bandwidth", number(s.waveform.bandwidth, Sign::positive));
  for (Probe& p : c.probes)
    Keys(schema, "probe." + p.name).add("position", axes.place(p.position)).add("every", integer(p.every, 1));
  for (Flux& f : c.fluxes)
    Keys(schema, "flux." + f.name)
        .add("type", choice(f.type, flux_names))
        .add("centre", axes.place(f.centre))
        .add("size", axes.length(f.size, Sign::not_negative))
        .add("frequencies", numbers(f.frequencies, Sign::positive))
        .add("wavelengths", wavelengths(f.frequencies));
  for (Monitor& m : c.monitors)
    Keys(schema, "monitor." + m.name)
        .add("type", choice(m.type, flux_names))
        .add("centre", axes.place(m.centre))
        .add("size", axes.length(m.size, Sign::not_negative))
        .add("frequencies", numbers(m.frequencies, Sign::positive))
        .add("wavelengths", wavelengths(m.frequencies))
        .add("fields", words(m.fields, {"E", "H"}));
  for (FarField& f : c.far_fields)
    Keys(schema, "far." + f.name)
        .add("centre", axes.place(f.centre))
        .add("size", axes.length(f.size, Sign::positive))
        .add("frequencies", numbers(f.frequencies, Sign::positive))
        .add("wavelengths", wavelengths(f.frequencies))
        .add("theta", integer(f.theta, 2, 1801))
        .add("phi", integer(f.phi, 1, 3600));
}

[[noreturn]] void unknown_key(const Entry& entry, const Schema& schema) {
  std::vector<std::string> here, elsewhere;
  for (const Key& key : schema) {
    if (key.section == entry.section) here.push_back(key.key);
    if (key.key == entry.key) elsewhere.push_back(key.name());
  }
  const std::string begin = fmt::format("{}: unknown key {}; ", entry.origin, entry.name());
  if (const auto nearest = nearest_name(entry.key, here))
    throw Error(fmt::format("{}did you mean {}.{}?", begin, entry.section, *nearest));
  if (!elsewhere.empty()) throw Error(fmt::format("{}did you mean {}?", begin, elsewhere.front()));
  throw Error(fmt::format("{}[{}] has {}", begin, entry.section, fmt::join(here, ", ")));
}

}  // namespace

std::string_view kind_of(std::string_view section) { return section.substr(0, section.find('.')); }

std::string_view name_in(std::string_view section) {
  const auto dot = section.find('.');
  return dot == std::string_view::npos ? std::string_view() : section.substr(dot + 1);
}

void check_sections(const IniTable& table) {
  for (const Section& section : table.sections()) {
    const Kind* kind = std::find_if(std::begin(kinds), std::end(kinds),
                                    [&](const Kind& k) { return k.name == kind_of(section.name); });
    if (kind == std::end(kinds) || (!kind->named && section.name != kind->name)) unknown_section(section);
    if (kind->named) check_name(section);
  }
}

void add_named(Case& c, const IniTable& table) {
  for (const Section& section : table.sections()) {
    const std::string_view kind = kind_of(section.name);
    const std::string name(name_in(section.name));
    const auto add = [&](auto& list) {
      auto& item = list.emplace_back();
      item.name = name;
      item.origin = section.origin;
    };
    if (kind == "material") add(c.materials);
    if (kind == "shape") add(c.shapes);
    if (kind == "refine") add(c.refinements);
    if (kind == "boundary") add(c.boundaries);
    if (kind == "source") add(c.sources);
    if (kind == "probe") add(c.probes);
    if (kind == "flux") add(c.fluxes);
    if (kind == "monitor") add(c.monitors);
    if (kind == "far") add(c.far_fields);
  }
}

Schema make_schema(Case& c) {
  Schema schema;
  add_fixed_keys(schema, c, c.file.parent_path());
  add_named_keys(schema, c, c.file.parent_path());
  return schema;
}

void check_keys(const IniTable& table, const Schema& schema) {
  for (const Entry& entry : table.entries()) {
    for (const Absent& a : absent)
      if (a.kind == kind_of(entry.section) && a.key == entry.key && (a.value.empty() || a.value == entry.value))
        throw Error(fmt::format("{}: {}", entry.place(), a.message));
    const bool known = std::any_of(schema.begin(), schema.end(), [&](const Key& key) {
      return key.section == entry.section && key.key == entry.key;
    });
    if (!known) unknown_key(entry, schema);
  }
}

}  // namespace dgtd::config
