#include "dgtd/observers/flux_orders.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/units.hpp"
#include "dgtd/parallel/root_or_throw.hpp"

namespace dgtd::observers {

namespace {

using Order = solver::DiffractionOrder;

std::vector<std::size_t> repeated_axes(const OrderPlane& plane) {
  std::vector<std::size_t> axes;
  for (std::size_t a = 0; a < 3; ++a)
    if (plane.lattice.period[a] > 0 && static_cast<int>(a) != plane.normal) axes.push_back(a);
  return axes;
}

double sign_of_all(const OrderSpectra& spectra) {
  double sum = 0;
  for (const auto& orders : spectra.orders)
    for (const Order& order : orders) sum += order.energy;
  return sum < 0 ? -1 : 1;
}

// No number where the source has next to no energy.
double order_share(const OrderSpectra& spectra, std::size_t f, double energy) {
  constexpr double smallest = 1e-6;  // of the largest incident energy
  const double largest = *std::max_element(spectra.incident.begin(), spectra.incident.end());
  return spectra.incident[f] > smallest * largest ? energy / spectra.incident[f]
                                                  : std::numeric_limits<double>::quiet_NaN();
}

std::string numbers_text(const Order& order, const std::vector<std::size_t>& axes) {
  std::string text;
  for (const std::size_t a : axes)
    text += fmt::format("{}{}", text.empty() ? "" : " ",
                        order.number[a] == 0 ? "0" : fmt::format("{:+d}", order.number[a]));
  return text;
}

std::string orders_table(const OrderSpectra& spectra, double sign) {
  const auto axes = repeated_axes(spectra.plane);
  std::string text = "frequency_Hz,wavelength_m";
  for (const std::size_t a : axes) text += fmt::format(",order_{}", "xyz"[a]);
  text += ",polar_angle_deg,azimuth_deg,outward_energy_J_per_Hz";
  if (!spectra.incident.empty()) text += ",share";
  text += "\n";
  constexpr double degree = pi / 180;
  for (std::size_t f = 0; f < spectra.frequencies.size(); ++f)
    for (const Order& order : spectra.orders[f]) {
      text += fmt::format("{},{}", spectra.frequencies[f], speed_of_light / spectra.frequencies[f]);
      for (const std::size_t a : axes) text += fmt::format(",{}", order.number[a]);
      text += fmt::format(",{:.6f},{:.6f},{}", order.polar / degree, order.azimuth / degree, order.energy);
      if (!spectra.incident.empty()) text += fmt::format(",{}", sign * order_share(spectra, f, order.energy));
      text += "\n";
    }
  return text;
}

io::Table table_of_one_frequency(const OrderSpectra& spectra, double sign) {
  const bool has_shares = !spectra.incident.empty();
  io::Table table{{{"Order", true}, {"Angle from the normal"}, {has_shares ? "Share" : "Energy along the normal, J/Hz"}}, {}};
  for (const Order& order : spectra.orders.front()) {
    const double share = has_shares ? sign * order_share(spectra, 0, order.energy) : 0;
    table.rows.push_back({{numbers_text(order, repeated_axes(spectra.plane)),
                           fmt::format("{:.2f}\u00b0", order.polar * 180 / pi),
                           has_shares ? io::percent(share) : fmt::format("{:.4g}", order.energy)}});
  }
  return table;
}

// The orders with most energy, each over the frequencies at which it propagates.
io::Chart chart_of_orders(const OrderSpectra& spectra, double sign, bool& is_complete) {
  constexpr std::size_t most_curves = 6;
  const bool has_shares = !spectra.incident.empty();
  std::map<std::array<int, 3>, io::Curve> curves;
  for (std::size_t f = 0; f < spectra.frequencies.size(); ++f)
    for (const Order& order : spectra.orders[f]) {
      io::Curve& curve = curves[order.number];
      curve.name = numbers_text(order, repeated_axes(spectra.plane));
      curve.x.push_back(spectra.frequencies[f]);
      curve.y.push_back(has_shares ? sign * order_share(spectra, f, order.energy) : sign * order.energy);
    }
  const auto peak = [](const io::Curve& curve) {
    double most = 0;
    for (const double y : curve.y) most = std::max(most, std::isfinite(y) ? std::abs(y) : 0);
    return most;
  };
  std::vector<io::Curve> list;
  for (auto& [number, curve] : curves) list.push_back(std::move(curve));
  std::stable_sort(list.begin(), list.end(), [&](const auto& a, const auto& b) { return peak(a) > peak(b); });
  is_complete = list.size() <= most_curves;
  if (!is_complete) list.resize(most_curves);
  return {fmt::format("Diffraction orders through {}{}", spectra.plane.flux,
                      sign < 0 ? fmt::format(", towards \u2212{}", "xyz"[spectra.plane.normal]) : ""),
          io::frequency_axis(spectra.frequencies),
          has_shares ? io::ChartAxis{"Share of the incident energy", ""} : io::ChartAxis{"Spectral energy", "J/Hz"},
          std::move(list)};
}

}  // namespace

void add_orders(io::Results& results, const OrderSpectra& spectra) {
  const double sign = sign_of_all(spectra);
  const std::string file = "orders_" + spectra.plane.flux + ".csv";
  std::vector<std::string> rows{"frequency_Hz"};
  for (const std::size_t a : repeated_axes(spectra.plane)) rows.push_back(fmt::format("order_{}", "xyz"[a]));
  parallel::root_or_throw(results.comm,
                          [&] { results.files.write_table(file, rows, orders_table(spectra, sign)); });
  io::Section section{io::Chapter::measurements, "Diffraction orders", {}};
  if (spectra.frequencies.size() == 1) {
    section.title += fmt::format(" through {}, {}", spectra.plane.flux, units::frequency_text(spectra.frequencies[0]));
    section.blocks.push_back(table_of_one_frequency(spectra, sign));
  } else {
    bool is_complete = true;
    section.blocks.push_back(chart_of_orders(spectra, sign, is_complete));
    if (!is_complete) section.blocks.push_back(io::Note{fmt::format("The other orders are in {}.", file)});
  }
  results.summary.sections.push_back(std::move(section));
}

}  // namespace dgtd::observers
