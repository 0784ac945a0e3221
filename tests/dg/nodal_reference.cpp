#include "nodal_reference.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <set>

#include "dgtd/base/constants.hpp"
#include "dgtd/dg/reference_element.hpp"
#include "dgtd/physics/waveform.hpp"
#include "nodal_basis.hpp"

namespace dgtd::dg::test {

namespace {

// The permutation symbol.
double epsilon(int a, int b, int c) { return (b - a) * (c - b) * (c - a) / 2.0; }

Eigen::Vector3d to_eigen(const Vec3& v) { return {v.x, v.y, v.z}; }

/// Corners of an element, its barycentric coordinates and their gradients, from the 4 x 4 system.
struct Tetrahedron {
  std::array<Eigen::Vector3d, 4> corner;
  Eigen::Matrix4d coordinates;  // l = coordinates (1, x, y, z)
  double determinant;

  Tetrahedron(const mesh::Subdomain& mesh, std::size_t element) {
    Eigen::Matrix4d m;
    for (int v = 0; v < 4; ++v) {
      corner[v] = to_eigen(mesh.vertex(element, v));
      m.col(v) << 1, corner[v];
    }
    determinant = std::abs(m.determinant());
    coordinates = m.inverse();
  }
  std::array<double, 4> barycentric(const Eigen::Vector3d& x) const {
    const Eigen::Vector4d l = coordinates * Eigen::Vector4d(1, x(0), x(1), x(2));
    return {l(0), l(1), l(2), l(3)};
  }
  Eigen::Vector3d point(const std::array<double, 4>& l) const {
    return l[0] * corner[0] + l[1] * corner[1] + l[2] * corner[2] + l[3] * corner[3];
  }
  Eigen::Matrix<double, 4, 3> gradients() const { return coordinates.rightCols<3>(); }
};

/// A face: its corners, the outward unit normal and twice its area.
struct Triangle {
  std::array<Eigen::Vector3d, 3> corner;
  Eigen::Vector3d normal;
  double determinant;

  Triangle(const Tetrahedron& t, int opposite) {
    for (int v = 0, k = 0; v < 4; ++v)
      if (v != opposite) corner[k++] = t.corner[v];
    normal = (corner[1] - corner[0]).cross(corner[2] - corner[0]);
    determinant = normal.norm();
    normal /= normal.dot(corner[0] - t.corner[opposite]) > 0 ? determinant : -determinant;
  }
};

void apply(const std::vector<Block>& blocks, const Eigen::VectorXd& x, Eigen::VectorXd& y) {
  for (const auto& b : blocks) {
    const Eigen::Index n = b.matrix.rows();
    y.segment(b.to * n, n) += b.matrix * x.segment(b.from * n, n);
  }
}

}  // namespace

NodalReference::NodalReference(const mesh::Subdomain& mesh, const std::vector<physics::Medium>& material,
                               const std::vector<physics::BoundaryKind>& boundary_kind, int order,
                               const std::vector<physics::Source>& sources, double upwind)
    : mesh_(mesh),
      material_(material),
      order_(order),
      nodes_(static_cast<Eigen::Index>(nodal_points(order).size())),
      sources_(sources),
      upwind_(upwind) {
  electric = magnetic = Eigen::VectorXd::Zero(3 * nodes_ * static_cast<Eigen::Index>(mesh.elements()));
  for (std::size_t e = 0; e < mesh.elements(); ++e) {
    const Tetrahedron t(mesh, e);
    auto& positions = node_position.emplace_back();
    for (const auto& a : nodal_points(order)) {
      const Eigen::Vector3d x =
          t.point({a[0] / double(order), a[1] / double(order), a[2] / double(order), a[3] / double(order)});
      positions.push_back({x(0), x(1), x(2)});
    }
    integrate_volume(e);
    for (int f = 0; f < 4; ++f) integrate_face(e, f, boundary_kind);
  }
}

// M_i and K_i of eq. (5).
void NodalReference::integrate_volume(std::size_t element) {
  const Tetrahedron t(mesh_, element);
  const auto quadrature = tetrahedron_quadrature(order_ + 1);
  Eigen::MatrixXd mass = Eigen::MatrixXd::Zero(nodes_, nodes_);
  std::array<Eigen::MatrixXd, 3> derivative{mass, mass, mass};  // int L_j d L_l / dx_d
  for (std::size_t q = 0; q < quadrature.points.size(); ++q) {
    const Eigen::VectorXd values = nodal_values(order_, quadrature.points[q]);
    const Eigen::MatrixXd gradients = nodal_derivatives(order_, quadrature.points[q]) * t.gradients();
    const double weight = quadrature.weights[q] * t.determinant;
    mass += weight * values * values.transpose();
    for (int d = 0; d < 3; ++d) derivative[d] += weight * values * gradients.col(d).transpose();
  }
  mass_.push_back(mass);

  Eigen::MatrixXd curl = Eigen::MatrixXd::Zero(3 * nodes_, 3 * nodes_);  // int phi_j . curl phi_l
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b)
      for (int d = 0; d < 3; ++d)
        curl.block(a * nodes_, b * nodes_, nodes_, nodes_) += epsilon(a, d, b) * derivative[d];
  const Eigen::MatrixXd stiffness = 0.5 * (curl + curl.transpose());
  electric_from_magnetic_.push_back({element, element, stiffness});
  magnetic_from_electric_.push_back({element, element, -stiffness});
}

