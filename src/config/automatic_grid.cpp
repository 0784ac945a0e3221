// Cells of a grid that a case with a [domain] does not give: by wavelength in each material, with lines on the faces of
// shapes and at lumped ports. Along an axis each body asks for cells between its ends, whatever is beside it there (the cells
// are those of a tensor grid); graded_axis.cpp lets them grow in between.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "codec.hpp"
#include "complete.hpp"
#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/base/units.hpp"
#include "dgtd/config/shape_extent.hpp"
#include "dgtd/config/shape_parts.hpp"
#include "graded_axis.hpp"

namespace dgtd::config {
namespace {

constexpr double no_limit_of_cell = std::numeric_limits<double>::infinity();

// m, the shortest length of variation over the band by the number of cells in it.
double cell_in(const physics::Medium& medium, const Band& band, double per_wavelength) {
  if (medium.perfect_conductor) return no_limit_of_cell;
  constexpr int samples = 32;
  double cell = no_limit_of_cell;
  for (int i = 0; i <= samples; ++i) {
    const double frequency = band.lowest * std::pow(band.highest / band.lowest, static_cast<double>(i) / samples);
    cell = std::min(cell, physics::length_of_variation(medium, frequency) / per_wavelength);
  }
  return cell;
}

// Cell size that one material requires.
struct MaterialCell {
  std::string name;
  bool perfect = false;
  double cell = no_limit_of_cell;  // m
};

// A body of the case, and what it is made of: itself alone where it has no parts.
struct BodyParts {
  const Shape& body;
  std::vector<Shape> parts;
};

class AutomaticGrid {
 public:
  AutomaticGrid(const Case& c, const Band& band) : c_(c) {
    for (const Shape& s : c.shapes)
      if (!is_operand(c, s)) bodies_.push_back({s, simple_parts(c, s)});
    for (const Material& m : c.materials)
      cells_.push_back({m.name, m.perfect_conductor, std::max(c.grid.finest, cell_in(m, band, c.grid.per_wavelength))});
    around_ = c.domain.background.empty()
                  ? std::max(c.grid.finest, cell_in(physics::Medium(), band, c.grid.per_wavelength))
                  : of(c.domain.background).cell;
  }

  /// The spacings of the domain along an axis, m.
  std::vector<double> spacings(int axis, bool periodic) {
    const double length = (*c_.domain.size)[axis];
    lines_ = {0, length};
    GradedAxis graded;
    graded.length = length;
    graded.spacing = around_;
    graded.ratio = c_.grid.ratio;
    graded.periodic = periodic;
    std::vector<FineInterval> intervals;
    for (const bool flat : {true, false}) put_lines(axis, flat);
    for (const BodyParts& body : bodies_) add(intervals, body, axis);
    add_lumped_ports(intervals, axis);
    for (const Refinement& r : c_.refinements) {
      const double middle = r.centre[axis] - (*c_.domain.origin)[axis];
      if (!(middle - r.size[axis] / 2 < length && middle + r.size[axis] / 2 > 0))
        throw Error(fmt::format("refine.{} lies outside the domain", r.name));
      intervals.push_back({middle - r.size[axis] / 2, middle + r.size[axis] / 2, r.spacing[axis]});
    }
    for (const FineInterval& f : intervals)
      if (const double inside = std::min(f.upper, length) - std::max(f.lower, 0.0); inside > f.spacing * most_cells)
        throw Error(
            fmt::format("cells of {} would be more than {}; a larger grid.finest, a smaller "
                        "grid.per_wavelength or conductor = perfect is needed",
                        units::length_text(f.spacing, 3), most_cells));
    return graded_spacings(graded, intervals);
  }

 private:
  const MaterialCell& of(const std::string& material) const {
    return *std::find_if(cells_.begin(), cells_.end(), [&](const auto& m) { return m.name == material; });
  }

  double cell_of(const BodyParts& body, int axis) const {
    const Shape& s = body.body;
    if (s.type == Shape::Type::labels) {
      double cell = no_limit_of_cell;
      for (const Shape::Label& label : s.labels) cell = std::min(cell, of(label.material).cell);
      return std::min(cell, around_);
    }
    const MaterialCell& m = of(s.material);
    double round = no_limit_of_cell;
    for (const Shape& part : body.parts) {
      const bool round_part = part.type == Shape::Type::cylinder || s.type == Shape::Type::wire;
      const bool wire = m.perfect && round_part && 2 * part.radius < around_;
      if (!wire) round = std::min(round, std::max(round_cell(part, axis), c_.grid.finest));
    }
    return std::min({m.cell, round, around_});
  }

  // Lines of parts count within the body; the balls in the corners of a wire have none.
  std::vector<FaceLine> face_lines(const BodyParts& body, int axis) const {
    const Shape& s = body.body;
    if (!has_reach(s)) return {};
    const bool perfect = of(s.material).perfect;
    std::vector<FaceLine> lines;
    for (const Shape& part : body.parts) {
      if (!has_reach(part) || (s.type == Shape::Type::wire && part.type == Shape::Type::sphere)) continue;
      for (const FaceLine& line : lines_of(part, axis, perfect, around_)) {
        const double rounding = s.extent ? 1e-9 * ((*s.extent)[1][axis] - (*s.extent)[0][axis]) : 0;
        if (!s.extent || (line.at >= (*s.extent)[0][axis] - rounding && line.at <= (*s.extent)[1][axis] + rounding))
          lines.push_back(line);
      }
    }
    for (FaceLine& line : lines) line.at -= (*c_.domain.origin)[axis];
    return lines;
  }

