#pragma once
// The element data of the executor in a backend's memory, and the arguments of kernels made of them.
#include <cassert>
#include <vector>

#include "dgtd/dg/curved_tables.hpp"
#include "dgtd/dg/executor.hpp"
#include "dgtd/parallel/array.hpp"

namespace dgtd::dg {

/// Ca and Cb of a half step or of the operator.
template <class Real>
struct HalfStepCoefficients {
  parallel::Array<Real> Ca, Cb;  // ElementArrays
  double bytes() const { return Ca.bytes() + Cb.bytes(); }
};

/// Operands of a half step beside the fields.
template <class Real>
struct HalfStepOperands {
  const HalfStepCoefficients<Real>& coefficients;
  HalfStepWork work;
  bool with_states() const { return work == HalfStepWork::layers_and_states; }
};

template <class Real>
class ElementData {
  template <class T>
  using Array = parallel::Array<T>;
  using Coefficients = HalfStepCoefficients<Real>;
  using Operands = HalfStepOperands<Real>;

 public:
  /// d and memory outlive it.
  ElementData(const Discretisation<Real>& d, KernelFusion fusion, parallel::Memory& memory)
      : d_(d),
        memory_(memory),
        neighbour_(Array<std::uint32_t>::view(d.neighbour, memory)),
        metric_(Array<Real>::view(d.metric, memory)),
        curved_metric_(Array<Real>::view(d.curved_metric, memory)),
        curved_block_(Array<std::int32_t>::view(d.curved_block, memory)),
        curved_tables_(d.curved_blocks > 0 ? CurvedTables(d.order).for_kernels<Real>() : std::vector<Real>(), memory),
        external_(Array<std::uint32_t>::view(d.external, memory)),
        flux_(fusion == KernelFusion::split ? std::size_t(d.owned_blocks) * 3 * d.layout.nodes * block_lanes : 0,
              memory) {
    for (const HalfStep h : {HalfStep::electric, HalfStep::magnetic}) {
      const HalfStepArrays<Real>& from = h == HalfStep::electric ? d.electric : d.magnetic;
      of(h).mirror = Array<Real>::view(from.mirror, memory);
      of(h).admittance = Array<Real>::view(from.admittance, memory);
    }
    if (d.dispersion.most.poles() > 0) {
      medium_ = Array<std::uint16_t>::view(d.group_of_slot, memory);
      pole_counts_ = Array<PoleCounts>::view(d.dispersion.counts, memory);
    }
    for (const auto& state : d.states)
      states_.emplace_back(std::size_t(state.blocks) * state.entries * block_lanes, memory);
    assert(states_.size() <= most_states);
  }

  double bytes() const {
    double bytes = neighbour_.bytes() + metric_.bytes() + external_.bytes() + flux_.bytes() + curved_metric_.bytes() +
                   curved_block_.bytes() + curved_tables_.bytes();
    for (const auto& half : half_)
      bytes += half.run.bytes() + half.operator_terms.bytes() + half.mirror.bytes() + half.admittance.bytes() +
               half.damping.bytes();
    for (const auto& state : states_) bytes += state.bytes();
    for (const auto& coefficients : state_coefficients_) bytes += coefficients.bytes();
    return bytes + level_Cb_.bytes() + cpml_numbers_.bytes() + medium_.bytes() + pole_counts_.bytes() +
           pole_table_.bytes();
  }

  /// Executor::load_half_steps; no work of kernels is under way.
  void load_half_steps() {
    for (const HalfStep h : {HalfStep::electric, HalfStep::magnetic}) {
      const HalfStepArrays<Real>& from = h == HalfStep::electric ? d_.electric : d_.magnetic;
      Half& half = of(h);
      half.run = {Array<Real>::view(from.Ca, memory_), Array<Real>::view(from.Cb, memory_)};
      half.damping = Array<Real>::view(from.damping, memory_);
      half.operator_terms = {};
    }
    level_Cb_ = Array<Real>::view(d_.level_Cb, memory_);
    state_coefficients_.clear();
    for (const auto& state : d_.states)
      state_coefficients_.push_back(Array<Real>::view(state.values_of_coefficients, memory_));
    pole_table_ = Array<Real>::view(d_.dispersion.table, memory_);
    cpml_numbers_ = Array<Real>::view(d_.cpml_numbers, memory_);
  }

  /// Operands of a half step of the run.
  Operands operands(HalfStep half) const {
    return {of(half).run, half == HalfStep::electric ? HalfStepWork::layers_and_states : HalfStepWork::layers};
  }
  /// Operands of the operator, kept until others are asked for. wait() returns when no kernel is under way.
  template <class Wait>
  Operands operator_operands(HalfStep h, const OperatorTerms& terms, const Wait& wait) {
    Half& half = of(h);
    if (half.operator_terms.Cb.size() == 0 || !(half.terms == terms)) {
      wait();
      const HalfStepArrays<Real> of_half = d_.operator_coefficients(h, terms);
      half.operator_terms = {{of_half.Ca, memory_}, {of_half.Cb, memory_}};
      half.terms = terms;
    }
    return {half.operator_terms, HalfStepWork::curl};
  }

