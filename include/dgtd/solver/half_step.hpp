#pragma once
// The two half steps of the leap-frog schemes, and how their work is divided into kernels.

namespace dgtd::solver {

enum class HalfStep { electric, magnetic };  // the field that is updated

/// Launch of a half step; the arithmetic is the same. split: dgtd: intVolume, intSurface and updateField one after
/// the other with the flux array between them, as in report 7592, section 4.3; grids: the electric half step of
/// dispersive tiles as poles and curl, with the sum of the currents between them (Wahl et al. 2012, Fig. 2); hpf2d: one
/// step per launch. diagonal: hpf2d, the scheme of module reproductions.
enum class KernelFusion { fused, split, diagonal };

}  // namespace dgtd::solver
