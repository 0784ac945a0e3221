// Keys of the sections that describe the run: solver, time, initial fields, transforms, output.
#include "key.hpp"

namespace dgtd::config {
namespace {

constexpr Need of_planes_and_lines{[](const Capabilities& c) { return c.dimensions < 3; },
                                   "is of {owners}; {method} has all components"};
constexpr Need local_steps{has<&Capabilities::local_steps>, "is of {owners}; {method} has one time step"};
constexpr Need potentials{has<&Capabilities::potentials>, "is of {owners}; {method} has none"};
constexpr Need subdomains{has<&Capabilities::subdomains>, "is of {owners}; {method} has none"};
constexpr Need three_dimensions{[](const Capabilities& c) { return c.dimensions == 3; },
                                "is of {owners}; {method} has no volumes"};

void add_numerical_method(Keys<Solver>& keys) {
  keys.add("method", &Solver::method, method(),
           {.initially = "dgtd",
            .text = "Numerical method: discontinuous Galerkin on tetrahedra (`dgtd`), Yee's scheme on a Cartesian grid "
                    "of three, two or one dimensions (`fdtd3d`, `fdtd2d`, `fdtd1d`), or Hertzian potentials in a plane "
                    "(`hpf2d`). Reproductions of Golovashkin and Malysheva 2010: the half steps of `fdtd2d` by cuBLAS "
                    "on rows (`axpy`; `fdtd2d-cublas-vector`), on matrices (`gemm` with identity matrices; "
                    "`fdtd2d-cublas-matrix`) or by a plain loop on one CPU thread (`fdtd2d-scalar`), to compare with "
                    "their Table 3, and a line in subdomains "
                    "(`fdtd1d-subdomains`)."})
      .add("order", &Solver::order, integer_or_auto(1, 6),
           {.needs = {{has<&Capabilities::tetrahedra>, "is of {owners}; {method} has no order"}},
            .text = "Polynomial degree p of all elements but those of materials with an `order` of their own. `auto`: "
                    "chosen for each element from its size in wavelengths of its material at the highest frequency of "
                    "the case ([rule](theory.md#choice-of-orders))."})
      .add("order_error", &Solver::order_error, fraction(),
           {.initially = "0.01; with `--adapt` half of the error of the other run",
            .needs = {{has<&Capabilities::tetrahedra>, "is of {owners}; {method} has no order"}},
            .text = "Relative error for which orders are chosen: with `order = auto` that of a wave in each element, "
                    "with `dgtd CASE --adapt OUTPUT` the estimated one of E and H of all elements together."})
      .add("order_max", &Solver::order_max, integer(1, 6),
           {.needs = {{has<&Capabilities::tetrahedra>, "is of {owners}; {method} has no order"}},
            .text = "Highest order that is chosen, at most what the program was built for."})
      .add("upwind", &Solver::upwind, part(),
           {.needs = {{has<&Capabilities::tetrahedra>, "is of {owners}; {method} has no faces between elements"}},
            .check = check::upwind,
            .text = "Penalty of the jumps of E and H between elements, as a part of that of the upwind flux. 0: the "
                    "centered flux, which keeps energy but has slow modes that no field has. 0.02 to 0.1 takes these "
                    "within some periods, as powers at ports and antennas of a percent need, and little of what the "
                    "elements resolve ([figures](verification.md#penalty-of-jumps)). All elements then take the same "
                    "steps, each of which takes 2 to 3 times as long, and "
                    "fields take five times the memory."})
      .add("stencil", &Solver::stencil, choice(stencil_names),
           {.needs = {potentials},
            .text = "The neighbours that a node depends on: four in the plane, or the paper's two along y, whose lines "
                    "are uncoupled."})
      .add("potential", &Solver::potential, choice(potential_names),
           {.needs = {potentials},
            .text = "The Hertzian vector along z: `electric` gives E along z and H in the plane, and is exact at steps "
                    "of the permittivity; `magnetic` gives H along z and E in the plane, and is exact in uniform "
                    "media."})
      .add("block_timesteps", &Solver::block_timesteps, integer(0, 256),
           {.needs = {potentials},
            .check = check::block_timesteps,
            .may_change = true,
            .text = "Steps that one launch of a GPU kernel takes; 0: chosen. At most 16 for tiles, 32 for diagonals, "
                    "for lines 256 where a warp holds a whole one (about 1000 nodes)."})
      .add("block_size", &Solver::block_size, integer(32, 1024),
           {.needs = {potentials}, .may_change = true, .text = "Threads per block with `kernels = diagonal`."})
      .add(
          "polarisation", &Solver::polarisation, choice(polarisation_names),
          {.initially = "auto",
           .needs = {of_planes_and_lines, {has<&Capabilities::polarisation>, "is of {owners}; {method} has potential"}},
           .text = "Components that are computed: Ez, Hx, Hy (`ez`); Ex, Ey, Hz (`hz`); or all. `auto`: those that the "
                   "sources and initial fields excite."});
}

void add_computer(Keys<Solver>& keys) {
  keys.add("precision", &Solver::precision, choice(precision_names),
           {.check = check::precision,
            .text = "Precision of fields and kernels; set-up and monitors use double precision. `half`: E and H are "
                    "stored in half precision and computed in single precision, in passes of several steps on GPUs in "
                    "half precision too; for media without poles. Errors: "
                    "[verification.md](verification.md#half-precision)."})
      .add(
          "backend", &Solver::backend, choice(backend_names),
          {.may_change = true,
           .text = "What computes. `auto` uses CUDA where every rank has a device, else the CPU, and reports which and "
                   "why; `cuda` without a device ends with exit code 5. The ranks of a host use its devices in turn."})
      .add("kernels", &Solver::kernels, choice(kernels_names),
           {.check = check::kernels,
            .text = "How the parts of a step are launched: together (`fused`), or one after the other (`split`) with "
                    "the same fields to rounding: of dgtd intVolume, intSurface and updateField, of the fdtd methods "
                    "poles and curl, of hpf2d one launch per step. `diagonal`: the paper's kernel for lines."})
      .add("halo_transport", &Solver::halo_transport, choice(transport_names),
           {.formerly = "comm",
            .may_change = true,
            .text = "How halos are exchanged between devices: staged through pinned host memory (`mpi-host`), the same "
                    "inside the kernels of dgtd, for which a thread of the host sends and receives by MPI "
                    "(`mpi-proxy`; one device per rank, else as `mpi-host`), by a CUDA-aware MPI library, by NCCL or "
                    "NVSHMEM (loaded at run time; one device per rank), or, between the ranks of one host, by writing "
                    "into the neighbour's device memory with the packing kernel (`peer`) or a copy engine "
                    "(`peer-copy`). `auto` measures the exchange with each that works but `mpi-proxy` and `nvshmem`, "
                    "uses the fastest and reports the times. The CPU has `mpi-host`. One that does not work ends with "
                    "exit code 5."})
      .add("partitioner", &Solver::partitioner, choice(partitioner_names),
           {.needs = {{has<&Capabilities::tetrahedra>, "is of {owners}; {method} has blocks of cells"}},
            .may_change = true,
            .text = "How the elements of a mesh file are shared among ranks: by METIS, whose parts have the smaller "
                    "halos, or in ranges of equal work along a Hilbert curve (`curve`), which takes no time. `auto`: "
                    "METIS up to "
                    "two million elements. Fields do not depend on it. A generated box is cut into blocks."})
      .add("cfl_fraction", &Solver::cfl_fraction, fraction(),
           {.formerly = "courant", .text = "Largest fraction of the stability limit that the time step uses."})
      .add("threads", &Solver::threads, integer(0, 4096),
           {.may_change = true,
            .text = "CPU threads per rank; 0: `OMP_NUM_THREADS`, else the rank's share of its host."})
      .add(
          "runs_at_once", &Solver::runs_at_once, integer(1, 100000),
          {.belongs = {where<Solver>(
               [](const Solver&, const Case& c) { return c.s_parameters.given() || !c.excitations.empty(); },
               "a case of several runs, with [sparameters] or [excitation.NAME]")},
           .may_change = true,
           .text = "So many runs of `[sparameters]` or `[excitation.NAME]` are computed at once, each on an equal part "
                   "of the ranks; as many as there are ranks and runs at most. Each must fit on its part. It is faster "
                   "than one after the other on all ranks wherever a run does not fill these."});
}

void add_subdomains(Keys<Solver>& keys) {
  keys.add("subdomains", &Solver::subdomains, integer(1, 100000),
           {.needs = {subdomains},
            .text = "Number D of parts, as equal as possible, into which the cells between the absorbing layers are "
                    "cut; 1: the whole line by the same code."})
      .add("reflections", &Solver::reflections, integer(0, 10000),
           {.needs = {subdomains},
            .check = check::reflections,
            .text = "Sweeps down and up again after the first one upwards; only 0 with one subdomain. Without them "
                    "waves go towards xmax only: what a subdomain sends down is not seen below it."})
      .add("window", &Solver::window, number(Sign::positive),
           {.unit = "periods",
            .needs = {subdomains},
            .check = check::window,
            .text = "Time for which each subdomain is solved after its start, before its last period is repeated; "
                    "without the key until it is steady. It requires `time.frequency`. A window that ends before the "
                    "fields are periodic is an error of the result."})
      .add("steady_tolerance", &Solver::steady_tolerance, number(Sign::not_negative),
           {.initially = "1e-4; 1e-5 in double precision",
            .needs = {subdomains},
            .formerly = "rest",
            .text = "A subdomain is steady where its fields and sources differ by less from those one chunk before, "
                    "relative to what the strongest source adds in a step. A chunk is a period of `time.frequency` "
                    "(128 steps without one, or where a period has more than 1024). 0: never."});
}

}  // namespace

Section solver_keys() {
  Keys<Solver> keys("solver", &Case::solver, "The numerical method and how it is computed.");
  add_numerical_method(keys);
  add_computer(keys);
  add_subdomains(keys);
  return keys.section();
}

Section time_keys() {
  constexpr std::string_view one_of = "**one of `end`, `periods`, `steps`**";
  return Keys<Time>("time", &Case::time, "The length of the run.")
      .add("end", &Time::end, run_end(),
           {.unit = "s",
            .initially = one_of,
            .may_change = true,
            .text = "Length of the run, or what ends it. `steady`: harmonic fields that repeat themselves; sources "
                    "have multiples of `time.frequency`. `decayed`: the fields of pulses, or initial fields, that have "
                    "gone, with all sources over. Steps are counted until then, at most up to `at_most`."})
      .add("periods", &Time::periods, number(Sign::positive),
           {.initially = one_of, .may_change = true, .text = "Length of the run in periods of `frequency`."})
      .add("steps", &Time::steps, integer(1),
           {.initially = one_of, .may_change = true, .text = "Length of the run in time steps."})
      .add("tolerance", &Time::tolerance, number(Sign::positive),
           {.belongs = {where<Time>([](const Time& t, const Case&) { return t.ends(RunEnd::Type::steady); },
                                    "time.end = steady")},
            .examples = {"0.003"},
            .may_change = true,
            .text = "Largest change that counts as none: of E's phasors from the last but one period to the last "
                    "(root mean square of places in tissue, else in monitors, else anywhere), and of the stored energy "
                    "over the last period, as a share of the work of the sources in it. The power balance is then "
                    "closed but for errors that a longer run does not reduce."})
      .add("decay", &Time::decay, below_zero(),
           {.unit = "dB",
            .belongs = {where<Time>([](const Time& t, const Case&) { return t.ends(RunEnd::Type::decayed); },
                                    "time.end = decayed")},
            .may_change = true,
            .text =
                "Energy of the fields, relative to its largest so far, below which the run ends when all sources are "
                "over and it has been so small for a period of the lowest carrier."})
      .add("at_most", &Time::at_most, number(Sign::positive),
           {.unit = "s",
            .initially = "`steady`: 100 periods of `frequency`; `decayed`: 1000 periods of the lowest carrier",
            .belongs = {where<Time>([](const Time& t, const Case&) { return t.ends_by_fields(); },
                                    "time.end = steady | decayed")},
            .examples = {"3e-8"},
            .may_change = true,
            .text = "Time after which the run ends in any case, with a warning; of `steady` in whole periods."})
      .add("frequency", &Time::frequency, frequency(),
           {.unit = "Hz",
            .text = "The frequency of the case, which `periods`, `tissue` without `debye_poles`, sources without a "
                    "frequency of their own, and `dft.window = last-period` with frequencies require."})
      .add("local_steps", &Time::local_steps, choice(local_steps_names),
           {.needs = {local_steps},
            .check = check::local_steps,
            .text =
                "Local time steps: elements of level l take 2^l steps while the largest elements take one, so that "
                "a few small elements do not limit the step of all others. `auto`: where the predicted gain is above "
                "1.3, with `solver.kernels = fused`, which `on` requires. dt is the step of the largest elements, "
                "and every interval in steps counts these."})
      .add("levels", &Time::levels, integer(1, 8),
           {.needs = {local_steps},
            .text = "Largest number of levels of local time steps, the coarsest included; 1: all elements take the "
                    "same steps."})
      .section();
}

Section initial_keys() {
  const auto formula = with<Initial>("type", &Initial::type, initial_names, {Initial::Type::formula});
  Keys<Initial> keys("initial", &Case::initial, "The initial fields.");
  keys.add("type", &Initial::type, choice(initial_names), {.check = check::initial_type, .text = "Initial fields."})
      .add("mode", &Initial::mode, three_integers(0, 1000, "0"),
           {.belongs = {with<Initial>("type", &Initial::type, initial_names, {Initial::Type::cavity_mode})},
            .check = check::mode,
            .examples = {"2 3 1", "3 2 0"},
            .text = "Half waves along x, y, z of the closed box, at most one of them zero; the run has an exact "
                    "solution and reports its error."})
      .add("file", &Initial::file, path(),
           {.belongs = {with<Initial>("type", &Initial::type, initial_names, {Initial::Type::file})},
            .required = true,
            .text = "Ez at the grid's nodes in V/m, a text file. A line has one number for each node along x "
                    "(cells + 1), blanks or commas between them; lines go from the lowest y upwards (cells + 1; in one "
                    "dimension one line). `#` begins a comment."});
  for (int c = 0; c < 3; ++c)
    keys.add(electric_names[c], [c](auto& i) -> auto& { return i.electric[static_cast<std::size_t>(c)]; }, expression(),
             {.unit = "V/m",
              .initially = "0",
              .belongs = {formula},
              .check = check::formula,
              .text = "Component of E at t = 0 as a function of `x`, `y`, `z` (m)."});
  for (int c = 0; c < 3; ++c)
    keys.add(magnetic_names[c], [c](auto& i) -> auto& { return i.magnetic[static_cast<std::size_t>(c)]; }, expression(),
             {.unit = "A/m",
              .initially = "0",
              .belongs = {formula},
              .check = check::formula,
              .text = "Component of H at t = -dt/2, half a step earlier, as a function of `x`, `y`, `z` (m)."});
  return keys.section();
}

Section dft_keys() {
  return Keys<Dft>("dft", &Case::dft, "Fourier transforms of the fields in the whole volume.")
      .needs({every_step})
      .add("frequencies", &Dft::frequencies, frequencies(),
           {.unit = "Hz",
            .initially = "`time.frequency`, if given",
            .check = check::dft_frequencies,
            .text = "Frequencies of the Fourier transforms of E and H; with `window = last-period` multiples of "
                    "`time.frequency` (to 1e-9)."})
      .add("frequency_range", &Dft::frequencies, frequency_range(),
           {.unit = "Hz",
            .initially = "-",
            .check = check::dft_frequencies,
            .resolved_as = "frequencies",
            .text = "COUNT frequencies from FIRST to LAST, evenly spaced, in place of `frequencies`."})
      .add("window", &Dft::window, choice(window_names),
           {.text = "What is transformed: the last period of `time.frequency`, or the whole run."})
      .may_change()
      .section();
}

Section sar_keys() {
  using Normalise = Sar::Normalise;
  return Keys<Sar>("sar", &Case::sar, "The power to which specific absorption rates refer.")
      .needs({{has<&Capabilities::powers>, "is of {owners}; {method} measures no powers"}})
      .add("normalise", &Sar::normalise, choice(normalise_names),
           {.text =
                "The power that SAR refers to: the sources' mean work over a period (`emitted`); what the excited ports "
                "give to the structure, 1/2 Re V I* (`accepted`; a current dipole has no port, so it is the same); the "
                "power of the waves that they send to it, a a* / 2, which a source matched to the port's impedance has "
                "available (`incident at port`); the power density of the plane wave (`incident`); or SAR of the run "
                "as it is (`none`). The case must have such a source. On tetrahedra with `dft.window = all` those of "
                "dipoles or ports at each frequency of `[dft]`."})
      .add("power", &Sar::power, number(Sign::positive),
           {.unit = "W; `incident`: W/m2",
            .initially = "1",
            .belongs = {with<Sar>("normalise", &Sar::normalise, normalise_names,
                                  {Normalise::emitted, Normalise::accepted, Normalise::incident_at_port,
                                   Normalise::incident})},
            .text = "What that power is scaled to."})
      .add(
          "mass", &Sar::masses, numbers(Sign::positive),
          {.unit = "g",
           .needs = {three_dimensions},
           .check = check::masses,
           .text = "Masses of cubes over which SAR is averaged by IEC/IEEE 62704-1, such as `1 10`; without the key it "
                   "is not averaged."})
      .add("voxel", &Sar::voxel, number(Sign::positive),
           {.unit = "m",
            .initially = "a tenth of the edge of a cube of water of the smallest mass: 1 mm with 1 g",
            .needs = {{has<&Capabilities::tetrahedra>, "is of {owners}; {method} averages on its own cells"}},
            .belongs = {where<Sar>([](const Sar& s, const Case&) { return !s.masses.empty(); }, "averages (sar.mass)")},
            .examples = {"0.001", "0.0005"},
            .text = "Edge of the cubic voxels at whose centres SAR is sampled before it is averaged."})
      .add("part", &Sar::part, choice(body_part_names),
           {.text =
                "The part of a body that the model is, with whose limits the averages over 1 g and 10 g are compared. "
                "`extremity`: hand, wrist, foot, ankle or outer ear."})
      .add("whole_body", &Sar::whole_body, choice(switch_names),
           {.text = "Whether the tissue of the model is a whole body: its mean SAR is then compared with the limits of "
                    "whole-body exposure."})
      .may_change()
      .section();
}

Section output_keys() {
  return Keys<Output>("output", &Case::output, "Files of results.")
      .add("directory", &Output::directory, path(),
           {.initially = "`out/CASE` beside the case file, of a shipped case in the working directory",
            .text = "Folder of the results. CASE is the case file's name without extension."})
      .add("reference", &Output::reference, path(),
           {.text = "Folder of the results of a finished run without the object: fluxes are then also shares of its "
                    "incident energy, in `shares.csv` ([below](#shares-of-the-incident-energy))."})
      .add("fields", &Output::fields, words({"E", "H", "E_amplitude", "SAR"}, {"auto", "none"}),
           {.text = "What the VTK files contain. Of a Fourier transform `E` and `H` are real and imaginary parts (on "
                    "tetrahedra `E` also the amplitude), `E_amplitude` the amplitude alone; without one they are the "
                    "present fields. `auto`: `E_amplitude SAR` where there is a transform, else `E H`, and `E H` in "
                    "snapshots. `none`: no VTK files but monitors."})
      .add("groups", &Output::groups, names({"brain sk*", "*"}),
           {.text = "Volumes that the VTK files show: names of volume groups on tetrahedra, of materials on grids, "
                    "where the box around all their cells is shown. `*` stands for any text."})
      .add("points", &Output::points, choice(output_points_names),
           {.needs = {{has<&Capabilities::tetrahedra>, "is of {owners}; {method} writes values of cells"}},
            .text = "Points of the cells: `shared` by the elements around a vertex, per volume, with one amplitude per "
                    "element, the root mean square; or `separate` for each element, with the polynomials' values, so "
                    "that jumps are shown. `auto`: shared for `E_amplitude SAR`, separate with `E` or `H` or a "
                    "`degree` above 1."})
      .add("degree", &Output::degree, integer(1, 6),
           {.initially = "1 of shared points, else the order, at most 2",
            .needs = {{has<&Capabilities::tetrahedra>, "is of {owners}; {method} writes values of cells"}},
            .text = "Polynomial degree of the cells."})
      .add("precision", &Output::precision, choice(file_precision_names),
           {.text = "Precision of numbers in VTK files."})
      .add("every", &Output::every, integer(0),
           {.unit = "steps",
            .needs = {every_step},
            .text = "Interval of snapshots of E and H (`snapshots.pvd`); 0: none."})
      .add("error", &Output::error, choice(switch_names),
           {.needs = {{has<&Capabilities::tetrahedra>, "is of {owners}; {method} has no polynomials to estimate it from"}},
            .text = "Estimate of the error in space at the end of the run, from the jumps between elements and the decay "
                    "over polynomial degrees: of E and H per material and of the largest SAR in the report, "
                    "`summary.json` and on the console, and per element in the last field file "
                    "([method](theory.md#estimate-of-the-error), [how good it is](verification.md#estimates-of-errors))."})
      .add("report_pictures", &Output::report_pictures, choice(switch_names),
           {.needs = {{has<&Capabilities::powers>, "is of {owners}; {method} measures no powers"}},
            .text = "Pictures of SAR and of the amplitude of E in `report.html`, where there is SAR in three "
                    "dimensions, of field monitors, and "
                    "in three dimensions always the view of bodies and fields that a pointer turns."})
      .add("energy_interval", &Output::energy_interval, integer(0),
           {.unit = "steps",
            .needs = {every_step},
            .formerly = "monitor",
            .text = "Interval of energy samples; 0: about a hundredth of the run, a multiple of 8 from 16 to 96."})
      .may_change()
      .section();
}

Section checkpoint_keys() {
  return Keys<Checkpoint>("checkpoint", &Case::checkpoint, "Files from which a run can be continued.")
      .needs({every_step})
      .add("every", &Checkpoint::every, number(Sign::not_negative),
           {.unit = "s", .text = "Wall time between checkpoints; 0: on request only."})
      .add("steps", &Checkpoint::steps, integer(0),
           {.unit = "steps", .text = "Checkpoints also at the multiples of this number of steps; 0: not."})
      .add("keep", &Checkpoint::keep, integer(1, 1000),
           {.text = "Number of checkpoints that are kept. Older ones are removed after a new one is complete."})
      .add("walltime", &Checkpoint::walltime, duration(),
           {.unit = "s",
            .initially = "none",
            .text = "Time that the program may take. The run ends before, in good time for a checkpoint and the "
                    "results."})
      .add("at_end", &Checkpoint::at_end, choice(switch_names),
           {.text = "Whether a checkpoint is also written after the last step, from which a longer run can continue."})
      .may_change()
      .section();
}

}  // namespace dgtd::config
