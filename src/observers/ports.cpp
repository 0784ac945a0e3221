#include "dgtd/observers/ports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "dgtd/base/constants.hpp"
#include "dgtd/io/results.hpp"
#include "dgtd/parallel/root_or_throw.hpp"

namespace dgtd::observers {

std::complex<double> PortSpectrum::incoming(double reference) const {
  return (voltage + reference * current) / (2 * std::sqrt(reference));
}
std::complex<double> PortSpectrum::outgoing(double reference) const {
  return (voltage - reference * current) / (2 * std::sqrt(reference));
}

std::vector<PortSpectrum> port_spectra(const solver::PortRecord& record, const std::vector<double>& frequencies,
                                       double time_step) {
  std::vector<PortSpectrum> spectra;
  for (const double frequency : frequencies) {
    PortSpectrum& s = spectra.emplace_back();
    const double step = 2 * pi * frequency * time_step;
    for (std::size_t n = 0; n < record.voltage.size(); ++n) {
      const auto turn = std::polar(time_step, -step * (double(n) + 0.5));
      s.voltage += record.voltage[n] * turn;
      s.current += record.current[n] * turn;
    }
  }
  return spectra;
}

DrivenSpectrum driven_by(const std::vector<physics::Port>& ports, solver::PortRecords& records, double time_step) {
  return [&ports, &records, time_step](const std::vector<double>& frequencies) {
    DrivenEnergy energy{std::vector<double>(frequencies.size()), std::vector<double>(frequencies.size())};
    for (std::size_t p = 0; p < ports.size(); ++p) {
      if (!ports[p].is_excited()) continue;
      const auto spectra = port_spectra(records.port_record(p), frequencies, time_step);
      for (std::size_t f = 0; f < frequencies.size(); ++f) {
        energy.accepted[f] += 2 * std::real(spectra[f].voltage * std::conj(spectra[f].current));
        energy.incident[f] += 2 * std::norm(spectra[f].incoming(ports[p].impedance));
      }
    }
    return energy;
  };
}

namespace {

std::string table_of_port(const physics::Port& port, const std::vector<PortSpectrum>& spectra) {
  std::string table =
      "frequency_Hz,V_real_V_s,V_imag_V_s,I_real_A_s,I_imag_A_s,Z_real_ohm,Z_imag_ohm,a_real_s_sqrtW,a_imag_s_sqrtW,"
      "b_real_s_sqrtW,b_imag_s_sqrtW\n";
  for (std::size_t f = 0; f < spectra.size(); ++f) {
    const PortSpectrum& s = spectra[f];
    const auto z = s.impedance(), a = s.incoming(port.impedance), b = s.outgoing(port.impedance);
    table +=
        fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", port.frequencies[f], s.voltage.real(), s.voltage.imag(),
                    s.current.real(), s.current.imag(), z.real(), z.imag(), a.real(), a.imag(), b.real(), b.imag());
  }
  return table;
}

// Where the reactance changes its sign, with the resistance there, by linear interpolation.
io::Value resonances(const physics::Port& port, const std::vector<PortSpectrum>& spectra) {
  io::Value::List list;
  for (std::size_t f = 1; f < spectra.size(); ++f) {
    const auto before = spectra[f - 1].impedance(), after = spectra[f].impedance();
    if ((before.imag() < 0) == (after.imag() < 0)) continue;
    const double part = before.imag() / (before.imag() - after.imag());
    const auto between = [&](double low, double high) { return low + part * (high - low); };
    list.push_back(io::Value::Object{{"frequency_Hz", between(port.frequencies[f - 1], port.frequencies[f])},
                                     {"resistance_ohm", between(before.real(), after.real())}});
  }
  return list;
}

// Reflection and impedance mean something where the port itself is what sends.
io::Section section_of_port(const physics::Port& port, const std::vector<PortSpectrum>& spectra) {
  io::Section section{io::Chapter::measurements, "Port " + port.name, {}};
  if (!port.is_excited() || spectra.size() < 2) return section;
  io::Curve reflection, smith, resistance{"resistance", {}, {}}, reactance{"reactance", {}, {}};
  for (std::size_t f = 0; f < spectra.size(); ++f) {
    const PortSpectrum& s = spectra[f];
    const double x = port.frequencies[f];
    const auto z = s.impedance();
    const auto factor = s.outgoing(port.impedance) / s.incoming(port.impedance);
    smith.x.push_back(factor.real()), smith.y.push_back(factor.imag());
    reflection.x.push_back(x), resistance.x.push_back(x), reactance.x.push_back(x);
    reflection.y.push_back(20 * std::log10(std::abs(factor)));
    resistance.y.push_back(z.real()), reactance.y.push_back(z.imag());
  }
  const io::ChartAxis axis = io::frequency_axis(port.frequencies);
  section.blocks.push_back(io::Chart{fmt::format("Reflection |b/a|, reference {:g} ohm", port.impedance),
                                     axis,
                                     {"Reflection in dB", ""},
                                     {reflection}});
  section.blocks.push_back(io::SmithChart{fmt::format("Reflection b/a, reference {:g} ohm", port.impedance), {smith}});
  section.blocks.push_back(io::Chart{"Input impedance", axis, {"Impedance", "ohm"}, {resistance, reactance}});
  return section;
}

}  // namespace

void Ports::finish(io::Results& results) {
  for (std::size_t p = 0; p < ports_.size(); ++p) {
    const physics::Port& port = ports_[p];
    const solver::PortRecord& record = records_.port_record(p);
    const auto spectra = port_spectra(record, port.frequencies, time_step_);
    double energy = 0;
    for (const double power : record.power) energy += power * time_step_;
    io::Value& keys = results.summary.keys["ports"][port.name];
    keys = io::Value::Object{{"impedance_ohm", port.impedance},
                             {"supplied_energy_J", energy},
                             {"cell_capacitance_F", records_.cell_capacitance(p)}};
    if (port.is_excited()) keys["resonances"] = resonances(port, spectra);
    parallel::root_or_throw(results.comm, [&] {
      results.files.write_table("port_" + port.name + ".csv", {"frequency_Hz"}, table_of_port(port, spectra));
    });
    if (io::Section section = section_of_port(port, spectra); !section.blocks.empty())
      results.summary.sections.push_back(std::move(section));
  }
}

}  // namespace dgtd::observers
