#include "report_charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "axis_ticks.hpp"
#include "dgtd/base/constants.hpp"
#include "dgtd/base/units.hpp"
#include "xml.hpp"

namespace dgtd::io {

std::string curve_class(std::size_t curve) { return fmt::format("k{}", curve % 6); }

Legend legend_of(const std::vector<Curve>& curves, double left, double width) {
  constexpr double sample = 24, gap = 6, between = 18, row = 16, per_sign = 6.2;  // units of a drawing
  Legend legend;
  double x = 0;
  for (std::size_t c = 0; c < curves.size(); ++c) {
    if (curves[c].name.empty()) continue;
    const double length = sample + gap + per_sign * double(curves[c].name.size());
    if (x > 0 && x + length > width) x = 0, legend.height += row;
    legend.svg += fmt::format(
        "<path class=\"curve {}\" d=\"M{:.1f} {:.1f}h{}\"/><text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", curve_class(c),
        left + x, legend.height + 8, sample, left + x + sample + gap, legend.height + 12, xml_escaped(curves[c].name));
    x += length + between;
  }
  if (!legend.svg.empty()) legend.height += row;
  return legend;
}

std::string chart_figure(const std::string& title, const std::string& described, double width, double height,
                         const std::string& svg) {
  return fmt::format(
      "<figure class=\"chart\">\n<figcaption>{}</figcaption>\n"
      "<svg viewBox=\"0 0 {:.1f} {:.1f}\" role=\"img\" aria-label=\"{}\">\n{}</svg>\n</figure>\n",
      xml_escaped(title), width, height, xml_escaped(described), svg);
}

namespace {

constexpr std::size_t most_points = 600;  // of a curve
constexpr std::size_t most_markers = 50;  // a curve with more points has none
constexpr double chart_width = 500, plot_height = 220;

// An axis whose values are in its unit, and of which a logarithmic one is linear in the decimal logarithm.
struct Scale {
  AxisRange range;  // in the unit
  AxisUnit unit;
  bool is_logarithmic = false;
  std::vector<Tick> ticks;

  double transformed(double in_unit) const {
    if (!is_logarithmic) return in_unit;
    return in_unit > 0 ? std::log10(in_unit) : -std::numeric_limits<double>::infinity();
  }
  // 0 at the low end, 1 at the high end.
  double place(double in_unit) const {
    const double low = transformed(range.low), high = transformed(range.high);
    return (transformed(in_unit) - low) / (high - low);
  }
};

// Smallest and largest number of some values; of those above 0 on a logarithmic axis. Empty: low > high.
AxisRange range_of(const std::vector<Curve>& curves, std::vector<double> Curve::*values, bool positive) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  AxisRange range{infinity, -infinity};
  for (const Curve& curve : curves)
    for (std::size_t i = 0; i < std::min(curve.x.size(), curve.y.size()); ++i) {
      if (!std::isfinite(curve.x[i]) || !std::isfinite(curve.y[i])) continue;
      const double v = (curve.*values)[i];
      if (positive && !(v > 0)) continue;
      range = {std::min(range.low, v), std::max(range.high, v)};
    }
  return range;
}

// ends_at_data: the axis is as long as the curves, else it ends at ticks.
Scale scale_of(const ChartAxis& axis, const AxisRange& data, bool ends_at_data) {
  Scale scale;
  scale.is_logarithmic = axis.is_logarithmic;
  if (axis.is_logarithmic) {
    scale.unit = {axis.unit, 1};
    scale.range = decade_range(data.low, data.high);
    scale.ticks = decade_ticks(scale.range.low, scale.range.high);
    return scale;
  }
  scale.unit = axis_unit(axis.unit, std::max(std::abs(data.low), std::abs(data.high)));
  const double low = data.low / scale.unit.size, high = data.high / scale.unit.size;
  const bool has_length = high - low > 1e-12 * std::max(std::abs(low), std::abs(high));
  scale.range = ends_at_data && has_length ? AxisRange{low, high} : linear_range(low, high);
  scale.ticks = axis_ticks(scale.range.low, scale.range.high, ends_at_data ? 8 : 5);
  return scale;
}

std::string label_of(const std::string& name, const std::string& unit) {
  return xml_escaped(unit.empty() ? name : fmt::format("{} [{}]", name, unit));
}

struct Frame {
  double left, top, width, height;
  double x(double place) const { return left + width * place; }
  double y(double place) const { return top + height * (1 - place); }
};

// The frame, lines at the ticks, and names.
std::string axes_of(const Chart& chart, const Scale& x, const Scale& y, const Frame& frame) {
  std::string lines, texts;
  for (const Tick& t : y.ticks) {
    const double at = frame.y(y.place(t.value));
    lines += fmt::format("M{:.1f} {:.1f}h{:.1f}", frame.left, at, frame.width);
    texts +=
        fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>", frame.left - 6, at + 4, t.text);
  }
  for (const Tick& t : x.ticks) {
    const double at = frame.x(x.place(t.value));
    lines += fmt::format("M{:.1f} {:.1f}v{:.1f}", at, frame.top, frame.height);
    texts += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>", at,
                         frame.top + frame.height + 15, t.text);
  }
  std::string svg = fmt::format("<path class=\"grid\" d=\"{}\"/>\n", lines);
  if (!y.is_logarithmic && y.range.low < 0 && y.range.high > 0)
    svg += fmt::format("<path class=\"zero\" d=\"M{:.1f} {:.1f}h{:.1f}\"/>\n", frame.left, frame.y(y.place(0)),
                       frame.width);
  svg += fmt::format("<rect class=\"frame\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n{}\n",
                     frame.left, frame.top, frame.width, frame.height, texts);
  svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", frame.x(0.5),
                     frame.top + frame.height + 31, label_of(chart.x.name, x.unit.name));
  return svg + fmt::format("<text transform=\"translate(12 {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
                           frame.y(0.5), label_of(chart.y.name, y.unit.name));
}

