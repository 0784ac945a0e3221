#pragma once
// A pass over a volume grid by the kernels of a device, emulated: tile by tile, in a random order.
#include <random>

#include "emulated_volume_kernels.hpp"
#include "fdtd/engine/cpu_backend.hpp"
#include "fdtd/steps/passes/volume_pass_arrays.hpp"

namespace dgtd::fdtd {

template <class Stored>
class EmulatedVolumePass final : public VolumePass<Stored> {
 public:
  EmulatedVolumePass(const Discretisation<float>& d, const VolumeTables& tables, const PassTerms& terms,
                     const PassFields<Stored>& fields, float length, unsigned seed)
      : d_(d),
        arrays_(d, tables, terms, fields, most_steps_of_volume_pass, length, parallel::host_memory(), for_each),
        random_(seed) {
    for (const auto& group : tables.groups)
      for (const VolumeTask& task : group.tasks) tiles_.push_back({find_emulated_kernel<Stored>(group.content), task});
  }
  int steps() const override { return most_steps_of_volume_pass; }
  double bytes() const override { return arrays_.storage().bytes(); }

  void run(const PassStart& start, const PassFields<Stored>& fields) override {
    arrays_.step()[0] = start.step, arrays_.step()[1] = start.record;
    std::copy(start.units.begin(), start.units.end(), arrays_.units());
    for_each(arrays_.number_of_values(), arrays_.values());
    for_each(arrays_.number_of_port_places(), arrays_.ports_before());
    std::shuffle(tiles_.begin(), tiles_.end(), random_);
    for (const auto& [kernel, task] : tiles_) {
      const CUtensorMap electric = map_of(*fields.field[0], kernel), magnetic = map_of(*fields.field[1], kernel);
      VolumeView v = arrays_.view(fields);
      std::vector<unsigned> pace(1 + VolumeTileShape::most_planes + 2 * most_steps_of_volume_pass);
      v.tasks = &task;
      v.pace = pace.data();
      v.pace_wave = 1, v.pace_planes = static_cast<unsigned>(pace.size()) - 1;
      kernel.run(electric, magnetic, v, 0, random_());
    }
    for_each(arrays_.number_of_entries(), arrays_.work());
    for_each(arrays_.number_of_edges(), arrays_.ports_after());
    arrays_.exchange(fields);
  }

 private:
  static constexpr auto for_each = [](std::int64_t n, const auto& f) {
    for (std::int64_t i = 0; i < n; ++i) f(i);
  };
  CUtensorMap map_of(const parallel::Array<Stored>& field, const EmulatedVolumeKernel& kernel) const {
    const GridLayout& l = d_.layout;
    const int bytes = sizeof(Stored);
    return {reinterpret_cast<const unsigned char*>(field.read()),
            bytes,
            {l.row, std::int64_t{tile_cells(1)} * l.tiles[1] + 2, l.stored_planes(), 3},
            {bytes, l.row * bytes, l.plane * bytes, l.reals * bytes},
            {kernel.columns, kernel.rows, 1, 3}};
  }

  const Discretisation<float>& d_;
  VolumePassArrays<Stored> arrays_;
  std::vector<std::pair<EmulatedVolumeKernel, VolumeTask>> tiles_;
  std::mt19937 random_;
};

/// CPU threads with such passes.
class EmulatingBackend : public CpuBackend {
 public:
  using CpuBackend::CpuBackend;
  static constexpr int multiprocessors = 8;  // few, so that tasks are long
  static constexpr int cells_together = 1;   // as on a device
  static constexpr bool half_arithmetic = true;
  template <class Stored>
  static constexpr bool has_volume_passes = !std::is_same_v<Stored, double>;
  template <class Stored>
  VolumePassOr<Stored> make_volume_pass(const Discretisation<float>& d, const PassTerms& terms,
                                        const VolumeMargins& margins, const std::optional<HalfUnits>& half,
                                        const PassFields<Stored>& fields, double, Timers&) {
    const VolumeTables tables = volume_tables(d, terms.lists, most_steps_of_volume_pass, multiprocessors, half, margins,
                                              terms.indices_of_ports());
    if (!tables.why_not.empty()) return {nullptr, tables.why_not};
    return {std::make_unique<EmulatedVolumePass<Stored>>(d, tables, terms, fields, half ? half->length : 1, 1), ""};
  }
};

}  // namespace dgtd::fdtd
