// Values that depend on the time step: coefficients of half steps, of passive and of convolutional layers.
#include <Eigen/Dense>

#include "dgtd/base/constants.hpp"
#include "dgtd/dg/element_geometry.hpp"
#include "dgtd/physics/update_coefficients.hpp"
#include "batch_arrays.hpp"

namespace dgtd::dg {

template <class Real>
void Discretisation<Real>::set_time_step(double dt) {
  const std::size_t slots = element_of_slot.size();
  for (auto* half : {&electric, &magnetic}) {
    half->Ca.assign(slots, Real(1));
    half->Cb.assign(slots, Real(0));
  }
  level_Cb.assign(time_levels.finest > 0 ? levels[1].own * block_lanes : 0, Real(0));
  const double length = speed_of_light * dt;
  std::vector<physics::UpdateCoefficients> of_group;
  for (const auto& m : material) of_group.push_back(physics::update_coefficients(m, dt));
  dispersion.table.clear();
  for (std::size_t g = 0; g < material.size() && dispersion.most.poles() > 0; ++g) {
    const std::vector<Real> row = pole_row<Real>(material[g], dispersion.most, dt);
    dispersion.table.insert(dispersion.table.end(), row.begin(), row.end());
    if (material[g].poles.empty()) continue;
    of_group[g].Ca = 1 - row[factor_of_field];
    of_group[g].Cb = length / material[g].permittivity * row[factor_of_current];
  }
#pragma omp parallel for schedule(static)
  for (std::size_t slot = 0; slot < slots; ++slot) {
    if (element_of_slot[slot] < 0) continue;
    const physics::UpdateCoefficients& c = of_group[group_of_slot[slot]];
    electric.Ca[slot] = static_cast<Real>(c.Ca);
    electric.Cb[slot] = static_cast<Real>(c.Cb);
    magnetic.Cb[slot] = static_cast<Real>(-c.Db);
    if (slot < level_Cb.size()) level_Cb[slot] = static_cast<Real>(length / material[group_of_slot[slot]].permittivity);
  }
  fill_damping(dt);
  fill_cpml(dt);
  for (auto& state : states)
    for (std::size_t slot = 0; slot < slots; ++slot) {
      const std::int64_t block = state.first[slot / block_lanes];
      for (int k = 0; block >= 0 && element_of_slot[slot] >= 0 && k < state.coefficients; ++k)
        state.values_of_coefficients[(std::size_t(block) * state.coefficients + k) * block_lanes + slot % block_lanes] =
            static_cast<Real>(state.coefficient(material[group_of_slot[slot]], dt, k));
    }
}

// D of update_field.hpp.
template <class Real>
void Discretisation<Real>::fill_damping(double dt) {
  for (auto* half : {&electric, &magnetic})
    half->damping.assign(static_cast<std::size_t>(layer_blocks) * 9 * block_lanes, Real(0));
  for (const auto* list : {&batches.interior, &batches.halo})
    for (const Batch& batch : *list) {
      if (!is_passive_layer(batch.traits.medium)) continue;
#pragma omp parallel for schedule(static)
      for (std::int64_t slot = batch.first_block * block_lanes; slot < (batch.first_block + batch.blocks) * block_lanes;
           ++slot) {
        const std::int64_t e = element_of_slot[slot];
        if (e < 0) continue;
        const ElementGeometry geometry(mesh, e);
        const auto& r = layer_rates[e].magnetic;
        Eigen::Matrix3d rates, edges, gradients;
        rates << r[0], r[1], r[2], r[1], r[3], r[4], r[2], r[4], r[5];
        for (int k = 0; k < 3; ++k)
          for (int a = 0; a < 3; ++a) edges(k, a) = geometry.edges[k][a], gradients(a, k) = geometry.gradients[k][a];
        const physics::Medium& m = material_of(e);
        for (auto* half : {&electric, &magnetic}) {
          const bool is_electric = half == &electric;
          const double factor = is_electric ? layer_rates[e].electric_factor / implicit_factor(m, dt) : 1;
          const Eigen::Matrix3d s = 0.5 * dt * factor * rates;
          const Eigen::Matrix3d D = -edges * (Eigen::Matrix3d::Identity() + s).inverse() * s * gradients;
          for (int entry = 0; entry < 9; ++entry)
            half->damping[lane_index(static_cast<std::uint32_t>(slot - batch.first_layer_block * block_lanes), 9,
                                     entry)] = static_cast<Real>(D(entry / 3, entry % 3));
        }
      }
    }
}

template <class Real>
void Discretisation<Real>::fill_cpml(double dt) {
  cpml_numbers.assign(static_cast<std::size_t>(section_blocks) * dg::cpml_numbers * block_lanes, Real(0));
  for (const auto* list : {&batches.interior, &batches.halo})
    for (const Batch& batch : *list) {
      if (!is_cpml(batch.traits.medium)) continue;
      const int sections = sections_of(batch.traits.medium);
      const std::int64_t first = batch.first_block * block_lanes;
#pragma omp parallel for schedule(static)
      for (std::int64_t i = 0; i < batch.blocks * block_lanes; ++i) {
        const std::int64_t e = element_of_slot[first + i];
        if (e < 0) continue;
        const ElementGeometry geometry(mesh, e);
        const LayerRate& layer = layer_rates[e];
        for (int section = 0; section < sections; ++section) {
          const std::int64_t block = batch.first_section_block + i / block_lanes * sections + section;
          const auto set = [&](int k, double value) {
            cpml_numbers[(std::size_t(block) * dg::cpml_numbers + k) * block_lanes + i % block_lanes] =
                static_cast<Real>(value);
          };
          if (section == 0)
            for (const bool is_magnetic : {false, true}) {
              const double T = is_magnetic
                                   ? layer.loss * dt / 2
                                   : layer.electric_factor * layer.loss * dt / 2 / implicit_factor(material_of(e), dt);
              set(cpml_loss + is_magnetic, -T / (1 + T));
            }
          if (section >= static_cast<int>(layer.sections.size())) {  // out = in
            set(cpml_along + 1, 1);
            continue;
          }
          const LayerSection& of = layer.sections[section];
          for (int k = 0; k < 3; ++k) {
            set(cpml_normal + k, dot(of.normal, geometry.edges[k]));
            set(cpml_gradient + k, dot(of.normal, geometry.gradients[k]));
          }
          const double A = of.alpha * dt / 2, B = of.rate * dt / 2;
          const double along[3] = {(1 - A - B) / (1 + A + B), (1 + A) / (1 + A + B), -(1 - A) / (1 + A + B)},
                       across[3] = {(1 - A) / (1 + A), (1 + A + B) / (1 + A), -(1 - A - B) / (1 + A)};
          for (int k = 0; k < 3; ++k) set(cpml_along + k, along[k]), set(cpml_across + k, across[k] - along[k]);
        }
      }
    }
}

//   E: length (1/eps_r curl H - Z0 sigma/eps_r E),   H: - length/mu_r curl E
template <class Real>
HalfStepArrays<Real> Discretisation<Real>::operator_coefficients(HalfStep half, const OperatorTerms& terms) const {
  const std::size_t slots = element_of_slot.size();
  HalfStepArrays<Real> of_half;
  of_half.Ca.assign(slots, Real(0));
  of_half.Cb.assign(slots, Real(0));
#pragma omp parallel for schedule(static)
  for (std::size_t slot = 0; slot < slots; ++slot) {
    if (element_of_slot[slot] < 0) continue;
    const auto& m = material[group_of_slot[slot]];
    if (half == HalfStep::magnetic) {
      of_half.Cb[slot] = static_cast<Real>(-terms.length / m.permeability);
      continue;
    }
    of_half.Cb[slot] = static_cast<Real>(terms.length / m.permittivity);
    if (terms.conduction)
      of_half.Ca[slot] = static_cast<Real>(-terms.length * vacuum_impedance * m.conductivity / m.permittivity);
  }
  return of_half;
}

template void Discretisation<float>::set_time_step(double);
template void Discretisation<double>::set_time_step(double);
template HalfStepArrays<float> Discretisation<float>::operator_coefficients(HalfStep, const OperatorTerms&) const;
template HalfStepArrays<double> Discretisation<double>::operator_coefficients(HalfStep, const OperatorTerms&) const;

}  // namespace dgtd::dg
