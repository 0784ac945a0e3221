#include "dgtd/observers/ports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "dgtd/base/constants.hpp"
#include "dgtd/io/results.hpp"
#include "dgtd/parallel/root_or_throw.hpp"
#include "dgtd/solver/surface_integrals.hpp"

namespace dgtd::observers {

std::complex<double> PortSpectrum::incoming() const {
  return (voltage + reference * current) / (2 * std::sqrt(reference));
}
std::complex<double> PortSpectrum::outgoing() const {
  return (voltage - reference * current) / (2 * std::sqrt(reference));
}

std::vector<PortSpectrum> port_spectra(const solver::PortRecord& record, const std::vector<double>& frequencies,
                                       double time_step, double reference) {
  std::vector<PortSpectrum> spectra;
  for (const double frequency : frequencies) {
    PortSpectrum& s = spectra.emplace_back(PortSpectrum{{}, {}, reference});
    const double step = 2 * pi * frequency * time_step;
    for (std::size_t n = 0; n < record.voltage.size(); ++n) {
      const auto turn = std::polar(time_step, -step * (double(n) + 0.5));
      s.voltage += record.voltage[n] * turn;
      s.current += record.current[n] * turn;
    }
  }
  return spectra;
}

solver::Region region_of(const solver::PortMode& mode) {
  if (mode.means_of_faces) return solver::FacePlane{mode.plane};
  return mode.plane;
}

// The sums have the sign exp(+i omega t), and H times the impedance of vacuum. From the plane where they are taken,
// `distance` ahead of the reference plane, a is turned back and b goes on.
std::vector<PortSpectrum> mode_spectra(const solver::PortMode& mode, const solver::RegionSpectra& spectra,
                                       std::size_t region, const parallel::Communicator& comm) {
  std::vector<PortSpectrum> all;
  const auto frequencies = spectra.samples(region).frequencies;
  for (std::size_t f = 0; f < mode.waves.size(); ++f) {
    const solver::ModeWeights weights = mode.weights(spectra.samples(region).pairs, f);
    const solver::PairSums sums(spectra, region, f);
    std::vector<double> totals(4, 0);
    for (std::size_t n = 0; n < weights.voltage.size(); ++n) {
      totals[0] += weights.voltage[n] * sums.electric_real[n], totals[1] -= weights.voltage[n] * sums.electric_imag[n];
      totals[2] += weights.current[n] * sums.magnetic_real[n], totals[3] -= weights.current[n] * sums.magnetic_imag[n];
    }
    totals = comm.sum(std::move(totals));
    const solver::ModeWave& wave = mode.waves[f];
    PortSpectrum there{{totals[0], totals[1]},
                       std::complex<double>(totals[2], totals[3]) * mode.direction / vacuum_impedance,
                       wave.impedance};
    if (mode.sent) {
      const solver::SentWave sent = mode.sent(frequencies[f]);
      there.voltage += 0.5 * sent.voltage, there.current += 0.5 * sent.current;
    }
    const auto turn = std::polar(1.0, wave.phase_constant * mode.distance);
    const auto in = there.incoming() * turn, out = there.outgoing() / turn;
    const double root = std::sqrt(wave.impedance);
    all.push_back({root * (in + out), (in - out) / root, wave.impedance});
  }
  return all;
}

std::optional<std::size_t> place_of_frequency(const physics::Port& port, double frequency) {
  const auto same = [&](double f) { return std::abs(f - frequency) <= 1e-9 * frequency; };
  const auto found = std::find_if(port.frequencies.begin(), port.frequencies.end(), same);
  if (found == port.frequencies.end()) return {};
  return static_cast<std::size_t>(found - port.frequencies.begin());
}

namespace {

// Spectra in another order; zero at frequencies that the port does not have.
std::vector<PortSpectrum> at_frequencies(const physics::Port& port, const std::vector<PortSpectrum>& own,
                                         const std::vector<double>& frequencies) {
  std::vector<PortSpectrum> spectra;
  for (const double frequency : frequencies) {
    const auto place = place_of_frequency(port, frequency);
    spectra.push_back(place ? own[*place] : PortSpectrum{{}, {}, 1});
  }
  return spectra;
}

}  // namespace

DrivenSpectrum driven_by(const std::vector<physics::Port>& ports, solver::PortRecords& records, double time_step,
                         GuideSpectra guides) {
  return [&ports, &records, time_step, guides = std::move(guides)](const std::vector<double>& frequencies) {
    const std::vector<double> none(frequencies.size());
    DrivenEnergy energy{none, none, none};
    for (std::size_t p = 0; p < ports.size(); ++p) {
      if (!ports[p].is_lumped() && !guides) continue;
      const auto spectra =
          ports[p].is_lumped() ? port_spectra(records.port_record(p), frequencies, time_step, ports[p].impedance)
                               : at_frequencies(ports[p], guides(p), frequencies);
      for (std::size_t f = 0; f < frequencies.size(); ++f) {
        const double supplied = 2 * std::real(spectra[f].voltage * std::conj(spectra[f].current));
        energy.supplied[f] += supplied;
        if (!ports[p].is_excited()) continue;
        energy.accepted[f] += supplied;
        energy.incident[f] += 2 * std::norm(spectra[f].incoming());
      }
    }
    return energy;
  };
}

namespace {

std::string table_of_port(const physics::Port& port, const std::vector<PortSpectrum>& spectra) {
  std::string table =
      "frequency_Hz,V_real_V_s,V_imag_V_s,I_real_A_s,I_imag_A_s,Z_real_ohm,Z_imag_ohm,a_real_s_sqrtW,a_imag_s_sqrtW,"
      "b_real_s_sqrtW,b_imag_s_sqrtW,Z_ref_ohm";
  table += port.is_lumped() ? "\n" : ",effective_index\n";
  for (std::size_t f = 0; f < spectra.size(); ++f) {
    const PortSpectrum& s = spectra[f];
    const auto z = s.impedance(), a = s.incoming(), b = s.outgoing();
    table += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}", port.frequencies[f], s.voltage.real(),
                         s.voltage.imag(), s.current.real(), s.current.imag(), z.real(), z.imag(), a.real(), a.imag(),
                         b.real(), b.imag(), s.reference);
    table += port.is_lumped() ? "\n" : fmt::format(",{}\n", s.effective_index);
  }
  return table;
}

