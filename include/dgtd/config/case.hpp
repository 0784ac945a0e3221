#pragma once
// The case, typed and checked: the complete description of a run. SI units throughout. Every member that a case file
// sets has one entry in the table of keys, src/config/keys_*.cpp.
#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/origin.hpp"
#include "dgtd/base/vec3.hpp"
#include "dgtd/dosimetry/body_part.hpp"
#include "dgtd/dosimetry/normalisation.hpp"
#include "dgtd/geometry/layout.hpp"
#include "dgtd/geometry/polygon.hpp"
#include "dgtd/geometry/turn.hpp"
#include "dgtd/hpf/formulation.hpp"
#include "dgtd/mesh/mesh_source.hpp"
#include "dgtd/parallel/transport.hpp"
#include "dgtd/physics/boundary.hpp"
#include "dgtd/physics/material.hpp"
#include "dgtd/physics/monitors.hpp"
#include "dgtd/physics/optical_table.hpp"
#include "dgtd/physics/port.hpp"
#include "dgtd/physics/source.hpp"
#include "dgtd/physics/tissue.hpp"
#include "dgtd/solver/half_step.hpp"
#include "dgtd/solver/method.hpp"

namespace dgtd::config {

// The value types that solvers take; the case is made of them.
using Mesh = mesh::MeshSource;
using hpf::Potential, hpf::Stencil;
using parallel::Transport;
using physics::Band, physics::FarField, physics::Flux, physics::Material, physics::Monitor, physics::Pole;
using physics::Port, physics::Snapshot;
using physics::Source, physics::Waveform;
using solver::KernelFusion;

enum class Precision { half_precision, single_precision, double_precision };
enum class Backend { automatic, cuda, cpu };
/// Polarisation of a plane grid: Ez with Hx and Hy, Ex and Ey with Hz, or both.
enum class Polarisation { automatic, ez, hz, both };
struct Solver {
  solver::Method method;  // one of those that read_case was given
  int order = 2;          // dgtd: polynomial degree p, 1 to 6; 0: chosen for each element
  std::optional<double> order_error;  // relative error at which orders are chosen
  int order_max = 3;                  // of the orders that are chosen
  Precision precision = Precision::single_precision;
  Polarisation polarisation = Polarisation::both;  // fdtd2d, fdtd1d; read_case chooses where the case does not
  Backend backend = Backend::automatic;
  KernelFusion kernels = KernelFusion::fused;
  Transport halo_transport = Transport::automatic;
  mesh::Partitioner partitioner = mesh::Partitioner::automatic;  // dgtd
  double cfl_fraction = 0.95;                                    // of the stability limit, [1e-6, 1]
  double upwind = 0;  // dgtd: part of the upwind flux in the jumps between elements, [0, 1]
  int threads = 0;  // CPU threads per rank; 0: the rank's share of its host
  int runs_at_once = 1;  // of a case with several runs, each on a part of the ranks
  // fdtd1d-subdomains
  int subdomains = 2;              // parts that are solved one by one
  int reflections = 0;             // sweeps down and up again after the first one
  std::optional<double> window;    // periods that each part is solved for; absent: until it is steady
  double steady_tolerance = 1e-5;  // change that counts as none, relative to the strongest source

  Stencil stencil = Stencil::laplacian;       // hpf2d: neighbours in the plane, or along y only
  Potential potential = Potential::electric;  // hpf2d: the Hertzian vector along z
  int block_timesteps = 0;                    // hpf2d: steps a kernel does at once; 0: chosen
  int block_size = 32;                        // hpf2d, kernels = diagonal: threads per block

  /// Degree for which meshes and layers are made.
  int order_of_mesh() const { return order > 0 ? order : 2; }
  bool operator==(const Solver&) const = default;
};

/// Domain of the computation without the absorbing layers that the program adds outside: the same on tetrahedra and on
/// grids. read_case turns margins into size and origin, and on grids all of it into cells.
struct Domain {
  enum class Form { box, sphere };
  Form form = Form::box;
  std::optional<Vec3> size;    // m; of a sphere its diameter
  std::optional<Vec3> origin;  // m, the lower corner; not given: the domain is centred on 0
  std::optional<double> margin, margin_wavelengths;  // around all bodies, in place of size and origin
  std::string background;                            // material outside all shapes; empty: vacuum

