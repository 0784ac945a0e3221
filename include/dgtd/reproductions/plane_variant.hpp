#pragma once
// The ways in which Golovashkin and Malysheva 2010, section 3, compute the half steps of a plane grid, to be compared
// with the engine's own kernels: a scalar loop, and functions of BLAS on rows or on whole matrices. They work on the
// engine's arrays, so sources, monitors and output do not differ. The plane lies between electric walls, has Ez, Hx
// and Hy, one medium and even spacing, and belongs to one rank.
#include <memory>

#include "dgtd/fdtd/fdtd_solver.hpp"
#include "dgtd/parallel/blas.hpp"

namespace dgtd::reproductions {

/// Ways to compute the half steps.
enum class Variant { cublas_vector, cublas_matrix, scalar };
/// Its name in results.
const char* name_of(Variant variant);

/// A half step of all fields, in place of the engine's; ghosts are neither read nor written.
template <class Real>
class PlaneUpdate {
 public:
  virtual ~PlaneUpdate() = default;
  virtual void update(fdtd::HalfStep half) = 0;
  /// Memory that it takes besides the engine's arrays, bytes.
  virtual double memory_bytes() const { return 0; }
};

/// Loops over rows and columns on one CPU thread. The engine outlives all of these.
template <class Real>
std::unique_ptr<PlaneUpdate<Real>> make_plane_scalar(const fdtd::Discretisation<Real>& d, fdtd::Engine<Real>& engine);
/// Additions of a multiple, row by row.
template <class Real>
std::unique_ptr<PlaneUpdate<Real>> make_plane_vector(const fdtd::Discretisation<Real>& d, fdtd::Engine<Real>& engine,
                                                     std::unique_ptr<parallel::Blas<Real>> blas);
/// Products with identity matrices.
template <class Real>
std::unique_ptr<PlaneUpdate<Real>> make_plane_matrix(const fdtd::Discretisation<Real>& d, fdtd::Engine<Real>& engine,
                                                     std::unique_ptr<parallel::Blas<Real>> blas);

/// A variant's. Throws Error (device) where cuBLAS is needed and absent, and (bad_input) where the engine has not the
/// variant's kind of memory.
template <class Real>
std::unique_ptr<PlaneUpdate<Real>> make_plane_update(Variant variant, const fdtd::Discretisation<Real>& d,
                                                     fdtd::Engine<Real>& engine);

/// From now on the solver's half steps are computed by `update`; the rest of its step stays as it is.
template <class Real>
void use_plane_update(fdtd::FdtdSolver<Real>& solver, std::unique_ptr<PlaneUpdate<Real>> update);

/// The same by a variant. Throws as make_plane_update.
template <class Real>
void use_variant(fdtd::FdtdSolver<Real>& solver, Variant variant) {
  use_plane_update(solver, make_plane_update(variant, solver.discretisation(), solver.engine()));
}

}  // namespace dgtd::reproductions
