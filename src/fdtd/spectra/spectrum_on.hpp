#pragma once
// Running Fourier sums over samples of E and H. Memory for the sums is what they cost: eight instants are kept and
// added together, so that the sums are read and written once in eight.
#include <cmath>
#include <cstdint>

#include "dgtd/fdtd/engine.hpp"
#include "dgtd/parallel/backend.hpp"

namespace dgtd::fdtd {

inline constexpr int instants_together = 8;

/// cos and sin of E's and H's times, times the weight, [frequency][4].
template <class Real>
struct PhaseFactors {
  const double* angular;
  Real* factors;
  double electric_time, magnetic_time, weight;
  DGTD_HOST_DEVICE void operator()(std::int64_t f) const {
    factors[4 * f] = static_cast<Real>(weight * ::cos(angular[f] * electric_time));
    factors[4 * f + 1] = static_cast<Real>(weight * ::sin(angular[f] * electric_time));
    factors[4 * f + 2] = static_cast<Real>(weight * ::cos(angular[f] * magnetic_time));
    factors[4 * f + 3] = static_cast<Real>(weight * ::sin(angular[f] * magnetic_time));
  }
};

/// The samples of E and, behind them, of H now.
template <class Stored>
struct TakeInstant {
  using Real = arithmetic_t<Stored>;
  const Stored *electric, *magnetic;
  const std::uint64_t *electric_index, *below, *above;  // above: null where H is taken as it is
  const double* weight_below;
  Real unit, magnetic_unit;  // V/m, of E, H
  Real* instant;             // [n_E + n_H] V/m
  std::int64_t electric_samples;
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const {
    if (i < electric_samples) {
      instant[i] = unit * electric[electric_index[i]];
      return;
    }
    const std::int64_t n = i - electric_samples;
    if (above == nullptr) {
      instant[i] = magnetic_unit * magnetic[below[n]];
      return;
    }
    const Real w = static_cast<Real>(weight_below[n]);
    instant[i] = magnetic_unit * (w * magnetic[below[n]] + (1 - w) * magnetic[above[n]]);
  }
};

/// sums += field exp(i w t) over `instants` instants, for `together` samples of one field and all frequencies.
template <class Real, int together, int instants>
struct AddInstants {
  const Real* values;       // [instant][n_E + n_H]
  const Real* factors;      // [instant][frequency][4]
  Real* sums;               // [frequency][Re E n_E, Im E n_E, Re H n_H, Im H n_H]
  std::int64_t samples[2];  // n_E, n_H
  std::int64_t electric_groups, frequencies;
  DGTD_HOST_DEVICE void operator()(std::int64_t group) const {
    const bool of_electric = group < electric_groups;
    const std::int64_t first = (of_electric ? group : group - electric_groups) * together,
                       all = samples[0] + samples[1];
    const std::int64_t n = samples[of_electric ? 0 : 1];
    const int count = n - first < together ? static_cast<int>(n - first) : together;
    const Real* const from = values + (of_electric ? 0 : samples[0]) + first;
    for (std::int64_t f = 0; f < frequencies; ++f) {
      Real* const real = sums + 2 * (f * all + (of_electric ? 0 : samples[0])) + first;
      Real* const imag = real + n;
      Real c[instants], s[instants];
      for (int k = 0; k < instants; ++k) {
        const Real* const factor = factors + (k * frequencies + f) * 4 + (of_electric ? 0 : 2);
        c[k] = factor[0], s[k] = factor[1];
      }
#if !defined(__CUDACC__)
#pragma omp simd
#endif
      for (int i = 0; i < count; ++i) {
        Real re = c[0] * from[i], im = s[0] * from[i];
        for (int k = 1; k < instants; ++k) {
          re += c[k] * from[k * all + i];
          im += s[k] * from[k * all + i];
        }
        real[i] += re;
        imag[i] += im;
      }
    }
  }
};

template <class Stored, class Backend>
class SpectrumOn final : public Spectrum {
  using Real = arithmetic_t<Stored>;

 public:
  SpectrumOn(const SpectrumSamples& samples, const std::vector<double>& angular_frequencies, double time_step,
             const Backend& backend, parallel::Storage& storage, const Engine<Stored>& engine,
             parallel::Array<Stored>& electric, parallel::Array<Stored>& magnetic)
      : backend_(backend),
        engine_(engine),
        electric_(electric),
        magnetic_(magnetic),
        time_step_(time_step),
        frequencies_(static_cast<std::int64_t>(angular_frequencies.size())),
        count_{static_cast<std::int64_t>(samples.electric.size()),
               static_cast<std::int64_t>(samples.magnetic_below.size())},
        electric_index_(storage.copy(samples.electric)),
        below_(storage.copy(samples.magnetic_below)),
        above_(storage.copy(samples.magnetic_above)),
        weight_below_(storage.copy(samples.weight_below)),
        angular_(storage.copy(angular_frequencies)),
        instants_(storage.zeros<Real>(std::size_t{instants_together} * this->samples())),
        factors_(storage.zeros<Real>(std::size_t{instants_together} * 4 * angular_frequencies.size())),
        totals_(storage.zeros<Real>(2 * angular_frequencies.size() * this->samples())) {}

