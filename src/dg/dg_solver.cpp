#include "dgtd/dg/dg_solver.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/dg/element_geometry.hpp"

namespace dgtd::dg {

template <class Real>
DgSolver<Real>::DgSolver(std::unique_ptr<Discretisation<Real>> d, double dt, const std::vector<config::Source>& sources,
                         const std::vector<std::string>& material_names, const parallel::Communicator& comm)
    : d_(std::move(d)), comm_(comm), kernels_(kernel_table<Real>(d_->order)), material_names_(material_names), dt_(dt),
      electric_(d_->field_reals()), magnetic_(d_->field_reals()), electric_traces_(*d_, comm), magnetic_traces_(*d_, comm),
      mass_(d_->order) {
  d_->set_time_step(dt);
  electric_arrays_ = d_->arrays(d_->electric);
  magnetic_arrays_ = d_->arrays(d_->magnetic);
  for (const auto& source : sources) {
    if (source.type == config::Source::Type::dipole) dipoles_.emplace_back(*d_, source, dt, comm);
    else incident_.emplace_back(*d_, source);
  }
}

// The step of report 7592, eq. (8). H first, so that E and H end at n + 1 and n + 1/2:
//   M_mu  (H^{n+1/2} - H^{n-1/2}) / dt = -S^t E^n     + C_H H^{n-1/2}
//   M_eps (E^{n+1}   - E^n)       / dt =  S H^{n+1/2} + C_E E^n - M_sigma (E^n + E^{n+1}) / 2 - J^{n+1/2}
template <class Real>
void DgSolver<Real>::advance(bool measure_energy) {
  const double time = static_cast<double>(step_) * dt_;
  energy_ = measure_energy ? 0 : energy_;
  const auto update_h = [&](const std::vector<Batch>& batches) {
    measure_energy ? update_magnetic_measuring(batches) : update_magnetic(batches);
  };

  electric_traces_.start(electric_);
  for (std::size_t i = 0; i < incident_.size(); ++i) {
    incident_[i].write_electric(electric_, time, i == 0);
    incident_[i].write_magnetic(magnetic_, time - 0.5 * dt_, i == 0);
  }
  update_h(d_->interior);
  electric_traces_.finish(electric_);
  update_h(d_->halo);

  magnetic_traces_.start(magnetic_);
  for (std::size_t i = 0; i < incident_.size(); ++i) incident_[i].write_magnetic(magnetic_, time + 0.5 * dt_, i == 0);
  std::vector<double> before;
  for (const auto& dipole : dipoles_) before.push_back(dipole.field(electric_));
  update_electric(d_->interior);
  magnetic_traces_.finish(magnetic_);
  update_electric(d_->halo);

  for (const auto& dipole : dipoles_) dipole.apply(electric_, time + 0.5 * dt_);
  for (std::size_t i = 0; i < dipoles_.size(); ++i)
    source_work_ += dipoles_[i].work(before[i], dipoles_[i].field(electric_), time + 0.5 * dt_);
  ++step_;
}

template <class Real>
void DgSolver<Real>::update_magnetic(const std::vector<Batch>& batches) {
  for (const Batch& batch : batches) update_batch(kernels_, magnetic_arrays_, electric_.data(), magnetic_.data(), batch);
}

template <class Real>
void DgSolver<Real>::update_electric(const std::vector<Batch>& batches) {
  for (const Batch& batch : batches) update_batch(kernels_, electric_arrays_, magnetic_.data(), electric_.data(), batch);
}

// The energy needs H on both sides of E's time level: a few blocks' old values are kept while they are updated.
template <class Real>
void DgSolver<Real>::update_magnetic_measuring(const std::vector<Batch>& batches) {
  const std::size_t block_reals = std::size_t{3} * tetrahedron_nodes(d_->order) * block_lanes;
  double sum = 0;
  for (const Batch& batch : batches) {
    const auto update = kernels_.update[static_cast<int>(batch.kind)];
#pragma omp parallel reduction(+ : sum)
    {
      std::vector<Real> old(block_reals);
#pragma omp for schedule(static)
      for (std::int64_t b = batch.first_block; b < batch.first_block + batch.blocks; ++b) {
        std::memcpy(old.data(), magnetic_.data() + b * block_reals, block_reals * sizeof(Real));
        update(magnetic_arrays_, electric_.data(), magnetic_.data(), b, b + 1);
        const Real* const e = electric_.data() + b * block_reals;
        const Real* const metric = d_->metric.data() + b * 6 * block_lanes;
        double electric[block_lanes], magnetic[block_lanes];
        mass_.block(e, e, metric, electric);
        mass_.block(old.data(), magnetic_.data() + b * block_reals, metric, magnetic);
        for (int lane = 0; lane < block_lanes; ++lane) {
          const std::int64_t element = d_->element_of_slot[b * block_lanes + lane];
          if (element < 0) continue;
          const auto& m = d_->material_of(element);
          sum += 0.5 * vacuum_permittivity * (m.permittivity * electric[lane] + m.permeability * magnetic[lane]);
        }
      }
    }
  }
  energy_ += sum;
}

template <class Real>
std::int64_t DgSolver<Real>::unknowns() const {
  return 6 * static_cast<std::int64_t>(tetrahedron_nodes(d_->order)) * d_->mesh.global_elements;
}

template <class Real>
double DgSolver<Real>::compulsory_bytes_per_step() const {
  const double s = sizeof(Real);
  return (18.0 * tetrahedron_nodes(d_->order) * s + 2 * (13 * s + 20)) * double(d_->mesh.global_elements);
}

template <class Real>
double DgSolver<Real>::operations_per_step() const {
  const double n = tetrahedron_nodes(d_->order), f = triangle_nodes(d_->order);
  return (36 * n * n + 66 * n + 48 * f * n + 120 * f + 12 * n) * double(d_->mesh.global_elements);
}

template <class Real>
double DgSolver<Real>::incident_work_bound() const {
  double power = 0;  // amplitudes of several waves add: (sum a_i)^2 <= count sum a_i^2
  for (const auto& wave : incident_) power += wave.power_bound() * double(incident_.size());
  return power * dt_ * double(step_);
}

template <class Real>
physics::Trouble DgSolver<Real>::find_trouble(double& severity) const {
  const std::size_t reals = std::size_t{3} * tetrahedron_nodes(d_->order);
  severity = -1;
  std::int64_t worst = 0;
  for (std::size_t slot = 0; slot < d_->element_of_slot.size(); ++slot) {
    if (d_->element_of_slot[slot] < 0) continue;
    const std::size_t at = slot / block_lanes * reals * block_lanes + slot % block_lanes;
    double sum = 0;
    for (std::size_t i = 0; i < reals; ++i) {
      const double e = electric_[at + i * block_lanes], h = magnetic_[at + i * block_lanes];
      sum += e * e + h * h;
    }
    if (!std::isfinite(sum)) sum = std::numeric_limits<double>::max();
    if (sum > severity) {
      severity = sum;
      worst = d_->element_of_slot[slot];
    }
  }
  if (severity < 0) return {};
  return {d_->mesh.element_id[worst], ElementGeometry(d_->mesh, worst).centre(), material_names_[d_->mesh.element_group[worst]]};
}

template <class Real>
void DgSolver<Real>::start_dft(const std::vector<double>& angular_frequencies) {
  const std::size_t reals = std::size_t(d_->owned_blocks) * 3 * tetrahedron_nodes(d_->order) * block_lanes;
  phasors_.clear();
  for (const double omega : angular_frequencies)
    phasors_.push_back({omega, Field<Real>(reals), Field<Real>(reals), Field<Real>(reals), Field<Real>(reals)});
}

// F += w f(t) exp(i omega t), so that f = Re F exp(-i omega t) with w = 2 / T over whole periods.
template <class Real>
void DgSolver<Real>::accumulate_dft(double weight) {
  const double time = double(step_) * dt_;
  for (auto& phasor : phasors_) {
    const auto add = [&](const Field<Real>& field, double t, Field<Real>& real, Field<Real>& imag) {
      const auto c = static_cast<Real>(weight * std::cos(phasor.angular_frequency * t));
      const auto s = static_cast<Real>(weight * std::sin(phasor.angular_frequency * t));
      const auto n = static_cast<std::ptrdiff_t>(real.size());
      const Real* const from = field.data();
      Real* const to_real = real.data();
      Real* const to_imag = imag.data();
#pragma omp parallel for simd schedule(static)
      for (std::ptrdiff_t i = 0; i < n; ++i) {
        to_real[i] += c * from[i];
        to_imag[i] += s * from[i];
      }
    };
    add(electric_, time, phasor.electric_real, phasor.electric_imag);
    add(magnetic_, time - 0.5 * dt_, phasor.magnetic_real, phasor.magnetic_imag);
  }
}

// FNV-1a over an element's coefficients, its global id first; the sum over elements has no order.
template <class Real>
std::uint64_t DgSolver<Real>::fields_hash() const {
  const std::size_t reals = std::size_t{3} * tetrahedron_nodes(d_->order);
  std::uint64_t total = 0;
  for (std::size_t slot = 0; slot < d_->element_of_slot.size(); ++slot) {
    const std::int64_t element = d_->element_of_slot[slot];
    if (element < 0) continue;
    std::uint64_t hash = 0xcbf29ce484222325u;
    const auto mix = [&](const void* bytes, std::size_t count) {
      for (std::size_t i = 0; i < count; ++i) hash = (hash ^ static_cast<const unsigned char*>(bytes)[i]) * 0x100000001b3u;
    };
    mix(&d_->mesh.element_id[element], sizeof(std::int64_t));
    const std::size_t at = slot / block_lanes * reals * block_lanes + slot % block_lanes;
    for (const auto* field : {&electric_, &magnetic_})
      for (std::size_t i = 0; i < reals; ++i) {
        const Real value = (*field)[at + i * block_lanes] + Real(0);  // -0 and 0 are one value
        mix(&value, sizeof value);
      }
    total += hash;
  }
  return total;
}

template <class Real>
double DgSolver<Real>::halo_wait_seconds() const { return electric_traces_.wait_seconds() + magnetic_traces_.wait_seconds(); }

template <class Real>
double DgSolver<Real>::memory_bytes() const {
  double reals = double(electric_.size()) + double(magnetic_.size());
  for (const auto& p : phasors_) reals += 4.0 * double(p.electric_real.size());
  return reals * sizeof(Real) + d_->memory_bytes();
}

template class DgSolver<float>;
template class DgSolver<double>;

}  // namespace dgtd::dg
