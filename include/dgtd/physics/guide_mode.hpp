#pragma once
// Modes of hollow guides by formula (D. M. Pozar, Microwave Engineering, 4th ed., sec. 3.3 and 3.4). With the
// potential psi, the longitudinal H of a TE mode or the longitudinal E of a TM mode, the transverse fields are
//   TE: E_t = curl (psi z),  TM: E_t = grad psi,  and  -lap psi = k_c^2 psi.
#include "dgtd/physics/port.hpp"

namespace dgtd::physics {

/// Whether the section has such a mode: a rectangle TE but not 0 0, and TM from 1 1 on; a circle both from n = 1 on.
bool has_mode(Port::Section section, const GuideMode& mode);

/// k_c, rad/m. size: m, of the rectangle, or of the box around the circle, along the plane's axes.
double cut_off_wave_number(Port::Section section, const GuideMode& mode, const double (&size)[2]);

/// psi at a place of the plane, m from the centre of the section; its peak is about 1.
double mode_potential(Port::Section section, const GuideMode& mode, const double (&size)[2], double u, double v);

}  // namespace dgtd::physics
