#include "dgtd/fdtd/plane_update.hpp"

#include "dgtd/base/error.hpp"

namespace dgtd::fdtd {

template <class Real>
std::unique_ptr<PlaneUpdate<Real>> make_plane_update(Variant variant, const Discretisation<Real>& d,
                                                     Engine<Real>& engine) {
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

template std::unique_ptr<PlaneUpdate<float>> make_plane_update(Variant, const Discretisation<float>&, Engine<float>&);
template std::unique_ptr<PlaneUpdate<double>> make_plane_update(Variant, const Discretisation<double>&,
                                                                Engine<double>&);

}  // namespace dgtd::fdtd
