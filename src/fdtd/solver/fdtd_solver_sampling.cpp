// Samples of the fields: probes, errors, hashes. Values of cells are in cell_sampler.cpp.
#include <algorithm>
#include <cmath>
#include <limits>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/hash.hpp"
#include "dgtd/fdtd/fdtd_solver.hpp"

namespace dgtd::fdtd {

template <class Stored>
template <class Body>
void FdtdSolver<Stored>::for_components_of_plane(int c, int k, const Body& body) const {
  const GridLayout& l = d_->layout;
  for (int j = 0; j < l.cells[1]; ++j)
    for (int i = 0; i < l.cells[0]; ++i) body(c, i, j, k, static_cast<std::size_t>(c * l.reals + l.index(i, j, k)));
}

template <class Stored>
template <class Body>
void FdtdSolver<Stored>::for_components(const Body& body) const {
  for (int c = 0; c < 3; ++c)
    for (int k = 0; k < d_->layout.cells[2]; ++k) for_components_of_plane(c, k, body);
}

template <class Stored>
void FdtdSolver<Stored>::set_fields(const solver::VectorFunction& electric, const solver::VectorFunction& magnetic) {
  set_fields_of(engine(), electric, magnetic);
  for (const auto& port : fields_.real.ports) port->take_fields();
}

template <class Stored>
void FdtdSolver<Stored>::set_fields_of(Engine<Stored>& engine, const solver::VectorFunction& electric,
                                       const solver::VectorFunction& magnetic) {
  const auto electric_at = [&](int c, int i, int j, int k) {
    return d_->is_zero(true, c, i, j, k) ? 0 : electric(d_->position(true, c, i, j, k))[c];
  };
  const auto magnetic_at = [&](int c, int i, int j, int k) {
    return d_->is_zero(false, c, i, j, k) ? 0 : vacuum_impedance * magnetic(d_->position(false, c, i, j, k))[c];
  };
  if constexpr (is_compressed<Stored>) {
    double largest = 0;
    for_components([&](int c, int i, int j, int k, std::size_t) {
      largest = std::max({largest, std::abs(electric_at(c, i, j, k)), std::abs(magnetic_at(c, i, j, k))});
    });
    set_unit_of(largest);
  }
  Stored* const e = engine.electric().host_for_writing();
  Stored* const h = engine.magnetic().host_for_writing();
  const double per_unit = 1 / unit(), per_magnetic_unit = 1 / engine.magnetic_unit();
  for_components([&](int c, int i, int j, int k, std::size_t n) {
    e[n] = static_cast<Stored>(static_cast<Real>(per_unit * electric_at(c, i, j, k)));
    h[n] = static_cast<Stored>(static_cast<Real>(per_magnetic_unit * magnetic_at(c, i, j, k)));
  });
}

// Numbers of one size without structure, the same for any number of ranks.
template <class Stored>
void FdtdSolver<Stored>::randomise_fields() {
  if constexpr (is_compressed<Stored>) set_unit_of(0.5);
  Stored* const e = engine().electric().host_for_writing();
  Stored* const h = engine().magnetic().host_for_writing();
  const double per_unit = 1 / unit(), per_magnetic_unit = 1 / engine().magnetic_unit();
  const auto stored = [](double value) { return static_cast<Stored>(static_cast<Real>(value)); };
  const auto set = [&](int c, int i, int j, int k, std::size_t n) {
    const auto [first, second] = pseudorandom_pair(static_cast<std::uint64_t>(d_->global_index(i, j, k) * 3 + c + 1));
    e[n] = stored(d_->is_zero(true, c, i, j, k) ? 0 : per_unit * first);
    h[n] = stored(d_->is_zero(false, c, i, j, k) ? 0 : per_magnetic_unit * second);
  };
#pragma omp parallel for collapse(2)
  for (int c = 0; c < 3; ++c)
    for (int k = 0; k < d_->layout.cells[2]; ++k) for_components_of_plane(c, k, set);
  for (const auto& port : fields_.real.ports) port->take_fields();
}

template <class Stored>
std::array<double, 4> FdtdSolver<Stored>::squared_errors(const solver::VectorFunction& electric,
                                                         const solver::VectorFunction& magnetic) const {
  const Stored* const e = engine().electric().host();
  const Stored* const h = engine().magnetic().host();
  std::array<double, 4> sums{0, 0, 0, 0};
  for_components([&](int c, int i, int j, int k, std::size_t n) {
    if (d_->is_zero(true, c, i, j, k) && d_->is_zero(false, c, i, j, k)) return;
    const double exact_e = electric(d_->position(true, c, i, j, k))[c],
                 exact_h = magnetic(d_->position(false, c, i, j, k))[c];
    const double ve = d_->volume(true, c, i, j, k), vh = d_->volume(false, c, i, j, k);
    const double here = unit() * double(e[n]);
    sums[0] += ve * (here - exact_e) * (here - exact_e);
    sums[1] += ve * exact_e * exact_e;
    const double difference = engine().magnetic_unit() * double(h[n]) / vacuum_impedance - exact_h;
    sums[2] += vh * difference * difference;
    sums[3] += vh * exact_h * exact_h;
  });
  return sums;
}

template <class Stored>
std::uint64_t FdtdSolver<Stored>::fields_hash() const {
  if constexpr (is_compressed<Stored>) check_range(largest_in_units());
  return engine().hash() + (fields_.imaginary ? 0x9E3779B97F4A7C15u * imaginary_engine().hash() : 0);
}

template <class Stored>
solver::Instability FdtdSolver<Stored>::find_instability(double& severity) const {
  const Stored* const e = engine().electric().host();
  const Stored* const imaginary = fields_.imaginary ? imaginary_engine().electric().host() : nullptr;
  severity = -1;
  std::array<int, 3> worst{0, 0, 0};
  for_components([&](int, int i, int j, int k, std::size_t n) {
    const double size = imaginary == nullptr ? double(e[n]) : std::hypot(double(e[n]), double(imaginary[n]));
    const double square = std::isfinite(size) ? size * size : std::numeric_limits<double>::max();
    if (square > severity) severity = square, worst = {i, j, k};
  });
  if (severity < 0) return {};
  Vec3 centre;
  for (int a = 0; a < 3; ++a) centre[a] = d_->centres[a][worst[a] + 1];
  return {d_->global_index(worst[0], worst[1], worst[2]), centre, "grid"};
}

// H, times the impedance of vacuum, on the faces above probes that are of another block, or beyond a periodic axis'
// end, where it is of the phase there: by probe and component.
template <class Stored>
auto FdtdSolver<Stored>::magnetic_above_probes() -> std::map<std::pair<std::string, int>, double> {
  const GridLayout& l = d_->layout;
  std::map<std::pair<std::string, int>, double> above;
  for (int c = 0; c < 3; ++c) {
    const auto values = [&](const std::vector<std::array<int, 3>>& cells) {
      std::vector<std::uint64_t> faces;
      for (const auto& cell : cells)
        faces.push_back(static_cast<std::uint64_t>(c * l.reals + l.index(cell[0], cell[1], cell[2])));
      const std::vector<Real> real = engine().sample(HalfStep::magnetic, faces);
      const std::vector<Real> imaginary =
          fields_.imaginary ? imaginary_engine().sample(HalfStep::magnetic, faces) : std::vector<Real>(faces.size(), 0);
      std::vector<double> both;  // [faces][2]
      for (std::size_t n = 0; n < faces.size(); ++n) both.insert(both.end(), {double(real[n]), double(imaginary[n])});
      return both;
    };
    const bool at_end = d_->block.first[c] + l.cells[c] == d_->global_cells[c];
    const double phase = at_end ? bloch_phase_[c] : 0;
    for (const auto& [name, h] : this->values_above_probes(c, 2, values, comm_))
      above[{name, c}] = std::cos(phase) * h[0] - std::sin(phase) * h[1];
  }
  return above;
}

// At the centre of the cell that holds the point: E from two opposite edges, which needs no corner of another block; H
// from two faces. All probes' values leave a device at once.
template <class Stored>
void FdtdSolver<Stored>::refresh_probes() {
  scheme_->refresh_ghosts(HalfStep::magnetic);  // E above the block
  const auto above = magnetic_above_probes();
  const GridLayout& l = d_->layout;
  std::vector<std::uint64_t> electric, magnetic;  // [probes][3][2] in [component][reals]
  for (const auto& [name, cell] : this->probe_cells())
    for (int c = 0; c < 3; ++c) {
      const auto n = static_cast<std::uint64_t>(c * l.reals + l.index(cell[0], cell[1], cell[2]));
      const bool alone = above.contains({name, c});
      for (const int other : {1, 2}) electric.push_back(n + static_cast<std::uint64_t>(l.stride((c + other) % 3)));
      magnetic.insert(magnetic.end(), {n, alone ? n : n + static_cast<std::uint64_t>(l.stride(c))});
    }
  if (electric.empty()) return;
  const std::vector<Real> e = engine().sample(HalfStep::electric, electric);
  const std::vector<Real> h = engine().sample(HalfStep::magnetic, magnetic);
  std::size_t at = 0;
  for (const auto& [name, cell] : this->probe_cells()) {
    solver::FieldSample& sample = probe_values_[name];
    for (int c = 0; c < 3; ++c, at += 2) {
      sample.electric[c] = 0.5 * (double(e[at]) + double(e[at + 1]));
      const auto upper = above.find({name, c});
      sample.magnetic[c] =
          0.5 * (double(h[at]) + (upper != above.end() ? upper->second : double(h[at + 1]))) / vacuum_impedance;
    }
  }
}

template <class Stored>
solver::FieldSample FdtdSolver<Stored>::probe(const std::string& name) const {
  return probe_values_.at(name);
}

template class FdtdSolver<Half>;
template class FdtdSolver<float>;
template class FdtdSolver<double>;

}  // namespace dgtd::fdtd
