#pragma once
// What the driver and the monitors know of a numerical method. A new method is a new module that
// implements this, and one line in the driver's table.
//
// Time levels: after n steps E is at n dt and H at (n - 1/2) dt.
#include <array>
#include <complex>
#include <cstdint>
#include <string>
#include <vector>

#include "dgtd/base/vec3.hpp"

namespace dgtd::physics {

struct FieldSample {
  Vec3 electric;   // V/m
  Vec3 magnetic;   // A/m
};

using ComplexVec3 = std::array<std::complex<double>, 3>;

/// Where a run went wrong.
struct Trouble {
  std::int64_t element = 0;  // global id
  Vec3 centre;               // m
  std::string material;
};

class FieldSolver {
 public:
  virtual ~FieldSolver() = default;

  virtual double time_step() const = 0;               // s
  virtual std::int64_t steps_done() const = 0;        // n
  virtual std::int64_t unknowns() const = 0;          // all ranks
  virtual double compulsory_bytes_per_step() const = 0;  // all ranks; DESIGN "Performance figures"
  virtual double operations_per_step() const = 0;     // all ranks, the dense count of the paper

  /// One step, H then E, halos exchanged behind the interior elements. Where measure_energy is set the
  /// step also computes energy(), that of the time level before it.
  virtual void advance(bool measure_energy) = 0;

  /// Conserved energy 1/2 (E^n M_eps E^n + H^{n-1/2} M_mu H^{n+1/2}) of the last measured step, J, this rank's part.
  virtual double energy() const = 0;
  /// Work that the sources have done since the start, J, this rank's part.
  virtual double source_work() const = 0;
  /// An upper bound of the energy that incident fields have brought in, J, this rank's part.
  virtual double incident_work_bound() const = 0;
  /// A non-finite element, or else the one with the largest energy density. This rank only.
  virtual Trouble find_trouble(double& severity) const = 0;

  /// Accumulate E and H at the given angular frequencies with the time of each (H at its half step).
  virtual void start_dft(const std::vector<double>& angular_frequencies) = 0;
  /// Adds the present fields, weighted by the seconds that the sample stands for.
  virtual void accumulate_dft(double weight) = 0;

  /// Order-independent hash of E and H by global id, this rank's part (add modulo 2^64).
  virtual std::uint64_t fields_hash() const = 0;
  virtual double halo_wait_seconds() const = 0;
  virtual double memory_bytes() const = 0;            // arrays of this rank
};

}  // namespace dgtd::physics
