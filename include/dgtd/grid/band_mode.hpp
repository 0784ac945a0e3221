#pragma once
// A mode of a cross-section over a band of frequencies: a polynomial through solutions at some of them.
#include "dgtd/grid/section_modes.hpp"

namespace dgtd::grid {

struct Band {
  double first, last;  // Hz
};

class BandMode {
 public:
  static constexpr int most_solutions = 17;
  /// The mode number `number` (from 1) by falling effective index in the middle of the band, and the same one at other
  /// frequencies. Throws Error (bad_input) where the plane guides no such mode. what: begins messages.
  BandMode(const CrossSection& section, int number, const Band& band, double time_step, const std::string& what);

  /// The mode at a frequency; one outside of the band counts as its nearest end.
  SectionMode at(double frequency) const;
  /// SectionMode::square alone.
  double square(double frequency) const;
  /// Solutions, and their weights in the mode at a frequency.
  const std::vector<SectionMode>& solutions() const { return solutions_; }
  std::vector<double> weights(double frequency) const;
  /// A warning where ends of the plane cut the mode in the middle of the band. what: begins it.
  void warn_where_cut(const std::string& what) const;

 private:
  const CrossSection& section_;
  Band band_;
  std::vector<double> places_;  // [solutions] -1 to 1 in the band
  std::vector<SectionMode> solutions_;
};

}  // namespace dgtd::grid
