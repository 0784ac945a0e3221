#pragma once
// The case, typed and checked: what a run is asked to do. SI units throughout.
#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dgtd/base/vec3.hpp"

namespace dgtd::config {

/// Where a value was written, for messages: "head.cfg:12" or "--set solver.order=9".
using Origin = std::string;

enum class Method { dgtd, fdtd3d, fdtd2d, fdtd1d, hpf2d };

/// Axes along which a method's fields vary: the first of x, y and z. Along the others a grid has one cell, a metre
/// counts, and what the case says of lengths and places there does not.
constexpr int dimensions(Method m) {
  return m == Method::fdtd2d || m == Method::hpf2d ? 2 : m == Method::fdtd1d ? 1 : 3;
}
enum class Precision { single_precision, double_precision };
enum class Backend { automatic, cuda, cpu };
enum class Kernels { fused, split, diagonal };  // diagonal: hpf2d
/// Which E a plane grid has: Ez with Hx and Hy, Ex and Ey with Hz, or both.
enum class Polarisation { automatic, ez, hz, both };
/// What computes the half steps of a plane grid: the engine's kernels, or what they are compared with
/// (fdtd/plane_update.hpp).
enum class Variant { native, cublas_vector, cublas_matrix, scalar };
/// hpf2d: which nodes one depends on, its neighbours in the plane or along y only.
enum class Stencil { laplacian, line };
/// hpf2d: which Hertzian vector, along z.
enum class Potential { electric, magnetic };
enum class Transport { automatic, mpi_host, mpi_cuda, nccl };

struct Solver {
  Method method = Method::dgtd;
  int order = 2;  // dgtd: polynomial degree p, 1 to 6
  Precision precision = Precision::single_precision;
  Polarisation polarisation = Polarisation::both;  // fdtd2d, fdtd1d; read_case chooses where the case does not
  Backend backend = Backend::automatic;
  Kernels kernels = Kernels::fused;
  Transport comm = Transport::automatic;
  Variant variant = Variant::native;     // fdtd2d
  double courant = 0.95;                 // share of the stability limit, (0, 1]
  int threads = 0;                       // CPU threads a rank; 0: the rank's share of its host
  std::optional<int> subdomains;         // fdtd1d: pieces that are marched one by one; absent: the grid's own engine
  int reflections = 0;                   // with subdomains: sweeps down and up again after the first one
  std::optional<double> window;          // with subdomains: periods that each is marched for; absent: until it rests
  double rest = 1e-5;                    // with subdomains: of the strongest drive, what counts as no change
  Stencil stencil = Stencil::laplacian;  // hpf2d: neighbours in the plane, or along y only
  Potential potential = Potential::electric;  // hpf2d: the Hertzian vector along z
  int block_timesteps = 0;                    // hpf2d: steps a kernel does at once; 0: chosen
  int block_size = 32;                        // hpf2d, kernels = diagonal: threads a block

  bool operator==(const Solver&) const = default;
};

struct Mesh {  // dgtd only
  enum class Generator { none, box, head_phone };
  std::filesystem::path file;  // absolute
  double unit = 1;             // metres per length unit of the file
  Generator generator = Generator::none;
  std::string level = "m0";                    // head-phone: m0, m1, m2, m3
  std::array<std::int64_t, 3> cells{8, 8, 8};  // box: cubes an axis, six tetrahedra each
  Vec3 size{1, 1, 1};                          // box: m

  bool operator==(const Mesh&) const = default;
};

/// The cells of a structured method. After read_case cells, spacings and origin hold for every axis,
/// however the file gave them.
struct Grid {                                   // methods on grids
  std::array<std::int64_t, 3> cells{0, 0, 0};   // an axis
  Vec3 spacing{0, 0, 0};                        // m; 0 for an axis whose spacing varies
  std::array<std::vector<double>, 3> spacings;  // m, [cells] an axis
  Vec3 origin{0, 0, 0};                         // m, the lower corner; not given: the grid is centred on 0
  double ratio = 1.3;                           // of neighbouring spacings that refinements make at most, > 1
  int pml = 10;                                 // cells of the absorbing layer on sides of type cpml
  std::string background;                       // material outside all shapes; empty: vacuum
  bool subpixel = true;                         // shapes' surfaces are averaged inside their cells

