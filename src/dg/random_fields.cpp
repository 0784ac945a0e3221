#include "dgtd/dg/random_fields.hpp"

namespace dgtd::dg {

namespace {

// A number in [-1, 1) from integers that are independent of the partition (splitmix64).
double random_number(std::uint64_t element, std::uint64_t entry) {
  std::uint64_t z = element * 0x9e3779b97f4a7c15u + entry * 0xbf58476d1ce4e5b9u + 0x94d049bb133111ebu;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  return static_cast<double>(static_cast<std::int64_t>(z)) * 0x1p-63;
}

}  // namespace

template <class Real>
void fill_random(const Discretisation<Real>& d, Field<Real>& electric_field, Field<Real>& magnetic_field) {
  Real* const electric = electric_field.host_for_writing();
  Real* const magnetic = magnetic_field.host_for_writing();
  const auto slots = static_cast<std::ptrdiff_t>(d.element_of_slot.size());
  const std::size_t stride = d.layout.stride(), coefficients = std::size_t{3} * d.layout.nodes;
#pragma omp parallel for schedule(static)
  for (std::ptrdiff_t s = 0; s < slots; ++s) {
    const std::int64_t e = d.element_of_slot[s];
    if (e < 0) continue;
    const auto id = static_cast<std::uint64_t>(d.mesh.element_id[e]);
    const std::size_t at = d.layout.first(static_cast<std::uint32_t>(s));
    for (std::size_t i = 0; i < coefficients; ++i) {
      electric[at + i * stride] = static_cast<Real>(random_number(id, 2 * i));
      magnetic[at + i * stride] = static_cast<Real>(random_number(id, 2 * i + 1));
    }
  }
}

template void fill_random<float>(const Discretisation<float>&, Field<float>&, Field<float>&);
template void fill_random<double>(const Discretisation<double>&, Field<double>&, Field<double>&);

}  // namespace dgtd::dg
