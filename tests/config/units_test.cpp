// Units, parameters and included files in case files.
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <numbers>

#include "config/case_fixture.hpp"
#include "config/key.hpp"
#include "dgtd/base/constants.hpp"
#include "dgtd/physics/optical_material.hpp"

namespace dgtd::config {
namespace {

using Units = CaseFile;

const std::string grid =
    "[solver]\nmethod = fdtd3d\n[time]\nend = 1e-14\n[grid]\ncells = 4 5 8\nspacing = 2e-9\n[material.glass]\n";

std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }

// A box with these lines, from line 9 on.
std::string box(const std::string& lines) { return grid + "[shape.s]\ntype = box\nmaterial = glass\n" + lines + "\n"; }
std::string sphere(const std::string& radius) {
  return grid + "[shape.s]\ntype = sphere\nmaterial = glass\nradius = " + radius + "\n";
}
Vec3 nm(double x, double y, double z) { return {x * 1e-9, y * 1e-9, z * 1e-9}; }
void expect_near(const Vec3& a, const Vec3& b) {
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(a[i], b[i], 1e-15 * std::abs(b[i])) << i;
}

// A number times 10^-9 in double precision is another one in many of these cases.
TEST_F(Units, NumbersHaveTheBitsOfTheirSiText) {
  int other_as_product = 0;
  std::string list = "times =";
  std::vector<double> expected;
  for (int i = 1; i < 300; ++i) {
    const std::string digits = fmt::format("{}.{}", i % 37, i * 7);
    list += fmt::format(" {} ns", digits);
    expected.push_back(std::stod(digits + "e-9"));
    other_as_product += bits(std::stod(digits) * 1e-9) != bits(expected.back());
  }
  EXPECT_EQ(read(grid + "[snapshot.s]\n" + list + "\n").snapshots[0].times, expected);
  EXPECT_GT(other_as_product, 50);
  EXPECT_EQ(bits(read(sphere("480 nm")).shapes[0].radius), bits(480e-9));
  EXPECT_EQ(bits(read(sphere("0.48e3nm")).shapes[0].radius), bits(480e-9));
  EXPECT_EQ(bits(read(sphere("480 \xC2\xB5m")).shapes[0].radius), bits(480e-6));
  EXPECT_EQ(bits(read(sphere("+4.8 km")).shapes[0].radius), bits(4800.0));
  EXPECT_EQ(read(sphere("10 mil")).shapes[0].radius, 254e-6);
  EXPECT_EQ(resolved_text(read(sphere("480 nm"))), resolved_text(read(sphere("480e-9"))));
}

TEST_F(Units, ListsHaveAUnitPerNumberOrOneForAll) {
  EXPECT_EQ(read(box("size = 1 2 3 mm")).shapes[0].size, (Vec3{1e-3, 2e-3, 3e-3}));
  EXPECT_EQ(read(box("size = 1 um 220 nm 3 mm")).shapes[0].size, (Vec3{1e-6, 220e-9, 3e-3}));
  EXPECT_EQ(read(box("centre = 0 0 3 mm\nsize = 1 1 1")).shapes[0].centre, (Vec3{0, 0, 3e-3}));
  EXPECT_EQ(read(box("centre = 3 mm 0 -5 um\nsize = 1 1 1")).shapes[0].centre, (Vec3{3e-3, 0, -5e-6}));
  const Case prism =
      read(grid + "[shape.s]\ntype = prism\nmaterial = glass\nheight = 1\npoints = 0 0, 13 0, 0 -17 mm\n");
  EXPECT_EQ(prism.shapes[0].points, (std::vector<std::array<double, 2>>{{0, 0}, {13e-3, 0}, {0, -17e-3}}));
  const Case cells = read("[solver]\nmethod = fdtd1d\n[time]\nsteps = 1\n[grid]\nspacings_x = 20*2 2*1 nm\n");
  ASSERT_EQ(cells.grid.spacings[0].size(), 22u);
  EXPECT_EQ(cells.grid.spacings[0][0], 2e-9);
  EXPECT_EQ(cells.grid.spacings[0][21], 1e-9);
  const std::string two =
      "head.cfg:12: shape.s.size = 1 2 mm 3 mm: '1' has no unit beside numbers that have one; each "
      "number needs its unit, or one unit after the last is that of all";
  EXPECT_EQ(message(box("size = 1 2 mm 3 mm")), two);
  EXPECT_NE(message(box("size = 1 mm 2 3")).find("'2' has no unit"), std::string::npos);
}

TEST_F(Units, EachKeyHasItsDimension) {
  EXPECT_EQ(message(sphere("30 GHz")),
            "head.cfg:12: shape.s.radius = 30 GHz: '30 GHz' is a frequency, not a length; its units are m, km, cm, mm, "
            "um, nm, pm, mil, inch");
  EXPECT_EQ(message(sphere("30 furlong")),
            "head.cfg:12: shape.s.radius = 30 furlong: 'furlong' is no unit and no parameter; units of a length are m, "
            "km, cm, mm, um, nm, pm, mil, inch");
  EXPECT_EQ(
      message(sphere("30nn")),
      "head.cfg:12: shape.s.radius = 30nn: 'nn' is no unit; units of a length are m, km, cm, mm, um, nm, pm, mil, "
      "inch");
  EXPECT_EQ(message(sphere("-30 nm")), "head.cfg:12: shape.s.radius = -30 nm: must be a number > 0");
  EXPECT_EQ(message(sphere("1e300 nm m")),
            "head.cfg:12: shape.s.radius = 1e300 nm m: '1e300 nm m' is an area, not a "
            "length; its units are m, km, cm, mm, um, nm, pm, mil, inch");
  EXPECT_EQ(message(grid + "eps_r = 3 mm\n"),
            "head.cfg:9: material.glass.eps_r = 3 mm: '3 mm' is a length, not a number without unit");
  EXPECT_EQ(message(grid, {"time.end=3 um"}),
            "--set time.end=3 um: '3 um' is a length, not a time; its units are s, ms, us, ns, ps, fs, as");
  EXPECT_EQ(message(grid, {"time.end=stedy"}), "--set time.end=stedy: must be a number > 0, or steady or decayed");
  // A frequency is not an angular frequency.
  const std::string poles = "poles = drude 5 PHz 1e14\n";
  EXPECT_EQ(
      message(grid + poles),
      "head.cfg:9: material.glass.poles = drude 5 PHz 1e14: '5 PHz' is a frequency, not an angular frequency; its "
      "units are rad/s, rad/ns, rad/ps, rad/fs");
  const Case c = read(grid +
                          "sigma = 2 mS/cm\nsigma_m = 3 kohm/m\ndensity = 2.5 g/cm3\npoles = drude 12.5 rad/fs 1e14, "
                          "debye 7 8 ps, critical-point 0.3 3 rad/fs -45 deg 1e14\n",
                      {"time.end=10 fs", "checkpoint.walltime=90 s", "sar.mass=10 mg 1 g"});
  EXPECT_EQ(c.materials[0].conductivity, 0.2);
  EXPECT_EQ(c.materials[0].magnetic_conductivity, 3000);
  EXPECT_EQ(c.materials[0].density, 2500.0);
  EXPECT_EQ(c.materials[0].poles[0].strength, 12.5e15);
  EXPECT_EQ(c.materials[0].poles[1].relaxation_time, 8e-12);
  EXPECT_EQ(c.materials[0].poles[2].phase, -45 * std::numbers::pi / 180);
  EXPECT_EQ(c.time.end->seconds, 10e-15);
  EXPECT_EQ(c.checkpoint.walltime, 90.0);
  EXPECT_EQ(c.sar.masses, (std::vector<double>{0.01, 1}));  // g
}

// Whatever unit a key has for its numbers, a number with that unit is the number.
TEST_F(Units, EveryKeyAcceptsItsOwnUnit) {
  const Parameters none;
  int with_units = 0;
  for (const Section& section : key_table())
    for (const Key& key : section.keys) {
      if (key.reading == Reading::text || key.reading == Reading::expression || key.unit.empty()) continue;
      const std::string name = fmt::format("{}.{}", section.kind, key.name);
      ++with_units;
      EXPECT_FALSE(allowed_units(key.reading, key.unit).empty()) << name;
      if (key.reading == Reading::pole_list || key.unit.find(';') != std::string_view::npos) continue;
      const std::string numbers = key.reading == Reading::range  ? "3 4 {} 5"
                                  : key.reading == Reading::turn ? "0 0 1 3 {}"
                                                                 : "3 {}";
      EXPECT_EQ(plain_text(fmt::format(fmt::runtime(numbers), key.unit), key.reading, key.unit, none),
                fmt::format(fmt::runtime(numbers.substr(0, numbers.find(" {"))), "") +
                    (key.reading == Reading::range ? " 5" : ""))
          << name;
    }
  EXPECT_GT(with_units, 60);
  for (const auto unit : {"W", "mW/cm2"})
    EXPECT_NO_THROW(
        plain_text(fmt::format("2 {}", unit), Reading::numbers, find_section("sar")->find("power")->unit, none));
}

// Every unit that a message names is one of that dimension.
TEST_F(Units, NamedUnitsHaveTheirDimension) {
  for (const auto base : {"m", "m2", "s",   "Hz", "rad", "rad/s", "rad/m", "m/s",   "kg", "kg/m3", "W", "W/m2",
                          "J", "V",  "V/m", "A",  "A/m", "A m",   "ohm",   "ohm/m", "S",  "S/m",   "F", "H"}) {
    const auto dimension = unit_of(base)->dimension;
    std::string_view names = units_of(dimension);
    int count = 0;
    for (; !names.empty(); ++count) {
      const auto end = std::min(names.find(", "), names.size());
      const auto unit = unit_of(names.substr(0, end));
      ASSERT_TRUE(unit) << names;
      EXPECT_EQ(unit->dimension, dimension) << names;
      names.remove_prefix(std::min(end + 2, names.size()));
    }
    EXPECT_GE(count, 2) << base;
  }
}

TEST_F(Units, ParametersAndExpressions) {
  const std::string some = "[parameters]\nw = 450 nm\nhalf = w/2\nn = 3\nf = c0/(1.55 um)\n";
  expect_near(read(some + box("size = w 2*w 220 nm")).shapes[0].size, nm(450, 900, 220));
  expect_near(read(some + box("size = w + 30 nm (w - 30 nm) half")).shapes[0].size, nm(480, 420, 225));
  expect_near(read(some + box("size = sqrt(w*w) abs(-w) max(w, 2*half, 1 um)")).shapes[0].size, nm(450, 450, 1000));
  expect_near(read(some + box("centre = w -w -2*w\nsize = w w w")).shapes[0].centre, nm(450, -450, -900));
  expect_near(read(some + box("size = n 2*n 6 nm")).shapes[0].size, nm(3, 6, 6));
  EXPECT_EQ(read(some + sphere("2^n*w")).shapes[0].radius, 8 * 450e-9);
  EXPECT_EQ(bits(read(some + sphere("w")).shapes[0].radius), bits(450e-9));
  EXPECT_EQ(read(some + grid, {"time.frequency=f"}).time.frequency, speed_of_light / 1.55e-6);
  EXPECT_EQ(read(some + grid, {"grid.cells=n 2*n round(w/(100 nm))"}).grid.spacings[2].size(), 5u);
  EXPECT_EQ(read(some + sphere("w"), {"parameters.w=500 nm"}).shapes[0].radius, 500e-9);
  const Case cells = read(some + "[solver]\nmethod = fdtd1d\n[time]\nsteps = 1\n[grid]\nspacings_x = n*2 nm 2*w\n");
  EXPECT_EQ(cells.grid.spacings[0], (std::vector<double>{2e-9, 2e-9, 2e-9, 450e-9, 450e-9}));
  const std::string formula = "[initial]\ntype = formula\nEx = exp(-(x/w)^2) + 1e-3*n\n";
  EXPECT_EQ(read(some + grid + formula).initial.electric[0], "exp(-(x/(4.5e-07))^2) + 1e-3*(3)");
  // resolved.cfg has numbers alone.
  const std::string resolved = resolved_text(read(some + box("size = w 2*w 220 nm")));
  EXPECT_NE(resolved.find("\nsize = 4.5e-07 9e-07 2.2e-07\n"), std::string::npos) << resolved;
  EXPECT_EQ(resolved.find("parameters"), std::string::npos);
}

TEST_F(Units, BadParameters) {
  const auto bad = [](const std::string& line) {
    return message("[parameters]\nw = 450 nm\n" + line + "\n" + sphere("w"));
  };
  EXPECT_EQ(bad("a = 2*b\nb = a + w"), "head.cfg:3: parameters.a = 2*b: depends on itself: a, b, a");
  EXPECT_EQ(bad("a = w + 1 GHz"),
            "head.cfg:3: parameters.a = w + 1 GHz: 'w + 1 GHz' has a length and a frequency in a sum");
  EXPECT_EQ(bad("a = 1 2"),
            "head.cfg:3: parameters.a = 1 2: must be one number, with or without a unit, or an expression");
  EXPECT_EQ(bad("nm = 3"), "head.cfg:3: parameters.nm = 3: nm is a unit; the parameter needs another name");
  EXPECT_EQ(bad("x = 3"), "head.cfg:3: parameters.x = 3: x is a coordinate; the parameter needs another name");
  EXPECT_EQ(bad("sin = 3"), "head.cfg:3: parameters.sin = 3: sin is a function; the parameter needs another name");
  EXPECT_EQ(bad("2a = 3"),
            "head.cfg:3: parameters.2a = 3: the name must have letters, digits and _, and begin with a letter");
  EXPECT_EQ(bad("a = 1/0"), "head.cfg:3: parameters.a = 1/0: '1/0' is inf");
  EXPECT_EQ(bad("a = sqrt(w)*query"), "head.cfg:3: parameters.a = sqrt(w)*query: 'query' is no unit and no parameter");
  EXPECT_EQ(bad("a = sin(w)"), "head.cfg:3: parameters.a = sin(w): sin is of an angle, not of a length");
  EXPECT_EQ(
      bad("a = foo(w)"),
      "head.cfg:3: parameters.a = foo(w): 'foo' is no function; the functions are sin, cos, tan, asin, acos, atan, "
      "exp, ln, log10, round, floor, ceil, abs, sqrt, min, max");
  EXPECT_EQ(bad("a = 2*w)"), "head.cfg:3: parameters.a = 2*w): cannot be understood from ')' on");
  EXPECT_EQ(bad("a = " + std::string(200, '(') + "w"),
            "head.cfg:3: parameters.a = " + std::string(200, '(') + "w: has too many brackets or signs in each other");
  const std::string parameters = "[parameters]\nwidth = 450 nm\n";
  EXPECT_EQ(
      message(parameters + sphere("2*widht")),
      "head.cfg:14: shape.s.radius = 2*widht: 'widht' is no unit and no parameter; did you mean width?; units of a "
      "length are m, km, cm, mm, um, nm, pm, mil, inch");
  EXPECT_NE(message(parameters + sphere("width*width")).find("'width*width' is an area, not a length"),
            std::string::npos);
}

TEST_F(Units, MaterialsOfOptics) {
  const Case c = read(grid + "library = Ag Rakic\n[material.sin]\nlibrary = Si3N4 Luke\n");
  EXPECT_EQ(static_cast<const physics::Medium&>(c.materials[0]), physics::optical_material("Ag Rakic").medium);
  EXPECT_EQ(c.materials[1].poles.size(), 2u);
  const std::string resolved = resolved_text(c);
  EXPECT_EQ(resolved.find("library"), std::string::npos);
  EXPECT_EQ(read(resolved).materials[1].poles, c.materials[1].poles);
  EXPECT_EQ(message(grid + "library = Ag\n"),
            "head.cfg:9: material.glass.library = Ag: unknown material 'Ag'; did you mean Ag Rakic?");
  EXPECT_EQ(message(grid + "library = Ag Rakic\neps_r = 2\n"),
            "head.cfg:9: material.glass.library = Ag Rakic: only one of library and eps_r may be given, and "
            "material.glass.eps_r is at head.cfg:10");
  EXPECT_NE(message(grid + "library = Ag Rakic\n", {"solver.precision=half"}).find("requires media without poles"),
            std::string::npos);
  // Beyond the published wavelengths there is a warning.
  const std::string wave = "[source.w]\ntype = plane-wave\ndirection = 0 0 1\npolarisation = 1 0 0\nfrequency = ";
  testing::internal::CaptureStderr();
  read(grid + "library = Ag Rakic\n" + wave + "600 THz\n");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  testing::internal::CaptureStderr();
  read(grid + "library = Ag Rakic\n" + wave + "10 THz\n");
  EXPECT_EQ(
      testing::internal::GetCapturedStderr(),
      "dgtd: warning: head.cfg:9: material.glass.library = Ag Rakic: it was published for wavelengths from 248 nm "
      "to 12.4 um, and sources and monitors have 29.98 um to 29.98 um\n");
}

// Texts with characters changed, doubled and removed are read or refused, whatever they are.
TEST_F(Units, DamagedTextsAreReadOrRefused) {
  const Parameters none;
  const std::string texts[] = {"450 nm 2*(3 um - 1nm) 0",
                               "sqrt(4 mm^2) max(1 m, 2 m) c0*1 s",
                               "20*2 nm 3*1 um",
                               "1 3 GHz 5",
                               "drude 12.5 rad/fs 1e14, debye 7 8 ps",
                               "0 0, 13 0, 0 -17 mm",
                               "-1e-3 A m/s*kg",
                               "abs(-(2^3)) 4 g/cm3 \xC2\xB5m"};
  const std::string_view letters = "0189.eE+-*/^(), \tmnuskHzGradw_\xC2\xB5\xFF";
  std::uint64_t state = 1;
  const auto random = [&](std::size_t below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::size_t>(state >> 33) % below;
  };
  int read = 0, refused = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text = texts[random(std::size(texts))];
    for (std::size_t changes = 1 + random(4); changes > 0 && !text.empty(); --changes) {
      const std::size_t at = random(text.size());
      if (const auto kind = random(3); kind == 0) text[at] = letters[random(letters.size())];
      else if (kind == 1) text.insert(at, text.substr(at, 1 + random(5)));
      else text.erase(at, 1);
    }
    for (const Reading reading : {Reading::numbers, Reading::cell_runs, Reading::range, Reading::pole_list}) try {
        (void)plain_text(text, reading, "m", none);
        ++read;
      } catch (const Refusal&) { ++refused; }
  }
  EXPECT_GT(read, 1000);
  EXPECT_GT(refused, 1000);
}

