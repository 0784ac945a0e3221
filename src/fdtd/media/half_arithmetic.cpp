#include "fdtd/media/half_arithmetic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "dgtd/parallel/together.hpp"

namespace dgtd::fdtd {

namespace {

using Frequencies = std::map<float, std::int64_t>;  // [value] how often it appears

float most_frequent(const Frequencies& count) {
  const auto most = std::max_element(count.begin(), count.end(), [](auto& a, auto& b) { return a.second < b.second; });
  return most == count.end() ? 0.0f : most->first;
}

Frequencies frequencies(const std::vector<float>& values, int cells) {
  Frequencies count;
  for (int i = 0; i < cells; ++i)
    if (const float value = values[static_cast<std::size_t>(i)]; value != 0) ++count[value];
  return count;
}

// Number of components with each Cb in media without losses, tile by tile; metal has none.
Frequencies frequencies_of_Cb(const HalfStepArrays<float>& half, const GridLayout& layout) {
  std::vector<std::int64_t> of_class(half.classes.size(), 0);
  for (const TileBatch& b : half.batches) {
    const auto tiles = static_cast<std::int64_t>(b.tiles.size());
#pragma omp parallel
    {
      std::vector<std::int64_t> mine(of_class.size(), 0);
#pragma omp for schedule(static)
      for (std::int64_t n = 0; n < tiles; ++n) {
        const Tile& tile = b.tiles[static_cast<std::size_t>(n)];
        int end[3];
        for (int a = 0; a < 3; ++a) end[a] = std::min(tile_cells(a), layout.cells[a] - tile.first[a]);
        if (tile.classes < 0) {
          mine[static_cast<std::size_t>(tile.medium_class)] += std::int64_t{3} * end[0] * end[1] * end[2];
          continue;
        }
        for (int c = 0; c < 3; ++c)
          for (int k = 0; k < end[2]; ++k)
            for (int j = 0; j < end[1]; ++j)
              for (int i = 0; i < end[0]; ++i)
                ++mine[half.class_of[(std::size_t(tile.classes) * 3 + static_cast<std::size_t>(c)) * cells_of_tile +
                                     static_cast<std::size_t>((k * tile_cells(1) + j) * tile_cells(0) + i)]];
      }
#pragma omp critical
      for (std::size_t c = 0; c < mine.size(); ++c) of_class[c] += mine[c];
    }
  }
  Frequencies count;
  for (std::size_t c = 0; c < of_class.size(); ++c)
    if (const MediumClass<float>& m = half.classes[c]; of_class[c] > 0 && m.Ca == 1 && m.Cb > 0)
      count[m.Cb] += of_class[c];
  return count;
}

}  // namespace

float half_coefficient(float Cb, float inverse_distance, float length) {
  return float(in_lengths<HalfNumber>(Cb, 1 / length) * in_lengths<HalfNumber>(inverse_distance, length));
}

double error_of_half_arithmetic(const HalfCoefficients& exact, const HalfUnits& units) {
  double largest = 0;
  const auto electric = static_cast<float>(exact.Cb[0] * units.magnetic_scale),
             magnetic = static_cast<float>(exact.Cb[1] / units.magnetic_scale);
  for (const auto& [e, h] : exact.distances) {
    const double product = double(half_coefficient(electric, static_cast<float>(1 / e), units.length)) *
                           double(half_coefficient(magnetic, static_cast<float>(1 / h), units.length));
    largest = std::max(largest, std::abs(product / (exact.Cb[0] / e * exact.Cb[1] / h) - 1));
  }
  return largest;
}

HalfUnits units_of_half_arithmetic(const HalfCoefficients& exact) {
  if (exact.distances.empty()) return {1, 1};
  double length = exact.distances[0][0];
  for (const auto& [e, h] : exact.distances) length = std::min(length, e);
  // A Cb has about 1400 halves in this range, so the product some 3000 values, with errors of up to 2^-11.
  constexpr int tried = 1 << 15;
  const auto units = [&](double n) { return HalfUnits{std::exp2(n / tried - 0.5), static_cast<float>(length)}; };
  const HalfUnits one{1, static_cast<float>(length)};
  double least = error_of_half_arithmetic(exact, one);
  if (least == 0) return one;
  std::vector<double> errors(tried);
#pragma omp parallel for schedule(static)
  for (int n = 0; n < tried; ++n) errors[static_cast<std::size_t>(n)] = error_of_half_arithmetic(exact, units(n));
  int first = tried / 2, last = first;  // of the best ones, between which the halves are the same
  for (int n = 0; n < tried; ++n) {
    const double error = errors[static_cast<std::size_t>(n)];
    if (error < least) first = last = n, least = error;
    else if (error == least && last + 1 == n) last = n;
  }
  return units(0.5 * (first + last));
}

HalfUnits units_of_half_arithmetic(const Discretisation<float>& d, const parallel::Communicator& comm) {
  const HalfStepArrays<float>* const halves[2] = {&d.electric, &d.magnetic};
  struct Value {
    int list;  // of E and of H: their Cb, and distances along each axis
    float value;
    std::int64_t count;
  };
  constexpr int lists_of_field = 4;
  std::vector<Value> mine;
  double largest_Cb[2] = {0, 0};  // where nothing is without losses
  for (int f = 0; f < 2; ++f) {
    for (const MediumClass<float>& m : halves[f]->classes) largest_Cb[f] = std::max(largest_Cb[f], double(m.Cb));
    largest_Cb[f] = comm.max(largest_Cb[f]);
    const auto add = [&](int list, const Frequencies& count) {
      for (const auto& [value, n] : count) mine.push_back({f * lists_of_field + list, value, n});
    };
    for (int a = 0; a < 3; ++a)
      add(a, frequencies(halves[f]->axis[static_cast<std::size_t>(a)].inverse_distance, d.layout.cells[a]));
    add(3, frequencies_of_Cb(*halves[f], d.layout));
  }
  Frequencies all[2 * lists_of_field];
  for (const Value& v : comm.gather_vectors(mine)) all[v.list][v.value] += v.count;
  const auto Cb = [&](int f) {
    const Frequencies& count = all[f * lists_of_field + 3];
    return count.empty() ? largest_Cb[f] : double(most_frequent(count));
  };
  HalfCoefficients exact{{Cb(0), Cb(1)}, {}};
  for (int a = 0; a < 3; ++a) {
    const float e = most_frequent(all[a]), h = most_frequent(all[lists_of_field + a]);
    if (e != 0 && h != 0) exact.distances.push_back({1 / double(e), 1 / double(h)});
  }
  return comm.broadcast_value(units_of_half_arithmetic(exact));  // root's
}

std::vector<MediumClass<float>> in_scale(std::vector<MediumClass<float>> classes, double factor) {
  for (MediumClass<float>& m : classes) m.Cb = static_cast<float>(m.Cb * factor);
  return classes;
}

std::string why_no_half_arithmetic(const Discretisation<float>& d, const parallel::Communicator& comm) {
  // Halves below 1 are multiples of 2^-11, so that what a factor takes away is off by up to 2^-12.
  constexpr double least_loss = 0x1p-12 / 0.02;
  std::string why_not;
  for (const auto* half : {&d.electric, &d.magnetic})
    for (const MediumClass<float>& m : half->classes)
      if (m.Ca != 1 && std::abs(1 - double(m.Ca)) < least_loss)
        why_not =
            fmt::format("half precision with a medium that takes less than {:.1g} of the field per step", least_loss);
  return parallel::first_text(comm, why_not);
}

}  // namespace dgtd::fdtd
