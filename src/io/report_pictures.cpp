#include "report_pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "axis_ticks.hpp"
#include "dgtd/base/units.hpp"
#include "xml.hpp"

namespace dgtd::io {

namespace {

// Ticks of a scale: powers of ten, or steps.
std::vector<Tick> scale_ticks(const ColourScale& scale) {
  std::vector<Tick> ticks;
  if (!scale.logarithmic) {
    const double step = round_step(scale.highest - scale.lowest, 5);
    for (double i = std::ceil(scale.lowest / step - 1e-9); i * step <= scale.highest * (1 + 1e-9); ++i)
      ticks.push_back({i * step, fmt::format("{:.4g}", i * step + 0.0)});  // no negative zero
    return ticks;
  }
  for (double e = std::ceil(std::log10(scale.lowest) - 1e-9); e <= std::log10(scale.highest) + 1e-9; ++e)
    ticks.push_back({std::pow(10, e), fmt::format("{:.4g}", std::pow(10, e))});
  return ticks;
}

// Extent of a picture, m; negative where an axis runs backwards.
std::array<double, 2> extent(const Picture& p) { return {p.high[0] - p.low[0], p.high[1] - p.low[1]}; }

/// Scale of all drawings of a row, which have the same one.
struct RowScale {
  double per_metre = 1, width = 0;  // units of a drawing, widest image
  units::Unit unit;                 // of the axes
};

RowScale row_scale(const PictureRow& row) {
  constexpr double longest = 300;
  double most = 0, widest = 0;
  for (const Picture& p : row.pictures) {
    const auto size = extent(p);
    most = std::max({most, std::abs(size[0]), std::abs(size[1])});
    widest = std::max(widest, std::abs(size[0]));
  }
  return {longest / most, longest / most * widest, units::for_places(most)};
}

// The part of a line inside a rectangle; absent: none (Y.-D. Liang, B. A. Barsky 1984).
std::optional<std::array<double, 4>> clipped(const std::array<double, 4>& ends, const std::array<double, 2>& low,
                                             const std::array<double, 2>& high) {
  double from = 0, to = 1;
  for (std::size_t a = 0; a < 2; ++a) {
    const double start = ends[a], length = ends[2 + a] - start;
    const double least = std::min(low[a], high[a]), most = std::max(low[a], high[a]);
    if (length == 0) {
      if (start < least || start > most) return {};
      continue;
    }
    const double one = (least - start) / length, other = (most - start) / length;
    from = std::max(from, std::min(one, other)), to = std::min(to, std::max(one, other));
  }
  if (from >= to) return {};
  std::array<double, 4> part;
  for (std::size_t a = 0; a < 2; ++a) {
    part[a] = ends[a] + from * (ends[2 + a] - ends[a]);
    part[2 + a] = ends[a] + to * (ends[2 + a] - ends[a]);
  }
  return part;
}

// The image with its axes, lines and the mark.
std::string drawing(const Picture& p, const RowScale& scale) {
  constexpr double left = 42, below = 34, above = 8, right = 18;
  const auto size = extent(p);
  const double width = scale.per_metre * std::abs(size[0]), height = scale.per_metre * std::abs(size[1]);
  const double unit = scale.unit.size;
  const auto x_of = [&](double at) { return left + width * (at - p.low[0]) / size[0]; };
  const auto y_of = [&](double at) { return above + height - height * (at - p.low[1]) / size[1]; };
  std::string svg = fmt::format(
      "<svg viewBox=\"0 0 {:.1f} {:.1f}\" role=\"img\" aria-label=\"{}\">\n"
      "<image x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" href=\"data:image/png;base64,{}\"/>\n",
      left + scale.width + right, above + height + below, xml_escaped(p.title), left, above, width, height,
      base64(p.png));
  svg += fmt::format(
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"none\" stroke=\"currentColor\" "
      "stroke-opacity=\"0.5\"/>\n",
      left, above, width, height);
  for (const Tick& t : axis_ticks(p.low[0] / unit, p.high[0] / unit))
    svg += fmt::format(
        "<path d=\"M{0:.1f} {1:.1f}v4\" stroke=\"currentColor\"/><text x=\"{0:.1f}\" y=\"{2:.1f}\" "
        "text-anchor=\"middle\">{3}</text>\n",
        x_of(unit * t.value), above + height, above + height + 15, t.text);
  for (const Tick& t : axis_ticks(p.low[1] / unit, p.high[1] / unit))
    svg += fmt::format(
        "<path d=\"M{0:.1f} {1:.1f}h-4\" stroke=\"currentColor\"/><text x=\"{2:.1f}\" y=\"{3:.1f}\" "
        "text-anchor=\"end\">{4}</text>\n",
        left, y_of(unit * t.value), left - 6, y_of(unit * t.value) + 4, t.text);
  svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{} [{}]</text>\n", left + width / 2,
                     above + height + 30, xml_escaped(p.axes[0]), scale.unit.name);
  svg += fmt::format("<text transform=\"translate(10 {:.1f}) rotate(-90)\" text-anchor=\"middle\">{} [{}]</text>\n",
                     above + height / 2, xml_escaped(p.axes[1]), scale.unit.name);
  for (const auto& s : p.strokes)
    if (const auto part = clipped(s.ends, p.low, p.high))
      svg += fmt::format(
          "<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\" stroke=\"#{:02x}{:02x}{:02x}\" stroke-width=\"1.5\"/>\n",
          x_of((*part)[0]), y_of((*part)[1]), x_of((*part)[2]), y_of((*part)[3]), s.colour[0], s.colour[1],
          s.colour[2]);
  if (p.mark)
    for (const auto& [colour, thickness] : {std::pair{"#000", 3.0}, std::pair{"#fff", 1.4}})
      svg +=
          fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"/>\n",
                      x_of((*p.mark)[0]), y_of((*p.mark)[1]), colour, thickness);
  return svg + "</svg>\n";
}

