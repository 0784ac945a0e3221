// Reflection factors in the plane of a Smith chart (P. H. Smith 1939): circles of equal resistance and reactance,
// relative to the reference impedance.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report_charts.hpp"
#include "xml.hpp"

namespace dgtd::io {

namespace {

constexpr double smith_width = 500, smith_radius = 150;

struct SmithFrame {
  double x, y;  // of the centre
  std::string at(double real, double imaginary) const {
    return fmt::format("{:.1f} {:.1f}", x + smith_radius * real, y - smith_radius * imaginary);
  }
};

// z = r + i x of the reflection (z - 1) / (z + 1): r has a circle of radius 1 / (1 + r) around r / (1 + r), x the part
// of a circle of radius 1 / |x| around 1 + i / x that is inside the unit circle.
std::string smith_grid(const SmithFrame& frame) {
  std::string svg = fmt::format(
      "<circle class=\"frame\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\"/>\n<path class=\"grid\" d=\"M{}L{}\"/>\n",
      frame.x, frame.y, smith_radius, frame.at(-1, 0), frame.at(1, 0));
  std::string texts;
  for (const double r : {0.2, 0.5, 1.0, 2.0, 5.0}) {
    svg += fmt::format("<circle class=\"grid\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\"/>\n",
                       frame.x + smith_radius * r / (1 + r), frame.y, smith_radius / (1 + r));
    texts += fmt::format("<text class=\"level\" x=\"{:.1f}\" y=\"{:.1f}\">{:g}</text>\n",
                         frame.x + smith_radius * (r - 1) / (r + 1) + 3, frame.y - 3, r);
  }
  for (const double size : {0.2, 0.5, 1.0, 2.0, 5.0})
    for (const double x : {size, -size}) {
      // On the unit circle is the reflection of i x.
      const double real = (x * x - 1) / (x * x + 1), imaginary = 2 * x / (x * x + 1), radius = smith_radius / size;
      svg += fmt::format("<path class=\"grid\" d=\"M{}A{:.1f} {:.1f} 0 0 {} {}\"/>\n", frame.at(1, 0), radius, radius,
                         x > 0 ? 1 : 0, frame.at(real, imaginary));
      texts += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}{:g}</text>\n",
                           frame.x + (smith_radius + 6) * real, frame.y + 4 - (smith_radius + 10) * imaginary,
                           real > 0.1    ? "start"
                           : real < -0.1 ? "end"
                                         : "middle",
                           x > 0 ? "" : "\u2212", size);
    }
  return svg + texts;
}

}  // namespace

std::string html_of(const SmithChart& chart) {
  const Legend legend = legend_of(chart.curves, 10, smith_width - 20);
  const SmithFrame frame{smith_width / 2, legend.height + 24 + smith_radius};
  std::string svg = legend.svg + smith_grid(frame), described = chart.title;
  for (std::size_t c = 0; c < chart.curves.size(); ++c) {
    const Curve& curve = chart.curves[c];
    std::string line, first;
    for (std::size_t i = 0; i < std::min(curve.x.size(), curve.y.size()); ++i) {
      if (!std::isfinite(curve.x[i]) || !std::isfinite(curve.y[i])) continue;
      // A reflection beyond 1 is on the edge of the drawing.
      const double scale = 1 / std::max(1.0, std::hypot(curve.x[i], curve.y[i]) / 1.1);
      const std::string point = frame.at(scale * curve.x[i], scale * curve.y[i]);
      if (line.empty()) first = point;
      line += (line.empty() ? "M" : "L") + point;
    }
    if (line.empty()) continue;
    // The dot, a line without length, is at the lowest frequency.
    svg += fmt::format(
        "<g><title>{0}</title><path class=\"curve {1}\" d=\"{2}\"/><path class=\"curve {1}\" style=\"stroke-width:7;"
        "stroke-linecap:round\" d=\"M{3}h0.01\"/></g>\n",
        xml_escaped(curve.name), curve_class(c), line, first);
    described += fmt::format("{}{}", c == 0 ? ": " : ", ", curve.name);
  }
  return chart_figure(chart.title + "; the dot is the lowest frequency", described, smith_width,
                      frame.y + smith_radius + 24, svg);
}

}  // namespace dgtd::io