std::optional<std::size_t> NodalReference::neighbour(std::size_t element, int face) const {
  const auto has = [&](std::size_t other, const Vec3& x) {
    for (int v = 0; v < 4; ++v)
      if (mesh_.vertex(other, v) == x) return true;
    return false;
  };
  for (std::size_t other = 0; other < mesh_.elements(); ++other) {
    bool shared = other != element;
    for (int v = 0; v < 4 && shared; ++v) shared = v == face || has(other, mesh_.vertex(element, v));
    if (shared) return other;
  }
  return std::nullopt;
}

// int over the face of L_j (of element) L_l (of other), each evaluated at the same points in space.
Eigen::MatrixXd NodalReference::face_mass(std::size_t element, std::size_t other, int face) const {
  const Tetrahedron own(mesh_, element), beyond(mesh_, other);
  const Triangle triangle(own, face);
  const auto quadrature = triangle_quadrature(order_ + 1);
  Eigen::MatrixXd mass = Eigen::MatrixXd::Zero(nodes_, nodes_);
  for (std::size_t q = 0; q < quadrature.points.size(); ++q) {
    const auto& l = quadrature.points[q];
    const Eigen::Vector3d x = l[0] * triangle.corner[0] + l[1] * triangle.corner[1] + l[2] * triangle.corner[2];
    mass += quadrature.weights[q] * triangle.determinant * nodal_values(order_, own.barycentric(x)) *
            nodal_values(order_, beyond.barycentric(x)).transpose();
  }
  return mass;
}

// S_ik of eq. (5), with the fictitious fields of section 3.1 on the boundary.
void NodalReference::integrate_face(std::size_t element, int face,
                                    const std::vector<physics::BoundaryKind>& boundary_kind) {
  const auto beyond = neighbour(element, face);
  const std::size_t other = beyond.value_or(element);
  const Eigen::MatrixXd mass = face_mass(element, other, face);
  const Eigen::Vector3d n = Triangle(Tetrahedron(mesh_, element), face).normal;
  const Eigen::MatrixXd zero = Eigen::MatrixXd::Zero(3 * nodes_, 3 * nodes_);
  const auto tangential_part = [&](const Eigen::MatrixXd& of_face) {
    Eigen::MatrixXd part = zero;
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b)
        part.block(a * nodes_, b * nodes_, nodes_, nodes_) = 0.5 * ((a == b) - n(a) * n(b)) * of_face;
    return part;
  };
  Eigen::MatrixXd coupling = zero;
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b)
      for (int c = 0; c < 3; ++c)
        coupling.block(a * nodes_, b * nodes_, nodes_, nodes_) += 0.5 * epsilon(a, b, c) * n(c) * mass;
  const Eigen::MatrixXd tangential = tangential_part(mass);
  if (beyond && upwind_ > 0) {
    const Eigen::MatrixXd own = tangential_part(face_mass(element, element, face));
    electric_damping_.push_back({element, element, -upwind_ / vacuum_impedance * own});
    electric_damping_.push_back({element, other, upwind_ / vacuum_impedance * tangential});
    magnetic_damping_.push_back({element, element, -upwind_ * vacuum_impedance * own});
    magnetic_damping_.push_back({element, other, upwind_ * vacuum_impedance * tangential});
  }
  if (beyond) {
    electric_from_magnetic_.push_back({element, other, -coupling});
    magnetic_from_electric_.push_back({element, other, coupling});
    return;
  }
  const physics::BoundaryKind kind = boundary_kind[mesh_.element_faces[element][face].index];
  if (kind == physics::BoundaryKind::silver_muller) {
    const auto& m = material_of(element);
    const double impedance = vacuum_impedance * std::sqrt(m.permeability / m.permittivity);
    electric_damping_.push_back({element, element, -tangential / impedance});
    magnetic_damping_.push_back({element, element, -impedance * tangential});
    absorbing_.push_back({element, coupling, tangential, impedance});
  } else {
    const double mirror = kind == physics::BoundaryKind::pec ? 1 : -1;  // metallic: H_k = H_i, E_k = -E_i
    electric_from_magnetic_.push_back({element, element, -mirror * coupling});
    magnetic_from_electric_.push_back({element, element, -mirror * coupling});
  }
}