TEST_F(Units, FrequencyRanges) {
  const std::string flux = "[flux.f]\ntype = box\nsize = 1 1 1\n";
  EXPECT_EQ(read(grid + flux + "frequency_range = 1 3 GHz 5\n").fluxes[0].frequencies,
            (std::vector<double>{1e9, 1.5e9, 2e9, 2.5e9, 3e9}));
  EXPECT_EQ(read(grid + flux + "frequencies = 0.9 1.8 GHz\n").fluxes[0].frequencies,
            (std::vector<double>{0.9e9, 1.8e9}));
  EXPECT_EQ(read(grid + flux + "wavelengths = 400 nm 0.8 um 2\n").fluxes[0].frequencies,
            (std::vector<double>{speed_of_light / 0.8e-6, speed_of_light / 400e-9}));
  EXPECT_EQ(read(grid + "[dft]\nwindow = all\nfrequency_range = 1e9 2e9 2\n").dft.frequencies,
            (std::vector<double>{1e9, 2e9}));
  EXPECT_EQ(
      message(grid + flux + "frequencies = 1e9\nfrequency_range = 1e9 2e9 2\n"),
      "head.cfg:13: flux.f.frequency_range = 1e9 2e9 2: only one of frequencies and frequency_range may be given, "
      "and flux.f.frequencies is at head.cfg:12");
  EXPECT_EQ(message(grid + flux + "frequency_range = 1 3 GHz 5 GHz\n"),
            "head.cfg:12: flux.f.frequency_range = 1 3 GHz 5 GHz: '5 GHz' is a frequency, not a number without unit");
  EXPECT_EQ(
      message(grid + flux + "frequency_range = 1e9 2e9\n"),
      "head.cfg:12: flux.f.frequency_range = 1e9 2e9: must be FIRST LAST COUNT: two numbers from 1e-6 to 1e24, Hz, "
      "and an integer from 1 to 100000, 1 only where they are equal");
  // --set replaces whichever the file gives.
  EXPECT_EQ(read(grid + flux + "frequencies = 1e9\n", {"flux.f.frequency_range=2 3 GHz 2"}).fluxes[0].frequencies,
            (std::vector<double>{2e9, 3e9}));
}

