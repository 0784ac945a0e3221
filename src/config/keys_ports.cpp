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

Condition<Port> without_faces() {
  return where<Port>([](const Port& p, const Case&) { return p.faces.empty(); }, "ports without faces");
}

Condition<Port> of_types(std::initializer_list<Port::Type> types) {
  return with<Port>("type", &Port::type, port_names, types);
}
const auto lumped = [] { return of_types({Port::Type::lumped}); };
const auto across_guides = [] { return of_types({Port::Type::waveguide, Port::Type::coax, Port::Type::mode}); };

void add_mode(Keys<Port>& keys) {
  keys.add("section", &Port::section, choice(port_section_names),
           {.belongs = {of_types({Port::Type::waveguide})},
            .text = "Cross-section of the guide, which fills `size`; a circle on grids as stairs of boxes, on "
                    "tetrahedra as the faces fill it: a polygon, or with mesh.curved = full curved."})
      .add("mode", &Port::mode, guide_mode(),
           {.belongs = {of_types({Port::Type::waveguide})},
            .required = true,
            .check = check::port_mode,
            .text = "The mode. In a rectangle the numbers are half waves along the two axes of the plane in the order "
                    "x, y, z; in a circle periods around it and zeros along the radius."})
      .add("modes", &Port::modes, mode_numbers(),
           {.belongs = {of_types({Port::Type::mode})},
            .text = "Numbers of modes by falling effective index in the middle of the frequencies; of two with the same "
                    "index the first has more of its E along the first axis of the plane in cyclic order. Of several, "
                    "each is a port of its own in tables and S-parameters, `NAME_NUMBER`."})
      .add("shift", &Port::shift, number(Sign::any),
           {.unit = "m",
            .belongs = {across_guides()},
            .text = "Of the reference plane, which waves and S-parameters refer to, from `centre` along `direction`."});
}

void add_circuit(Keys<Port>& keys) {
  keys.add("impedance", &Port::impedance, number(Sign::positive),
           {.unit = "ohm", .belongs = {lumped()}, .text = "Reference impedance of the waves a and b."})
      .add("resistance", &Port::resistance, number(Sign::not_negative),
           {.unit = "ohm",
            .initially = "`impedance`",
            .belongs = {lumped()},
            .check = check::port_resistance,
            .text = "Resistor between the conductors, in series with the source."})
      .add("inductance", &Port::inductance, number(Sign::positive),
           {.unit = "H", .initially = "none", .belongs = {lumped()}, .text = "Inductor beside the resistor."})
      .add("capacitance", &Port::capacitance, number(Sign::positive),
           {.unit = "F", .initially = "none", .belongs = {lumped()}, .text = "Capacitor beside the resistor."})
      .add("circuit", &Port::circuit, choice(circuit_names),
           {.belongs = {lumped()},
            .text = "How resistor, inductor and capacitor are connected; the source is in series with all of them."});
}

void add_excitation(Keys<Port>& keys) {
  const auto type = [](auto& p) -> auto& { return p.waveform.type; };
  keys.add("excite", &Port::excite, number(Sign::any),
           {.unit = "V",
            .text = "Peak of the source's voltage, 0: the port is its circuit alone; across a guide that of the wave "
                    "that the port sends, of excite^2 / (2 Z) watt, 0: it measures alone."})
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
                  "A port that drives and measures the fields, `port_NAME.csv`: a circuit between two conductors, or "
                  "a mode of a guide.");
  keys.needs({{has<&Capabilities::ports>, "is of {owners}; {method} has none"}})
      .add("type", &Port::type, choice(port_names), {.required = true, .text = "Kind of port."})
      .add("centre", &Port::centre, place(), {.unit = "m", .belongs = {without_faces()}, .text = "Centre of the port."})
      .add("size", &Port::size, length(Sign::not_negative),
           {.unit = "m",
            .belongs = {without_faces()},
            .required = true,
            .check = check::port_size,
            .text = "Lumped: along `direction` the distance between the conductors, across it the width, or 0: one "
                    "edge of the cells wide; on tetrahedra exactly one of the three is 0, across it: a rectangle that "
                    "faces of "
                    "the mesh fill. Guides: of the cross-section, 0 along `direction`; its rim must be in "
                    "metal. On grids ends are the nodes nearest to them; on tetrahedra faces between elements fill the "
                    "cross-section."})
      .add("faces", &Port::faces, any_text({"feed", "gap"}, "the name of a surface group"),
           {.initially = "the rectangle of `centre` and `size`",
            .needs = {{has<&Capabilities::tetrahedra>, "is of {owners}; {method} takes centre and size"}},
            .belongs = {lumped()},
            .text = "Surface group of the mesh file, of faces between elements along `direction`, that the port is, in "
                    "place of `centre` and `size`: a strip of any outline, also a bent one. The distance between the "
                    "conductors is its extent along `direction`, its width its area over that."})
      .add(
          "direction", &Port::direction, direction(),
          {.required = true,
           .check = check::port_direction,
           .text = "Along x, y or z. Lumped: of E for a positive voltage; a positive current leaves the port at the "
                   "conductor where it begins. Guides: in which the port sends, into the domain. Made a unit vector."});
  add_mode(keys);
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
            .text = "`all`, or names of ports, by commas or blanks, which are excited one after the other. One without "
                    "`excite` sends 1 V "
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
