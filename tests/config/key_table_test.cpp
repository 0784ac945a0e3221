// Every entry of the table of keys: documented, read, written to resolved.cfg and read back. A new key is covered
// without a change here where one of the cases below accepts it.
#include <fmt/format.h>

#include <set>

#include "config/case_fixture.hpp"
#include "config/key.hpp"
#include "geometry/gdsii_writer.hpp"

namespace dgtd::config {
namespace {

const std::string box_mesh = "[mesh]\ngenerator = box\n[time]\nsteps = 3\nfrequency = 1e9\n";
const std::string space =
    "[solver]\nmethod = fdtd3d\n[grid]\ncells = 21 22 23\nspacing = 0.001\n[time]\nsteps = 3\n"
    "frequency = 1e9\n";
const std::string plane =
    "[solver]\nmethod = fdtd2d\n[grid]\ncells = 21 22\nspacing = 0.001\n[time]\nsteps = 3\n"
    "frequency = 1e9\n[boundary.*]\ntype = pec\n";
const std::string line =
    "[solver]\nmethod = fdtd1d\n[grid]\ncells = 210\nspacing = 0.001\n[time]\nsteps = 3\n"
    "frequency = 1e9\n";
const std::string dipole = "[source.d]\ntype = dipole\nposition = 0 0 0\ndirection = 0 0 1\n";
const std::string wave = "[source.w]\ntype = plane-wave\ndirection = 0 0 1\npolarisation = 1 0 0\n";
const std::string glass = "[material.glass]\neps_r = 2\n";
const std::string region = "centre = 0 0 0\nsize = 0.01 0.01 0.01\nfrequencies = 1e9\n";
const std::string region_of_wavelengths = "size = 0.01 0.01 0.01\nwavelengths = 0.3 0.2 3\n";

std::string shape(const std::string& type, const std::string& lines, bool has_material = true) {
  return "[shape." + type + "]\ntype = " + type + "\n" + (has_material ? "material = glass\n" : "") + lines;
}

std::string uniform_plane(const std::string& name) {
  return "[solver]\nmethod = fdtd2d-" + name + plane.substr(plane.find("\n[grid]"));
}

// Cases that together accept every key.
const std::string cases[] = {
    "[mesh]\nfile = head.msh\n[time]\nend = 1e-9\n[material.skin]\n[boundary.metal]\ntype = pec\n",
    "[mesh]\nfile = head.msh\n[time]\nperiods = 2\nfrequency = 1e9\n" + dipole + wave +
        "[material.skin]\ndensity = 1100\n[probe.p]\nposition = 0 0 0\n" + "[sar]\nnormalise = emitted\nmass = 1 10\n",
    "[mesh]\nfile = head.msh\n[time]\nperiods = 2\nfrequency = 1e9\n" + dipole + "waveform = ramped-sine\n" + wave +
        "waveform = modulated-gaussian\nbandwidth = 1e9\n[dft]\nwindow = all\n",
    "[mesh]\nfile = head.msh\n[time]\nend = steady\nfrequency = 1e9\n" + dipole,
    "[mesh]\nfile = head.msh\n[time]\nend = decayed\n" + dipole +
        "waveform = modulated-gaussian\nfrequency = 1e9\nbandwidth = 1e9\n",
    box_mesh + "[initial]\ntype = cavity-mode\n",
    "[mesh]\ngenerator = head-phone\n[time]\nsteps = 3\n",
    "[domain]\nshape = sphere\nsize = 0.2\norigin = 0 0 0\nbackground = glass\n[mesh]\nper_wavelength = 3\n"
    "finest = 0.001\nratio = 1.2\nper_circle = 8\nexact_volumes = off\ncurved = mean\n[time]\nsteps = 3\n" +
        glass + "[refine.r]\ncentre = 0.01 0 0\nsize = 0.02 0.02 0.02\nspacing = 0.003\n",
    "[domain]\nmargin = 0.1\n[time]\nsteps = 3\nfrequency = 1e9\n" + glass + shape("sphere", "radius = 0.01\n"),
    "[domain]\nmargin_wavelengths = 0.1\n[time]\nsteps = 3\nfrequency = 1e9\n" + glass +
        shape("sphere", "radius = 0.01\n"),
    box_mesh + "[monitor.m]\ntype = box\n" + region + "[snapshot.s]\ntimes = 1e-9\n",
    box_mesh + "[boundary.xmin]\ntype = passive\nlayers = 5\nthickness = 0.3\nreflection = 0.01\n",
    "[mesh]\nfile = head.msh\n[time]\nsteps = 3\n[boundary.xmin]\ntype = passive\ngroup = pml air, pml\n",
    box_mesh + "[boundary.xmin]\ntype = cpml\nloss = 0.3\n",
    space + glass + dipole + wave +
        "[material.muscle]\n[material.fitted]\ntissue = muscle\ndebye_poles = 2\nfit_band = 1e8 2e9\n",
    space + "[boundary.*]\ntype = bloch\nphase = 0.1\n[initial]\ntype = formula\nEx = x\nHy = z\n",
    space + "[boundary.*]\ntype = bloch\nk = 0.1\n",
    space + "[boundary.xmin]\ntype = adiabatic\nlength = 0.002\n[permittivity.p]\nfile = a.npy\n" +
        "[snapshot.s]\ntimes = 1e-9\n",
    space + "[material.glass]\nconductor = perfect\n" + shape("plate", "points = 0 0, 0.01 0, 0 0.01\naxis = 0 1 0\n"),
    space + glass + shape("box", "size = 0.01 0.01 0.01\n", false) + shape("sphere", "radius = 0.01\n", false) +
        shape("union", "shapes = box sphere\n") +
        shape("wire", "radius = 0.001\npath = 0 0 0, 0.01 0 0, 0.01 0.01 0\n"),
    space + glass + shape("box", "size = 0.01 0.01 0.01\n") + shape("sphere", "radius = 0.01\n") +
        shape("ellipsoid", "radii = 0.01 0.01 0.01\n") + shape("cylinder", "radius = 0.01\nheight = 0.01\n") +
        shape("cone", "radius = 0.01\nheight = 0.01\n") + shape("torus", "radius = 0.01\ntube_radius = 0.002\n") +
        shape("prism", "points = 0 0, 0.01 0, 0 0.01\nheight = 0.01\n") + shape("stl", "file = a.stl\n") +
        shape("labels", "file = a.nii\nlabels = 1 glass\n", false) + shape("step", "file = a.step\nbody = patch\n") +
        shape("gds", "file = a b.gds\nlayer = 1/0\nz = 0 0.001\n"),
    "[mesh]\nfile = head.msh\n[time]\nsteps = 3\n[material.skin]\n[boundary.metal]\ntype = pec\n[port.p]\ntype = "
    "lumped\n"
    "faces = gap\ndirection = 1 0 0\nfrequencies = 1e9\n",
    space +
        "[port.p]\ntype = lumped\nsize = 0.01 0 0\ndirection = 1 0 0\nexcite = 1\nbandwidth = 1e9\nfrequencies = 1e9\n",
    space +
        "[port.p]\ntype = lumped\nsize = 0.01 0 0\ndirection = 1 0 0\nexcite = 1\nwaveform = ramped-sine\nfrequencies "
        "= 1e9\n",
    space + "[port.p]\ntype = waveguide\nmode = te 1 1\nsize = 0.01 0.01 0\ndirection = 0 0 1\nfrequencies = 1e9\n",
    space + "[port.p]\ntype = coax\nsize = 0.01 0.01 0\ndirection = 0 0 1\nfrequencies = 1e9\n",
    space + "[port.p]\ntype = mode\nsize = 0.01 0.01 0\ndirection = 0 0 1\nfrequencies = 1e9\n",
    space +
        "[port.feed]\ntype = lumped\nsize = 0.01 0 0\ndirection = 1 0 0\n[port.load]\ntype = lumped\n"
        "size = 0.01 0 0\ndirection = 1 0 0\n[sparameters]\nexcite = all\nfrequencies = 1e9\n",
    space +
        "[port.feed]\ntype = lumped\nsize = 0.01 0 0\ndirection = 1 0 0\nexcite = 1\nbandwidth = 1e9\n"
        "frequencies = 1e9\n[source.load]\ntype = dipole\nposition = 0 0 0\ndirection = 1 0 0\n"
        "[excitation.both]\nsources = feed, load\n",
    space + "[source.s]\ntype = sheet\nsize = 0.01 0.01 0\npolarisation = 1 0 0\n" +
        "[source.b]\ntype = gaussian-beam\ndirection = 0 0 1\npolarisation = 1 0 0\nwaist = 0.5\n",
    space + "[source.s]\ntype = sheet\nsize = 0.01 0.01 0\nprofile = a.npy\npolarisation = 1 0 0\n",
    space + "[flux.f]\ntype = box\n" + region + "[monitor.m]\ntype = box\n" + region + "[far_field.f]\n" + region,
    space + "[flux.f]\ntype = plane\nsize = 0.01 0.01 0\nfrequencies = 1e9\n" +
        "[monitor.m]\ntype = plane\nsize = 0.01 0.01 0\nfrequencies = 1e9\n",
    space + "[flux.f]\ntype = box\n" + region_of_wavelengths + "[monitor.m]\ntype = box\n" + region_of_wavelengths +
        "[far_field.f]\n" + region_of_wavelengths,
    "[solver]\nmethod = fdtd3d\n[domain]\nsize = 0.2\n[grid]\nper_wavelength = 15\nfinest = 0.001\n[time]\nsteps = "
    "3\nfrequency = 1e9\n",
    space + "[refine.r]\nsize = 0.003 0.003 0.003\nspacing = 0.0007\n",
    plane,
    plane + "[initial]\ntype = file\nfile = a.txt\n",
    line,
    "[solver]\nmethod = fdtd1d-subdomains\n[grid]\ncells = 210\nspacing = 0.001\n[time]\nsteps = 3\nfrequency = 1e9\n",
    uniform_plane("cublas-vector"),
    uniform_plane("cublas-matrix"),
    uniform_plane("scalar"),
    "[solver]\nmethod = hpf2d\nstencil = line\n[grid]\ncells = 21 22\nspacing = 0.001\n[time]\nsteps = 3\n",
};

class KeyTable : public CaseFile {
 protected:
  void SetUp() override {
    CaseFile::SetUp();
    write("a b.txt", "2e-1 1.5 0\n3e-1 1.5 0\n4e-1 1.5 0\n");  // material.table around 1 GHz
    gdsii_testing::GdsiiWriter layout(1e-6);
    layout.cell("TOP").rectangle(1, -2000, -1000, 4000, 2000).polygon(12, 3, {{0, 0}, {500, 0}, {0, 500}}).end_cell();
    layout.write("a b.gds");
  }