  bool operator==(const Grid&) const = default;
};

/// A box with finer cells. read_case turns them into the grid's spacings and leaves neither them nor the ratio.
struct Refinement {  // fdtd methods
  std::string name;
  Vec3 centre{0, 0, 0};   // m
  Vec3 size{0, 0, 0};     // m
  Vec3 spacing{0, 0, 0};  // m, the largest inside the box
  Origin origin;

  bool operator==(const Refinement&) const = default;
};

struct Time {
  std::optional<double> end;          // s          } exactly one of the three
  std::optional<double> periods;      // periods    }
  std::optional<std::int64_t> steps;  // time steps }
  std::optional<double> frequency;    // Hz

  bool operator==(const Time&) const = default;
};

/// One term of a dispersive permittivity. What its type does not name stays 0.
struct Pole {
  enum class Type { drude, lorentz, debye };
  Type type = Type::drude;
  double strength = 0;         // drude: plasma frequency, lorentz: omega_p, rad/s; debye: delta eps, 1
  double resonance = 0;        // lorentz: omega_0, rad/s
  double damping = 0;          // drude, lorentz: Gamma, rad/s
  double relaxation_time = 0;  // debye: tau, s

  bool operator==(const Pole&) const = default;
};

/// Gold between 300 and 1200 nm, eps_r = 1: P. Wahl et al., "B-CALM: an open-source GPU-based 3D-FDTD with multi-pole
/// dispersion for plasmonics", Opt. Quant. Electron. 44 (2012), Table 1, after A. D. Rakic et al., Appl. Opt. 37 (1998)
/// 5271.
std::vector<Pole> gold_poles();

/// Frequencies, Hz.
struct Band {
  double lowest = 0, highest = 0;

  bool operator==(const Band&) const = default;
};

struct Material {
  std::string name;                // dgtd: physical group, or * for the groups not named elsewhere
  double eps_r = 1, mu_r = 1;      // with poles, eps_r is that of infinite frequency
  double sigma = 0;                // S/m
  double sigma_m = 0;              // fdtd3d: magnetic loss, ohm/m
  std::vector<Pole> poles;         // fdtd3d: added to eps_r
  bool perfect_conductor = false;  // fdtd3d: E is zero inside; nothing else counts
  std::optional<double> density;   // kg/m^3; only materials with a density have a SAR
  std::string tissue;              // Gabriel 1996 tissue that eps_r and sigma were taken from, or empty
  std::optional<int> debye_poles;  // fdtd3d: the tissue is fitted over fit_band with so many poles at most
  std::optional<Band> fit_band;    // with debye_poles always
  Origin origin;
  // False where physics::resolve_tissues has still to take the value from the tissue; with debye_poles both or none.
  bool eps_r_known = true, sigma_known = true;

  bool operator==(const Material&) const = default;
};

/// A body of one material. Where shapes overlap the one of higher priority counts, of equal ones the later.
struct Shape {  // methods on grids
  enum class Type { box, sphere, ellipsoid, cylinder, prism, stl, labels };
  struct Label {
    int number = 0;  // 0 to 255
    std::string material;

    bool operator==(const Label&) const = default;
  };
  std::string name;
  Type type = Type::box;
  std::string material;  // the name of one of Case::materials; labels: empty
  int priority = 0;
  Vec3 centre{0, 0, 0};  // m
  Vec3 size{0, 0, 0};    // box: edge lengths, m
  double radius = 0;     // sphere, cylinder: m
  Vec3 radii{0, 0, 0};   // ellipsoid: half axes along x, y, z, m
  Vec3 axis{0, 0, 1};    // cylinder: unit length; prism: that of a coordinate axis
  double height = 0;     // cylinder, prism: m
  std::vector<std::array<double, 2>>
      points;                  // prism: corners from the centre along the two axes that follow its own, m
  std::filesystem::path file;  // stl, labels: absolute
  double unit = 1;             // stl, labels: metres per length unit of the file
  Vec3 position{0, 0, 0};      // stl: of the file's origin; labels: of the first voxel's lower corner, m
  std::vector<Label> labels;   // labels: which label is what material
  Origin origin;

