#include "damped_layers.hpp"

namespace dgtd::verification {

std::vector<double> damp(Problem& problem, const std::vector<mesh::AddedLayers>& layers,
                         const physics::LayerProfile& profile, std::optional<double> loss) {
  const auto& added = layers.front();
  const auto rates = physics::rates_of_strata(profile, added.strata, added.thickness, speed_of_light);
  const mesh::LayerGeometry geometry(problem.mesh, layers, alone());
  problem.layers.assign(problem.mesh.elements(), {});
  problem.layers.convolutional = loss.has_value();
  const auto strata = physics::convolutional_strata(rates, wave_number * speed_of_light / 4, loss.value_or(0));
  for (std::size_t e = 0; e < problem.mesh.elements(); ++e)
    for (const auto& at : geometry.places(e)) {
      const Vec3& n = at.normal;
      if (loss) {
        const auto& stratum = strata[static_cast<std::size_t>(at.stratum)];
        problem.layers[e].sections.push_back({n, stratum.rate, stratum.alpha});
        problem.layers[e].loss += stratum.loss;
        continue;
      }
      const double tangential[6] = {1 - n.x * n.x, -n.x * n.y, -n.x * n.z, 1 - n.y * n.y, -n.y * n.z, 1 - n.z * n.z};
      for (int k = 0; k < 6; ++k)
        problem.layers[e].magnetic[k] += rates[static_cast<std::size_t>(at.stratum)] * tangential[k];
    }
  return rates;
}

}  // namespace dgtd::verification
