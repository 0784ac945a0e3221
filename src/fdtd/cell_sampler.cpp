// Values of fields at the centres of cells: the mean of the four E components around a cell and of the two H
// components.
#include <algorithm>

#include "dgtd/base/constants.hpp"
#include "dgtd/fdtd/fdtd_solver.hpp"
#include "ghosts.hpp"

namespace dgtd::fdtd {

namespace {

template <class Real>
class FieldCells final : public grid::CellSampler {
 public:
  /// The field as it is; it outlives the sampler.
  FieldCells(const GridLayout& layout, bool electric, const parallel::Array<Real>* field)
      : l_(layout), electric_(electric), field_(field) {}
  /// A copy with its ghosts.
  FieldCells(const GridLayout& layout, bool electric, parallel::Array<Real>&& values)
      : l_(layout), electric_(electric), copy_(std::move(values)), field_(&copy_) {}

  void sample(const std::array<int, 3>& first, const std::array<int, 3>& count, double* values) override {
    if (count[0] <= 0 || count[1] <= 0 || count[2] <= 0) return;
    const std::int64_t begin = l_.index(first[0], first[1], first[2]);
    const std::int64_t last =
        l_.index(first[0] + count[0] - 1, first[1] + count[1] - 1, first[2] + count[2] - 1) + 1 + l_.row + l_.plane;
    const Real* of[3];
    for (int c = 0; c < 3; ++c) {
      const auto place = static_cast<std::size_t>(c * l_.reals + begin);
      of[c] = field_->piece(place, static_cast<std::size_t>(last - begin + 1), buffers_[c]);
    }
    const double scale = electric_ ? 1 : 1 / vacuum_impedance;
    const std::int64_t rows = std::int64_t{count[1]} * count[2];
#pragma omp parallel for schedule(static)
    for (std::int64_t row = 0; row < rows; ++row) {
      const int j = first[1] + static_cast<int>(row % count[1]), k = first[2] + static_cast<int>(row / count[1]);
      double* to = values + 3 * row * count[0];
      for (int i = first[0]; i < first[0] + count[0]; ++i)
        for (int c = 0; c < 3; ++c) {
          const Real* const f = of[c] + (l_.index(i, j, k) - begin);
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
  parallel::Array<Real> copy_;
  const parallel::Array<Real>* field_;
  std::vector<Real> buffers_[3];
};

// In host memory, so that ghosts can be filled without a change of the fields.
template <class Real>
parallel::Array<Real> copy_of(const parallel::Array<Real>& from) {
  constexpr std::size_t piece = std::size_t{1} << 20;
  parallel::Array<Real> to(from.size());
  Real* const at = to.host_for_writing();
  std::vector<Real> buffer;
  for (std::size_t first = 0; first < from.size(); first += piece) {
    const auto n = static_cast<std::int64_t>(std::min(piece, from.size() - first));
    const Real* const values = from.piece(first, static_cast<std::size_t>(n), buffer);
#pragma omp parallel for schedule(static)
    for (std::int64_t i = 0; i < n; ++i) at[first + static_cast<std::size_t>(i)] = values[i];
  }
  return to;
}

}  // namespace

// The ghosts above a block are those of neighbours; only where there are some is the field copied as a whole.
template <class Real>
std::unique_ptr<grid::CellSampler> FdtdSolver<Real>::cell_sampler(solver::Quantity quantity) const {
  using Field = solver::Quantity::Field;
  using Part = solver::Quantity::Part;
  const bool of_electric = quantity.field == Field::electric;
  const bool imaginary = quantity.part == Part::imaginary;
  const parallel::Array<Real>* field = of_electric ? &engine().electric() : &engine().magnetic();
  const parallel::Array<Real>* other = nullptr;  // the other part of a complex field
  if (fields_.imaginary) other = of_electric ? &imaginary_engine().electric() : &imaginary_engine().magnetic();
  if (quantity.part != Part::present) {
    const Phasor& p = phasors_[quantity.frequency];
    field = of_electric ? (imaginary ? &p.electric_imag : &p.electric_real)
                        : (imaginary ? &p.magnetic_imag : &p.magnetic_real);
    other = of_electric ? (imaginary ? &p.electric_real : &p.electric_imag)
                        : (imaginary ? &p.magnetic_real : &p.magnetic_imag);
  }
  bool alone = !fields_.imaginary;
  for (int a = 0; a < 3; ++a) alone = alone && d_->block.lower[a] < 0 && d_->block.upper[a] < 0;
  if (alone) return std::make_unique<FieldCells<Real>>(d_->layout, of_electric, field);

  parallel::Array<Real> f = copy_of(*field), g;
  if (fields_.imaginary) g = copy_of(*other);
  if (imaginary && fields_.imaginary) fill_upper_ghosts<Real>(*d_, g, f, bloch_phase_, comm_);
  else fill_upper_ghosts<Real>(*d_, f, g, bloch_phase_, comm_);
  return std::make_unique<FieldCells<Real>>(d_->layout, of_electric, std::move(f));
}

template <class Real>
std::vector<float> FdtdSolver<Real>::sample_cells(solver::Quantity quantity) const {
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

template std::unique_ptr<grid::CellSampler> FdtdSolver<float>::cell_sampler(solver::Quantity) const;
template std::unique_ptr<grid::CellSampler> FdtdSolver<double>::cell_sampler(solver::Quantity) const;
template std::vector<float> FdtdSolver<float>::sample_cells(solver::Quantity) const;
template std::vector<float> FdtdSolver<double>::sample_cells(solver::Quantity) const;

}  // namespace dgtd::fdtd