// The second scale of an axis of frequencies, above the frame.
std::string wavelengths_of(const Scale& x, const Frame& frame) {
  const double low = x.range.low * x.unit.size, high = x.range.high * x.unit.size;
  const auto ticks = wavelength_ticks(low, high, frame.width);
  if (ticks.empty()) return {};
  const units::Unit unit = units::length(ticks.front());
  std::string svg;
  for (const double wavelength : ticks)
    svg += fmt::format(
        "<path class=\"tick\" d=\"M{0:.1f} {1:.1f}v-4\"/><text x=\"{0:.1f}\" y=\"{2:.1f}\" "
        "text-anchor=\"middle\">{3:.6g}</text>\n",
        frame.x(x.place(speed_of_light / wavelength / x.unit.size)), frame.top, frame.top - 7, wavelength / unit.size);
  return svg + fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">Wavelength in vacuum [{}]</text>\n",
                           frame.x(0.5), frame.top - 22, unit.name);
}

using Place = std::array<double, 2>;  // 0 to 1 along the axes

// The parts of a curve between its gaps, within the axes: below the end of a logarithmic axis there is nothing.
std::vector<std::vector<Place>> parts_of(const Curve& curve, const Scale& x, const Scale& y) {
  std::vector<std::vector<Place>> parts;
  Place last{};  // the point before, also where it is below
  bool has_last = false, is_open = false;
  for (std::size_t i = 0; i < std::min(curve.x.size(), curve.y.size()); ++i) {
    const Place at{x.place(curve.x[i] / x.unit.size), y.place(curve.y[i] / y.unit.size)};
    if (!std::isfinite(at[0]) || !std::isfinite(at[1])) {
      has_last = is_open = false;
      continue;
    }
    const bool is_visible = at[1] >= -1e-9;
    if (has_last && is_visible != is_open) {  // crosses the end of the axis
      const double share = -last[1] / (at[1] - last[1]);
      const Place crossing{last[0] + share * (at[0] - last[0]), 0};
      if (is_visible) parts.push_back({crossing});
      else parts.back().push_back(crossing);
    } else if (is_visible && !has_last) {
      parts.emplace_back();
    }
    if (is_visible) parts.back().push_back(at);
    is_open = is_visible, last = at, has_last = true;
  }
  return parts;
}

// A curve with few points, and a point alone, have markers.
std::string curve_svg(const Curve& full, std::size_t number, const Scale& x, const Scale& y, const Frame& frame) {
  const Curve curve = thinned(full, most_points);
  std::string line, markers;
  for (const auto& part : parts_of(curve, x, y)) {
    char command = 'M';
    for (const Place& p : part) {
      line += fmt::format("{}{:.1f} {:.1f}", command, frame.x(p[0]), frame.y(p[1]));
      command = 'L';
      if (curve.x.size() <= most_markers || part.size() == 1)
        markers += fmt::format("<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.2\"/>", curve_class(number),
                               frame.x(p[0]), frame.y(p[1]));
    }
  }
  if (line.empty()) return {};
  const std::string title = curve.name.empty() ? "" : "<title>" + xml_escaped(curve.name) + "</title>";
  return fmt::format("<g>{}<path class=\"curve {}\" d=\"{}\"/>{}</g>\n", title, curve_class(number), line, markers);
}

// The sum of a chart in one sentence.
std::string description(const Chart& chart) {
  std::string text = fmt::format("{}: {} over {}", chart.title, chart.y.name, chart.x.name);
  std::string names;
  for (const Curve& curve : chart.curves)
    if (!curve.name.empty()) names += fmt::format("{}{}", names.empty() ? "; " : ", ", curve.name);
  return text + names;
}

}  // namespace

std::string html_of(const Chart& chart) {
  const AxisRange x_data = range_of(chart.curves, &Curve::x, chart.x.is_logarithmic);
  const AxisRange y_data = range_of(chart.curves, &Curve::y, chart.y.is_logarithmic);
  if (x_data.low > x_data.high || y_data.low > y_data.high)
    return fmt::format("<p>{}: no values</p>\n", xml_escaped(chart.title));
  const Scale x = scale_of(chart.x, x_data, true), y = scale_of(chart.y, y_data, false);
  constexpr double right = 16, below = 38, above = 8, of_wavelengths = 30;
  constexpr double left = 64;
  const Legend legend = legend_of(chart.curves, left, chart_width - left - right);
  const Frame frame{left, legend.height + above + (chart.x.has_wavelengths ? of_wavelengths : 0),
                    chart_width - left - right, plot_height};
  std::string svg = legend.svg + axes_of(chart, x, y, frame);
  if (chart.x.has_wavelengths) svg += wavelengths_of(x, frame);
  for (std::size_t c = 0; c < chart.curves.size(); ++c) svg += curve_svg(chart.curves[c], c, x, y, frame);
  return chart_figure(chart.title, description(chart), chart_width, frame.top + frame.height + below, svg);
}

}  // namespace dgtd::io
