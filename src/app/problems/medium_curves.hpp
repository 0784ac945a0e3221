#pragma once
// Permittivities of the media of a case over its frequencies, as charts.
#include <string>

#include "dgtd/config/case.hpp"
#include "dgtd/io/section.hpp"
#include "dgtd/io/value.hpp"

namespace dgtd::app {

/// eps' and eps'' of each medium that has losses or poles, over the band of the case (half to one and a half times its
/// only frequency), with the points of the tissue library where a medium is one. No section without such a medium or
/// without frequencies.
std::optional<io::Section> medium_curves(const config::Case& c);

/// Text on the error of a fit: "material gold: JC.txt as 5 poles, 1.7 % of |eps| on average and 3.2 % at most over
/// 16 points from 397.4 nm to 984 nm".
std::string text_of(const physics::TableFit& fit);
/// The same for summary.json.
io::Value list_of(const std::vector<physics::TableFit>& fits);

}  // namespace dgtd::app
