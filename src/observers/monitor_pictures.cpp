#include "dgtd/observers/monitor_pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/units.hpp"
#include "dgtd/grid/cartesian_grid.hpp"
#include "dgtd/observers/pictures.hpp"

namespace dgtd::observers {

namespace {

constexpr double decades_of_cut = 2;

/// A layer of a region's cells.
struct CutPlane {
  int axis = 2;                              // of its normal
  std::int64_t cell = 0;                     // along the axis; of a plane its node
  PixelPlane pixels;                         // of the picture
  std::array<std::vector<double>, 2> nodes;  // m, to the right and upwards
  std::size_t columns() const { return nodes[0].size() - 1; }
  std::size_t rows() const { return nodes[1].size() - 1; }
};

// A plane itself; a box is cut normal to its shortest side, of equal ones the last. None of a line of cells.
std::optional<CutPlane> cut_of(const solver::RegionCells& cells, int pixels) {
  const solver::NodeBox& whole = cells.whole;
  std::array<std::vector<double>, 3> nodes;  // of the grid
  CutPlane cut;
  double shortest = std::numeric_limits<double>::infinity();
  for (int a = 0; a < 3; ++a) {
    nodes[a] = cells.grid->nodes(a);
    // Fields of two dimensions do not vary along an axis of one cell, which may have any length.
    const double length = cells.grid->cells(a) == 1 ? 0 : nodes[a][whole.last[a]] - nodes[a][whole.first[a]];
    if (length <= shortest) shortest = length, cut.axis = a;
  }
  PixelPlane& p = cut.pixels;
  p.axis = cut.axis;
  const std::int64_t low = whole.first[cut.axis], high = whole.last[cut.axis];
  cut.cell = low == high ? low : (low + high - 1) / 2;
  const auto& across = nodes[cut.axis];
  p.position = low == high ? across[cut.cell] : 0.5 * (across[cut.cell] + across[cut.cell + 1]);
  double longest = 0;
  std::array<double, 2> size;
  for (std::size_t i = 0; i < 2; ++i) {
    const int a = i == 0 ? p.right() : p.up();
    if (whole.last[a] - whole.first[a] < 2) return {};
    cut.nodes[i].assign(nodes[a].begin() + whole.first[a], nodes[a].begin() + whole.last[a] + 1);
    p.low[i] = cut.nodes[i].front(), size[i] = cut.nodes[i].back() - p.low[i];
    longest = std::max(longest, size[i]);
  }
  p.pixel = longest / pixels;
  p.width = std::max(1, static_cast<int>(std::lround(size[0] / p.pixel)));
  p.height = std::max(1, static_cast<int>(std::lround(size[1] / p.pixel)));
  return cut;
}

struct CutCell {
  std::int64_t number;  // in the layer, row by row
  float amplitude;
};

// The root of the sum of squares of all components at this rank's cells of the layer.
std::vector<CutCell> amplitudes_of(const CutPlane& cut, const solver::RegionCells& cells,
                                   const solver::RegionValues& values) {
  std::vector<CutCell> mine;
  if (cells.empty) return mine;
  const auto &first = cells.mine.first, &last = cells.mine.last;
  const int right = cut.pixels.right(), up = cut.pixels.up();
  const bool is_flat = first[cut.axis] == last[cut.axis];
  if (!is_flat && (cut.cell < first[cut.axis] || cut.cell >= last[cut.axis])) return mine;
  std::array<std::int64_t, 3> count, at{};
  for (int a = 0; a < 3; ++a) count[a] = std::max<std::int64_t>(1, last[a] - first[a]);
  at[cut.axis] = is_flat ? 0 : cut.cell - first[cut.axis];
  for (at[up] = 0; at[up] < count[up]; ++at[up])
    for (at[right] = 0; at[right] < count[right]; ++at[right]) {
      double real[3], imag[3], sum = 0;
      values(static_cast<std::size_t>((at[2] * count[1] + at[1]) * count[0] + at[0]), 1, real, imag);
      for (int c = 0; c < 3; ++c) sum += real[c] * real[c] + imag[c] * imag[c];
      mine.push_back({(first[up] - cells.whole.first[up] + at[up]) * static_cast<std::int64_t>(cut.columns()) +
                          first[right] - cells.whole.first[right] + at[right],
                      static_cast<float>(std::sqrt(sum))});
    }
  return mine;
}

// Number of the interval of ascending nodes that holds a place.
std::size_t interval_at(const std::vector<double>& nodes, double place) {
  const auto after = std::upper_bound(nodes.begin() + 1, nodes.end() - 1, place);
  return static_cast<std::size_t>(after - nodes.begin()) - 1;
}

// Amplitudes at the pixels that are in the domain.
void set_pixels(io::Raster& raster, const CutPlane& cut, const std::vector<float>& amplitude) {
  const PixelPlane& p = cut.pixels;
  for (int row = 0; row < p.height; ++row) {
    const std::size_t from = interval_at(cut.nodes[1], p.row_at(row)) * cut.columns();
    for (int column = 0; column < p.width; ++column) {
      const auto pixel = static_cast<std::size_t>(p.number(row, column));
      raster.value[pixel] = raster.region[pixel] < 0 ? std::numeric_limits<float>::quiet_NaN()
                                                     : amplitude[from + interval_at(cut.nodes[0], p.column_at(column))];
    }
  }
}

float largest_amplitude(const std::vector<float>& amplitude) {
  float most = 0;
  for (const float a : amplitude)
    if (std::isfinite(a)) most = std::max(most, a);
  return most;
}

// From zero on, or in decades where most of the plane would be dark.
io::ColourScale scale_for(std::vector<float> amplitude, double most) {
  std::erase_if(amplitude, [](float a) { return !(a > 0); });
  const auto middle = amplitude.begin() + static_cast<std::ptrdiff_t>(amplitude.size() / 2);
  std::nth_element(amplitude.begin(), middle, amplitude.end());
  const bool in_decades = double(*middle) < 0.1 * most;
  return {io::ColourMap::viridis, in_decades ? most * std::pow(10, -decades_of_cut) : 0, most, in_decades, {}, {}};
}

// Light is known by its wavelength.
std::string name_of_frequency(double frequency) {
  constexpr double far_infrared = 1e12;
  const std::string text = units::frequency_text(frequency);
  if (frequency < far_infrared) return text;
  return fmt::format("{} (wavelength in vacuum {})", text, units::length_text(speed_of_light / frequency));
}

// Divisors of amplitudes: those of the incident wave, of its spectral energy per area 2 |E|^2 / Z0.
std::vector<double> references(const std::vector<double>& incident, bool of_electric) {
  std::vector<double> amplitude;
  for (const double energy : incident)
    amplitude.push_back(std::sqrt(0.5 * energy * vacuum_impedance) / (of_electric ? 1 : vacuum_impedance));
  return amplitude;
}

// Amplitudes of all ranks on root, [rows][columns]; empty on others. Collective.
std::vector<float> gathered_amplitudes(const CutPlane& cut, const solver::RegionCells& cells,
                                       const solver::RegionValues& values, const parallel::Communicator& comm) {
  const auto all = comm.gather_vectors(amplitudes_of(cut, cells, values));
  std::vector<float> amplitude;
  if (comm.is_root()) amplitude.resize(cut.rows() * cut.columns());
  for (const CutCell& cell : all) amplitude[static_cast<std::size_t>(cell.number)] = cell.amplitude;
  return amplitude;
}

// The regions at the pixels, without values. Collective.
io::Raster outlines_of(const CutPlane& cut, const DomainView& view, const parallel::Communicator& comm) {
  const auto nothing = [](std::size_t) { return std::numeric_limits<float>::quiet_NaN(); };
  return gather_pixels(cut.pixels, view.slice(cut.pixels), nothing, comm).raster;
}

io::Picture picture_of_cut(const CutPlane& cut, io::Raster& raster, const std::vector<float>& amplitude,
                           const io::ColourScale& scale, std::string title) {
  set_pixels(raster, cut, amplitude);
  io::Picture picture = picture_of(cut.pixels, std::move(title));
  picture.plane = {cut.axis, cut.pixels.position};
  picture.png = io::png_of(cut.pixels.width, cut.pixels.height, io::coloured(raster, scale));
  return picture;
}

// Explanation below a picture. A plane in one material alone has no lines.
std::string note_of_picture(const io::ColourScale& scale, const io::Raster& raster) {
  const std::vector<std::int32_t>& region = raster.region;
  const bool has_lines = std::adjacent_find(region.begin(), region.end(), std::not_equal_to<>()) != region.end();
  return fmt::format("{}{}{}", scale.logarithmic ? "Values below the scale have the colour of its lower end." : "",
                     scale.logarithmic && has_lines ? " " : "", has_lines ? "Lines are borders of materials." : "");
}

// The numbers of some of n things, evenly from the first to the last.
std::vector<std::size_t> some_of(std::size_t n, std::size_t most) {
  std::vector<std::size_t> numbers;
  const std::size_t count = std::min(n, most);
  for (std::size_t i = 0; i < count; ++i) numbers.push_back(count == 1 ? 0 : i * (n - 1) / (count - 1));
  return numbers;
}

}  // namespace

io::Section MonitorPictures::section(const physics::Monitor& monitor, std::size_t region,
                                     const solver::RegionSpectra& spectra) {
  io::Section section{io::Chapter::measurements, "Monitor " + monitor.name, {}};
  const solver::RegionSamples& samples = spectra.samples(region);
  const auto cut = cut_of(samples.cells, settings_.pixels);
  if (!cut) return section;
  const bool of_electric = monitor.keeps("E"), peak = spectra.are_phasors();
  const auto reference = peak ? std::vector<double>{} : references(incident_(monitor.frequencies), of_electric);

  struct Shown {
    std::size_t frequency = 0;
    float most = 0;
    std::vector<float> amplitude;  // [rows][columns]
  };
  Shown strongest;
  std::vector<Shown> others;
  const auto chosen = some_of(monitor.frequencies.size(), settings_.most_frequencies);
  for (std::size_t f = 0; f < monitor.frequencies.size(); ++f) {
    const auto sums = spectra.sums(region, f);
    Shown shown{f, 0, gathered_amplitudes(*cut, samples.cells, of_electric ? sums.electric : sums.magnetic, comm_)};
    if (!comm_.is_root()) continue;
    if (!reference.empty())
      for (float& a : shown.amplitude) a = static_cast<float>(double(a) / reference[f]);
    shown.most = largest_amplitude(shown.amplitude);
    if (std::find(chosen.begin(), chosen.end(), f) != chosen.end()) others.push_back(shown);
    if (shown.most > strongest.most) strongest = std::move(shown);
  }
  io::Raster raster = outlines_of(*cut, view_, comm_);
  if (!comm_.is_root() || !(strongest.most > 0)) return section;

  const std::string field = of_electric ? "|E|" : "|H|";
  io::ColourScale scale = scale_for(strongest.amplitude, double(strongest.most));
  scale.title = reference.empty() ? field : field + " over that of the incident wave";
  if (reference.empty())
    scale.unit = fmt::format("{}{}", of_electric ? (peak ? "V/m" : "V s/m") : (peak ? "A/m" : "A s/m"),
                             peak ? ", peak of the phasor" : ", Fourier integral over the run");
  const std::size_t count = monitor.frequencies.size();
  const std::string place = position_text(cut->pixels);
  io::PictureRow row;
  row.title = fmt::format("{} at {}{}", field, name_of_frequency(monitor.frequencies[strongest.frequency]),
                          count > 1 ? fmt::format(", where it is largest of {} frequencies", count) : "");
  row.note = note_of_picture(scale, raster);
  row.scale = scale;
  row.pictures.push_back(picture_of_cut(*cut, raster, strongest.amplitude, scale, place));
  section.blocks.emplace_back(std::move(row));

  io::PictureRow rest;
  rest.title = fmt::format("{} at other frequencies, {}", field, place);
  rest.scale = scale;
  bool has_room = true;
  for (const Shown& shown : others) {
    if (shown.frequency == strongest.frequency) continue;
    auto picture =
        picture_of_cut(*cut, raster, shown.amplitude, scale, name_of_frequency(monitor.frequencies[shown.frequency]));
    has_room = double(picture.png.size()) <= settings_.bytes_of_others;
    if (!has_room) break;
    settings_.bytes_of_others -= double(picture.png.size());
    rest.pictures.push_back(std::move(picture));
  }
  if (rest.pictures.empty()) return section;
  rest.folded = fmt::format("{} of {} other frequencies", rest.pictures.size(), count - 1);
  if (rest.pictures.size() + 1 < count) rest.note = fmt::format("All are in monitor_{}.pvd.", monitor.name);
  section.blocks.emplace_back(std::move(rest));
  return section;
}

std::optional<io::PictureRow> MonitorPictures::of_plane(const solver::RegionCells& cells,
                                                        const solver::RegionValues& electric, std::string title,
                                                        std::string unit) {
  const auto cut = cut_of(cells, settings_.pixels);
  if (!cut) return {};
  const auto amplitude = gathered_amplitudes(*cut, cells, electric, comm_);
  io::Raster raster = outlines_of(*cut, view_, comm_);
  const float most = largest_amplitude(amplitude);
  if (!comm_.is_root() || !(most > 0)) return {};
  io::PictureRow row;
  row.title = std::move(title);
  row.scale = scale_for(amplitude, double(most));
  row.scale.title = "|E|", row.scale.unit = std::move(unit);
  row.note = note_of_picture(row.scale, raster);
  row.pictures.push_back(picture_of_cut(*cut, raster, amplitude, row.scale,
                                        cells.grid->cells(cut->axis) > 1 ? position_text(cut->pixels) : "plane"));
  return row;
}

}  // namespace dgtd::observers
