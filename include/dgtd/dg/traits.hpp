#pragma once
// Traits of elements, as values: elements of equal traits form batches, and a batch has the kernel of those
// traits on which the arithmetic depends. A new trait is a member of ElementTraits, a digit of memory_order() and, if
// it changes the arithmetic, a member of KernelTraits with the sets in kernel_traits that occur.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace dgtd::dg {

/// The medium of an element, in ascending order: elements that share a batch are updated as the highest of them.
enum class MediumKind : std::uint8_t {
  lossless,
  conductive,
  dispersive,
  layer,  // of a passive layer: losses of E and H along directions, beside the medium's conductivity
  dispersive_layer,
  cpml,         // of a convolutional layer beside one side
  cpml_corner,  // beside several sides
  dispersive_cpml,
  dispersive_cpml_corner
};
inline constexpr int medium_kinds = 9;
constexpr bool is_layer(MediumKind medium) { return medium >= MediumKind::layer; }
constexpr bool is_passive_layer(MediumKind medium) {
  return medium == MediumKind::layer || medium == MediumKind::dispersive_layer;
}
constexpr bool is_cpml(MediumKind medium) { return medium >= MediumKind::cpml; }
constexpr bool is_cpml_corner(MediumKind medium) {
  return medium == MediumKind::cpml_corner || medium == MediumKind::dispersive_cpml_corner;
}
constexpr bool has_poles(MediumKind medium) {
  return medium == MediumKind::dispersive || medium == MediumKind::dispersive_layer ||
         medium >= MediumKind::dispersive_cpml;
}

struct ElementTraits {
  bool halo = false;      // has a face on another rank: is updated after the exchange of traces
  bool boundary = false;  // has a face on the mesh's boundary, or a penalty; of a batch: has the data of such faces
  MediumKind medium = MediumKind::lossless;
  bool curved = false;  // its metric is that of each point (kernels/curved.hpp)
  bool operator==(const ElementTraits&) const = default;
};

/// The traits of the batch that an element joins. Elements with a boundary face, and those within reach of a finer
/// level of local time steps (in_levels), are few: conductive or not, they share a batch. Dispersive ones, which have a
/// state, and those of layers do not join it. Convolutional layers at edges and corners and those of dispersive media,
/// which are few, have the data of boundary faces, so that one kernel serves them. So have curved ones of dispersive media;
/// other curved ones share batches, conductive or not.
constexpr ElementTraits batch_traits(ElementTraits element, bool in_levels) {
  if ((element.boundary || in_levels) && element.medium < MediumKind::dispersive) element.medium = MediumKind::lossless;
  if (element.curved && element.medium < MediumKind::dispersive) element.medium = MediumKind::lossless;
  if (element.medium > MediumKind::cpml || (element.curved && element.medium == MediumKind::dispersive))
    element.boundary = true;
  return element;
}

/// Places of batches in memory: the tuple (halo, boundary, curved, medium) as a number below memory_places. Batches with
/// boundary faces end the interior and begin the halo, so that their extra arrays are contiguous.
inline constexpr int memory_places = 2 * 2 * 2 * medium_kinds;
constexpr int memory_order(const ElementTraits& batch) {
  const bool second = batch.boundary != batch.halo;
  return ((int{batch.halo} * 2 + int{second}) * 2 + int{batch.curved}) * medium_kinds + static_cast<int>(batch.medium);
}

/// The traits on which the arithmetic of a half step depends; a kernel is compiled for them and does not branch on
/// them.
struct KernelTraits {
  MediumKind medium = MediumKind::lossless;  // conductive: the old value is multiplied by Ca, 1 in lossless elements
  bool boundary = false;                     // faces may be metallic, magnetic or absorbing
  bool curved = false;                       // the metric of each point
  bool operator==(const KernelTraits&) const = default;
  /// The traits as a number, for CUDA kernels, of which the template arguments cannot be structures.
  constexpr int number() const { return (int{curved} * medium_kinds + static_cast<int>(medium)) * 2 + int{boundary}; }
  static constexpr KernelTraits of_number(int n) {
    return {static_cast<MediumKind>(n / 2 % medium_kinds), n % 2 != 0, n / 2 >= medium_kinds};
  }
};

/// The sets of traits that kernels of batches are compiled for, on the CPU and on GPUs.
inline constexpr std::array kernel_traits = {
    KernelTraits{MediumKind::lossless, false},
    KernelTraits{MediumKind::conductive, false},
    KernelTraits{MediumKind::conductive, true},  // conductive or not
    KernelTraits{MediumKind::dispersive, false},
    KernelTraits{MediumKind::dispersive, true},
    KernelTraits{MediumKind::layer, false},
    KernelTraits{MediumKind::layer, true},
    KernelTraits{MediumKind::dispersive_layer, false},
    KernelTraits{MediumKind::dispersive_layer, true},
    KernelTraits{MediumKind::cpml, false},
    KernelTraits{MediumKind::dispersive_cpml_corner, true},  // convolutional layers of all kinds, with poles or not
    KernelTraits{MediumKind::conductive, false, true},       // conductive or not, as the next one
    KernelTraits{MediumKind::conductive, true, true},
    KernelTraits{MediumKind::dispersive, true, true},
};

/// Work of a half step beside its curl.
enum class HalfStepWork : std::uint8_t {
  curl,              // and conduction: the operator
  layers,            // and the losses of layers: a run's half step of H
  layers_and_states  // and the states of elements: that of E
};
/// Whether a medium needs a kernel of its own.
constexpr bool has_own_kernel(MediumKind medium, HalfStepWork work) {
  return (is_layer(medium) && work != HalfStepWork::curl) ||
         (has_poles(medium) && work == HalfStepWork::layers_and_states);
}
/// The traits of the kernel that serves a batch in such a half step. Media without a kernel of their own there are
/// updated as conductive ones, and a passive layer of a medium with poles, which H does not have, as one without.
constexpr KernelTraits traits_of_kernel(const ElementTraits& batch, HalfStepWork work) {
  MediumKind medium = batch.medium;
  if (!has_own_kernel(medium, work)) medium = std::min(medium, MediumKind::conductive);
  else if (is_cpml(medium)) medium = batch.boundary ? MediumKind::dispersive_cpml_corner : MediumKind::cpml;
  else if (work == HalfStepWork::layers) medium = std::min(medium, MediumKind::layer);
  return {batch.boundary || batch.curved ? std::max(medium, MediumKind::conductive) : medium, batch.boundary,
          batch.curved};
}
/// Place of a kernel in kernel_traits.
constexpr std::size_t kernel_index(const KernelTraits& kernel) {
  return static_cast<std::size_t>(std::find(kernel_traits.begin(), kernel_traits.end(), kernel) -
                                  kernel_traits.begin());
}
/// intSurface does not depend on the medium, nor updateField on faces: their kernels are shared by sets of traits.
constexpr KernelTraits surface_traits(KernelTraits t) { return {MediumKind::lossless, t.boundary}; }
constexpr KernelTraits field_traits(KernelTraits t) { return {t.medium, false, t.curved}; }

}  // namespace dgtd::dg
