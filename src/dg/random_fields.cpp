#include "dgtd/dg/random_fields.hpp"

namespace dgtd::dg {

template <class Real>
void fill_random(const Discretisation<Real>& d, Executor<Real>& executor, Field<Real>& electric,
                 Field<Real>& magnetic) {
  std::vector<std::int64_t> ids(d.element_of_slot.size());
#pragma omp parallel for schedule(static)
  for (std::size_t s = 0; s < ids.size(); ++s) {
    const std::int64_t e = d.element_of_slot[s];
    ids[s] = e < 0 ? -1 : static_cast<std::int64_t>(d.mesh.element_id[static_cast<std::size_t>(e)]);
  }
  const parallel::Array<std::int64_t> element_id(ids, executor.memory());
  const auto coefficients = static_cast<std::int64_t>(ids.size()) * 3 * d.layout.nodes;
  executor.for_each(coefficients, WriteRandom<Real>{electric.write(), magnetic.write(), d.layout, element_id.read()});
  executor.wait();  // before the ids are gone
}

template void fill_random<float>(const Discretisation<float>&, Executor<float>&, Field<float>&, Field<float>&);
template void fill_random<double>(const Discretisation<double>&, Executor<double>&, Field<double>&, Field<double>&);

}  // namespace dgtd::dg
