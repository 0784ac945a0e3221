#include "dgtd/observers/scene_view.hpp"

#include <cmath>
#include <limits>

namespace dgtd::observers {

void SceneView::finish(io::Results& results) {
  const auto stage = timers_.measure("output/view");
  std::vector<SceneQuantity> quantities;
  if (!settings_.field.empty() && settings_.fourier.complete(results.summary)) {
    const double factor = results.exposure ? std::sqrt(results.exposure->scaling.factor) : 1;
    quantities.push_back({{io::ColourMap::viridis, 0, 1, true, settings_.field_unit, "|E|"},
                          3,
                          [this, factor](std::span<const std::size_t> places) {
                            auto values = view_.amplitudes(places);
                            for (float& v : values) v = static_cast<float>(factor * double(v));
                            return values;
                          }});
  }
  if (results.exposure) {
    const auto& exposure = *results.exposure;
    quantities.insert(
        quantities.begin(),
        {{io::ColourMap::magma, 0, 1, true, "W/kg", "SAR"}, 4, [&exposure](std::span<const std::size_t> places) {
           const dosimetry::EntryFinder find_entry(exposure);
           std::vector<float> values(places.size(), std::numeric_limits<float>::quiet_NaN());
#pragma omp parallel for schedule(static)
           for (std::size_t i = 0; i < places.size(); ++i)
             if (const auto entry = find_entry(places[i]); entry && exposure.is_tissue(*entry))
               values[i] = static_cast<float>(dosimetry::local_sar(exposure, *entry));
           return values;
         }});
  }
  io::Scene scene = make_scene(view_, settings_.regions, quantities, settings_.scene, comm_);
  if (!comm_.is_root()) return;
  scene.title = "Bodies, fields and cuts";
  scene.lines = settings_.lines(box_of(scene));
  if (!scene.quantities.empty()) {
    scene.note = settings_.field;
    if (results.exposure) scene.note += ", " + dosimetry::power_text(results.exposure->scaling);
    scene.note += ". Values are those at the centre of an element or cell; on surfaces of the one inside. ";
  }
  scene.note +=
      "Drag to turn, with the right button or shift to move, wheel to zoom; the line below the picture is what is "
      "under the pointer.";
  results.summary.sections.push_back({io::Chapter::dosimetry, "View in 3-D", {std::move(scene)}});
}

}  // namespace dgtd::observers
