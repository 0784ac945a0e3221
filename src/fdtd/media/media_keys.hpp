#pragma once
// From materials to what the update of a component needs: keys of classes, poles, coefficients.
#include <vector>

#include "dgtd/fdtd/kernels/views.hpp"
#include "dgtd/grid/setup.hpp"
#include "fdtd/media/class_table.hpp"

namespace dgtd::fdtd {

/// Poles of the materials, resonant ones first, and of these critical points.
struct PoleSets {
  std::vector<std::vector<physics::Pole>> sets{{}};          // [set]; set 0 is empty
  std::vector<int> of_material;                              // [materials] set
  int most_poles = 0, most_resonant = 0, most_critical = 0;  // of the longest set
};

PoleSets pole_sets(const std::vector<physics::Medium>& materials);

/// physics::pole_coefficients in the type of the kernels; dt: s.
template <class Real>
PoleCoefficients<Real> pole_coefficients(const physics::Pole& pole, double dt);

/// Ca and Cb of E, Da and Db of H.
template <class Real>
MediumClass<Real> medium_class(const MediumKey& key, double dt);

/// Keys of the media that components have. Refers to the materials and the sets.
class MediaKeys {
 public:
  MediaKeys(const std::vector<physics::Medium>& materials, const PoleSets& sets) : materials_(materials), sets_(sets) {}
  MediumKey electric(const grid::LocalMedium& medium) const;
  /// Key of E in the material alone; a perfect conductor holds E at zero.
  MediumKey electric(int material) const;
  /// Key of one of the two materials in series in a component of E: what it would have by itself.
  MediumKey electric_in_series(int material) const;
  /// In a perfect conductor H is that of the background.
  MediumKey magnetic(int material) const;
  bool is_dispersive(int material) const { return sets_.of_material[static_cast<std::size_t>(material)] > 0; }
  /// Whether H has another medium somewhere.
  bool has_magnetic_media() const;

 private:
  const physics::Medium& at(int material) const { return materials_[static_cast<std::size_t>(material)]; }
  const std::vector<physics::Medium>& materials_;
  const PoleSets& sets_;
};

}  // namespace dgtd::fdtd