  void add(double time, double weight) override {
    const auto samples = static_cast<std::int64_t>(this->samples());
    if (samples == 0) return;
    backend_.for_each(frequencies_, PhaseFactors<Real>{angular_.read(), factors_.write() + waiting_ * 4 * frequencies_,
                                                       time, time - 0.5 * time_step_, weight});
    backend_.for_each(
        samples, TakeInstant<Stored>{electric_.read(), magnetic_.read(), electric_index_.read(), below_.read(),
                                     above_.read(), weight_below_.read(), static_cast<Real>(engine_.unit()),
                                     static_cast<Real>(engine_.magnetic_unit()), instants_.write() + waiting_ * samples,
                                     count_[0]});
    if (++waiting_ == instants_together) add_instants();
  }
  std::vector<double> sums(std::size_t first, std::size_t count) const override {
    add_instants();
    const auto values = totals_.part(first * 2 * samples(), count * 2 * samples());
    return {values.begin(), values.end()};
  }

  void add_persistent(const std::string& name, const std::shared_ptr<const solver::Items>& electric,
                      const std::shared_ptr<const solver::Items>& magnetic,
                      std::vector<solver::PersistentArray>& list) override {
    const auto all = static_cast<std::uint64_t>(samples());
    for (const bool of_electric : {true, false}) {
      const std::uint64_t count = static_cast<std::uint64_t>(count_[of_electric ? 0 : 1]),
                          before = of_electric ? 0 : static_cast<std::uint64_t>(count_[0]);
      std::vector<std::uint64_t> offsets;
      for (std::int64_t f = 0; f < frequencies_; ++f)
        for (std::uint64_t part = 0; part < 2; ++part)
          offsets.push_back(2 * (static_cast<std::uint64_t>(f) * all + before) + part * count);
      const auto& items = of_electric ? electric : magnetic;
      const std::string field = of_electric ? ", E" : ", H";
      list.push_back(solver::persistent(name + field, items, totals_, std::move(offsets)));
      list.push_back(solver::persistent(name + field + ", instants", items, instants_,
                                        solver::offsets_from(before, all, instants_together)));
    }
  }
  void save(const std::string& name, solver::State& state) const override {
    if (samples() == 0) return;
    const auto factors = factors_.part(0, factors_.size());
    state.set_numbers(name + ", instants", {double(waiting_)}, solver::State::Held::by_owner);
    state.set_numbers(name + ", factors", {factors.begin(), factors.end()}, solver::State::Held::by_owner);
  }
  void load(const std::string& name, const solver::State& state) override {
    if (!state.has(name + ", instants")) return;
    waiting_ = static_cast<int>(state.numbers(name + ", instants").at(0));
    const auto& factors = state.numbers(name + ", factors");
    Real* const to = factors_.host_for_writing();
    for (std::size_t i = 0; i < factors_.size(); ++i) to[i] = static_cast<Real>(factors.at(i));
  }

 private:
  std::size_t samples() const { return electric_index_.size() + below_.size(); }
  void add_instants() const {
    if (waiting_ == instants_together) add_together<instants_together>(0);
    else
      for (int k = 0; k < waiting_; ++k) add_together<1>(k);
    waiting_ = 0;
  }
  // So many instants from the k-th on.
  template <int instants>
  void add_together(int k) const {
    constexpr int together = Backend::samples_together;
    const std::int64_t groups[2] = {(count_[0] + together - 1) / together, (count_[1] + together - 1) / together};
    backend_.for_each(groups[0] + groups[1],
                      AddInstants<Real, together, instants>{instants_.read() + k * (count_[0] + count_[1]),
                                                            factors_.read() + k * 4 * frequencies_,
                                                            totals_.write(),
                                                            {count_[0], count_[1]},
                                                            groups[0],
                                                            frequencies_});
  }

  const Backend& backend_;
  const Engine<Stored>& engine_;
  parallel::Array<Stored>&electric_, &magnetic_;
  double time_step_;                     // s
  std::int64_t frequencies_, count_[2];  // n_E, n_H
  parallel::Array<std::uint64_t> electric_index_, below_, above_;
  parallel::Array<double> weight_below_, angular_;
  parallel::Array<Real> instants_;        // [instant][n_E + n_H] that are not yet in the sums
  parallel::Array<Real> factors_;         // [instant][frequency][4]
  mutable parallel::Array<Real> totals_;  // [frequency][Re E n_E, Im E n_E, Re H n_H, Im H n_H]
  mutable int waiting_ = 0;               // instants
};

}  // namespace dgtd::fdtd