  bool operator==(const Shape&) const = default;
};

struct Boundary {
  enum class Type {
    silver_muller,
    pec,
    pmc,
    cpml,
    mur,
    periodic,
    bloch
  };                 // silver_muller: dgtd; cpml, mur, periodic, bloch: fdtd3d
  std::string name;  // physical group (fdtd3d: side of the grid), or * for those not named elsewhere
  Type type = Type::pec;
  std::optional<double> phase, k;  // bloch, one of them: rad across the grid, rad/m; u(x + L) = exp(i k L) u(x)
  Origin origin;

  bool operator==(const Boundary&) const = default;
};

struct Initial {
  enum class Type { zero, cavity_mode, formula, file };  // formula: methods on grids; file: fdtd2d, fdtd1d
  Type type = Type::zero;
  std::array<int, 3> mode{1, 1, 0};               // half waves along x, y, z of the closed box
  std::array<std::string, 3> electric, magnetic;  // formula: of x, y, z (Formula), V/m and A/m; empty: 0
  std::filesystem::path file;                     // file: Ez at the nodes, V/m; absolute

  bool operator==(const Initial&) const = default;
};

struct Waveform {
  enum class Type { sine, ramped_sine, modulated_gaussian };
  Type type = Type::sine;
  double frequency = 0;     // Hz, carrier
  double ramp_periods = 2;  // ramped-sine: length of the rise
  double bandwidth = 0;     // modulated-gaussian: full width at half maximum of the amplitude spectrum, Hz

  bool operator==(const Waveform&) const = default;
};

struct Source {
  enum class Type { dipole, plane_wave, sheet, gaussian_beam, hard };  // from sheet on: methods on grids
  std::string name;
  Type type = Type::dipole;
  Vec3 position;      // dipole, hard: m; plane-wave: point where the phase is zero, m
  Vec3 direction;     // dipole: of the current; hard: of E, along an axis; waves: of propagation. Unit length; 0 for a
                      // sheet that launches to both sides
  Vec3 polarisation;  // waves: of E. Unit length, normal to direction (sheet: in its plane)
  std::optional<double> radius;  // dipole: that the current is spread over, m; 0: a point; absent: 2.5 times the mean
                                 // edge of its element, at most 0.4 wavelengths
  double moment = 1e-3;          // dipole: current times length, A m, peak
  double length = 0;             // dipole of fdtd3d: the current's line along an axis, m; 0: a point
  double amplitude = 1;          // waves, hard: V/m, peak; of a beam at its focus
  std::optional<Vec3> box_min, box_max;  // plane-wave of fdtd3d: corners of the total-field box, m
  Vec3 centre{0, 0, 0};                  // sheet: m
  Vec3 size{0, 0, 0};                    // sheet: m, exactly one is 0, that of its normal
  std::filesystem::path profile;         // sheet: amplitudes and delays a point; empty: uniform
  double waist = 0;                      // gaussian-beam: radius at the focus where E is 1/e of the axis', m
  Vec3 focus{0, 0, 0};                   // gaussian-beam: m
  std::optional<double>
      plane;  // gaussian-beam: where the plane that launches it cuts the axis nearest to its direction, m
  Waveform waveform;
  Origin origin;

  bool operator==(const Source&) const = default;
};

struct Probe {
  std::string name;
  Vec3 position;           // m
  std::int64_t every = 1;  // steps
  Origin origin;

  bool operator==(const Probe&) const = default;
};

/// Power spectrum through a plane or out of a closed box.
struct Flux {  // fdtd methods
  enum class Type { box, plane };
  std::string name;
  Type type = Type::box;
  Vec3 centre{0, 0, 0};             // m
  Vec3 size{0, 0, 0};               // m; plane: exactly one is 0, that of the normal
  std::vector<double> frequencies;  // Hz, ascending
  Origin origin;

  bool operator==(const Flux&) const = default;
};

/// Spectra of the fields in a region.
struct Monitor {  // fdtd methods
  using Type = Flux::Type;
  std::string name;
  Type type = Type::box;
  Vec3 centre{0, 0, 0};                       // m
  Vec3 size{0, 0, 0};                         // m; plane: exactly one is 0, that of the normal
  std::vector<double> frequencies;            // Hz, ascending
  std::vector<std::string> fields{"E", "H"};  // of E, H
  Origin origin;

