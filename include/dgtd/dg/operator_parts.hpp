#pragma once
// The discrete operator of a mesh whose elements have one order or several: an executor for the elements of each order
// (a part, order_parts.hpp), and the exchange of traces between them.
#include <cassert>
#include <vector>

#include "dgtd/dg/executor.hpp"
#include "dgtd/dg/order_joints.hpp"

namespace dgtd::dg {

/// The elements of one order of a mesh.
template <class Real>
struct OperatorPart {
  const Discretisation<Real>& d;
  Executor<Real>& executor;
};

/// [parts] a field of each.
template <class Real>
using PartFields = std::vector<Field<Real>*>;

/// [parts] such fields, owned.
template <class Real>
class OwnedFields {
 public:
  /// blocks(d): of the field of a part.
  template <class Blocks>
  OwnedFields(const std::vector<OperatorPart<Real>>& parts, const Blocks& blocks) {
    for (const auto& part : parts)
      fields_.emplace_back(static_cast<std::size_t>(blocks(part.d)) * part.d.layout.reals_per_block(),
                           part.executor.memory());
  }
  Field<Real>& operator[](std::size_t part) { return fields_[part]; }
  const Field<Real>& operator[](std::size_t part) const { return fields_[part]; }
  PartFields<Real> all() {
    PartFields<Real> list;
    for (auto& field : fields_) list.push_back(&field);
    return list;
  }
  double reals() const {
    double sum = 0;
    for (const auto& field : fields_) sum += static_cast<double>(field.size());
    return sum;
  }

 private:
  std::vector<Field<Real>> fields_;
};

/// All functions are collective.
template <class Real>
class OperatorParts {
 public:
  /// joints: between the parts, null where there is one only. What parts and joints refer to outlives the object.
  OperatorParts(std::vector<OperatorPart<Real>> parts, OrderJoints<Real>* joints)
      : parts_(std::move(parts)), joints_(joints) {
    assert(joints_ != nullptr || size() == 1);
  }

  std::size_t size() const { return parts_.size(); }
  const OperatorPart<Real>& operator[](std::size_t part) const { return parts_[part]; }
  const std::vector<OperatorPart<Real>>& list() const { return parts_; }
  /// L of local time steps, of all parts.
  int finest_level() const { return parts_.front().d.time_levels.finest; }

  /// Executor::apply of all parts.
  void apply(HalfStep half, const PartFields<Real>& source, const PartFields<Real>& own, const PartFields<Real>& result,
             const OperatorTerms& terms) const {
    if (joints_ != nullptr) joints_->exchange(source);
    for (std::size_t p = 0; p < size(); ++p) parts_[p].executor.apply(half, *source[p], *own[p], *result[p], terms);
  }

  /// Half steps inside levels, one after the other. steps: [parts][steps], of the same levels and fields in all parts.
  void update_levels(const std::vector<std::vector<LevelStep<Real>>>& steps) const {
    if (joints_ == nullptr) return parts_.front().executor.update_levels(steps.front());
    const std::vector<LevelStep<Real>>& first = steps.front();
    for (std::size_t i = 0; i < first.size();) {
      std::size_t end = i;  // of the steps that need no exchange
      while (end < first.size() && !joints_->has_joints(first[end].level)) ++end;
      if (end == i) {
        std::vector<LevelStep<Real>> of_parts;
        for (const auto& of_part : steps) of_parts.push_back(of_part[i]);
        joints_->exchange_level(of_parts);
        ++end;
      }
      for (std::size_t p = 0; p < size(); ++p)
        parts_[p].executor.update_levels(
            {steps[p].begin() + std::ptrdiff_t(i), steps[p].begin() + std::ptrdiff_t(end)});
      i = end;
    }
  }

 private:
  std::vector<OperatorPart<Real>> parts_;
  OrderJoints<Real>* joints_;
};

/// Linear algebra on the first blocks of fields of all parts.
template <class Real>
class PartLoops {
 public:
  /// blocks(d): of each part's fields those that the loops are over.
  template <class Blocks>
  PartLoops(const OperatorParts<Real>& parts, const Blocks& blocks) : parts_(parts) {
    for (const auto& part : parts_.list()) blocks_.push_back(blocks(part.d));
  }

  void copy(const PartFields<Real>& from, const PartFields<Real>& to) const {
    for_parts([&](std::size_t p) { return parallel::CopyReals<Real>{from[p]->read(), to[p]->write()}; });
  }
  void scale(const PartFields<Real>& field, double factor) const {
    for_parts([&](std::size_t p) { return parallel::ScaleReals<Real>{field[p]->write(), static_cast<Real>(factor)}; });
  }
  void add(const PartFields<Real>& from, double factor, const PartFields<Real>& to) const {
    for_parts([&](std::size_t p) {
      return parallel::AddReals<Real>{from[p]->read(), static_cast<Real>(factor), to[p]->write()};
    });
  }
  void add_two(const PartFields<Real>& from, double factor, const PartFields<Real>& other, double other_factor,
               const PartFields<Real>& to) const {
    for_parts([&](std::size_t p) {
      return parallel::AddTwo<Real>{from[p]->read(), static_cast<Real>(factor), other[p]->read(),
                                    static_cast<Real>(other_factor), to[p]->write()};
    });
  }
  /// Adds the weighted integral of Executor::add_product.
  void add_product(HalfStep of, const PartFields<Real>& u, const PartFields<Real>& v,
                   parallel::ReproducibleSum& sum) const {
    for (std::size_t p = 0; p < parts_.size(); ++p) parts_[p].executor.add_product(of, *u[p], *v[p], blocks_[p], sum);
  }
  void wait() const {
    for (const auto& part : parts_.list()) part.executor.wait();
  }

 private:
  template <class Body>
  void for_parts(const Body& body) const {
    for (std::size_t p = 0; p < parts_.size(); ++p)
      parts_[p].executor.for_each(blocks_[p] * static_cast<std::int64_t>(parts_[p].d.layout.reals_per_block()),
                                  body(p));
  }

  OperatorParts<Real> parts_;
  std::vector<std::int64_t> blocks_;  // [parts]
};

}  // namespace dgtd::dg
