#include "dgtd/dg/random_fields.hpp"

namespace dgtd::dg {

template <class Real>
void fill_random(const Discretisation<Real>& d, Executor<Real>& executor, Field<Real>& electric,
                 Field<Real>& magnetic) {
  const std::vector<std::int64_t> ids = d.global_ids();
  const parallel::Array<std::int64_t> element_id(ids, executor.memory());
  const auto coefficients = static_cast<std::int64_t>(ids.size()) * 3 * d.layout.nodes;
  executor.for_each(coefficients, WriteRandom<Real>{electric.write(), magnetic.write(), d.layout, element_id.read()});
  executor.wait();  // before the ids are gone
}

template void fill_random<float>(const Discretisation<float>&, Executor<float>&, Field<float>&, Field<float>&);
template void fill_random<double>(const Discretisation<double>&, Executor<double>&, Field<double>&, Field<double>&);

}  // namespace dgtd::dg
