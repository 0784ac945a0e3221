#include <fmt/format.h>

#include <array>
#include <iterator>
#include <string>

#include "fdtd_rules.hpp"

namespace dgtd::config {
namespace {

// Doubles are written in the fewest digits that read back as the same number.
class Writer {
 public:
  explicit Writer(const Case& c) { append("# {}, with every default written out", c.name); }

  void section(std::string_view name) { append("\n[{}]", name); }
  void section(std::string_view kind, std::string_view name) { append("\n[{}.{}]", kind, name); }

  template <class T>
  void key(std::string_view name, const T& value) {
    append("{} = {}", name, value);
  }
  void key(std::string_view name, const Vec3& v) { append("{} = {} {} {}", name, v.x, v.y, v.z); }
  void key(std::string_view name, const std::filesystem::path& path) { key(name, path.string()); }
  template <class T>
  void key(std::string_view name, const std::optional<T>& value) {
    if (value) key(name, *value);
  }
  template <class T>
  void list(std::string_view name, const T& values) {
    append("{} = {}", name, fmt::join(values, " "));
  }

  std::string text;

 private:
  template <class... Args>
  void append(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text), format, std::forward<Args>(args)...);
    text += '\n';
  }
};

void write(Writer& out, const Solver& s) {
  out.section("solver");
  out.key("method", text_of(method_names, s.method));
  if (s.method == Method::dgtd) out.key("order", s.order);
  if (s.method == Method::hpf2d) {
    out.key("stencil", text_of(stencil_names, s.stencil));
    out.key("potential", text_of(potential_names, s.potential));
    out.key("block_timesteps", s.block_timesteps);
    out.key("block_size", s.block_size);
  } else if (dimensions(s.method) < 3) {
    out.key("polarisation", text_of(polarisation_names, s.polarisation));
  }
  if (s.method == Method::fdtd2d) out.key("variant", text_of(variant_names, s.variant));
  out.key("precision", text_of(precision_names, s.precision));
  out.key("backend", text_of(backend_names, s.backend));
  out.key("kernels", text_of(kernels_names, s.kernels));
  out.key("comm", text_of(transport_names, s.comm));
  out.key("courant", s.courant);
  out.key("threads", s.threads);
  if (!s.subdomains) return;
  out.key("subdomains", *s.subdomains);
  out.key("reflections", s.reflections);
  out.key("window", s.window);
  out.key("rest", s.rest);
}

void write(Writer& out, const Mesh& m) {
  out.section("mesh");
  if (m.generator != Mesh::Generator::none) out.key("generator", text_of(generator_names, m.generator));
  switch (m.generator) {
    case Mesh::Generator::none:
      out.key("file", m.file);
      out.key("unit", m.unit);
      break;
    case Mesh::Generator::head_phone:
      out.key("level", m.level);
      out.key("file", m.file);
      break;
    case Mesh::Generator::box:
      out.list("cells", m.cells);
      out.key("size", m.size);
      break;
  }
}

// Spacings as runs of equal cells: "20*2e-09 1e-09 20*2e-09".
void write(Writer& out, const Grid& g, Method method) {
  constexpr std::string_view keys[] = {"spacings_x", "spacings_y", "spacings_z"};
  out.section("grid");
  for (int a = 0; a < dimensions(method); ++a) {
    std::vector<std::string> words;
    for (const CellRun& run : runs_of(g.spacings[a]))
      words.push_back(run.count == 1 ? fmt::format("{}", run.spacing) : fmt::format("{}*{}", run.count, run.spacing));
    out.list(keys[a], words);
  }
  out.key("origin", g.origin);
  if (method != Method::hpf2d) out.key("pml", g.pml);
  if (!g.background.empty()) out.key("background", g.background);
  out.key("subpixel", text_of(switch_names, g.subpixel));
}

void write(Writer& out, const Time& t) {
  out.section("time");
  out.key("end", t.end);
  out.key("periods", t.periods);
  out.key("steps", t.steps);
  out.key("frequency", t.frequency);
}

