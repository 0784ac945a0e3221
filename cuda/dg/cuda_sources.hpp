#pragma once
// Sources on the device: currents inside the mesh, waves through its boundary.
#include "../parallel/cuda_memory.hpp"
#include "trace_streams.hpp"
#include "dgtd/dg/executor.hpp"

namespace dgtd::dg {

template <class Real>
class CudaCurrent final : public Current<Real> {
 public:
  CudaCurrent(const CurrentCoefficients& coefficients, TraceStreams& streams)
      : streams_(streams),
        index_(coefficients.index),
        kick_(coefficients.kick),
        weight_(coefficients.weight),
        measured_(std::vector<double>{0}) {}
  void drive(Real* field, double f) override;
  void measure(const Real* field, double factor) override;
  double measured() const override;

 private:
  TraceStreams& streams_;
  parallel::DeviceArray<std::uint64_t> index_;   // [n] in the field array
  parallel::DeviceArray<double> kick_, weight_;  // [n]
  parallel::DeviceArray<double> measured_;       // [1]
};

template <class Real>
class CudaIncidentWriter final : public IncidentWriter<Real> {
 public:
  CudaIncidentWriter(const Discretisation<Real>& d, const IncidentWave& wave, const TraceStreams& streams);
  void write_electric(Real* electric, double time, bool overwrite) override {
    write(electric, electric_along_.data(), time, overwrite);
  }
  void write_magnetic(Real* magnetic, double time, bool overwrite) override {
    write(magnetic, magnetic_along_.data(), time, overwrite);
  }

 private:
  void write(Real* field, const double* along, double time, bool overwrite);
  const TraceStreams& streams_;
  physics::WaveformShape shape_;
  int order_, face_nodes_, faces_;
  std::uint32_t first_slot_;
  parallel::DeviceArray<double> delay_;                            // [faces][Nf] s
  parallel::DeviceArray<double> electric_along_, magnetic_along_;  // [faces][2]
  parallel::DeviceArray<double> interpolation_;                    // [Nf][Nf]
  parallel::DeviceArray<int> entry_a_, entry_b_;                   // [Nf] of the ghost face
  parallel::DeviceArray<double> values_;                           // [faces][Nf] the waveform at the points
};

}  // namespace dgtd::dg
