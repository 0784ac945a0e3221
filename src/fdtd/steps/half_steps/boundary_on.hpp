#pragma once
// The absorbing condition of a BoundaryList on a backend: E <- stored inner E + factor (new inner E - stored E).
#include "dgtd/fdtd/engine.hpp"
#include "dgtd/parallel/backend.hpp"

namespace dgtd::fdtd {

template <class Stored>
struct StoreBoundary {
  const Stored* field;
  const std::uint64_t *wall, *inner;
  arithmetic_t<Stored>* stored;  // [n][2] on the wall, inside
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const {
    stored[2 * i] = field[wall[i]];
    stored[2 * i + 1] = field[inner[i]];
  }
};
template <class Stored>
struct UpdateBoundary {
  using Real = arithmetic_t<Stored>;
  Stored* field;
  const std::uint64_t *wall, *inner;
  const Real *factor, *stored;
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const {
    field[wall[i]] = static_cast<Stored>(stored[2 * i + 1] + factor[i] * (Real(field[inner[i]]) - stored[2 * i]));
  }
};

template <class Stored, class Backend>
class BoundaryOn final : public BoundaryCondition {
  using Real = arithmetic_t<Stored>;

 public:
  BoundaryOn(const BoundaryList& list, const Backend& backend, parallel::Storage& storage,
             parallel::Array<Stored>& electric)
      : backend_(backend),
        electric_(electric),
        wall_(storage.copy(list.wall)),
        inner_(storage.copy(list.inner)),
        factor_(storage.copy(std::vector<Real>(list.factor.begin(), list.factor.end()))),
        stored_(storage.zeros<Real>(2 * list.wall.size())) {}

  void store() override {
    backend_.for_each(static_cast<std::int64_t>(wall_.size()),
                      StoreBoundary<Stored>{electric_.read(), wall_.read(), inner_.read(), stored_.write()});
  }
  void update() const override {
    backend_.for_each(
        static_cast<std::int64_t>(wall_.size()),
        UpdateBoundary<Stored>{electric_.write(), wall_.read(), inner_.read(), factor_.read(), stored_.read()});
  }

 private:
  const Backend& backend_;
  parallel::Array<Stored>& electric_;
  parallel::Array<std::uint64_t> wall_, inner_;
  parallel::Array<Real> factor_, stored_;
};

}  // namespace dgtd::fdtd
