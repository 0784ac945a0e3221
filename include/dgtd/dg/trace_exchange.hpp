#pragma once
// Halo traces of a field: packed from the owned elements, exchanged, unpacked into the ghost slots.
#include "dgtd/dg/discretisation.hpp"
#include "dgtd/dg/field.hpp"
#include "dgtd/parallel/halo_exchange.hpp"

namespace dgtd::dg {

template <class Real>
class TraceExchange {
 public:
  TraceExchange(const Discretisation<Real>& d, const parallel::Communicator& comm);
  void start(const Field<Real>& field);
  void finish(Field<Real>& field);
  double wait_seconds() const { return exchange_.wait_seconds(); }

 private:
  const Discretisation<Real>& d_;
  parallel::HaloExchange<Real> exchange_;
};

/// Writes the tangential trace (t_a, t_b)[2 Nf] into ghost slot `slot` of a field.
template <class Real>
void write_ghost(Field<Real>& field, int order, std::uint32_t slot, const Real* trace);

/// Reads the tangential trace of an owned element's face.
template <class Real>
void read_trace(const Field<Real>& field, int order, std::uint32_t slot, int face, Real* trace);

}  // namespace dgtd::dg
