#pragma once
// Specific absorption rate (SAR): the power that tissue takes up from the field, per mass.
//
// Fields are peak phasors, so the power absorbed per volume, averaged over a period, is
// sigma |E|^2 / 2, and the local SAR of an element is sigma <|E|^2> / (2 rho) with the mean over the
// element.
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dgtd/base/uninitialised.hpp"
#include "dgtd/base/vec3.hpp"
#include "dgtd/dosimetry/normalisation.hpp"
#include "dgtd/parallel/communicator.hpp"

namespace dgtd::dosimetry {

/// SAR of the run times factor = SAR at the chosen power.
struct SarScaling {
  dosimetry::Normalisation::Normalise normalise = dosimetry::Normalisation::Normalise::none;
  std::optional<double> run_power;     // the run's own: W, or W/m^2 for incident
  std::optional<double> chosen_power;  // what it is scaled to, same unit
  double factor = 1;
};

/// One volume group. Groups without density have a mass of 0 and no SAR.
struct TissueRow {
  std::string name;
  double mass_kg = 0;
  double absorbed_W = 0;
  std::optional<double> sar_mean;  // W/kg, absorbed power over mass
  std::optional<double> sar_max;   // W/kg, the largest element mean
  std::optional<Vec3> at;          // m, centroid of that element
  std::int64_t element_id = -1;    // its global number
};

/// Contributions of local elements. The long vectors have one entry per element, or per element that is listed: on
/// a grid most cells are no tissue.
struct Exposure {
  UninitialisedVector<std::uint16_t> group;       // index into the names of the volume groups
  UninitialisedVector<double> volume;             // m^3
  UninitialisedVector<double> mean_square_field;  // V^2/m^2, element mean of |E|^2 of the peak phasor
  UninitialisedVector<std::size_t> listed;    // local numbers of the elements that have entries, ascending; empty: all
  std::size_t elements = 0;                   // local ones, where some are listed
  std::vector<double> conductivity, density;  // [groups] S/m; kg/m^3, 0: not a tissue, no SAR
  // Global number and centroid (m) of an element by its local number. The meter that made them outlives them.
  std::function<std::int64_t(std::size_t element)> element_id;
  std::function<Vec3(std::size_t element)> centroid;
  SarScaling scaling = {};              // to the power that SAR refers to; the vectors are those of the run itself
  std::vector<TissueRow> tissues = {};  // [groups] of all ranks, at that power
  std::optional<double> power = {};     // W or W/m^2, that power, mean over a period; absent: not known
  std::size_t frequency = 0;            // of the sums, among their frequencies
  // By which mean_square_field was multiplied so that the elements of a group have its absorbed power; empty: exact.
  std::vector<double> power_factor = {};  // [groups]

  std::size_t element_of(std::size_t entry) const { return elements == 0 ? entry : listed[entry]; }
  bool is_tissue(std::size_t entry) const { return density[group[entry]] > 0; }
};

/// Mean of the local SAR over the element of one entry, W/kg, at the power of the exposure; 0 without a density.
double local_sar(const Exposure& exposure, std::size_t entry);

/// Finds the entries of an exposure's elements.
class EntryFinder {
 public:
  static constexpr double bytes_per_element = 0.25;
  explicit EntryFinder(const Exposure& exposure);
  /// element: a local number. Absent where the element is not listed.
  std::optional<std::size_t> operator()(std::size_t element) const {
    if (all_listed_) return element;
    const std::uint64_t word = listed_[element / 64], bit = std::uint64_t{1} << (element % 64);
    if ((word & bit) == 0) return {};
    return entries_before_[element / 64] + static_cast<std::size_t>(std::popcount(word & (bit - 1)));
  }

 private:
  bool all_listed_;
  std::vector<std::uint64_t> listed_;          // a bit per element
  std::vector<std::uint64_t> entries_before_;  // [words of listed_]
};

/// Collective. One row a name, in the order of the names. Masses and powers may vary with the number
/// of ranks at rounding level; the largest element does not (among equals the lowest number wins).
std::vector<TissueRow> tissue_table(const Exposure& exposure, const std::vector<std::string>& names,
                                    const parallel::Communicator& communicator);

/// Powers of a run that SAR can refer to; absent where the case has no such source.
struct ReferencePowers {
  std::optional<double> emitted_W;          // work of the source on the field, mean over a period
  std::optional<double> accepted_W;         // by the antenna's port. A current dipole has no port: the same as emitted
  std::optional<double> incident_at_port_W; // of the waves that excited ports send to it: of a matched source available
  std::optional<double> incident_W_per_m2;  // power density of the plane waves, amplitude^2 / (2 Z)
};

/// The case's scaling; the power is 1 where the case gives none. Throws Error (bad_input) where the
/// run has no such power, or it is not positive and finite.
SarScaling scaling(const dosimetry::Normalisation& sar, const ReferencePowers& powers);

/// "emitted", "accepted", "incident at port", "incident" or "none".
std::string_view name_of(Normalisation::Normalise normalise);

/// Name of the power that is scaled: "an emitted power", "a power incident at ports"; empty of none.
std::string_view phrase_of(Normalisation::Normalise normalise);
/// To which power the SAR refers: "at an emitted power of 1 W (mean over a period)", "at the power of the run itself".
std::string power_text(const SarScaling& scaling);
/// Text on local SAR and its power: "mean of each element or cell, at an emitted power of 1 W (mean over a period)".
std::string local_sar_text(const SarScaling& scaling);

/// Tissue rows at the chosen power: absorbed power and SAR times the factor.
std::vector<TissueRow> scaled(std::vector<TissueRow> rows, double factor);

/// Collective. The largest local SAR of all ranks, W/kg, at the power of the exposure.
double largest_sar(const Exposure& exposure, const parallel::Communicator& communicator);

inline constexpr double decibel_floor = -100;

/// SAR over its maximum, and that ratio in decibels, 10 lg(ratio), not below decibel_floor (so that
/// elements without SAR have a value too). 0, and the floor, where the maximum is 0.
double over_maximum(double sar, double maximum);
double decibels(double ratio);

}  // namespace dgtd::dosimetry
