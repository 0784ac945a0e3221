#pragma once
// Permittivities of the media of a case over its frequencies, as charts.
#include "dgtd/config/case.hpp"
#include "dgtd/io/section.hpp"

namespace dgtd::app {

/// eps' and eps'' of each medium that has losses or poles, over the band of the case (half to one and a half times its
/// only frequency), with the points of the tissue library where a medium is one. No section without such a medium or
/// without frequencies.
std::optional<io::Section> medium_curves(const config::Case& c);

}  // namespace dgtd::app
