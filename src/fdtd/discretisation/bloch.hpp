#pragma once
// Bloch's condition on periodic axes, u(x + L) = exp(i phase) u(x): fields are complex, held as two real fields, and
// what passes a side of the grid is turned.
#include <cmath>

#include "dgtd/fdtd/engine.hpp"
#include "dgtd/parallel/backend.hpp"

namespace dgtd::fdtd {

/// The ghosts of a half step that lie beyond the grid's end on this rank, with their turns.
template <class Real>
GhostPhases bloch_phases(const grid::Setup& setup, const Discretisation<Real>& d, HalfStep half);

/// A list with its entries times the cosine (sine) of the Bloch phase at their places, phase_a (x_a - origin_a) / L_a.
template <class Real>
SourceList bloch_part(const grid::Setup& setup, const Discretisation<Real>& d, const SourceList& list, bool imaginary);

/// real + i imag <- (cosine + i sine) (real + i imag).
template <class Stored>
struct ApplyBlochPhase {
  using Real = arithmetic_t<Stored>;
  Stored *real, *imag;
  const std::uint64_t* index;
  const Real *cosine, *sine;
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const {
    const std::uint64_t n = index[i];
    const Real a = real[n], b = imag[n];
    real[n] = static_cast<Stored>(cosine[i] * a - sine[i] * b);
    imag[n] = static_cast<Stored>(sine[i] * a + cosine[i] * b);
  }
};

/// The two engines have queues of their own: each waits for the other.
template <class Stored, class Backend>
class BlochPhaseOn final : public BlochPhase {
  using Real = arithmetic_t<Stored>;

 public:
  /// real, imaginary: the field that the half step reads; imaginary_engine computes the latter.
  BlochPhaseOn(const GhostPhases& list, const Backend& backend, parallel::Storage& storage,
               parallel::Array<Stored>& real, parallel::Array<Stored>& imaginary, Engine<Stored>& imaginary_engine)
      : backend_(backend),
        real_(real),
        imaginary_(imaginary),
        imaginary_engine_(imaginary_engine),
        index_(storage.copy(list.index)),
        cosine_(storage.copy(std::vector<Real>(list.cosine.begin(), list.cosine.end()))),
        sine_(storage.copy(std::vector<Real>(list.sine.begin(), list.sine.end()))) {}

  void apply() override {
    imaginary_engine_.wait();
    backend_.for_each(
        parallel::Queue::halo, static_cast<std::int64_t>(index_.size()),
        ApplyBlochPhase<Stored>{real_.write(), imaginary_.write(), index_.read(), cosine_.read(), sine_.read()});
    backend_.wait();
  }

 private:
  const Backend& backend_;
  parallel::Array<Stored>&real_, &imaginary_;
  Engine<Stored>& imaginary_engine_;
  parallel::Array<std::uint64_t> index_;
  parallel::Array<Real> cosine_, sine_;
};

}  // namespace dgtd::fdtd