  bool given() const { return size || margin || margin_wavelengths; }
  bool operator==(const Domain&) const = default;
};

/// The cells of a structured method. After read_case cells, spacings and origin hold for every axis,
/// however the file gave them.
struct Grid {                                   // methods on grids
  std::array<std::int64_t, 3> cells{0, 0, 0};   // an axis
  Vec3 spacing{0, 0, 0};                        // m; 0 for an axis whose spacing varies
  std::array<std::vector<double>, 3> spacings;  // m, [cells] an axis
  Vec3 origin{0, 0, 0};                         // m, the lower corner; not given: the grid is centred on 0
  double per_wavelength = 0;                    // cells by wavelength in a domain; 0: the usual number, or others
  double finest = 0;                            // m, the smallest cell that shapes ask for there
  double ratio = 1.3;                           // of neighbouring spacings that refinements make at most, > 1
  int pml = 10;                                 // cells of the absorbing layer on sides of type cpml
  std::string background;                       // material outside all shapes; empty: vacuum
  bool subpixel = true;                         // shapes' surfaces are averaged inside their cells

  bool operator==(const Grid&) const = default;
};

/// A box with finer cells. On grids read_case turns them, and sizes by wavelength, into the spacings and leaves neither
/// them nor the ratio.
struct Refinement {  // fdtd methods; dgtd: elements of shapes
  std::string name;
  Vec3 centre{0, 0, 0};   // m
  Vec3 size{0, 0, 0};     // m
  Vec3 spacing{0, 0, 0};  // m, the largest inside the box
  Origin origin;

  bool operator==(const Refinement&) const = default;
};

/// Whether small elements take more steps than large ones; automatic: where that saves enough work.
enum class LocalSteps { automatic, on, off };

/// End of a run: after so many seconds; when harmonic fields repeat themselves; when those of pulses have gone.
struct RunEnd {
  enum class Type { seconds, steady, decayed };
  Type type = Type::seconds;
  double seconds = 0;  // of type seconds: s

  RunEnd() = default;
  RunEnd(double s) : seconds(s) {}
  RunEnd(Type t) : type(t) {}
  bool operator==(const RunEnd&) const = default;
};

struct Time {
  std::optional<RunEnd> end;                       //            } exactly one of the three
  std::optional<double> periods;                   // periods    }
  std::optional<std::int64_t> steps;               // time steps }
  double tolerance = 0.01;                         // steady: change from period to period that counts as none
  double decay = -50;                              // decayed: energy over its largest, dB, < 0
  std::optional<double> at_most;                   // steady, decayed: s, when the run ends in any case
  std::optional<double> frequency;                 // Hz
  LocalSteps local_steps = LocalSteps::automatic;  // dgtd
  int levels = 6;                                  // dgtd: levels of local steps at most, 1 to 8

  /// Whether the run ends in that way.
  bool ends(RunEnd::Type type) const { return end && end->type == type; }
  /// Whether the fields decide when the run ends.
  bool ends_by_fields() const { return ends(RunEnd::Type::steady) || ends(RunEnd::Type::decayed); }

  bool operator==(const Time&) const = default;
};

/// A body of one material. Where shapes overlap the one of higher priority counts, of equal ones the later.
struct Shape {  // methods on grids; dgtd: mesh.generator = shapes
  enum class Type { box, sphere, ellipsoid, cylinder, prism, stl, labels, gds, cone, torus, step, plate, wire, unite, difference, intersection };
  struct Label {
    int number = 0;  // 0 to 255
    std::string material;