  /// Arguments of kernels of a batch, or of several at once: then without blocks.
  ElementArrays<Real> arrays(HalfStep h, const Operands& operands, const Batch& batch) {
    const Half& half = of(h);
    ElementArrays<Real> a{neighbour_.read(),
                          metric_.read(),
                          operands.coefficients.Ca.read(),
                          operands.coefficients.Cb.read(),
                          external_.read(),
                          half.mirror.read(),
                          half.admittance.read(),
                          batch.first_boundary_block,
                          flux_.size() > 0 ? flux_.write() : nullptr};
    for (std::size_t i = 0; i < states_.size(); ++i)
      if (operands.with_states() && batch.blocks > 0 && d_.states[i].of(batch.traits))
        a.state[i] = {states_[i].write(), state_coefficients_[i].read(),
                      batch.first_block - d_.states[i].first[batch.first_block]};
    if (medium_.size() > 0)
      a.poles = {pole_counts_.read(), medium_.read(), pole_table_.read(), d_.dispersion.row_reals(),
                 d_.dispersion.most};
    a.curved = curved_arrays();
    a.damping = half.damping.read();
    a.first_layer_block = batch.first_layer_block;
    if (operands.work != HalfStepWork::curl && batch.blocks > 0 && is_cpml(batch.traits.medium))
      a.cpml = cpml(h, batch);
    return a;
  }
  /// The same inside a level of local time steps; neighbour: LevelBlocks of the level, for the half step of H.
  ElementArrays<Real> level_arrays(HalfStep half, const Array<std::uint32_t>& neighbour) {
    ElementArrays<Real> a = arrays(half, operands(half), {});
    if (half == HalfStep::electric) a.Cb = level_Cb_.read();
    else a.neighbour = neighbour.read();
    return a;
  }
  CurvedArrays<Real> curved_arrays() const {
    if (d_.curved_blocks == 0) return {};
    return {curved_metric_.read(), curved_block_.read(), curved_tables_.read()};
  }
  const Real* metric() const { return metric_.read(); }
  bool is_split() const { return flux_.size() > 0; }  // kernels are

  std::vector<Field<Real>>& states() { return states_; }

 private:
  struct Half {
    Coefficients run;             // of the time step
    Coefficients operator_terms;  // of the operator, with `terms`; empty before its first use
    OperatorTerms terms;
    Array<Real> mirror, admittance, damping;  // ElementArrays
  };
  Half& of(HalfStep half) { return half_[half == HalfStep::electric ? 0 : 1]; }
  const Half& of(HalfStep half) const { return half_[half == HalfStep::electric ? 0 : 1]; }

  CpmlArrays<Real> cpml(HalfStep h, const Batch& batch) {
    const bool is_corner = is_cpml_corner(batch.traits.medium);
    const auto kept = [&](int state) {
      const auto& s = d_.states[static_cast<std::size_t>(state)];
      return states_[static_cast<std::size_t>(state)].write() +
             std::size_t(s.first[batch.first_block]) * s.entries * block_lanes;
    };
    return {cpml_numbers_.read() + std::size_t(batch.first_section_block) * dg::cpml_numbers * block_lanes,
            is_corner ? most_sections : 1,
            h == HalfStep::magnetic,
            batch.first_block,
            kept(d_.cpml_inputs),
            is_corner ? kept(d_.cpml_outputs) : nullptr};
  }

  const Discretisation<Real>& d_;
  parallel::Memory& memory_;
  Array<std::uint32_t> neighbour_;  // shapes: ElementArrays
  Array<Real> metric_;
  Array<Real> curved_metric_;  // Discretisation, where some elements are curved, as the next two
  Array<std::int32_t> curved_block_;
  Array<Real> curved_tables_;  // CurvedArrays
  Array<std::uint32_t> external_;
  Array<Real> flux_;                             // empty for fused kernels
  Half half_[2];                                 // electric, magnetic
  Array<Real> level_Cb_;                         // Discretisation::level_Cb
  std::vector<Field<Real>> states_;              // Discretisation::states
  std::vector<Array<Real>> state_coefficients_;  // [states] ElementState::values_of_coefficients
  // Poles, where there are some (PoleArrays):
  Array<std::uint16_t> medium_;
  Array<PoleCounts> pole_counts_;
  Array<Real> pole_table_;
  Array<Real> cpml_numbers_;  // Discretisation
};

}  // namespace dgtd::dg
