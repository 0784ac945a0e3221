#include "dgtd/fdtd/running_spectrum.hpp"

#include "dgtd/base/constants.hpp"
#include "fdtd/spectra/spectrum_on.hpp"

namespace dgtd::fdtd {

namespace {

// sums <- sums + i imaginary, for `n` pairs of parts from `at` on.
void add_imaginary_part(std::vector<double>& sums, const std::vector<double>& imaginary, std::size_t at,
                        std::size_t n) {
  for (std::size_t i = at; i < at + n; ++i) {
    sums[i] -= imaginary[i + n];
    sums[i + n] += imaginary[i];
  }
}

}  // namespace

// Two sums a frequency, instants, and two indices and a weight.
double spectrum_bytes(double samples, std::size_t frequencies, double real) {
  return samples * ((2 * double(frequencies) + instants_together) * real + 2 * sizeof(std::uint64_t) + sizeof(double));
}

template <class Stored>
RunningSpectrum<Stored>::RunningSpectrum(const SpectrumSamples& samples, const std::vector<double>& frequencies,
                                         double time_step, Engine<Stored>& engine, Engine<Stored>* imaginary)
    : time_step_(time_step), electric_(samples.electric.size()), magnetic_(samples.magnetic_below.size()) {
  for (const double f : frequencies) angular_.push_back(2 * pi * f);
  of_real_ = engine.make_spectrum(samples, angular_);
  if (imaginary != nullptr) of_imaginary_ = imaginary->make_spectrum(samples, angular_);
}

template <class Stored>
void RunningSpectrum<Stored>::add(std::int64_t steps_done, double weight) {
  const double time = double(steps_done) * time_step_;
  of_real_->add(time, weight);
  if (of_imaginary_) of_imaginary_->add(time, weight);
}

template <class Stored>
std::vector<double> RunningSpectrum<Stored>::sums(std::size_t first, std::size_t count) const {
  auto sums = of_real_->sums(first, count);
  if (!of_imaginary_) return sums;
  const auto imaginary = of_imaginary_->sums(first, count);
  for (std::size_t f = 0; f < count; ++f) {
    const std::size_t at = 2 * f * (electric_ + magnetic_);
    add_imaginary_part(sums, imaginary, at, electric_);
    add_imaginary_part(sums, imaginary, at + 2 * electric_, magnetic_);
  }
  return sums;
}

template <class Stored>
void RunningSpectrum<Stored>::add_persistent(const std::string& name,
                                             const std::shared_ptr<const solver::Items>& electric,
                                             const std::shared_ptr<const solver::Items>& magnetic,
                                             std::vector<solver::PersistentArray>& list) {
  of_real_->add_persistent(name, electric, magnetic, list);
  if (of_imaginary_) of_imaginary_->add_persistent("imaginary " + name, electric, magnetic, list);
}

template <class Stored>
void RunningSpectrum<Stored>::save(const std::string& name, solver::State& state) const {
  of_real_->save(name, state);
  if (of_imaginary_) of_imaginary_->save("imaginary " + name, state);
}

template <class Stored>
void RunningSpectrum<Stored>::load(const std::string& name, const solver::State& state) {
  of_real_->load(name, state);
  if (of_imaginary_) of_imaginary_->load("imaginary " + name, state);
}

template class RunningSpectrum<Half>;
template class RunningSpectrum<float>;
template class RunningSpectrum<double>;

}  // namespace dgtd::fdtd
