// Powers from the phasors of the DFT: what materials take up, what leaves a box, and |E|^2 of cells.
#include <algorithm>
#include <cmath>

#include "dgtd/base/constants.hpp"
#include "dgtd/fdtd/fdtd_solver.hpp"
#include "ghosts.hpp"

namespace dgtd::fdtd {

namespace {

// The material that takes up a component's losses: the one at its place, or where that has none the first lossy one at
// the faces and corners of its cell.
int lossy_material(const grid::Media& media, const std::vector<bool>& lossy, const Vec3& centre, const Vec3& size) {
  const int here = media.material_at(centre);
  if (lossy[here]) return here;
  for (const int corners : {1, 3})  // shifted along that many axes, faces first
    for (int shift = 0; shift < 27; ++shift) {
      const int s[3] = {shift % 3 - 1, shift / 3 % 3 - 1, shift / 9 - 1};
      if ((s[0] != 0) + (s[1] != 0) + (s[2] != 0) != corners) continue;
      const int there = media.material_at(centre + Vec3{0.5 * s[0] * size.x, 0.5 * s[1] * size.y, 0.5 * s[2] * size.z});
      if (lossy[there]) return there;
    }
  return here;
}

// So that the host does not keep all phasors of a device.
template <class Phasor>
void release_host_copies(const Phasor& p) {
  for (const auto* array : {&p.electric_real, &p.electric_imag, &p.magnetic_real, &p.magnetic_imag})
    array->release_host_copy();
}

}  // namespace

template <class Stored>
typename FdtdSolver<Stored>::Losses FdtdSolver<Stored>::losses(HalfStep half, double angular_frequency) const {
  const bool of_electric = half == HalfStep::electric;
  const HalfStepArrays<Real>& arrays = of_electric ? d_->electric : d_->magnetic;
  const auto admittance_of = [&](const MediumClass<Real>& medium, int set) {
    return admittance(medium, d_->poles.data() + std::size_t(set) * d_->pole_count, set > 0 ? d_->pole_count : 0,
                      angular_frequency, d_->time_step);
  };
  Losses losses;
  for (std::size_t m = 0; m < arrays.classes.size(); ++m) {
    const bool has_own = arrays.classes[m].rate != 0 &&
                         !(of_electric && static_cast<int>(m) == d_->series_class);  // not a perfect conductor
    losses.of_class.push_back(has_own ? loss(admittance_of(arrays.classes[m], of_electric ? d_->poles_of_class[m] : 0),
                                             angular_frequency, d_->time_step)
                                      : 0);
  }
  if (!of_electric) return losses;
  // In series D is of one value: 1 / Y = sum share_m / Y_m.
  losses.series_class = d_->series_class;
  const SeriesArrays<Real>& series = d_->series;
  const std::size_t n = series.index.size();
  for (std::size_t i = 0; i < n; ++i) {
    std::complex<double> inverse = 0;
    for (const std::size_t at : {i, n + i})
      inverse += double(series.share[at]) / admittance_of(series.medium[at], series.pole_set[at]);
    losses.of_series[series.index[i]] = loss(1.0 / inverse, angular_frequency, d_->time_step);
  }
  return losses;
}

template <class Stored>
template <class Body>
void FdtdSolver<Stored>::for_classes(const HalfStepArrays<Real>& arrays, const TileBatch& batch, Body body) const {
  const GridLayout& l = d_->layout;
  const auto tiles = static_cast<std::int64_t>(batch.tiles.size());
#pragma omp parallel for schedule(dynamic, 16)
  for (std::int64_t t = 0; t < tiles; ++t) {
    const Tile& tile = batch.tiles[t];
    for (int c = 0; c < 3; ++c)
      for (int k = tile.first[2]; k < std::min(l.cells[2], tile.first[2] + tile_cells(2)); ++k)
        for (int j = tile.first[1]; j < std::min(l.cells[1], tile.first[1] + tile_cells(1)); ++j)
          for (int i = tile.first[0]; i < std::min(l.cells[0], tile.first[0] + tile_cells(0)); ++i) {
            const int cell =
                ((k - tile.first[2]) * tile_cells(1) + j - tile.first[1]) * tile_cells(0) + i - tile.first[0];
            body(static_cast<std::size_t>(t), c, std::array{i, j, k},
                 tile.classes < 0 ? tile.medium_class
                                  : int(arrays.class_of[(std::size_t(tile.classes) * 3 + c) * cells_of_tile + cell]));
          }
  }
}

template <class Stored>
void FdtdSolver<Stored>::add_absorbed(HalfStep half, const Phasor& phasor, const grid::Media& media, const NodeBox& box,
                                      std::vector<double>& of_material) const {
  const bool of_electric = half == HalfStep::electric;
  const HalfStepArrays<Real>& arrays = of_electric ? d_->electric : d_->magnetic;
  const Losses losses_of = losses(half, phasor.angular_frequency);
  if (losses_of.are_zero()) return;
  std::vector<bool> lossy;
  for (const auto& m : materials_)
    lossy.push_back(of_electric ? m.conductivity > 0 || !m.poles.empty() : m.magnetic_loss > 0);
  const Real* const real = (of_electric ? phasor.electric_real : phasor.magnetic_real).host();
  const Real* const imag = (of_electric ? phasor.electric_imag : phasor.magnetic_imag).host();
  const GridLayout& l = d_->layout;
  std::vector<double> inside[2][3];  // [between nodes][axis][cells] m
  for (const bool between : {false, true})
    for (int a = 0; a < 3; ++a)
      for (int i = 0; i < l.cells[a]; ++i) inside[between][a].push_back(length_inside(*d_, box, a, between, i));

  const std::size_t materials = of_material.size();
  for (const TileBatch& batch : arrays.batches) {
    std::vector<double> of_tile(batch.tiles.size() * materials, 0);
    for_classes(arrays, batch, [&](std::size_t tile, int c, const std::array<int, 3>& at, int number) {
      const auto n = static_cast<std::size_t>(c * l.reals + l.index(at[0], at[1], at[2]));
      const double conductivity = losses_of.at(number, n);
      if (conductivity == 0) return;
      double volume = 1;
      Vec3 size;
      for (int a = 0; a < 3; ++a) {
        const bool between = (a == c) == of_electric;
        volume *= inside[between][a][at[a]];
        if (a < d_->axes)
          size[a] = between ? d_->nodes[a][at[a] + 2] - d_->nodes[a][at[a] + 1]
                            : d_->centres[a][at[a] + 1] - d_->centres[a][at[a]];
      }
      if (volume == 0) return;
      const double square = double(real[n]) * double(real[n]) + double(imag[n]) * double(imag[n]);
      const int material = lossy_material(media, lossy, d_->position(of_electric, c, at[0], at[1], at[2]), size);
      of_tile[tile * materials + material] += 0.5 * conductivity * square * volume;
    });
    for (std::size_t i = 0; i < of_tile.size(); ++i) of_material[i % materials] += of_tile[i];
  }
}

template <class Stored>
std::vector<double> FdtdSolver<Stored>::absorbed(std::size_t frequency, const grid::Media& media,
                                                 const NodeBox& box) const {
  std::vector<double> of_material(materials_.size(), 0);
  for (const HalfStep half : {HalfStep::electric, HalfStep::magnetic})
    add_absorbed(half, phasors_[frequency], media, box, of_material);
  release_host_copies(phasors_[frequency]);
  return comm_.sum(std::move(of_material));
}

// 1/2 Re sum E conj(H) cos(w dt / 2) area / Z0, E and H each at its own time.
template <class Stored>
double FdtdSolver<Stored>::outflow(std::size_t frequency, const NodeBox& box) const {
  const FluxSurface surface = box_surface(*d_, box);
  const Phasor& p = phasors_[frequency];
  const SpectrumSamples& s = surface.samples;
  const auto of = [&](const parallel::Array<Real>& f, const std::vector<std::uint64_t>& at) {
    return engine().gather(f, at);
  };
  const auto er = of(p.electric_real, s.electric), ei = of(p.electric_imag, s.electric),
             hr_below = of(p.magnetic_real, s.magnetic_below), hr_above = of(p.magnetic_real, s.magnetic_above),
             hi_below = of(p.magnetic_imag, s.magnetic_below), hi_above = of(p.magnetic_imag, s.magnetic_above);
  double power = 0;
  for (std::size_t i = 0; i < s.electric.size(); ++i) {
    const auto mean = [&](Real below, Real above) {
      return s.weight_below[i] * double(below) + (1 - s.weight_below[i]) * double(above);
    };
    power += surface.area[i] *
             (double(er[i]) * mean(hr_below[i], hr_above[i]) + double(ei[i]) * mean(hi_below[i], hi_above[i]));
  }
  release_host_copies(p);
  return comm_.sum(0.5 / vacuum_impedance * std::cos(0.5 * p.angular_frequency * d_->time_step) * power);
}

template <class Stored>
std::vector<double> FdtdSolver<Stored>::absorbed_density(std::size_t frequency,
                                                         const std::vector<std::size_t>& cells) const {
  const Phasor& p = phasors_[frequency];
  const GridLayout& l = d_->layout;
  const Losses losses_of = losses(HalfStep::electric, p.angular_frequency);
  parallel::Array<Real> density(p.electric_real.size()), none;
  Real* const at_edge = density.host_for_writing();
  const Real *const real = p.electric_real.host(), *const imag = p.electric_imag.host();
  for (const TileBatch& batch : d_->electric.batches)
    for_classes(d_->electric, batch, [&](std::size_t, int c, const std::array<int, 3>& at, int number) {
      const auto n = static_cast<std::size_t>(c * l.reals + l.index(at[0], at[1], at[2]));
      at_edge[n] = static_cast<Real>(0.5 * losses_of.at(number, n) *
                                     (double(real[n]) * double(real[n]) + double(imag[n]) * double(imag[n])));
    });
  release_host_copies(p);
  fill_upper_ghosts<Real>(*d_, density, none, bloch_phase_, comm_);
  const auto nx = static_cast<std::size_t>(shown_.cells[0]), ny = static_cast<std::size_t>(shown_.cells[1]);
  const auto count = static_cast<std::int64_t>(cells.size());
  std::vector<double> values(cells.size());
#pragma omp parallel for schedule(static)
  for (std::int64_t v = 0; v < count; ++v) {
    const std::size_t cell = cells[static_cast<std::size_t>(v)];
    const int i = int(cell % nx), j = int(cell / nx % ny), k = int(cell / nx / ny);
    double sum = 0;
    for (int c = 0; c < 3; ++c) {
      const auto n = static_cast<std::size_t>(c * l.reals + l.index(i, j, k));
      const auto u = static_cast<std::size_t>(l.stride((c + 1) % 3)),
                 w = static_cast<std::size_t>(l.stride((c + 2) % 3));
      sum += 0.25 * (double(at_edge[n]) + double(at_edge[n + u]) + double(at_edge[n + w]) + double(at_edge[n + u + w]));
    }
    values[static_cast<std::size_t>(v)] = sum;
  }
  return values;
}

// A density, and what it is made of where that is on a device.
template <class Stored>
double FdtdSolver<Stored>::absorbed_density_bytes() const {
  const double phasor = double(engine().electric().size()) * sizeof(Real);
  return engine().memory().is_host() ? phasor : 3 * phasor;
}

template class FdtdSolver<Half>;
template class FdtdSolver<float>;
template class FdtdSolver<double>;

}  // namespace dgtd::fdtd