    bool operator==(const Label&) const = default;
  };
  std::string name;
  Type type = Type::box;
  std::string material;  // the name of one of Case::materials; labels, and parts of other shapes: empty
  int priority = 0;
  Vec3 centre{0, 0, 0};  // m; gds: of the box around it
  Vec3 size{0, 0, 0};    // box: edge lengths, m; plate: 0 in a complete case, which has points
  double radius = 0;     // sphere, cylinder, wire: m; cone: at the lower end; torus: of the circle in the middle of its tube
  double top_radius = 0;   // cone: at the upper end, m
  double tube_radius = 0;  // torus: m
  Vec3 radii{0, 0, 0};   // ellipsoid: half axes along x, y, z, m
  Vec3 axis{0, 0, 1};    // cylinder, cone, torus: unit length; prism, plate: that of a coordinate axis
  double height = 0;     // cylinder, cone, prism: m
  /// box, ellipsoid, prism: about the centre; stl, gds, step: about `position`. A complete case has none where other keys say
  /// the same.
  std::optional<geometry::Turn> rotation;
  std::vector<std::array<double, 2>>
      points;                  // prism, plate: corners from the centre along the two axes that follow its own, m
  std::filesystem::path file;  // stl, labels, gds, step: absolute
  double unit = 1;             // stl, labels: metres per length unit of the file
  Vec3 position{0, 0, 0};      // stl, gds, step: of the file's origin; labels: of the first voxel's lower corner, m
  std::vector<Label> labels;   // labels: which label is what material
  std::string cell;            // gds: empty: the only top cell
  std::string body;            // step: empty: all solids
  geometry::Layer layer;       // gds
  std::array<double, 2> z{0, 0};           // gds: lower and upper end above position.z, m
  double sidewall_angle = pi / 2;          // gds: of the walls to the plane, rad
  std::vector<geometry::Polygon> polygons;  // gds: of its layer at the lower end, from the file, moved by `position`, m
  std::vector<Vec3> path;                  // wire: places that straight pieces connect, m
  std::vector<std::string> operands;       // unite, difference, intersection: names of the shapes that it is made of
  /// step, wire, unite, difference, intersection: corners of the box around it, m, while the case is being completed.
  std::optional<std::array<Vec3, 2>> extent;
  Origin origin;

  bool operator==(const Shape&) const = default;
};

/// Relative permittivities of cells from a NumPy file, in front of all shapes.
struct Permittivity {  // fdtd methods
  std::string name;
  std::filesystem::path file;   // absolute
  Vec3 centre{0, 0, 0};         // m
  std::optional<Vec3> spacing;  // m, of the values; read_case puts that of the grid where none is given
  Origin origin;

  bool operator==(const Permittivity&) const = default;
};

struct Boundary {
  using Type = physics::BoundaryKind;
  std::string name;  // physical group (fdtd3d: side of the grid), or * for those not named elsewhere
  Type type = Type::pec;
  double length = 0;  // adiabatic: of the layer, m
  int order = 3;      // adiabatic: of its conductivity
  // adiabatic, layers of elements: amplitude that would come back from a wall behind the layer at normal incidence.
  // adiabatic: 1e-3 where it is missing; of elements: what is best at the case's frequencies.
  std::optional<double> reflection;
  std::optional<int> layers;        // of elements: strata; else as many as the order needs
  std::optional<double> thickness;  // of elements: m, of all strata; else in wavelengths
  std::vector<std::string>
      groups;                      // of elements: volume groups of the mesh that are the layer; empty: strata are added
  double loss = 0.2;               // cpml of elements: matched loss over the rate of the layer
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

struct Probe {
  std::string name;
  Vec3 position;           // m
  std::int64_t every = 1;  // steps
  Origin origin;

  bool operator==(const Probe&) const = default;
};

struct Dft {
  enum class Window { last_period, all };
  std::vector<double> frequencies;      // Hz; read_case puts time.frequency, if any, where none are given
  Window window = Window::last_period;  // last-period: frequencies are multiples of time.frequency

