#include "dgtd/observers/final_fields.hpp"

#include "dgtd/io/results.hpp"

namespace dgtd::observers {

void FinalFields::finish(io::Results& results) {
  if (plan_.frequencies.empty()) writer_.write_present(writer_.final_stem(), std::move(results.cell_arrays));
  else writer_.write_phasors(writer_.final_stem(), plan_.frequencies, plan_.peak, std::move(results.cell_arrays));
}

}  // namespace dgtd::observers