TEST_F(Units, IncludedFiles) {
  std::filesystem::create_directories("common/more");
  write("common/base.cfg",
        "include = more/deep.cfg\n[parameters]\nw = 450 nm\n[time]\nperiods = 3\nfrequency = 1 GHz\n"
        "[shape.s]\ntype = sphere\nmaterial = glass\nradius = 7 nm\n[shape.t]\ntype = stl\nmaterial = "
        "glass\nfile = a.stl\n");
  write("common/more/deep.cfg",
        "[solver]\nmethod = fdtd3d\nprecision = double\n[grid]\ncells = 4 5 8\nspacing = 1e-9\n"
        "[material.glass]\neps_r = 2\n");
  const std::string own = "include = common/base.cfg\n[grid]\nspacing = 2 nm\n[time]\nend = 10 fs\n";
  const Case c = read(own + "[shape.s]\nradius = w\n");
  EXPECT_EQ(c.solver.precision, Precision::double_precision);
  EXPECT_EQ(c.grid.spacings[0], std::vector<double>(4, 2e-9));
  EXPECT_EQ(c.time.end->seconds, 10e-15);  // which excludes the periods of the file below
  EXPECT_FALSE(c.time.periods);
  EXPECT_EQ(c.shapes[0].radius, 450e-9);
  EXPECT_EQ(c.shapes[1].file, directory() / "common/a.stl");
  EXPECT_EQ(c.output.directory, directory() / "out/head");
  EXPECT_EQ(message(own + "[shape.s]\nradius = 3 GHz\n").substr(0, 24), "head.cfg:7: shape.s.radi");
  EXPECT_EQ(message(own, {"time.end=decayed"}),
            "--set time.end=decayed: requires time.at_most where there is no source");
  // A file that is included twice counts once.
  EXPECT_EQ(message("include = common/more/deep.cfg\n" + own), "no error");

  write("common/more/deep.cfg",
        "[solver]\nmethod = fdtd3d\n[grid]\ncells = 4 5 8\nspacing = 1 GHz\n[material.glass]\n");
  EXPECT_EQ(
      message("include = common/base.cfg\n"),
      "common/more/deep.cfg:5: grid.spacing = 1 GHz: '1 GHz' is a frequency, not a length; its units are m, km, cm, "
      "mm, um, nm, pm, mil, inch");
  write("common/more/deep.cfg", "\ninclude = ../base.cfg\n");
  EXPECT_EQ(message("include = common/base.cfg\n"),
            "common/more/deep.cfg:2: include = ../base.cfg: common/base.cfg includes itself");
  EXPECT_EQ(message("include = none.cfg\n"), "head.cfg:1: include = none.cfg: no such file as none.cfg");
  EXPECT_EQ(message("include = common\n"), "head.cfg:1: include = common: no such file as common");
  EXPECT_EQ(message("include =\n"), "head.cfg:1: include has no value");
  EXPECT_EQ(message("[solver]\ninclude = common/base.cfg\n"),
            "head.cfg:2: include = common/base.cfg: must be before the first [section]");
}

}  // namespace
}  // namespace dgtd::config