  bool operator==(const Dft&) const = default;
};

/// One run for each of these ports, in which the others are terminations: all columns of the scattering matrix.
struct SParameters {
  std::vector<std::string> excite;  // names of ports, in the case file also the word all; empty: one run as usual
  std::vector<double> frequencies;  // Hz, ascending; read_case gives them to all ports

  bool given() const { return !excite.empty(); }
  bool operator==(const SParameters&) const = default;
};

/// A run of its own, in which these sources and ports alone send.
struct Excitation {
  std::string name;
  std::vector<std::string> sources;  // names of sources and of ports with excite
  std::vector<double> amplitudes;    // [sources], by which what they send is multiplied; read_case puts 1 where absent
  Origin origin;

  bool operator==(const Excitation&) const = default;
};

struct Sar : dosimetry::Normalisation {
  std::vector<double> masses;   // g, over which SAR is averaged; empty: it is not
  std::optional<double> voxel;  // m, edge of the voxels on tetrahedra; read_case sets it where there are masses
  dosimetry::BodyPart part = dosimetry::BodyPart::head;  // that the model is of
  bool whole_body = false;  // whether the model is a whole body, so that its mean SAR has limits

  bool operator==(const Sar&) const = default;
};

/// Points of files on tetrahedra.
enum class OutputPoints { automatic, shared, separate };
struct Output {
  std::filesystem::path directory;                    // absolute
  std::filesystem::path reference;                    // results of a run without the object; empty: none
  std::vector<std::string> fields{"auto"};            // of E, H, E_amplitude, SAR; or one entry auto or none
  std::vector<std::string> groups{"*"};               // names of volumes or materials that files show, with wildcards
  OutputPoints points = OutputPoints::automatic;      // dgtd: of one vertex, or of each element
  std::optional<int> degree;                          // dgtd: of the cells; absent: chosen
  Precision precision = Precision::single_precision;  // of the numbers in VTK files
  std::int64_t every = 0;                             // steps between snapshots of E and H in time; 0: none
  bool error = false;                                 // dgtd: whether the error in space is estimated
  bool report_pictures = true;                        // whether report.html has pictures of SAR
  std::int64_t energy_interval = 0;  // steps between energy samples; 0: chosen so that they cost little

  bool operator==(const Output&) const = default;
};

/// Files from which a run can be continued.
struct Checkpoint {
  double every = 600;              // s of wall time; 0: on request only
  std::int64_t steps = 0;          // also at its multiples; 0: not
  std::int64_t keep = 2;           // files
  std::optional<double> walltime;  // s since the program's start; the run ends before
  bool at_end = false;             // also after the last step

  bool operator==(const Checkpoint&) const = default;
};

/// Complete after read_case: defaults are derived, tissues resolved, refinements turned into spacings. Nothing changes
/// it afterwards.
struct Case {
  std::filesystem::path file;  // absolute
  std::string name;            // file name without extension
  Solver solver;
  Domain domain;
  Mesh mesh;
  Grid grid;
  std::vector<Refinement> refinements;
  Time time;
  std::vector<Material> materials;
  std::vector<Shape> shapes;
  std::vector<Permittivity> permittivities;
  std::vector<Boundary> boundaries;
  Initial initial;
  std::vector<Source> sources;
  std::vector<Port> ports;
  SParameters s_parameters;
  std::vector<Excitation> excitations;  // empty: one run
  std::vector<Probe> probes;
  std::vector<Flux> fluxes;
  std::vector<Monitor> monitors;
  std::vector<Snapshot> snapshots;
  std::vector<FarField> far_fields;
  Dft dft;
  Sar sar;
  Output output;
  Checkpoint checkpoint;
  std::vector<physics::TissueFit> tissue_fits;  // of materials with debye_poles, for the log
  std::vector<physics::TableFit> table_fits;    // of materials with a table, for the log and charts