// Nodal values of a plane wave on an element: E = p A f(t - k . (x - x_0) / c), H = k x E / Z.
Eigen::VectorXd NodalReference::wave(const physics::Source& source, std::size_t element, double time,
                                     bool is_electric) const {
  const auto& m = material_of(element);
  const double speed = speed_of_light / std::sqrt(m.permittivity * m.permeability);
  const double impedance = vacuum_impedance * std::sqrt(m.permeability / m.permittivity);
  const Vec3 e = source.amplitude * source.polarisation;
  const Vec3 vector = is_electric ? e : cross(source.direction, e) / impedance;
  Eigen::VectorXd values(3 * nodes_);
  for (Eigen::Index i = 0; i < nodes_; ++i) {
    const double delay = dot(source.direction, node_position[element][i] - source.position) / speed;
    for (int c = 0; c < 3; ++c) values(c * nodes_ + i) = vector[c] * physics::waveform(source.waveform, time - delay);
  }
  return values;
}

// int phi . J_s of eq. (10), all in the first element that holds the point.
Eigen::VectorXd NodalReference::dipole(const physics::Source& source, double time) const {
  Eigen::VectorXd load = Eigen::VectorXd::Zero(electric.size());
  for (std::size_t e = 0; e < mesh_.elements(); ++e) {
    const auto l = Tetrahedron(mesh_, e).barycentric(to_eigen(source.position));
    if (*std::min_element(l.begin(), l.end()) < 0) continue;
    const Eigen::VectorXd values = nodal_values(order_, l);
    for (int c = 0; c < 3; ++c)
      load.segment((3 * static_cast<Eigen::Index>(e) + c) * nodes_, nodes_) =
          source.moment * physics::waveform(source.waveform, time) * source.direction[c] * values;
    break;
  }
  return load;
}

Eigen::VectorXd NodalReference::inverse_mass_times(const Eigen::VectorXd& x) const {
  Eigen::VectorXd y(x.size());
  for (std::size_t e = 0; e < mass_.size(); ++e) {
    const Eigen::LLT<Eigen::MatrixXd> factors(mass_[e]);
    for (int c = 0; c < 3; ++c) {
      const Eigen::Index at = (3 * static_cast<Eigen::Index>(e) + c) * nodes_;
      y.segment(at, nodes_) = factors.solve(x.segment(at, nodes_));
    }
  }
  return y;
}

