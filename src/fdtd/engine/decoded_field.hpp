#pragma once
// A compressed field as a checkpoint keeps it: in V/m and in the type that it is computed in.
#include <memory>
#include <string>

#include "dgtd/base/half.hpp"
#include "dgtd/solver/persistent.hpp"

namespace dgtd::fdtd {

/// Decoded values of a field on the host, from the first access to release().
template <class Stored>
class DecodedField {
  using Real = arithmetic_t<Stored>;

 public:
  /// unit: V/m, at the time of an access and of release(). Both outlive this.
  DecodedField(parallel::Array<Stored>& field, const double& unit) : field_(field), unit_(unit) {}

  const Real* read() {
    if (values_.size() > 0) return values_.host();
    Real* const to = allocated();
    const Stored* const from = field_.host();
    const auto n = static_cast<std::int64_t>(field_.size());
    const auto unit = static_cast<Real>(unit_);
#pragma omp parallel for schedule(static)
    for (std::int64_t i = 0; i < n; ++i) to[i] = unit * from[i];
    return to;
  }
  /// Buffer to be changed: release() encodes the whole buffer, changed or not.
  Real* write() {
    (void)read();
    is_newer_ = true;
    return values_.host_for_writing();
  }
  void release() {
    if (is_newer_) {
      Stored* const to = field_.host_for_writing();
      const Real* const from = values_.host();
      const auto n = static_cast<std::int64_t>(field_.size());
      const auto per_unit = static_cast<Real>(1 / unit_);
#pragma omp parallel for schedule(static)
      for (std::int64_t i = 0; i < n; ++i) to[i] = static_cast<Stored>(per_unit * from[i]);
      is_newer_ = false;
    }
    values_ = parallel::Array<Real>();
    field_.release_host_copy();
  }

 private:
  Real* allocated() {
    if (values_.size() == 0) values_ = parallel::Array<Real>(field_.size());
    return values_.host_for_writing();
  }
  parallel::Array<Stored>& field_;
  const double& unit_;
  parallel::Array<Real> values_;
  bool is_newer_ = false;
};

/// The field under that name; offsets: of the components.
template <class Stored>
solver::PersistentArray persistent_decoded(std::string name, std::shared_ptr<const solver::Items> items,
                                           parallel::Array<Stored>& field, const double& unit,
                                           std::vector<std::uint64_t> offsets) {
  const auto decoded = std::make_shared<DecodedField<Stored>>(field, unit);
  return {std::move(name),
          std::move(items),
          std::move(offsets),
          sizeof(arithmetic_t<Stored>),
          [decoded]() -> const void* { return decoded->read(); },
          [decoded]() -> void* { return decoded->write(); },
          [decoded] { decoded->release(); },
          false};
}

}  // namespace dgtd::fdtd