std::string colour_bar(const ColourScale& scale) {
  constexpr int steps = 96;
  constexpr double left = 14, width = 372, height = 14;
  std::string svg =
      fmt::format("<svg viewBox=\"0 0 400 50\" role=\"img\" aria-label=\"{}\">\n", xml_escaped(scale.title));
  for (int i = 0; i < steps; ++i) {
    const auto c = colour_at(scale.map, (i + 0.5) / steps);
    svg += fmt::format(
        "<rect x=\"{:.2f}\" y=\"0\" width=\"{:.2f}\" height=\"{}\" shape-rendering=\"crispEdges\" "
        "fill=\"#{:02x}{:02x}{:02x}\"/>",
        left + width * i / steps, width / steps + 0.3, height, c[0], c[1], c[2]);
  }
  for (const Tick& t : scale_ticks(scale))
    svg += fmt::format(
        "<path d=\"M{0:.1f} {1}v4\" stroke=\"currentColor\"/><text x=\"{0:.1f}\" y=\"{2}\" "
        "text-anchor=\"middle\">{3}</text>\n",
        left + width * scale.place(t.value), height, height + 15, t.text);
  return svg + fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}{}</text>\n</svg>\n",
                           left + width / 2, height + 30, xml_escaped(scale.title),
                           scale.unit.empty() ? "" : fmt::format(" [{}]", xml_escaped(scale.unit)));
}

}  // namespace

std::string html_of_labels(const std::vector<PictureRow::Label>& labels) {
  std::string items;
  for (const auto& label : labels)
    items += fmt::format("<span><i style=\"background:#{:02x}{:02x}{:02x}\"></i>{}</span> ", label.colour[0],
                         label.colour[1], label.colour[2], xml_escaped(label.name));
  return "<p class=\"labels\">" + items + "</p>\n";
}

std::string html_of(const PictureRow& row) {
  std::string body = fmt::format("<h3>{}</h3>\n<div class=\"pictures\">\n", xml_escaped(row.title));
  const RowScale scale = row_scale(row);
  for (const Picture& p : row.pictures)
    body +=
        fmt::format("<figure>\n<figcaption>{}</figcaption>\n{}</figure>\n", xml_escaped(p.title), drawing(p, scale));
  if (row.labels.empty()) body += fmt::format("<figure class=\"scale\">\n{}</figure>\n</div>\n", colour_bar(row.scale));
  else body += "</div>\n" + html_of_labels(row.labels);
  if (!row.note.empty()) body += fmt::format("<p>{}</p>\n", xml_escaped(row.note));
  if (row.folded.empty()) return body;
  return fmt::format("<details>\n<summary>{}</summary>\n{}</details>\n", xml_escaped(row.folded), body);
}

Value value_of(const PictureRow& row) {
  Value::List list;
  for (const Picture& p : row.pictures) {
    Value item = Value::Object{{"title", p.title}};
    if (p.plane)
      item["plane"] =
          Value::Object{{"normal", std::string(1, "xyz"[p.plane->axis])}, {"position_m", p.plane->position}};
    list.push_back(std::move(item));
  }
  return Value::Object{{"title", row.title},
                       {"unit", row.scale.unit},
                       {"scale", Value::Object{{"lowest", row.scale.lowest},
                                               {"highest", row.scale.highest},
                                               {"logarithmic", row.scale.logarithmic}}},
                       {"pictures", list}};
}

}  // namespace dgtd::io
