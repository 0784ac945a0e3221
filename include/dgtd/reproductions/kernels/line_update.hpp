#pragma once
// The two updates of Yee's scheme on a line, E_z and H_y along x:
//   H_{i+1/2} <- Ca H + Cb (E_{i+1} - E_i)
//   E_i       <- Ca E + Cb (H_{i+1/2} - H_{i-1/2})                      H times the impedance of vacuum
// and in an absorbing layer (Roden, Gedney 2000; kappa = 1) with the sum psi, d the difference above:
//   psi <- b psi + c d,   u <- Ca u + Cb d + psi
// Cb is over the distance here, and c times Cb (fdtd/kernels/update_field.hpp, fdtd/kernels/curl.hpp).
#include "dgtd/base/host_device.hpp"

namespace dgtd::reproductions {

template <class Real>
DGTD_HOST_DEVICE void line_update(Real& u, Real difference, Real Ca, Real Cb) {
  u = Ca * u + Cb * difference;
}

template <class Real>
DGTD_HOST_DEVICE void line_update_in_layer(Real& u, Real& psi, Real difference, Real Ca, Real Cb, Real b, Real c) {
  psi = b * psi + c * difference;
  u = Ca * u + Cb * difference + psi;
}

}  // namespace dgtd::reproductions