// Resonances: changes of sign of the reactance, with the resistance there, by linear interpolation.
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

std::string text_of_reference(const physics::Port& port, const std::vector<PortSpectrum>& spectra) {
  if (!port.has_one_impedance()) return "wave impedance";
  return fmt::format("{:.6g} ohm", spectra.front().reference);
}

io::Chart chart_of_index(const physics::Port& port, const std::vector<PortSpectrum>& spectra) {
  io::Curve index;
  for (std::size_t f = 0; f < spectra.size(); ++f)
    index.x.push_back(port.frequencies[f]), index.y.push_back(spectra[f].effective_index);
  return {"Effective index of the mode", io::frequency_axis(port.frequencies), {"Effective index", ""}, {index}};
}

// Reflection and impedance mean something where the port itself is what sends.
io::Section section_of_port(const physics::Port& port, const std::vector<PortSpectrum>& spectra) {
  io::Section section{io::Chapter::measurements, "Port " + port.name, {}};
  if (spectra.size() < 2) return section;
  if (!port.is_lumped()) section.blocks.push_back(chart_of_index(port, spectra));
  if (!port.is_excited()) return section;
  io::Curve reflection, smith, resistance{"resistance", {}, {}}, reactance{"reactance", {}, {}};
  for (std::size_t f = 0; f < spectra.size(); ++f) {
    const PortSpectrum& s = spectra[f];
    const double x = port.frequencies[f];
    const auto z = s.impedance();
    const auto factor = s.outgoing() / s.incoming();
    smith.x.push_back(factor.real()), smith.y.push_back(factor.imag());
    reflection.x.push_back(x), resistance.x.push_back(x), reactance.x.push_back(x);
    reflection.y.push_back(20 * std::log10(std::abs(factor)));
    resistance.y.push_back(z.real()), reactance.y.push_back(z.imag());
  }
  const io::ChartAxis axis = io::frequency_axis(port.frequencies);
  const std::string reference = text_of_reference(port, spectra);
  section.blocks.push_back(io::Chart{"Reflection |b/a|, reference " + reference, axis, {"Reflection in dB", ""}, {reflection}});
  section.blocks.push_back(io::SmithChart{"Reflection b/a, reference " + reference, {smith}});
  section.blocks.push_back(io::Chart{"Input impedance", axis, {"Impedance", "ohm"}, {resistance, reactance}});
  return section;
}

}  // namespace

