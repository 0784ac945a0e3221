#pragma once
// Running Fourier sums of a monitor over a whole run, of real fields or of complex ones in two engines.
#include "dgtd/fdtd/engine.hpp"

namespace dgtd::fdtd {

/// Memory that a spectrum takes on a rank, at most. real: bytes of a number.
double spectrum_bytes(double samples, std::size_t frequencies, double real);

template <class Stored>
class RunningSpectrum {
 public:
  /// frequencies: Hz; time_step: s. The engines outlive this; imaginary: null where fields are real.
  RunningSpectrum(const SpectrumSamples& samples, const std::vector<double>& frequencies, double time_step,
                  Engine<Stored>& engine, Engine<Stored>* imaginary);

  /// Adds the present fields, weighted by the seconds that the sample represents.
  void add(std::int64_t steps_done, double weight);
  /// Spectrum::sums of the whole fields.
  std::vector<double> sums(std::size_t first, std::size_t count) const;
  std::vector<double> sums() const { return sums(0, angular_.size()); }
  /// The functions of Spectrum for checkpoints, applied to both parts.
  void add_persistent(const std::string& name, const std::shared_ptr<const solver::Items>& electric,
                      const std::shared_ptr<const solver::Items>& magnetic, std::vector<solver::PersistentArray>& list);
  void save(const std::string& name, solver::State& state) const;
  void load(const std::string& name, const solver::State& state);
  const std::vector<double>& angular() const { return angular_; }  // rad/s

 private:
  std::vector<double> angular_;
  double time_step_;
  std::size_t electric_, magnetic_;  // samples on this rank
  std::unique_ptr<Spectrum> of_real_, of_imaginary_;
};

}  // namespace dgtd::fdtd
