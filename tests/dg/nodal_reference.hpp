#pragma once
// The scheme of INRIA report 7592, eqs. (3) to (8), in its plainest form: nodal Lagrange basis,
// Cartesian components, SI units, dense matrices by quadrature in physical space, neighbours found by
// the coordinates of their corners. It shares no operator with the product and is slow.
//
//   M_eps (E^{n+1}   - E^n)       / dt =  S H^{n+1/2} + C_E E^n - M_sigma (E^n + E^{n+1}) / 2 - J^{n+1/2}
//   M_mu  (H^{n+1/2} - H^{n-1/2}) / dt = -S^t E^n     + C_H H^{n-1/2}
//
// (the report prints -M^eps for -M^sigma), and in layers -M_eps S (E^n + E^{n+1}) / 2 and
// -M_mu S (H^{n-1/2} + H^{n+1/2}) / 2. On the absorbing boundary, with incident fields E_inc, H_inc,
//   n x (H* - H) =  1/(2 Z) (E_inc - E)_t + 1/2 n x (H_inc - H),
//   n x (E* - E) = -Z/2     (H_inc - H)_t + 1/2 n x (E_inc - E).
// A penalty of jumps is upwind times the first of the two terms with Z = Z0 and the field of the neighbour in place of
// the incident one.
#include <optional>
#include <vector>

#include <Eigen/Core>

#include "dense_operator.hpp"
#include "dgtd/dg/discretisation.hpp"
#include "dgtd/physics/source.hpp"

namespace dgtd::dg::test {

/// Part of a global matrix: rows of element `to`, columns of element `from`, [3 Np][3 Np].
struct Block {
  std::size_t to, from;
  Eigen::MatrixXd matrix;
};

class NodalReference {
 public:
  NodalReference(const mesh::Subdomain& mesh, const std::vector<physics::Medium>& material,
                 const std::vector<physics::BoundaryKind>& boundary_kind, int order,
                 const std::vector<physics::Source>& sources, double upwind = 0);

  /// H, then E.
  void step(double dt);

  /// [element][component 3][node]
  Eigen::VectorXd electric, magnetic;            // E^n, V/m; H^{n-1/2}, A/m
  LayerRates layers;                             // S
  std::vector<std::vector<Vec3>> node_position;  // [element][node] m

  /// 1/2 (E^n M_eps E^n + H^{n-1/2} M_mu H^{n+1/2}), J.
  double energy(const Eigen::VectorXd& magnetic_before, const Eigen::VectorXd& magnetic_after) const;
  /// E . M_eps S E + H . M_mu S H, W.
  double layer_loss(const Eigen::VectorXd& e, const Eigen::VectorXd& h) const;
  /// ||M^{-1/2} [-C_E  S; S^t  -C_H] M^{-1/2}||, 1/s: report eq. (9), and with absorbing faces the
  /// damping taken at the old time level.
  double largest_eigenvalue() const;
  /// Without sources; E in V/m, H in A/m, as above.
  DenseOperator dense_operator() const;
  /// The same of the rows of S of one element alone, without damping, 1/s: the element's own limit is 2 over that.
  double largest_local_eigenvalue(std::size_t element) const;
  /// Largest entry of |S_H + S_E^t| relative to S: the two equations' couplings are transposes (eq. 7).
  double transposition_defect() const;

 private:
  struct AbsorbingFace {
    std::size_t element;
    Eigen::MatrixXd coupling;    // 1/2 int phi . (phi_l x n)
    Eigen::MatrixXd tangential;  // 1/2 int phi . (phi_l)_t
    double impedance;            // ohm
  };

  void integrate_volume(std::size_t element);
  void integrate_face(std::size_t element, int face, const std::vector<physics::BoundaryKind>& boundary_kind);
  Eigen::MatrixXd face_mass(std::size_t element, std::size_t other, int face) const;
  std::optional<std::size_t> neighbour(std::size_t element, int face) const;
  Eigen::VectorXd wave(const physics::Source& source, std::size_t element, double time, bool is_electric) const;
  Eigen::VectorXd dipole(const physics::Source& source, double time) const;
  Eigen::VectorXd inverse_mass_times(const Eigen::VectorXd& x) const;
  Eigen::MatrixXd dense(const std::vector<Block>& blocks) const;
  Eigen::Matrix3d layer_of(std::size_t element, bool of_electric) const;
  const physics::Medium& material_of(std::size_t element) const { return material_[mesh_.element_group[element]]; }

  const mesh::Subdomain& mesh_;
  std::vector<physics::Medium> material_;
  int order_;
  Eigen::Index nodes_;
  std::vector<physics::Source> sources_;
  double upwind_;
  std::vector<Eigen::MatrixXd> mass_;  // [element] [Np][Np], m^3
  std::vector<Block> electric_from_magnetic_, magnetic_from_electric_, electric_damping_, magnetic_damping_;
  std::vector<AbsorbingFace> absorbing_;
  std::int64_t step_ = 0;
};

}  // namespace dgtd::dg::test
