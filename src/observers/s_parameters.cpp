#include "dgtd/observers/s_parameters.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/units.hpp"

namespace dgtd::observers {

namespace {

using ComplexMatrix = Eigen::MatrixXcd;

ComplexMatrix matrix_at(const SParameters& s, std::size_t f) {
  ComplexMatrix m(s.ports.size(), s.excited.size());
  for (std::size_t i = 0; i < s.ports.size(); ++i)
    for (std::size_t j = 0; j < s.excited.size(); ++j) m(Eigen::Index(i), Eigen::Index(j)) = s.at(f, i, j);
  return m;
}

// Rows of the excited ports.
ComplexMatrix square_at(const SParameters& s, std::size_t f) {
  const ComplexMatrix m = matrix_at(s, f);
  ComplexMatrix square(s.excited.size(), s.excited.size());
  for (std::size_t i = 0; i < s.excited.size(); ++i)
    square.row(Eigen::Index(i)) = m.row(static_cast<Eigen::Index>(s.excited[i]));
  return square;
}

double decibels(std::complex<double> s) { return 20 * std::log10(std::abs(s)); }
double degrees(std::complex<double> s) { return std::arg(s) * 180 / pi; }

std::string pair_name(const SParameters& s, std::size_t out, std::size_t column) {
  return fmt::format("S_{}_{}", s.ports[out].name, s.ports[s.excited[column]].name);
}

void see(SParameterChecks::Worst& worst, double value, double frequency) {
  if (!(value <= worst.value)) worst = {value, frequency};
}

}  // namespace

SParameters s_parameters(std::vector<SParameters::Port> ports, std::vector<std::size_t> excited,
                         std::vector<double> frequencies, const std::vector<std::vector<PortWaves>>& waves) {
  SParameters s{std::move(ports), std::move(excited), std::move(frequencies), {}};
  const auto rows = Eigen::Index(s.ports.size()), columns = Eigen::Index(s.excited.size());
  for (std::size_t f = 0; f < s.frequencies.size(); ++f) {
    ComplexMatrix in(columns, columns), out(rows, columns);
    for (Eigen::Index j = 0; j < columns; ++j) {
      const PortWaves& run = waves[f][std::size_t(j)];
      for (Eigen::Index i = 0; i < columns; ++i) in(i, j) = run.incoming[s.excited[std::size_t(i)]];
      for (Eigen::Index i = 0; i < rows; ++i) out(i, j) = run.outgoing[std::size_t(i)];
    }
    // S A = B, hence A^T S^T = B^T.
    const ComplexMatrix transposed = in.transpose().partialPivLu().solve(out.transpose());
    for (Eigen::Index i = 0; i < rows; ++i)
      for (Eigen::Index j = 0; j < columns; ++j) s.values.push_back(transposed(j, i));
  }
  return s;
}

SParameterChecks checks_of(const SParameters& s) {
  SParameterChecks checks;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  checks.columns.assign(s.excited.size(), {infinity, 0});
  for (std::size_t f = 0; f < s.frequencies.size(); ++f) {
    const double frequency = s.frequencies[f];
    const ComplexMatrix m = matrix_at(s, f), square = square_at(s, f);
    see(checks.reciprocity, (square - square.transpose()).cwiseAbs().maxCoeff(), frequency);
    see(checks.singular_value, Eigen::JacobiSVD<ComplexMatrix>(m).singularValues()(0), frequency);
    for (std::size_t j = 0; j < checks.columns.size(); ++j) {
      const double sum = m.col(Eigen::Index(j)).squaredNorm();
      checks.columns[j] = {std::min(checks.columns[j].least, sum), std::max(checks.columns[j].most, sum)};
    }
  }
  if (!(checks.reciprocity.value <= SParameterChecks::most_reciprocity))
    checks.warnings.push_back(fmt::format(
        "[sparameters]: S is not symmetric: |S_ij - S_ji| = {:.3g} at {}, more than {}; the runs are too short for the "
        "fields to decay, or a pulse has too little energy there",
        checks.reciprocity.value, units::frequency_text(checks.reciprocity.frequency),
        SParameterChecks::most_reciprocity));
  if (!(checks.singular_value.value <= SParameterChecks::most_singular_value))
    checks.warnings.push_back(fmt::format(
        "[sparameters]: S is not passive: its largest singular value is {:.4g} at {}, more than {}; the runs are too "
        "short for the fields to decay, or a pulse has too little energy there",
        checks.singular_value.value, units::frequency_text(checks.singular_value.frequency),
        SParameterChecks::most_singular_value));
  return checks;
}

std::string table_of(const SParameters& s) {
  std::string text = "frequency_Hz";
  for (std::size_t j = 0; j < s.excited.size(); ++j)
    for (std::size_t i = 0; i < s.ports.size(); ++i) {
      const std::string name = pair_name(s, i, j);
      text += fmt::format(",{0}_real,{0}_imag,{0}_dB,{0}_deg", name);
    }
  text += "\n";
  for (std::size_t f = 0; f < s.frequencies.size(); ++f) {
    text += fmt::format("{}", s.frequencies[f]);
    for (std::size_t j = 0; j < s.excited.size(); ++j)
      for (std::size_t i = 0; i < s.ports.size(); ++i) {
        const auto value = s.at(f, i, j);
        text += fmt::format(",{},{},{:.6f},{:.6f}", value.real(), value.imag(), decibels(value), degrees(value));
      }
    text += "\n";
  }
  return text;
}

// With x = sqrt(Z / R): a' = P a + Q b and b' = Q a + P b, where P = (x + 1 / x) / 2 and Q = (x - 1 / x) / 2, hence
// S' = (Q + P S) (P + Q S)^-1.
std::vector<std::complex<double>> renormalised(const SParameters& s, double reference) {
  const auto n = Eigen::Index(s.excited.size());
  Eigen::VectorXcd p(n), q(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const double x = std::sqrt(s.ports[s.excited[std::size_t(i)]].impedance.value_or(reference) / reference);
    p(i) = 0.5 * (x + 1 / x), q(i) = 0.5 * (x - 1 / x);
  }
  std::vector<std::complex<double>> values;
  for (std::size_t f = 0; f < s.frequencies.size(); ++f) {
    const ComplexMatrix m = square_at(s, f);
    ComplexMatrix out = p.asDiagonal() * m, in = q.asDiagonal() * m;
    out.diagonal() += q, in.diagonal() += p;
    const ComplexMatrix transposed = in.transpose().partialPivLu().solve(out.transpose());
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index j = 0; j < n; ++j) values.push_back(transposed(j, i));
  }
  return values;
}

