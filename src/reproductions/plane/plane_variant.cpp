#include "dgtd/reproductions/plane_variant.hpp"

#include <fmt/format.h>

#include "dgtd/base/error.hpp"

namespace dgtd::reproductions {

namespace {

/// The leap-frog step with half steps of a PlaneUpdate.
template <class Real>
class PlaneVariant final : public fdtd::LeapFrog<Real> {
 public:
  PlaneVariant(fdtd::YeeFields<Real>& fields, double time_step, std::unique_ptr<PlaneUpdate<Real>> update)
      : fdtd::LeapFrog<Real>(fields, time_step), update_(std::move(update)) {}
  double memory_bytes() const override { return update_->memory_bytes(); }

 protected:
  void update(solver::HalfStep half) override { update_->update(half); }

 private:
  std::unique_ptr<PlaneUpdate<Real>> update_;
};

}  // namespace

const char* name_of(Variant variant) {
  return variant == Variant::scalar ? "scalar" : variant == Variant::cublas_vector ? "cublas-vector" : "cublas-matrix";
}

template <class Real>
void use_plane_update(fdtd::FdtdSolver<Real>& solver, std::unique_ptr<PlaneUpdate<Real>> update) {
  solver.use_scheme(std::make_unique<PlaneVariant<Real>>(solver.fields(), solver.time_step(), std::move(update)));
}

template void use_plane_update(fdtd::FdtdSolver<float>&, std::unique_ptr<PlaneUpdate<float>>);
template void use_plane_update(fdtd::FdtdSolver<double>&, std::unique_ptr<PlaneUpdate<double>>);

template <class Real>
std::unique_ptr<PlaneUpdate<Real>> make_plane_update(Variant variant, const fdtd::Discretisation<Real>& d,
                                                     fdtd::Engine<Real>& engine) {
  if (engine.memory().is_host() != (variant == Variant::scalar))
    throw Error(fmt::format("half steps by {} require backend {}", name_of(variant),
                            variant == Variant::scalar ? "cpu" : "cuda"));
  if (variant == Variant::scalar) return make_plane_scalar(d, engine);
#if DGTD_CUDA
  auto blas = parallel::make_cublas<Real>(engine.memory());
  return variant == Variant::cublas_vector ? make_plane_vector(d, engine, std::move(blas))
                                           : make_plane_matrix(d, engine, std::move(blas));
#else
  throw Error(ExitCode::device, "half steps by cuBLAS: this program was built without CUDA");
#endif
}

template std::unique_ptr<PlaneUpdate<float>> make_plane_update(Variant, const fdtd::Discretisation<float>&,
                                                               fdtd::Engine<float>&);
template std::unique_ptr<PlaneUpdate<double>> make_plane_update(Variant, const fdtd::Discretisation<double>&,
                                                                fdtd::Engine<double>&);

}  // namespace dgtd::reproductions