std::string text_of_pole(const Pole& p) {
  const auto type = text_of(pole_names, p.type);
  switch (p.type) {
    case Pole::Type::drude: return fmt::format("{} {} {}", type, p.strength, p.damping);
    case Pole::Type::lorentz: return fmt::format("{} {} {} {}", type, p.strength, p.resonance, p.damping);
    case Pole::Type::debye: return fmt::format("{} {} {}", type, p.strength, p.relaxation_time);
  }
  return {};
}

void write(Writer& out, const Material& m, Method method) {
  out.section("material", m.name);
  if (m.perfect_conductor) {
    out.key("conductor", text_of(conductor_names, m.perfect_conductor));
    out.key("density", m.density);
    return;
  }
  if (!m.tissue.empty()) out.key("tissue", m.tissue);
  if (m.eps_r_known) out.key("eps_r", m.eps_r);
  out.key("mu_r", m.mu_r);
  if (m.sigma_known) out.key("sigma", m.sigma);
  if (method != Method::dgtd && method != Method::hpf2d) {
    std::vector<std::string> poles;
    for (const Pole& p : m.poles) poles.push_back(text_of_pole(p));
    out.key("sigma_m", m.sigma_m);
    out.key("debye_poles", m.debye_poles);
    if (m.fit_band) out.list("fit_band", std::array{m.fit_band->lowest, m.fit_band->highest});
    if (!poles.empty()) out.key("poles", fmt::format("{}", fmt::join(poles, ", ")));
  }
  out.key("density", m.density);
}

void write(Writer& out, const Shape& s) {
  out.section("shape", s.name);
  out.key("type", text_of(shape_names, s.type));
  const bool file = s.type == Shape::Type::stl || s.type == Shape::Type::labels;
  if (s.type != Shape::Type::labels) out.key("material", s.material);
  out.key("priority", s.priority);
  if (!file) out.key("centre", s.centre);
  if (file) {
    out.key("file", s.file);
    out.key("unit", s.unit);
    out.key("position", s.position);
  }
  switch (s.type) {
    case Shape::Type::box: out.key("size", s.size); break;
    case Shape::Type::sphere: out.key("radius", s.radius); break;
    case Shape::Type::ellipsoid: out.key("radii", s.radii); break;
    case Shape::Type::cylinder:
      out.key("radius", s.radius);
      out.key("height", s.height);
      out.key("axis", s.axis);
      break;
    case Shape::Type::prism: {
      std::vector<std::string> points;
      for (const auto& p : s.points) points.push_back(fmt::format("{} {}", p[0], p[1]));
      out.key("points", fmt::format("{}", fmt::join(points, ", ")));
      out.key("height", s.height);
      out.key("axis", s.axis);
      break;
    }
    case Shape::Type::stl: break;
    case Shape::Type::labels: {
      std::vector<std::string> labels;
      for (const auto& l : s.labels) labels.push_back(fmt::format("{} {}", l.number, l.material));
      out.key("labels", fmt::format("{}", fmt::join(labels, ", ")));
      break;
    }
  }
}

void write(Writer& out, const Boundary& b) {
  out.section("boundary", b.name);
  out.key("type", text_of(boundary_names, b.type));
  out.key("phase", b.phase);
  out.key("k", b.k);
}

void write(Writer& out, const Initial& i) {
  out.section("initial");
  out.key("type", text_of(initial_names, i.type));
  if (i.type == Initial::Type::cavity_mode) out.list("mode", i.mode);
  if (i.type == Initial::Type::file) out.key("file", i.file);
  for (int c = 0; c < 3; ++c)
    if (!i.electric[c].empty()) out.key(electric_names[c], i.electric[c]);
  for (int c = 0; c < 3; ++c)
    if (!i.magnetic[c].empty()) out.key(magnetic_names[c], i.magnetic[c]);
}

