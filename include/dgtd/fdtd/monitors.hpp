#pragma once
// Fourier sums on surfaces and in regions of a grid (solver::RegionSpectra).
#include <array>
#include <variant>
#include <vector>

#include "dgtd/fdtd/field_region.hpp"
#include "dgtd/fdtd/flux.hpp"
#include "dgtd/fdtd/running_spectrum.hpp"

namespace dgtd::fdtd {

template <class Stored>
class Monitors {
 public:
  using Real = arithmetic_t<Stored>;
  /// All outlive this; imaginary: null where fields are real. shown: the block without the layer of an upper magnetic
  /// wall. bloch_phase: grid::Setup. highest_frequency: of the sources, Hz.
  Monitors(const Discretisation<Real>& d, Engine<Stored>& engine, Engine<Stored>* imaginary, const grid::Block& shown,
           const std::array<double, 3>& bloch_phase, double highest_frequency, const parallel::Communicator& comm)
      : d_(d),
        engine_(engine),
        imaginary_(imaginary),
        shown_(shown),
        bloch_phase_(bloch_phase),
        highest_frequency_(highest_frequency),
        comm_(comm) {}

  // As in solver::RegionSpectra.
  std::size_t add(const solver::Region& region);
  const solver::RegionSamples& samples(std::size_t region) const { return regions_[region].samples; }
  std::int64_t sampling_interval(std::size_t region) const;
  /// After so many steps.
  void accumulate(std::size_t region, std::int64_t steps_done, double weight) {
    regions_[region].spectrum.add(steps_done, weight);
  }
  solver::RegionSums sums(std::size_t region, std::size_t frequency) const;

  void save(solver::State& state) const;
  void load(const solver::State& state);
  void add_persistent(std::vector<solver::PersistentArray>& list);

 private:
  struct Cells {
    FieldRegion region;
    SampleRanges ranges;      // of this rank
    bool electric, magnetic;  // kept
  };
  struct SummedRegion {
    solver::RegionSamples samples;
    std::variant<SpectrumSamples, Cells> fields;  // a surface's samples in the fields, or what cells are made of
    RunningSpectrum<Stored> spectrum;
  };
  RunningSpectrum<Stored> spectrum(const SpectrumSamples& samples, const std::vector<double>& frequencies) {
    return {samples, frequencies, d_.time_step, engine_, imaginary_};
  }
  std::vector<std::string> names() const;  // [region] in checkpoints

  const Discretisation<Real>& d_;
  Engine<Stored>& engine_;
  Engine<Stored>* imaginary_;
  const grid::Block shown_;
  const std::array<double, 3> bloch_phase_;
  const double highest_frequency_;
  const parallel::Communicator& comm_;
  std::vector<SummedRegion> regions_;
};

}  // namespace dgtd::fdtd