std::string touchstone_name(const SParameters& s, const std::string& name) {
  return fmt::format("{}.s{}p", name, s.excited.size());
}

namespace {

std::string text_of_impedance(const SParameters::Port& port) {
  return port.impedance ? fmt::format("impedance {} ohm", *port.impedance)
                        : std::string("a waveguide, whose waves refer to its own wave impedance");
}
// For tables.
std::string short_impedance(const SParameters::Port& port) {
  return port.impedance ? fmt::format("{:.6g}", *port.impedance) : std::string("its own");
}

}  // namespace

std::string touchstone_text(const SParameters& s, const std::string& head) {
  const std::size_t n = s.excited.size();
  constexpr double usual = 50;  // ohm
  double reference = usual;
  bool shared = true, all_have_one = true;
  for (auto j = s.excited.rbegin(); j != s.excited.rend(); ++j) reference = s.ports[*j].impedance.value_or(reference);
  std::string text = "! " + head + "\n";
  for (std::size_t j = 0; j < n; ++j) {
    const SParameters::Port& port = s.ports[s.excited[j]];
    shared = shared && port.impedance.value_or(reference) == reference;
    all_have_one = all_have_one && port.impedance;
    text += fmt::format("! Port[{}] = {}, {}\n", j + 1, port.name, text_of_impedance(port));
  }
  for (std::size_t i = 0; i < s.ports.size(); ++i)
    if (std::find(s.excited.begin(), s.excited.end(), i) == s.excited.end())
      text += fmt::format("! port {} is a termination: {}\n", s.ports[i].name, text_of_impedance(s.ports[i]));
  if (!shared) text += fmt::format("! renormalised to {} ohm at all ports{}\n", reference, all_have_one ? "" : " but waveguides");
  text += fmt::format("# Hz S RI R {}\n", reference);
  const auto values = renormalised(s, reference);
  constexpr std::size_t pairs_per_line = 4;
  for (std::size_t f = 0; f < s.frequencies.size(); ++f) {
    text += fmt::format("{}", s.frequencies[f]);
    const auto add = [&](std::size_t i, std::size_t j) {
      const auto value = values[(f * n + i) * n + j];
      text += fmt::format(" {} {}", value.real(), value.imag());
    };
    if (n == 2) {  // columns first: S11 S21 S12 S22
      add(0, 0), add(1, 0), add(0, 1), add(1, 1);
      text += "\n";
      continue;
    }
    for (std::size_t i = 0; i < n; ++i)  // each row begins a line
      for (std::size_t j = 0; j < n; ++j) {
        if (j > 0 && j % pairs_per_line == 0) text += "\n";
        add(i, j);
        if (j + 1 == n) text += "\n";
      }
  }
  return text;
}

