#pragma once
// A plane wave inside a region: the elements in a box have the total field, the others the scattered field. Between
// them the numerical flux has the neighbour's trace plus (seen from the total field) or minus that of the wave:
//   u_k + o u_inc,   o = 1 in the total field, -1 in the scattered one,
// which adds the lift of o u_inc to the half steps of the elements beside the surface (docs/theory.md, "Sources").
#include <cstdint>
#include <string>
#include <vector>

#include "dgtd/dg/executor.hpp"
#include "dgtd/parallel/communicator.hpp"
#include "dgtd/physics/source.hpp"

namespace dgtd::dg {

/// Where the total field ends, on this rank.
struct TotalFieldSurface {
  /// A face between the total and the scattered field, seen from one of its elements.
  struct Side {
    std::uint32_t element;  // local
    std::uint8_t face;
    bool total;  // whether the element has the total field
  };
  std::vector<std::uint8_t> in_total;    // [elements] whether an element has the total field
  std::vector<Side> sides;               // ascending in element and face; of faces inside this rank both
  std::int64_t elements = 0, faces = 0;  // of all ranks: with the total field; of the surface
  physics::Medium medium;                // on both sides of the surface; vacuum without faces
  std::string medium_name;               // its volume group; empty without faces
};

/// The elements whose centroids are inside the source's box (box_min, box_max) have the total field. Collective. Throws
/// Error where the surface is not inside one lossless material, or where an element with the total field, or one beside
/// the surface, has an absorbing face.
template <class Real>
TotalFieldSurface total_field_surface(const Discretisation<Real>& d, const physics::Source& source,
                                      const parallel::Communicator& comm);

/// Bytes of a TotalFieldWave on the surface.
double total_field_bytes(const TotalFieldSurface& surface, int order);

/// The wave on an executor, for leap-frog steps.
template <class Real>
class TotalFieldWave {
 public:
  /// dt: s, of a step of level 0. d and executor outlive the wave. Collective. Throws as total_field_surface does.
  TotalFieldWave(const Discretisation<Real>& d, Executor<Real>& executor, const physics::Source& source, double dt,
                 const parallel::Communicator& comm);

  /// Before a half step of H at the time of E, s: adds E of the wave to the field that takes the half step. That is
  /// `unfiltered` in the first coefficients, as many as it has, and magnetic elsewhere; null: magnetic everywhere.
  void begin_magnetic(Field<Real>& magnetic, Field<Real>* unfiltered, double time);
  void end_magnetic(const Field<Real>& magnetic) { add_work(magnetic, magnetic_); }
  /// Before and after a half step of E at the time of H, s; afterwards H of the wave is added to E.
  void begin_electric(const Field<Real>& electric, double time);
  void end_electric(Field<Real>& electric);

  /// Work on the fields, J, this rank's part: in a step dt ((E^n + E^{n+1}) / 2 . b_E + (H^{n-1/2} + H^{n+1/2}) / 2 .
  /// b_H), b the rates that the wave adds.
  double work() const { return earlier_work_ + parallel::sum_of(work_); }
  void set_work(double work);
  /// An upper bound of the power that passes through the surface inwards and outwards, W, this rank's part.
  double power_bound() const { return power_bound_; }
  double memory_bytes() const;

 private:
  void sample(double time);
  void add(Field<Real>& field, Field<Real>* first_part, const parallel::Array<SurfaceSide>& sides);
  void add_work(const Field<Real>& field, const parallel::Array<SurfaceSide>& sides);

  Executor<Real>& executor_;
  physics::WaveformShape shape_;
  double dt_;
  double start_ = 0;  // s: when the wave reaches the first point of the surface, from which delays count
  double power_bound_ = 0, earlier_work_ = 0;  // W; J, before the run was continued
  std::size_t stride_;
  int nodes_, face_nodes_, points_;                   // Np, Nf, points at which the wave is sampled on a face
  parallel::Array<double> delay_, values_;            // [faces][points] s; the waveform
  parallel::Array<SurfaceSide> electric_, magnetic_;  // [sides] for the half steps of E and H
  parallel::Array<std::uint32_t> first_side_;         // [elements beside the surface + 1]
  parallel::Array<double> lift_, moments_;            // AddSurfaceWave, AddSurfaceWork
  parallel::Array<int> entry_a_, entry_b_, minus_;    // FaceTraceEntries
  parallel::Array<double> work_;                      // [sides][Nf] J
};

}  // namespace dgtd::dg