void write(Writer& out, const Source& s) {
  out.section("source", s.name);
  out.key("type", text_of(source_names, s.type));
  switch (s.type) {
    case Source::Type::dipole:
      out.key("position", s.position);
      out.key("direction", s.direction);
      out.key("moment", s.moment);
      out.key("radius", s.radius);
      if (s.length > 0) out.key("length", s.length);
      break;
    case Source::Type::plane_wave:
      out.key("position", s.position);
      out.key("direction", s.direction);
      break;
    case Source::Type::hard:
      out.key("position", s.position);
      out.key("direction", s.direction);
      out.key("amplitude", s.amplitude);
      break;
    case Source::Type::sheet:
      out.key("centre", s.centre);
      out.key("size", s.size);
      if (!s.profile.empty()) out.key("profile", s.profile);
      if (dot(s.direction, s.direction) > 0) out.key("direction", s.direction);
      break;
    case Source::Type::gaussian_beam:
      out.key("direction", s.direction);
      out.key("waist", s.waist);
      out.key("focus", s.focus);
      out.key("plane", s.plane);
      break;
  }
  if (s.type != Source::Type::dipole && s.type != Source::Type::hard) {
    out.key("polarisation", s.polarisation);
    out.key("amplitude", s.amplitude);
  }
  out.key("box_min", s.box_min);
  out.key("box_max", s.box_max);
  out.key("waveform", text_of(waveform_names, s.waveform.type));
  out.key("frequency", s.waveform.frequency);
  if (s.waveform.type == Waveform::Type::ramped_sine) out.key("ramp", s.waveform.ramp_periods);
  if (s.waveform.type == Waveform::Type::modulated_gaussian) out.key("bandwidth", s.waveform.bandwidth);
}

void write(Writer& out, const Probe& p) {
  out.section("probe", p.name);
  out.key("position", p.position);
  out.key("every", p.every);
}

void write(Writer& out, const Flux& f) {
  out.section("flux", f.name);
  out.key("type", text_of(flux_names, f.type));
  out.key("centre", f.centre);
  out.key("size", f.size);
  out.list("frequencies", f.frequencies);
}

void write(Writer& out, const Monitor& m) {
  out.section("monitor", m.name);
  out.key("type", text_of(flux_names, m.type));
  out.key("centre", m.centre);
  out.key("size", m.size);
  out.list("frequencies", m.frequencies);
  out.list("fields", m.fields);
}

void write(Writer& out, const FarField& f) {
  out.section("far", f.name);
  out.key("centre", f.centre);
  out.key("size", f.size);
  out.list("frequencies", f.frequencies);
  out.key("theta", f.theta);
  out.key("phi", f.phi);
}

void write(Writer& out, const Dft& d) {
  out.section("dft");
  if (!d.frequencies.empty()) out.list("frequencies", d.frequencies);
  out.key("window", text_of(window_names, d.window));
}

void write(Writer& out, const Sar& s) {
  out.section("sar");
  out.key("normalise", text_of(normalise_names, s.normalise));
  out.key("power", s.power);
}

void write(Writer& out, const Output& o) {
  out.section("output");
  out.key("directory", o.directory);
  out.list("fields", o.fields);
  out.key("every", o.every);
  out.key("monitor", o.monitor);
}

}  // namespace

std::string resolved_text(const Case& c) {
  const bool dgtd = c.solver.method == Method::dgtd;
  Writer out(c);
  write(out, c.solver);
  if (dgtd) write(out, c.mesh);
  else write(out, c.grid, c.solver.method);
  write(out, c.time);
  for (const Material& m : c.materials) write(out, m, c.solver.method);
  for (const Shape& s : c.shapes) write(out, s);
  for (const Boundary& b : c.boundaries) write(out, b);
  write(out, c.initial);
  for (const Source& s : c.sources) write(out, s);
  for (const Probe& p : c.probes) write(out, p);
  for (const Flux& f : c.fluxes) write(out, f);
  for (const Monitor& m : c.monitors) write(out, m);
  for (const FarField& f : c.far_fields) write(out, f);
  write(out, c.dft);
  if (c.solver.method != Method::hpf2d) write(out, c.sar);
  write(out, c.output);
  return out.text;
}

}  // namespace dgtd::config