  // A resolved case has poles in place of tables.
  static Case without_origins(Case c) {
    c.table_fits.clear();
    for (const Section& section : key_table())
      if (section.named)
        for (std::size_t i = 0; i < section.count(c); ++i) section.clear_origin(c, i);
    return c;
  }

  static void expect_round_trip(const Case& c, const std::string& what) {
    std::filesystem::create_directories("elsewhere");
    write("elsewhere/head.cfg", resolved_text(c));
    Case again = read_case("elsewhere/head.cfg", {}, app::methods());
    again.file = c.file;
    EXPECT_EQ(without_origins(again), without_origins(c)) << what << "\n" << resolved_text(c);
    EXPECT_EQ(resolved_text(again), resolved_text(c)) << what;
  }

  // The items of a section by title in a case's text; read_case turns some of them into other keys.
  static std::vector<std::string> titles(const std::string& text, const Section& section) {
    std::vector<std::string> found;
    if (!section.named) found.emplace_back(section.kind);
    const std::string begin = fmt::format("[{}.", section.kind);
    for (std::size_t at = 0; section.named && (at = text.find(begin, at)) != std::string::npos; ++at)
      found.push_back(text.substr(at + 1, text.find(']', at) - at - 1));
    return found;
  }

  // The key's text in the item of that title; empty: there is none.
  static std::string value_of(const Case& c, const Section& section, const Key& key, const std::string& title) {
    for (std::size_t i = 0; i < section.count(c); ++i) {
      const void* item = section.item_of(c, i);
      if (section.title(c, i) == title && key.applies(item, c)) return key.format(item);
    }
    return {};
  }