  bool keeps(std::string_view field) const {
    for (const auto& f : fields)
      if (f == field) return true;
    return false;
  }

  bool operator==(const Monitor&) const = default;
};

/// Far field from the fields on a closed box.
struct FarField {  // fdtd3d only
  std::string name;
  Vec3 centre{0, 0, 0};             // m
  Vec3 size{0, 0, 0};               // m
  std::vector<double> frequencies;  // Hz, ascending
  int theta = 37;                   // directions from 0 to 180 degrees, both ends
  int phi = 36;                     // from 0 to below 360 degrees
  Origin origin;

  bool operator==(const FarField&) const = default;
};

struct Dft {
  enum class Window { last_period, all };
  std::vector<double> frequencies;      // Hz; read_case puts time.frequency, if any, where none are given
  Window window = Window::last_period;  // last-period: frequencies are multiples of time.frequency

  bool operator==(const Dft&) const = default;
};

struct Sar {
  enum class Normalise { emitted, accepted, incident, none };
  Normalise normalise = Normalise::none;
  std::optional<double> power;  // W (incident: W/m^2) that the chosen power is scaled to; absent: 1

  bool operator==(const Sar&) const = default;
};

struct Output {
  std::filesystem::path directory;                   // absolute
  std::vector<std::string> fields{"E", "H", "SAR"};  // of E, H, SAR; the one entry "none" for no VTK file
  std::int64_t every = 0;                            // steps between snapshots of E and H in time; 0: none
  std::int64_t monitor = 0;                          // steps between energy samples; 0: chosen so that they cost little

  bool operator==(const Output&) const = default;
};

struct Case {
  std::filesystem::path file;  // absolute
  std::string name;            // file name without extension
  Solver solver;
  Mesh mesh;
  Grid grid;
  std::vector<Refinement> refinements;
  Time time;
  std::vector<Material> materials;
  std::vector<Shape> shapes;
  std::vector<Boundary> boundaries;
  Initial initial;
  std::vector<Source> sources;
  std::vector<Probe> probes;
  std::vector<Flux> fluxes;
  std::vector<Monitor> monitors;
  std::vector<FarField> far_fields;
  Dft dft;
  Sar sar;
  Output output;

  bool operator==(const Case&) const = default;
};

/// Reads and checks a case file. Each override is "section.key=value" and replaces the file's line.
/// Of time.end, time.periods and time.steps an override replaces whichever the file gives.
/// Throws Error (bad_input) with one line: file:line, key, value, what is allowed.
Case read_case(const std::filesystem::path& file, const std::vector<std::string>& overrides = {});

/// The same case with every default written out, as a case file that gives the same run again:
/// read_case of it returns an equal Case but for its file, its name and the origins.
std::string resolved_text(const Case& c);

/// The frequencies that sources send and monitors see: a modulated Gaussian's carrier +- bandwidth (at least a tenth of
/// the carrier), of others the carrier; those of monitors and of the Fourier transform. Absent where there are none.
std::optional<Band> band_in_use(const Case& c);

/// Which of the case's materials (boundaries) each physical group has: index into c.materials
/// (c.boundaries), by name, else by "*". For the box generator a single section of any name is the
/// box's volume (all its sides), the sides xmin, xmax, ymin, ymax, zmin, zmax may be named singly,
/// a missing material is vacuum and a missing boundary is pec (appended to the case).
/// Throws Error naming the group or the section that has no counterpart, with the names that exist.
std::vector<int> match_materials(Case& c, const std::vector<std::string>& volume_names);
std::vector<int> match_boundaries(Case& c, const std::vector<std::string>& surface_names);

/// The name of a method in a case file.
std::string_view name_of(Method m);
std::string_view name_of(Variant v);

/// Methods on grids: what bounds xmin, xmax, ymin, ymax, zmin and zmax, by name, else by "*", else cpml; periodic
/// along axes that the method does not have.
/// Throws Error for a section of another name, and for an axis of which only one side is periodic (bloch).
std::array<Boundary::Type, 6> side_types(const Case& c);

/// Methods on grids: Bloch phases across the grid along x, y and z, rad; 0 for axes of other types. Throws Error where
/// the two sides of an axis differ.
std::array<double, 3> bloch_phases(const Case& c);

}  // namespace dgtd::config