  // The line of the grid on which a face lies. Faces nearer than grid.finest share one; the end of a round body takes
  // a line within half a cell, since it gains nothing from one of its own.
  const double* line_near(const FaceLine& face, double cell) const {
    const double reach = std::max({1e-6 * cell, (1 - 1e-6) * c_.grid.finest, face.flat ? 0 : 0.5 * cell});
    const double* nearest = nullptr;
    for (const double& line : lines_)
      if (std::abs(line - face.at) < reach && (!nearest || std::abs(line - face.at) < std::abs(*nearest - face.at)))
        nearest = &line;
    return nearest;
  }

  void put_lines(int axis, bool flat) {
    for (const BodyParts& body : bodies_)
      for (const FaceLine& face : face_lines(body, axis))
        if (face.flat == flat && !line_near(face, cell_of(body, axis))) lines_.push_back(face.at);
  }

  // A lumped port ends at conductors: lines of its own. Its sides take a line within half a cell. A port across a guide
  // has none: it is in the plane of cells next to it, and even cells along the guide reflect less.
  void add_lumped_ports(std::vector<FineInterval>& intervals, int axis) {
    for (const physics::Port& port : c_.ports) {
      if (!port.is_lumped()) continue;
      const bool along = port.direction[axis] != 0;
      for (const double sign : {-0.5, 0.5}) {
        const FaceLine end{port.centre[axis] + sign * port.size[axis] - (*c_.domain.origin)[axis], along};
        if (end.at < 0 || end.at > (*c_.domain.size)[axis]) continue;  // an error of its own
        if (!line_near(end, around_)) lines_.push_back(end.at);
        intervals.push_back({*line_near(end, around_), no_limit_of_cell, around_});
      }
    }
  }

  void add(std::vector<FineInterval>& intervals, const BodyParts& body, int axis) const {
    const double cell = cell_of(body, axis);
    if (!has_reach(body.body)) return intervals.push_back({0, (*c_.domain.size)[axis], cell});
    double low = no_limit_of_cell, high = -no_limit_of_cell;
    for (const FaceLine& face : face_lines(body, axis)) {
      const double at = *line_near(face, cell);
      low = std::min(low, at);
      high = std::max(high, at);
      intervals.push_back({at, no_limit_of_cell, around_});  // its end alone: a line
    }
    if (low < high) intervals.push_back({low, high, cell});
  }

  const Case& c_;
  std::vector<BodyParts> bodies_;
  std::vector<MaterialCell> cells_;
  double around_;              // m, in the background
  std::vector<double> lines_;  // m, from the domain's lower end
};

}  // namespace

bool has_automatic_grid(const Case& c) {
  const Grid& g = c.grid;
  const bool listed = std::any_of(g.spacings.begin(), g.spacings.end(), [](const auto& list) { return !list.empty(); });
  return c.domain.given() && c.solver.method.has.varying_cells && g.spacing.x == 0 && !listed;
}

void complete_automatic_grid(Case& c, const IniTable& table) {
  constexpr double usual = 20;
  Grid& g = c.grid;
  if (g.per_wavelength == 0) g.per_wavelength = usual;
  const auto in_use = band_in_use(c);
  const double highest = frequency_of_interest(c);
  if (!in_use || highest == 0)
    throw Error(
        fmt::format("{}: grid.spacing is required (1 or 3 numbers > 0, m): cells by wavelength require a "
                    "frequency, that of a source, of a monitor or time.frequency",
                    table.file()));
  AutomaticGrid cells(c, {std::min(in_use->lowest, highest), highest});
  g.background = c.domain.background;
  const auto types = side_types(c);
  for (int a = 0; a < c.solver.method.has.dimensions; ++a) {
    const auto lower = 2 * static_cast<std::size_t>(a), upper = lower + 1;
    const bool periodic = types[lower] == Boundary::Type::periodic || types[lower] == Boundary::Type::bloch;
    try {
      g.spacings[a] = cells.spacings(a, periodic);
    } catch (const Error& error) {
      throw Error(
          fmt::format("{}: the grid by grid.per_wavelength: along {}: {}", table.file(), "xyz"[a], error.what()));
    }
    auto& list = g.spacings[a];
    const double first = list.front(), last = list.back();
    const auto below = cells_of_layer(c, lower, first), above = cells_of_layer(c, upper, last);
    list.insert(list.begin(), static_cast<std::size_t>(below), first);
    list.insert(list.end(), static_cast<std::size_t>(above), last);
    g.origin[a] = (*c.domain.origin)[a] - static_cast<double>(below) * first;
  }
  c.refinements.clear();  // the resolved case has the spacings alone
  const Grid fresh;
  g.ratio = fresh.ratio;
  g.per_wavelength = fresh.per_wavelength;
  g.finest = fresh.finest;
}

}  // namespace dgtd::config
