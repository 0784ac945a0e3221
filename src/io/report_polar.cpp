// Cuts through radiation patterns.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dgtd/base/constants.hpp"
#include "report_charts.hpp"
#include "xml.hpp"

namespace dgtd::io {

namespace {

constexpr double polar_width = 500, polar_radius = 120;

struct PolarFrame {
  double x, y;  // of the centre
  std::string at(double radius, double angle) const {
    return fmt::format("{:.1f} {:.1f}", x + radius * std::sin(angle), y - radius * std::cos(angle));
  }
};

// Circles every 10 dB, lines every 30 degrees; angles are named from the upward axis on both sides.
std::string polar_grid(const PolarFrame& frame, double depth_dB) {
  std::string svg, texts;
  for (double level = 0; level < depth_dB - 1e-9; level += 10) {
    const double radius = polar_radius * (1 - level / depth_dB);
    svg += fmt::format("<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\"/>\n",
                       level > 0 ? "grid" : "frame", frame.x, frame.y, radius);
    if (level > 0)
      texts += fmt::format("<text class=\"level\" x=\"{:.1f}\" y=\"{:.1f}\">\u2212{:.0f} dB</text>\n", frame.x + 3,
                           frame.y - radius - 2, level);
  }
  for (int degrees = 0; degrees < 360; degrees += 30) {
    const double angle = degrees * pi / 180;
    svg += fmt::format("<path class=\"grid\" d=\"M{}L{}\"/>\n", frame.at(0, 0), frame.at(polar_radius, angle));
    const double side = std::sin(angle);
    texts += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}\u00b0</text>\n",
                         frame.x + (polar_radius + 7) * side, frame.y + 4 - (polar_radius + 11) * std::cos(angle),
                         side > 0.1    ? "start"
                         : side < -0.1 ? "end"
                                       : "middle",
                         degrees > 180 ? 360 - degrees : degrees);
  }
  return svg + texts;
}

}  // namespace

std::string html_of(const PolarChart& chart) {
  if (!(chart.largest > 0) || !std::isfinite(chart.largest))
    return fmt::format("<p>{}: no values</p>\n", xml_escaped(chart.title));
  const Legend legend = legend_of(chart.cuts, 10, polar_width - 20);
  const PolarFrame frame{polar_width / 2, legend.height + 26 + polar_radius};
  std::string svg = legend.svg + polar_grid(frame, chart.depth_dB), described = chart.title;
  for (std::size_t c = 0; c < chart.cuts.size(); ++c) {
    const Curve& cut = chart.cuts[c];
    std::string line;
    for (std::size_t i = 0; i < std::min(cut.x.size(), cut.y.size()); ++i) {
      const double dB = cut.y[i] > 0 ? 10 * std::log10(cut.y[i] / chart.largest) : -chart.depth_dB;
      const double share = std::clamp(1 + dB / chart.depth_dB, 0.0, 1.0);
      line += fmt::format("{}{}", line.empty() ? 'M' : 'L', frame.at(polar_radius * share, cut.x[i]));
    }
    if (line.empty()) continue;
    svg += fmt::format("<g><title>{}</title><path class=\"curve {}\" d=\"{}\"/></g>\n", xml_escaped(cut.name),
                       curve_class(c), line);
    described += fmt::format("{}{}", c == 0 ? ": " : ", ", cut.name);
  }
  return chart_figure(chart.title, described, polar_width, frame.y + polar_radius + 26, svg);
}

}  // namespace dgtd::io
