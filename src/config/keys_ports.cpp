// Keys of the section that describes ports.
#include "key.hpp"

namespace dgtd::config {
namespace {

constexpr std::string_view one_of_three = "**one of `frequencies`, `frequency_range`, `wavelengths`**";

Condition<Port> of_excited_ports() {
  return where<Port>([](const Port& p, const Case&) { return p.is_excited(); }, "ports with excite");
}

Condition<SParameters> with_excite() {
  return where<SParameters>([](const SParameters& s, const Case&) { return s.given(); }, "sparameters.excite");
}

void add_circuit(Keys<Port>& keys) {
  keys.add("impedance", &Port::impedance, number(Sign::positive),
           {.unit = "ohm", .text = "Reference impedance of the waves a and b."})
      .add("resistance", &Port::resistance, number(Sign::not_negative),
           {.unit = "ohm",
            .initially = "`impedance`",
            .check = check::port_resistance,
            .text = "Resistor between the conductors, in series with the source."})
      .add("inductance", &Port::inductance, number(Sign::positive),
           {.unit = "H", .initially = "none", .text = "Inductor beside the resistor."})
      .add("capacitance", &Port::capacitance, number(Sign::positive),
           {.unit = "F", .initially = "none", .text = "Capacitor beside the resistor."})
      .add("circuit", &Port::circuit, choice(circuit_names),
           {.text = "How resistor, inductor and capacitor are connected; the source is in series with all of them."});
}

void add_excitation(Keys<Port>& keys) {
  const auto type = [](auto& p) -> auto& { return p.waveform.type; };
  keys.add("excite", &Port::excite, number(Sign::any),
           {.unit = "V", .text = "Peak of the source's voltage; 0: the port is its circuit alone."})
      .add("waveform", type, choice(waveform_names),
           {.belongs = {of_excited_ports()}, .text = "Time function of the voltage, as that of sources."})
      .add("frequency", [](auto& p) -> auto& { return p.waveform.frequency; }, frequency(),
           {.unit = "Hz",
            .initially = "`time.frequency`; **required** without it",
            .belongs = {of_excited_ports()},
            .required_where = [](const Port&, const Case& c) { return !c.time.frequency; },
            .required_text = "Hz; or time.frequency",
            .text = "Frequency of the carrier."})
      .add(
          "ramp", [](auto& p) -> auto& { return p.waveform.ramp_periods; }, number(Sign::positive),
          {.unit = "periods",
           .belongs = {of_excited_ports(), with<Port>("waveform", type, waveform_names, {Waveform::Type::ramped_sine})},
           .text = "Length of the rise."})
      .add("bandwidth", [](auto& p) -> auto& { return p.waveform.bandwidth; }, frequency(),
           {.unit = "Hz",
            .belongs = {of_excited_ports(),
                        with<Port>("waveform", type, waveform_names, {Waveform::Type::modulated_gaussian})},
            .required = true,
            .text = "Full width at half maximum of the amplitude spectrum."});
}

}  // namespace

Section port_keys() {
  Keys<Port> keys("port", &Case::ports,
                  "A lumped port, a circuit between two conductors that drives and measures the fields: "
                  "`port_NAME.csv`.");
  keys.needs({{has<&Capabilities::ports>, "is of {owners}; {method} has none"}})
      .add("type", &Port::type, choice(port_names), {.required = true, .text = "Kind of port."})
      .add("centre", &Port::centre, place(), {.unit = "m", .text = "Centre of the port."})
      .add("size", &Port::size, length(Sign::not_negative),
           {.unit = "m",
            .required = true,
            .text = "Along `direction` the distance between the conductors, across it the width, or 0: one edge of "
                    "the cells wide. Its ends are the nodes nearest to them."})
      .add("direction", &Port::direction, direction(),
           {.required = true,
            .check = check::port_direction,
            .text = "Direction of E for a positive voltage, along x, y or z; a positive current leaves the port at "
                    "the conductor where it begins. Made a unit vector."});
  add_circuit(keys);
  add_excitation(keys);
  keys.add("frequencies", &Port::frequencies, frequencies(),
           {.unit = "Hz",
            .initially = "those of `[sparameters]`; **required** without it",
            .required_where = [](const Port& p,
                                 const Case& c) { return p.frequencies.empty() && !c.s_parameters.given(); },
            .required_text = "Hz; or {0}.frequency_range or {0}.wavelengths",
            .check = check::frequencies<Port>,
            .text = "Frequencies of voltage, current, impedance and waves."})
      .add("frequency_range", &Port::frequencies, frequency_range(),
           {.unit = "Hz",
            .initially = one_of_three,
            .check = check::frequencies<Port>,
            .resolved_as = "frequencies",
            .text = "COUNT frequencies from FIRST to LAST, evenly spaced."})
      .add("wavelengths", &Port::frequencies, wavelengths(),
           {.unit = "m",
            .initially = one_of_three,
            .check = check::frequencies<Port>,
            .resolved_as = "frequencies",
            .text = "COUNT wavelengths in vacuum from FIRST to LAST, evenly spaced."});
  return keys.section();
}

Section s_parameter_keys() {
  const auto is_missing = [](const SParameters& s, const Case&) { return s.given() && s.frequencies.empty(); };
  return Keys<SParameters>("sparameters", &Case::s_parameters,
                           "The scattering matrix of the ports: one run for each excited port, in "
                           "`OUTPUT/excite_NAME`, with the others as terminations; then `sparameters.csv` and "
                           "`CASE.sNp` (Touchstone).")
      .needs({{has<&Capabilities::ports>, "is of {owners}; {method} has none"}})
      .add("excite", &SParameters::excite, listed_names({"all", "feed, load"}),
           {.initially = "none: one run, with the ports' own `excite`",
            .text = "`all`, or names of ports, by commas or blanks, which are excited one after the other. One without `excite` sends 1 V "
                    "over the frequencies of this section. Ports that are not named must be resistors of their "
                    "`impedance`."})
      .add("frequencies", &SParameters::frequencies, frequencies(),
           {.unit = "Hz",
            .initially = one_of_three,
            .belongs = {with_excite()},
            .required_where = is_missing,
            .required_text = "Hz; or {0}.frequency_range or {0}.wavelengths",
            .check = check::frequencies<SParameters>,
            .text = "Frequencies of the matrix, and of voltage, current, impedance and waves of all ports."})
      .add("frequency_range", &SParameters::frequencies, frequency_range(),
           {.unit = "Hz",
            .initially = one_of_three,
            .belongs = {with_excite()},
            .check = check::frequencies<SParameters>,
            .resolved_as = "frequencies",
            .text = "COUNT frequencies from FIRST to LAST, evenly spaced."})
      .add("wavelengths", &SParameters::frequencies, wavelengths(),
           {.unit = "m",
            .initially = one_of_three,
            .belongs = {with_excite()},
            .check = check::frequencies<SParameters>,
            .resolved_as = "frequencies",
            .text = "COUNT wavelengths in vacuum from FIRST to LAST, evenly spaced."})
      .section();
}

}  // namespace dgtd::config
