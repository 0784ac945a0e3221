#pragma once
// Names of the case's enumerations in a case file, and the methods that have them.
#include <cstddef>
#include <string>
#include <string_view>

#include "dgtd/config/case.hpp"

namespace dgtd::config {

using solver::Capabilities;

/// Whether a method has what a key or a value requires.
using Test = bool (*)(const Capabilities&);
template <bool Capabilities::*flag>
constexpr bool has(const Capabilities& c) {
  return c.*flag;
}
template <int axes>
constexpr bool has_axes(const Capabilities& c) {
  return c.dimensions >= axes;
}
constexpr bool on_grid(const Capabilities& c) { return !c.tetrahedra; }
constexpr bool in_space(const Capabilities& c) { return c.dimensions == 3; }

template <class E>
struct Name {
  E value;
  std::string_view text;
  Test available = nullptr;  // null: all methods have it
};

inline constexpr Name<Polarisation> polarisation_names[] = {{Polarisation::automatic, "auto"},
                                                            {Polarisation::ez, "ez"},
                                                            {Polarisation::hz, "hz"},
                                                            {Polarisation::both, "both"}};
inline constexpr Name<Precision> precision_names[] = {
    {Precision::half_precision, "half", has<&Capabilities::half_precision>},
    {Precision::single_precision, "single"},
    {Precision::double_precision, "double"}};
inline constexpr Name<Precision> file_precision_names[] = {{Precision::single_precision, "single"},
                                                           {Precision::double_precision, "double"}};
inline constexpr Name<Backend> backend_names[] = {

    {Backend::automatic, "auto"},
    {Backend::cuda, "cuda", has<&Capabilities::on_cuda>},
    {Backend::cpu, "cpu", has<&Capabilities::on_cpu>}};
inline constexpr Name<KernelFusion> kernels_names[] = {
    {KernelFusion::fused, "fused"},
    {KernelFusion::split, "split", has<&Capabilities::split_kernels>},
    {KernelFusion::diagonal, "diagonal", has<&Capabilities::potentials>}};
inline constexpr Name<OutputPoints> output_points_names[] = {
    {OutputPoints::automatic, "auto"}, {OutputPoints::shared, "shared"}, {OutputPoints::separate, "separate"}};
inline constexpr Name<Stencil> stencil_names[] = {{Stencil::laplacian, "laplacian"}, {Stencil::line, "line"}};
inline constexpr Name<Potential> potential_names[] = {{Potential::electric, "electric"},
                                                      {Potential::magnetic, "magnetic"}};
inline constexpr Name<mesh::Partitioner> partitioner_names[] = {
    {mesh::Partitioner::automatic, "auto"}, {mesh::Partitioner::metis, "metis"}, {mesh::Partitioner::curve, "curve"}};
inline constexpr Name<Transport> transport_names[] = {
    {Transport::automatic, "auto"},    {Transport::mpi_host, "mpi-host"},  {Transport::mpi_proxy, "mpi-proxy"},
    {Transport::mpi_cuda, "mpi-cuda"}, {Transport::nccl, "nccl"},          {Transport::nvshmem, "nvshmem"},
    {Transport::peer, "peer"},         {Transport::peer_copy, "peer-copy"}};
// RunEnd::Type::seconds is a number.
inline constexpr Name<RunEnd::Type> run_end_names[] = {{RunEnd::Type::steady, "steady"},
                                                       {RunEnd::Type::decayed, "decayed"}};
inline constexpr Name<LocalSteps> local_steps_names[] = {
    {LocalSteps::automatic, "auto"}, {LocalSteps::on, "on"}, {LocalSteps::off, "off"}};
// Generator::none is the absence of the key.
inline constexpr Name<Mesh::Generator> generator_names[] = {{Mesh::Generator::box, "box"},
                                                            {Mesh::Generator::head_phone, "head-phone"},
                                                            {Mesh::Generator::shapes, "shapes"}};
inline constexpr Name<Domain::Form> domain_names[] = {
    {Domain::Form::box, "box"}, {Domain::Form::sphere, "sphere", has<&Capabilities::tetrahedra>}};
inline constexpr Name<Mesh::Cache> mesh_cache_names[] = {
    {Mesh::Cache::user, "user"}, {Mesh::Cache::beside, "beside"}, {Mesh::Cache::off, "off"}};
// The level is kept as it is written.
inline const Name<std::string> level_names[] = {{"m0", "m0"}, {"m1", "m1"}, {"m2", "m2"}, {"m3", "m3"}};
constexpr bool has_cpml(const Capabilities& c) { return c.absorbing_layers || c.absorbing_elements; }
inline constexpr Name<Boundary::Type> boundary_names[] = {
    {Boundary::Type::silver_muller, "silver-muller", has<&Capabilities::absorbing_faces>},
    {Boundary::Type::passive, "passive", has<&Capabilities::absorbing_elements>},
    {Boundary::Type::cpml, "cpml", has_cpml},
    {Boundary::Type::adiabatic, "adiabatic", has<&Capabilities::adiabatic_layers>},
    {Boundary::Type::mur, "mur", has<&Capabilities::mur>},
    {Boundary::Type::pec, "pec"},
    {Boundary::Type::pmc, "pmc"},
    {Boundary::Type::periodic, "periodic", has<&Capabilities::periodic>},
    {Boundary::Type::bloch, "bloch", has<&Capabilities::bloch>}};
inline constexpr Name<bool> switch_names[] = {{true, "on"}, {false, "off"}};
inline constexpr Name<mesh::ExactVolumes> exact_volumes_names[] = {{mesh::ExactVolumes::off, "off"},
                                                                   {mesh::ExactVolumes::on, "on"},
                                                                   {mesh::ExactVolumes::all, "all"}};
inline constexpr Name<mesh::CurvedElements> curved_names[] = {{mesh::CurvedElements::full, "full"},
                                                               {mesh::CurvedElements::mean, "mean"},
                                                               {mesh::CurvedElements::off, "off"}};
inline constexpr Name<bool> conductor_names[] = {{false, "none"}, {true, "perfect"}};
inline constexpr Name<Shape::Type> shape_names[] = {
    {Shape::Type::box, "box"},           {Shape::Type::sphere, "sphere"}, {Shape::Type::ellipsoid, "ellipsoid"},
    {Shape::Type::cylinder, "cylinder"}, {Shape::Type::cone, "cone"},     {Shape::Type::torus, "torus"},
    {Shape::Type::prism, "prism"},       {Shape::Type::stl, "stl"},       {Shape::Type::labels, "labels"},
    {Shape::Type::gds, "gds"},           {Shape::Type::step, "step"},     {Shape::Type::plate, "plate", in_space},
    {Shape::Type::wire, "wire", in_space},  {Shape::Type::unite, "union"},   {Shape::Type::difference, "difference"},
    {Shape::Type::intersection, "intersection"}};
// Side::none is the absence of the key.
inline constexpr Name<FarField::Side> side_names[] = {
    {FarField::Side::xmin, "xmin"}, {FarField::Side::xmax, "xmax"}, {FarField::Side::ymin, "ymin"},
    {FarField::Side::ymax, "ymax"}, {FarField::Side::zmin, "zmin"}, {FarField::Side::zmax, "zmax"}};
inline constexpr Name<Flux::Type> flux_names[] = {{Flux::Type::box, "box"}, {Flux::Type::plane, "plane"}};
inline constexpr Name<Pole::Type> pole_names[] = {{Pole::Type::drude, "drude"},
                                                  {Pole::Type::lorentz, "lorentz"},
                                                  {Pole::Type::debye, "debye"},
                                                  {Pole::Type::critical_point, "critical-point"}};
inline constexpr Name<Initial::Type> initial_names[] = {
    {Initial::Type::zero, "zero"},
    {Initial::Type::cavity_mode, "cavity-mode", has<&Capabilities::cavity_mode>},
    {Initial::Type::formula, "formula", has<&Capabilities::initial_formula>},
    {Initial::Type::file, "file", has<&Capabilities::initial_file>}};
// Keys of formulas, by component.
inline constexpr std::string_view electric_names[] = {"Ex", "Ey", "Ez"}, magnetic_names[] = {"Hx", "Hy", "Hz"};
inline constexpr Name<Source::Type> source_names[] = {
    {Source::Type::dipole, "dipole"},
    {Source::Type::plane_wave, "plane-wave", has<&Capabilities::plane_wave>},
    {Source::Type::sheet, "sheet", has<&Capabilities::sheet>},
    {Source::Type::gaussian_beam, "gaussian-beam", has<&Capabilities::gaussian_beam>},
    {Source::Type::hard, "hard", has<&Capabilities::hard_source>}};
inline constexpr Name<Port::Type> port_names[] = {
    {Port::Type::lumped, "lumped"},
    {Port::Type::waveguide, "waveguide", has<&Capabilities::guide_ports>},
    {Port::Type::coax, "coax", has<&Capabilities::guide_ports>},
    {Port::Type::mode, "mode", has<&Capabilities::mode_ports>}};
inline constexpr Name<Port::Section> port_section_names[] = {{Port::Section::rectangle, "rectangle"},
                                                             {Port::Section::circle, "circle"}};
inline constexpr Name<physics::GuideMode::Kind> guide_mode_names[] = {{physics::GuideMode::Kind::te, "te"},
                                                                      {physics::GuideMode::Kind::tm, "tm"}};
inline constexpr Name<Port::Circuit> circuit_names[] = {{Port::Circuit::series, "series"},
                                                        {Port::Circuit::parallel, "parallel"}};
inline constexpr Name<Source::ProfilePoints> profile_points_names[] = {
    {Source::ProfilePoints::even, "even"},
    {Source::ProfilePoints::grid, "grid", [](const Capabilities& c) { return !c.tetrahedra; }}};
inline constexpr Name<Waveform::Type> waveform_names[] = {{Waveform::Type::sine, "sine"},
                                                          {Waveform::Type::ramped_sine, "ramped-sine"},
                                                          {Waveform::Type::modulated_gaussian, "modulated-gaussian"}};
inline constexpr Name<Dft::Window> window_names[] = {{Dft::Window::last_period, "last-period"},
                                                     {Dft::Window::all, "all"}};
inline constexpr Name<dosimetry::BodyPart> body_part_names[] = {{dosimetry::BodyPart::head, "head"},
                                                                {dosimetry::BodyPart::torso, "torso"},
                                                                {dosimetry::BodyPart::limb, "limb"},
                                                                {dosimetry::BodyPart::extremity, "extremity"}};
inline constexpr Name<Sar::Normalise> normalise_names[] = {{Sar::Normalise::emitted, "emitted"},
                                                           {Sar::Normalise::accepted, "accepted"},
                                                           {Sar::Normalise::incident_at_port, "incident at port"},
                                                           {Sar::Normalise::incident, "incident"},
                                                           {Sar::Normalise::none, "none"}};

/// The spelling of a value; empty where it has none.
template <class E, std::size_t n>
std::string_view text_of(const Name<E> (&names)[n], const E& value) {
  for (const auto& name : names)
    if (name.value == value) return name.text;
  return {};
}

}  // namespace dgtd::config
