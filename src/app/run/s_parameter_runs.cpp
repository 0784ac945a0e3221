#include "app/run/s_parameter_runs.hpp"

#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <iterator>

#include "dgtd/base/error.hpp"
#include "dgtd/base/log.hpp"
#include "dgtd/io/result_files.hpp"
#include "dgtd/io/text_files.hpp"
#include "dgtd/observers/s_parameters.hpp"

namespace dgtd::app {

namespace {

namespace fs = std::filesystem;
using observers::SParameters;

// Empty where there is none.
std::string text_of_file(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

struct WavesAtFrequency {
  std::complex<double> incoming, outgoing;
  double reference;  // ohm
};

// The waves of a table port_NAME.csv, [frequencies].
std::vector<WavesAtFrequency> read_waves(const fs::path& file, std::size_t frequencies) {
  constexpr std::size_t columns = 12, first_wave = 7;  // of table_of_port in observers/ports.cpp
  const std::string text = text_of_file(file);
  std::vector<WavesAtFrequency> waves;
  for (std::size_t at = text.find('\n'); at != std::string::npos && at + 1 < text.size();
       at = text.find('\n', at + 1)) {
    double row[columns];
    const char *next = text.data() + at + 1, *const end = text.data() + text.size();
    std::size_t read = 0;
    for (; read < columns; ++read) {
      const auto [stop, error] = std::from_chars(next, end, row[read]);
      if (error != std::errc()) break;
      next = stop < end && *stop == ',' ? stop + 1 : stop;
    }
    if (read < columns) break;
    const double* w = row + first_wave;
    waves.push_back({{w[0], w[1]}, {w[2], w[3]}, w[4]});
  }
  if (waves.size() != frequencies)
    throw Error(ExitCode::other, fmt::format("{}: has {} whole rows of {}", file.string(), waves.size(), frequencies));
  return waves;
}

SParameters read_matrix(const config::Case& c) {
  std::vector<SParameters::Port> ports;
  std::vector<std::size_t> excited;
  for (const config::Port& p : c.ports) {
    if (p.is_excited()) excited.push_back(ports.size());
    ports.push_back({p.name, {}});
  }
  const auto& frequencies = c.s_parameters.frequencies;
  std::vector<std::vector<observers::PortWaves>> waves(frequencies.size(),
                                                       std::vector<observers::PortWaves>(excited.size()));
  for (std::size_t j = 0; j < excited.size(); ++j)
    for (std::size_t i = 0; i < c.ports.size(); ++i) {
      const config::Port& p = c.ports[i];
      const fs::path folder = config::case_of_excitation(c, ports[excited[j]].name).output.directory;
      const auto of_port = read_waves(folder / ("port_" + p.name + ".csv"), frequencies.size());
      for (std::size_t f = 0; f < frequencies.size(); ++f) {
        waves[f][j].incoming.push_back(of_port[f].incoming);
        waves[f][j].outgoing.push_back(of_port[f].outgoing);
      }
      if (p.has_one_impedance()) ports[i].impedance = of_port[0].reference;
    }
  return observers::s_parameters(std::move(ports), std::move(excited), frequencies, waves);
}

io::Value value_of(const SParameters& s, const observers::SParameterChecks& checks) {
  io::Value v;
  for (const SParameters::Port& p : s.ports)
    if (p.impedance) v["impedance_ohm"][p.name] = *p.impedance;
  io::Value::List excited;
  for (std::size_t j = 0; j < s.excited.size(); ++j) {
    excited.emplace_back(s.ports[s.excited[j]].name);
    v["power_sum"][s.ports[s.excited[j]].name] =
        io::Value::Object{{"least", checks.columns[j].least}, {"most", checks.columns[j].most}};
  }
  v["excited"] = std::move(excited);
  v["frequencies"] = s.frequencies.size();
  v["reciprocity_defect"] = checks.reciprocity.value;
  v["reciprocity_frequency_Hz"] = checks.reciprocity.frequency;
  v["largest_singular_value"] = checks.singular_value.value;
  v["singular_value_frequency_Hz"] = checks.singular_value.frequency;
  return v;
}

}  // namespace

MatrixResults write_matrix(const config::Case& c, io::ResultFiles& files) {
  const SParameters s = read_matrix(c);
  const auto checks = observers::checks_of(s);
  for (const std::string& warning : checks.warnings) log::warn("{}", warning);
  files.write_table("sparameters.csv", {"frequency_Hz"}, observers::table_of(s));
  const std::string head = fmt::format("dgtd {}: {}", DGTD_VERSION, c.name);
  io::write_text(files.add({observers::touchstone_name(s, c.name)}), observers::touchstone_text(s, head));
  return {observers::section_of(s, checks), value_of(s, checks)};
}

}  // namespace dgtd::app
