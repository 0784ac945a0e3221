#include "dgtd/observers/snapshots.hpp"

#include <fmt/format.h>

namespace dgtd::observers {

namespace {
constexpr const char* series_name = "snapshots.pvd";
std::string stem_of(std::int64_t step) { return fmt::format("snapshot_{:08}", step); }
}  // namespace

Snapshots::Snapshots(std::int64_t interval, const FieldWriter& writer, io::ResultFiles& files,
                     const parallel::Communicator& comm)
    : interval_(interval), writer_(writer), files_(files), comm_(comm) {
  if (comm.is_root()) series_.emplace(files.add({series_name, io::Lifetime::kept, {}, {}, {{{"t_s", "s"}}}}));
}

void Snapshots::list(std::int64_t step, double time) {
  steps_.push_back(static_cast<double>(step));
  times_.push_back(time);
  if (series_) series_->add(time, files_.directory() / writer_.index_name(stem_of(step)));
}

void Snapshots::observe(const solver::Clock& clock) {
  bytes_ += writer_.write_present({files_, stem_of(clock.steps), io::Lifetime::kept, series_name}, {});
  list(clock.steps, clock.electric_time());
}

std::vector<solver::FileSize> Snapshots::field_files(std::int64_t steps) const {
  return {{writer_.index_name("snapshot_STEP"), double(comm_.sum(writer_.bytes_present(0))), steps / interval_}};
}

solver::State Snapshots::save() const {
  solver::State state;
  state.set_numbers("steps", steps_);
  state.set_numbers("times", times_);
  state.set_numbers("bytes", {double(bytes_)}, solver::State::Held::partial);
  return state;
}

void Snapshots::load(const solver::State& state, std::int64_t) {
  const auto &steps = state.numbers("steps"), &times = state.numbers("times");
  for (std::size_t i = 0; i < steps.size(); ++i) list(static_cast<std::int64_t>(steps[i]), times.at(i));
  bytes_ = static_cast<std::int64_t>(state.numbers("bytes").at(0));
}

}  // namespace dgtd::observers
