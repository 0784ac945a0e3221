// Half steps of a plane as plain loops on one thread, like the paper's on its CPU: the equations of uniform_plane.hpp,
// a line each.
#include "uniform_plane.hpp"

namespace dgtd::reproductions {

namespace {

template <class Real>
class PlaneScalar final : public PlaneUpdate<Real> {
 public:
  PlaneScalar(const fdtd::Discretisation<Real>& d, fdtd::Engine<Real>& engine) : p_(d, engine) {}

  void update(solver::HalfStep half) override {
    if (half == solver::HalfStep::electric) update_electric(p_.read_h(0), p_.read_h(1), p_.write_ez());
    else update_magnetic(p_.read_ez(), p_.write_h(0), p_.write_h(1));
  }

 private:
  void update_electric(const Real* hx, const Real* hy, Real* ez) const {
    for (int j = 1; j < p_.ny; ++j)
      for (int i = 1; i < p_.nx; ++i) {
        const std::int64_t n = j * p_.row + i;
        ez[n] = p_.Ca * ez[n] + p_.e_x * (hy[n] - hy[n - 1]) - p_.e_y * (hx[n] - hx[n - p_.row]);
      }
  }
  void update_magnetic(const Real* ez, Real* hx, Real* hy) const {
    for (int j = 0; j < p_.ny; ++j)
      for (int i = 1; i < p_.nx; ++i) {
        const std::int64_t n = j * p_.row + i;
        hx[n] = p_.Da * hx[n] - p_.h_y * (ez[n + p_.row] - ez[n]);
      }
    for (int j = 1; j < p_.ny; ++j)
      for (int i = 0; i < p_.nx; ++i) {
        const std::int64_t n = j * p_.row + i;
        hy[n] = p_.Da * hy[n] + p_.h_x * (ez[n + 1] - ez[n]);
      }
  }

  UniformPlane<Real> p_;
};

}  // namespace

template <class Real>
std::unique_ptr<PlaneUpdate<Real>> make_plane_scalar(const fdtd::Discretisation<Real>& d, fdtd::Engine<Real>& engine) {
  return std::make_unique<PlaneScalar<Real>>(d, engine);
}

template std::unique_ptr<PlaneUpdate<float>> make_plane_scalar(const fdtd::Discretisation<float>&,
                                                               fdtd::Engine<float>&);
template std::unique_ptr<PlaneUpdate<double>> make_plane_scalar(const fdtd::Discretisation<double>&,
                                                                fdtd::Engine<double>&);

}  // namespace dgtd::reproductions