  // Whether a case accepts a text of the key, which resolved.cfg then has, or what replaces it.
  static bool is_seen(const std::string& text, const Section& section, const Key& key, const std::string& title,
                      const std::string& example) {
    const std::string set = fmt::format("{}.{}={}", title, key.name, example);
    const std::vector<std::string> overrides{set};
    Case c;
    try {
      c = read(text, overrides);
    } catch (const Error&) { return false; }
    const Case before = read(text);
    if (resolved_text(c) == resolved_text(before)) return false;
    expect_round_trip(c, set);
    if (!key.resolved_as.empty()) return true;
    const std::string value = value_of(c, section, key, title);
    return value != value_of(before, section, key, title) &&
           resolved_text(c).find(fmt::format("\n{} = {}\n", key.name, value)) != std::string::npos;
  }

  static bool is_seen(const Section& section, const Key& key) {
    for (const std::string& text : cases) {
      const Case c = read(text);
      if (!fulfils(section.needs, c.solver.method.has) || !fulfils(key.needs, c.solver.method.has)) continue;
      for (const std::string& title : titles(text, section)) {
        // A case that has another value than the default; CasesOfThisTestAreGood reads it back.
        const std::string value = value_of(c, section, key, title);
        if (key.resolved_as.empty() && !value.empty() && value != key.fresh &&
            resolved_text(c).find(fmt::format("\n{} = {}\n", key.name, value)) != std::string::npos)
          return true;
        for (const std::string& example : key.examples)
          if (is_seen(text, section, key, title, example)) return true;
      }
    }
    return false;
  }
};

TEST_F(KeyTable, CasesOfThisTestAreGood) {
  for (const std::string& text : cases) {
    ASSERT_EQ(message(text), "no error") << text;
    expect_round_trip(read(text), text);
  }
}

TEST_F(KeyTable, EveryKeyIsReadWrittenAndReadBack) {
  for (const Section& section : key_table())
    for (const Key& key : section.keys) {
      if (section.kind == "solver" && key.name == "method") continue;  // the cases have all of them
      if (key.choices.size() == 1) continue;  // there is no other value
      EXPECT_TRUE(is_seen(section, key)) << section.kind << "." << key.name
                                         << ": add a case to this test that accepts the key";
    }
}

TEST_F(KeyTable, EveryMethodHasACase) {
  std::set<std::string_view> seen;
  for (const std::string& text : cases) seen.insert(read(text).solver.method.name);
  EXPECT_EQ(seen.size(), app::methods().size());
}

TEST_F(KeyTable, EveryKeyIsDescribed) {
  std::set<std::string> names;
  for (const Section& section : key_table()) {
    EXPECT_FALSE(section.text.empty()) << section.kind;
    EXPECT_TRUE(section.text.ends_with(".")) << section.kind;
    EXPECT_TRUE(names.insert(std::string(section.kind)).second);
    for (const Key& key : section.keys) {
      const std::string name = fmt::format("{}.{}", section.kind, key.name);
      EXPECT_TRUE(names.insert(name).second) << name << " is there twice";
      EXPECT_TRUE(key.text.ends_with(".")) << name;
      EXPECT_EQ(key.text.find_first_of("|\n"), std::string_view::npos) << name;
      EXPECT_FALSE(key.allowed({"", app::methods()[0], app::methods()}).empty()) << name;
      EXPECT_TRUE(!key.examples.empty() || name == "solver.method") << name;
      // Where the key has a meaning on some method.
      const auto methods = app::methods();
      EXPECT_TRUE(std::any_of(methods.begin(), methods.end(), [&](const auto& m) {
        return fulfils(section.needs, m.has) && fulfils(key.needs, m.has);
      })) << name;
    }
  }
}

}  // namespace
}  // namespace dgtd::config