  bool operator==(const Case&) const = default;
};

/// Reads and checks a case file for one of the methods, of which the first is the default. Each override is
/// "section.key=value" and replaces the file's line. Of time.end, time.periods and time.steps an override replaces
/// whichever the file gives, with the keys of time that belong to that. Old spellings of keys are accepted with a
/// warning.
/// Relative paths start in the folder of the case file; with a folder `results`, those of overrides and of [output]
/// start there, also the default of output.directory. Throws Error (bad_input) with one line: file:line, key, value,
/// what is allowed.
Case read_case(const std::filesystem::path& file, const std::vector<std::string>& overrides,
               std::span<const solver::Method> methods, const std::filesystem::path& results = {});

/// The same case with every default written out, as a case file that gives the same run again:
/// read_case of it returns an equal Case but for its file, its name, the origins and table_fits.
std::string resolved_text(const Case& c);

/// The runs of a case with [sparameters], by the port that is excited, or with [excitation.NAME]; empty: the case is
/// one run.
std::vector<std::string> runs_of(const Case& c);
/// One of these runs, in which the port of that name, or the sources of that excitation, alone send, with results in
/// the folder excite_NAME of the case's output directory.
Case case_of_excitation(const Case& c, std::string_view name);

/// A key with its values in two cases.
struct KeyChange {
  std::string name, before, now;  // a value is empty where the case does not have the key
};

/// The keys in which two texts of resolved_text differ and a run and its continuation must not.
std::vector<KeyChange> forbidden_changes(const std::string& before, const std::string& now);

/// The waveforms of all sources and excited ports.
std::vector<Waveform> waveforms(const Case& c);

/// The frequencies that sources send and monitors see: a modulated Gaussian's carrier +- bandwidth (at least a tenth of
/// the carrier), of others the carrier; those of monitors and of the Fourier transform. Absent where there are none.
std::optional<Band> band_in_use(const Case& c);

/// Hz, the highest frequency in which a case is interested: carriers of sources, and monitors. 0: none.
double frequency_of_interest(const Case& c);

/// Materials (boundaries) of the physical groups of a mesh: [groups] indices into c.materials
/// (c.boundaries), by name, else by "*". For the box generator a single section of any name is the
/// box's volume (all its sides), and the sides xmin, xmax, ymin, ymax, zmin, zmax may be named singly. For the
/// generator of shapes materials need not be in the mesh.
/// Throws Error naming the group or the section that has no counterpart, with the names that exist.
std::vector<int> match_materials(const Case& c, const std::vector<std::string>& volume_names);
std::vector<int> match_boundaries(const Case& c, const std::vector<std::string>& surface_names);

/// The spelling of a value in case files.
std::string_view name_of(Precision p);
std::string_view name_of(Boundary::Type type);
inline std::string_view name_of(const solver::Method& m) { return m.name; }

/// Axes along which a method's fields vary.
inline int dimensions(const solver::Method& m) { return m.has.dimensions; }

/// Methods on grids: the types of xmin, xmax, ymin, ymax, zmin and zmax, by name, else by "*", else the method's
/// absorbing one; periodic along axes that the method does not have.
/// Throws Error for a section of another name, and for an axis of which only one side is periodic (bloch).
std::array<Boundary::Type, 6> side_types(const Case& c);

/// Methods on grids: the sections of the six sides, in the same order; null where a side has none.
std::array<const Boundary*, 6> side_sections(const Case& c);

/// Method dgtd: whether the two sides along x, y and z are periodic or of type bloch. Throws Error for surface groups
/// of other names, and for an axis of which only one side is periodic (bloch).
std::array<bool, 3> periodic_axes(const Case& c);

/// Methods on grids: Bloch phases across the grid along x, y and z, rad; 0 for axes of other types. Throws Error where
/// the two sides of an axis differ.
std::array<double, 3> bloch_phases(const Case& c);
/// The same for any method, whose domain has these lengths along x, y and z, m.
std::array<double, 3> bloch_phases(const Case& c, const std::array<double, 3>& lengths);
/// Any method: whether sides have a phase other than zero, so that fields are complex.
bool has_bloch_phase(const Case& c);

}  // namespace dgtd::config
