// Values of fields at the centres of cells: the mean of the four E components around a cell and of the two H
// components.
#include <algorithm>

#include "dgtd/base/constants.hpp"
#include "dgtd/fdtd/fdtd_solver.hpp"
#include "fdtd/discretisation/ghosts.hpp"

namespace dgtd::fdtd {

namespace {

template <class Stored>
class FieldCells final : public grid::CellSampler {
 public:
  /// The field as it is, in a unit, V/m; it outlives the sampler.
  FieldCells(const GridLayout& layout, bool electric, const parallel::Array<Stored>* field, double unit)
      : l_(layout), electric_(electric), field_(field), unit_(unit) {}
  /// A copy with its ghosts, V/m.
  FieldCells(const GridLayout& layout, bool electric, parallel::Array<Stored>&& values)
      : l_(layout), electric_(electric), copy_(std::move(values)), field_(&copy_) {}

  void sample(const std::array<int, 3>& first, const std::array<int, 3>& count, double* values) override {
    if (count[0] <= 0 || count[1] <= 0 || count[2] <= 0) return;
    const std::int64_t begin = l_.index(first[0], first[1], first[2]);
    const std::int64_t last =
        l_.index(first[0] + count[0] - 1, first[1] + count[1] - 1, first[2] + count[2] - 1) + 1 + l_.row + l_.plane;
    const Stored* of[3];
    for (int c = 0; c < 3; ++c) {
      const auto place = static_cast<std::size_t>(c * l_.reals + begin);
      of[c] = field_->piece(place, static_cast<std::size_t>(last - begin + 1), buffers_[c]);
    }
    const double scale = unit_ * (electric_ ? 1 : 1 / vacuum_impedance);
    const std::int64_t rows = std::int64_t{count[1]} * count[2];
#pragma omp parallel for schedule(static)
    for (std::int64_t row = 0; row < rows; ++row) {
      const int j = first[1] + static_cast<int>(row % count[1]), k = first[2] + static_cast<int>(row / count[1]);
      double* to = values + 3 * row * count[0];
      for (int i = first[0]; i < first[0] + count[0]; ++i)
        for (int c = 0; c < 3; ++c) {
          const Stored* const f = of[c] + (l_.index(i, j, k) - begin);
          const std::int64_t u = l_.stride((c + 1) % 3), v = l_.stride((c + 2) % 3);
          const double mean = electric_ ? 0.25 * (double(f[0]) + double(f[u]) + double(f[v]) + double(f[u + v]))
                                        : 0.5 * (double(f[0]) + double(f[l_.stride(c)]));
          *to++ = scale * mean;
        }
    }
  }

 private:
  GridLayout l_;
  bool electric_;
  parallel::Array<Stored> copy_;
  const parallel::Array<Stored>* field_;
  double unit_ = 1;  // V/m
  std::vector<Stored> buffers_[3];
};

// In host memory and V/m, so that ghosts can be filled without a change of the fields.
template <class Stored, class Real = arithmetic_t<Stored>>
parallel::Array<Real> copy_of(const parallel::Array<Stored>& from, double unit) {
  constexpr std::size_t piece = std::size_t{1} << 20;
  parallel::Array<Real> to(from.size());
  Real* const at = to.host_for_writing();
  std::vector<Stored> buffer;
  for (std::size_t first = 0; first < from.size(); first += piece) {
    const auto n = static_cast<std::int64_t>(std::min(piece, from.size() - first));
    const Stored* const values = from.piece(first, static_cast<std::size_t>(n), buffer);
#pragma omp parallel for schedule(static)
    for (std::int64_t i = 0; i < n; ++i) at[first + static_cast<std::size_t>(i)] = static_cast<Real>(unit) * values[i];
  }
  return to;
}

}  // namespace

// The ghosts above a block are those of neighbours; only where there are some is the field copied as a whole.
template <class Stored>
std::unique_ptr<grid::CellSampler> FdtdSolver<Stored>::cell_sampler(solver::Quantity quantity) const {
  using Field = solver::Quantity::Field;
  using Part = solver::Quantity::Part;
  const bool of_electric = quantity.field == Field::electric;
  const bool imaginary = quantity.part == Part::imaginary;
  bool alone = !fields_.imaginary;
  for (int a = 0; a < 3; ++a) alone = alone && d_->block.lower[a] < 0 && d_->block.upper[a] < 0;
  // other: the other part of a complex field.
  const auto sampler = [&](const auto& field, const auto& other, double unit) -> std::unique_ptr<grid::CellSampler> {
    using Values = std::decay_t<decltype(*field.host())>;
    if (alone) return std::make_unique<FieldCells<Values>>(d_->layout, of_electric, &field, unit);
    parallel::Array<Real> f = copy_of(field, unit), g;
    if (fields_.imaginary) g = copy_of(other, unit);
    if (imaginary && fields_.imaginary) fill_upper_ghosts<Real>(*d_, g, f, bloch_phase_, comm_);
    else fill_upper_ghosts<Real>(*d_, f, g, bloch_phase_, comm_);
    return std::make_unique<FieldCells<Real>>(d_->layout, of_electric, std::move(f));
  };
  if (quantity.part == Part::present) {
    const auto of = [&](Engine<Stored>& e) -> const parallel::Array<Stored>& {
      return of_electric ? e.electric() : e.magnetic();
    };
    return sampler(of(engine()), of(fields_.imaginary ? imaginary_engine() : engine()),
                   of_electric ? unit() : engine().magnetic_unit());
  }
  const Phasor<Real>& p = phasors_[quantity.frequency];
  const auto& real = of_electric ? p.electric_real : p.magnetic_real;
  const auto& imag = of_electric ? p.electric_imag : p.magnetic_imag;
  return imaginary ? sampler(imag, real, 1) : sampler(real, imag, 1);
}

template <class Stored>
std::vector<float> FdtdSolver<Stored>::sample_cells(solver::Quantity quantity) const {
  const auto sampler = cell_sampler(quantity);
  const std::size_t layer = std::size_t{3} * static_cast<std::size_t>(shown_.cells[0]) * shown_.cells[1];
  std::vector<float> values(layer * static_cast<std::size_t>(shown_.cells[2]));
  std::vector<double> of_layer(layer);
  for (int k = 0; k < shown_.cells[2]; ++k) {
    sampler->sample({0, 0, k}, {shown_.cells[0], shown_.cells[1], 1}, of_layer.data());
    std::copy(of_layer.begin(), of_layer.end(), values.begin() + static_cast<std::ptrdiff_t>(layer * k));
  }
  return values;
}

#define DGTD_INSTANTIATE(Stored)                                                                        \
  template std::unique_ptr<grid::CellSampler> FdtdSolver<Stored>::cell_sampler(solver::Quantity) const; \
  template std::vector<float> FdtdSolver<Stored>::sample_cells(solver::Quantity) const;
DGTD_INSTANTIATE(Half)
DGTD_INSTANTIATE(float)
DGTD_INSTANTIATE(double)
#undef DGTD_INSTANTIATE

}  // namespace dgtd::fdtd
