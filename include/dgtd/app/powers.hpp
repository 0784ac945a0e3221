#pragma once
// Power balance and SAR of a run, the same for all methods.
#include "dgtd/config/case.hpp"
#include "dgtd/io/summary.hpp"
#include "dgtd/io/vtk_output.hpp"

namespace dgtd::app {

/// defect refers to the source's power, or without one to what is absorbed.
io::PowerBalance power_balance(double source_W, double absorbed_W, double outflow_W);

/// The powers of the case's sources that SAR can refer to. exterior: what plane waves arrive through.
dosimetry::ReferencePowers reference_powers(const config::Case& c, const io::PowerBalance& power,
                                            const config::Material& exterior);

/// W/m^2, of the plane waves whose frequency is that of the SAR, the first of [dft]. Absent where there is none, and
/// where sar.normalise is another. Throws Error (bad_input) where such waves have no common power density.
std::optional<double> incident_power(const config::Case& c, const config::Material& exterior);

/// SAR of elements (cells) as arrays: over the emitted power where there is one, scaled, over its maximum. Collective.
std::vector<io::Array> sar_arrays(const dosimetry::Exposure& exposure, const dosimetry::SarScaling& scaling,
                                  const io::PowerBalance& power, const parallel::Communicator& comm);

/// Whether any group has a density.
bool has_tissues(const std::vector<dosimetry::TissueRow>& rows);

/// Balance, with `hint` where it is open, and tissues.
void print_powers(const io::Summary& s, const char* hint);

}  // namespace dgtd::app
