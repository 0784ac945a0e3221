#pragma once
// The two updates of Yee's scheme on a line, E_z and H_y along x:
//   H_{i+1/2} <- keep H + gain (E_{i+1} - E_i)
//   E_i       <- keep E + gain (H_{i+1/2} - H_{i-1/2})                      H times the impedance of vacuum
// and in an absorbing layer (Roden, Gedney 2000; kappa = 1) with the sum psi, d the difference above:
//   psi <- decay psi + push d,   u <- keep u + gain d + psi
// gain and push hold distance and medium: rate / distance, rate * drive (kernels/update_field.hpp, kernels/curl.hpp).
#include "dgtd/base/host_device.hpp"

namespace dgtd::reproductions {

template <class Real>
DGTD_HOST_DEVICE void line_update(Real& u, Real difference, Real keep, Real gain) {
  u = keep * u + gain * difference;
}

template <class Real>
DGTD_HOST_DEVICE void line_update_in_layer(Real& u, Real& psi, Real difference, Real keep, Real gain, Real decay,
                                           Real push) {
  psi = decay * psi + push * difference;
  u = keep * u + gain * difference + psi;
}

}  // namespace dgtd::reproductions
