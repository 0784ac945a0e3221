#include "dgtd/observers/box_snapshots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/base/log.hpp"
#include "dgtd/base/units.hpp"
#include "dgtd/io/numpy_output.hpp"
#include "dgtd/io/results.hpp"
#include "dgtd/parallel/root_or_throw.hpp"

namespace dgtd::observers {
namespace {

using Field = solver::Quantity::Field;

std::vector<Field> fields_of(const physics::Snapshot& s) {
  std::vector<Field> fields;
  for (const auto& name : s.fields) fields.push_back(name == "E" ? Field::electric : Field::magnetic);
  return fields;
}
const char* letter(Field field) { return field == Field::electric ? "E" : "H"; }
const char* unit(Field field) { return field == Field::electric ? "V_per_m" : "A_per_m"; }

bool has_file(const physics::Snapshot& s, std::string_view kind) {
  return std::find(s.files.begin(), s.files.end(), kind) != s.files.end();
}

std::vector<io::Column> list_of(const physics::Snapshot& s) {
  std::vector<io::Column> list;
  for (const Field field : fields_of(s)) {
    if (!s.phasor) list.push_back({fmt::format("{}_{}", letter(field), unit(field)), 3});
    for (const char* part : {"real", "imag"})
      if (s.phasor) list.push_back({fmt::format("{}_{}_{}", letter(field), part, unit(field)), 3});
  }
  return list;
}

std::string stem_of(const physics::Snapshot& s, std::int64_t step) {
  return fmt::format("snapshot_{}_{:08}", s.name, step);
}

}  // namespace

void phasors_of_two_times(double first_phase, double second_phase, std::vector<float>& first,
                          std::vector<float>& second) {
  const double scale = 1 / std::sin(second_phase - first_phase);
  const double s1 = scale * std::sin(first_phase), c1 = scale * std::cos(first_phase),
               s2 = scale * std::sin(second_phase), c2 = scale * std::cos(second_phase);
  const auto n = static_cast<std::ptrdiff_t>(first.size());
#pragma omp parallel for schedule(static)
  for (std::ptrdiff_t i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const double f1 = double(first[at]), f2 = double(second[at]);
    first[at] = static_cast<float>(f1 * s2 - f2 * s1);
    second[at] = static_cast<float>(f2 * c1 - f1 * c2);
  }
}

BoxSnapshots::BoxSnapshots(std::vector<physics::Snapshot> snapshots, double frequency, double time_step,
                           const MakeBoxCells& make, io::ResultFiles& files, io::FilePrecision precision,
                           const parallel::Communicator& comm)
    : snapshots_(std::move(snapshots)),
      frequency_(frequency),
      time_step_(time_step),
      files_(files),
      precision_(precision),
      comm_(comm) {
  const double dt = time_step;
  for (std::size_t n = 0; n < snapshots_.size(); ++n) {
    auto made = make(snapshots_[n]);
    const solver::RegionCells& cells = made->cells();
    boxes_.push_back({std::move(made), {cells.whole.first, cells.whole.last}, {cells.mine.first, cells.mine.last}});
    for (const double time : snapshots_[n].times) {
      constexpr double most_steps = 1e15;  // of any run
      const auto step = std::max<std::int64_t>(1, std::llround(std::min(time / dt, most_steps)));
      const auto quarter =
          std::max<std::int64_t>(1, frequency > 0 ? std::llround(std::min(0.25 / (frequency * dt), most_steps)) : 0);
      due_.push_back({n, step, snapshots_[n].phasor ? step + quarter : 0});
    }
  }
}

std::vector<std::string> BoxSnapshots::times_within(std::size_t snapshot, std::int64_t after, std::int64_t last) const {
  std::vector<std::string> texts;
  std::size_t next = 0;
  for (const Due& due : due_) {
    if (due.snapshot != snapshot) continue;
    const double time = snapshots_[snapshot].times[next++];
    const std::int64_t step = std::max(due.step, due.second);
    if (step > after && step <= last) texts.push_back(units::time_text(time));
  }
  return texts;
}

std::string BoxSnapshots::late_text(std::size_t snapshot, const std::vector<std::string>& times,
                                    std::int64_t steps) const {
  const physics::Snapshot& s = snapshots_[snapshot];
  return fmt::format("{}: snapshot.{}: times: {} {} after the end of the run at {}{}", s.origin, s.name,
                     fmt::join(times, ", "), times.size() > 1 ? "are" : "is",
                     units::time_text(double(steps) * time_step_),
                     s.phasor ? " or less than a quarter of a period before it" : "");
}

void BoxSnapshots::check_times(std::int64_t steps) {
  planned_ = steps;
  for (std::size_t n = 0; n < snapshots_.size(); ++n) {
    const auto late = times_within(n, steps, std::numeric_limits<std::int64_t>::max());
    if (late.empty()) continue;
    if (late.size() == snapshots_[n].times.size()) throw Error(late_text(n, late, steps) + "; there would be no file");
    log::warn("{}, and not written", late_text(n, late, steps));
  }
}

io::GridFile BoxSnapshots::grid_file(std::size_t snapshot, io::Columns columns) const {
  const Box& box = boxes_[snapshot];
  const solver::RegionCells& cells = box.cells->cells();
  return {cells.grid, box.whole, cells.empty ? nullptr : &box.mine, precision_, std::move(columns)};
}

std::int64_t BoxSnapshots::next(std::int64_t step) const {
  std::int64_t next = solver::never;
  for (const Due& due : due_)
    for (const std::int64_t at : {due.step, due.second})
      if (at >= step && at > 0) next = std::min(next, at);
  return next;
}

void BoxSnapshots::observe(const solver::Clock& clock) {
  for (Due& due : due_) {
    const physics::Snapshot& s = snapshots_[due.snapshot];
    if (s.phasor && due.step == clock.steps)
      for (const Field field : fields_of(s)) due.first[field] = boxes_[due.snapshot].cells->sample(field);
    const bool is_last = clock.steps == (s.phasor ? due.second : due.step);
    if (is_last && s.phasor && due.first.empty()) {
      log::warn(
          "{}: snapshot.{}: the run was continued between the two instants of the phasor at step {}, which is "
          "not written",
          s.origin, s.name, due.step);
    } else if (is_last) {
      write(due, clock);
      due.first.clear();
    }
  }
}

void BoxSnapshots::write(const Due& due, const solver::Clock& clock) {
  const physics::Snapshot& s = snapshots_[due.snapshot];
  const Box& box = boxes_[due.snapshot];
  const std::string stem = stem_of(s, due.step);
  std::vector<std::vector<float>> columns;
  for (const Field field : fields_of(s)) {
    std::vector<float> present = box.cells->sample(field), imaginary;
    if (s.phasor) {
      const double late = field == Field::electric ? 0 : clock.magnetic_lag, w = 2 * pi * frequency_ * clock.time_step;
      std::vector<float> first = due.first.at(field);
      phasors_of_two_times(w * (double(due.step) - late), w * (double(due.second) - late), first, present);
      imaginary = std::move(present);
      present = std::move(first);
    }
    if (has_file(s, "npy")) {
      io::CellPart part;
      for (int a = 0; a < 3; ++a) {
        part.whole[a] = box.whole.last[a] - box.whole.first[a];
        part.first[a] = box.mine.first[a] - box.whole.first[a];
        part.count[a] = box.cells->cells().empty ? 0 : box.mine.last[a] - box.mine.first[a];
      }
      const std::string name = fmt::format("{}_{}.npy", stem, letter(field));
      io::FileContents contents = io::contents_in_space({{fmt::format("{}_{}", letter(field), unit(field))}});
      contents.axes.insert(contents.axes.begin(), {"component", ""});
      parallel::root_or_throw(comm_, [&] { files_.add({name, io::Lifetime::kept, {}, {}, std::move(contents)}); });
      bytes_ += io::write_numpy(files_.directory() / name, part, present, imaginary, comm_);
    }
    columns.push_back(std::move(present));
    if (s.phasor) columns.push_back(std::move(imaginary));
  }
  if (!has_file(s, "vtk")) return;
  const auto fill = [&](std::size_t first, std::size_t count, std::span<double* const> values) {
    for (std::size_t c = 0; c < columns.size(); ++c)
      for (std::size_t i = 0; i < 3 * count; ++i) values[c][i] = double(columns[c][3 * first + i]);
  };
  bytes_ += io::write_vtr({files_, stem, io::Lifetime::kept}, grid_file(due.snapshot, {list_of(s), fill, 1}), comm_);
}

// A run that its fields end is shorter than planned.
void BoxSnapshots::finish(io::Results& results) {
  results.field_bytes += bytes_;
  const std::int64_t steps = results.summary.steps;
  for (std::size_t n = 0; n < snapshots_.size() && results.summary.interruption.empty(); ++n)
    if (const auto late = times_within(n, steps, planned_); !late.empty())
      log::warn("{}, which its fields have ended, and not written", late_text(n, late, steps));
}

std::vector<solver::FileSize> BoxSnapshots::field_files(std::int64_t steps) const {
  std::vector<solver::FileSize> files;
  for (std::size_t n = 0; n < snapshots_.size(); ++n) {
    const physics::Snapshot& s = snapshots_[n];
    std::int64_t count = 0;
    for (const Due& due : due_) count += due.snapshot == n && std::max(due.step, due.second) <= steps ? 1 : 0;
    const double cells = double(boxes_[n].whole.cells());
    if (has_file(s, "vtk"))
      files.push_back({fmt::format("snapshot_{}_STEP.pvtr", s.name),
                       double(comm_.sum(io::vtr_bytes(grid_file(n, {list_of(s), {}, 1})))), count});
    if (has_file(s, "npy"))
      files.push_back({fmt::format("snapshot_{}_STEP_E.npy", s.name), 128 + cells * (s.phasor ? 24 : 12),
                       count * static_cast<std::int64_t>(s.fields.size())});
  }
  return files;
}

solver::State BoxSnapshots::save() const {
  solver::State state;
  state.set_numbers("bytes", {double(bytes_)}, solver::State::Held::partial);
  return state;
}

void BoxSnapshots::load(const solver::State& state, std::int64_t) {
  bytes_ = static_cast<std::int64_t>(state.numbers("bytes").at(0));
}

}  // namespace dgtd::observers
