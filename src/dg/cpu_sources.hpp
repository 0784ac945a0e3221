#pragma once
// Sources on the CPU: currents inside the mesh, waves through its boundary.
#include "dgtd/dg/executor.hpp"
#include "dgtd/dg/face_trace.hpp"

namespace dgtd::dg {

template <class Real>
class CpuCurrent final : public Current<Real> {
 public:
  explicit CpuCurrent(CurrentCoefficients coefficients) : c_(std::move(coefficients)) {}
  void drive(Real* field, double f) override {
    for (std::size_t i = 0; i < c_.index.size(); ++i) {
      Real& u = field[c_.index[i]];
      u = static_cast<Real>(u + f * c_.kick[i]);
    }
  }
  void measure(const Real* field, double factor) override {
    double sum = 0;
    for (std::size_t i = 0; i < c_.index.size(); ++i) sum += c_.weight[i] * field[c_.index[i]];
    measured_ += factor * sum;
  }
  double measured() const override { return measured_; }

 private:
  CurrentCoefficients c_;
  double measured_ = 0;
};

template <class Real>
class CpuIncidentWriter final : public IncidentWriter<Real> {
 public:
  CpuIncidentWriter(const Discretisation<Real>& d, const IncidentWave& wave)
      : d_(d), wave_(wave), entries_(face_trace_entries(d.order)) {}
  void write_electric(Real* electric, double time, bool overwrite) override {
    write(electric, wave_.electric_along, time, overwrite);
  }
  void write_magnetic(Real* magnetic, double time, bool overwrite) override {
    write(magnetic, wave_.magnetic_along, time, overwrite);
  }

 private:
  void write(Real* field, const std::vector<double>& along, double time, bool overwrite) {
    const int nodes = entries_.face_nodes;
    const int* const a = entries_.a.data() + ghost_face * nodes;
    const int* const b = entries_.b.data() + ghost_face * nodes;
    const std::size_t stride = d_.layout.stride();
#pragma omp parallel for schedule(static)
    for (std::ptrdiff_t face = 0; face < static_cast<std::ptrdiff_t>(d_.absorbing_faces.size()); ++face) {
      double values[most_face_nodes];
      for (int j = 0; j < nodes; ++j) values[j] = physics::value(wave_.shape, time - wave_.delay[face * nodes + j]);
      Real* const first = field + d_.layout.first(d_.first_incident_slot + static_cast<std::uint32_t>(face));
      for (int r = 0; r < nodes; ++r) {
        const double f = incident_coefficient(wave_.interpolation.data(), values, nodes, r);
        Real& u_a = first[a[r] * stride];
        Real& u_b = first[b[r] * stride];
        u_a = (overwrite ? Real(0) : u_a) + static_cast<Real>(along[2 * face] * f);
        u_b = (overwrite ? Real(0) : u_b) + static_cast<Real>(along[2 * face + 1] * f);
      }
    }
  }
  const Discretisation<Real>& d_;
  IncidentWave wave_;
  FaceTraceEntries entries_;
};

}  // namespace dgtd::dg