namespace {

// Curves of all ports while one is excited. A phase that turns over begins anew.
io::Chart column_chart(const SParameters& s, std::size_t column, const char* title, const char* axis,
                       double (*of)(std::complex<double>), bool turns) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  std::vector<io::Curve> curves;
  for (std::size_t i = 0; i < s.ports.size(); ++i) {
    io::Curve& curve = curves.emplace_back();
    curve.name = pair_name(s, i, column);
    for (std::size_t f = 0; f < s.frequencies.size(); ++f) {
      const double y = of(s.at(f, i, column));
      if (turns && f > 0 && std::abs(y - curve.y.back()) > 180)
        curve.x.push_back(s.frequencies[f]), curve.y.push_back(none);
      curve.x.push_back(s.frequencies[f]), curve.y.push_back(y);
    }
  }
  return {fmt::format("{}, port {} excited", title, s.ports[s.excited[column]].name),
          io::frequency_axis(s.frequencies),
          {axis, ""},
          std::move(curves)};
}

io::SmithChart reflections(const SParameters& s) {
  io::SmithChart chart{"Reflection of each port, relative to its own impedance", {}};
  for (std::size_t j = 0; j < s.excited.size(); ++j) {
    const std::size_t port = s.excited[j];
    io::Curve& curve = chart.curves.emplace_back();
    curve.name = fmt::format("{}, {}{}", pair_name(s, port, j), short_impedance(s.ports[port]),
                             s.ports[port].impedance ? " ohm" : " impedance");
    for (std::size_t f = 0; f < s.frequencies.size(); ++f) {
      const auto value = s.at(f, port, j);
      curve.x.push_back(value.real()), curve.y.push_back(value.imag());
    }
  }
  return chart;
}

io::Table power_sums(const SParameters& s, const SParameterChecks& checks) {
  io::Table table{{{"Port excited"}, {"Impedance [ohm]"}, {"Power that all ports take, least"}, {"most"}}, {}};
  for (std::size_t j = 0; j < s.excited.size(); ++j) {
    const SParameters::Port& port = s.ports[s.excited[j]];
    table.rows.push_back(
        {{port.name, short_impedance(port), fmt::format("{:.6f}", checks.columns[j].least),
          fmt::format("{:.6f}", checks.columns[j].most)}});
  }
  return table;
}

}  // namespace

io::Section section_of(const SParameters& s, const SParameterChecks& checks) {
  const auto worst = [](const SParameterChecks::Worst& w, const char* format) {
    return fmt::format(fmt::runtime(format), w.value) + " at " + units::frequency_text(w.frequency);
  };
  io::Entries entries;
  const bool has_pairs = s.excited.size() > 1;
  if (has_pairs) entries.list.push_back({"Largest |S_ij - S_ji|", worst(checks.reciprocity, "{:.3g}")});
  entries.list.push_back({"Largest singular value", worst(checks.singular_value, "{:.7g}")});
  io::Section section{io::Chapter::measurements, "S-parameters", {}};
  section.blocks.push_back(io::Note{
      "S_OUT_IN: the wave that leaves the structure into port OUT over the one that port IN sends, as power waves of "
      "the "
      "ports' impedances. A reciprocal structure has S_ij = S_ji, a passive one no singular value above 1, and one "
      "without losses and radiation gives all power back to the ports."});
  const io::Table sums = power_sums(s, checks);
  section.console = fmt::format("S-parameters of {} port{} at {} frequencies{}, largest singular value {}\n{}",
                                s.excited.size(), has_pairs ? "s" : "", s.frequencies.size(),
                                has_pairs ? ": |S_ij - S_ji| at most " + worst(checks.reciprocity, "{:.3g}") : "",
                                worst(checks.singular_value, "{:.7g}"), io::text_of(sums));
  section.blocks.push_back(std::move(entries));
  section.blocks.push_back(sums);
  if (s.frequencies.size() < 2) return section;
  for (std::size_t j = 0; j < s.excited.size(); ++j) {
    section.blocks.push_back(column_chart(s, j, "Magnitude", "|S| in dB", decibels, false));
    section.blocks.push_back(column_chart(s, j, "Phase", "Phase in degrees", degrees, true));
  }
  section.blocks.push_back(reflections(s));
  return section;
}

}  // namespace dgtd::observers
