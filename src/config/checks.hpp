#pragma once
// Checks of a key against others, and what they report.
#include <string>
#include <string_view>

#include "ini_scan.hpp"

namespace dgtd::config {

/// A key that the case file gives.
struct Given {
  const IniTable& table;
  const std::string& section;  // "source.feed"
  const Entry& entry;

  const Entry* other(std::string_view key) const { return table.find(section, key); }
};

[[noreturn]] void reject(const Entry& entry, const std::string& why);
[[noreturn]] void reject_missing(const Origin& origin, const std::string& section, std::string_view key,
                                 std::string_view allowed);

/// Throws where the other key of the section is given too. `both` names the two.
void check_exclusive(const Given& given, std::string_view other, std::string_view both);

/// The same for the ways to give frequencies.
void check_one_of_frequencies(const Given& given);

/// The entry's value, or a part of it, must name a material of the case.
void check_material(const Case& c, const Entry& entry, const std::string& name);

/// Whether the squared length of a vector, or its part along another, is 1 (0) but for rounding.
bool is_rounding(double difference);
void make_unit(Vec3& v, const Entry& entry);
int zeros_of(const Vec3& v);

// Checks of the table (keys_*.cpp). Each completes its member, or throws Error.
namespace check {

void precision(Solver&, const Case&, const Given&);
void kernels(Solver&, const Case&, const Given&);
void block_timesteps(Solver&, const Case&, const Given&);
void upwind(Solver&, const Case&, const Given&);
void reflections(Solver&, const Case&, const Given&);
void window(Solver&, const Case&, const Given&);
void local_steps(Time&, const Case&, const Given&);
void dft_frequencies(Dft&, const Case&, const Given&);
void masses(Sar&, const Case&, const Given&);

void margin(Domain&, const Case&, const Given&);
void margin_wavelengths(Domain&, const Case&, const Given&);
void domain_background(Domain&, const Case&, const Given&);
void background(Grid&, const Case&, const Given&);
void library(Material&, const Case&, const Given&);
void table(Material&, const Case&, const Given&);
void tissue(Material&, const Case&, const Given&);
void debye_poles(Material&, const Case&, const Given&);
void shape_size(Shape&, const Case&, const Given&);
void shape_material(Shape&, const Case&, const Given&);
void operands(Shape&, const Case&, const Given&);
void path(Shape&, const Case&, const Given&);
void shape_labels(Shape&, const Case&, const Given&);
void shape_axis(Shape&, const Case&, const Given&);
void tube_radius(Shape&, const Case&, const Given&);
void rotation(Shape&, const Case&, const Given&);
void reflection(Boundary&, const Case&, const Given&);
void own_layer(Boundary&, const Case&, const Given&);
void cpml_loss(Boundary&, const Case&, const Given&);
void bloch_k(Boundary&, const Case&, const Given&);
void initial_type(Initial&, const Case&, const Given&);
void mode(Initial&, const Case&, const Given&);
void formula(Initial&, const Case&, const Given&);

void sheet_size(Source&, const Case&, const Given&);
void source_direction(Source&, const Case&, const Given&);
void source_polarisation(Source&, const Case&, const Given&);
void sheet_profile(Source&, const Case&, const Given&);
void dipole_length(Source&, const Case&, const Given&);
void box_max(Source&, const Case&, const Given&);
void total_field(Source&, const Case&, const Given&);
void port_direction(Port&, const Case&, const Given&);
void port_size(Port&, const Case&, const Given&);
void port_mode(Port&, const Case&, const Given&);
void port_resistance(Port&, const Case&, const Given&);
void flux_size(Flux&, const Case&, const Given&);
void snapshot_phasor(Snapshot&, const Case&, const Given&);
void monitor_size(Monitor&, const Case&, const Given&);

/// Frequencies, ascending and each once; or wavelengths in place of them.
template <class Region>
void frequencies(Region& region, const Case&, const Given& given);

}  // namespace check
}  // namespace dgtd::config
