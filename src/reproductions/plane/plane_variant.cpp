#include "dgtd/reproductions/plane_variant.hpp"

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

template <class Real>
void use_plane_update(fdtd::FdtdSolver<Real>& solver, std::unique_ptr<PlaneUpdate<Real>> update) {
  if (!update) return;
  solver.use_scheme(std::make_unique<PlaneVariant<Real>>(solver.fields(), solver.time_step(), std::move(update)));
}

template void use_plane_update(fdtd::FdtdSolver<float>&, std::unique_ptr<PlaneUpdate<float>>);
template void use_plane_update(fdtd::FdtdSolver<double>&, std::unique_ptr<PlaneUpdate<double>>);

template <class Real>
std::unique_ptr<PlaneUpdate<Real>> make_plane_update(Variant variant, const fdtd::Discretisation<Real>& d,
                                                     fdtd::Engine<Real>& engine) {
  if (variant == Variant::native) return nullptr;
  if (engine.memory().is_host() != (variant == Variant::scalar))
    throw Error(variant == Variant::scalar ? "solver.variant = scalar: requires backend cpu"
                                           : "solver.variant = cublas-vector, cublas-matrix: require backend cuda");
  if (variant == Variant::scalar) return make_plane_scalar(d, engine);
#if DGTD_CUDA
  auto blas = parallel::make_cublas<Real>(engine.memory());
  return variant == Variant::cublas_vector ? make_plane_vector(d, engine, std::move(blas))
                                           : make_plane_matrix(d, engine, std::move(blas));
#else
  throw Error(ExitCode::device, "solver.variant: this program was built without CUDA; allowed are native, scalar");
#endif
}

template std::unique_ptr<PlaneUpdate<float>> make_plane_update(Variant, const fdtd::Discretisation<float>&,
                                                               fdtd::Engine<float>&);
template std::unique_ptr<PlaneUpdate<double>> make_plane_update(Variant, const fdtd::Discretisation<double>&,
                                                                fdtd::Engine<double>&);

}  // namespace dgtd::reproductions