void NodalReference::step(double dt) {
  const double time = static_cast<double>(step_++) * dt;
  const auto add_waves = [&](Eigen::VectorXd& right, bool updates_electric, double electric_time,
                             double magnetic_time) {
    for (const auto& source : sources_) {
      if (source.type != physics::Source::Type::plane_wave) continue;
      for (const auto& face : absorbing_) {
        const Eigen::VectorXd e = wave(source, face.element, electric_time, true),
                              h = wave(source, face.element, magnetic_time, false);
        auto load = right.segment(face.element * 3 * nodes_, 3 * nodes_);
        if (updates_electric) load += face.tangential * e / face.impedance - face.coupling * h;
        else load += face.impedance * (face.tangential * h) + face.coupling * e;
      }
    }
  };
  const Eigen::Index block = 3 * nodes_;

  Eigen::VectorXd right = Eigen::VectorXd::Zero(electric.size());
  apply(magnetic_from_electric_, electric, right);
  apply(magnetic_damping_, magnetic, right);
  add_waves(right, false, time, time - 0.5 * dt);
  // (1 + loss) new = (1 - loss) old + change at each node.
  const auto advance = [&](auto field, const Eigen::VectorXd& change, const Eigen::Matrix3d& loss) {
    const Eigen::Matrix3d one = Eigen::Matrix3d::Identity(), inverse = (one + loss).inverse();
    for (Eigen::Index i = 0; i < nodes_; ++i) {
      const Eigen::Vector3d old(field(i), field(nodes_ + i), field(2 * nodes_ + i)),
          by(change(i), change(nodes_ + i), change(2 * nodes_ + i));
      const Eigen::Vector3d next = inverse * ((one - loss) * old + by);
      for (int c = 0; c < 3; ++c) field(c * nodes_ + i) = next(c);
    }
  };
  Eigen::VectorXd change = inverse_mass_times(right);
  for (std::size_t e = 0; e < mass_.size(); ++e)
    advance(magnetic.segment(e * block, block),
            dt / (material_of(e).permeability * vacuum_permeability) * change.segment(e * block, block),
            0.5 * dt * layer_of(e, false));

  right.setZero();
  apply(electric_from_magnetic_, magnetic, right);
  apply(electric_damping_, electric, right);
  add_waves(right, true, time, time + 0.5 * dt);
  for (const auto& source : sources_)
    if (source.type == physics::Source::Type::dipole) right -= dipole(source, time + 0.5 * dt);
  change = inverse_mass_times(right);
  for (std::size_t e = 0; e < mass_.size(); ++e) {
    const double permittivity = material_of(e).permittivity * vacuum_permittivity;
    const Eigen::Matrix3d conduction = material_of(e).conductivity / permittivity * Eigen::Matrix3d::Identity();
    advance(electric.segment(e * block, block), dt / permittivity * change.segment(e * block, block),
            0.5 * dt * (conduction + layer_of(e, true)));
  }
}

Eigen::Matrix3d NodalReference::layer_of(std::size_t element, bool of_electric) const {
  Eigen::Matrix3d rates = Eigen::Matrix3d::Zero();
  if (layers.empty()) return rates;
  const auto& r = layers[element].magnetic;
  rates << r[0], r[1], r[2], r[1], r[3], r[4], r[2], r[4], r[5];
  return of_electric ? layers[element].electric_factor * rates : rates;
}

double NodalReference::layer_loss(const Eigen::VectorXd& e, const Eigen::VectorXd& h) const {
  double sum = 0;
  for (std::size_t i = 0; i < mass_.size(); ++i)
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) {
        const auto product = [&](const Eigen::VectorXd& u, bool of_electric) {
          const auto part = [&](int c) { return u.segment((3 * static_cast<Eigen::Index>(i) + c) * nodes_, nodes_); };
          return layer_of(i, of_electric)(a, b) * part(a).dot(mass_[i] * part(b));
        };
        sum += material_of(i).permittivity * vacuum_permittivity * product(e, true) +
               material_of(i).permeability * vacuum_permeability * product(h, false);
      }
  return sum;
}

double NodalReference::energy(const Eigen::VectorXd& magnetic_before, const Eigen::VectorXd& magnetic_after) const {
  double sum = 0;
  for (std::size_t e = 0; e < mass_.size(); ++e)
    for (int c = 0; c < 3; ++c) {
      const Eigen::Index at = (3 * static_cast<Eigen::Index>(e) + c) * nodes_;
      const auto product = [&](const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
        return a.segment(at, nodes_).dot(mass_[e] * b.segment(at, nodes_));
      };
      sum += 0.5 * material_of(e).permittivity * vacuum_permittivity * product(electric, electric) +
             0.5 * material_of(e).permeability * vacuum_permeability * product(magnetic_before, magnetic_after);
    }
  return sum;
}

Eigen::MatrixXd NodalReference::dense(const std::vector<Block>& blocks) const {
  Eigen::MatrixXd all = Eigen::MatrixXd::Zero(electric.size(), electric.size());
  const Eigen::Index n = 3 * nodes_;
  for (const auto& b : blocks) all.block(b.to * n, b.from * n, n, n) += b.matrix;
  return all;
}

