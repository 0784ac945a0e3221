#pragma once
// A current dipole (report 7592, eq. 10): J_s = m f(t) rho(x - x_d) e, m = current times length.
//
// rho is the report's delta function for radius 0. Under the centered flux a point current, which is inside
// one element, feeds the spurious modes of the scheme: the power that it radiates does not converge
// (docs/theory.md). So by default rho is the bump c (1 - r^2/R^2)^4 over the free space around the dipole, its integral
// over the mesh being one, divided by its form factor at the frequency of the source, so that it radiates as
// the point would.
#include <functional>
#include <vector>

#include "dgtd/physics/source.hpp"
#include "dgtd/dg/discretisation.hpp"
#include "dgtd/dg/executor.hpp"
#include "dgtd/parallel/communicator.hpp"

namespace dgtd::dg {

/// The element that holds a point: the lowest global id of those that do (on faces several might),
/// and the rank that owns it. Collective. Throws Error where no element does.
struct PointLocation {
  bool mine = false;
  std::uint32_t element = 0;  // local, where mine
  std::array<double, 4> barycentric{};
  int rank = 0;
};
PointLocation locate(const mesh::Subdomain& mesh, const Vec3& point, const std::string& what,
                     const parallel::Communicator& comm);

/// Coefficients to which a current adds, and the functional of the field for its work.
struct CurrentCoefficients {
  std::vector<std::uint64_t> index;  // [n] in the field array
  std::vector<double> increment;     // [n] change of the coefficient for f = 1
  std::vector<double> weight;        // [n] integral rho E . e = sum weight u, V/m
  // The same in the state of the poles of dispersive elements: a change dE by the source changes v by C1 dE and P by
  // C1 dE / 2 (kernels/poles.hpp).
  std::vector<std::uint64_t> pole_index;
  std::vector<double> pole_increment;
};

/// The change of -E, V/m, per current density, A/m^2, in a step of an integrator: dt / eps where nothing is averaged in
/// time.
using CurrentResponse = std::function<double(const physics::Medium&)>;

/// Those of a dipole on this rank: f = 1 is its moment. Collective. Throws Error.
template <class Real>
CurrentCoefficients dipole_coefficients(const Discretisation<Real>& d, const physics::Source& source,
                                        const CurrentResponse& response, const parallel::Communicator& comm);

/// A current on an executor.
template <class Real>
class Current {
 public:
  Current(const CurrentCoefficients& coefficients, parallel::Memory& memory)
      : index_(coefficients.index, memory),
        increment_(coefficients.increment, memory),
        weight_(coefficients.weight, memory),
        pole_index_(coefficients.pole_index, memory),
        pole_increment_(coefficients.pole_increment, memory),
        voltage_(1, memory),
        measured_(1, memory) {}

  /// u += f increment, of E and of what poles keep.
  void add(Executor<Real>& executor, Field<Real>& electric, const LoopNumber& f) const {
    if (size() > 0) executor.for_each(size(), AddCurrent<Real>{electric.write(), index_.read(), increment_.read(), f});
    const auto of_poles = static_cast<std::int64_t>(pole_index_.size());
    if (of_poles > 0)
      executor.for_each(of_poles, AddCurrent<Real>{executor.states()[state_of_poles].write(), pole_index_.read(),
                                                   pole_increment_.read(), f});
  }
  /// measured += factor (integral rho E . e at the last call + now)
  void measure(Executor<Real>& executor, const Field<Real>& electric, const LoopNumber& factor) {
    if (size() > 0)
      executor.add_work(size(), {electric.read(), index_.read(), weight_.read()}, factor, voltage_.write(),
                        measured_.write());
  }
  /// For whole steps on the executor; not of dispersive elements.
  StepCurrent for_steps() { return {&index_, &increment_, &weight_, &voltage_, &measured_}; }
  /// Integral of rho E . e over a field on this rank, V/m where E is in V/m.
  double voltage(Executor<Real>& executor, const Field<Real>& electric) const {
    if (size() == 0) return 0;
    parallel::Array<double> last(1, executor.memory()), sum(1, executor.memory());
    executor.add_work(size(), {electric.read(), index_.read(), weight_.read()}, 1.0, last.write(), sum.write());
    return sum.part(0, 1).front();
  }
  double measured() const { return measured_.part(0, 1).front(); }
  void set_measured(double value) { *measured_.host_for_writing() = value; }

 private:
  std::int64_t size() const { return static_cast<std::int64_t>(index_.size()); }
  parallel::Array<std::uint64_t> index_;
  parallel::Array<double> increment_, weight_;
  parallel::Array<std::uint64_t> pole_index_;
  parallel::Array<double> pole_increment_;
  parallel::Array<double> voltage_;   // [1] integral rho E . e at the last call of measure, V/m
  parallel::Array<double> measured_;  // [1]
};

}  // namespace dgtd::dg
