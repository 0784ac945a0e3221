#include "app/run/preview.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/problems/medium_curves.hpp"
#include "app/run/preview_views.hpp"
#include "app/run/report_rows.hpp"
#include "app/run/results.hpp"
#include "dgtd/base/log.hpp"
#include "dgtd/base/timers.hpp"
#include "dgtd/base/units.hpp"
#include "dgtd/io/report.hpp"
#include "dgtd/io/text_files.hpp"
#include "dgtd/parallel/root_or_throw.hpp"
#include "dgtd/parallel/together.hpp"

namespace dgtd::app {

namespace {

// Seconds per step of the empty fields: the least of some calls with twice as many steps each, until they have taken long
// enough. Collective.
double measured_step(solver::Solver& solver, std::int64_t most, const parallel::Communicator& comm) {
  constexpr double long_enough = 0.3;  // s
  double least = 1e300, total = 0;
  for (std::int64_t n = 1; solver.steps_done() + n <= most && total < long_enough; n *= 2) {
    const Timer timer;
    solver.advance(n);
    solver.wait();
    const double seconds = comm.max(timer.seconds());
    least = std::min(least, seconds / double(n)), total += seconds;
  }
  return least;
}

io::Section run_plan(const config::Case& c, Problem& problem, const MemoryPlan& memory,
                     const parallel::Communicator& comm) {
  io::Entries entries;
  const auto add = [&](std::string name, std::string value) {
    entries.list.push_back({std::move(name), std::move(value)});
  };
  add("Method", problem.summary.on_grid ? std::string(c.solver.method.name)
                                        : fmt::format("{}, order {}", c.solver.method.name, problem.summary.order));
  add("Precision", std::string(config::name_of(c.solver.precision)));
  add(problem.summary.on_grid ? "Cells" : "Elements", io::count(problem.elements));
  add("Ranks", fmt::format("{}", comm.size()));
  add("Time step", units::time_text(problem.plan.time_step));
  add("Steps", io::count(problem.plan.steps));
  if (problem.plan.steps_per_period > 0) add("Steps per period", io::count(problem.plan.steps_per_period));
  add("Simulated time", units::time_text(problem.plan.time_step * double(problem.plan.steps)));
  add("Memory per rank", units::size_text(memory.host));
  if (memory.device > 0) add("Device memory per rank", units::size_text(memory.device));
  if (c.solver.method.has.every_step) {
    const double step = measured_step(*problem.solver, problem.plan.steps, comm);
    add("Estimated time of the steps",
        fmt::format("{}: a step takes {} here, without Fourier sums and output",
                    units::time_text(step * double(problem.plan.steps), 2), units::time_text(step, 3)));
  }
  return {io::Chapter::method, "Run", {std::move(entries)}};
}

io::Section files_plan(const solver::Observers& observers, std::int64_t steps) {
  io::Table table{{{"Field file with its pieces"}, {"Size"}, {"Times"}}, {}};
  double total = 0;
  bool is_bound = false;
  for (const auto& observer : observers)
    for (const auto& file : observer->field_files(steps)) {
      if (file.count == 0) continue;
      table.rows.push_back(
          {{file.name, (file.is_bound ? "at most " : "") + units::size_text(file.bytes), io::count(file.count)}});
      total += file.bytes * double(file.count);
      is_bound = is_bound || file.is_bound;
    }
  table.rows.push_back({{"all", (is_bound ? "at most " : "") + units::size_text(total), ""}});
  return {io::Chapter::method, "Bytes of the results", {std::move(table)}};
}

std::optional<io::Section> resolution_table(const Problem& problem) {
  if (problem.resolution.rows.empty()) return {};
  const std::string unit = problem.summary.on_grid ? "Cells" : "Elements times order";
  io::Table table{{{"Material"}, {unit + " per wavelength"}, {unit + " per skin depth"}}, {}};
  for (const auto& row : problem.resolution.rows)
    table.rows.push_back({{row.material, io::number(row.per_wavelength), io::number(row.per_skin_depth)}});
  return io::Section{
      io::Chapter::model,
      "Resolution",
      {io::Note{fmt::format("At {}, the highest frequency of the case; mean over the volume of each material. Skin "
                            "depths are those of materials in which waves do not propagate.",
                            units::frequency_text(problem.resolution.frequency))},
       std::move(table)}};
}

std::string place_text(const Vec3& v, const units::Unit& unit) {
  return fmt::format("{:.4g}, {:.4g}, {:.4g}", v.x / unit.size, v.y / unit.size, v.z / unit.size);
}

std::string_view kind_of(config::Source::Type type) {
  using Type = config::Source::Type;
  switch (type) {
    case Type::dipole: return "dipole";
    case Type::plane_wave: return "plane wave";
    case Type::sheet: return "sheet";
    case Type::gaussian_beam: return "Gaussian beam";
    case Type::hard: break;
  }
  return "hard source";
}

Vec3 place_of(const config::Source& s) {
  using Type = config::Source::Type;
  return s.type == Type::sheet ? s.centre : s.type == Type::gaussian_beam ? s.focus : s.position;
}

// Sources, probes and regions with their places.
std::optional<io::Section> parts_table(const config::Case& c) {
  double farthest = 0;
  const auto see = [&](const Vec3& v) {
    for (int a = 0; a < 3; ++a) farthest = std::max(farthest, std::abs(v[a]));
  };
  for (const auto& s : c.sources) see(place_of(s));
  for (const auto& p : c.ports) see(p.centre);
  for (const auto& p : c.probes) see(p.position);
  const auto see_regions = [&](const auto& regions) {
    for (const auto& r : regions) see(r.centre), see(r.size);
  };
  see_regions(c.fluxes), see_regions(c.monitors), see_regions(c.far_fields);
  const units::Unit unit = units::for_places(farthest);
  io::Table table{{{"Name"},
                   {"Kind", true},
                   {fmt::format("Place or centre [{}]", unit.name), true},
                   {fmt::format("Size [{}]", unit.name), true},
                   {"Direction", true},
                   {"Frequency", true}},
                  {}};
  constexpr units::Unit one{"", 1};
  const auto kind_of_port = [](const config::Port& p) -> std::string {
    if (p.is_lumped()) return fmt::format("port, {:g} ohm", p.impedance);
    if (p.type == config::Port::Type::mode) return fmt::format("port, mode {}", p.mode_number());
    return p.type == config::Port::Type::coax ? "port, coax" : "port, waveguide";
  };
  for (const auto& s : c.sources)
    table.rows.push_back(
        {{s.name.empty() ? "source" : s.name, std::string(kind_of(s.type)), place_text(place_of(s), unit),
          s.type == config::Source::Type::sheet ? place_text(s.size, unit) : io::absent, place_text(s.direction, one),
          units::frequency_text(s.waveform.frequency)}});
  for (const auto& p : c.ports)
    table.rows.push_back(
        {{p.name, kind_of_port(p), p.faces.empty() ? place_text(p.centre, unit) : "faces of " + p.faces,
          p.faces.empty() ? place_text(p.size, unit) : io::absent, place_text(p.direction, one),
          p.is_excited() ? units::frequency_text(p.waveform.frequency) : io::absent}});
  for (const auto& p : c.probes)
    table.rows.push_back({{p.name, "probe", place_text(p.position, unit), io::absent, io::absent, io::absent}});
  const auto add_regions = [&](const char* kind, const auto& regions) {
    for (const auto& r : regions)
      table.rows.push_back({{r.name, kind, place_text(r.centre, unit), place_text(r.size, unit), io::absent,
                             fmt::format("{} to {}", units::frequency_text(r.frequencies.front()),
                                         units::frequency_text(r.frequencies.back()))}});
  };
  add_regions("flux", c.fluxes), add_regions("monitor", c.monitors), add_regions("far field", c.far_fields);
  if (table.rows.empty()) return {};
  return io::Section{io::Chapter::measurements, "Sources and measurements", {std::move(table)}};
}

std::optional<io::Section> walls_table(const config::Case& c, const Problem& problem) {
  io::Table table{{{"Boundary"}, {"Type", true}}, {}};
  if (problem.summary.on_grid) {
    const auto types = config::side_types(c);
    const char* const names[] = {"xmin", "xmax", "ymin", "ymax", "zmin", "zmax"};
    for (int s = 0; s < 2 * config::dimensions(c.solver.method); ++s)
      table.rows.push_back({{names[s], std::string(config::name_of(types[static_cast<std::size_t>(s)]))}});
  } else {
    for (const auto& b : c.boundaries) table.rows.push_back({{b.name, std::string(config::name_of(b.type))}});
  }
  if (table.rows.empty()) return {};
  return io::Section{io::Chapter::domain, "Walls", {std::move(table)}};
}

}  // namespace

void write_preview(const config::Case& c, Problem& problem, const solver::Observers& observers,
                   const MemoryPlan& memory, const parallel::Communicator& comm) {
  io::Page page;
  page.title = c.name + ": before the run";
  page.subtitle = fmt::format("dgtd {}", DGTD_VERSION);
  const auto add = [&](std::optional<io::Section> section) {
    if (section) page.sections.push_back(std::move(*section));
  };
  for (auto& section : preview_views(c, problem, comm)) page.sections.push_back(std::move(section));
  for (const io::Section& section : problem.summary.sections) page.sections.push_back(section);
  add(walls_table(c, problem));
  add(parts_table(c));
  io::Summary materials;
  add_materials(c, materials);
  for (auto& section : materials.sections) page.sections.push_back(std::move(section));
  add(medium_curves(c));
  add(resolution_table(problem));
  add(files_plan(observers, problem.plan.steps));
  add(run_plan(c, problem, memory, comm));
  page.warnings = log::warnings();
  page.resolved_case = config::resolved_text(c);
  parallel::together(comm, [&] { io::make_directory(c.output.directory); });
  const auto file = c.output.directory / "preview.html";
  parallel::root_or_throw(comm, [&] { io::write_text(file, io::page_html(page)); });
  log::info("preview in {}: open it in a browser", file.string());
}

}  // namespace dgtd::app