DenseOperator NodalReference::dense_operator() const {
  const Eigen::Index size = electric.size();
  const Eigen::MatrixXd zero = Eigen::MatrixXd::Zero(size, size);
  DenseOperator op{dense(electric_from_magnetic_),
                   -dense(magnetic_from_electric_),
                   zero,
                   zero,
                   -dense(electric_damping_),
                   -dense(magnetic_damping_),
                   Eigen::VectorXd(size)};
  for (std::size_t e = 0; e < mass_.size(); ++e)
    for (int c = 0; c < 3; ++c) {
      const Eigen::Index at = (3 * static_cast<Eigen::Index>(e) + c) * nodes_;
      const double permittivity = material_of(e).permittivity * vacuum_permittivity,
                   permeability = material_of(e).permeability * vacuum_permeability;
      op.electric_mass.block(at, at, nodes_, nodes_) = permittivity * mass_[e];
      op.magnetic_mass.block(at, at, nodes_, nodes_) = permeability * mass_[e];
      op.conduction.segment(at, nodes_).setConstant(material_of(e).conductivity / permittivity);
      const Eigen::LLT<Eigen::MatrixXd> factors(mass_[e]);
      for (auto* rows : {&op.curl, &op.electric_damping})
        rows->middleRows(at, nodes_) = factors.solve(rows->middleRows(at, nodes_)).eval() / permittivity;
      for (auto* rows : {&op.adjoint, &op.magnetic_damping})
        rows->middleRows(at, nodes_) = factors.solve(rows->middleRows(at, nodes_)).eval() / permeability;
    }
  return op;
}

double NodalReference::transposition_defect() const {
  const Eigen::MatrixXd s = dense(electric_from_magnetic_);
  return (s + dense(magnetic_from_electric_).transpose()).cwiseAbs().maxCoeff() / s.cwiseAbs().maxCoeff();
}

double NodalReference::largest_eigenvalue() const {
  const Eigen::Index size = electric.size();
  Eigen::MatrixXd coupling = Eigen::MatrixXd::Zero(2 * size, 2 * size), mass = coupling;
  const Eigen::MatrixXd s = dense(electric_from_magnetic_);
  coupling << -dense(electric_damping_), s, s.transpose(), -dense(magnetic_damping_);
  for (std::size_t e = 0; e < mass_.size(); ++e)
    for (int c = 0; c < 3; ++c) {
      const Eigen::Index at = (3 * static_cast<Eigen::Index>(e) + c) * nodes_;
      mass.block(at, at, nodes_, nodes_) = material_of(e).permittivity * vacuum_permittivity * mass_[e];
      mass.block(size + at, size + at, nodes_, nodes_) = material_of(e).permeability * vacuum_permeability * mass_[e];
    }
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solver(coupling, mass,
                                                                         Eigen::EigenvaluesOnly | Eigen::Ax_lBx);
  return solver.eigenvalues().cwiseAbs().maxCoeff();
}

// The diagonal block of M_eps^{-1/2} S M_mu^{-1} S^t M_eps^{-1/2}.
double NodalReference::largest_local_eigenvalue(std::size_t element) const {
  const auto of_components = [&](std::size_t e) {
    Eigen::MatrixXd mass = Eigen::MatrixXd::Zero(3 * nodes_, 3 * nodes_);
    for (int c = 0; c < 3; ++c) mass.block(c * nodes_, c * nodes_, nodes_, nodes_) = mass_[e];
    return mass;
  };
  Eigen::MatrixXd row = Eigen::MatrixXd::Zero(3 * nodes_, electric.size()), block = 0 * of_components(element);
  std::set<std::size_t> columns;
  for (const Block& b : electric_from_magnetic_) {
    if (b.to != element) continue;
    row.middleCols(3 * nodes_ * static_cast<Eigen::Index>(b.from), 3 * nodes_) += b.matrix;
    columns.insert(b.from);
  }
  for (const std::size_t e : columns) {
    const Eigen::MatrixXd part = row.middleCols(3 * nodes_ * static_cast<Eigen::Index>(e), 3 * nodes_);
    const double permeability = material_of(e).permeability * vacuum_permeability;
    block += part * of_components(e).llt().solve(part.transpose()) / permeability;
  }
  const Eigen::MatrixXd mass = material_of(element).permittivity * vacuum_permittivity * of_components(element);
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solver(block, mass,
                                                                         Eigen::EigenvaluesOnly | Eigen::Ax_lBx);
  return std::sqrt(solver.eigenvalues().maxCoeff());
}

}  // namespace dgtd::dg::test
