#pragma once
// Boundary conditions of the fields at the sides of the volume.

namespace dgtd::physics {

enum class BoundaryKind {
  silver_muller,  // Silver-Mueller condition of first order, on faces of tetrahedra
  pec,            // n x E = 0
  pmc,            // n x H = 0
  passive,        // layers of elements with conductivities of E and H along them, Silver-Mueller condition behind them
  cpml,           // a convolutional perfectly matched layer, of cells, or of elements as above
  adiabatic,      // a conductivity that rises slowly in front of a metal wall
  mur,            // Mur's condition of first order
  periodic,       // u(x + L) = u(x)
  bloch           // u(x + L) = exp(i phase) u(x)
};

/// Whether waves leave the volume there.
constexpr bool absorbs(BoundaryKind kind) {
  return kind == BoundaryKind::silver_muller || kind == BoundaryKind::passive || kind == BoundaryKind::cpml ||
         kind == BoundaryKind::adiabatic || kind == BoundaryKind::mur;
}
/// On grids: whether the tangential E on the boundary is a field of its own; else it is zero, or that of the other end.
constexpr bool has_electric_field(BoundaryKind kind) { return kind == BoundaryKind::pmc || kind == BoundaryKind::mur; }

}  // namespace dgtd::physics
