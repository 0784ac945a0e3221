#include "app/problems/medium_curves.hpp"

#include <fmt/format.h>

#include <cmath>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/units.hpp"
#include "dgtd/physics/tissue.hpp"

namespace dgtd::app {

namespace {

constexpr int curve_points = 121, data_points = 13;

std::vector<double> spread_frequencies(const config::Band& band, int count) {
  std::vector<double> f;
  for (int i = 0; i < count; ++i) f.push_back(band.lowest + (band.highest - band.lowest) * i / (count - 1));
  return f;
}

template <class Permittivity>
void add_curves(io::Chart& chart, const std::string& name, const std::vector<double>& frequencies,
                const Permittivity& permittivity) {
  io::Curve real{name + "\u03b5\u2032", frequencies, {}}, imaginary{name + "\u03b5\u2033", frequencies, {}};
  for (const double f : frequencies) {
    const auto eps = permittivity(f);
    real.y.push_back(eps.real()), imaginary.y.push_back(eps.imag());
  }
  chart.curves.push_back(std::move(real));
  chart.curves.push_back(std::move(imaginary));
}

}  // namespace

std::string text_of(const physics::TableFit& fit) {
  return fmt::format(
      "material {}: {} as {} poles, {:.2g} % of |eps| on average and {:.2g} % at most over {} points from {} "
      "to {}",
      fit.material, fit.file, fit.poles, 100 * fit.mean_error, 100 * fit.largest_error, fit.points.size(),
      units::length_text(speed_of_light / fit.band.highest, 4),
      units::length_text(speed_of_light / fit.band.lowest, 4));
}

io::Value list_of(const std::vector<physics::TableFit>& fits) {
  io::Value::List list;
  for (const auto& fit : fits)
    list.push_back(io::Value::Object{{"material", fit.material},
                                     {"file", fit.file},
                                     {"poles", double(fit.poles)},
                                     {"mean_error", fit.mean_error},
                                     {"largest_error", fit.largest_error}});
  return list;
}

std::optional<io::Section> medium_curves(const config::Case& c) {
  auto band = config::band_in_use(c);
  if (!band) return {};
  if (band->highest <= band->lowest * (1 + 1e-9)) band = config::Band{0.5 * band->lowest, 1.5 * band->highest};
  io::Section section{io::Chapter::model, "Media over frequency", {}};
  section.blocks.emplace_back(io::Note{
      "Relative permittivity \u03b5\u2032 + i\u03b5\u2033 as it is simulated, with conductivity and poles; time "
      "factor exp(\u2212i\u03c9t)."});
  for (const auto& m : c.materials) {
    if (m.perfect_conductor || m.is_lossless()) continue;
    const auto frequencies = spread_frequencies(*band, curve_points);
    io::Chart chart{m.name, io::frequency_axis(frequencies), {"Relative permittivity", ""}, {}};
    add_curves(chart, "", frequencies, [&](double f) { return physics::permittivity(m, 2 * pi * f); });
    if (!m.tissue.empty())
      add_curves(chart, m.tissue + ", library: ", spread_frequencies(*band, data_points),
                 [&](double f) { return physics::tissue_permittivity(m.tissue, f); });
    for (const physics::TableFit& fit : c.table_fits) {
      if (fit.material != m.name) continue;
      std::vector<double> at;
      for (const auto& point : fit.points) at.push_back(point.frequency);
      auto point = fit.points.begin();
      io::Curve real{fit.file + ": \u03b5\u2032", at, {}}, imaginary{fit.file + ": \u03b5\u2033", at, {}};
      for (; point != fit.points.end(); ++point)
        real.y.push_back(point->permittivity.real()), imaginary.y.push_back(point->permittivity.imag());
      chart.curves.push_back(std::move(real));
      chart.curves.push_back(std::move(imaginary));
      section.blocks.emplace_back(io::Note{text_of(fit)});
    }
    section.blocks.emplace_back(std::move(chart));
  }
  if (section.blocks.size() == 1) return {};
  return section;
}

}  // namespace dgtd::app
