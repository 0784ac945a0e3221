#pragma once
// Pictures of the report: SAR and averaged SAR in three planes through the peak, |E| on the surface of the tissue.
#include <functional>
#include <span>

#include "dgtd/base/timers.hpp"
#include "dgtd/io/results.hpp"
#include "dgtd/observers/domain_view.hpp"
#include "dgtd/solver/observer.hpp"

namespace dgtd::observers {

/// A pixel's values on all ranks: value_of(place) of the hit that counts, the one of greatest depth and among those the
/// one of the lowest number. Rows from the top. On root; empty elsewhere. Collective. depth: [pixels] m, of views.
struct PixelImage {
  io::Raster raster;
  std::vector<float> depth;  // [height][width] m; not a number where nothing is
};
PixelImage gather_pixels(const PixelPlane& plane, std::span<const PixelHit> hits,
                         const std::function<float(std::size_t place)>& value_of, const parallel::Communicator& comm);

/// "z = 12 mm"; 0 for a position that is a rounding error of the plane's size.
std::string position_text(const PixelPlane& plane);

/// A picture of a plane, all but its pixels.
io::Picture picture_of(const PixelPlane& plane, std::string title);

struct PictureSettings {
  std::vector<Vec3> sources;  // m; those beside the tissue are inside the pictures
  int pixels = 560;           // of the longest side
  double pixel_bytes = 0;     // that finish() needs, measured on a square picture; 0: there will be none
  double element_bytes = 0;   // the same for all elements of this rank
};

class Pictures final : public solver::Observer {
 public:
  /// View, communicator and timers, which get the seconds of finish() as output/pictures, outlive the observer.
  Pictures(PictureSettings settings, const DomainView& view, const parallel::Communicator& comm, Timers& timers)
      : settings_(std::move(settings)), view_(view), comm_(comm), timers_(timers) {}

  std::int64_t next(std::int64_t) const override { return solver::never; }
  void observe(const solver::Clock&) override {}
  /// A section after the observers of powers and averages, whose exposure and voxels it shows. None without SAR.
  void finish(io::Results& results) override;
  double output_bytes() const override;

 private:
  struct Scene;
  struct Sheet;  // a row of pictures that are still to be drawn
  void add_planes(const Scene& scene, const io::Results& results, std::vector<Sheet>& sheets) const;
  void add_surfaces(const Scene& scene, std::vector<Sheet>& sheets) const;
  static void draw(std::vector<Sheet>& sheets);

  PictureSettings settings_;
  const DomainView& view_;
  const parallel::Communicator& comm_;
  Timers& timers_;
};

}  // namespace dgtd::observers
