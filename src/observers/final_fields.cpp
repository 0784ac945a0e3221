#include "dgtd/observers/final_fields.hpp"

namespace dgtd::observers {

void FinalFields::finish_fields(io::Results& results) {
  const io::PiecedFile to{results.files, writer_.final_stem()};
  results.field_bytes += plan_.complete(results.summary)
                             ? writer_.write_phasors(to, plan_.frequencies, plan_.peak, results.quantities)
                             : writer_.write_present(to, results.quantities);
}

std::vector<solver::FileSize> FinalFields::field_files(std::int64_t) const {
  const std::int64_t mine = plan_.frequencies.empty() ? writer_.bytes_present(expected_quantities_)
                                                      : writer_.bytes_phasors(plan_.frequencies, expected_quantities_);
  return {{writer_.index_name(writer_.final_stem()), double(comm_.sum(mine)), 1}};
}

}  // namespace dgtd::observers
