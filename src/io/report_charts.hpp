#pragma once
// Charts in the report: drawings (SVG) in the colours of the page, without scripts.
#include <string>
#include <vector>

#include "dgtd/io/charts.hpp"

namespace dgtd::io {

std::string html_of(const Chart& chart);
std::string html_of(const PolarChart& chart);
std::string html_of(const SmithChart& chart);

/// Names beside samples of their lines, in rows of this width.
struct Legend {
  std::string svg;
  double height = 0;
};
Legend legend_of(const std::vector<Curve>& curves, double left, double width);

/// A figure with its caption; `described` is what the drawing shows, for those who cannot see it.
std::string chart_figure(const std::string& title, const std::string& described, double width, double height,
                         const std::string& svg);

/// "k0" to "k5": the style of a curve, which is in the style sheet.
std::string curve_class(std::size_t curve);

}  // namespace dgtd::io
