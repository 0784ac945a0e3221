#pragma once
// Far more than 65,535 media, each with two numbers of its own.
#include <cmath>

#include "fdtd/grid_problem.hpp"

namespace dgtd::fdtd {

/// Each component has another one.
class ManyMedia final : public grid::Media {
 public:
  int filling(const Vec3&, const Vec3&) const override { return -1; }
  int material_at(const Vec3&) const override { return 0; }
  grid::LocalMedium electric(const Vec3& x, const Vec3&, const Vec3&, int axis) const override {
    const double n = 1e4 * (x.x + 100 * x.y) + 100 * x.z + 0.3 * axis;
    return {0, 2 + std::sin(n), 1e-3 * (1.1 + std::sin(1.7 * n))};
  }
};

inline grid::Setup many_media_setup() {
  grid::Setup setup;
  setup.grid = uniform_grid(64, 40, 20, 0.01, {0, 0, 0});
  setup.materials.resize(1);
  return setup;
}

}  // namespace dgtd::fdtd