Ports::Ports(std::vector<physics::Port> ports, solver::PortRecords& records, solver::RegionSpectra& spectra,
             double time_step)
    : RegionObserver(spectra), ports_(std::move(ports)), records_(records), time_step_(time_step) {
  for (std::size_t p = 0; p < ports_.size(); ++p) {
    const solver::PortMode* const mode = records_.port_mode(p);
    regions_.push_back(mode == nullptr ? 0 : add(region_of(*mode)));
  }
}

std::vector<PortSpectrum> Ports::spectra_of(std::size_t p, const parallel::Communicator& comm) const {
  if (const solver::PortMode* const mode = records_.port_mode(p); mode != nullptr) {
    auto spectra_of_mode = mode_spectra(*mode, spectra(), regions_[p], comm);
    for (std::size_t f = 0; f < spectra_of_mode.size(); ++f)
      spectra_of_mode[f].effective_index =
          mode->waves[f].phase_constant * speed_of_light / (2 * pi * ports_[p].frequencies[f]);
    return spectra_of_mode;
  }
  return port_spectra(records_.port_record(p), ports_[p].frequencies, time_step_, ports_[p].impedance);
}

namespace {

io::Value keys_of_lumped(const physics::Port& port, const solver::PortRecord& record, double cell_capacitance,
                         double time_step) {
  double energy = 0;
  for (const double power : record.power) energy += power * time_step;
  return io::Value::Object{{"impedance_ohm", port.impedance},
                           {"supplied_energy_J", energy},
                           {"cell_capacitance_F", cell_capacitance}};
}

// At the first and the last frequency.
io::Value keys_of_mode(const solver::PortMode& mode, const std::vector<PortSpectrum>& spectra) {
  const auto ends = [&](double PortSpectrum::* value) {
    return io::Value::Object{{"first", spectra.front().*value}, {"last", spectra.back().*value}};
  };
  io::Value keys = io::Value::Object{{"impedance_ohm", ends(&PortSpectrum::reference)},
                                     {"effective_index", ends(&PortSpectrum::effective_index)}};
  if (mode.cut_off) keys["cut_off_Hz"] = *mode.cut_off;
  return keys;
}

}  // namespace

void Ports::finish(io::Results& results) {
  for (std::size_t p = 0; p < ports_.size(); ++p) {
    const physics::Port& port = ports_[p];
    const solver::PortMode* const mode = records_.port_mode(p);
    const auto spectra = spectra_of(p, results.comm);
    io::Value& keys = results.summary.keys["ports"][port.name];
    keys = mode != nullptr ? keys_of_mode(*mode, spectra)
                           : keys_of_lumped(port, records_.port_record(p), records_.cell_capacitance(p), time_step_);
    if (port.is_excited() && mode == nullptr) keys["resonances"] = resonances(port, spectra);
    parallel::root_or_throw(results.comm, [&] {
      results.files.write_table("port_" + port.name + ".csv", {"frequency_Hz"}, table_of_port(port, spectra));
    });
    if (io::Section section = section_of_port(port, spectra); !section.blocks.empty())
      results.summary.sections.push_back(std::move(section));
  }
}

}  // namespace dgtd::observers
